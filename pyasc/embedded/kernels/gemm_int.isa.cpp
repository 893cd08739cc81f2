// Matrix products of integers and bool, modulo 2^32 or 2^64 as NumPy's arithmetic wraps. 8- and 16-bit elements are
// multiplied in pairs of int16; wider ones as float64 where the values are small enough for that to be exact.
#include "kernels/gemm_driver.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pyasc::PYASC_ISA {
namespace {

// A packed step is a pair of neighbours in k, two int16 in 32 bits; products of a pair are added as int32, which wraps
// to the right value also for -32768 * -32768 * 2.
using Pair = int32_t;
using PairVector = Simd<Pair>::type;

inline PairVector multiply_pairs(PairVector a, PairVector b) {
#if defined(__AVX512BW__)
    return reinterpret_cast<PairVector>(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return reinterpret_cast<PairVector>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<PairVector>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    // Through unsigned: the sum may wrap.
    using W = Simd<uint32_t>::type;
    const PairVector low = ((a << 16) >> 16) * ((b << 16) >> 16);
    return reinterpret_cast<PairVector>(reinterpret_cast<W>(low) + reinterpret_cast<W>((a >> 16) * (b >> 16)));
#endif
}

struct PairKernel {
    using Acc = uint32_t;
    using T = Pair;
    static constexpr int MR = kRows, NR = kVectors * Simd<Pair>::lanes, unit = 2, width = 1;
    static constexpr int64_t kc = 256;
    static void tile(int64_t k, const T* a, const T* b, const Acc* prev, int64_t ldp, Acc* c, int64_t ldc) {
        using U = Simd<Pair>::loose;
        using W = Simd<uint32_t>::type;
        using WU = Simd<uint32_t>::loose;
        constexpr int L = Simd<Pair>::lanes;
        W acc[MR][kVectors];
#pragma GCC unroll 16
        for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 4
            for (int j = 0; j < kVectors; ++j) acc[i][j] = W{};
        }
        for (int64_t p = 0; p < k; ++p, a += MR, b += NR) {
            PairVector v[kVectors];
#pragma GCC unroll 4
            for (int j = 0; j < kVectors; ++j) v[j] = *reinterpret_cast<const U*>(b + j * L);
#pragma GCC unroll 16
            for (int i = 0; i < MR; ++i) {
                const PairVector x = PairVector{} + a[i];
#pragma GCC unroll 4
                for (int j = 0; j < kVectors; ++j) acc[i][j] += reinterpret_cast<W>(multiply_pairs(x, v[j]));
            }
        }
#pragma GCC unroll 16
        for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 4
            for (int j = 0; j < kVectors; ++j) {
                if (prev) acc[i][j] += *reinterpret_cast<const WU*>(prev + i * ldp + j * L);
                *reinterpret_cast<WU*>(c + i * ldc + j * L) = acc[i][j];
            }
        }
    }
};

template <class Src>
inline Pair make_pair(Src low, Src high) {
    return static_cast<Pair>(static_cast<uint32_t>(static_cast<uint16_t>(low)) |
                             static_cast<uint32_t>(static_cast<uint16_t>(high)) << 16);
}

template <int R, class Src>
void pack_pairs(const char* data, int64_t across, int64_t along, int64_t count, int64_t k, Pair* dst) {
    const Src* src = reinterpret_cast<const Src*>(data);
    for (; count > 0; count -= R, src += R * across) {
        const int64_t rows = count < R ? count : R;
        int64_t p = 0;
        for (; p + 2 <= k; p += 2, dst += R) {
            const Src *even = src + p * along, *odd = even + along;
            if (rows == R && across == 1) {
                for (int r = 0; r < R; ++r) dst[r] = make_pair<Src>(even[r], odd[r]);
            } else {
                for (int r = 0; r < R; ++r) {
                    dst[r] = r < rows ? make_pair<Src>(even[r * across], odd[r * across]) : 0;
                }
            }
        }
        if (p < k) {
            for (int r = 0; r < R; ++r) dst[r] = r < rows ? make_pair<Src>(src[r * across + p * along], Src(0)) : 0;
            dst += R;
        }
    }
}

template <class Src, class Out>
void packed_pairs(const GemmArgs& g) {
    using K = PairKernel;
    packed_gemm<K>(g, {pack_pairs<K::MR, Src>, pack_pairs<K::NR, Src>, finish<uint32_t, Out>, sizeof(Out) == 4});
}

// The largest magnitude in a matrix, as a double.
template <class Src>
double largest(const Matrix& x, int64_t rows, int64_t cols) {
    const Src* data = reinterpret_cast<const Src*>(x.data);
    const bool by_row = x.col <= x.row;
    const int64_t outer = by_row ? rows : cols, inner = by_row ? cols : rows;
    const int64_t outer_step = by_row ? x.row : x.col, inner_step = by_row ? x.col : x.row;
    Src low = 0, high = 0;
    for (int64_t i = 0; i < outer; ++i) {
        const Src* line = data + i * outer_step;
        if (inner_step == 1) {
            for (int64_t j = 0; j < inner; ++j) {
                low = line[j] < low ? line[j] : low;
                high = line[j] > high ? line[j] : high;
            }
        } else {
            for (int64_t j = 0; j < inner; ++j) {
                low = line[j * inner_step] < low ? line[j * inner_step] : low;
                high = line[j * inner_step] > high ? line[j * inner_step] : high;
            }
        }
    }
    const double down = -static_cast<double>(low), up = static_cast<double>(high);
    return down > up ? down : up;
}

// Sums of k products stay below 2^53: every step is exact in float64, in any order.
template <class Src>
bool exact_in_double(const GemmArgs& g) {
    const double a = largest<Src>(g.a, g.m, g.k);
    if (a == 0) return true;
    return a * largest<Src>(g.b, g.k, g.n) * static_cast<double>(g.k) < 0x1p53;
}

template <class Src, class Acc>
void packed_wide(const GemmArgs& g) {
    if (!g.scaled && exact_in_double<Src>(g)) {
        using K = RealKernel<double>;
        return packed_gemm<K>(g, {pack<K::MR, double, Src>, pack<K::NR, double, Src>, finish<double, Src>, false});
    }
    using K = RealKernel<Acc>;
    packed_gemm<K>(g, {pack<K::MR, Acc, Src>, pack<K::NR, Acc, Src>, finish<Acc, Src>, true});
}

GemmFn packed(DType in, DType out) {
    if (in == DType::I8 && out == DType::I32) return packed_pairs<int8_t, int32_t>;
    if (in == DType::U8 && out == DType::I32) return packed_pairs<uint8_t, int32_t>;
    if (in != out) return nullptr;
    switch (in) {
        case DType::Bool: return packed_pairs<bool, bool>;
        case DType::I8: return packed_pairs<int8_t, int8_t>;
        case DType::U8: return packed_pairs<uint8_t, uint8_t>;
        case DType::I16: return packed_pairs<int16_t, int16_t>;
        case DType::U16: return packed_pairs<uint16_t, uint16_t>;
        case DType::I32: return packed_wide<int32_t, uint32_t>;
        case DType::U32: return packed_wide<uint32_t, uint32_t>;
        case DType::I64: return packed_wide<int64_t, uint64_t>;
        case DType::U64: return packed_wide<uint64_t, uint64_t>;
        default: return nullptr;
    }
}

}  // namespace

extern const IntegerGemmKernels integer_gemm_kernels;
const IntegerGemmKernels integer_gemm_kernels = {packed};

}  // namespace pyasc::PYASC_ISA

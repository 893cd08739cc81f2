// Matrix products of floating and complex types: the packed kernel, the one for small matrices, and matrix times
// vector.
#include "kernels/gemm_driver.h"

namespace pyasc::PYASC_ISA {
namespace {

template <class Src, class E, class Out>
void packed_real(const GemmArgs& g) {
    using K = RealKernel<E>;
    packed_gemm<K>(g, {pack<K::MR, E, Src>, pack<K::NR, E, Src>, finish<E, Out>, std::is_same_v<E, Out>});
}

template <class E>
void packed_complex(const GemmArgs& g) {
    using K = ComplexKernel<E>;
    packed_gemm<K>(g, {pack_planes<K::MR, E>, pack_planes<K::NR, E>, finish<std::complex<E>, std::complex<E>>, true});
}

// Small matrices in place: only what is not dense along the rows of B is copied.

template <class T, int NV, class B>
void small_rows(const GemmArgs& g, const B b, int64_t i, int64_t mr, T* c, int64_t ldc) {
    const StridedA<T> a{reinterpret_cast<const T*>(g.a.data) + i * g.a.row, g.a.row, g.a.col};
    int64_t r = 0;
    const auto rest = [&] { return StridedA<T>{a.data + r * a.row, a.row, a.col}; };
    if (mr == kRows) return real_tile<T, kRows, NV>(g.k, a, b, nullptr, 0, c, ldc);
    for (; r + 4 <= mr; r += 4) real_tile<T, 4, NV>(g.k, rest(), b, nullptr, 0, c + r * ldc, ldc);
    for (; r + 2 <= mr; r += 2) real_tile<T, 2, NV>(g.k, rest(), b, nullptr, 0, c + r * ldc, ldc);
    for (; r < mr; ++r) real_tile<T, 1, NV>(g.k, rest(), b, nullptr, 0, c + r * ldc, ldc);
}

template <class T, int NV, class B>
void small_columns(const GemmArgs& g, const B b, int64_t j, int64_t nr) {
    constexpr int64_t NR = NV * Simd<T>::lanes;
    const bool direct = !g.scaled && g.c.col == 1 && nr == NR;
    for (int64_t i = 0; i < g.m; i += kRows) {
        const int64_t mr = std::min<int64_t>(kRows, g.m - i);
        if (direct) {
            small_rows<T, NV>(g, b, i, mr, reinterpret_cast<T*>(g.c.data) + i * g.c.row + j, g.c.row);
        } else {
            alignas(64) T t[kRows * NR];
            small_rows<T, NV>(g, b, i, mr, t, NR);
            finish<T, T>(g, t, NR, i, j, mr, nr);
        }
    }
}

template <class T>
void direct_real(const GemmArgs& args) {
    constexpr int L = Simd<T>::lanes, NR = kVectors * L;
    GemmArgs g = args;
    orient(&g);
    if (g.k == 0) return finish_empty<T>(g, finish<T, T>);
    const T* b = reinterpret_cast<const T*>(g.b.data);
    for (int64_t j = 0; j < g.n; j += NR) {
        const int64_t nr = std::min<int64_t>(NR, g.n - j);
        if (nr == NR && g.b.col == 1) {
            small_columns<T, kVectors>(g, StridedB<T>{b + j, g.b.row}, j, nr);
        } else if (nr == L && g.b.col == 1) {
            small_columns<T, 1>(g, StridedB<T>{b + j, g.b.row}, j, nr);
        } else {
            T* packed = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::PackB, NR * g.k * sizeof(T)));
            const char* from = reinterpret_cast<const char*>(b + j * g.b.col);
            if (nr > L) {
                pack<NR, T, T>(from, g.b.col, g.b.row, nr, g.k, packed);
                small_columns<T, kVectors>(g, PackedB<T, NR>{packed}, j, nr);
            } else {
                pack<L, T, T>(from, g.b.col, g.b.row, nr, g.k, packed);
                small_columns<T, 1>(g, PackedB<T, L>{packed}, j, nr);
            }
        }
    }
}

template <class Src, class Acc>
void direct_any(const GemmArgs& g, FinishFn<Acc> finish) {
    const Src* a = reinterpret_cast<const Src*>(g.a.data);
    const Src* b = reinterpret_cast<const Src*>(g.b.data);
    for (int64_t i = 0; i < g.m; ++i) {
        for (int64_t j = 0; j < g.n; ++j) {
            Acc sum{};
            for (int64_t p = 0; p < g.k; ++p) {
                sum += multiply(load<Acc>(a[i * g.a.row + p * g.a.col]), load<Acc>(b[p * g.b.row + j * g.b.col]));
            }
            finish(g, &sum, 1, i, j, 1, 1);
        }
    }
}

template <class Src, class Acc, class Out>
void direct(const GemmArgs& g) {
    direct_any<Src, Acc>(g, finish<Acc, Out>);
}

// Matrix times vector. x is made dense and of type Acc first.

constexpr int64_t kDotBlock = 1 << 15;  // longer dot products are summed in pieces of this many elements

template <class T>
T horizontal_sum(typename Simd<T>::type v) {
    T sum = 0;
    for (int l = 0; l < Simd<T>::lanes; ++l) sum += v[l];
    return sum;
}

// R dot products of dense rows with x.
template <class T, int R>
void dot_rows(const T* a, int64_t row, const T* x, int64_t n, T* y) {
    using V = typename Simd<T>::type;
    using U = typename Simd<T>::loose;
    constexpr int L = Simd<T>::lanes, C = 4 / R * 2;  // R * C chains of additions
    V acc[R][C] = {};
    int64_t p = 0;
    for (; p + C * L <= n; p += C * L) {
#pragma GCC unroll 8
        for (int c = 0; c < C; ++c) {
            const V v = *reinterpret_cast<const U*>(x + p + c * L);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) acc[r][c] += *reinterpret_cast<const U*>(a + r * row + p + c * L) * v;
        }
    }
    for (int r = 0; r < R; ++r) {
        V total = acc[r][0];
        for (int c = 1; c < C; ++c) total += acc[r][c];
        T sum = horizontal_sum<T>(total);
        for (int64_t q = p; q < n; ++q) sum += a[r * row + q] * x[q];
        y[r] += sum;
    }
}

template <class Src, class Acc>
Acc dot_one(const Src* a, int64_t step, const Acc* x, int64_t n) {
    Acc sums[1] = {};
    if constexpr (std::is_same_v<Src, f16> || std::is_same_v<Src, bf16>) {
        constexpr int64_t kBlock = 1024;
        float row[kBlock];
        for (int64_t p = 0; p < n; p += kBlock) {
            const int64_t m = std::min(kBlock, n - p);
            widen_row<Src>(reinterpret_cast<const char*>(a + p * step), step * 2, row, m);
            dot_rows<float, 1>(row, 0, x + p, m, sums);
        }
        return sums[0];
    } else {
        if constexpr (std::is_floating_point_v<Acc>) {
            if (step == 1) {
                dot_rows<Acc, 1>(a, 0, x, n, sums);
                return sums[0];
            }
        }
        Acc s0{}, s1{}, s2{}, s3{};
        int64_t p = 0;
        for (; p + 4 <= n; p += 4) {
            s0 += multiply(load<Acc>(a[p * step]), x[p]);
            s1 += multiply(load<Acc>(a[(p + 1) * step]), x[p + 1]);
            s2 += multiply(load<Acc>(a[(p + 2) * step]), x[p + 2]);
            s3 += multiply(load<Acc>(a[(p + 3) * step]), x[p + 3]);
        }
        for (; p < n; ++p) s0 += multiply(load<Acc>(a[p * step]), x[p]);
        return (s0 + s1) + (s2 + s3);
    }
}

// Rows [i0, i1) along k.
template <class Src, class Acc>
void rows_times_vector(const GemmArgs& g, const Acc* x, int64_t i0, int64_t i1, FinishFn<Acc> finish) {
    const Src* a = reinterpret_cast<const Src*>(g.a.data);
    int64_t i = i0;
    if constexpr (std::is_same_v<Src, Acc> && std::is_floating_point_v<Acc>) {
        for (; g.a.col == 1 && i + 4 <= i1; i += 4) {
            Acc y[4] = {};
            for (int64_t p = 0; p < g.k; p += kDotBlock) {
                dot_rows<Acc, 4>(a + i * g.a.row + p, g.a.row, x + p, std::min(kDotBlock, g.k - p), y);
            }
            finish(g, y, 1, i, 0, 4, 1);
        }
    }
    for (; i < i1; ++i) {
        Acc y{};
        for (int64_t p = 0; p < g.k; p += kDotBlock) {
            y += dot_one<Src, Acc>(a + i * g.a.row + p * g.a.col, g.a.col, x + p, std::min(kDotBlock, g.k - p));
        }
        finish(g, &y, 1, i, 0, 1, 1);
    }
}

// Rows [i0, i1) of a matrix whose columns are dense, column by column: at most kColumnRows of them.
constexpr int64_t kColumnRows = 2048;

template <class Src, class Acc>
void columns_times_vector(const GemmArgs& g, const Acc* x, int64_t i0, int64_t i1, FinishFn<Acc> finish) {
    Acc y[kColumnRows] = {};
    const int64_t m = i1 - i0;
    const Src* a = reinterpret_cast<const Src*>(g.a.data) + i0;
    int64_t p = 0;
    if constexpr (std::is_same_v<Src, Acc> && std::is_arithmetic_v<Acc>) {
        for (; p + 4 <= g.k; p += 4) {
            const Src *a0 = a + p * g.a.col, *a1 = a0 + g.a.col, *a2 = a1 + g.a.col, *a3 = a2 + g.a.col;
            const Acc x0 = x[p], x1 = x[p + 1], x2 = x[p + 2], x3 = x[p + 3];
#pragma GCC ivdep
            for (int64_t i = 0; i < m; ++i) y[i] += (a0[i] * x0 + a1[i] * x1) + (a2[i] * x2 + a3[i] * x3);
        }
    }
    for (; p < g.k; ++p) {
        const Src* column = a + p * g.a.col;
#pragma GCC ivdep
        for (int64_t i = 0; i < m; ++i) y[i] += multiply(load<Acc>(column[i]), x[p]);
    }
    finish(g, y, 1, i0, 0, m, 1);
}

template <class Src, class Acc>
void vector_any(const GemmArgs& g, FinishFn<Acc> finish) {
    if (g.k == 0) return finish_empty<Acc>(g, finish);
    const Src* b = reinterpret_cast<const Src*>(g.b.data);
    const Acc* x = reinterpret_cast<const Acc*>(b);
    if (!std::is_same_v<Src, Acc> || g.b.row != 1) {
        Acc* copy = reinterpret_cast<Acc*>(gemm_buffer(GemmBuffer::PackB, g.k * sizeof(Acc)));
        for (int64_t p = 0; p < g.k; ++p) copy[p] = load<Acc>(b[p * g.b.row]);
        x = copy;
    }
    const bool columns = g.a.row == 1 && g.a.col != 1 && g.m >= 16;
    const int64_t grain = columns ? kColumnRows : std::max<int64_t>(4, ((1 << 17) / g.k + 3) / 4 * 4);
    if (g.m == 1 && g.k > 4 * kDotBlock) {  // one long dot product: pieces in parallel, added in order
        const Src* a = reinterpret_cast<const Src*>(g.a.data);
        const int64_t pieces = (g.k + kDotBlock - 1) / kDotBlock;
        Acc* sums = reinterpret_cast<Acc*>(gemm_buffer(GemmBuffer::Accumulator, pieces * sizeof(Acc)));
        parallel(pieces, [&](int64_t t) {
            const int64_t p = t * kDotBlock;
            sums[t] = dot_one<Src, Acc>(a + p * g.a.col, g.a.col, x + p, std::min(kDotBlock, g.k - p));
        });
        for (int64_t t = 1; t < pieces; ++t) sums[0] += sums[t];
        return finish(g, sums, 1, 0, 0, 1, 1);
    }
    parallel_for(g.m, grain, [&](int64_t i0, int64_t i1) {
        if (columns) {
            columns_times_vector<Src, Acc>(g, x, i0, i1, finish);
        } else {
            rows_times_vector<Src, Acc>(g, x, i0, i1, finish);
        }
    });
}

template <class Src, class Acc, class Out>
void vector(const GemmArgs& g) {
    vector_any<Src, Acc>(g, finish<Acc, Out>);
}

constexpr int pair(DType in, DType out) { return static_cast<int>(in) * kDTypes + static_cast<int>(out); }

// One line for each pair of types: what is read, what sums are kept in, what is written.
#define PYASC_FLOAT_PAIRS(F)         \
    F(F32, F32, float, float, float) \
    F(F32, F16, float, float, f16)   \
    F(F32, BF16, float, float, bf16) \
    F(F16, F16, f16, float, f16)     \
    F(F16, F32, f16, float, float)   \
    F(BF16, BF16, bf16, float, bf16) F(BF16, F32, bf16, float, float) F(F64, F64, double, double, double)
#define PYASC_OTHER_PAIRS(F)                  \
    F(Bool, Bool, bool, uint32_t, bool)       \
    F(I8, I8, int8_t, uint32_t, int8_t)       \
    F(U8, U8, uint8_t, uint32_t, uint8_t)     \
    F(I8, I32, int8_t, uint32_t, int32_t)     \
    F(U8, I32, uint8_t, uint32_t, int32_t)    \
    F(I16, I16, int16_t, uint32_t, int16_t)   \
    F(U16, U16, uint16_t, uint32_t, uint16_t) \
    F(I32, I32, int32_t, uint32_t, int32_t)   \
    F(U32, U32, uint32_t, uint32_t, uint32_t) \
    F(I64, I64, int64_t, uint64_t, int64_t)   \
    F(U64, U64, uint64_t, uint64_t, uint64_t) F(C64, C64, c64, c64, c64) F(C128, C128, c128, c128, c128)
#define PYASC_PACKED(in, out, Src, Acc, Out) \
    case pair(DType::in, DType::out): return packed_real<Src, Acc, Out>;
#define PYASC_DIRECT(in, out, Src, Acc, Out) \
    case pair(DType::in, DType::out): return direct<Src, Acc, Out>;
#define PYASC_VECTOR(in, out, Src, Acc, Out) \
    case pair(DType::in, DType::out): return vector<Src, Acc, Out>;

GemmFn packed_of(DType in, DType out) {
    switch (pair(in, out)) {
        // clang-format off
        PYASC_FLOAT_PAIRS(PYASC_PACKED)
        // clang-format on
        case pair(DType::C64, DType::C64): return packed_complex<float>;
        case pair(DType::C128, DType::C128): return packed_complex<double>;
        default: return nullptr;
    }
}

GemmFn direct_of(DType in, DType out) {
    switch (pair(in, out)) {
        case pair(DType::F32, DType::F32): return direct_real<float>;
        case pair(DType::F64, DType::F64): return direct_real<double>;
        case pair(DType::F16, DType::F16): return direct<f16, float, f16>;
        case pair(DType::BF16, DType::BF16): return direct<bf16, float, bf16>; PYASC_OTHER_PAIRS(PYASC_DIRECT)
        default: return nullptr;
    }
}

GemmFn vector_of(DType in, DType out) {
    switch (pair(in, out)) {
        // clang-format off
        PYASC_FLOAT_PAIRS(PYASC_VECTOR)
        PYASC_OTHER_PAIRS(PYASC_VECTOR)
        // clang-format on
        default: return nullptr;
    }
}
#undef PYASC_FLOAT_PAIRS
#undef PYASC_OTHER_PAIRS
#undef PYASC_PACKED
#undef PYASC_DIRECT
#undef PYASC_VECTOR

}  // namespace

extern const GemmKernels gemm_kernels;
const GemmKernels gemm_kernels = {packed_of, direct_of, vector_of};

}  // namespace pyasc::PYASC_ISA

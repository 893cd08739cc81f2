// Conversions between all pairs of types. Those among integers, float and double are loops; the 16-bit floats go
// through blocks of float, complex sources through their real parts, complex results through theirs.
#include "kernels/cast.h"

#include <type_traits>

#include "kernels/half.h"

namespace pyasc::PYASC_ISA {
namespace {

// Out of range or NaN gives the most negative integer, which is what the x86 instructions NumPy runs give.
int32_t truncate32(float x) { return x >= -0x1p31f && x < 0x1p31f ? static_cast<int32_t>(x) : INT32_MIN; }
int32_t truncate32(double x) { return x > -2147483649.0 && x < 0x1p31 ? static_cast<int32_t>(x) : INT32_MIN; }

template <class F>
int64_t truncate64(F x) {
    return x >= F(-0x1p63) && x < F(0x1p63) ? static_cast<int64_t>(x) : INT64_MIN;
}

// Values in the upper half of the unsigned range are converted less that half and moved back by flipping the top bit;
// negative ones wrap.
template <class F>
uint32_t truncate_unsigned32(F x) {
    const bool high = x >= F(0x1p31);
    return static_cast<uint32_t>(truncate32(high ? x - F(0x1p31) : x)) ^ (high ? 0x80000000u : 0u);
}

template <class F>
uint64_t truncate_unsigned64(F x) {
    const bool high = x >= F(0x1p63);
    const uint64_t low = static_cast<uint64_t>(truncate64(high ? x - F(0x1p63) : x));
    return high ? low ^ uint64_t{1} << 63 : low;
}

template <class D, class S>
D convert(S x) {
    if constexpr (std::is_floating_point_v<D> || !std::is_floating_point_v<S>) {
        return static_cast<D>(x);
    } else if constexpr (std::is_same_v<D, uint64_t>) {
        return truncate_unsigned64(x);
    } else if constexpr (std::is_same_v<D, uint32_t>) {
        return truncate_unsigned32(x);
    } else if constexpr (std::is_same_v<D, int64_t>) {
        return truncate64(x);
    } else {
        return static_cast<D>(truncate32(x));
    }
}

template <class D, class S>
void cast_row(char* const* data, const int64_t* step, int64_t n) {
    char* const dst = data[0];
    const char* const src = data[1];
    if (step[0] == sizeof(D) && step[1] == sizeof(S)) {
        D* const to = reinterpret_cast<D*>(dst);
        const S* const from = reinterpret_cast<const S*>(src);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) to[i] = convert<D, S>(from[i]);
        return;
    }
    const int64_t to_step = step[0], from_step = step[1];
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<D*>(dst + i * to_step) = convert<D, S>(*reinterpret_cast<const S*>(src + i * from_step));
    }
}

// Whether something is not zero: of integers by width, of floats but for the sign bit.
struct Pair32 {
    uint32_t real, imag;
};
struct Pair64 {
    uint64_t real, imag;
};
struct Half {
    uint16_t bits;
};
struct Single {
    uint32_t bits;
};
struct Double {
    uint64_t bits;
};
template <class T> bool truth(T x) { return x != 0; }
template <> bool truth(Half x) { return (x.bits & 0x7fff) != 0; }
template <> bool truth(Single x) { return (x.bits & 0x7fffffff) != 0; }
template <> bool truth(Double x) { return (x.bits & ~(uint64_t{1} << 63)) != 0; }
template <> bool truth(Pair32 x) { return ((x.real | x.imag) & 0x7fffffff) != 0; }
template <> bool truth(Pair64 x) { return ((x.real | x.imag) & ~(uint64_t{1} << 63)) != 0; }

template <class S>
void truth_row(char* const* data, const int64_t* step, int64_t n) {
    char* const dst = data[0];
    const char* const src = data[1];
    if (step[0] == 1 && step[1] == sizeof(S)) {
        uint8_t* const to = reinterpret_cast<uint8_t*>(dst);
        const S* const from = reinterpret_cast<const S*>(src);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) to[i] = truth(from[i]);
        return;
    }
    const int64_t to_step = step[0], from_step = step[1];
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<uint8_t*>(dst + i * to_step) = truth(*reinterpret_cast<const S*>(src + i * from_step));
    }
}

// Integers of the same width are the same bits, and what is cut off does not depend on the sign: the destination's
// width and the source decide.
template <class S>
Inner from_number(DType dst) {
    switch (dst) {
        case DType::I8:
        case DType::U8: {
            if constexpr (std::is_integral_v<S>) return cast_row<uint8_t, S>;
            return cast_row<int8_t, S>;
        }
        case DType::I16:
        case DType::U16: {
            if constexpr (std::is_integral_v<S>) return cast_row<uint16_t, S>;
            return cast_row<int16_t, S>;
        }
        case DType::I32: return cast_row<int32_t, S>;
        case DType::U32: {
            if constexpr (std::is_integral_v<S>) return cast_row<int32_t, S>;
            return cast_row<uint32_t, S>;
        }
        case DType::I64: return cast_row<int64_t, S>;
        case DType::U64: {
            if constexpr (std::is_integral_v<S>) return cast_row<int64_t, S>;
            return cast_row<uint64_t, S>;
        }
        case DType::F32: return cast_row<float, S>;
        case DType::F64: return cast_row<double, S>;
        default: return nullptr;
    }
}

// Between Bool, the integers, F32 and F64; not to Bool.
Inner find_number(DType dst, DType src) {
    switch (src) {
        case DType::Bool:
        case DType::U8: return from_number<uint8_t>(dst);
        case DType::I8: return from_number<int8_t>(dst);
        case DType::I16: return from_number<int16_t>(dst);
        case DType::U16: return from_number<uint16_t>(dst);
        case DType::I32: return from_number<int32_t>(dst);
        case DType::U32: return from_number<uint32_t>(dst);
        case DType::I64: return from_number<int64_t>(dst);
        case DType::U64: return from_number<uint64_t>(dst);
        case DType::F32: return from_number<float>(dst);
        case DType::F64: return from_number<double>(dst);
        default: return nullptr;
    }
}

Inner find_truth(DType src) {
    switch (src) {
        case DType::Bool:
        case DType::I8:
        case DType::U8: return truth_row<uint8_t>;
        case DType::I16:
        case DType::U16: return truth_row<uint16_t>;
        case DType::I32:
        case DType::U32: return truth_row<uint32_t>;
        case DType::I64:
        case DType::U64: return truth_row<uint64_t>;
        case DType::F16:
        case DType::BF16: return truth_row<Half>;
        case DType::F32: return truth_row<Single>;
        case DType::F64: return truth_row<Double>;
        case DType::C64: return truth_row<Pair32>;
        case DType::C128: return truth_row<Pair64>;
        default: return nullptr;
    }
}

// Rounds to odd: the result keeps, in its last bit, that something was cut off, so that rounding it once more to half
// gives what rounding the double to half gives.
float round_to_odd(double x) {
    const float near = static_cast<float>(x);
    const double back = static_cast<double>(near);
    uint32_t bits = float_bits(near);
    const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    const bool away = (back < 0 ? -back : back) > (x < 0 ? -x : x);
    const bool inexact = back != x && finite;
    bits -= inexact && away;
    return bits_float(inexact ? bits | 1u : bits);
}

constexpr int64_t kBlock = 256;

// dst or src is a half, the other any type but complex (and dst not Bool).
template <DType D, DType S>
void half_row(char* const* data, const int64_t* step, int64_t n) {
    constexpr bool kFromHalf = S == DType::F16 || S == DType::BF16;
    constexpr bool kToHalf = D == DType::F16 || D == DType::BF16;
    alignas(64) float buffer[kBlock];
    alignas(64) double wide[S == DType::F64 ? kBlock : 1];
    for (int64_t i = 0; i < n; i += kBlock) {
        const int64_t m = n - i < kBlock ? n - i : kBlock;
        char* const dst = data[0] + i * step[0];
        char* const src = data[1] + i * step[1];
        char* const to_buffer[] = {reinterpret_cast<char*>(buffer), src};
        char* const from_buffer[] = {dst, reinterpret_cast<char*>(buffer)};
        const int64_t to_step[] = {sizeof(float), step[1]}, from_step[] = {step[0], sizeof(float)};
        if constexpr (kFromHalf) {
            widen_row<typename type_of<S>::t>(src, step[1], buffer, m);
        } else if constexpr (S == DType::F64 && D == DType::F16) {
            char* const gather[] = {reinterpret_cast<char*>(wide), src};
            const int64_t gather_step[] = {sizeof(double), step[1]};
            cast_row<double, double>(gather, gather_step, m);
            for (int64_t k = 0; k < m; ++k) buffer[k] = round_to_odd(wide[k]);
        } else {
            cast_row<float, std::conditional_t<S == DType::Bool, uint8_t, typename type_of<S>::t>>(to_buffer, to_step,
                                                                                                   m);
        }
        if constexpr (kToHalf) {
            narrow_row<typename type_of<D>::t>(buffer, dst, step[0], m);
        } else {
            cast_row<typename type_of<D>::t, float>(from_buffer, from_step, m);
        }
    }
}

template <DType D>
Inner to_half(DType src) {
    switch (src) {
#define PYASC_CASE(S) \
    case DType::S: return half_row<D, DType::S>;
        // clang-format off
        PYASC_CASE(Bool)
        PYASC_CASE(I8)
        PYASC_CASE(U8)
        PYASC_CASE(I16)
        PYASC_CASE(U16)
        PYASC_CASE(I32)
        PYASC_CASE(U32)
        PYASC_CASE(I64)
        PYASC_CASE(U64)
        PYASC_CASE(F16)
        PYASC_CASE(BF16)
        PYASC_CASE(F32)
        PYASC_CASE(F64)
        // clang-format on
#undef PYASC_CASE
        default: return nullptr;
    }
}

template <DType S>
Inner from_half(DType dst) {
    switch (dst) {
#define PYASC_CASE(D) \
    case DType::D: return half_row<DType::D, S>;
        // clang-format off
        PYASC_CASE(I8)
        PYASC_CASE(U8)
        PYASC_CASE(I16)
        PYASC_CASE(U16)
        PYASC_CASE(I32)
        PYASC_CASE(U32)
        PYASC_CASE(I64)
        PYASC_CASE(U64)
        PYASC_CASE(F32)
        PYASC_CASE(F64)
        // clang-format on
#undef PYASC_CASE
        default: return nullptr;
    }
}

Inner find(DType dst, DType src);

// Real to complex: the real parts of the result, then zeros for the imaginary ones.
template <DType D, DType S>
void real_to_complex(char* const* data, const int64_t* step, int64_t n) {
    using R = typename type_of<D>::t::value_type;
    find(dtype_of<R>::value, S)(data, step, n);
    for (int64_t i = 0; i < n; ++i) *reinterpret_cast<R*>(data[0] + i * step[0] + sizeof(R)) = 0;
}

template <class D, class S>
void complex_to_complex(char* const* data, const int64_t* step, int64_t n) {
    if (step[0] == 2 * sizeof(D) && step[1] == 2 * sizeof(S)) {
        const int64_t dense[] = {sizeof(D), sizeof(S)};
        return cast_row<D, S>(data, dense, 2 * n);
    }
    cast_row<D, S>(data, step, n);
    char* const imag[] = {data[0] + sizeof(D), data[1] + sizeof(S)};
    cast_row<D, S>(imag, step, n);
}

template <DType D>
Inner to_complex(DType src) {
    using R = typename type_of<D>::t::value_type;
    switch (src) {
#define PYASC_CASE(S) \
    case DType::S: return real_to_complex<D, DType::S>;
        // clang-format off
        PYASC_CASE(Bool)
        PYASC_CASE(I8)
        PYASC_CASE(U8)
        PYASC_CASE(I16)
        PYASC_CASE(U16)
        PYASC_CASE(I32)
        PYASC_CASE(U32)
        PYASC_CASE(I64)
        PYASC_CASE(U64)
        PYASC_CASE(F16)
        PYASC_CASE(BF16)
        PYASC_CASE(F32)
        PYASC_CASE(F64)
        // clang-format on
#undef PYASC_CASE
        case DType::C64: return complex_to_complex<R, float>;
        case DType::C128: return complex_to_complex<R, double>;
        default: return nullptr;
    }
}

Inner find(DType dst, DType src) {
    if (dst == DType::Bool) return find_truth(src);
    if (dst == DType::C64) return to_complex<DType::C64>(src);
    if (dst == DType::C128) return to_complex<DType::C128>(src);
    if (src == DType::C64) src = DType::F32;  // the real part is where the number is
    if (src == DType::C128) src = DType::F64;
    if (dst == DType::F16) return to_half<DType::F16>(src);
    if (dst == DType::BF16) return to_half<DType::BF16>(src);
    if (src == DType::F16) return from_half<DType::F16>(dst);
    if (src == DType::BF16) return from_half<DType::BF16>(dst);
    return find_number(dst, src);
}

}  // namespace

extern const CastKernels cast_kernels;
const CastKernels cast_kernels = {find};

}  // namespace pyasc::PYASC_ISA

// Kernels that choose, bound or mix.
#include "kernels/select.h"

#include <type_traits>

#include "kernels/pair.h"
#include "kernels/rows.h"

namespace pyasc::PYASC_ISA {
namespace {

template <class T>
using Wrap = std::conditional_t<std::is_integral_v<T> && (sizeof(T) < 4), uint32_t, T>;

template <class T> bool is_nan(T a) { return a != a; }
float magnitude(float x) { return __builtin_fabsf(x); }
double magnitude(double x) { return __builtin_fabs(x); }
double magnitude(Complex<float> x) { return __builtin_hypot(x.real, x.imag); }
double magnitude(Complex<double> x) { return __builtin_hypot(x.real, x.imag); }

struct Where {
    template <class T> static T apply(uint8_t condition, T a, T b) { return condition ? a : b; }
};
struct Clamp {
    template <class T> static T apply(T x, T low, T high) {
        const T raised = is_nan(x) || x >= low ? x : low;
        return is_nan(raised) || raised <= high ? raised : high;
    }
};
struct Lerp {  // from the nearer end, so that weights 0 and 1 give the ends exactly
    template <class T> static T apply(T start, T end, T weight) {
        const T length = end - start;
        return weight < T(0.5) ? start + weight * length : end - length * (T(1) - weight);
    }
};
struct Addcmul {
    template <class T> static T apply(T x, T a, T b, T value) {
        using W = Wrap<T>;
        return T(W(x) + W(value) * W(a) * W(b));
    }
};
struct Addcdiv {
    template <class T> static T apply(T x, T a, T b, T value) { return x + value * a / b; }
};
struct Invert {
    template <class T> static T apply(T x) { return T(~x); }
};
struct Not {
    static uint8_t apply(uint8_t x) { return x == 0; }
};

template <bool equal_nan>
struct IsClose {
    template <class T> static uint8_t close(T a, T b, double rtol, double atol) {
        using R = decltype(magnitude(a));
        const R size = magnitude(b);
        const bool near = magnitude(a - b) <= R(atol) + R(rtol) * size;
        const bool finite = size - size == 0;
        return (near & finite) | (a == b) | (equal_nan & is_nan(a) & is_nan(b));
    }
};

template <class T, bool equal_nan>
void close_row(char* const* data, const int64_t* step, int64_t n) {
    const double rtol = at<double>(data[3], 0), atol = at<double>(data[4], 0);
    const char* const a = data[1];
    const char* const b = data[2];
    if (step[0] == 1 && step[1] == sizeof(T) && step[2] == sizeof(T)) {
        uint8_t* const out = reinterpret_cast<uint8_t*>(data[0]);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) {
            out[i] = IsClose<equal_nan>::close(reinterpret_cast<const T*>(a)[i], reinterpret_cast<const T*>(b)[i], rtol,
                                               atol);
        }
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<uint8_t*>(data[0] + i * step[0]) =
            IsClose<equal_nan>::close(at<T>(a, i * step[1]), at<T>(b, i * step[2]), rtol, atol);
    }
}

template <class R>
R replace(R x, R nan, R high, R low) {
    constexpr R kInfinity = __builtin_huge_valf();
    return is_nan(x) ? nan : x == kInfinity ? high : x == -kInfinity ? low : x;
}
template <class R>
Complex<R> replace(Complex<R> x, R nan, R high, R low) {
    return {replace(x.real, nan, high, low), replace(x.imag, nan, high, low)};
}

template <class T, class R>
void replace_row(char* const* data, const int64_t* step, int64_t n) {
    const R nan = R(at<double>(data[2], 0)), high = R(at<double>(data[3], 0)), low = R(at<double>(data[4], 0));
    if (step[0] == sizeof(T) && step[1] == sizeof(T)) {
        T* const out = reinterpret_cast<T*>(data[0]);
        const T* const x = reinterpret_cast<const T*>(data[1]);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = replace(x[i], nan, high, low);
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<T*>(data[0] + i * step[0]) = replace(at<T>(data[1], i * step[1]), nan, high, low);
    }
}

struct Item16 {
    uint64_t half[2];
};

Inner find_where(DType t) {
    switch (item_size(t)) {
#define PYASC_ROW(T) ternary_row<Where, T, uint8_t, T, T>
        case 1: return PYASC_ROW(uint8_t);
        case 2: return PYASC_ROW(uint16_t);
        case 4: return PYASC_ROW(uint32_t);
        case 8: return PYASC_ROW(uint64_t);
        case 16: return PYASC_ROW(Item16);
#undef PYASC_ROW
        default: return nullptr;
    }
}

Inner find_clamp(DType t) {
    switch (t) {
#define PYASC_ROW(...) ternary_row<Clamp, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__>
        case DType::I8: return PYASC_ROW(int8_t);
        case DType::Bool:
        case DType::U8: return PYASC_ROW(uint8_t);
        case DType::I16: return PYASC_ROW(int16_t);
        case DType::U16: return PYASC_ROW(uint16_t);
        case DType::I32: return PYASC_ROW(int32_t);
        case DType::U32: return PYASC_ROW(uint32_t);
        case DType::I64: return PYASC_ROW(int64_t);
        case DType::U64: return PYASC_ROW(uint64_t);
        case DType::F16: return half_row<PYASC_ROW(float), 3, f16>;
        case DType::BF16: return half_row<PYASC_ROW(float), 3, bf16>;
        case DType::F32: return PYASC_ROW(float);
        case DType::F64: return PYASC_ROW(double);
        case DType::C64: return PYASC_ROW(Complex<float>);
        case DType::C128: return PYASC_ROW(Complex<double>);
        default: return nullptr;
    }
}

Inner find_lerp(DType t) {
    using L = Lerp;
    switch (t) {
        case DType::F16: return half_row<ternary_row<L, float, float, float, float>, 3, f16>;
        case DType::BF16: return half_row<ternary_row<L, float, float, float, float>, 3, bf16>;
        case DType::F32: return ternary_row<L, float, float, float, float>;
        case DType::F64: return ternary_row<L, double, double, double, double>;
        default: return nullptr;
    }
}
#undef PYASC_ROW

template <class Op>
Inner four_floats(DType t) {
    switch (t) {
        case DType::F16: return half_row<quaternary_row<Op, float, float>, 4, f16>;
        case DType::BF16: return half_row<quaternary_row<Op, float, float>, 4, bf16>;
        case DType::F32: return quaternary_row<Op, float, float>;
        case DType::F64: return quaternary_row<Op, double, double>;
        case DType::C64: return quaternary_row<Op, Complex<float>, Complex<float>>;
        case DType::C128: return quaternary_row<Op, Complex<double>, Complex<double>>;
        default: return nullptr;
    }
}

Inner find_addcmul(DType t) {
    if (!is_integer(t)) return four_floats<Addcmul>(t);
    switch (item_size(t)) {
        case 1: return quaternary_row<Addcmul, uint8_t, uint8_t>;
        case 2: return quaternary_row<Addcmul, uint16_t, uint16_t>;
        case 4: return quaternary_row<Addcmul, uint32_t, uint32_t>;
        default: return quaternary_row<Addcmul, uint64_t, uint64_t>;
    }
}

template <bool equal_nan>
Inner find_close(DType t) {
    switch (t) {
        case DType::F32: return close_row<float, equal_nan>;
        case DType::F64: return close_row<double, equal_nan>;
        case DType::C64: return close_row<Complex<float>, equal_nan>;
        case DType::C128: return close_row<Complex<double>, equal_nan>;
        default: return nullptr;
    }
}

Inner find_replace(DType t) {
    switch (t) {
        case DType::F32: return replace_row<float, float>;
        case DType::F64: return replace_row<double, double>;
        case DType::C64: return replace_row<Complex<float>, float>;
        case DType::C128: return replace_row<Complex<double>, double>;
        default: return nullptr;
    }
}

Inner find_invert(DType t) {
    if (t == DType::Bool) return unary_row<Not, uint8_t, uint8_t>;
    if (!is_integer(t)) return nullptr;
    switch (item_size(t)) {
        case 1: return unary_row<Invert, uint8_t, uint8_t>;
        case 2: return unary_row<Invert, uint16_t, uint16_t>;
        case 4: return unary_row<Invert, uint32_t, uint32_t>;
        default: return unary_row<Invert, uint64_t, uint64_t>;
    }
}

Inner find(Select op, DType t) {
    switch (op) {
        case Select::Where: return find_where(t);
        case Select::Clamp: return find_clamp(t);
        case Select::Lerp: return find_lerp(t);
        case Select::Addcmul: return find_addcmul(t);
        case Select::Addcdiv: return four_floats<Addcdiv>(t);
        case Select::IsClose: return find_close<false>(t);
        case Select::IsCloseNan: return find_close<true>(t);
        case Select::NanToNum: return find_replace(t);
        case Select::BitNot: return find_invert(t);
        case Select::LogicalNot: return t == DType::Bool ? unary_row<Not, uint8_t, uint8_t> : nullptr;
    }
    return nullptr;
}

}  // namespace

extern const SelectKernels select_kernels;
const SelectKernels select_kernels = {find};

}  // namespace pyasc::PYASC_ISA

// Powers. Integers wrap; floats are the C library's pow except for exponents that have a correctly rounded shortcut.
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "kernels/binary.h"
#include "kernels/pair.h"
#include "kernels/rows.h"

namespace pyasc {
namespace {

// By squaring. A negative exponent leaves 1 / base rounded towards zero, which is not 0 for 1 and -1 only.
template <class T>
T integer_power(T base, T exponent) {
    using W = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    if (exponent < 0) {
        if (base == 1) return 1;
        return static_cast<T>(-1) == base ? (exponent & 1 ? base : T(1)) : T(0);
    }
    W result = 1, square = static_cast<W>(base);
    for (std::make_unsigned_t<T> e = exponent; e != 0; e >>= 1) {
        if (e & 1) result *= square;
        square *= square;
    }
    return static_cast<T>(result);
}

// What NumPy does: exact cases first, small whole exponents by multiplication, the rest by the C library.
template <class R>
Complex<R> complex_power(Complex<R> base, Complex<R> exponent) {
    constexpr R kNan = std::numeric_limits<R>::quiet_NaN();
    if (exponent.real == 0 && exponent.imag == 0) return {1, 0};
    if (base.real == 0 && base.imag == 0) {
        return exponent.real > 0 && exponent.imag == 0 ? Complex<R>{0, 0} : Complex<R>{kNan, kNan};
    }
    if (exponent.imag == 0 && std::abs(exponent.real) < 100 && exponent.real == std::trunc(exponent.real)) {
        unsigned e = static_cast<unsigned>(std::abs(exponent.real));
        Complex<R> square = base;
        for (; (e & 1) == 0; e >>= 1) square = square * square;
        Complex<R> result = square;
        while ((e >>= 1) != 0) {
            square = square * square;
            if (e & 1) result = result * square;
        }
        return exponent.real < 0 ? Complex<R>{1, 0} / result : result;
    }
    const std::complex<R> power =
        std::pow(std::complex<R>(base.real, base.imag), std::complex<R>(exponent.real, exponent.imag));
    return {power.real(), power.imag()};
}

struct Power {
    template <class T> static T apply(T base, T exponent) {
        if constexpr (std::is_integral_v<T>)
            return integer_power(base, exponent);
        else if constexpr (std::is_floating_point_v<T>)
            return std::pow(base, exponent);
        else
            return complex_power(base, exponent);
    }
};
struct Square {
    template <class T> static T apply(T x) {
        using W = std::conditional_t<std::is_integral_v<T> && (sizeof(T) < 4), uint32_t, T>;
        return static_cast<T>(W(x) * W(x));
    }
};
struct Reciprocal {
    template <class T> static T apply(T x) { return T(1) / x; }
};
struct Root {  // pow(-0, 0.5) is +0 and pow(-inf, 0.5) is +inf
    template <class T> static T apply(T x) {
        return x == -std::numeric_limits<T>::infinity() ? -x : std::sqrt(x) + T(0);
    }
};

template <class T>
void float_power_row(char* const* data, const int64_t* step, int64_t n) {
    if (n > 1 && step[2] == 0) {
        const T exponent = at<T>(data[2], 0);
        if (exponent == T(2)) return unary_row<Square, T, T>(data, step, n);
        if (exponent == T(-1)) return unary_row<Reciprocal, T, T>(data, step, n);
        if (exponent == T(0.5)) return unary_row<Root, T, T>(data, step, n);
    }
    binary_row<Power, T, T>(data, step, n);
}

// Integers overflow, so their squares are computed as unsigned.
template <class T>
void integer_power_row(char* const* data, const int64_t* step, int64_t n) {
    using U = std::make_unsigned_t<T>;
    if (n > 1 && step[2] == 0 && at<T>(data[2], 0) == T(2)) return unary_row<Square, U, U>(data, step, n);
    binary_row<Power, T, T>(data, step, n);
}

}  // namespace

Inner power_inner(DType t) {
    switch (t) {
        case DType::I8: return integer_power_row<int8_t>;
        case DType::U8: return integer_power_row<uint8_t>;
        case DType::I16: return integer_power_row<int16_t>;
        case DType::U16: return integer_power_row<uint16_t>;
        case DType::I32: return integer_power_row<int32_t>;
        case DType::U32: return integer_power_row<uint32_t>;
        case DType::I64: return integer_power_row<int64_t>;
        case DType::U64: return integer_power_row<uint64_t>;
        case DType::F16: return half_row<float_power_row<float>, 2, f16>;
        case DType::BF16: return half_row<float_power_row<float>, 2, bf16>;
        case DType::F32: return float_power_row<float>;
        case DType::F64: return float_power_row<double>;
        case DType::C64: return binary_row<Power, Complex<float>, Complex<float>>;
        case DType::C128: return binary_row<Power, Complex<double>, Complex<double>>;
        default: return nullptr;
    }
}

}  // namespace pyasc

// Functions of complex numbers, element by element. complex64 is computed as complex128 and rounded once.
#include "kernels/complex.h"

#include <cmath>

namespace pyasc {
namespace {

constexpr double kLn2 = 0.693147180559945309417, kLog2E = 1.44269504088896340736, kLog10E = 0.434294481903251827651;

// Products and quotients without the NaN recovery of C's annex G, as NumPy computes them.
c128 times(c128 a, c128 b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
c128 reciprocal(c128 z) {  // Smith's method: no overflow on the way
    const double re = z.real(), im = z.imag();
    if (std::fabs(im) <= std::fabs(re)) {
        const double r = im / re, d = re + im * r;
        return {1 / d, -r / d};
    }
    const double r = re / im, d = re * r + im;
    return {r / d, -1 / d};
}

c128 expm1(c128 z) {
    const double s = std::sin(z.imag() / 2);
    return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * s * s, std::exp(z.real()) * std::sin(z.imag())};
}
c128 log1p(c128 z) { return {std::log(std::hypot(z.real() + 1, z.imag())), std::atan2(z.imag(), z.real() + 1)}; }
c128 scaled(c128 z, double by) { return {z.real() * by, z.imag() * by}; }

// NumPy's power: exact cases first, small integers by multiplication, the rest by C99's cpow.
c128 power(c128 x, c128 y) {
    if (y == c128(0, 0)) return {1, 0};
    if (x == c128(0, 0)) {
        return y.real() > 0 && y.imag() == 0 ? c128(0, 0) : c128(__builtin_nan(""), __builtin_nan(""));
    }
    const double whole = std::trunc(y.real());
    if (y.imag() != 0 || whole != y.real() || std::fabs(whole) >= 100) return std::pow(x, y);
    c128 result(1, 0);
    for (int n = static_cast<int>(std::fabs(whole)); n > 0; n >>= 1) {
        if (n & 1) result = result == c128(1, 0) ? x : times(result, x);
        x = times(x, x);
    }
    return y.real() < 0 ? reciprocal(result) : result;
}

template <c128 (*f)(c128), class T>
void inner(char* const* data, const int64_t* step, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        const T z = *reinterpret_cast<const T*>(data[1] + i * step[1]);
        const c128 r = f(c128(z.real(), z.imag()));
        using Part = typename T::value_type;
        *reinterpret_cast<T*>(data[0] + i * step[0]) = T(static_cast<Part>(r.real()), static_cast<Part>(r.imag()));
    }
}

template <class T>
void power_inner(char* const* data, const int64_t* step, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        const T x = *reinterpret_cast<const T*>(data[1] + i * step[1]);
        const T y = *reinterpret_cast<const T*>(data[2] + i * step[2]);
        const c128 r = power(c128(x.real(), x.imag()), c128(y.real(), y.imag()));
        using Part = typename T::value_type;
        *reinterpret_cast<T*>(data[0] + i * step[0]) = T(static_cast<Part>(r.real()), static_cast<Part>(r.imag()));
    }
}

template <class P>
std::complex<P> joined(P re, P im) {
    return {re, im};
}
template <class P>
std::complex<P> polar(P magnitude, P angle) {
    const double m = magnitude, a = angle;
    return {static_cast<P>(m * std::cos(a)), static_cast<P>(m * std::sin(a))};
}

template <class P, std::complex<P> (*f)(P, P)>
void pair_inner(char* const* data, const int64_t* step, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<std::complex<P>*>(data[0] + i * step[0]) =
            f(*reinterpret_cast<const P*>(data[1] + i * step[1]), *reinterpret_cast<const P*>(data[2] + i * step[2]));
    }
}

template <c128 (*f)(c128)> Inner of(DType type) {
    return type == DType::C64    ? static_cast<Inner>(inner<f, c64>)
           : type == DType::C128 ? static_cast<Inner>(inner<f, c128>)
                                 : nullptr;
}

#define PYASC_COMPLEX(name, expression) \
    c128 name(c128 z) { return expression; }
PYASC_COMPLEX(exp_, std::exp(z))
PYASC_COMPLEX(exp2_, std::exp(c128(z.real() * kLn2, z.imag() * kLn2)))
PYASC_COMPLEX(log_, std::log(z))
PYASC_COMPLEX(log2_, scaled(std::log(z), kLog2E))
PYASC_COMPLEX(log10_, scaled(std::log(z), kLog10E))
PYASC_COMPLEX(sqrt_, std::sqrt(z))
PYASC_COMPLEX(rsqrt_,
              z == c128(0, 0) ? c128(1 / std::fabs(z.real()), 0 / std::fabs(z.real())) : reciprocal(std::sqrt(z)))
PYASC_COMPLEX(sin_, std::sin(z))
PYASC_COMPLEX(cos_, std::cos(z))
PYASC_COMPLEX(tan_, std::tan(z))
PYASC_COMPLEX(asin_, std::asin(z))
PYASC_COMPLEX(acos_, std::acos(z))
PYASC_COMPLEX(atan_, std::atan(z))
PYASC_COMPLEX(sinh_, std::sinh(z))
PYASC_COMPLEX(cosh_, std::cosh(z))
PYASC_COMPLEX(tanh_, std::tanh(z))
PYASC_COMPLEX(asinh_, std::asinh(z))
PYASC_COMPLEX(acosh_, std::acosh(z))
PYASC_COMPLEX(atanh_, std::atanh(z))
PYASC_COMPLEX(sigmoid_, reciprocal(1.0 + std::exp(-z)))
#undef PYASC_COMPLEX

}  // namespace

Inner complex_function(Math op, DType type) {
    switch (op) {
        case Math::Exp: return of<exp_>(type);
        case Math::Exp2: return of<exp2_>(type);
        case Math::Expm1: return of<expm1>(type);
        case Math::Log: return of<log_>(type);
        case Math::Log2: return of<log2_>(type);
        case Math::Log10: return of<log10_>(type);
        case Math::Log1p: return of<log1p>(type);
        case Math::Sqrt: return of<sqrt_>(type);
        case Math::Rsqrt: return of<rsqrt_>(type);
        case Math::Reciprocal: return of<reciprocal>(type);
        case Math::Sin: return of<sin_>(type);
        case Math::Cos: return of<cos_>(type);
        case Math::Tan: return of<tan_>(type);
        case Math::Asin: return of<asin_>(type);
        case Math::Acos: return of<acos_>(type);
        case Math::Atan: return of<atan_>(type);
        case Math::Sinh: return of<sinh_>(type);
        case Math::Cosh: return of<cosh_>(type);
        case Math::Tanh: return of<tanh_>(type);
        case Math::Asinh: return of<asinh_>(type);
        case Math::Acosh: return of<acosh_>(type);
        case Math::Atanh: return of<atanh_>(type);
        case Math::Sigmoid: return of<sigmoid_>(type);
        default: return nullptr;
    }
}

Inner complex_pow(DType type) {
    return type == DType::C64    ? static_cast<Inner>(power_inner<c64>)
           : type == DType::C128 ? static_cast<Inner>(power_inner<c128>)
                                 : nullptr;
}

Inner complex_join(DType part) {
    return part == DType::F32   ? static_cast<Inner>(pair_inner<float, joined<float>>)
           : part == DType::F64 ? static_cast<Inner>(pair_inner<double, joined<double>>)
                                : nullptr;
}

Inner complex_polar(DType part) {
    return part == DType::F32   ? static_cast<Inner>(pair_inner<float, polar<float>>)
           : part == DType::F64 ? static_cast<Inner>(pair_inner<double, polar<double>>)
                                : nullptr;
}

}  // namespace pyasc

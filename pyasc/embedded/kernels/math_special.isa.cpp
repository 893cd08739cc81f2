// Error and gamma functions, and the functions of two inputs.
#include "kernels/math_special.h"

#include "kernels/complex.h"
#include "kernels/math_loop.h"

namespace pyasc::PYASC_ISA {
namespace {

PYASC_UNARY_IN_DOUBLE(Erf, erf)
PYASC_UNARY_IN_DOUBLE(Erfc, erfc)
PYASC_UNARY_IN_DOUBLE(Erfinv, erfinv)
PYASC_UNARY_IN_DOUBLE(Lgamma, lgamma)
PYASC_UNARY_IN_DOUBLE(Digamma, digamma)
PYASC_UNARY_IN_DOUBLE(Sinc, sinc)

#define PYASC_BINARY_IN_DOUBLE(Name, single, full)                                                    \
    struct Name {                                                                                     \
        static constexpr int inputs = 2;                                                              \
        static constexpr bool parameters = false;                                                     \
        static PYASC_INLINE vf of(vf x, vf y, const double*) {                                        \
            return in_double(x, y, [](vd a, vd b) __attribute__((always_inline)) { return single; }); \
        }                                                                                             \
        static PYASC_INLINE vd of(vd a, vd b, const double*) { return full; }                         \
    };

PYASC_INLINE vd pow_full(vd x, vd y) {
    for (int i = 0; i < kDoubles; ++i) x[i] = ::pow(x[i], y[i]);
    return x;
}

// C99: infinite if either is infinite, even beside a NaN.
template <class P> PYASC_INLINE vd hypot_c99(vd x, vd y) {
    return (magnitude(x) == kInf) | (magnitude(y) == kInf) ? all(kInf) : hypot<P>(x, y);
}

template <class P> PYASC_INLINE vd xlogy(vd x, vd y) { return (x == 0.0) & (y == y) ? vd{} : x * log<P>(y); }
template <class P> PYASC_INLINE vd xlog1py(vd x, vd y) { return (x == 0.0) & (y == y) ? vd{} : x * log1p<P>(y); }

PYASC_BINARY_IN_DOUBLE(Pow, pow_single(a, b), pow_full(a, b))
PYASC_BINARY_IN_DOUBLE(Atan2, atan2<Single>(a, b), atan2<Full>(a, b))
PYASC_BINARY_IN_DOUBLE(LogAddExp, logaddexp<Single>(a, b), logaddexp<Full>(a, b))
PYASC_BINARY_IN_DOUBLE(LogAddExp2, logaddexp2<Single>(a, b), logaddexp2<Full>(a, b))
PYASC_BINARY_IN_DOUBLE(Hypot, hypot_c99<Single>(a, b), hypot_c99<Full>(a, b))
PYASC_BINARY_IN_DOUBLE(XLogY, xlogy<Single>(a, b), xlogy<Full>(a, b))
PYASC_BINARY_IN_DOUBLE(XLog1pY, xlog1py<Single>(a, b), xlog1py<Full>(a, b))
#undef PYASC_BINARY_IN_DOUBLE

struct SiluMul {
    static constexpr int inputs = 2;
    static constexpr bool parameters = false;
    static PYASC_INLINE vf of(vf x, vf y, const double*) { return silu(x) * y; }
    static PYASC_INLINE vd of(vd x, vd y, const double*) { return silu<Full>(x) * y; }
};
struct MulSigmoid {
    static constexpr int inputs = 2;
    static constexpr bool parameters = false;
    static PYASC_INLINE vf of(vf x, vf y, const double*) { return x * sigmoid(y); }
    static PYASC_INLINE vd of(vd x, vd y, const double*) { return x * sigmoid<Full>(y); }
};
struct Prelu {
    static constexpr int inputs = 2;
    static constexpr bool parameters = false;
    template <class V> static PYASC_INLINE V of(V x, V weight, const double*) { return x > 0 ? x : x * weight; }
};

}  // namespace

Inner find_special(Math op, DType type) {
    switch (op) {
        case Math::Erf: return inner_of<Erf>(type);
        case Math::Erfc: return inner_of<Erfc>(type);
        case Math::Erfinv: return inner_of<Erfinv>(type);
        case Math::Lgamma: return inner_of<Lgamma>(type);
        case Math::Digamma: return inner_of<Digamma>(type);
        case Math::Sinc: return inner_of<Sinc>(type);
        default: return nullptr;
    }
}

Inner find_binary(Math2 op, DType type) {
    switch (op) {
        case Math2::Pow: return is_complex(type) ? complex_pow(type) : inner_of<Pow>(type);
        case Math2::Atan2: return inner_of<Atan2>(type);
        case Math2::LogAddExp: return inner_of<LogAddExp>(type);
        case Math2::LogAddExp2: return inner_of<LogAddExp2>(type);
        case Math2::Hypot: return inner_of<Hypot>(type);
        case Math2::XLogY: return inner_of<XLogY>(type);
        case Math2::XLog1pY: return inner_of<XLog1pY>(type);
        case Math2::SiluMul: return inner_of<SiluMul>(type);
        case Math2::MulSigmoid: return inner_of<MulSigmoid>(type);
        case Math2::Prelu: return inner_of<Prelu>(type);
    }
    return nullptr;
}

}  // namespace pyasc::PYASC_ISA

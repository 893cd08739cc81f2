// Derivatives of the activations, times the gradient that arrives.
#include "kernels/math_loop.h"
#include "kernels/math_special.h"

namespace pyasc::PYASC_ISA {
namespace {

// g: the gradient, x: the input (y: the result).
#define PYASC_GRADIENT(Name, has_parameters, expression)                                                               \
    struct Name {                                                                                                      \
        static constexpr int inputs = 2;                                                                               \
        static constexpr bool parameters = has_parameters;                                                             \
        template <class V> static PYASC_INLINE V of(V g, V x, [[maybe_unused]] const double* p) { return expression; } \
    };
#define PYASC_GRADIENT_IN_DOUBLE(Name, has_parameters, function)                                                     \
    struct Name {                                                                                                    \
        static constexpr int inputs = 2;                                                                             \
        static constexpr bool parameters = has_parameters;                                                           \
        static PYASC_INLINE vf of(vf g, vf x, const double* p) {                                                     \
            return in_double(g, x,                                                                                   \
                             [p](vd a, vd b) __attribute__((always_inline)) { return a * function<Single>(b, p); }); \
        }                                                                                                            \
        static PYASC_INLINE vd of(vd g, vd x, const double* p) { return g * function<Full>(x, p); }                  \
    };

template <class P> PYASC_INLINE vd log_sigmoid_slope(vd x, const double*) { return sigmoid<P>(-x); }
template <class P> PYASC_INLINE vd sigmoid_slope(vd x, const double*) {
    const vd s = sigmoid<P>(-magnitude(x));
    return s * (1.0 - s);
}
template <class P> PYASC_INLINE vd gelu_slope(vd x, const double*) {
    constexpr double kRootHalf = 0.70710678118654752440, kDensity = 0.39894228040143267794;  // 1 / sqrt(2 pi)
    x = at_least(at_most(x, 40.0), -40.0);
    return 0.5 * erfc<P>(x * -kRootHalf) + x * exp<P>(-0.5 * x * x) * kDensity;
}
template <class P> PYASC_INLINE vd gelu_tanh_slope(vd x, const double*) {
    constexpr double k = 1.59576912160573071176;
    x = at_least(at_most(x, 1e3), -1e3);
    const vd s = sigmoid<P>(k * (x + 0.044715 * x * x * x));
    return s + x * s * (1.0 - s) * (k * (1.0 + 0.134145 * x * x));
}
template <class P> PYASC_INLINE vd swish_slope(vd x, double beta) {
    const vd z = at_least(at_most(x * beta, 1e3), -1e3), s = sigmoid<P>(z);
    return s + z * s * (1.0 - s);
}
template <class P> PYASC_INLINE vd fast_gelu_slope(vd x, const double*) { return swish_slope<P>(x, 1.702); }
template <class P> PYASC_INLINE vd silu_slope(vd x, const double*) { return swish_slope<P>(x, 1.0); }
template <class P> PYASC_INLINE vd swish_slope(vd x, const double* p) { return swish_slope<P>(x, p[0]); }
template <class P> PYASC_INLINE vd mish_slope(vd x, const double*) {
    x = at_least(at_most(x, 40.0), -1e3);
    const vd e = exp<P>(x), n = e * (e + 2.0), t = n / (n + 2.0);
    return t + x * (e / (1.0 + e)) * (1.0 - t) * (1.0 + t);
}
template <class P> PYASC_INLINE vd elu_slope(vd x, const double* p) {
    return p[1] * (x > 0.0 ? all(1.0) : p[0] * p[2] * exp<P>(at_most(x, 0.0) * p[2]));
}
template <class P> PYASC_INLINE vd softplus_slope(vd x, const double* p) {
    return x * p[0] > p[1] ? all(1.0) : sigmoid<P>(x * p[0]);
}
template <class P> PYASC_INLINE vd logit_slope(vd x, const double* p) {
    const vd y = 1.0 / (x * (1.0 - x));
    if (p[0] < 0) return (x < 0.0) | (x > 1.0) ? all(kNaN) : y;
    return (x < p[0]) | (x > 1 - p[0]) ? vd{} : y;
}

PYASC_GRADIENT(Sigmoid, false, g * (1 - x) * x)
PYASC_GRADIENT(Tanh, false, g * (1 - x * x))
PYASC_GRADIENT_IN_DOUBLE(SigmoidOfX, false, sigmoid_slope)
PYASC_GRADIENT_IN_DOUBLE(LogSigmoid, false, log_sigmoid_slope)
PYASC_GRADIENT_IN_DOUBLE(Gelu, false, gelu_slope)
PYASC_GRADIENT_IN_DOUBLE(GeluTanh, false, gelu_tanh_slope)
PYASC_GRADIENT_IN_DOUBLE(FastGelu, false, fast_gelu_slope)
PYASC_GRADIENT_IN_DOUBLE(Silu, false, silu_slope)
PYASC_GRADIENT_IN_DOUBLE(Mish, false, mish_slope)
PYASC_GRADIENT(Hardswish, false, x < -3 ? g * 0 : x > 3 ? g : g * ((x + x + 3) / 6))
PYASC_GRADIENT(Hardsigmoid, false, (x > -3) & (x < 3) ? g / 6 : g * 0)
PYASC_GRADIENT(LeakyRelu, true, x > 0 ? g : g * parameter<V>(p, 0))
PYASC_GRADIENT_IN_DOUBLE(Elu, true, elu_slope)
PYASC_GRADIENT(EluResult, true,
               x > 0 ? g * parameter<V>(p, 1) : g * parameter<V>(p, 2) * (x + parameter<V>(p, 0) * parameter<V>(p, 1)))
PYASC_GRADIENT(Hardtanh, true, (x <= parameter<V>(p, 0)) | (x >= parameter<V>(p, 1)) ? V{} : g)
PYASC_GRADIENT_IN_DOUBLE(Softplus, true, softplus_slope)
PYASC_GRADIENT_IN_DOUBLE(Swish, true, swish_slope)
PYASC_GRADIENT(Shrink, true, magnitude(x) <= parameter<V>(p, 0) ? V{} : g)
PYASC_GRADIENT_IN_DOUBLE(Logit, true, logit_slope)
#undef PYASC_GRADIENT
#undef PYASC_GRADIENT_IN_DOUBLE

}  // namespace

Inner find_gradient(Gradient op, DType type) {
    switch (op) {
        case Gradient::Sigmoid: return inner_of<Sigmoid>(type);
        case Gradient::SigmoidOfX: return inner_of<SigmoidOfX>(type);
        case Gradient::Tanh: return inner_of<Tanh>(type);
        case Gradient::LogSigmoid: return inner_of<LogSigmoid>(type);
        case Gradient::Gelu: return inner_of<Gelu>(type);
        case Gradient::GeluTanh: return inner_of<GeluTanh>(type);
        case Gradient::FastGelu: return inner_of<FastGelu>(type);
        case Gradient::Silu: return inner_of<Silu>(type);
        case Gradient::Mish: return inner_of<Mish>(type);
        case Gradient::Hardswish: return inner_of<Hardswish>(type);
        case Gradient::Hardsigmoid: return inner_of<Hardsigmoid>(type);
        case Gradient::LeakyRelu: return inner_of<LeakyRelu>(type);
        case Gradient::Elu: return inner_of<Elu>(type);
        case Gradient::EluResult: return inner_of<EluResult>(type);
        case Gradient::Hardtanh: return inner_of<Hardtanh>(type);
        case Gradient::Softplus: return inner_of<Softplus>(type);
        case Gradient::Swish: return inner_of<Swish>(type);
        case Gradient::Hardshrink:
        case Gradient::Softshrink: return inner_of<Shrink>(type);
        case Gradient::Logit: return inner_of<Logit>(type);
    }
    return nullptr;
}

}  // namespace pyasc::PYASC_ISA

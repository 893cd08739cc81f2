// The activations of neural networks.
#include "kernels/math_loop.h"
#include "kernels/math_special.h"

namespace pyasc::PYASC_ISA {
namespace {

template <class V> PYASC_INLINE V hardsigmoid(V x) { return at_least(at_most(x + 3, 6), 0) / 6; }

PYASC_UNARY(Sigmoid, sigmoid(x), sigmoid<Full>(x))
PYASC_UNARY_IN_DOUBLE(LogSigmoid, log_sigmoid)
PYASC_UNARY(Silu, silu(x), silu<Full>(x))
PYASC_UNARY_IN_DOUBLE(Gelu, gelu)
PYASC_UNARY_IN_DOUBLE(GeluTanh, gelu_tanh)
PYASC_UNARY_IN_DOUBLE(FastGelu, fast_gelu)
PYASC_UNARY_IN_DOUBLE(Mish, mish)
PYASC_UNARY(Hardswish, x* hardsigmoid(x), x* hardsigmoid(x))
PYASC_UNARY(Hardsigmoid, hardsigmoid(x), hardsigmoid(x))
PYASC_UNARY(Softsign, x / (1.0f + magnitude(x)), x / (1.0 + magnitude(x)))

// Of any vector type, or in doubles of a precision.
#define PYASC_PARAMETRIC(Name, expression)                                                       \
    struct Name {                                                                                \
        static constexpr int inputs = 1;                                                         \
        static constexpr bool parameters = true;                                                 \
        template <class V> static PYASC_INLINE V of(V x, const double* p) { return expression; } \
    };
#define PYASC_PARAMETRIC_IN_DOUBLE(Name, function)                                                            \
    struct Name {                                                                                             \
        static constexpr int inputs = 1;                                                                      \
        static constexpr bool parameters = true;                                                              \
        static PYASC_INLINE vf of(vf x, const double* p) {                                                    \
            return in_double(x, [p](vd v) __attribute__((always_inline)) { return function<Single>(v, p); }); \
        }                                                                                                     \
        static PYASC_INLINE vd of(vd x, const double* p) { return function<Full>(x, p); }                     \
    };

template <class P> PYASC_INLINE vd elu(vd x, const double* p) {
    return p[1] * (x > 0.0 ? x : p[0] * expm1<P>(at_most(x, 0.0) * p[2]));
}
template <class P> PYASC_INLINE vd softplus(vd x, const double* p) {
    const vd z = x * p[0];
    return z > p[1] ? x : (at_least(z, 0.0) + log1p_exp_negative<P>(z)) / p[0];
}
template <class P> PYASC_INLINE vd swish(vd x, const double* p) {
    const vd y = x * sigmoid<P>(x * p[0]);
    return magnitude(x) == kInf ? (x * p[0] < 0.0 ? vd{} : y) : y;
}
template <class P> PYASC_INLINE vd logit(vd x, const double* p) {
    x = p[0] < 0 ? x : at_least(at_most(x, 1 - p[0]), p[0]);
    return log<P>(x / (1.0 - x));
}

PYASC_PARAMETRIC(LeakyRelu, x > 0 ? x : x * parameter<V>(p, 0))
PYASC_PARAMETRIC_IN_DOUBLE(Elu, elu)
PYASC_PARAMETRIC_IN_DOUBLE(Softplus, softplus)
PYASC_PARAMETRIC_IN_DOUBLE(Swish, swish)
PYASC_PARAMETRIC(Hardshrink, magnitude(x) <= parameter<V>(p, 0) ? V{} : x)
PYASC_PARAMETRIC(Softshrink, x > parameter<V>(p, 0)    ? x - parameter<V>(p, 0)
                             : x < -parameter<V>(p, 0) ? x + parameter<V>(p, 0)
                                                       : x * 0)
PYASC_PARAMETRIC_IN_DOUBLE(Logit, logit)
PYASC_PARAMETRIC(Round, p[1] != 0 ? nearest(x / parameter<V>(p, 0)) * parameter<V>(p, 0)
                                  : nearest(x * parameter<V>(p, 0)) / parameter<V>(p, 0))
#undef PYASC_PARAMETRIC
#undef PYASC_PARAMETRIC_IN_DOUBLE

}  // namespace

Inner find_activation(Math op, DType type) {
    switch (op) {
        case Math::Sigmoid: return inner_of<Sigmoid>(type);
        case Math::LogSigmoid: return inner_of<LogSigmoid>(type);
        case Math::Silu: return inner_of<Silu>(type);
        case Math::Gelu: return inner_of<Gelu>(type);
        case Math::GeluTanh: return inner_of<GeluTanh>(type);
        case Math::FastGelu: return inner_of<FastGelu>(type);
        case Math::Mish: return inner_of<Mish>(type);
        case Math::Hardswish: return inner_of<Hardswish>(type);
        case Math::Hardsigmoid: return inner_of<Hardsigmoid>(type);
        case Math::Softsign: return inner_of<Softsign>(type);
        default: return nullptr;
    }
}

Inner find_activation(Activation op, DType type) {
    switch (op) {
        case Activation::LeakyRelu: return inner_of<LeakyRelu>(type);
        case Activation::Elu: return inner_of<Elu>(type);
        case Activation::Softplus: return inner_of<Softplus>(type);
        case Activation::Swish: return inner_of<Swish>(type);
        case Activation::Hardshrink: return inner_of<Hardshrink>(type);
        case Activation::Softshrink: return inner_of<Softshrink>(type);
        case Activation::Logit: return inner_of<Logit>(type);
        case Activation::Round: return inner_of<Round>(type);
    }
    return nullptr;
}

}  // namespace pyasc::PYASC_ISA

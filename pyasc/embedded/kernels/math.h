// Kernels of float-valued functions: the elementary and special functions of one and two inputs, and the activations.
// All of them give float16 and bfloat16 the float32 result rounded once.
#pragma once

#include "kernels/dtype.h"
#include "kernels/isa.h"
#include "kernels/loop.h"

namespace pyasc {

// One input, a float or complex output.
enum class Math : uint8_t {
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sqrt,
    Rsqrt,
    Cbrt,
    Reciprocal,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Erfinv,
    Lgamma,
    Digamma,
    Sinc,
    Sigmoid,
    LogSigmoid,
    Silu,
    Gelu,
    GeluTanh,
    FastGelu,
    Mish,
    Hardswish,
    Hardsigmoid,
    Softsign,
};

// Two inputs of the output's type. Pow is C99's pow, also for complex; XLogY is 0 where x is 0 and y is not NaN.
enum class Math2 : uint8_t {
    Pow,
    Atan2,
    LogAddExp,
    LogAddExp2,
    Hypot,
    XLogY,
    XLog1pY,
    Prelu,       // x, weight
    SiluMul,     // silu(x) y
    MulSigmoid,  // x sigmoid(y)
};

// One input `x`, then the parameters: the last operand of the loop points to kActivationParameters doubles, at step 0.
// The parameters are in the order of the operator's scalars.
constexpr int kActivationParameters = 4;
enum class Activation : uint8_t {
    LeakyRelu,   // slope
    Elu,         // alpha, scale, input scale
    Softplus,    // beta, threshold
    Swish,       // beta
    Hardshrink,  // lambda
    Softshrink,  // lambda
    Logit,       // eps, negative: none
    Round,       // power of ten to round to, whether it divides first
};

// Inputs `grad`, then `x` (or the result `y` where the comment says so), then parameters as above.
enum class Gradient : uint8_t {
    Sigmoid,        // y
    SigmoidOfX,
    Tanh,           // y
    LogSigmoid,
    Gelu,
    GeluTanh,
    FastGelu,
    Silu,
    Mish,
    Hardswish,
    Hardsigmoid,
    LeakyRelu,      // slope
    Elu,            // alpha, scale, input scale
    EluResult,      // y; alpha, scale, input scale
    Hardtanh,       // min, max
    Softplus,       // beta, threshold
    Swish,          // beta
    Hardshrink,     // lambda
    Softshrink,     // lambda
    Logit,          // eps
};

// Null where the type is not supported: all take floats, `unary` and Math2::Pow complex numbers too.
struct MathKernels {
    Inner (*unary)(Math op, DType type);
    Inner (*binary)(Math2 op, DType type);
    Inner (*activation)(Activation op, DType type);
    Inner (*gradient)(Gradient op, DType type);
};
PYASC_FAMILY(MathKernels, math_kernels)

// Tenths of a nanosecond an element, for Loop::weight.
int32_t math_weight(Math op, DType type);
int32_t math_weight(Math2 op, DType type);
int32_t math_weight(Activation op, DType type);
int32_t math_weight(Gradient op, DType type);

}  // namespace pyasc

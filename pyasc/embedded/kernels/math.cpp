// What the float-valued functions cost, so that loops know when threads are worth it.
#include "kernels/math.h"

namespace pyasc {

int32_t math_weight(Math op, DType type) {
    if (is_complex(type)) return 600;
    const bool wide = type == DType::F64;
    switch (op) {
        case Math::Sqrt:
        case Math::Reciprocal:
        case Math::Hardswish:
        case Math::Hardsigmoid:
        case Math::Softsign: return wide ? 8 : 4;
        case Math::Exp:
        case Math::Exp2:
        case Math::Log:
        case Math::Tanh:
        case Math::Sigmoid:
        case Math::Silu: return wide ? 25 : 6;
        case Math::Erf:
        case Math::Erfc:
        case Math::Gelu: return wide ? 150 : 30;
        case Math::Lgamma:
        case Math::Digamma: return 400;
        default: return wide ? 35 : 20;
    }
}

int32_t math_weight(Math2 op, DType type) {
    if (is_complex(type)) return 1000;
    if (op == Math2::Prelu) return 8;
    return type == DType::F64 && (op == Math2::Pow || op == Math2::Hypot) ? 200 : 50;
}

int32_t math_weight(Activation op, DType type) {
    switch (op) {
        case Activation::Elu:
        case Activation::Softplus:
        case Activation::Swish:
        case Activation::Logit: return type == DType::F64 ? 60 : 30;
        default: return type == DType::F64 ? 8 : 5;
    }
}

int32_t math_weight(Gradient op, DType type) {
    switch (op) {
        case Gradient::Sigmoid:
        case Gradient::Tanh:
        case Gradient::Hardswish:
        case Gradient::Hardsigmoid:
        case Gradient::LeakyRelu:
        case Gradient::EluResult:
        case Gradient::Hardtanh:
        case Gradient::Hardshrink:
        case Gradient::Softshrink: return type == DType::F64 ? 12 : 7;
        default: return type == DType::F64 ? 80 : 40;
    }
}

}  // namespace pyasc

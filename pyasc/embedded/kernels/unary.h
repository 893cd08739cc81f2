// Kernels that are exact, mostly of one input: signs, rounding, tests of floats, and what needs no more than one
// operation.
#pragma once

#include "kernels/dtype.h"
#include "kernels/isa.h"
#include "kernels/loop.h"

namespace pyasc {

enum class Unary : uint8_t {
    Negative,    // integers wrap
    Absolute,    // of complex numbers: real
    Sign,        // of complex numbers: x / |x|
    Square,
    Reciprocal,  // of integers: truncated
    Relu,
    Floor,
    Ceil,
    Trunc,
    Rint,  // integers and bool are copied
    Frac,
    Signbit,
    IsNaN,
    IsInf,
    IsFinite,
    IsPosInf,
    IsNegInf,  // to bool
    Real,
    Imag,  // to the real type
    Angle,       // of floats: 0 or pi; of complex numbers: real
};

DType unary_result(Unary op, DType in);

struct UnaryKernels {
    Inner (*find)(Unary op, DType in);  // to unary_result(op, in); null where the type is not supported
    // Of three inputs of one real type. x, limit, value: x where it is above the limit (or NaN), else the value. And
    // gradient, x, limit: the gradient where x is above the limit, else 0.
    Inner (*threshold)(DType type);
    Inner (*threshold_gradient)(DType type);
    Inner (*prelu_gradient)(DType type);  // gradient, x, weight: the gradient, times the weight where x is not above 0
};
PYASC_FAMILY(UnaryKernels, unary_kernels)

}  // namespace pyasc

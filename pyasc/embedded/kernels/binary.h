// Kernels of two inputs (and those of alpha, which have a third: one value).
#pragma once

#include "kernels/dtype.h"
#include "kernels/isa.h"
#include "kernels/loop.h"

namespace pyasc {

enum class Binary : uint8_t {
    Add,
    Sub,
    Mul,
    Div,           // integers wrap; Bool: Add is or, Mul is and; Div of floats and complex only
    AddAlpha,
    SubAlpha,
    RsubAlpha,  // x + alpha y, x - alpha y, y - alpha x; alpha is input 2
    AddRelu,                      // max(x + alpha y, 0); alpha is input 2
    FloorDivide,
    TruncDivide,
    Remainder,
    Fmod,  // integers by zero give 0
    Maximum,
    Minimum,             // NaN if either is; complex in lexicographic order
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,  // result Bool
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,  // integers and Bool; shifts by a negative or too large count shift all out
    Gcd,
    Heaviside,
    Power,
};

constexpr bool is_comparison(Binary op) { return op >= Binary::Equal && op <= Binary::GreaterEqual; }

struct BinaryKernels {
    Inner (*find)(Binary op, DType t);
};
PYASC_FAMILY(BinaryKernels, arithmetic_kernels)
PYASC_FAMILY(BinaryKernels, divide_kernels)
PYASC_FAMILY(BinaryKernels, compare_kernels)

// The kernel for inputs of type t, or null if NumPy does not define it. `weight` as in Loop.
Inner binary_inner(Binary op, DType t);
int32_t binary_weight(Binary op, DType t);

Inner power_inner(DType t);  // in the C library's functions, the same for every instruction set

}  // namespace pyasc

// The table of float-valued functions.
#include "kernels/math.h"

#include "kernels/complex.h"
#include "kernels/math_tables.h"

namespace pyasc::PYASC_ISA {
namespace {

Inner find_unary(Math op, DType type) {
    if (is_complex(type)) return complex_function(op, type);
    if (op <= Math::Reciprocal) return find_exponential(op, type);
    if (op <= Math::Atanh) return find_trigonometric(op, type);
    if (op <= Math::Sinc) return find_special(op, type);
    return find_activation(op, type);
}

}  // namespace

extern const MathKernels math_kernels = {find_unary, find_binary, find_activation, find_gradient};

}  // namespace pyasc::PYASC_ISA

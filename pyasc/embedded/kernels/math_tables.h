// How the files math_*.isa.cpp hand their functions to the table in math.isa.cpp: each knows some of them.
#pragma once

#include "kernels/math.h"

namespace pyasc::PYASC_ISA {

Inner find_exponential(Math op, DType type);
Inner find_trigonometric(Math op, DType type);
Inner find_special(Math op, DType type);
Inner find_activation(Math op, DType type);
Inner find_binary(Math2 op, DType type);
Inner find_activation(Activation op, DType type);
Inner find_gradient(Gradient op, DType type);

}  // namespace pyasc::PYASC_ISA

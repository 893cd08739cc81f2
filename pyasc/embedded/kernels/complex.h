// Functions of complex numbers, element by element, with the special values NumPy gives (C99's annex G).
#pragma once

#include "kernels/math.h"

namespace pyasc {

Inner complex_function(Math op, DType type);  // complex64 or complex128; null where there is none
Inner complex_pow(DType type);

// Complex numbers from two reals of type `part`.
Inner complex_join(DType part);   // real and imaginary part
Inner complex_polar(DType part);  // magnitude and angle

}  // namespace pyasc

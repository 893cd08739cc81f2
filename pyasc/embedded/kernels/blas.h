// BLAS and LAPACK from libscipy_openblas.so, which the build puts beside our library. It is opened when first asked for
// and may be missing; it never uses threads of its own.
#pragma once

#include <cstdint>

#include "kernels/dtype.h"
#include "kernels/gemm.h"

namespace pyasc {

// Whether the library is there. If not, blas_missing() says what was looked for, for error messages.
bool blas_available();
const char* blas_missing();

// The address of a function by its LAPACK name in lower case without prefix, "dgetrf"; null if there is none.
void* lapack_function(const char* name);

// C = A B for float32, float64, complex64 or complex128, if the matrices lie as BLAS wants them: one stride of each is
// 1, the rows (or columns) do not overlap, dimensions fit an int. False, and nothing done, otherwise.
bool blas_gemm(const GemmArgs& g);

// Whether blas_gemm does this product; then it does every part of it, too.
bool blas_takes(const GemmArgs& g);

}  // namespace pyasc

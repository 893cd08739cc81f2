// Elimination of many small matrices at a time: one matrix a lane of the vector registers.
#pragma once

#include <cstdint>

#include "kernels/dtype.h"
#include "kernels/isa.h"

namespace pyasc {

constexpr int kSmallOrder = 8;   // the largest matrix
constexpr int kMaxLanes = 16;

// A holds n * n elements of `lanes` matrices each, B n * width: element (i, j) of all matrices side by side, the
// imaginary parts of complex numbers behind the real ones. Aligned to 64 bytes. Elimination with partial pivoting
// leaves A^-1 B in B, and det A in `det` (null: not wanted); A is overwritten. Bit l of the result: matrix l has a
// pivot of 0, and so det 0 and no A^-1 B. The pivot of a complex column is the largest in |re| + |im|, as in LAPACK.
struct Eliminate {
    int lanes;
    uint32_t (*run)(int n, int width, void* a, void* b, void* det);
};

struct SmallKernels {
    Eliminate (*find)(DType);
};
PYASC_FAMILY(SmallKernels, small_kernels)

}  // namespace pyasc

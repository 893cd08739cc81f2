// Running sums, products and extremes along one axis.
#pragma once

#include "kernels/isa.h"
#include "kernels/reduce_kernels.h"
#include "kernels/view.h"

namespace pyasc {

// The innermost loops; steps are in bytes and may be negative.
struct ScanKernel {
    // y[i] = carry folded with x[0..i]; `exclusive`: with x[0..i-1]. The carry is left ready for the next block.
    void (*row)(const char* x, int64_t x_step, char* y, int64_t y_step, int64_t n, bool exclusive, char* carry);
    // Four dense rows at once, from the identity.
    void (*four)(const char* x, int64_t x_row, char* y, int64_t y_row, int64_t n);
};
struct ExtremeScanKernel {
    // The last of equal elements counts, and nan stays: best/index hold the state and the first element's position.
    void (*row)(const char* x, int64_t x_step, char* y, int64_t* index, int64_t n, int64_t first, char* best,
                int64_t* best_index);
};
struct ScanKernels {
    const ScanKernel* (*find)(Fold fold, DType compute);          // Sum, Prod
    const ExtremeScanKernel* (*extreme)(Fold fold, DType compute);  // Max, Min
};
PYASC_FAMILY(ScanKernels, scan_kernels)

// out = running fold of `in` along `axis`, in out's type (16-bit floats: carried in float). Same shape.
void scan(Fold fold, const View& in, int axis, const View& out, bool exclusive, bool reverse);

// Running extremes and the positions they come from (I32 or I64).
void scan_extreme(Fold fold, const View& in, int axis, const View& value, const View& index);

}  // namespace pyasc

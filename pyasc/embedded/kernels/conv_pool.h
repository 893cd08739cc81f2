// Pooling: the largest or mean value of a window that moves over one to three spatial dimensions. Layout as in conv.h.
#pragma once

#include "kernels/conv.h"

namespace pyasc {

struct PoolShape {
    int64_t in[kSpatial] = {1, 1, 1}, out[kSpatial] = {1, 1, 1};
    int64_t kernel[kSpatial] = {1, 1, 1}, stride[kSpatial] = {1, 1, 1}, dilation[kSpatial] = {1, 1, 1};
    int64_t pad[kSpatial] = {0, 0, 0}, pad_end[kSpatial] = {0, 0, 0};
    bool adaptive = false;     // windows are in / out long, rounded outwards; kernel, stride and pad are not used
    bool include_pad = false;  // the mean counts the padding (zeros)
    int64_t divisor = 0;       // of the mean; 0: the size of the window
};

// Views have five dimensions, any strides, and one floating-point type. Indices are int32 or int64 and count within a
// plane.
struct PoolKernels {
    void (*max)(const PoolShape& s, const View& x, const View& y, const View* index);
    void (*mean)(const PoolShape& s, const View& x, const View& y);
    void (*max_gradient)(const View& gy, const View& index, const View& gx);
    void (*mean_gradient)(const PoolShape& s, const View& gy, const View& gx);
};
PYASC_FAMILY(PoolKernels, pool_kernels)

}  // namespace pyasc

// Convolutions over one to three spatial dimensions, NCHW. Fewer than three are written with leading dimensions of
// length 1.
#pragma once

#include <cstdint>

#include "kernels/isa.h"
#include "kernels/view.h"

namespace pyasc {

constexpr int kSpatial = 3;

// The geometry: for each spatial dimension, input position = out * stride - pad + tap * dilation. A negative pad crops.
struct ConvShape {
    int64_t batch = 1, groups = 1;
    int64_t in_channels = 1, out_channels = 1;  // of one group
    int64_t in[kSpatial] = {1, 1, 1}, out[kSpatial] = {1, 1, 1}, kernel[kSpatial] = {1, 1, 1};
    int64_t stride[kSpatial] = {1, 1, 1}, pad[kSpatial] = {0, 0, 0}, dilation[kSpatial] = {1, 1, 1};

    int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
    int64_t pixels() const { return out[0] * out[1] * out[2]; }
    int64_t depth() const { return in_channels * taps(); }  // products in one output element
};

// x: (batch, groups * in_channels, in...), any strides, float32, float64 or a 16-bit float. w: (groups * out_channels,
// in_channels, kernel...) and bias (groups * out_channels, or null): C order, in the type that is computed in (float32
// for the 16-bit floats). y: (batch, groups * out_channels, out...), C order, x's type.
struct ConvArgs {
    ConvShape shape;
    View x;  // five dimensions
    const void* w = nullptr;
    const void* bias = nullptr;
    char* y = nullptr;
};

struct ConvKernels {
    void (*forward)(const ConvArgs& args);
    // Writes, for one image and group, the inputs of output pixels [begin, end) as columns: dst[k * (end - begin) +
    // pixel], C order, in the type that is computed in. `image` is what `pad_image` has written.
    void (*columns)(const ConvArgs& args, const void* image, int64_t begin, int64_t end, void* dst);
    int64_t (*image_bytes)(const ConvArgs& args);
    void (*pad_image)(const ConvArgs& args, int64_t n, int64_t group, void* image);
};
PYASC_FAMILY(ConvKernels, conv_kernels)

DType conv_compute_type(DType t);  // float32 for the 16-bit floats; None if there are no convolutions of that type

// The three products of a convolution. All views have five dimensions; weights and biases are in C order and of the
// type that is computed in. 0, or a runtime code if there was no memory.

// y = x * w (+ bias). x and y may be 16-bit floats; any strides.
int32_t conv_forward(const ConvShape& shape, const View& x, const View& w, const View* bias, const View& y);

// x = what the forward convolution of `shape` sends back from y: its gradient, or a transposed convolution (+ bias of
// x). w is the forward convolution's. x and y may be 16-bit floats; any strides.
int32_t conv_transposed(const ConvShape& shape, const View& y, const View& w, const View* bias, const View& x);

// gw = the gradient of w from that of y. gy and gw are in C order and of the type that is computed in; x has any
// strides.
int32_t conv_weight_gradient(const ConvShape& shape, const View& x, const View& gy, const View& gw);

}  // namespace pyasc

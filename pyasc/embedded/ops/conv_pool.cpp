// Pooling over windows, and its gradients.
#include <algorithm>

#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"
#include "aclnnop/aclnn_adaptive_avg_pool3d.h"
#include "aclnnop/aclnn_adaptive_max_pool2d.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_avgpool2d_backward.h"
#include "aclnnop/aclnn_avgpool3d.h"
#include "aclnnop/aclnn_global_average_pool.h"
#include "aclnnop/aclnn_global_max_pool.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "kernels/conv_pool.h"
#include "ops/matmul_common.h"

namespace pyasc {
namespace {

// (N, C, D, H, W) of an array whose last `spatial` dimensions are space; the batch may be missing.
View planes(View v, int spatial) {
    if (v.ndim == spatial + 1) v = insert_dim(v, 0);
    while (v.ndim < 5) v = insert_dim(v, 2);
    return v;
}

// What the arguments of a pooling operator say, before it is known that they make sense.
struct Windows {
    const char *kernel_name, *stride_name, *pad_name;
    const aclIntArray *kernel, *stride, *pad, *dilation;
    bool ceil;
};

// Element k of an array with one for all dimensions or one for each; `fallback` if there are none.
int64_t value_at(const aclIntArray* a, int k, int64_t fallback) {
    return !a || a->size == 0 ? fallback : a->data[a->size == 1 ? 0 : k];
}

void check_windows(Call& call, const char* name, const aclIntArray* a, int spatial, int64_t least, bool may_be_empty,
                   uint64_t more = 0) {
    if (!a && may_be_empty) return;
    call.ints(name, a);
    if (!call.ok()) return;
    const uint64_t n = static_cast<uint64_t>(spatial);
    call.require(a->size == 1 || a->size == n || (more && a->size == more) || (a->size == 0 && may_be_empty),
                 "%s has %lu elements; 1 or %d are expected", name, a->size, spatial);
    for (uint64_t i = 0; i < a->size && call.ok(); ++i) {
        call.require(a->data[i] >= least, "%s[%lu] is %ld; at least %ld is allowed", name, i, a->data[i], least);
    }
}

void check_input(Call& call, const char* name, const View& x, int spatial) {
    call.require(x.ndim == spatial + 1 || x.ndim == spatial + 2, "%s has shape %s; %d or %d dimensions are expected",
                 name, ShapeText(x).text, spatial + 1, spatial + 2);
    call.require(conv_compute_type(x.dtype) != DType::None, "%s is %s; pooling takes floating-point numbers", name,
                 dtype_name(x.dtype));
}

// How long the output is along one dimension: a last window that would begin in the padding is left out.
int64_t pooled_length(int64_t in, int64_t kernel, int64_t stride, int64_t pad, int64_t pad_end, int64_t dilation,
                      bool ceil) {
    const int64_t room = in + pad + pad_end - dilation * (kernel - 1) - 1;
    if (room < 0) return ceil && room > -stride ? 1 : 0;
    int64_t out = (room + (ceil ? stride - 1 : 0)) / stride + 1;
    if (ceil && (out - 1) * stride >= in + pad) --out;
    return out;
}

// Checks the windows over x and that y has the shape they give.
PoolShape find_windows(Call& call, const Windows& w, const View& x, const View& y, int spatial, const char* out_name,
                       int64_t default_stride) {
    PoolShape s;
    if (!call.ok()) return s;
    const uint64_t pads = spatial == 2 ? 4 : 0;
    check_windows(call, w.kernel_name, w.kernel, spatial, 1, false);
    check_windows(call, w.stride_name, w.stride, spatial, 1, true);
    check_windows(call, w.pad_name, w.pad, spatial, 0, true, pads);
    check_windows(call, "dilation", w.dilation, spatial, 1, true, 4);
    if (!call.ok()) return s;
    const bool four = w.pad && w.pad->size == 4 && spatial == 2;  // top, left, bottom, right
    int64_t shape[5];
    const int lead = x.ndim - spatial;
    for (int d = 0; d < lead; ++d) shape[d] = x.shape[d];
    for (int d = 0; d < spatial && call.ok(); ++d) {
        const int k = kSpatial - spatial + d;
        s.in[k] = x.shape[lead + d];
        s.kernel[k] = value_at(w.kernel, d, 1);
        s.stride[k] = value_at(w.stride, d, default_stride ? default_stride : s.kernel[k]);
        s.pad[k] = value_at(w.pad, d, 0);
        s.pad_end[k] = four ? w.pad->data[d + 2] : s.pad[k];
        s.dilation[k] = value_at(w.dilation, d, 1);
        call.require(
            s.pad[k] + s.pad_end[k] <= s.kernel[k],
            "the padding of %ld and %ld is more than a kernel of %ld allows; at most half the kernel on each side",
            s.pad[k], s.pad_end[k], s.kernel[k]);
        s.out[k] = shape[lead + d] =
            pooled_length(s.in[k], s.kernel[k], s.stride[k], s.pad[k], s.pad_end[k], s.dilation[k], w.ceil);
        call.require(s.out[k] > 0, "a window of %ld does not fit over %ld elements", s.kernel[k], s.in[k]);
    }
    if (call.ok()) require_shape(call, out_name, y, shape, x.ndim);
    return s;
}

// Windows as long as the input divided by the output; plain ones where that leaves no rest.
PoolShape adaptive_windows(const View& x, const View& y, int spatial) {
    PoolShape s;
    for (int d = 0; d < spatial; ++d) {
        const int k = kSpatial - spatial + d;
        s.in[k] = x.shape[x.ndim - spatial + d];
        s.out[k] = y.shape[y.ndim - spatial + d];
        s.adaptive = s.adaptive || (s.out[k] > 0 && s.in[k] % s.out[k] != 0);
        s.kernel[k] = s.stride[k] = s.out[k] > 0 ? std::max<int64_t>(1, s.in[k] / s.out[k]) : 1;
    }
    return s;
}

// The same leading dimensions, and `size` (if given) elsewhere.
void check_adaptive(Call& call, const char* name, const View& x, const View& y, const aclIntArray* size, int spatial) {
    if (!call.ok()) return;
    if (size) {
        call.ints("outputSize", size);
        if (!call.ok()) return;
        call.require(size->size == static_cast<uint64_t>(spatial), "outputSize has %lu elements; %d are expected",
                     size->size, spatial);
        if (!call.ok()) return;
    }
    int64_t shape[5];
    const int lead = x.ndim - spatial;
    for (int d = 0; d < x.ndim; ++d) shape[d] = d < lead ? x.shape[d] : size ? size->data[d - lead] : 1;
    for (int d = 0; d < spatial && call.ok(); ++d) {
        call.require(shape[lead + d] >= 0 && x.shape[lead + d] > 0,
                     "outputSize[%d] is %ld over %ld elements; windows must not be empty", d, shape[lead + d],
                     x.shape[lead + d]);
    }
    if (call.ok()) require_shape(call, name, y, shape, x.ndim);
}

int64_t pool_cost(const PoolShape& s, const View& x, const View& y) {
    return 500 + x.size + y.size * s.kernel[0] * s.kernel[1] * s.kernel[2] / 2;
}

// With `indexed`, output 1 takes the places of the largest values.
int32_t run_max(Call& call, const PoolShape& s, int spatial, bool indexed) {
    if (!call.ok()) return call.status();
    return call.run(pool_cost(s, call.input(0), call.output(0)), [s, spatial, indexed](const Operands& o) {
        View index;
        if (indexed) index = planes(o.out[1], spatial);
        pool_kernels().max(s, planes(o.in[0], spatial), planes(o.out[0], spatial), indexed ? &index : nullptr);
    });
}

void check_index(Call& call, const char* name, const View& index, const View& y) {
    if (!call.ok()) return;
    require_int(call, name, index.dtype);
    if (call.ok()) require_shape(call, name, index, y);
}

int32_t run_mean(Call& call, const PoolShape& s, int spatial) {
    if (!call.ok()) return call.status();
    return call.run(pool_cost(s, call.input(0), call.output(0)), [s, spatial](const Operands& o) {
        pool_kernels().mean(s, planes(o.in[0], spatial), planes(o.out[0], spatial));
    });
}

// An operator whose windows come from the input and output alone: mean or largest value.
int32_t plan_adaptive(Call& call, const char* self_name, const aclTensor* self, const aclIntArray* size,
                      const char* out_name, const aclTensor* out, int spatial, bool largest, bool any_rank) {
    call.in(self_name, self).out(out_name, out).same_dtype();
    if (!call.ok()) return call.status();
    if (any_rank) spatial = std::min(3, std::max(1, call.input(0).ndim - 2));
    check_input(call, self_name, call.input(0), spatial);
    check_adaptive(call, out_name, call.input(0), call.output(0), size, spatial);
    if (!call.ok()) return call.status();
    const PoolShape s = adaptive_windows(call.input(0), call.output(0), spatial);
    return largest ? run_max(call, s, spatial, false) : run_mean(call, s, spatial);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnMaxPoolGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelShape,
                                         const aclIntArray* strides, const int64_t autoPad, const aclIntArray* pads,
                                         const aclIntArray* dilations, const int64_t ceilMode, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMaxPool", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    call.require(autoPad == 0, "autoPad is %ld; only 0 is supported, which takes the padding from pads", autoPad);
    if (!call.ok()) return call.status();
    check_input(call, "self", call.input(0), 2);
    const Windows w{"kernelShape", "strides", "pads", kernelShape, strides, pads, dilations, ceilMode != 0};
    return run_max(call, find_windows(call, w, call.input(0), call.output(0), 2, "out", 1), 2, false);
}
PYASC_PHASE2(aclnnMaxPool)

aclnnStatus aclnnMaxPool2dWithIndicesGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelSize,
                                                      const aclIntArray* stride, const aclIntArray* padding,
                                                      const aclIntArray* dilation, bool ceilMode, aclTensor* out,
                                                      aclTensor* indices, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor) {
    Call call("aclnnMaxPool2dWithIndices", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype().out("indices", indices);
    if (!call.ok()) return call.status();
    check_input(call, "self", call.input(0), 2);
    const Windows w{"kernelSize", "stride", "padding", kernelSize, stride, padding, dilation, ceilMode};
    const PoolShape s = find_windows(call, w, call.input(0), call.output(0), 2, "out", 0);
    check_index(call, "indices", call.output(1), call.output(0));
    return run_max(call, s, 2, true);
}
PYASC_PHASE2(aclnnMaxPool2dWithIndices)

aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                              const aclTensor* indices, const aclIntArray* kernelSize,
                                                              const aclIntArray* stride, const aclIntArray* padding,
                                                              const aclIntArray* dilation, bool ceilMode,
                                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                                              aclOpExecutor** executor) {
    Call call("aclnnMaxPool2dWithIndicesBackward", workspaceSize, executor);
    call.in("gradOutput", gradOutput).in("self", self).out("gradInput", gradInput).same_dtype().in("indices", indices);
    if (!call.ok()) return call.status();
    const View &gy = call.input(0), &x = call.input(1);
    check_input(call, "self", x, 2);
    const Windows w{"kernelSize", "stride", "padding", kernelSize, stride, padding, dilation, ceilMode};
    const PoolShape s = find_windows(call, w, x, gy, 2, "gradOutput", 0);
    check_index(call, "indices", call.input(2), gy);
    if (call.ok()) require_shape(call, "gradInput", call.output(0), x);
    if (!call.ok()) return call.status();
    return call.run(pool_cost(s, x, gy), [](const Operands& o) {
        pool_kernels().max_gradient(planes(o.in[0], 2), planes(o.in[2], 2), planes(o.out[0], 2));
    });
}
PYASC_PHASE2(aclnnMaxPool2dWithIndicesBackward)

aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelSize,
                                           const aclIntArray* strides, const aclIntArray* paddings, const bool ceilMode,
                                           const bool countIncludePad, const int64_t divisorOverride,
                                           const int8_t cubeMathType, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("aclnnAvgPool2d", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    call.in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    check_input(call, "self", call.input(0), 2);
    const Windows w{"kernelSize", "strides", "paddings", kernelSize, strides, paddings, nullptr, ceilMode};
    PoolShape s = find_windows(call, w, call.input(0), call.output(0), 2, "out", 0);
    s.include_pad = countIncludePad;
    s.divisor = divisorOverride;
    return run_mean(call, s, 2);
}
PYASC_PHASE2(aclnnAvgPool2d)

aclnnStatus aclnnAvgPool3dGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelSize,
                                           const aclIntArray* stride, const aclIntArray* padding, bool ceilMode,
                                           bool countIncludePad, int64_t divisorOverride, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAvgPool3d", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    check_input(call, "self", call.input(0), 3);
    const Windows w{"kernelSize", "stride", "padding", kernelSize, stride, padding, nullptr, ceilMode};
    PoolShape s = find_windows(call, w, call.input(0), call.output(0), 3, "out", 0);
    s.include_pad = countIncludePad;
    s.divisor = divisorOverride;
    return run_mean(call, s, 3);
}
PYASC_PHASE2(aclnnAvgPool3d)

aclnnStatus aclnnAvgPool2dBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                   const aclIntArray* kernelSize, const aclIntArray* stride,
                                                   const aclIntArray* padding, bool ceilMode, bool countIncludePad,
                                                   int64_t divisorOverride, int8_t cubeMathType, aclTensor* gradInput,
                                                   uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAvgPool2dBackward", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    call.in("gradOutput", gradOutput).in("self", self).out("gradInput", gradInput).same_dtype();
    if (!call.ok()) return call.status();
    const View &gy = call.input(0), &x = call.input(1);
    check_input(call, "self", x, 2);
    const Windows w{"kernelSize", "stride", "padding", kernelSize, stride, padding, nullptr, ceilMode};
    PoolShape s = find_windows(call, w, x, gy, 2, "gradOutput", 0);
    if (call.ok()) require_shape(call, "gradInput", call.output(0), x);
    if (!call.ok()) return call.status();
    s.include_pad = countIncludePad;
    s.divisor = divisorOverride;
    return call.run(pool_cost(s, x, gy), [s](const Operands& o) {
        pool_kernels().mean_gradient(s, planes(o.in[0], 2), planes(o.out[0], 2));
    });
}
PYASC_PHASE2(aclnnAvgPool2dBackward)

aclnnStatus aclnnAdaptiveAvgPool2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* outputSize, aclTensor* out,
                                                   uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAdaptiveAvgPool2d", workspaceSize, executor);
    call.ints("outputSize", outputSize);
    return plan_adaptive(call, "self", self, outputSize, "out", out, 2, false, false);
}
PYASC_PHASE2(aclnnAdaptiveAvgPool2d)

aclnnStatus aclnnAdaptiveAvgPool3dGetWorkspaceSize(const aclTensor* self, const aclIntArray* outputSize, aclTensor* out,
                                                   uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAdaptiveAvgPool3d", workspaceSize, executor);
    call.ints("outputSize", outputSize);
    return plan_adaptive(call, "self", self, outputSize, "out", out, 3, false, false);
}
PYASC_PHASE2(aclnnAdaptiveAvgPool3d)

aclnnStatus aclnnGlobalAveragePoolGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
    Call call("aclnnGlobalAveragePool", workspaceSize, executor);
    return plan_adaptive(call, "self", self, nullptr, "out", out, 0, false, true);
}
PYASC_PHASE2(aclnnGlobalAveragePool)

aclnnStatus aclnnGlobalMaxPoolGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
    Call call("aclnnGlobalMaxPool", workspaceSize, executor);
    return plan_adaptive(call, "self", self, nullptr, "out", out, 0, true, true);
}
PYASC_PHASE2(aclnnGlobalMaxPool)

aclnnStatus aclnnAdaptiveMaxPool2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* outputSize,
                                                   aclTensor* outputOut, aclTensor* indicesOut, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
    Call call("aclnnAdaptiveMaxPool2d", workspaceSize, executor);
    call.ints("outputSize", outputSize);
    call.in("self", self).out("outputOut", outputOut).same_dtype().out("indicesOut", indicesOut);
    if (!call.ok()) return call.status();
    check_input(call, "self", call.input(0), 2);
    check_adaptive(call, "outputOut", call.input(0), call.output(0), outputSize, 2);
    check_index(call, "indicesOut", call.output(1), call.output(0));
    if (!call.ok()) return call.status();
    return run_max(call, adaptive_windows(call.input(0), call.output(0), 2), 2, true);
}
PYASC_PHASE2(aclnnAdaptiveMaxPool2d)

aclnnStatus aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                           aclTensor* out, uint64_t* workspaceSize,
                                                           aclOpExecutor** executor) {
    Call call("aclnnAdaptiveAvgPool2dBackward", workspaceSize, executor);
    call.in("gradOutput", gradOutput).in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    const View &gy = call.input(0), &x = call.input(1);
    check_input(call, "self", x, 2);
    call.require(gy.ndim == x.ndim, "gradOutput has shape %s, self %s; they must have the same number of dimensions",
                 ShapeText(gy).text, ShapeText(x).text);
    for (int d = 0; d < x.ndim - 2 && call.ok(); ++d) {
        call.require(gy.shape[d] == x.shape[d], "gradOutput of shape %s does not fit self of shape %s",
                     ShapeText(gy).text, ShapeText(x).text);
    }
    if (call.ok()) require_shape(call, "out", call.output(0), x);
    if (!call.ok()) return call.status();
    const PoolShape s = adaptive_windows(x, gy, 2);
    return call.run(pool_cost(s, x, gy), [s](const Operands& o) {
        pool_kernels().mean_gradient(s, planes(o.in[0], 2), planes(o.out[0], 2));
    });
}
PYASC_PHASE2(aclnnAdaptiveAvgPool2dBackward)

}  // extern "C"

// Convolutions and their gradients.
#include "kernels/conv.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "kernels/copy.h"
#include "ops/matmul_common.h"

namespace pyasc {
namespace {

// The arguments that say how a convolution moves over its input. `padding` may name both ends of each dimension.
struct Moves {
    const aclIntArray* stride;
    const aclIntArray* padding;
    const aclIntArray* dilation;
    const aclIntArray* output_padding;  // of a transposed one; may be null
};

// (N, C, spatial...) with three spatial dimensions.
View five_dims(View v) {
    while (v.ndim < 5) v = insert_dim(v, 2);
    return v;
}

// Element k of an array that has one for each dimension or one for all.
int64_t element(const aclIntArray* a, int k) { return a->data[a->size == 1 ? 0 : k]; }

void check_moves(Call& call, const char* name, const aclIntArray* a, int spatial, int64_t least, bool both_ends) {
    call.ints(name, a);
    if (!call.ok()) return;
    const uint64_t n = static_cast<uint64_t>(spatial);
    call.require(a->size == 1 || a->size == n || (both_ends && a->size == 2 * n),
                 "%s has %lu elements; 1 or %d are expected for %d spatial dimensions", name, a->size, spatial,
                 spatial);
    for (uint64_t i = 0; i < a->size && call.ok(); ++i) {
        call.require(a->data[i] >= least, "%s[%lu] is %ld; at least %ld is allowed", name, i, a->data[i], least);
    }
}

// The convolution from `large` to `small`, the tensors with the unstrided and the strided spatial dimensions; a
// transposed convolution goes the other way. Refuses shapes that do not fit each other.
ConvShape find_shape(Call& call, const View& large, const View& small, const View& w, const Moves& m, int64_t groups,
                     bool transposed) {
    ConvShape s;
    if (!call.ok()) return s;
    const int spatial = large.ndim - 2;
    call.require(spatial >= 1 && spatial <= kSpatial,
                 "the input has shape %s; 3, 4 or 5 dimensions (batch, channels, space) are expected",
                 ShapeText(large).text);
    call.require(small.ndim == large.ndim && w.ndim == large.ndim,
                 "the input, weight %s and output must have the same number of dimensions; they have %d, %d and %d",
                 ShapeText(w).text, large.ndim, w.ndim, small.ndim);
    if (!call.ok()) return s;
    check_moves(call, "stride", m.stride, spatial, 1, false);
    check_moves(call, "padding", m.padding, spatial, 0, true);
    check_moves(call, "dilation", m.dilation, spatial, 1, false);
    if (transposed && m.output_padding) check_moves(call, "outputPadding", m.output_padding, spatial, 0, false);
    call.require(groups >= 1, "groups is %ld; at least 1 is allowed", groups);
    if (!call.ok()) return s;
    s.batch = large.shape[0];
    s.groups = groups;
    s.in_channels = w.shape[1];
    s.out_channels = w.shape[0] / groups;
    call.require(w.shape[0] % groups == 0 && large.shape[1] == groups * s.in_channels && small.shape[1] == w.shape[0] &&
                     small.shape[0] == s.batch,
                 "weight %s in %ld groups does not go between tensors of shapes %s and %s", ShapeText(w).text, groups,
                 ShapeText(transposed ? small : large).text, ShapeText(transposed ? large : small).text);
    const bool both_ends = m.padding->size == 2 * static_cast<uint64_t>(spatial) && spatial > 0 && m.padding->size > 1;
    for (int d = 0; d < spatial && call.ok(); ++d) {
        const int k = kSpatial - spatial + d;
        s.in[k] = large.shape[d + 2];
        s.out[k] = small.shape[d + 2];
        s.kernel[k] = w.shape[d + 2];
        s.stride[k] = element(m.stride, d);
        s.dilation[k] = element(m.dilation, d);
        s.pad[k] = both_ends ? m.padding->data[2 * d] : element(m.padding, d);
        const int64_t end = both_ends ? m.padding->data[2 * d + 1] : s.pad[k];
        const int64_t reach = (s.kernel[k] - 1) * s.dilation[k] + 1;
        call.require(s.kernel[k] >= 1, "weight has shape %s; a kernel must not be empty", ShapeText(w).text);
        if (transposed) {
            const int64_t extra = m.output_padding ? element(m.output_padding, d) : 0;
            const int64_t wanted = (s.out[k] - 1) * s.stride[k] - s.pad[k] - end + reach + extra;
            call.require(s.in[k] == wanted, "output has length %ld in spatial dimension %d; it must be %ld", s.in[k], d,
                         wanted);
            call.require(extra < std::max(s.stride[k], s.dilation[k]),
                         "outputPadding[%d] is %ld; it must be less than the stride %ld or the dilation %ld", d, extra,
                         s.stride[k], s.dilation[k]);
        } else {
            const int64_t room = s.in[k] + s.pad[k] + end - reach, wanted = room < 0 ? 0 : room / s.stride[k] + 1;
            call.require(room >= 0,
                         "the kernel reaches over %ld elements in spatial dimension %d, the padded input has %ld",
                         reach, d, s.in[k] + s.pad[k] + end);
            call.require(s.out[k] == wanted, "output has length %ld in spatial dimension %d; it must be %ld", s.out[k],
                         d, wanted);
        }
    }
    return s;
}

int64_t conv_cost(DType type, const ConvShape& s) {
    return 2000 + gemm_cost(type, s.batch * s.groups * s.out_channels, s.pixels(), s.depth());
}

// What the call's inputs are converted to: their own type if they have one, and otherwise the one that is computed in.
DType common_type(Call& call) {
    if (!call.ok()) return DType::None;
    DType type = call.dtype(0);
    for (int i = 0; i < call.inputs(); ++i) {
        const DType t = call.dtype(i);
        call.require(conv_compute_type(t) != DType::None,
                     "convolutions of %s are not supported; cast to float32 (aclnnCast)", dtype_name(t));
        if (t != type) type = t == DType::F64 || type == DType::F64 ? DType::F64 : DType::F32;
    }
    return type;
}

// A view as it is, or a copy of another type.
struct Cast {
    Temporary copy;
    View view;
    bool of(const View& v, DType type, bool dense = false) {
        view = v;
        if (v.dtype == type && (!dense || v.contiguous())) return true;
        if (!copy.copy_of(v, type)) return false;
        view = copy.view();
        return true;
    }
};

int32_t run_forward(const ConvShape& s, const View& input, const View& weight, const View* bias, const View& output,
                    bool transposed, DType type) {
    if (output.dtype != type && output.dtype != DType::F16 && output.dtype != DType::BF16)
        type = conv_compute_type(type);
    const DType compute = conv_compute_type(type);
    Cast x, w, b;
    if (!x.of(input, type) || !w.of(weight, compute, true)) return kOutOfMemory;
    if (bias && !b.of(*bias, compute, true)) return kOutOfMemory;
    const View in = five_dims(x.view), weights = five_dims(w.view), out = five_dims(output);
    return transposed ? conv_transposed(s, in, weights, bias ? &b.view : nullptr, out)
                      : conv_forward(s, in, weights, bias ? &b.view : nullptr, out);
}

void check_bias(Call& call, const View& bias, int64_t channels) {
    call.require(bias.ndim == 1 && bias.shape[0] == channels, "bias has shape %s; (%ld,) is expected",
                 ShapeText(bias).text, channels);
}

// The call's inputs are input, weight and perhaps bias.
int32_t plan_convolution(Call& call, const Moves& moves, bool transposed, int64_t groups) {
    if (!call.ok()) return call.status();
    const View &x = call.input(0), &w = call.input(1), &y = call.output(0);
    const ConvShape s =
        transposed ? find_shape(call, y, x, w, moves, groups, true) : find_shape(call, x, y, w, moves, groups, false);
    const bool biased = call.inputs() > 2;
    if (biased && call.ok()) check_bias(call, call.input(2), y.shape[1]);
    const DType type = common_type(call);
    call.require(conv_compute_type(y.dtype) != DType::None,
                 "the output is %s; a convolution writes floating-point numbers", dtype_name(y.dtype));
    if (!call.ok()) return call.status();
    return call.run(conv_cost(type, s), [=](const Operands& o) {
        return run_forward(s, o.in[0], o.in[1], biased ? &o.in[2] : nullptr, o.out[0], transposed, type);
    });
}

// (time, batch, channels) as (batch, channels, time).
View time_last(const View& v) {
    View out = v;
    for (int d = 0; d < 3; ++d) {
        out.shape[d] = v.shape[(d + 1) % 3];
        out.stride[d] = v.stride[(d + 1) % 3];
    }
    return out;
}

// (taps, in, out) as (out, in, taps).
View taps_last(const View& v) {
    View out = v;
    std::swap(out.shape[0], out.shape[2]);
    std::swap(out.stride[0], out.stride[2]);
    return out;
}

// Which gradients of a backward call are wanted, and where they are among its outputs.
struct Wanted {
    int input = -1, weight = -1, bias = -1;
};

Wanted add_gradients(Call& call, const aclBoolArray* mask, const aclTensor* input, const aclTensor* weight,
                     const aclTensor* bias) {
    Wanted wanted;
    call.require(mask != nullptr && is_live(mask) && mask->size == 3,
                 "outputMask must be an aclBoolArray of 3 elements");
    int outputs = 0;
    if (call.ok() && mask->data[0] && call.out("gradInput", input).ok()) wanted.input = outputs++;
    if (call.ok() && mask->data[1] && call.out("gradWeight", weight).ok()) wanted.weight = outputs++;
    if (call.ok() && mask->data[2] && call.out("gradBias", bias).ok()) wanted.bias = outputs++;
    return wanted;
}

// gb = the sum of gy over everything but channels; both C order and of the type computed in.
void bias_gradient(const View& gy, const View& gb) {
    const char zero[16] = {};
    fill_view(gb, zero);
    const double one = 1.0;
    const float one_float = 1.0f;
    GemmArgs g;
    g.in = g.out = gy.dtype;
    g.m = gy.shape[1];
    g.n = 1;
    g.k = gy.shape[2] * gy.shape[3] * gy.shape[4];
    g.scaled = true;
    g.b.data = reinterpret_cast<char*>(
        gy.dtype == DType::F64 ? const_cast<double*>(&one) : reinterpret_cast<double*>(const_cast<float*>(&one_float)));
    g.c = g.s = {gb.data, 1, 1};
    for (int64_t n = 0; n < gy.shape[0]; ++n) {
        g.a = {gy.data + n * gy.stride[0] * gy.item(), gy.stride[1], 1};
        gemm(g);
    }
}

// Five-dimensional views, `s` as for the forward call.
int32_t run_backward(const ConvShape& s, const View& gy, const View& x, const View& w, const View* outputs,
                     const Wanted& wanted, bool transposed, DType type) {
    const DType compute = conv_compute_type(type);
    Cast gy_cast, x_cast, w_cast;
    if (!gy_cast.of(gy, compute, true)) return kOutOfMemory;
    const View& g = gy_cast.view;
    if (wanted.input >= 0) {
        if (!w_cast.of(w, compute, true)) return kOutOfMemory;
        const View out = five_dims(outputs[wanted.input]);
        const int32_t code = transposed ? conv_forward(s, g, w_cast.view, nullptr, out)
                                        : conv_transposed(s, g, w_cast.view, nullptr, out);
        if (code) return code;
    }
    if (wanted.weight >= 0) {
        Temporary gw;
        if (!x_cast.of(x, compute, true) || !gw.allocate(compute, w.shape, w.ndim)) return kOutOfMemory;
        const View &from = transposed ? g : x_cast.view, &to = transposed ? x_cast.view : g;
        if (const int32_t code = conv_weight_gradient(s, from, to, gw.view())) return code;
        copy_view(five_dims(outputs[wanted.weight]), gw.view());
    }
    if (wanted.bias >= 0) {
        Temporary gb;
        if (!gb.allocate(compute, &g.shape[1], 1)) return kOutOfMemory;
        bias_gradient(g, gb.view());
        copy_view(outputs[wanted.bias], gb.view());
    }
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
                                             const aclIntArray* stride, const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray* outputPadding, const int64_t groups, aclTensor* output,
                                             int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnConvolution", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    call.in("input", input).in("weight", weight).optional("bias", bias).out("output", output);
    return plan_convolution(call, {stride, padding, dilation, outputPadding}, transposed, groups);
}
PYASC_PHASE2(aclnnConvolution)

aclnnStatus aclnnConvDepthwise2dGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                                 const aclIntArray* kernelSize, const aclTensor* bias,
                                                 const aclIntArray* stride, const aclIntArray* padding,
                                                 const aclIntArray* dilation, aclTensor* out, int8_t cubeMathType,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnConvDepthwise2d", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    call.in("self", self).in("weight", weight).optional("bias", bias).out("out", out).ints("kernelSize", kernelSize);
    if (!call.ok()) return call.status();
    const View &x = call.input(0), &w = call.input(1);
    call.require(x.ndim == 4 && w.ndim == 4, "self has shape %s and weight %s; 4 dimensions are expected",
                 ShapeText(x).text, ShapeText(w).text);
    if (!call.ok()) return call.status();
    call.require(kernelSize->size == 2 && kernelSize->data[0] == w.shape[2] && kernelSize->data[1] == w.shape[3],
                 "kernelSize does not agree with weight of shape %s", ShapeText(w).text);
    return plan_convolution(call, {stride, padding, dilation, nullptr}, false, x.shape[1]);
}
PYASC_PHASE2(aclnnConvDepthwise2d)

aclnnStatus aclnnConvTbcGetWorkspaceSize(const aclTensor* self, const aclTensor* weight, const aclTensor* bias,
                                         const int64_t pad, aclTensor* output, int8_t cubeMathType,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnConvTbc", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    call.in("self", self).in("weight", weight).in("bias", bias).out("output", output);
    if (!call.ok()) return call.status();
    const View &x = call.input(0), &w = call.input(1), &y = call.output(0);
    call.require(x.ndim == 3 && w.ndim == 3 && y.ndim == 3,
                 "self, weight and output have shapes %s, %s and %s; 3 dimensions are expected", ShapeText(x).text,
                 ShapeText(w).text, ShapeText(y).text);
    if (!call.ok()) return call.status();
    ConvShape s;
    s.batch = x.shape[1];
    s.in_channels = w.shape[1];
    s.out_channels = w.shape[2];
    s.in[2] = x.shape[0];
    s.kernel[2] = w.shape[0];
    s.pad[2] = pad;
    s.out[2] = s.in[2] + 2 * pad - s.kernel[2] + 1;
    call.require(pad >= 0 && s.out[2] >= 1, "pad is %ld; a kernel of %ld does not fit over %ld elements", pad,
                 s.kernel[2], s.in[2]);
    call.require(x.shape[2] == s.in_channels, "self of shape %s and weight of shape %s do not fit", ShapeText(x).text,
                 ShapeText(w).text);
    if (call.ok()) check_bias(call, call.input(2), s.out_channels);
    const int64_t shape[] = {s.out[2], s.batch, s.out_channels};
    if (call.ok()) require_shape(call, "output", y, shape, 3);
    const DType type = common_type(call);
    call.require(conv_compute_type(y.dtype) != DType::None, "output is %s; a convolution writes floating-point numbers",
                 dtype_name(y.dtype));
    if (!call.ok()) return call.status();
    return call.run(conv_cost(type, s), [=](const Operands& o) {
        return run_forward(s, time_last(o.in[0]), taps_last(o.in[1]), &o.in[2], time_last(o.out[0]), false, type);
    });
}
PYASC_PHASE2(aclnnConvTbc)

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* input,
                                                     const aclTensor* weight, const aclIntArray* biasSizes,
                                                     const aclIntArray* stride, const aclIntArray* padding,
                                                     const aclIntArray* dilation, bool transposed,
                                                     const aclIntArray* outputPadding, int groups,
                                                     const aclBoolArray* outputMask, int8_t cubeMathType,
                                                     aclTensor* gradInput, aclTensor* gradWeight, aclTensor* gradBias,
                                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnConvolutionBackward", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    if (biasSizes) call.ints("biasSizes", biasSizes);
    call.in("gradOutput", gradOutput).in("input", input).in("weight", weight);
    const Wanted wanted = add_gradients(call, outputMask, gradInput, gradWeight, gradBias);
    if (!call.ok()) return call.status();
    const View &gy = call.input(0), &x = call.input(1), &w = call.input(2);
    const Moves moves{stride, padding, dilation, outputPadding};
    const ConvShape s =
        transposed ? find_shape(call, gy, x, w, moves, groups, true) : find_shape(call, x, gy, w, moves, groups, false);
    const DType type = common_type(call);
    if (!call.ok()) return call.status();
    if (wanted.input >= 0) require_shape(call, "gradInput", call.output(wanted.input), x);
    if (wanted.weight >= 0) require_shape(call, "gradWeight", call.output(wanted.weight), w);
    if (wanted.bias >= 0) require_shape(call, "gradBias", call.output(wanted.bias), &gy.shape[1], 1);
    for (int i : {wanted.input, wanted.weight, wanted.bias}) {
        if (i < 0 || !call.ok()) continue;
        call.require(conv_compute_type(call.output(i).dtype) != DType::None,
                     "a gradient is %s; it must be a floating-point number", dtype_name(call.output(i).dtype));
    }
    if (!call.ok()) return call.status();
    return call.run(3 * conv_cost(type, s), [=](const Operands& o) {
        return run_backward(s, five_dims(o.in[0]), five_dims(o.in[1]), five_dims(o.in[2]), o.out, wanted, transposed,
                            type);
    });
}
PYASC_PHASE2(aclnnConvolutionBackward)

}  // extern "C"

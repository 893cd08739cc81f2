// Activations that take a tensor apart: gated linear units, whose one half gates the other, and prelu with a weight for
// each channel; with their gradients.
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>

#include "acl/error_codes/rt_error_codes.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_geglu_backward.h"
#include "aclnnop/aclnn_gelu_mul.h"
#include "aclnnop/aclnn_glu.h"
#include "aclnnop/aclnn_glu_backward.h"
#include "aclnnop/aclnn_prelu.h"
#include "aclnnop/aclnn_prelu_backward.h"
#include "aclnnop/aclnn_silu_mul.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_swi_glu_grad.h"
#include "kernels/copy.h"
#include "kernels/pool.h"
#include "ops/unary.h"

namespace {

using namespace pyasc;

void run_rows(Inner inner, int32_t weight, const View& out, const View& a, const View& b) {
    const View* inputs[] = {&a, &b};
    Loop loop;
    plan_loop(&loop, inner, weight, out, inputs, 2);
    run_loop(loop);
}
void run_rows(Math op, const View& out, const View& x) {
    const View* inputs[] = {&x};
    Loop loop;
    plan_loop(&loop, math_kernels().unary(op, out.dtype), math_weight(op, out.dtype), out, inputs, 1);
    run_loop(loop);
}
void multiply(const View& out, const View& a, const View& b) {
    run_rows(binary_inner(Binary::Mul, out.dtype), binary_weight(Binary::Mul, out.dtype), out, a, b);
}
void run_rows(Math2 op, const View& out, const View& a, const View& b) {
    run_rows(math_kernels().binary(op, out.dtype), math_weight(op, out.dtype), out, a, b);
}
void run_rows(Gradient op, const View& out, const View& gradient, const View& x) {
    run_rows(math_kernels().gradient(op, out.dtype), math_weight(op, out.dtype), out, gradient, x);
}

bool same_shape(const View& a, const View& b) {
    return a.ndim == b.ndim && std::memcmp(a.shape, b.shape, sizeof(a.shape[0]) * static_cast<size_t>(a.ndim)) == 0;
}

// The first or second half along a dimension.
View half(const View& v, int64_t dim, bool second) {
    View h = v;
    h.shape[dim] /= 2;
    h.size /= 2;
    if (second) h.data += h.shape[dim] * h.stride[dim] * h.item();
    return h;
}

bool is_half(const View& part, const View& whole, int64_t dim) {
    bool fits = whole.ndim == part.ndim;
    for (int d = 0; fits && d < whole.ndim; ++d) fits = whole.shape[d] == part.shape[d] * (d == dim ? 2 : 1);
    return fits;
}

// Ends phase 1 of a gated operator: all operands are of one float type, `whole` is halved along dim and has the shape
// of `parts`, two and two.
template <class Run>
int32_t gated(Call& call, int64_t dim, const View& whole, std::initializer_list<const View*> parts, Run run) {
    call.same_dtype();
    if (!call.ok()) return call.status();
    call.require(is_float(whole.dtype), "not supported for %s; give floats", dtype_name(whole.dtype));
    call.require(whole.ndim > 0, "a 0-d tensor has no halves").axis("dim", &dim, whole.ndim);
    for (const View* part : parts) {
        if (!call.ok()) break;
        call.require(
            is_half(*part, whole, dim),
            "a tensor of %d dimensions and %ld elements is no half, along dimension %ld of length %ld, of one with "
            "%d dimensions and %ld elements",
            part->ndim, part->size, dim, whole.shape[dim], whole.ndim, whole.size);
    }
    return call.run(call.ok() ? whole.size * 3 + 100 : 0, [dim, run](const Operands& o) { run(o, dim); });
}

Math gelu_of(Call& call, int64_t approximate) {
    call.require(approximate == 0 || approximate == 1, "approximate is %ld; 0 (none) and 1 (tanh) exist", approximate);
    return approximate == 1 ? Math::GeluTanh : Math::Gelu;
}

int32_t glu(Call& call, Tensor x, int64_t dim, Tensor out, Math2 op) {
    call.in(x.name, x.tensor).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    return gated(call, dim, call.input(0), {&call.output(0)}, [op](const Operands& o, int64_t d) {
        run_rows(op, *o.out, half(*o.in, d, false), half(*o.in, d, true));
    });
}

// out_gelu = gelu of the gate, out = that times the other half.
int32_t geglu(Call& call, Tensor x, int64_t dim, int64_t approximate, bool gate_first, Tensor out, Tensor out_gelu) {
    call.in(x.name, x.tensor).out(out.name, out.tensor).out(out_gelu.name, out_gelu.tensor);
    const Math op = gelu_of(call, approximate);
    if (!call.ok()) return call.status();
    const auto run = [op, gate_first](const Operands& o, int64_t d) {
        run_rows(op, o.out[1], half(*o.in, d, !gate_first));
        multiply(o.out[0], half(*o.in, d, gate_first), o.out[1]);
    };
    return gated(call, dim, call.input(0), {&call.output(0), &call.output(1)}, run);
}

// gradient, x, gelu of the gate -> gradient of x.
int32_t geglu_backward(Call& call, int64_t dim, int64_t approximate, bool gate_first) {
    const Gradient op = gelu_of(call, approximate) == Math::Gelu ? Gradient::Gelu : Gradient::GeluTanh;
    if (!call.ok()) return call.status();
    call.require(same_shape(call.output(0), call.input(1)), "gradInput must have the shape of self");
    const auto run = [op, gate_first](const Operands& o, int64_t d) {
        const View gate = half(*o.out, d, !gate_first), other = half(*o.out, d, gate_first);
        multiply(other, o.in[0], o.in[2]);
        multiply(gate, o.in[0], half(o.in[1], d, gate_first));
        run_rows(op, gate, gate, half(o.in[1], d, !gate_first));
    };
    return gated(call, dim, call.input(1), {&call.input(0), &call.input(2)}, run);
}

// The weight as a tensor that broadcasts along the channels (dimension 1) of x.
bool weight_view(const View& x, const View& weight, View* out) {
    const int channel = x.ndim > 1 ? 1 : 0;
    const int64_t channels = x.ndim > 1 ? x.shape[1] : 1;
    if (weight.size != 1 && (weight.size != channels || weight.ndim != 1)) return false;
    *out = weight;
    out->ndim = x.ndim;
    for (int d = 0; d < x.ndim; ++d) {
        out->shape[d] = d == channel ? weight.size : 1;
        out->stride[d] = d == channel && weight.ndim == 1 ? weight.stride[0] : 0;
    }
    return true;
}

Call& check_prelu(Call& call, const View& x, const View& weight) {
    View w;
    return call.require(weight_view(x, weight, &w),
                        "weight has %ld elements; 1 or the %ld channels of self are allowed", weight.size,
                        x.ndim > 1 ? x.shape[1] : 1);
}

// Sums min(x, 0) times the gradient over all but the channels, in double.
template <class T>
void add_channels(const View& gradient, const View& x, double* sums, int64_t channels) {
    const T* g = reinterpret_cast<const T*>(gradient.data);
    const T* v = reinterpret_cast<const T*>(x.data);
    int64_t inner = 1;
    for (int d = 2; d < x.ndim; ++d) inner *= x.shape[d];
    const int64_t outer = channels == 0 || inner == 0 ? 0 : x.size / (channels * inner);
    parallel(channels, [&](int64_t c) {
        double sum = 0;
        for (int64_t i = 0; i < outer; ++i) {
            const int64_t at = (i * channels + c) * inner;
            for (int64_t j = at; j < at + inner; ++j) {
                if (!(v[j] > 0)) sum += static_cast<double>(v[j]) * static_cast<double>(g[j]);
            }
        }
        sums[c] = sum;
    });
}

// Gradient of the weight. Strided and 16-bit operands are copied to dense floats first.
int32_t prelu_weight_gradient(const View& gradient, const View& x, const View& out) {
    const DType type = x.dtype == DType::F64 ? DType::F64 : DType::F32;
    const size_t bytes = static_cast<size_t>(x.size) * static_cast<size_t>(item_size(type));
    const int64_t channels = x.ndim > 1 ? x.shape[1] : 1;
    std::unique_ptr<char[]> room(
        new (std::nothrow) char[2 * bytes + sizeof(double) * static_cast<size_t>(channels + 1)]);
    if (room == nullptr) return ACL_ERROR_RT_MEMORY_ALLOCATION;
    double* sums = reinterpret_cast<double*>(room.get());
    char* data = room.get() + sizeof(double) * static_cast<size_t>(channels + 1);
    const View g = contiguous_view(data, type, x.shape, x.ndim),
               v = contiguous_view(data + bytes, type, x.shape, x.ndim);
    copy_view(g, gradient);
    copy_view(v, x);
    if (type == DType::F64) {
        add_channels<double>(g, v, sums, channels);
    } else {
        add_channels<float>(g, v, sums, channels);
    }
    if (out.size == 1) {
        for (int64_t c = 1; c < channels; ++c) sums[0] += sums[c];
        if (channels == 0) sums[0] = 0;
    }
    copy_view(out, contiguous_view(sums, DType::F64, out.shape, out.ndim));
    return 0;
}

}  // namespace

extern "C" {

aclnnStatus aclnnGluGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
    Call call("aclnnGlu", workspaceSize, executor);
    return glu(call, {"self", self}, dim, {"out", out}, Math2::MulSigmoid);
}
PYASC_PHASE2(aclnnGlu)

aclnnStatus aclnnSwiGluGetWorkspaceSize(const aclTensor* x, int64_t dim, const aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
    Call call("aclnnSwiGlu", workspaceSize, executor);
    return glu(call, {"x", x}, dim, {"out", out}, Math2::SiluMul);
}
PYASC_PHASE2(aclnnSwiGlu)

aclnnStatus aclnnGluBackwardGetWorkspaceSize(const aclTensor* gradOut, const aclTensor* self, int64_t dim,
                                             const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnGluBackward", workspaceSize, executor);
    call.in("gradOut", gradOut).in("self", self).out("out", out);
    if (!call.ok()) return call.status();
    call.require(same_shape(call.output(0), call.input(1)), "out must have the shape of self");
    return gated(call, dim, call.input(1), {&call.input(0)}, [](const Operands& o, int64_t d) {
        const View a = half(o.in[1], d, false), b = half(o.in[1], d, true);
        run_rows(Math2::MulSigmoid, half(*o.out, d, false), o.in[0], b);
        const View gate = half(*o.out, d, true);
        multiply(gate, o.in[0], a);
        run_rows(Gradient::SigmoidOfX, gate, gate, b);
    });
}
PYASC_PHASE2(aclnnGluBackward)

aclnnStatus aclnnSwiGluGradGetWorkspaceSize(const aclTensor* yGrad, const aclTensor* x, int64_t dim,
                                            const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSwiGluGrad", workspaceSize, executor);
    call.in("yGrad", yGrad).in("x", x).out("out", out);
    if (!call.ok()) return call.status();
    call.require(same_shape(call.output(0), call.input(1)), "out must have the shape of x");
    return gated(call, dim, call.input(1), {&call.input(0)}, [](const Operands& o, int64_t d) {
        const View a = half(o.in[1], d, false), b = half(o.in[1], d, true), gate = half(*o.out, d, false);
        multiply(gate, o.in[0], b);
        run_rows(Gradient::Silu, gate, gate, a);
        run_rows(Math2::SiluMul, half(*o.out, d, true), a, o.in[0]);
    });
}
PYASC_PHASE2(aclnnSwiGluGrad)

aclnnStatus aclnnGeGluGetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t approximate, aclTensor* out,
                                       aclTensor* outGelu, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnGeGlu", workspaceSize, executor);
    return geglu(call, {"self", self}, dim, approximate, false, {"out", out}, {"outGelu", outGelu});
}
PYASC_PHASE2(aclnnGeGlu)

aclnnStatus aclnnGeGluV3GetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t approximate, bool activateLeft,
                                         aclTensor* out, aclTensor* outGelu, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
    Call call("aclnnGeGluV3", workspaceSize, executor);
    return geglu(call, {"self", self}, dim, approximate, activateLeft, {"out", out}, {"outGelu", outGelu});
}
PYASC_PHASE2(aclnnGeGluV3)

aclnnStatus aclnnGeGluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclTensor* gelu, int64_t dim, int64_t approximate,
                                               aclTensor* gradInput, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
    Call call("aclnnGeGluBackward", workspaceSize, executor);
    call.in("gradOutput", gradOutput).in("self", self).in("gelu", gelu).out("gradInput", gradInput);
    return geglu_backward(call, dim, approximate, false);
}
PYASC_PHASE2(aclnnGeGluBackward)

aclnnStatus aclnnGeGluV3BackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                 const aclTensor* gelu, int64_t dim, int64_t approximate,
                                                 bool activateLeft, aclTensor* gradInput, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
    Call call("aclnnGeGluV3Backward", workspaceSize, executor);
    call.in("gradOutput", gradOutput).in("self", self).in("gelu", gelu).out("gradInput", gradInput);
    return geglu_backward(call, dim, approximate, activateLeft);
}
PYASC_PHASE2(aclnnGeGluV3Backward)

aclnnStatus aclnnSiluMulGetWorkspaceSize(const aclTensor* x, const aclTensor* y, const aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSiluMul", workspaceSize, executor);
    call.in("x", x).in("y", y).out("out", out);
    return run_math(call, Math2::SiluMul);
}
PYASC_PHASE2(aclnnSiluMul)

// gelu of the first half of the last dimension, times the second.
aclnnStatus aclnnGeluMulGetWorkspaceSize(const aclTensor* input, char* approximateOptional, const aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnGeluMul", workspaceSize, executor);
    call.in("input", input).out("out", out);
    const bool tanh = approximateOptional != nullptr && std::strcmp(approximateOptional, "tanh") == 0;
    const bool none = approximateOptional == nullptr || std::strcmp(approximateOptional, "none") == 0;
    call.require(tanh || none, "approximateOptional is \"%s\"; \"none\" and \"tanh\" exist",
                 approximateOptional ? approximateOptional : "");
    if (!call.ok()) return call.status();
    return gated(call, -1, call.input(0), {&call.output(0)}, [tanh](const Operands& o, int64_t d) {
        run_rows(tanh ? Math::GeluTanh : Math::Gelu, *o.out, half(*o.in, d, false));
        multiply(*o.out, *o.out, half(*o.in, d, true));
    });
}
PYASC_PHASE2(aclnnGeluMul)

aclnnStatus aclnnPreluGetWorkspaceSize(const aclTensor* self, const aclTensor* weight, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnPrelu", workspaceSize, executor);
    call.in("self", self).in("weight", weight).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    call.require(is_float(call.dtype(0)), "not supported for %s; give floats", dtype_name(call.dtype(0)));
    call.require(same_shape(call.output(0), call.input(0)), "out must have the shape of self");
    check_prelu(call, call.input(0), call.input(1));
    return call.run(call.ok() ? call.input(0).size + 100 : 0, [](const Operands& o) {
        View weight;
        weight_view(o.in[0], o.in[1], &weight);
        run_rows(Math2::Prelu, *o.out, o.in[0], weight);
    });
}
PYASC_PHASE2(aclnnPrelu)

aclnnStatus aclnnPreluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclTensor* weight, aclTensor* gradInput, aclTensor* gradWeight,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnPreluBackward", workspaceSize, executor);
    call.in("gradOutput", gradOutput).in("self", self).in("weight", weight);
    call.out("gradInput", gradInput).out("gradWeight", gradWeight).same_dtype();
    if (!call.ok()) return call.status();
    const View& x = call.input(1);
    call.require(is_float(x.dtype), "not supported for %s; give floats", dtype_name(x.dtype));
    call.require(same_shape(call.input(0), x) && same_shape(call.output(0), x),
                 "gradOutput and gradInput must have the shape of self");
    call.require(same_shape(call.output(1), call.input(2)), "gradWeight must have the shape of weight");
    check_prelu(call, x, call.input(2));
    return call.run(call.ok() ? x.size * 3 + 100 : 0, [](const Operands& o) -> int32_t {
        const int32_t status = prelu_weight_gradient(o.in[0], o.in[1], o.out[1]);
        if (status != 0) return status;
        View weight;
        weight_view(o.in[1], o.in[2], &weight);
        const View* inputs[] = {&o.in[0], &o.in[1], &weight};
        Loop loop;
        plan_loop(&loop, unary_kernels().prelu_gradient(o.out->dtype), 10, *o.out, inputs, 3);
        run_loop(loop);
        return 0;
    });
}
PYASC_PHASE2(aclnnPreluBackward)

}  // extern "C"

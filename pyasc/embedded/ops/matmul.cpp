// Products without an addend: matmul and its special cases, outer and cross products.
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_einsum.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_linalg_cross.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "kernels/cross.h"
#include "ops/matmul_common.h"

#include <cstring>

namespace pyasc {
namespace {

int64_t product_cost(DType type, const View& a, const View& out) {
    const int64_t k = a.ndim ? a.shape[a.ndim - 1] : 1;
    return gemm_cost(type, out.size, 1, k);
}

// out = self @ other, both of `ndim` dimensions (0: any number).
int32_t plan_matmul(Call& call, const char* self_name, const aclTensor* self, const char* other_name,
                    const aclTensor* other, const aclTensor* out, int self_ndim, int other_ndim) {
    call.in(self_name, self).in(other_name, other).out("out", out);
    if (!call.ok()) return call.status();
    const View &a = call.input(0), &b = call.input(1), &c = call.output(0);
    call.require(self_ndim == 0 || a.ndim == self_ndim, "%s has shape %s; %d dimensions are expected", self_name,
                 ShapeText(a).text, self_ndim);
    call.require(other_ndim == 0 || b.ndim == other_ndim, "%s has shape %s; %d dimensions are expected", other_name,
                 ShapeText(b).text, other_ndim);
    const DType type = product_type(call);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims + 2];
    const int ndim = matmul_shape(a, b, shape);
    call.require(ndim >= 0, "%s of shape %s and %s of shape %s cannot be multiplied", self_name, ShapeText(a).text,
                 other_name, ShapeText(b).text);
    if (call.ok()) require_shape(call, "out", c, shape, ndim);
    if (!call.ok()) return call.status();
    return call.run(product_cost(type, a, c),
                    [type](const Operands& o) { return product(o.in[0], o.in[1], o.out[0], nullptr, type); });
}

// out[i, j] = self[i] * other[j]
int32_t plan_outer(Call& call, const char* other_name) {
    if (!call.ok()) return call.status();
    const View &a = call.input(0), &b = call.input(1), &c = call.output(0);
    call.require(a.ndim == 1 && b.ndim == 1, "self has shape %s and %s has shape %s; two vectors are expected",
                 ShapeText(a).text, other_name, ShapeText(b).text);
    const DType type = product_type(call);
    if (!call.ok()) return call.status();
    const int64_t shape[] = {a.shape[0], b.shape[0]};
    require_shape(call, "out", c, shape, 2);
    return call.run(50 + c.size / 4, [type](const Operands& o) {
        return product(insert_dim(o.in[0], 1), insert_dim(o.in[1], 0), o.out[0], nullptr, type);
    });
}

// The equation without its blanks.
bool equation_is(const char* equation, const char* wanted) {
    for (; *equation; ++equation) {
        if (*equation == ' ') continue;
        if (*equation != *wanted) return false;
        ++wanted;
    }
    return *wanted == '\0';
}

int32_t plan_einsum(Call& call, const char* equation) {
    call.require(equation != nullptr, "equation is null");
    if (!call.ok()) return call.status();
    const bool outer = equation_is(equation, "a,b->ab");
    call.require(outer || equation_is(equation, "abcd,abced->abce"),
                 "the equation \"%s\" is not supported; \"abcd,abced->abce\" and \"a,b->ab\" are", equation);
    call.require(call.inputs() == 2, "tensors has %d tensors; two are expected", call.inputs());
    if (!call.ok()) return call.status();
    if (outer) return plan_outer(call, "tensors[1]");
    const View &x = call.input(0), &y = call.input(1), &out = call.output(0);
    bool fits = x.ndim == 4 && y.ndim == 5 && out.ndim == 4 && x.shape[3] == y.shape[4] && out.shape[3] == y.shape[3];
    for (int d = 0; fits && d < 3; ++d) fits = x.shape[d] == y.shape[d] && out.shape[d] == x.shape[d];
    call.require(fits, "shapes %s, %s and output %s do not fit \"%s\"", ShapeText(x).text, ShapeText(y).text,
                 ShapeText(out).text, equation);
    const DType type = product_type(call);
    if (!call.ok()) return call.status();
    return call.run(product_cost(type, x, out), [type](const Operands& o) {
        return product(o.in[1], insert_dim(o.in[0], 4), insert_dim(o.out[0], 4), nullptr, type);
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2, aclTensor* out,
                                        int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMatmul", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    return plan_matmul(call, "self", self, "mat2", mat2, out, 0, 0);
}
PYASC_PHASE2(aclnnMatmul)

aclnnStatus aclnnMmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2, aclTensor* out, int8_t cubeMathType,
                                    uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMm", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    return plan_matmul(call, "self", self, "mat2", mat2, out, 2, 2);
}
PYASC_PHASE2(aclnnMm)

aclnnStatus aclnnBatchMatMulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2, aclTensor* out,
                                             int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnBatchMatMul", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    return plan_matmul(call, "self", self, "mat2", mat2, out, 3, 3);
}
PYASC_PHASE2(aclnnBatchMatMul)

aclnnStatus aclnnMvGetWorkspaceSize(const aclTensor* self, const aclTensor* vec, aclTensor* out, int8_t cubeMathType,
                                    uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMv", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    return plan_matmul(call, "self", self, "vec", vec, out, 2, 1);
}
PYASC_PHASE2(aclnnMv)

aclnnStatus aclnnDotGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnDot", workspaceSize, executor);
    return plan_matmul(call, "self", self, "tensor", tensor, out, 1, 1);
}
PYASC_PHASE2(aclnnDot)

aclnnStatus aclnnGerGetWorkspaceSize(const aclTensor* self, const aclTensor* vec2, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnGer", workspaceSize, executor);
    call.in("self", self).in("vec2", vec2).out("out", out);
    return plan_outer(call, "vec2");
}
PYASC_PHASE2(aclnnGer)

aclnnStatus aclnnEinsumGetWorkspaceSize(const aclTensorList* tensors, const char* equation, aclTensor* output,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnEinsum", workspaceSize, executor);
    call.in("tensors", tensors).out("output", output);
    return plan_einsum(call, equation);
}
PYASC_PHASE2(aclnnEinsum)

aclnnStatus aclnnLinalgCrossGetWorkspaceSize(const aclTensor* self, const aclTensor* other, int64_t dim, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLinalgCross", workspaceSize, executor);
    call.in("self", self).in("other", other).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    const View &a = call.input(0), &b = call.input(1), &c = call.output(0);
    call.axis("dim", &dim, c.ndim);
    if (!call.ok()) return call.status();
    const int axis = static_cast<int>(dim);
    call.require(cross_fits(a, b, c, axis),
                 "self %s and other %s do not broadcast to out %s with 3 elements along dimension %d in each",
                 ShapeText(a).text, ShapeText(b).text, ShapeText(c).text, axis);
    call.require(a.dtype != DType::Bool, "the cross product of bool is not defined");
    if (!call.ok()) return call.status();
    return call.run(50 + c.size, [axis](const Operands& o) -> int32_t {
        if (!may_overlap(o.in[0], o.out[0]) && !may_overlap(o.in[1], o.out[0])) {
            cross(o.in[0], o.in[1], o.out[0], axis);
            return 0;
        }
        Temporary a, b;
        if (!a.copy_of(o.in[0], o.in[0].dtype) || !b.copy_of(o.in[1], o.in[1].dtype)) return kOutOfMemory;
        cross(a.view(), b.view(), o.out[0], axis);
        return 0;
    });
}
PYASC_PHASE2(aclnnLinalgCross)

}  // extern "C"

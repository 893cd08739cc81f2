// Masks: operators whose result has as many elements as there are true ones.
#include "acl/error_codes/rt_error_codes.h"
#include "aclnnop/aclnn_masked_scatter.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "kernels/copy.h"
#include "ops/index.h"

namespace pyasc {
namespace {

int64_t mask_cost(const View& v) { return 100 + v.size * 2; }

// Running counts of a mask's true elements.
struct Counts {
    Scratch memory;
    int64_t* before;
    int64_t total = 0;
    explicit Counts(const View& mask)
        : memory((mask_blocks(mask.size) + 1) * 8), before(reinterpret_cast<int64_t*>(memory.data)) {
        if (before != nullptr) total = count_true(mask, before);
    }
};

void require_mask(Call& call, const View& v) {
    call.require(v.dtype == DType::Bool || v.dtype == DType::U8, "mask is %s; it must be bool or uint8",
                 dtype_name(v.dtype));
}

int32_t too_small(const char* op, int64_t found, int64_t room) {
    return fail(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                "%s: %ld elements are true, but there is room for %ld; nothing was written", op, found, room);
}

// The shape that self and mask have together; false if they do not broadcast.
bool common_shape(const View& a, const View& b, int64_t* shape, int* ndim) {
    *ndim = a.ndim > b.ndim ? a.ndim : b.ndim;
    for (int d = 0; d < *ndim; ++d) {
        const int i = d - (*ndim - a.ndim), k = d - (*ndim - b.ndim);
        const int64_t left = i < 0 ? 1 : a.shape[i], right = k < 0 ? 1 : b.shape[k];
        if (left != right && left != 1 && right != 1) return false;
        shape[d] = left == 1 ? right : left;
    }
    return true;
}

int32_t run_select(const Operands& o, aclTensor* out_tensor) {
    View self = o.in[0], mask = o.in[1];
    const View& out = o.out[0];
    int64_t shape[kMaxDims];
    int ndim;
    common_shape(self, mask, shape, &ndim);
    broadcast_to(&self, shape, ndim);
    broadcast_to(&mask, shape, ndim);
    const Counts counts(mask);
    if (counts.before == nullptr) return no_memory("aclnnMaskedSelect");
    if (counts.total > out.size) return too_small("aclnnMaskedSelect", counts.total, out.size);
    select_true(self, mask, counts.before, out.data);
    Call::set_view_shape(out_tensor, &counts.total, 1);
    return 0;
}

int32_t plan_nonzero(Call& call, const char* op, const aclTensor* self, aclTensor* out, bool by_dim) {
    if (!call.in("self", self).out("out", out).ok()) return call.status();
    const View &v = call.input(0), &to = call.output(0);
    call.require(to.dtype == DType::I64, "out is %s; it must be int64", dtype_name(to.dtype));
    call.require(to.ndim == 2 && to.shape[by_dim ? 0 : 1] == v.ndim, "out has shape %s for %d dimensions",
                 ShapeText(to).text, v.ndim);
    call.require(is_dense(to), "out is not contiguous");
    if (!call.ok()) return call.status();
    return call.run(mask_cost(v), [op, out, by_dim](const Operands& o) -> int32_t {
        const View &v = o.in[0], &to = o.out[0];
        const Counts counts(v);
        const int64_t n = counts.total, room = to.shape[by_dim ? 1 : 0];
        if (counts.before == nullptr) return no_memory(op);
        if (n > room) return too_small(op, n, room);
        write_nonzero(v, counts.before, reinterpret_cast<int64_t*>(to.data), by_dim ? 1 : v.ndim, by_dim ? n : 1);
        const int64_t shape[] = {by_dim ? v.ndim : n, by_dim ? n : v.ndim};
        Call::set_view_shape(out, shape, 2);
        return 0;
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnMaskedSelectGetWorkspaceSize(const aclTensor* self, const aclTensor* mask, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMaskedSelect", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().in("mask", mask).ok()) return call.status();
    const View &v = call.input(0), &m = call.input(1), &to = call.output(0);
    int64_t shape[kMaxDims];
    int ndim;
    require_mask(call, m);
    call.require(common_shape(v, m, shape, &ndim), "self of shape %s and mask of shape %s do not broadcast together",
                 ShapeText(v).text, ShapeText(m).text);
    call.require(to.ndim == 1 && is_dense(to), "out has shape %s; it must be a contiguous vector", ShapeText(to).text);
    if (!call.ok()) return call.status();
    return call.run(mask_cost(m), [out](const Operands& o) { return run_select(o, out); });
}
PYASC_PHASE2(aclnnMaskedSelect)

aclnnStatus aclnnNonzeroGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
    Call call("aclnnNonzero", workspaceSize, executor);
    return plan_nonzero(call, "aclnnNonzero", self, out, false);
}
PYASC_PHASE2(aclnnNonzero)

aclnnStatus aclnnNonzeroV2GetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("aclnnNonzeroV2", workspaceSize, executor);
    return plan_nonzero(call, "aclnnNonzeroV2", self, out, true);
}
PYASC_PHASE2(aclnnNonzeroV2)

aclnnStatus aclnnInplaceMaskedScatterGetWorkspaceSize(aclTensor* selfRef, const aclTensor* mask,
                                                      const aclTensor* source, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor) {
    Call call("aclnnInplaceMaskedScatter", workspaceSize, executor);
    if (!call.inout("selfRef", selfRef).in("source", source).same_dtype().in("mask", mask).ok()) return call.status();
    const View& self = call.output(0);
    View m = call.input(1);
    require_mask(call, m);
    call.require(broadcast_to(&m, self.shape, self.ndim), "mask of shape %s does not broadcast to selfRef of shape %s",
                 ShapeText(call.input(1)).text, ShapeText(self).text);
    if (!call.ok()) return call.status();
    return call.run(mask_cost(self), [](const Operands& o) -> int32_t {
        const View& self = o.out[0];
        View m = o.in[1];
        broadcast_to(&m, self.shape, self.ndim);
        const Aside mask(m, self);
        const bool dense = is_dense(o.in[0]) && !may_overlap(o.in[0], self);
        const Scratch memory(dense ? 0 : o.in[0].size * self.item());
        if (!mask.ok() || memory.data == nullptr) return no_memory("aclnnInplaceMaskedScatter");
        const Counts counts(mask.view);
        if (counts.before == nullptr) return no_memory("aclnnInplaceMaskedScatter");
        if (counts.total > o.in[0].size) return too_small("aclnnInplaceMaskedScatter", counts.total, o.in[0].size);
        if (!dense) copy_view(contiguous_view(memory.data, self.dtype, o.in[0].shape, o.in[0].ndim), o.in[0]);
        scatter_true(self, mask.view, counts.before, dense ? o.in[0].data : memory.data);
        return 0;
    });
}
PYASC_PHASE2(aclnnInplaceMaskedScatter)

}  // extern "C"

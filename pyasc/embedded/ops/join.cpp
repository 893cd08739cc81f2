// Joining and splitting arrays.
#include <algorithm>

#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "aclnnop/aclnn_split_with_size.h"
#include "aclnnop/aclnn_stack.h"
#include "kernels/copy.h"
#include "ops/rearrange.h"

namespace pyasc {
namespace {

// Empty vectors join with anything, as torch has always allowed.
bool is_nothing(const View& v) { return v.ndim == 1 && v.size == 0; }

void check_cat(Call& call, int64_t dim) {
    const View& out = call.output(0);
    int64_t length = 0;
    for (int i = 0; i < call.inputs() && call.ok(); ++i) {
        const View& v = call.input(i);
        if (is_nothing(v)) continue;
        bool fits = v.ndim == out.ndim;
        for (int d = 0; fits && d < v.ndim; ++d) fits = d == dim || v.shape[d] == out.shape[d];
        call.require(fits, "tensors[%d] of shape %s does not fit into out of shape %s along dimension %ld", i,
                     ShapeText(v).text, ShapeText(out).text, dim);
        length += fits ? v.shape[dim] : 0;
    }
    call.require(length == (out.ndim ? out.shape[dim] : 0),
                 "the tensors have %ld elements along dimension %ld; out has shape %s", length, dim,
                 ShapeText(out).text);
}

// Copies equal or given lengths of self along dim into the outputs, or checks that this is possible.
int32_t plan_split(Call& call, int64_t dim, int outputs) {
    const View& self = call.input(0);
    int64_t total = 0;
    for (int i = 0; i < outputs && call.ok(); ++i) {
        const View& v = call.output(i);
        bool fits = v.ndim == self.ndim && v.dtype == self.dtype;
        for (int d = 0; fits && d < v.ndim; ++d) fits = d == dim || v.shape[d] == self.shape[d];
        call.require(fits, "out[%d] (%s of shape %s) is no part of self (%s of shape %s) along dimension %ld", i,
                     dtype_name(v.dtype), ShapeText(v).text, dtype_name(self.dtype), ShapeText(self).text, dim);
        total += fits ? v.shape[dim] : 0;
    }
    call.require(total == self.shape[dim], "the outputs have %ld elements along dimension %ld, self has %ld", total,
                 dim, self.shape[dim]);
    if (!call.ok()) return call.status();
    return call.run(move_cost(self.size, self.item()), [dim, outputs](const Operands& o) {
        int64_t at = 0;
        for (int i = 0; i < outputs; ++i) {
            const int64_t n = o.out[i].shape[dim];
            copy_view(o.out[i], part_of(o.in[0], static_cast<int>(dim), at, n));
            at += n;
        }
    });
}

// Adds self and every output; false if something is wrong.
bool add_split(Call& call, const aclTensor* self, int64_t* dim, const aclTensorList* out) {
    call.in("self", self);
    if (!check_list(call, "out", out)) return false;
    call.require(call.input(0).ndim > 0, "self is 0-d and cannot be split").axis("dim", dim, call.input(0).ndim);
    for (uint64_t i = 0; i < out->size; ++i) call.out("out", out->data[i]);
    return call.ok();
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList* tensors, int64_t dim, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
    Call call("aclnnCat", workspaceSize, executor);
    if (!call.in("tensors", tensors).out("out", out).ok()) return call.status();
    call.require(call.inputs() > 0, "tensors is empty").axis("dim", &dim, call.output(0).ndim);
    call.require(call.output(0).ndim > 0, "out is 0-d; 0-d tensors cannot be joined (use aclnnStack)");
    if (!call.ok()) return call.status();
    check_cat(call, dim);
    if (!call.ok()) return call.status();
    const int n = call.inputs();
    return call.run(move_cost(call.output(0).size, call.output(0).item()), [dim, n](const Operands& o) {
        int64_t at = 0;
        for (int i = 0; i < n; ++i) {
            if (is_nothing(o.in[i])) continue;
            const int64_t length = o.in[i].shape[dim];
            copy_view(part_of(o.out[0], static_cast<int>(dim), at, length), o.in[i]);
            at += length;
        }
    });
}
PYASC_PHASE2(aclnnCat)

aclnnStatus aclnnStackGetWorkspaceSize(const aclTensorList* tensors, int64_t dim, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnStack", workspaceSize, executor);
    if (!call.in("tensors", tensors).out("out", out).ok()) return call.status();
    if (!call.require(call.inputs() > 0, "tensors is empty").ok()) return call.status();
    const View& first = call.input(0);
    const int n = call.inputs();
    if (!call.require(first.ndim < kMaxDims, "tensors have %d dimensions, at most %d can be stacked", first.ndim,
                      kMaxDims - 1)
             .axis("dim", &dim, first.ndim + 1)
             .ok()) {
        return call.status();
    }
    for (int i = 1; i < n; ++i) require_shape(call, "every element of tensors", call.input(i), first);
    int64_t shape[kMaxDims];
    for (int d = 0; d < first.ndim; ++d) shape[d + (d >= dim)] = first.shape[d];
    shape[dim] = n;
    require_shape(call, "out", call.output(0), shape, first.ndim + 1);
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.output(0).size, first.item()), [dim, n](const Operands& o) {
        for (int i = 0; i < n; ++i) {
            View part = part_of(o.out[0], static_cast<int>(dim), i, 1);
            for (int d = static_cast<int>(dim); d + 1 < part.ndim; ++d) {
                part.shape[d] = part.shape[d + 1];
                part.stride[d] = part.stride[d + 1];
            }
            --part.ndim;
            copy_view(part, o.in[i]);
        }
    });
}
PYASC_PHASE2(aclnnStack)

aclnnStatus aclnnSplitTensorGetWorkspaceSize(const aclTensor* self, uint64_t splitSections, int64_t dim,
                                             aclTensorList* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSplitTensor", workspaceSize, executor);
    if (!add_split(call, self, &dim, out)) return call.status();
    const int64_t length = call.input(0).shape[dim], n = static_cast<int64_t>(out->size);
    const int64_t section =
        splitSections > static_cast<uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(splitSections);
    call.require(section > 0 || length == 0, "splitSections is 0");
    const int64_t wanted = section == 0 || length == 0 ? 1 : (length - 1) / section + 1;
    call.require(n == wanted, "%ld elements in sections of %ld make %ld parts, but out has %ld", length, section,
                 wanted, n);
    for (int64_t i = 0; i < n && call.ok(); ++i) {
        const int64_t part = std::min(section, length - i * section);
        const View& v = call.output(static_cast<int>(i));
        call.require(v.ndim > dim && v.shape[dim] == part,
                     "out[%ld] has shape %s, but section %ld of dimension %ld has %ld elements", i, ShapeText(v).text,
                     i, dim, part);
    }
    if (!call.ok()) return call.status();
    return plan_split(call, dim, static_cast<int>(n));
}
PYASC_PHASE2(aclnnSplitTensor)

aclnnStatus aclnnSplitWithSizeGetWorkspaceSize(const aclTensor* self, const aclIntArray* splitSize, int64_t dim,
                                               aclTensorList* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSplitWithSize", workspaceSize, executor);
    if (!call.ints("splitSize", splitSize).ok() || !add_split(call, self, &dim, out)) return call.status();
    const int n = static_cast<int>(out->size);
    call.require(splitSize->size == out->size, "splitSize has %lu elements, out %d", splitSize->size, n);
    for (int i = 0; i < n && call.ok(); ++i) {
        const View& v = call.output(i);
        call.require(v.ndim > dim && v.shape[dim] == splitSize->data[i],
                     "out[%d] has shape %s, but splitSize[%d] is %ld", i, ShapeText(v).text, i, splitSize->data[i]);
    }
    if (!call.ok()) return call.status();
    return plan_split(call, dim, n);
}
PYASC_PHASE2(aclnnSplitWithSize)

}  // extern "C"

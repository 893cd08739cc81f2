// Positions of extremes, and single elements of the sorted order: medians and k-th values.
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argmin.h"
#include "aclnnop/aclnn_kthvalue.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_median.h"
#include "aclnnop/aclnn_min_dim.h"
#include "kernels/copy.h"
#include "kernels/move.h"
#include "kernels/sort.h"
#include "ops/reduce_common.h"

namespace pyasc {
namespace {

int64_t axis_length(const View& v, int axis) { return v.ndim == 0 ? 1 : v.shape[axis]; }

// Checks of everything that picks one element a row. Outputs: `value` and `index` by number, -1 for none.
int pick_axis(Call& call, int64_t dim, bool keep, int value, int index) {
    if (!call.ok()) return 0;
    const View& in = call.input(0);
    if (!call.axis("dim", &dim, in.ndim).ok()) return 0;
    const uint32_t mask = in.ndim == 0 ? 0 : 1u << dim;
    if (value >= 0) {
        const View& v = call.output(value);
        call.require(v.dtype == in.dtype, "self is %s but the values' output is %s; they must have one dtype",
                     dtype_name(in.dtype), dtype_name(v.dtype));
        require_reduced(call, "the values' output", v, mask, keep);
    }
    if (index >= 0) {
        require_int(call, "the indices' output", call.output(index).dtype);
        require_reduced(call, "the indices' output", call.output(index), mask, keep);
    }
    const int axis = static_cast<int>(dim);
    call.require(in.size > 0 || axis_length(in, axis) > 0, "self has shape %s: dimension %d has no element to pick",
                 ShapeText(in).text, axis);
    return axis;
}

int32_t run_arg(Call& call, Fold fold, int64_t dim, bool keep) {
    const int axis = pick_axis(call, dim, keep, -1, 0);
    if (!call.ok()) return call.status();
    return call.run(reduce_cost(call.input(0)),
                    [fold, axis](const Operands& o) { arg_reduce(fold, o.in[0], axis, o.out[0], nullptr); });
}

// Values to output 0, indices to output 1.
int32_t run_with_index(Call& call, Fold fold, int64_t dim, bool keep) {
    const int axis = pick_axis(call, dim, keep, 0, 1);
    if (!call.ok()) return call.status();
    return call.run(reduce_cost(call.input(0)),
                    [fold, axis](const Operands& o) { arg_reduce(fold, o.in[0], axis, o.out[1], &o.out[0]); });
}

int32_t memory_status(bool ok) {
    return ok ? 0
              : fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                     "the host has no memory left for sorting; sort fewer elements at a time");
}

int64_t select_cost(const View& in) { return 100 + in.size * 5; }

int32_t run_select(Call& call, Choice choice, int64_t k, int64_t dim, bool keep) {
    const int axis = pick_axis(call, dim, keep, 0, 1);
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    const int64_t length = axis_length(in, axis);
    call.require(length < INT64_C(1) << 32, "dimension %d has %ld elements; at most 2^32 - 1 can be sorted", axis,
                 static_cast<long>(length));
    if (choice == Choice::Kth) {
        call.require(k >= 1 && k <= length, "k is %ld; it counts from 1 to the length of dimension %d, %ld",
                     static_cast<long>(k), axis, static_cast<long>(length));
    }
    return call.run(select_cost(in), [choice, k, axis](const Operands& o) {
        return memory_status(sort_select(o.in[0], axis, choice, k - 1, o.out[0], &o.out[1]));
    });
}

// The median of all elements: of a flat copy, unless the tensor is flat already.
int32_t run_select_all(Call& call, Choice choice) {
    call.same_dtype();
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    require_shape(call, "the output", call.output(0), nullptr, 0);
    call.require(in.size > 0, "self has shape %s: no elements have no median", ShapeText(in).text);
    call.require(in.size < INT64_C(1) << 32, "self has %ld elements; at most 2^32 - 1 can be sorted",
                 static_cast<long>(in.size));
    return call.run(select_cost(in), [choice](const Operands& o) {
        const View& self = o.in[0];
        const bool dense = self.contiguous();
        const Scratch copied(dense ? 0 : self.size * self.item());
        if (!dense && copied.data == nullptr) return memory_status(false);
        View flat = contiguous_view(dense ? self.data : copied.data, self.dtype, &self.size, 1);
        if (!dense) copy_view(contiguous_view(copied.data, self.dtype, self.shape, self.ndim), self);
        return memory_status(sort_select(flat, 0, choice, 0, o.out[0], nullptr));
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnArgMaxGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnArgMax", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_arg(call, Fold::Max, dim, keepdim);
}
PYASC_PHASE2(aclnnArgMax)

aclnnStatus aclnnArgMinGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnArgMin", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_arg(call, Fold::Min, dim, keepdim);
}
PYASC_PHASE2(aclnnArgMin)

aclnnStatus aclnnMaxDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim, aclTensor* out,
                                        aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMaxDim", workspaceSize, executor);
    call.in("self", self).out("out", out).out("indices", indices);
    return run_with_index(call, Fold::Max, dim, keepdim);
}
PYASC_PHASE2(aclnnMaxDim)

aclnnStatus aclnnMinDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim, aclTensor* out,
                                        aclTensor* indices, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMinDim", workspaceSize, executor);
    call.in("self", self).out("out", out).out("indices", indices);
    return run_with_index(call, Fold::Min, dim, keepdim);
}
PYASC_PHASE2(aclnnMinDim)

aclnnStatus aclnnKthvalueGetWorkspaceSize(const aclTensor* self, int64_t k, int64_t dim, bool keepdim,
                                          aclTensor* valuesOut, aclTensor* indicesOut, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
    Call call("aclnnKthvalue", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut).out("indicesOut", indicesOut);
    return run_select(call, Choice::Kth, k, dim, keepdim);
}
PYASC_PHASE2(aclnnKthvalue)

aclnnStatus aclnnMedianGetWorkspaceSize(const aclTensor* self, aclTensor* valuesOut, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
    Call call("aclnnMedian", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut);
    return run_select_all(call, Choice::Median);
}
PYASC_PHASE2(aclnnMedian)

aclnnStatus aclnnNanMedianGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("aclnnNanMedian", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_select_all(call, Choice::NanMedian);
}
PYASC_PHASE2(aclnnNanMedian)

aclnnStatus aclnnMedianDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim, aclTensor* valuesOut,
                                           aclTensor* indicesOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMedianDim", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut).out("indicesOut", indicesOut);
    return run_select(call, Choice::Median, 0, dim, keepDim);
}
PYASC_PHASE2(aclnnMedianDim)

aclnnStatus aclnnNanMedianDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim, aclTensor* valuesOut,
                                              aclTensor* indicesOut, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
    Call call("aclnnNanMedianDim", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut).out("indicesOut", indicesOut);
    return run_select(call, Choice::NanMedian, 0, dim, keepDim);
}
PYASC_PHASE2(aclnnNanMedianDim)

}  // extern "C"

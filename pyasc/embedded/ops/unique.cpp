// Distinct elements. How many there are is known only after the operator has run: it then shortens its outputs' shapes.
#include "aclnnop/aclnn_unique.h"
#include "aclnnop/aclnn_unique2.h"
#include "aclnnop/aclnn_unique_consecutive.h"
#include "aclnnop/aclnn_unique_dim.h"
#include "kernels/search.h"
#include "ops/search_common.h"

namespace pyasc {
namespace {

constexpr int64_t kFlattened = 1000;  // the dim of aclnnUniqueConsecutive that means "of the flattened tensor"

int64_t unique_cost(const View& in) { return 100 + in.size * 20; }

// The optional outputs' numbers among the call's outputs, -1 where there is none, and all handles for their final
// shapes.
struct Outputs {
    aclTensor* value;
    aclTensor* counts;
    int8_t inverse_at;
    int8_t counts_at;
};

// Adds value, inverse and counts as outputs, the latter two if they are wanted.
Outputs add_outputs(Call& call, aclTensor* value, bool wants_inverse, aclTensor* inverse, bool wants_counts,
                    aclTensor* counts) {
    Outputs outputs{value, counts, -1, -1};
    int8_t next = 1;
    call.out("valueOut", value);
    if (wants_inverse) {
        call.out("inverseOut", inverse);
        outputs.inverse_at = next++;
    }
    if (wants_counts) {
        call.out("countsOut", counts);
        outputs.counts_at = next++;
    }
    return outputs;
}

// `room`: elements that the outputs with a shape to come must have room for.
void check_outputs(Call& call, const Outputs& outputs, int64_t value_room, int64_t inverse_size, int64_t counts_room) {
    if (!call.ok()) return;
    const View& value = call.output(0);
    call.require(value.dtype == call.input(0).dtype, "self is %s but valueOut is %s; they must have one dtype",
                 dtype_name(call.input(0).dtype), dtype_name(value.dtype));
    call.require((value.contiguous() || value.size == 0) && value.size >= value_room,
                 "valueOut has shape %s; it must be contiguous with room for %ld elements", ShapeText(value).text,
                 static_cast<long>(value_room));
    if (outputs.inverse_at >= 0) {
        const View& inverse = call.output(outputs.inverse_at);
        require_int(call, "inverseOut", inverse.dtype);
        call.require(inverse.size == inverse_size, "inverseOut has shape %s; it must have %ld elements",
                     ShapeText(inverse).text, static_cast<long>(inverse_size));
    }
    if (outputs.counts_at >= 0) {
        const View& counts = call.output(outputs.counts_at);
        require_int(call, "countsOut", counts.dtype);
        call.require((counts.contiguous() || counts.size == 0) && counts.size >= counts_room,
                     "countsOut has shape %s; it must be contiguous with room for %ld elements", ShapeText(counts).text,
                     static_cast<long>(counts_room));
    }
}

// 64-bit positions for an output that may be narrower or strided.
struct Positions {
    Scratch memory;
    const View* target;
    Positions(const View* out, int64_t n) : memory(out == nullptr ? 0 : n * 8), target(out) {}
    int64_t* data() const { return target == nullptr ? nullptr : reinterpret_cast<int64_t*>(memory.data); }
    bool ok() const { return target == nullptr || memory.data != nullptr; }
    // The first n, in the target's shape (`whole`) or at its beginning.
    void finish(int64_t n, bool whole) const {
        if (target == nullptr) return;
        View to = *target;
        if (!whole) to = contiguous_view(target->data, target->dtype, &n, 1);
        copy_view(to, contiguous_view(memory.data, DType::I64, to.shape, to.ndim));
    }
};

int32_t run_unique(const Operands& o, const Outputs& outputs, bool consecutive) {
    const View& self = o.in[0];
    const DenseInput dense(self);
    const Positions inverse(outputs.inverse_at < 0 ? nullptr : &o.out[outputs.inverse_at], self.size);
    const Positions counts(outputs.counts_at < 0 ? nullptr : &o.out[outputs.counts_at], self.size);
    if (!dense.ok() || !inverse.ok() || !counts.ok()) return no_memory();
    const int64_t groups =
        self.size == 0 ? 0 : unique(dense.view, consecutive, o.out[0].data, inverse.data(), counts.data());
    if (groups < 0) return no_memory();
    inverse.finish(self.size, true);
    counts.finish(groups, false);
    Call::set_view_shape(outputs.value, &groups, 1);
    if (outputs.counts_at >= 0) Call::set_view_shape(outputs.counts, &groups, 1);
    return 0;
}

int32_t plan_unique(Call& call, const Outputs& outputs, bool consecutive) {
    if (!call.ok()) return call.status();
    const int64_t n = call.input(0).size;
    check_outputs(call, outputs, n, n, n);
    call.require(n < INT64_C(1) << 32, "self has %ld elements; at most 2^32 - 1 can be sorted", static_cast<long>(n));
    return call.run(unique_cost(call.input(0)),
                    [outputs, consecutive](const Operands& o) { return run_unique(o, outputs, consecutive); });
}

// One index of dimension `axis`.
View slice_of(const View& v, int axis, int64_t at) {
    View s = part_of(v, axis, at, 1);
    return s;
}

int32_t run_unique_rows(const Operands& o, const Outputs& outputs, int axis, bool consecutive) {
    const View& self = o.in[0];
    const int64_t rows = self.shape[axis];
    const int64_t width = rows == 0 ? 0 : self.size / rows;
    View turned = self;  // the axis first
    for (int d = axis; d > 0; --d) {
        turned.shape[d] = turned.shape[d - 1];
        turned.stride[d] = turned.stride[d - 1];
    }
    turned.shape[0] = rows;
    turned.stride[0] = self.stride[axis];
    const DenseInput dense(turned);
    const Positions inverse(outputs.inverse_at < 0 ? nullptr : &o.out[outputs.inverse_at], rows);
    const Positions counts(outputs.counts_at < 0 ? nullptr : &o.out[outputs.counts_at], rows);
    const Scratch order(rows * 8);
    if (!dense.ok() || !inverse.ok() || !counts.ok() || (order.data == nullptr && rows > 0)) return no_memory();
    int64_t* const first = reinterpret_cast<int64_t*>(order.data);
    const int64_t groups =
        unique_rows(dense.view.data, self.dtype, rows, width, consecutive, first, inverse.data(), counts.data());
    int64_t shape[kMaxDims];
    for (int d = 0; d < self.ndim; ++d) shape[d] = d == axis ? groups : self.shape[d];
    const View value = contiguous_view(o.out[0].data, self.dtype, shape, self.ndim);
    for (int64_t g = 0; g < groups; ++g) copy_view(slice_of(value, axis, g), slice_of(self, axis, first[g]));
    inverse.finish(rows, true);
    counts.finish(groups, false);
    Call::set_view_shape(outputs.value, shape, self.ndim);
    if (outputs.counts_at >= 0) Call::set_view_shape(outputs.counts, &groups, 1);
    return 0;
}

int32_t plan_unique_rows(Call& call, const Outputs& outputs, int64_t dim, bool consecutive) {
    if (!call.ok()) return call.status();
    const View& self = call.input(0);
    call.require(self.ndim > 0, "self has no dimension to look along");
    if (!call.axis("dim", &dim, self.ndim).ok()) return call.status();
    const int64_t rows = self.shape[dim];
    check_outputs(call, outputs, self.size, rows, rows);
    const int axis = static_cast<int>(dim);
    return call.run(2 * unique_cost(self), [outputs, axis, consecutive](const Operands& o) {
        return run_unique_rows(o, outputs, axis, consecutive);
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

// The elements come out in order whether `sorted` asks for it or not.
aclnnStatus aclnnUniqueGetWorkspaceSize(const aclTensor* self, bool sorted, bool returnInverse, aclTensor* valueOut,
                                        aclTensor* inverseOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
    static_cast<void>(sorted);
    Call call("aclnnUnique", workspaceSize, executor);
    call.in("self", self);
    const Outputs outputs = add_outputs(call, valueOut, returnInverse, inverseOut, false, nullptr);
    return plan_unique(call, outputs, false);
}
PYASC_PHASE2(aclnnUnique)

aclnnStatus aclnnUnique2GetWorkspaceSize(const aclTensor* self, bool sorted, bool returnInverse, bool returnCounts,
                                         aclTensor* valueOut, aclTensor* inverseOut, aclTensor* countsOut,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    static_cast<void>(sorted);
    Call call("aclnnUnique2", workspaceSize, executor);
    call.in("self", self);
    const Outputs outputs = add_outputs(call, valueOut, returnInverse, inverseOut, returnCounts, countsOut);
    return plan_unique(call, outputs, false);
}
PYASC_PHASE2(aclnnUnique2)

aclnnStatus aclnnUniqueDimGetWorkspaceSize(const aclTensor* self, bool sorted, bool returnInverse, int64_t dim,
                                           aclTensor* valueOut, aclTensor* inverseOut, aclTensor* countsOut,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
    static_cast<void>(sorted);
    Call call("aclnnUniqueDim", workspaceSize, executor);
    call.in("self", self);
    const Outputs outputs = add_outputs(call, valueOut, returnInverse, inverseOut, true, countsOut);
    return plan_unique_rows(call, outputs, dim, false);
}
PYASC_PHASE2(aclnnUniqueDim)

aclnnStatus aclnnUniqueConsecutiveGetWorkspaceSize(const aclTensor* self, bool returnInverse, bool returnCounts,
                                                   int64_t dim, aclTensor* valueOut, aclTensor* inverseOut,
                                                   aclTensor* countsOut, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
    Call call("aclnnUniqueConsecutive", workspaceSize, executor);
    call.in("self", self);
    const Outputs outputs = add_outputs(call, valueOut, returnInverse, inverseOut, returnCounts, countsOut);
    return dim == kFlattened ? plan_unique(call, outputs, true) : plan_unique_rows(call, outputs, dim, true);
}
PYASC_PHASE2(aclnnUniqueConsecutive)

}  // extern "C"

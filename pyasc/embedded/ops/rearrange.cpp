// Operators that only move elements: transposes, reversals, repetitions, slices.
#include "ops/rearrange.h"
#include "aclnnop/aclnn_as_strided.h"
#include "aclnnop/aclnn_channel_shuffle.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_flatten.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_slice_v2.h"
#include "aclnnop/aclnn_strided_slice_assign_v2.h"
#include "kernels/copy.h"

namespace pyasc {
namespace {

// Marks the dimensions that `dims` names; each may be named once.
uint32_t axis_set(Call& call, const aclIntArray* dims, int ndim) {
    uint32_t set = 0;
    for (uint64_t i = 0; i < dims->size && call.ok(); ++i) {
        int64_t dim = dims->data[i];
        call.axis("dims", &dim, ndim);
        if (!call.ok()) break;
        call.require((set >> dim & 1) == 0, "dims names dimension %ld twice", dim);
        set |= uint32_t{1} << dim;
    }
    return set;
}

int32_t plan_copy(Call& call) {
    const View& out = call.output(0);
    return call.run(move_cost(out.size, out.item()), [](const Operands& o) { copy_view(o.out[0], o.in[0]); });
}

// Splits dimension d of `v` into (outer, its length / outer).
void split_dim(View* v, int d, int64_t outer) {
    for (int k = v->ndim; k > d; --k) {
        v->shape[k] = v->shape[k - 1];
        v->stride[k] = v->stride[k - 1];
    }
    ++v->ndim;
    v->shape[d] = outer;
    v->shape[d + 1] = outer == 0 ? 0 : v->shape[d + 1] / outer;
    v->stride[d] = v->shape[d + 1] * v->stride[d + 1];
}

// Puts a dimension of n equal copies before dimension d.
void insert_repeats(View* v, int d, int64_t n) {
    for (int k = v->ndim; k > d; --k) {
        v->shape[k] = v->shape[k - 1];
        v->stride[k] = v->stride[k - 1];
    }
    ++v->ndim;
    v->shape[d] = n;
    v->stride[d] = 0;
    v->size *= n;
}

// out = self tiled: every tiled dimension is taken apart into (copy, element).
void tile(const View& out, const View& self) {
    View to = out, from = self;
    const int missing = out.ndim - self.ndim;
    for (int d = 0; d < missing; ++d) insert_repeats(&from, 0, 1);
    int at = 0;
    for (int d = 0; d < out.ndim; ++d, ++at) {
        const int64_t length = from.shape[at];
        if (length == out.shape[d]) continue;
        const int64_t copies = out.shape[d] / length;
        split_dim(&to, at, copies);
        insert_repeats(&from, at, copies);
        ++at;
    }
    copy_view(to, from);
}

// The elements start, start + step, … of one dimension, n of them.
struct Slice {
    int64_t start = 0, step = 1, n = 0;
};

// NumPy's rule for negative and far bounds; step > 0.
Slice slice_of(int64_t start, int64_t end, int64_t step, int64_t length) {
    const auto clamp = [&](int64_t v) { return v < 0 ? (v + length < 0 ? 0 : v + length) : v > length ? length : v; };
    Slice s{clamp(start), step, 0};
    const int64_t stop = clamp(end);
    s.n = stop > s.start ? (stop - s.start - 1) / step + 1 : 0;
    return s;
}

void apply_slice(View* v, int dim, const Slice& s) {
    if (s.n > 0) v->data += s.start * v->stride[dim] * v->item();
    v->shape[dim] = s.n;
    v->stride[dim] *= s.step;
    update_size(v);
}

// The slices of several dimensions, in a closure.
struct Slices {
    int count = 0;
    struct {
        int dim;
        Slice slice;
    } part[5];
};

// Reads starts, ends, steps and axes; axes and steps may be null.
bool read_slices(Call& call, const View& self, const aclIntArray* starts, const aclIntArray* ends,
                 const aclIntArray* axes, const aclIntArray* steps, Slices* out) {
    call.ints("starts", starts).ints("ends", ends);
    if (axes != nullptr) call.ints("axes", axes);
    if (steps != nullptr) call.ints("steps", steps);
    if (!call.ok()) return false;
    const uint64_t n = starts->size;
    call.require(ends->size == n && (axes == nullptr || axes->size == n) && (steps == nullptr || steps->size == n),
                 "starts, ends, axes and steps have different lengths (%lu, %lu, …)", n, ends->size);
    uint32_t seen = 0;
    for (uint64_t i = 0; i < n && call.ok(); ++i) {
        int64_t dim = axes != nullptr ? axes->data[i] : static_cast<int64_t>(i);
        const int64_t step = steps != nullptr ? steps->data[i] : 1;
        if (!call.axis("axes", &dim, self.ndim)
                 .require(step > 0, "steps[%lu] is %ld; it must be positive (use aclnnFlip to reverse)", i, step)
                 .ok()) {
            break;
        }
        call.require((seen >> dim & 1) == 0, "axes names dimension %ld twice", dim);
        seen |= uint32_t{1} << dim;
        const Slice slice = slice_of(starts->data[i], ends->data[i], step, self.shape[dim]);
        if (slice.n == self.shape[dim] && slice.start == 0) continue;
        if (!call.require(out->count < 5, "more than 5 dimensions are cut; slice in two steps").ok()) break;
        out->part[out->count++] = {static_cast<int>(dim), slice};
    }
    return call.ok();
}

void apply_slices(View* v, const Slices& slices) {
    for (int i = 0; i < slices.count; ++i) apply_slice(v, slices.part[i].dim, slices.part[i].slice);
}

int32_t plan_expand(Call& call, const aclTensor* self, const aclIntArray* size, const aclTensor* out) {
    if (!call.in("self", self).ints("size", size).out("out", out).ok()) return call.status();
    const View &v = call.input(0), &to = call.output(0);
    const int ndim = static_cast<int>(size->size);
    call.require(size->size == static_cast<uint64_t>(to.ndim), "size has %lu elements, out %d dimensions", size->size,
                 to.ndim);
    for (int d = 0; d < ndim && call.ok(); ++d) {
        const int from = d - (ndim - v.ndim);
        const int64_t want = size->data[d] == -1 && from >= 0 ? v.shape[from] : size->data[d];
        call.require(to.shape[d] == want, "out has shape %s; dimension %d of size is %ld", ShapeText(to).text, d, want);
    }
    View probe = v;
    if (call.ok()) {
        call.require(broadcast_to(&probe, to.shape, to.ndim), "self of shape %s does not expand to %s",
                     ShapeText(v).text, ShapeText(to).text);
    }
    return call.ok() ? plan_copy(call) : call.status();
}

// How far each dimension is rolled, each amount in [0, length).
struct Shifts {
    int n = 0;
    int dim[10];
    int64_t by[10];
};

bool read_shifts(Call& call, const View& self, const aclIntArray* shifts, const aclIntArray* dims, Shifts* out) {
    int64_t by[kMaxDims] = {};
    call.require(shifts->size == dims->size, "shifts has %lu elements, dims %lu", shifts->size, dims->size);
    for (uint64_t i = 0; i < dims->size && call.ok(); ++i) {
        int64_t dim = dims->data[i];
        if (!call.axis("dims", &dim, self.ndim).ok()) break;
        const int64_t length = self.ndim ? self.shape[dim] : 1;
        if (length > 0) by[dim] = ((by[dim] + shifts->data[i] % length) % length + length) % length;
    }
    for (int d = 0; d < self.ndim && call.ok(); ++d) {
        if (by[d] == 0) continue;
        if (!call.require(out->n < 10, "more than 10 dimensions are rolled; roll in two steps").ok()) break;
        out->dim[out->n] = d;
        out->by[out->n++] = by[d];
    }
    return call.ok();
}

void roll(const View& out, const View& self, const Shifts& shifts) {
    AxisMap maps[kMaxDims];
    for (int d = 0, k = 0; d < out.ndim; ++d) {
        const bool rolled = k < shifts.n && shifts.dim[k] == d;
        const int64_t n = out.shape[d], by = rolled ? shifts.by[k++] : 0;
        maps[d].add(by, n - by, 1);
        maps[d].add(n - by, 0, 1);
    }
    remap(out, self, maps, nullptr);
}

// roll(x.reshape(-1)), back in x's shape.
int32_t plan_flat_roll(Call& call, const aclIntArray* shifts) {
    const View& self = call.input(0);
    if (!call.require(shifts->size == 1, "dims is empty, so shifts must have one element, not %lu", shifts->size)
             .ok()) {
        return call.status();
    }
    Shifts plan;
    plan.n = 1;
    plan.dim[0] = 0;
    plan.by[0] = self.size > 0 ? (shifts->data[0] % self.size + self.size) % self.size : 0;
    return call.run(move_cost(self.size, self.item()), [plan](const Operands& o) {
        const Dense from(o.in[0]), to(o.out[0], false);
        if (!from.ok() || !to.ok()) return no_memory("aclnnRoll");
        roll(flat_view(to.view), flat_view(from.view), plan);
        if (to.copied(o.out[0])) copy_view(o.out[0], to.view);
        return 0;
    });
}

int32_t plan_roll(Call& call, const aclIntArray* shifts, const aclIntArray* dims) {
    if (dims->size == 0) return plan_flat_roll(call, shifts);
    const View& self = call.input(0);
    Shifts plan;
    if (!read_shifts(call, self, shifts, dims, &plan)) return call.status();
    return call.run(move_cost(self.size, self.item()), [plan](const Operands& o) { roll(o.out[0], o.in[0], plan); });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnPermuteGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnPermute", workspaceSize, executor);
    if (!call.in("self", self).ints("dims", dims).out("out", out).same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    if (!call.require(dims->size == static_cast<uint64_t>(v.ndim), "dims has %lu elements, self %d dimensions",
                      dims->size, v.ndim)
             .ok()) {
        return call.status();
    }
    struct {
        int8_t dim[kMaxDims];
    } order;
    int64_t shape[kMaxDims];
    axis_set(call, dims, v.ndim);
    if (!call.ok()) return call.status();
    for (int d = 0; d < v.ndim; ++d) {
        order.dim[d] = static_cast<int8_t>(dims->data[d] < 0 ? dims->data[d] + v.ndim : dims->data[d]);
        shape[d] = v.shape[order.dim[d]];
    }
    require_shape(call, "out", call.output(0), shape, v.ndim);
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.size, v.item()), [order](const Operands& o) {
        View from = o.in[0];
        for (int d = 0; d < from.ndim; ++d) {
            from.shape[d] = o.in[0].shape[order.dim[d]];
            from.stride[d] = o.in[0].stride[order.dim[d]];
        }
        copy_view(o.out[0], from);
    });
}
PYASC_PHASE2(aclnnPermute)

aclnnStatus aclnnFlipGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnFlip", workspaceSize, executor);
    if (!call.in("self", self).ints("dims", dims).out("out", out).same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    const uint32_t set = axis_set(call, dims, v.ndim);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.size, v.item()), [set](const Operands& o) {
        View from = o.in[0];
        for (int d = 0; d < from.ndim && from.size > 0; ++d) {
            if ((set >> d & 1) == 0) continue;
            from.data += (from.shape[d] - 1) * from.stride[d] * from.item();
            from.stride[d] = -from.stride[d];
        }
        move_view(o.out[0], from);
    });
}
PYASC_PHASE2(aclnnFlip)

aclnnStatus aclnnRollGetWorkspaceSize(const aclTensor* x, const aclIntArray* shifts, const aclIntArray* dims,
                                      aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnRoll", workspaceSize, executor);
    if (!call.in("x", x).ints("shifts", shifts).ints("dims", dims).out("out", out).same_dtype().ok())
        return call.status();
    require_shape(call, "out", call.output(0), call.input(0));
    return call.ok() ? plan_roll(call, shifts, dims) : call.status();
}
PYASC_PHASE2(aclnnRoll)

aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor* self, const aclIntArray* repeats, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnRepeat", workspaceSize, executor);
    if (!call.in("self", self).ints("repeats", repeats).out("out", out).same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    const int ndim = static_cast<int>(repeats->size);
    if (!call.require(repeats->size <= kMaxDims && ndim >= v.ndim, "repeats has %lu elements for %d dimensions",
                      repeats->size, v.ndim)
             .ok()) {
        return call.status();
    }
    int64_t shape[kMaxDims];
    int taken_apart = 0;
    for (int d = 0; d < ndim; ++d) {
        const int from = d - (ndim - v.ndim);
        call.require(repeats->data[d] >= 0, "repeats[%d] is %ld", d, repeats->data[d]);
        shape[d] = (from < 0 ? 1 : v.shape[from]) * repeats->data[d];
        taken_apart += repeats->data[d] > 1;
    }
    call.require(ndim + taken_apart <= kMaxDims, "%d dimensions, %d of them repeated, are more than %d", ndim,
                 taken_apart, kMaxDims);
    require_shape(call, "out", call.output(0), shape, ndim);
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.output(0).size, v.item()), [](const Operands& o) {
        if (o.out[0].size > 0) tile(o.out[0], o.in[0]);
    });
}
PYASC_PHASE2(aclnnRepeat)

aclnnStatus aclnnExpandGetWorkspaceSize(const aclTensor* self, const aclIntArray* size, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnExpand", workspaceSize, executor);
    return plan_expand(call, self, size, out);
}
PYASC_PHASE2(aclnnExpand)

aclnnStatus aclnnExpandvGetWorkspaceSize(const aclTensor* self, const aclIntArray* shape, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnExpandv", workspaceSize, executor);
    return plan_expand(call, self, shape, out);
}
PYASC_PHASE2(aclnnExpandv)

aclnnStatus aclnnFlattenGetWorkspaceSize(const aclTensor* self, int64_t axis, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
    Call call("aclnnFlatten", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().ok()) return call.status();
    const View &v = call.input(0), &to = call.output(0);
    call.require(axis >= -v.ndim && axis <= v.ndim, "axis is %ld, self has %d dimensions", axis, v.ndim);
    int64_t shape[2] = {1, 1};
    const int64_t first = axis < 0 ? axis + v.ndim : axis;
    for (int d = 0; d < v.ndim; ++d) shape[d >= first] *= v.shape[d];
    require_shape(call, "out", to, shape, 2);
    call.require(is_dense(to), "out is not contiguous");
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.size, v.item()), [](const Operands& o) {
        copy_view(contiguous_view(o.out[0].data, o.in[0].dtype, o.in[0].shape, o.in[0].ndim), o.in[0]);
    });
}
PYASC_PHASE2(aclnnFlatten)

aclnnStatus aclnnSliceGetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t start, int64_t end, int64_t step,
                                       aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSlice", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).ok()) return call.status();
    View v = call.input(0);
    call.require(v.ndim > 0, "self is 0-d")
        .axis("dim", &dim, v.ndim)
        .require(step > 0, "step is %ld; it must be positive", step);
    if (!call.ok()) return call.status();
    const Slice slice = slice_of(start, end, step, v.shape[dim]);
    apply_slice(&v, static_cast<int>(dim), slice);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.size, v.item()), [dim, slice](const Operands& o) {
        View from = o.in[0];
        apply_slice(&from, static_cast<int>(dim), slice);
        copy_view(o.out[0], from);
    });
}
PYASC_PHASE2(aclnnSlice)

aclnnStatus aclnnSliceV2GetWorkspaceSize(const aclTensor* self, const aclIntArray* starts, const aclIntArray* ends,
                                         const aclIntArray* axes, const aclIntArray* steps, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSliceV2", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).ok()) return call.status();
    View v = call.input(0);
    Slices slices;
    if (!read_slices(call, v, starts, ends, axes, steps, &slices)) return call.status();
    apply_slices(&v, slices);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.size, v.item()), [slices](const Operands& o) {
        View from = o.in[0];
        apply_slices(&from, slices);
        copy_view(o.out[0], from);
    });
}
PYASC_PHASE2(aclnnSliceV2)

aclnnStatus aclnnStridedSliceAssignV2GetWorkspaceSize(aclTensor* varRef, const aclTensor* inputValue,
                                                      const aclIntArray* begin, const aclIntArray* end,
                                                      const aclIntArray* strides, const aclIntArray* axesOptional,
                                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnStridedSliceAssignV2", workspaceSize, executor);
    if (!call.inout("varRef", varRef).in("inputValue", inputValue).ok()) return call.status();
    View v = call.output(0);
    Slices slices;
    if (!read_slices(call, v, begin, end, axesOptional, strides, &slices)) return call.status();
    apply_slices(&v, slices);
    require_shape(call, "inputValue", call.input(0), v);
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.size, v.item()), [slices](const Operands& o) {
        View to = o.out[0];
        apply_slices(&to, slices);
        copy_view(to, o.in[0]);
    });
}
PYASC_PHASE2(aclnnStridedSliceAssignV2)

aclnnStatus aclnnAsStridedGetWorkspaceSize(const aclTensor* x, const aclIntArray* size, const aclIntArray* stride,
                                           const aclIntArray* storageOffset, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("aclnnAsStrided", workspaceSize, executor);
    call.in("x", x)
        .ints("size", size)
        .ints("stride", stride)
        .ints("storageOffset", storageOffset)
        .out("out", out)
        .same_dtype();
    if (!call.ok()) return call.status();
    const View &v = call.input(0), &to = call.output(0);
    call.require(is_dense(v), "x is not contiguous");
    call.require(size->size == stride->size && size->size <= 10,
                 "size has %lu elements, stride %lu; at most 10 are allowed", size->size, stride->size);
    call.require(storageOffset->size == 1, "storageOffset has %lu elements; it must have one", storageOffset->size);
    if (!call.ok()) return call.status();
    struct {
        int64_t stride[10], offset;
    } plan = {{}, storageOffset->data[0]};
    require_shape(call, "out", to, size->data, static_cast<int>(size->size));
    int64_t last = plan.offset;
    bool inside = last >= 0;
    for (uint64_t d = 0; d < size->size && call.ok(); ++d) {
        int64_t reach = 0;
        plan.stride[d] = stride->data[d];
        call.require(stride->data[d] >= 0, "stride[%lu] is %ld; it must not be negative", d, stride->data[d]);
        inside = inside && !__builtin_mul_overflow(size->data[d] - 1, stride->data[d], &reach) &&
                 !__builtin_add_overflow(last, reach, &last);
    }
    call.require(to.size == 0 || (inside && last < v.size), "the view ends at element %ld of x, which has %ld", last,
                 v.size);
    if (!call.ok()) return call.status();
    return call.run(move_cost(to.size, to.item()), [plan](const Operands& o) {
        if (o.out[0].size == 0) return;
        View from = o.out[0];
        from.data = o.in[0].data + plan.offset * from.item();
        for (int d = 0; d < from.ndim; ++d) from.stride[d] = plan.stride[d];
        copy_view(o.out[0], from);
    });
}
PYASC_PHASE2(aclnnAsStrided)

aclnnStatus aclnnChannelShuffleGetWorkspaceSize(const aclTensor* self, int64_t groups, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnChannelShuffle", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    call.require(v.ndim > 2 && v.ndim < kMaxDims, "self has %d dimensions; it must have at least 3", v.ndim);
    if (call.ok())
        call.require(groups > 0 && v.shape[1] % groups == 0, "%ld channels do not divide into %ld groups", v.shape[1],
                     groups);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.size, v.item()), [groups](const Operands& o) {
        if (o.out[0].size == 0) return;
        View from = o.in[0], to = o.out[0];
        split_dim(&from, 1, groups);
        split_dim(&to, 1, from.shape[2]);
        for (int64_t* pair : {from.shape, from.stride}) {
            const int64_t group = pair[1];
            pair[1] = pair[2];
            pair[2] = group;
        }
        copy_view(to, from);
    });
}
PYASC_PHASE2(aclnnChannelShuffle)

}  // extern "C"

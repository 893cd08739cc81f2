// Writing with an array of indices, element by element or by coordinates.
#include "aclnnop/aclnn_scatter.h"

#include "acl/error_codes/rt_error_codes.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_scatter_nd.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_scatter_reduce.h"
#include "aclnnop/aclnn_scatter_update.h"
#include "aclnnop/aclnn_tf_scatter_add.h"
#include "kernels/binary.h"
#include "kernels/copy.h"
#include "ops/index.h"

namespace pyasc {
namespace {

// The `reduce` argument of the family.
enum Reduce : int64_t { kReplace = 0, kAdd = 1, kMultiply = 2, kMaximum = 3, kMinimum = 4, kMean = 5 };

Combine combine_of(int64_t reduce) {
    switch (reduce) {
        case kAdd:
        case kMean: return Combine::Add;
        case kMultiply: return Combine::Multiply;
        case kMaximum: return Combine::Maximum;
        case kMinimum: return Combine::Minimum;
        default: return Combine::Assign;
    }
}

struct ScatterPlan {
    const char* op;
    int dim;
    int64_t reduce;
    bool include_self;
    bool from_scalar;
    Item value;  // if from_scalar
};

int64_t scatter_cost(const View& out, const View& index) { return move_cost(out.size, out.item()) + 4 * index.size; }

// An item that stands for a whole array.
View constant_view(const Item& item, DType dtype, const View& like) {
    View v = like;
    v.data = const_cast<char*>(item.bytes);
    v.dtype = dtype;
    for (int d = 0; d < v.ndim; ++d) v.stride[d] = 0;
    return v;
}

Item one_of(DType type) {
    Item one = {};
    Item source = {};
    source.bytes[0] = 1;
    View from;
    from.data = source.bytes;
    from.dtype = DType::U8;
    View to = from;
    to.data = one.bytes;
    to.dtype = type;
    copy_view(to, from);
    return one;
}

void scatter_into(const View& array, const View& plain, const View& index, int dim, CombineFns combine) {
    Transfer t;
    plan_elements(&t, array, plain, index, dim);
    scatter(t, combine);
}

// What was there does not count: places that will be written start from a neutral value.
void forget_self(const ScatterPlan& plan, const View& out, const View& source, const View& index) {
    Item neutral = {};
    if (plan.reduce == kMultiply) neutral = one_of(out.dtype);
    const bool any_source = plan.reduce == kMaximum || plan.reduce == kMinimum;
    scatter_into(out, any_source ? source : constant_view(neutral, out.dtype, index), index, plan.dim, {});
}

// Divides every place by the number of values it has received. Integers round down.
int32_t divide_by_counts(const ScatterPlan& plan, const View& out, const View& index) {
    Scratch memory(out.size * 8), converted(out.size * out.item());
    if (memory.data == nullptr || converted.data == nullptr) return no_memory(plan.op);
    const View counts = contiguous_view(memory.data, DType::I64, out.shape, out.ndim);
    const int64_t start = plan.include_self ? 1 : 0, one = 1;
    fill_view(counts, &start);
    Item item = {};
    item.bytes[0] = 1;  // one, little-endian
    scatter_into(counts, constant_view(item, DType::I64, index), index, plan.dim,
                 find_combine(Combine::Add, DType::I64));
    int64_t* count = reinterpret_cast<int64_t*>(memory.data);
    for (int64_t i = 0; i < out.size; ++i) count[i] = count[i] < one ? one : count[i];
    const View divisor = contiguous_view(converted.data, out.dtype, out.shape, out.ndim);
    copy_view(divisor, counts);
    const View* inputs[] = {&out, &divisor};
    Loop loop;
    const bool whole = is_integer(out.dtype);
    plan_loop(&loop, binary_inner(whole ? Binary::FloorDivide : Binary::Div, out.dtype), 20, out, inputs, 2);
    run_loop(loop);
    return 0;
}

int32_t run_scatter(const ScatterPlan& plan, const View& out, const View* self, const View& index, const View* source) {
    const Aside at(at_least_1d(index), out);
    const View src = plan.from_scalar ? constant_view(plan.value, out.dtype, at.view) : at_least_1d(*source);
    const Aside values(src, out);
    if (!at.ok() || !values.ok()) return no_memory(plan.op);
    const View to = at_least_1d(out);
    Transfer check;
    plan_elements(&check, to, values.view, at.view, plan.dim);
    const int32_t status = check_indices(plan.op, check.at);
    if (status != 0) return status;
    if (self != nullptr) copy_unless_same(out, *self);
    if (!plan.include_self && plan.reduce != kReplace) forget_self(plan, to, values.view, at.view);
    const Combine combine = combine_of(plan.reduce);
    scatter_into(to, values.view, at.view, plan.dim,
                 combine == Combine::Assign ? CombineFns{} : find_combine(combine, out.dtype));
    return plan.reduce == kMean ? divide_by_counts(plan, to, at.view) : 0;
}

// Adds src (unless a scalar takes its place) and index to the operands: self and out, or selfRef alone, come first.
int32_t plan_scatter(Call& call, ScatterPlan plan, int64_t dim, const aclTensor* index, const aclTensor* src,
                     const aclScalar* value = nullptr) {
    const bool in_place = call.inputs() == 0, scalar = plan.from_scalar;
    const int64_t reduce = plan.reduce;
    if (!scalar) call.in("src", src);
    if (!call.same_dtype().in("index", index).ok()) return call.status();
    const int at_input = call.inputs() - 1;
    const View to = at_least_1d(call.output(0)), at = at_least_1d(call.input(at_input));
    if (scalar && !store_scalar(call, "value", value, to.dtype, &plan.value)) return call.status();
    require_int(call, "index", at.dtype);
    call.axis("dim", &dim, to.ndim).require(at.ndim == to.ndim, "index has %d dimensions, self %d", at.ndim, to.ndim);
    call.require(reduce >= kReplace && reduce <= kMean,
                 "reduce is %ld; 0 (replace), 1 (add), 2 (multiply), 3 (max), 4 (min) and 5 "
                 "(mean) are allowed",
                 reduce);
    const Combine combine = combine_of(reduce);
    call.require(combine == Combine::Assign || find_combine(combine, to.dtype).at != nullptr,
                 "%s has no order to take a maximum by", dtype_name(to.dtype));
    call.require(reduce != kMean || to.dtype != DType::Bool, "bool has no mean");
    if (!in_place && call.ok()) require_shape(call, "out", call.output(0), call.input(0));
    for (int d = 0; d < to.ndim && call.ok(); ++d) {
        call.require(d == dim || at.shape[d] <= to.shape[d],
                     "index of shape %s is longer than self of shape %s in dimension %d", ShapeText(at).text,
                     ShapeText(to).text, d);
    }
    if (!scalar && call.ok()) {
        const View from = at_least_1d(call.input(at_input - 1));
        bool covers = from.ndim == at.ndim;
        for (int d = 0; covers && d < at.ndim; ++d) covers = at.shape[d] <= from.shape[d];
        call.require(covers, "src of shape %s does not cover index of shape %s", ShapeText(from).text,
                     ShapeText(at).text);
    }
    if (!call.ok()) return call.status();
    plan.dim = static_cast<int>(dim);
    return call.run(scatter_cost(to, at), [plan, in_place, at_input](const Operands& o) {
        return run_scatter(plan, o.out[0], in_place ? nullptr : &o.in[0], o.in[at_input],
                           plan.from_scalar ? nullptr : &o.in[at_input - 1]);
    });
}

// Coordinates. `copies`: input 0 is what the output starts from.
int32_t plan_scatter_nd(Call& call, const char* op, int updates_input, int indices_input, bool copies) {
    const View &to = call.output(0), &from = call.input(updates_input), &at = call.input(indices_input);
    require_int(call, "indices", at.dtype);
    call.require(at.ndim > 0 && at.shape[at.ndim - 1] > 0 && at.shape[at.ndim - 1] <= to.ndim,
                 "the last dimension of indices, of shape %s, must be 1 to %d", ShapeText(at).text, to.ndim);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims];
    require_shape(call, "updates", from, shape, coordinates_shape(to, at, shape));
    if (copies) require_shape(call, "out", to, call.input(0));
    if (!call.ok()) return call.status();
    return call.run(scatter_cost(to, at), [op, updates_input, indices_input, copies](const Operands& o) {
        const Aside values(o.in[updates_input], o.out[0]), at(o.in[indices_input], o.out[0]);
        if (!values.ok() || !at.ok()) return no_memory(op);
        Transfer t;
        plan_coordinates(&t, o.out[0], values.view, at.view);
        const int32_t status = check_indices(op, t.at);
        if (status != 0) return status;
        if (copies) copy_unless_same(o.out[0], o.in[0]);
        scatter(t);
        return 0;
    });
}

int64_t index_at(const View& v, int64_t row, int64_t column) {
    const char* p =
        v.data + (v.ndim > 0 ? row * v.stride[0] : 0) * v.item() + (v.ndim > 1 ? column * v.stride[1] : 0) * v.item();
    return v.dtype == DType::I64 ? *reinterpret_cast<const int64_t*>(p) : *reinterpret_cast<const int32_t*>(p);
}

// For every batch: data[batch] from a given place along `axis` <- updates[batch]. Two columns of indices name the batch
// too.
int32_t run_update(const View& data, const View& updates, const View& at, int axis) {
    const int64_t rows = updates.shape[0], length = updates.shape[axis];
    const bool pairs = at.ndim == 2;
    for (int64_t i = 0; i < rows; ++i) {
        const int64_t batch = pairs ? index_at(at, i, 0) : i, place = index_at(at, i, pairs ? 1 : 0);
        if (batch >= 0 && batch < data.shape[0] && place >= 0 && place <= data.shape[axis] - length) continue;
        return fail(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                    "aclnnInplaceScatterUpdate: indices[%ld] is %ld, out of range for %ld of %ld "
                    "elements; nothing was written",
                    i, place, length, data.shape[axis]);
    }
    for (int64_t i = 0; i < rows; ++i) {
        const int64_t batch = pairs ? index_at(at, i, 0) : i, place = index_at(at, i, pairs ? 1 : 0);
        const View to = part_of(part_of(data, 0, batch, 1), axis, place, length);
        copy_view(to, part_of(updates, 0, i, 1));
    }
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnScatterGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                         const aclTensor* src, int64_t reduce, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
    Call call("aclnnScatter", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return plan_scatter(call, {"aclnnScatter", 0, reduce, true, false, {}}, dim, index, src);
}
PYASC_PHASE2(aclnnScatter)

aclnnStatus aclnnInplaceScatterGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclTensor* index,
                                                const aclTensor* src, int64_t reduce, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
    Call call("aclnnInplaceScatter", workspaceSize, executor);
    call.inout("selfRef", selfRef);
    return plan_scatter(call, {"aclnnInplaceScatter", 0, reduce, true, false, {}}, dim, index, src);
}
PYASC_PHASE2(aclnnInplaceScatter)

aclnnStatus aclnnScatterValueGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                              const aclScalar* value, int64_t reduce, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnScatterValue", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return plan_scatter(call, {"aclnnScatterValue", 0, reduce, true, true, {}}, dim, index, nullptr, value);
}
PYASC_PHASE2(aclnnScatterValue)

aclnnStatus aclnnInplaceScatterValueGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclTensor* index,
                                                     const aclScalar* value, int64_t reduce, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor) {
    Call call("aclnnInplaceScatterValue", workspaceSize, executor);
    call.inout("selfRef", selfRef);
    return plan_scatter(call, {"aclnnInplaceScatterValue", 0, reduce, true, true, {}}, dim, index, nullptr, value);
}
PYASC_PHASE2(aclnnInplaceScatterValue)

aclnnStatus aclnnScatterAddGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                            const aclTensor* src, aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
    Call call("aclnnScatterAdd", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return plan_scatter(call, {"aclnnScatterAdd", 0, kAdd, true, false, {}}, dim, index, src);
}
PYASC_PHASE2(aclnnScatterAdd)

aclnnStatus aclnnScatterReduceGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                               const aclTensor* src, int64_t reduce, bool includeSelf, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnScatterReduce", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return plan_scatter(call, {"aclnnScatterReduce", 0, reduce, includeSelf, false, {}}, dim, index, src);
}
PYASC_PHASE2(aclnnScatterReduce)

aclnnStatus aclnnInplaceScatterReduceGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclTensor* index,
                                                      const aclTensor* src, int64_t reduce, bool includeSelf,
                                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceScatterReduce", workspaceSize, executor);
    call.inout("selfRef", selfRef);
    return plan_scatter(call, {"aclnnInplaceScatterReduce", 0, reduce, includeSelf, false, {}}, dim, index, src);
}
PYASC_PHASE2(aclnnInplaceScatterReduce)

aclnnStatus aclnnScatterNdGetWorkspaceSize(const aclTensor* data, const aclTensor* indices, const aclTensor* updates,
                                           aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnScatterNd", workspaceSize, executor);
    if (!call.in("data", data).in("updates", updates).out("out", out).same_dtype().in("indices", indices).ok())
        return call.status();
    return plan_scatter_nd(call, "aclnnScatterNd", 1, 2, true);
}
PYASC_PHASE2(aclnnScatterNd)

aclnnStatus aclnnScatterNdUpdateGetWorkspaceSize(aclTensor* varRef, const aclTensor* indices, const aclTensor* updates,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnScatterNdUpdate", workspaceSize, executor);
    if (!call.inout("varRef", varRef).in("updates", updates).same_dtype().in("indices", indices).ok())
        return call.status();
    return plan_scatter_nd(call, "aclnnScatterNdUpdate", 0, 1, false);
}
PYASC_PHASE2(aclnnScatterNdUpdate)

// varRef[indices[…]] += updates[…], along dimension 0.
aclnnStatus aclnnTfScatterAddGetWorkspaceSize(aclTensor* varRef, const aclTensor* indices, const aclTensor* updates,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnTfScatterAdd", workspaceSize, executor);
    if (!call.inout("varRef", varRef).in("updates", updates).same_dtype().in("indices", indices).ok())
        return call.status();
    const View &to = call.output(0), &from = call.input(0), &at = call.input(1);
    require_int(call, "indices", at.dtype);
    call.require(to.ndim > 0 && to.ndim + at.ndim - 1 <= kMaxDims, "varRef has %d dimensions", to.ndim);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims];
    require_shape(call, "updates", from, shape, along_shape(to, at, 0, 0, shape));
    if (!call.ok()) return call.status();
    return call.run(scatter_cost(from, at), [](const Operands& o) {
        const Aside values(o.in[0], o.out[0]), at(o.in[1], o.out[0]);
        if (!values.ok() || !at.ok()) return no_memory("aclnnTfScatterAdd");
        Transfer t;
        plan_along(&t, o.out[0], values.view, at.view, 0);
        const int32_t status = check_indices("aclnnTfScatterAdd", t.at);
        if (status == 0) scatter(t, find_combine(Combine::Add, o.out[0].dtype));
        return status;
    });
}
PYASC_PHASE2(aclnnTfScatterAdd)

aclnnStatus aclnnInplaceScatterUpdateGetWorkspaceSize(aclTensor* data, const aclTensor* indices,
                                                      const aclTensor* updates, int64_t axis, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor) {
    Call call("aclnnInplaceScatterUpdate", workspaceSize, executor);
    if (!call.inout("data", data).in("updates", updates).same_dtype().in("indices", indices).ok()) return call.status();
    const View &to = call.output(0), &from = call.input(0), &at = call.input(1);
    require_int(call, "indices", at.dtype);
    call.require(to.ndim >= 2 && from.ndim == to.ndim,
                 "data has %d dimensions and updates %d; both must have the same, at least 2", to.ndim, from.ndim)
        .axis("axis", &axis, to.ndim)
        .require(axis != 0, "axis is 0");
    call.require(at.ndim <= 2 && (at.ndim < 2 || at.shape[1] == 2),
                 "indices has shape %s; it must be 0-d, 1-d or (n, 2)", ShapeText(at).text);
    for (int d = 1; d < to.ndim && call.ok(); ++d) {
        call.require(d == axis ? from.shape[d] <= to.shape[d] : from.shape[d] == to.shape[d],
                     "updates of shape %s do not fit into %s", ShapeText(from).text, ShapeText(to).text);
    }
    if (call.ok()) {
        call.require(from.shape[0] == (at.ndim ? at.shape[0] : 1) && from.shape[0] <= to.shape[0],
                     "updates of shape %s need one index for "
                     "each of their first dimension; indices has shape %s",
                     ShapeText(from).text, ShapeText(at).text);
    }
    if (!call.ok()) return call.status();
    return call.run(scatter_cost(from, at), [axis](const Operands& o) {
        const Aside values(o.in[0], o.out[0]), at(o.in[1], o.out[0]);
        if (!values.ok() || !at.ok()) return no_memory("aclnnInplaceScatterUpdate");
        return run_update(o.out[0], values.view, at.view, static_cast<int>(axis));
    });
}
PYASC_PHASE2(aclnnInplaceScatterUpdate)

}  // extern "C"

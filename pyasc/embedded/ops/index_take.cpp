// Reading with one array of indices: along a dimension, element by element, or by coordinates.
#include "acl/error_codes/rt_error_codes.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_gather_nd.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_gather_v3.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_put.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_take.h"
#include "kernels/copy.h"
#include "ops/index.h"

namespace pyasc {
namespace {

int64_t take_cost(const View& out) { return move_cost(out.size, out.item() + 8); }

// Moves out <- array, after the indices were found good.
int32_t checked_gather(const char* op, const Transfer& t) {
    const int32_t status = check_indices(op, t.at);
    if (status == 0) gather(t);
    return status;
}

// `keep`: a 0-d index leaves a dimension of length 1 behind.
int32_t plan_take_along(Call& call, const char* op, int64_t dim, int64_t batch, bool keep = false) {
    const View v = at_least_1d(call.input(0)), &out = call.output(0);
    const View index = keep ? at_least_1d(call.input(1)) : call.input(1);
    require_int(call, "index", index.dtype);
    call.axis("dim", &dim, v.ndim);
    call.require(batch >= 0 && batch <= dim && batch <= index.ndim, "batchDims is %ld", batch);
    for (int d = 0; d < batch && call.ok(); ++d) {
        call.require(index.shape[d] == v.shape[d], "index of shape %s does not share batch dimension %d with %s",
                     ShapeText(index).text, d, ShapeText(v).text);
    }
    call.require(v.ndim + index.ndim - 1 <= kMaxDims, "the result has more than %d dimensions", kMaxDims);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims];
    const int ndim = along_shape(v, index, static_cast<int>(dim), static_cast<int>(batch), shape);
    const bool scalar = call.input(0).ndim == 0 && out.ndim == 0 && index.size == 1;
    if (!scalar) require_shape(call, "out", out, shape, ndim);
    if (!call.ok()) return call.status();
    return call.run(take_cost(out), [op, dim, batch, keep](const Operands& o) {
        Transfer t;
        plan_along(&t, at_least_1d(o.in[0]), at_least_1d(o.out[0]), keep ? at_least_1d(o.in[1]) : o.in[1],
                   static_cast<int>(dim), static_cast<int>(batch));
        return checked_gather(op, t);
    });
}

// Repeats given as an array: its sum is known when the stream gets there.
struct Repeats {
    const char* op;
    int dim;  // -1: of the flattened array
    int64_t length;
};

// index[j] = the element that output j copies. 0, or a runtime code.
int32_t expand_repeats(const Repeats& plan, const View& repeats, int64_t n, int64_t outputs, int64_t* index) {
    const Walk<1> walk = walk_of(repeats);
    const bool wide = repeats.dtype == DType::I64;
    const bool single = repeats.size == 1;
    int64_t total = 0, at = 0;
    bool good = true;
    each_row(walk, 0, repeats.size, [&](const int64_t* offset, int64_t m) {
        for (int64_t i = 0; i < m && good; ++i, ++at) {
            const char* p = repeats.data + offset[0] + i * row_step(walk, 0, repeats.item());
            const int64_t count = wide ? *reinterpret_cast<const int64_t*>(p) : *reinterpret_cast<const int32_t*>(p);
            for (int64_t k = single ? 0 : at; good && k < (single ? n : at + 1); ++k) {
                good = count >= 0 && count <= outputs - total;
                for (int64_t j = 0; good && j < count; ++j) index[total + j] = k;
                total += good ? count : 0;
            }
        }
    });
    if (good && total == outputs) return 0;
    return fail(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                "%s: repeats has a negative element, or does not add up to the %ld elements of out", plan.op, outputs);
}

int32_t run_repeats(const Repeats& plan, const View& self, const View& repeats, const View& out) {
    const Dense dense(self);
    if (!dense.ok()) return no_memory(plan.op);
    const View from = plan.dim < 0 ? flat_view(dense.view) : self;
    const int dim = plan.dim < 0 ? 0 : plan.dim;
    const int64_t outputs = out.shape[dim];
    Scratch memory(outputs * 8);
    if (memory.data == nullptr) return no_memory(plan.op);
    int64_t* index = reinterpret_cast<int64_t*>(memory.data);
    const int32_t status = expand_repeats(plan, repeats, from.shape[dim], outputs, index);
    if (status != 0) return status;
    Transfer t;
    plan_along(&t, from, out, contiguous_view(memory.data, DType::I64, &outputs, 1), dim);
    gather(t);
    return 0;
}

int32_t plan_repeats(Call& call, const char* op, const aclTensor* self, const aclTensor* repeats, int64_t dim,
                     bool flat, int64_t output_size, const aclTensor* out) {
    if (!call.in("self", self).out("out", out).same_dtype().in("repeats", repeats).ok()) return call.status();
    const View &v = call.input(0), &r = call.input(1), &to = call.output(0);
    require_int(call, "repeats", r.dtype);
    if (!flat) call.require(v.ndim > 0, "self is 0-d").axis("dim", &dim, v.ndim);
    if (!call.ok()) return call.status();
    const int64_t length = flat ? v.size : v.shape[dim];
    call.require(r.ndim <= 1 && (r.size == length || r.size == 1), "repeats has shape %s for %ld elements",
                 ShapeText(r).text, length);
    int64_t shape[kMaxDims] = {output_size};
    for (int d = 0; !flat && d < v.ndim; ++d) shape[d] = d == dim ? output_size : v.shape[d];
    require_shape(call, "out", to, shape, flat ? 1 : v.ndim);
    if (!call.ok()) return call.status();
    const Repeats plan{op, flat ? -1 : static_cast<int>(dim), length};
    return call.run(take_cost(to), [plan](const Operands& o) { return run_repeats(plan, o.in[0], o.in[1], o.out[0]); });
}

int32_t plan_repeat_int(Call& call, const char* op, const aclTensor* self, int64_t repeats, int64_t dim, bool flat,
                        int64_t output_size, const aclTensor* out) {
    if (!call.in("self", self).out("out", out).same_dtype().ok()) return call.status();
    const View &v = call.input(0), &to = call.output(0);
    if (!flat)
        call.require(v.ndim > 0 && v.ndim < kMaxDims, "self has %d dimensions", v.ndim).axis("dim", &dim, v.ndim);
    call.require(repeats >= 0, "repeats is %ld", repeats);
    if (!call.ok()) return call.status();
    const int64_t length = flat ? v.size : v.shape[dim];
    call.require(output_size == length * repeats, "outputSize is %ld, but %ld elements repeated %ld times are %ld",
                 output_size, length, repeats, length * repeats);
    int64_t shape[kMaxDims] = {output_size};
    for (int d = 0; !flat && d < v.ndim; ++d) shape[d] = d == dim ? output_size : v.shape[d];
    require_shape(call, "out", to, shape, flat ? 1 : v.ndim);
    if (!call.ok()) return call.status();
    return call.run(take_cost(to), [op, dim, flat, repeats](const Operands& o) -> int32_t {
        if (!flat) return repeat_elements(o.out[0], o.in[0], static_cast<int>(dim), repeats), 0;
        const Dense dense(o.in[0]);
        if (!dense.ok()) return no_memory(op);
        return repeat_elements(o.out[0], flat_view(dense.view), 0, repeats), 0;
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnIndexSelectGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnIndexSelect", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().in("index", index).ok()) return call.status();
    if (!call.require(call.input(1).ndim <= 1, "index has %d dimensions; it must have 1", call.input(1).ndim).ok())
        return call.status();
    return plan_take_along(call, "aclnnIndexSelect", dim, 0, true);
}
PYASC_PHASE2(aclnnIndexSelect)

aclnnStatus aclnnGatherV2GetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnGatherV2", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().in("index", index).ok()) return call.status();
    return plan_take_along(call, "aclnnGatherV2", dim, 0);
}
PYASC_PHASE2(aclnnGatherV2)

aclnnStatus aclnnGatherV3GetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index, int64_t batchDims,
                                          int64_t /*mode*/, aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
    Call call("aclnnGatherV3", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().in("index", index).ok()) return call.status();
    return plan_take_along(call, "aclnnGatherV3", dim, batchDims);
}
PYASC_PHASE2(aclnnGatherV3)

aclnnStatus aclnnEmbeddingGetWorkspaceSize(const aclTensor* weight, const aclTensor* indices, const aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnEmbedding", workspaceSize, executor);
    if (!call.in("weight", weight).out("out", out).same_dtype().in("indices", indices).ok()) return call.status();
    if (!call.require(call.input(0).ndim == 2, "weight has %d dimensions; it must have 2", call.input(0).ndim).ok())
        return call.status();
    return plan_take_along(call, "aclnnEmbedding", 0, 0);
}
PYASC_PHASE2(aclnnEmbedding)

aclnnStatus aclnnGatherGetWorkspaceSize(const aclTensor* self, const int64_t dim, const aclTensor* index,
                                        aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnGather", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().in("index", index).ok()) return call.status();
    const View v = at_least_1d(call.input(0)), at = at_least_1d(call.input(1));
    require_int(call, "index", at.dtype);
    int64_t axis = dim;
    call.axis("dim", &axis, v.ndim).require(at.ndim == v.ndim, "index has %d dimensions, self %d", at.ndim, v.ndim);
    for (int d = 0; d < v.ndim && call.ok(); ++d) {
        call.require(d == axis || at.shape[d] <= v.shape[d],
                     "index of shape %s is longer than self of shape %s in dimension %d", ShapeText(at).text,
                     ShapeText(v).text, d);
    }
    require_shape(call, "out", call.output(0), call.input(1));
    if (!call.ok()) return call.status();
    return call.run(take_cost(call.output(0)), [axis](const Operands& o) {
        Transfer t;
        plan_elements(&t, at_least_1d(o.in[0]), at_least_1d(o.out[0]), at_least_1d(o.in[1]), static_cast<int>(axis));
        return checked_gather("aclnnGather", t);
    });
}
PYASC_PHASE2(aclnnGather)

// Negative indices wrap whether `negativeIndexSupport` says so or not: that only widens what is accepted.
aclnnStatus aclnnGatherNdGetWorkspaceSize(const aclTensor* self, const aclTensor* indices,
                                          bool /*negativeIndexSupport*/, aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
    Call call("aclnnGatherNd", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().in("indices", indices).ok()) return call.status();
    const View &v = call.input(0), &at = call.input(1);
    require_int(call, "indices", at.dtype);
    call.require(at.ndim > 0 && at.shape[at.ndim - 1] > 0 && at.shape[at.ndim - 1] <= v.ndim,
                 "the last dimension of indices, of shape %s, must be 1 to %d", ShapeText(at).text, v.ndim);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims];
    require_shape(call, "out", call.output(0), shape, coordinates_shape(v, at, shape));
    if (!call.ok()) return call.status();
    return call.run(take_cost(call.output(0)), [](const Operands& o) {
        Transfer t;
        plan_coordinates(&t, o.in[0], o.out[0], o.in[1]);
        return checked_gather("aclnnGatherNd", t);
    });
}
PYASC_PHASE2(aclnnGatherNd)

aclnnStatus aclnnTakeGetWorkspaceSize(const aclTensor* self, const aclTensor* index, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnTake", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().in("index", index).ok()) return call.status();
    require_int(call, "index", call.input(1).dtype);
    require_shape(call, "out", call.output(0), call.input(1));
    if (!call.ok()) return call.status();
    return call.run(take_cost(call.output(0)), [](const Operands& o) {
        const Dense dense(o.in[0]);
        if (!dense.ok()) return no_memory("aclnnTake");
        Transfer t;
        plan_along(&t, flat_view(dense.view), o.out[0], o.in[1], 0);
        return checked_gather("aclnnTake", t);
    });
}
PYASC_PHASE2(aclnnTake)

aclnnStatus aclnnInplacePutGetWorkspaceSize(aclTensor* selfRef, const aclTensor* index, const aclTensor* source,
                                            bool accumulate, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplacePut", workspaceSize, executor);
    if (!call.inout("selfRef", selfRef).in("source", source).same_dtype().in("index", index).ok()) return call.status();
    const View &from = call.input(0), &at = call.input(1);
    require_int(call, "index", at.dtype);
    call.require(from.size == at.size, "source has %ld elements, index %ld", from.size, at.size);
    if (!call.ok()) return call.status();
    return call.run(take_cost(from), [accumulate](const Operands& o) {
        const Dense self(o.out[0]), from(o.in[0]), index(o.in[1]);
        const Aside values(from.view, o.out[0]), at(index.view, o.out[0]);
        if (!self.ok() || !from.ok() || !index.ok() || !values.ok() || !at.ok()) return no_memory("aclnnInplacePut");
        Transfer t;
        plan_along(&t, flat_view(self.view), flat_view(values.view), flat_view(at.view), 0);
        const int32_t status = check_indices("aclnnInplacePut", t.at);
        if (status != 0) return status;
        scatter(t, accumulate ? find_combine(Combine::Add, self.view.dtype) : CombineFns{});
        if (self.copied(o.out[0])) copy_view(o.out[0], self.view);
        return 0;
    });
}
PYASC_PHASE2(aclnnInplacePut)

aclnnStatus aclnnRepeatInterleaveGetWorkspaceSize(const aclTensor* self, const aclTensor* repeats, int64_t outputSize,
                                                  aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnRepeatInterleave", workspaceSize, executor);
    return plan_repeats(call, "aclnnRepeatInterleave", self, repeats, 0, true, outputSize, out);
}
PYASC_PHASE2(aclnnRepeatInterleave)

aclnnStatus aclnnRepeatInterleaveWithDimGetWorkspaceSize(const aclTensor* self, const aclTensor* repeats, int64_t dim,
                                                         int64_t outputSize, aclTensor* out, uint64_t* workspaceSize,
                                                         aclOpExecutor** executor) {
    Call call("aclnnRepeatInterleaveWithDim", workspaceSize, executor);
    return plan_repeats(call, "aclnnRepeatInterleaveWithDim", self, repeats, dim, false, outputSize, out);
}
PYASC_PHASE2(aclnnRepeatInterleaveWithDim)

aclnnStatus aclnnRepeatInterleaveIntGetWorkspaceSize(const aclTensor* self, int64_t repeats, int64_t outputSize,
                                                     aclTensor* out, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor) {
    Call call("aclnnRepeatInterleaveInt", workspaceSize, executor);
    return plan_repeat_int(call, "aclnnRepeatInterleaveInt", self, repeats, 0, true, outputSize, out);
}
PYASC_PHASE2(aclnnRepeatInterleaveInt)

aclnnStatus aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(const aclTensor* self, int64_t repeats, int64_t dim,
                                                            int64_t outputSize, aclTensor* out, uint64_t* workspaceSize,
                                                            aclOpExecutor** executor) {
    Call call("aclnnRepeatInterleaveIntWithDim", workspaceSize, executor);
    return plan_repeat_int(call, "aclnnRepeatInterleaveIntWithDim", self, repeats, dim, false, outputSize, out);
}
PYASC_PHASE2(aclnnRepeatInterleaveIntWithDim)

// The indices alone: i, repeats[i] times.
aclnnStatus aclnnRepeatInterleaveTensorGetWorkspaceSize(const aclTensor* repeats, int64_t outputSize, aclTensor* out,
                                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnRepeatInterleaveTensor", workspaceSize, executor);
    if (!call.in("repeats", repeats).out("out", out).ok()) return call.status();
    const View &r = call.input(0), &to = call.output(0);
    require_int(call, "repeats", r.dtype);
    require_int(call, "out", to.dtype);
    call.require(r.ndim == 1, "repeats has %d dimensions; it must have 1", r.ndim);
    require_shape(call, "out", to, &outputSize, 1);
    if (!call.ok()) return call.status();
    return call.run(take_cost(to), [](const Operands& o) {
        const int64_t outputs = o.out[0].size;
        Scratch memory(outputs * 8);
        if (memory.data == nullptr) return no_memory("aclnnRepeatInterleaveTensor");
        const Repeats plan{"aclnnRepeatInterleaveTensor", 0, o.in[0].size};
        // a single element stands for itself here, so it is expanded over one element
        const int32_t status = expand_repeats(plan, o.in[0], 1, outputs, reinterpret_cast<int64_t*>(memory.data));
        if (status == 0) copy_view(o.out[0], contiguous_view(memory.data, DType::I64, &outputs, 1));
        return status;
    });
}
PYASC_PHASE2(aclnnRepeatInterleaveTensor)

}  // extern "C"

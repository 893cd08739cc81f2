// Advanced indexing: aclnnIndex and aclnnIndexPutImpl.
//
// An element of `indices` without elements stands for a dimension that is taken whole, as torch passes None. A bool or
// uint8 element covers as many dimensions as it has and stands for the coordinates of its true elements.
#include "aclnnop/aclnn_index.h"

#include <memory>

#include "acl/error_codes/rt_error_codes.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "kernels/copy.h"
#include "ops/index.h"

namespace pyasc {
namespace {

constexpr int kMaxIndices = 16;

// Which dimensions of self which list element covers. Indices without elements have no operand.
struct IndexPlan {
    const char* op;
    int n = 0;        // operands
    int first_input;  // of the operands
    bool masks = false;
    bool accumulate = false;
    uint32_t covered = 0;     // dimensions that indices choose from
    int8_t dim[kMaxIndices];  // the first dimension of operand k
};

bool is_mask(const View& v) { return v.dtype == DType::Bool || v.dtype == DType::U8; }

// Adds the operands and finds their dimensions.
bool add_indices(Call& call, const View& self, const aclTensorList* list, IndexPlan* plan) {
    if (!check_list(call, "indices", list)) return false;
    plan->first_input = call.inputs();
    int dim = 0;
    for (uint64_t i = 0; i < list->size && call.ok(); ++i) {
        const View& v = list->data[i]->view;
        if (v.size == 0) {
            ++dim;
            continue;
        }
        const int width = is_mask(v) ? (v.ndim ? v.ndim : 1) : 1;
        if (!call.in("indices", list->data[i]).ok()) break;
        if (!is_mask(v)) require_int(call, "an element of indices", v.dtype);
        call.require(dim + width <= self.ndim, "indices reach dimension %d, but the array has %d", dim + width - 1,
                     self.ndim);
        call.require(plan->n < kMaxIndices, "indices has more than %d arrays", kMaxIndices);
        if (!call.ok()) break;
        for (int d = 0; d < width && is_mask(v); ++d) {
            call.require(v.ndim > 0 && v.shape[d] == self.shape[dim + d],
                         "indices[%lu], a mask of shape %s, does not match dimension %d of %s", i, ShapeText(v).text,
                         dim + d, ShapeText(self).text);
        }
        plan->masks |= is_mask(v);
        for (int d = 0; d < width; ++d) plan->covered |= uint32_t{1} << (dim + d);
        plan->dim[plan->n++] = static_cast<int8_t>(dim);
        dim += width;
    }
    call.require(dim <= self.ndim, "indices has %d entries, but the array has %d dimensions", dim, self.ndim);
    return call.ok();
}

// The shape the index arrays have together. A mask counts as a vector of unknown length: -1 until the stream has run.
struct IndexShape {
    int ndim = 0;
    int64_t shape[kMaxDims];
};

bool broadcast_shape(IndexShape* s, const int64_t* shape, int ndim) {
    IndexShape wide;
    wide.ndim = s->ndim > ndim ? s->ndim : ndim;
    for (int d = 0; d < wide.ndim; ++d) {
        const int a = d - (wide.ndim - s->ndim), b = d - (wide.ndim - ndim);
        const int64_t left = a < 0 ? 1 : s->shape[a], right = b < 0 ? 1 : shape[b];
        if (left != right && left != 1 && right != 1) return false;
        wide.shape[d] = left == 1 ? right : left;
    }
    *s = wide;
    return true;
}

// Where the index dimensions stand in the result: at the place of the covered ones if those are neighbours, else in
// front.
int index_place(uint32_t covered) {
    if (covered == 0) return 0;
    const int first = __builtin_ctz(covered);
    const uint32_t run = covered >> first;
    return (run & (run + 1)) == 0 ? first : 0;
}

// The shape of self[indices].
IndexShape result_shape(const View& self, uint32_t covered, const IndexShape& indices) {
    IndexShape r;
    const int place = index_place(covered);
    const auto put_indices = [&] {
        for (int k = 0; k < indices.ndim; ++k) r.shape[r.ndim++] = indices.shape[k];
    };
    if (place == 0) put_indices();
    for (int d = 0; d < self.ndim; ++d) {
        if (covered >> d & 1) continue;
        if (place > 0 && d > place && (covered >> (d - 1) & 1)) put_indices();
        r.shape[r.ndim++] = self.shape[d];
    }
    if (place > 0 && (self.ndim == 0 || (covered >> (self.ndim - 1) & 1))) put_indices();
    return r;
}

// Index arrays ready for use: those of the caller, or the coordinates of a mask's true elements.
struct Indices {
    int n = 0;
    View view[kMaxDims];
    int dim[kMaxDims];
    std::unique_ptr<Scratch> memory[2 * kMaxIndices];
    IndexShape shape;
    int blocks = 0;

    char* allocate(int64_t bytes) {
        memory[blocks] = std::make_unique<Scratch>(bytes);
        return memory[blocks++]->data;
    }
};

// Coordinates of a mask's true elements, an index array for each of its dimensions. False without memory.
bool expand_mask(const View& mask, int dim, Indices* out) {
    char* counts = out->allocate((mask_blocks(mask.size) + 1) * 8);
    if (counts == nullptr) return false;
    int64_t* before = reinterpret_cast<int64_t*>(counts);
    const int64_t n = count_true(mask, before);
    char* coordinates = out->allocate(n * mask.ndim * 8);
    if (coordinates == nullptr) return false;
    write_nonzero(mask, before, reinterpret_cast<int64_t*>(coordinates), 1, n);
    for (int d = 0; d < mask.ndim; ++d) {
        out->view[out->n] = contiguous_view(coordinates + d * n * 8, DType::I64, &n, 1);
        out->dim[out->n++] = dim + d;
    }
    return true;
}

// Collects the index arrays. `written` is the array that will be overwritten.
int32_t collect(const IndexPlan& plan, const Operands& o, const View& written, Indices* out) {
    for (int k = 0; k < plan.n; ++k) {
        const View& v = o.in[plan.first_input + k];
        if (is_mask(v)) {
            if (!expand_mask(v, plan.dim[k], out)) return no_memory(plan.op);
            continue;
        }
        View& index = out->view[out->n];
        index = v;
        out->dim[out->n++] = plan.dim[k];
        if (!may_overlap(v, written)) continue;
        char* copy = out->allocate(v.size * v.item());
        if (copy == nullptr) return no_memory(plan.op);
        index = contiguous_view(copy, v.dtype, v.shape, v.ndim);
        copy_view(index, v);
    }
    for (int k = 0; k < out->n; ++k) {
        const View& v = out->view[k];
        if (!broadcast_shape(&out->shape, v.shape, v.ndim)) {
            return fail(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                        "%s: the index arrays do not broadcast together: one has shape %s", plan.op, ShapeText(v).text);
        }
    }
    return 0;
}

// self[indices] against `plain`, which has the result's shape or broadcasts to it.
void plan_transfer(Transfer* t, const IndexPlan& plan, const View& self, const View& plain, const Indices& indices) {
    const int item = self.item();
    const int place = index_place(plan.covered);
    t->indexed = self.data;
    t->plain = plain.data;
    t->item = item;
    for (int k = 0; k < indices.shape.ndim; ++k) {
        const int64_t step = plain.stride[place + k] * item;
        t->at.add_dim(indices.shape.shape[k], 0);
        t->along.add(indices.shape.shape[k], &step);
    }
    for (int k = 0; k < indices.n; ++k) {
        const int d = indices.dim[k];
        t->at.add_axis(indices.view[k], self.shape[d], self.stride[d] * item);
    }
    int before = 0;  // dimensions taken whole so far
    for (int d = 0; d < self.ndim; ++d) {
        if (plan.covered >> d & 1) continue;
        const int to = before < place ? before : before + indices.shape.ndim;
        const int64_t steps[] = {self.stride[d] * item, plain.stride[to] * item};
        t->rest.add(self.shape[d], steps);
        ++before;
    }
}

int32_t wrong_shape(const IndexPlan& plan, const char* name, const View& v, const IndexShape& wanted) {
    return fail(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "%s: %s has shape %s, but the indices choose %s", plan.op, name,
                ShapeText(v).text, ShapeText(wanted.shape, wanted.ndim).text);
}

int32_t run_get(const IndexPlan& plan, const Operands& o) {
    const View &self = o.in[0], &out = o.out[0];
    Indices indices;
    int32_t status = collect(plan, o, out, &indices);
    if (status != 0) return status;
    const IndexShape wanted = result_shape(self, plan.covered, indices.shape);
    bool same = wanted.ndim == out.ndim;
    for (int d = 0; same && d < out.ndim; ++d) same = wanted.shape[d] == out.shape[d];
    if (!same) return wrong_shape(plan, "out", out, wanted);
    Transfer t;
    plan_transfer(&t, plan, self, out, indices);
    status = check_indices(plan.op, t.at);
    if (status == 0) gather(t);
    return status;
}

int32_t run_put(const IndexPlan& plan, const Operands& o) {
    const View& self = o.out[0];
    Indices indices;
    int32_t status = collect(plan, o, self, &indices);
    if (status != 0) return status;
    const IndexShape wanted = result_shape(self, plan.covered, indices.shape);
    const Aside values(o.in[0], self);
    if (!values.ok()) return no_memory(plan.op);
    View plain = values.view;
    if (!broadcast_to(&plain, wanted.shape, wanted.ndim)) return wrong_shape(plan, "values", o.in[0], wanted);
    Transfer t;
    plan_transfer(&t, plan, self, plain, indices);
    status = check_indices(plan.op, t.at);
    if (status == 0) scatter(t, plan.accumulate ? find_combine(Combine::Add, self.dtype) : CombineFns{});
    return status;
}

// What phase 1 can know about the shape of the indices; false if it depends on a mask.
bool static_shape(Call& call, const IndexPlan& plan, IndexShape* shape) {
    for (int k = 0; k < plan.n && call.ok(); ++k) {
        const View& v = call.input(plan.first_input + k);
        if (is_mask(v)) continue;
        call.require(broadcast_shape(shape, v.shape, v.ndim), "indices do not broadcast together: one has shape %s",
                     ShapeText(v).text);
    }
    return call.ok() && !plan.masks;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnIndexGetWorkspaceSize(const aclTensor* self, const aclTensorList* indices, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnIndex", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().ok()) return call.status();
    IndexPlan plan;
    plan.op = "aclnnIndex";
    if (!add_indices(call, call.input(0), indices, &plan)) return call.status();
    const View &v = call.input(0), &to = call.output(0);
    IndexShape shape;
    if (static_shape(call, plan, &shape) && to.size > 0) {
        const IndexShape wanted = result_shape(v, plan.covered, shape);
        require_shape(call, "out", to, wanted.shape, wanted.ndim);
    }
    if (!call.ok()) return call.status();
    return call.run(move_cost(to.size, v.item() + 8 * plan.n),
                    [plan](const Operands& o) -> int32_t { return o.out[0].size == 0 ? 0 : run_get(plan, o); });
}
PYASC_PHASE2(aclnnIndex)

// `unsafe` chooses between checks of the index; here they are always checked.
aclnnStatus aclnnIndexPutImplGetWorkspaceSize(aclTensor* selfRef, const aclTensorList* indices, const aclTensor* values,
                                              const bool accumulate, const bool /*unsafe*/, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
    Call call("aclnnIndexPutImpl", workspaceSize, executor);
    if (!call.inout("selfRef", selfRef).in("values", values).same_dtype().ok()) return call.status();
    IndexPlan plan;
    plan.op = "aclnnIndexPutImpl";
    plan.accumulate = accumulate;
    if (!add_indices(call, call.output(0), indices, &plan)) return call.status();
    const View &self = call.output(0), &from = call.input(0);
    IndexShape shape;
    if (static_shape(call, plan, &shape) && from.size > 0) {
        const IndexShape wanted = result_shape(self, plan.covered, shape);
        View probe = from;
        call.require(broadcast_to(&probe, wanted.shape, wanted.ndim),
                     "values of shape %s do not broadcast to %s, which the indices choose", ShapeText(from).text,
                     ShapeText(wanted.shape, wanted.ndim).text);
    }
    if (!call.ok()) return call.status();
    return call.run(move_cost(from.size, self.item() + 8 * plan.n),
                    [plan](const Operands& o) -> int32_t { return o.out[0].size == 0 ? 0 : run_put(plan, o); });
}
PYASC_PHASE2(aclnnIndexPutImpl)

}  // extern "C"

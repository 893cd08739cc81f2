// Sorting along an axis.
#include "kernels/sort.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"
#include "ops/rearrange.h"

namespace pyasc {
namespace {

int64_t sort_cost(const View& in) { return 100 + in.size * 15; }

int32_t finish_sort(bool ok) {
    return ok ? 0
              : fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                     "the host has no memory left for sorting; sort fewer elements at a time");
}

int sort_axis(Call& call, int64_t dim) {
    if (!call.ok()) return 0;
    const View& in = call.input(0);
    if (!call.axis("dim", &dim, in.ndim).ok()) return 0;
    const int64_t n = in.ndim == 0 ? 1 : in.shape[dim];
    call.require(n < INT64_C(1) << 32, "dimension %ld has %ld elements; at most 2^32 - 1 can be sorted",
                 static_cast<long>(dim), static_cast<long>(n));
    return static_cast<int>(dim);
}

void require_value(Call& call, const View& value) {
    const View& in = call.input(0);
    call.require(value.dtype == in.dtype, "self is %s but valuesOut is %s; they must have one dtype",
                 dtype_name(in.dtype), dtype_name(value.dtype));
}

void require_index(Call& call, const View& index) {
    call.require(index.dtype == DType::I64, "the indices' output is %s; it must be int64", dtype_name(index.dtype));
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

// Every sort is stable, so `stable` asks for nothing more.
aclnnStatus aclnnSortGetWorkspaceSize(const aclTensor* self, bool stable, int64_t dim, bool descending,
                                      aclTensor* valuesOut, aclTensor* indicesOut, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
    static_cast<void>(stable);
    Call call("aclnnSort", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut).out("indicesOut", indicesOut);
    const int axis = sort_axis(call, dim);
    if (!call.ok()) return call.status();
    require_value(call, call.output(0));
    require_index(call, call.output(1));
    require_shape(call, "valuesOut", call.output(0), call.input(0));
    require_shape(call, "indicesOut", call.output(1), call.input(0));
    return call.run(sort_cost(call.input(0)), [axis, descending](const Operands& o) {
        return finish_sort(sort(o.in[0], axis, descending, &o.out[0], o.out[1]));
    });
}
PYASC_PHASE2(aclnnSort)

aclnnStatus aclnnArgsortGetWorkspaceSize(const aclTensor* self, int64_t dim, bool descending, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnArgsort", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const int axis = sort_axis(call, dim);
    if (!call.ok()) return call.status();
    require_index(call, call.output(0));
    require_shape(call, "out", call.output(0), call.input(0));
    return call.run(sort_cost(call.input(0)), [axis, descending](const Operands& o) {
        return finish_sort(sort(o.in[0], axis, descending, nullptr, o.out[0]));
    });
}
PYASC_PHASE2(aclnnArgsort)

// The k chosen elements come out in order whether `sorted` asks for it or not.
aclnnStatus aclnnTopkGetWorkspaceSize(const aclTensor* self, int64_t k, int64_t dim, bool largest, bool sorted,
                                      aclTensor* valuesOut, aclTensor* indicesOut, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
    static_cast<void>(sorted);
    Call call("aclnnTopk", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut).out("indicesOut", indicesOut);
    const int axis = sort_axis(call, dim);
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    const int64_t length = in.ndim == 0 ? 1 : in.shape[axis];
    call.require(k >= 0 && k <= length, "k is %ld; dimension %d has %ld elements", static_cast<long>(k), axis,
                 static_cast<long>(length));
    require_value(call, call.output(0));
    require_index(call, call.output(1));
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims];
    for (int d = 0; d < in.ndim; ++d) shape[d] = d == axis ? k : in.shape[d];
    require_shape(call, "valuesOut", call.output(0), shape, in.ndim);
    require_shape(call, "indicesOut", call.output(1), shape, in.ndim);
    if (in.ndim == 0) call.require(k == 1, "k is 0 but self has no dimension to shorten");
    return call.run(sort_cost(in) / 2, [axis, k, largest](const Operands& o) {
        return finish_sort(sort_first(o.in[0], axis, k, largest, o.out[0], o.out[1]));
    });
}
PYASC_PHASE2(aclnnTopk)

}  // extern "C"

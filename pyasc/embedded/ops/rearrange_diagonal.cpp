// Operators about diagonals: triangles, diagonal vectors and matrices.
#include "aclnnop/aclnn_diag.h"
#include "aclnnop/aclnn_diag_flat.h"
#include "aclnnop/aclnn_fill_diagonal.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "kernels/copy.h"
#include "ops/rearrange.h"

namespace pyasc {
namespace {

int32_t plan_triangle(Call& call, int64_t diagonal, bool lower) {
    if (!call.same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    call.require(v.ndim >= 2, "self has %d dimensions; it must have at least 2", v.ndim);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    constexpr int64_t kFar = int64_t{1} << 48;
    diagonal = diagonal > kFar ? kFar : diagonal < -kFar ? -kFar : diagonal;
    return call.run(move_cost(v.size, v.item()),
                    [diagonal, lower](const Operands& o) { triangle(o.out[0], o.in[0], diagonal, lower); });
}

// The diagonal of the last two dimensions as a vector; empty if it lies outside.
View diagonal_of(const View& v, int64_t diagonal) {
    View d = v;
    d.ndim = 1;
    const int64_t row = diagonal < 0 ? -diagonal : 0, column = diagonal > 0 ? diagonal : 0;
    const int64_t rows = v.shape[0] - row, columns = v.shape[1] - column, n = rows < columns ? rows : columns;
    d.shape[0] = d.size = n > 0 ? n : 0;
    d.stride[0] = v.stride[0] + v.stride[1];
    if (n > 0) d.data += (row * v.stride[0] + column * v.stride[1]) * v.item();
    return d;
}

// A vector seen in the shape of `like`, C order.
View reshape_vector(const View& vector, const View& like) {
    View v = like;
    v.data = vector.data;
    int64_t step = vector.stride[0];
    for (int d = v.ndim - 1; d >= 0; --d) {
        v.stride[d] = step;
        step *= v.shape[d];
    }
    return v;
}

// out = zeros, with `self`'s elements on a diagonal.
int32_t plan_diagonal_matrix(Call& call, int64_t diagonal) {
    const View& v = call.input(0);
    constexpr int64_t kFar = int64_t{1} << 31;
    call.require(diagonal < kFar && diagonal > -kFar, "diagonal is %ld", diagonal);
    const int64_t n = v.size + (diagonal < 0 ? -diagonal : diagonal), shape[] = {n, n};
    require_shape(call, "out", call.output(0), shape, 2);
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.output(0).size, v.item()), [diagonal](const Operands& o) {
        const Item zero = {};
        fill_view(o.out[0], zero.bytes);
        if (o.in[0].size > 0) copy_view(reshape_vector(diagonal_of(o.out[0], diagonal), o.in[0]), o.in[0]);
    });
}

// As numpy.fill_diagonal: every (columns + 1)-th element, in tall matrices only as far as they are square unless
// `wrap`.
void fill_diagonal(const View& v, const void* item, bool wrap) {
    View d = v;
    d.ndim = 1;
    d.shape[0] = d.size = v.shape[0];
    d.stride[0] = 0;
    for (int k = 0; k < v.ndim; ++k) {
        d.stride[0] += v.stride[k];
        if (v.shape[k] < d.size) d.shape[0] = d.size = v.shape[k];
    }
    if (d.size == 0) return;
    fill_view(d, item);
    if (!wrap || v.ndim != 2) return;
    const int64_t period = v.shape[1] + 1;
    for (int64_t row = period; row < v.shape[0]; row += period)
        fill_diagonal(part_of(v, 0, row, v.shape[0] - row < period ? v.shape[0] - row : period), item, false);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnTrilGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
    Call call("aclnnTril", workspaceSize, executor);
    return plan_triangle(call.in("self", self).out("out", out), diagonal, true);
}
PYASC_PHASE2(aclnnTril)

aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
    Call call("aclnnTriu", workspaceSize, executor);
    return plan_triangle(call.in("self", self).out("out", out), diagonal, false);
}
PYASC_PHASE2(aclnnTriu)

aclnnStatus aclnnInplaceTrilGetWorkspaceSize(const aclTensor* selfRef, int64_t diagonal, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
    Call call("aclnnInplaceTril", workspaceSize, executor);
    return plan_triangle(call.in("selfRef", selfRef).inout("selfRef", selfRef), diagonal, true);
}
PYASC_PHASE2(aclnnInplaceTril)

aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor* selfRef, int64_t diagonal, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
    Call call("aclnnInplaceTriu", workspaceSize, executor);
    return plan_triangle(call.in("selfRef", selfRef).inout("selfRef", selfRef), diagonal, false);
}
PYASC_PHASE2(aclnnInplaceTriu)

aclnnStatus aclnnDiagGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
    Call call("aclnnDiag", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    if (!call.require(v.ndim == 1 || v.ndim == 2, "self has %d dimensions; it must have 1 or 2", v.ndim).ok())
        return call.status();
    if (v.ndim == 1) return plan_diagonal_matrix(call, diagonal);
    constexpr int64_t kFar = int64_t{1} << 48;
    diagonal = diagonal > kFar ? kFar : diagonal < -kFar ? -kFar : diagonal;
    require_shape(call, "out", call.output(0), diagonal_of(v, diagonal));
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.output(0).size, 64),
                    [diagonal](const Operands& o) { copy_view(o.out[0], diagonal_of(o.in[0], diagonal)); });
}
PYASC_PHASE2(aclnnDiag)

aclnnStatus aclnnDiagFlatGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnDiagFlat", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).same_dtype().ok()) return call.status();
    return plan_diagonal_matrix(call, diagonal);
}
PYASC_PHASE2(aclnnDiagFlat)

aclnnStatus aclnnInplaceFillDiagonalGetWorkspaceSize(aclTensor* selfRef, const aclScalar* fillValue, bool wrap,
                                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceFillDiagonal", workspaceSize, executor);
    if (!call.inout("selfRef", selfRef).ok()) return call.status();
    const View& v = call.output(0);
    Item item = {};
    if (!store_scalar(call, "fillValue", fillValue, v.dtype, &item)) return call.status();
    call.require(v.ndim >= 2, "selfRef has %d dimensions; it must have at least 2", v.ndim);
    for (int d = 1; d < v.ndim && v.ndim > 2 && call.ok(); ++d) {
        call.require(v.shape[d] == v.shape[0],
                     "selfRef of shape %s has no diagonal: beyond 2 dimensions all lengths must be equal",
                     ShapeText(v).text);
    }
    if (!call.ok()) return call.status();
    return call.run(move_cost(v.shape[0], 64),
                    [item, wrap](const Operands& o) { fill_diagonal(o.out[0], item.bytes, wrap); });
}
PYASC_PHASE2(aclnnInplaceFillDiagonal)

}  // extern "C"

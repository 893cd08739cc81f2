// Padding, and the operators about diagonals.
#include "aclnnop/aclnn_circular_pad2d.h"
#include "aclnnop/aclnn_circular_pad3d.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_diag.h"
#include "aclnnop/aclnn_diag_flat.h"
#include "aclnnop/aclnn_fill_diagonal.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_reflection_pad3d.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_replication_pad3d.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "kernels/copy.h"
#include "ops/rearrange.h"

namespace pyasc {
namespace {

enum class Pad : uint8_t { Constant, Reflect, Replicate, Circular };

// Where dimension elements come from; negative amounts cut.
AxisMap pad_map(Pad kind, int64_t length, int64_t before, int64_t after) {
    const int64_t left = before > 0 ? before : 0, right = after > 0 ? after : 0;
    const int64_t first = before < 0 ? -before : 0, kept = length + (before < 0 ? before : 0) + (after < 0 ? after : 0);
    const int64_t last = first + kept - 1;
    AxisMap map;
    switch (kind) {
        case Pad::Constant: map.add(left, 0, kFill); break;
        case Pad::Reflect: map.add(left, first + left, -1); break;
        case Pad::Replicate: map.add(left, first, 0); break;
        case Pad::Circular: map.add(left, first + kept - left, 1); break;
    }
    map.add(kept, first, 1);
    switch (kind) {
        case Pad::Constant: map.add(right, 0, kFill); break;
        case Pad::Reflect: map.add(right, last - 1, -1); break;
        case Pad::Replicate: map.add(right, last, 0); break;
        case Pad::Circular: map.add(right, first, 1); break;
    }
    return map;
}

// The amounts for the last dimensions, as torch orders them: the last dimension's (before, after) first.
struct Amounts {
    int dims = 0;
    int64_t before[8], after[8];
};

bool check_amount(Call& call, Pad kind, const View& self, int dim, int64_t before, int64_t after) {
    const int64_t length = self.shape[dim], kept = length + (before < 0 ? before : 0) + (after < 0 ? after : 0);
    const int64_t more = before > after ? before : after;
    call.require(kept >= 0, "%ld and %ld cut more than the %ld elements of dimension %d", before, after, length, dim);
    if (kind == Pad::Reflect) {
        call.require(more < kept || more <= 0, "a reflection of %ld elements needs more than %ld in dimension %d", more,
                     kept, dim);
    } else if (kind == Pad::Circular) {
        call.require(more <= kept, "%ld elements cannot be wrapped around dimension %d of %ld", more, dim, kept);
    } else if (kind == Pad::Replicate) {
        call.require(kept > 0 || more <= 0, "dimension %d has no element to replicate", dim);
    }
    return call.ok();
}

int32_t plan_pad(Call& call, Pad kind, const aclTensor* self, const aclIntArray* padding, const char* padding_name,
                 int dims, const aclScalar* value, const aclTensor* out) {
    if (!call.in("self", self).ints(padding_name, padding).out("out", out).same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    Item fill = {};
    if (kind == Pad::Constant && !store_scalar(call, "value", value, v.dtype, &fill)) return call.status();
    const int given = static_cast<int>(padding->size / 2);
    call.require(padding->size % 2 == 0 && padding->size <= 16 && given <= v.ndim,
                 "%s has %lu elements for %d dimensions", padding_name, padding->size, v.ndim);
    call.require(dims == 0 || (given == dims && (v.ndim == dims + 1 || v.ndim == dims + 2)),
                 "%s has %lu elements and self %d dimensions; %d, and %d or %d, are needed", padding_name,
                 padding->size, v.ndim, 2 * dims, dims + 1, dims + 2);
    if (!call.ok()) return call.status();
    Amounts amounts;
    int64_t shape[kMaxDims];
    for (int d = 0; d < v.ndim; ++d) shape[d] = v.shape[d];
    amounts.dims = given;
    for (int i = 0; i < given; ++i) {
        const int64_t before = padding->data[2 * i], after = padding->data[2 * i + 1];
        const int dim = v.ndim - 1 - i;
        amounts.before[i] = before;
        amounts.after[i] = after;
        constexpr int64_t kFar = int64_t{1} << 48;
        call.require(before < kFar && before > -kFar && after < kFar && after > -kFar, "%s is out of range: %ld, %ld",
                     padding_name, before, after);
        if (!call.ok() || !check_amount(call, kind, v, dim, before, after)) return call.status();
        shape[dim] += before + after;
    }
    require_shape(call, "out", call.output(0), shape, v.ndim);
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.output(0).size, v.item()), [kind, fill, amounts](const Operands& o) {
        AxisMap maps[kMaxDims];
        const int ndim = o.out[0].ndim;
        for (int d = 0; d < ndim; ++d) {
            const int i = ndim - 1 - d;
            const bool padded = i < amounts.dims;
            maps[d] = pad_map(kind, o.in[0].shape[d], padded ? amounts.before[i] : 0, padded ? amounts.after[i] : 0);
        }
        remap(o.out[0], o.in[0], maps, fill.bytes);
    });
}

int32_t plan_triangle(Call& call, const aclTensor* self, int64_t diagonal, bool lower, const aclTensor* out) {
    if (!call.in("self", self).out("out", out).same_dtype().ok()) return call.status();
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

aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor* self, const aclIntArray* pad, const aclScalar* value,
                                               aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnConstantPadNd", workspaceSize, executor);
    return plan_pad(call, Pad::Constant, self, pad, "pad", 0, value, out);
}
PYASC_PHASE2(aclnnConstantPadNd)

#define PYASC_PAD(op, kind, dims)                                                                       \
    aclnnStatus op##GetWorkspaceSize(const aclTensor* self, const aclIntArray* padding, aclTensor* out, \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {               \
        Call call(#op, workspaceSize, executor);                                                        \
        return plan_pad(call, Pad::kind, self, padding, "padding", dims, nullptr, out);                 \
    }                                                                                                   \
    PYASC_PHASE2(op)
PYASC_PAD(aclnnReflectionPad1d, Reflect, 1)
PYASC_PAD(aclnnReflectionPad2d, Reflect, 2)
PYASC_PAD(aclnnReflectionPad3d, Reflect, 3)
PYASC_PAD(aclnnReplicationPad1d, Replicate, 1)
PYASC_PAD(aclnnReplicationPad2d, Replicate, 2)
PYASC_PAD(aclnnReplicationPad3d, Replicate, 3)
PYASC_PAD(aclnnCircularPad2d, Circular, 2)
PYASC_PAD(aclnnCircularPad3d, Circular, 3)
#undef PYASC_PAD

aclnnStatus aclnnTrilGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
    Call call("aclnnTril", workspaceSize, executor);
    return plan_triangle(call, self, diagonal, true, out);
}
PYASC_PHASE2(aclnnTril)

aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
    Call call("aclnnTriu", workspaceSize, executor);
    return plan_triangle(call, self, diagonal, false, out);
}
PYASC_PHASE2(aclnnTriu)

aclnnStatus aclnnInplaceTrilGetWorkspaceSize(const aclTensor* selfRef, int64_t diagonal, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
    Call call("aclnnInplaceTril", workspaceSize, executor);
    return plan_triangle(call, selfRef, diagonal, true, selfRef);
}
PYASC_PHASE2(aclnnInplaceTril)

aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor* selfRef, int64_t diagonal, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
    Call call("aclnnInplaceTriu", workspaceSize, executor);
    return plan_triangle(call, selfRef, diagonal, false, selfRef);
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

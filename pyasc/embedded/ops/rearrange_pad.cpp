// Padding, and its gradients.
#include "aclnnop/aclnn_circular_pad2d.h"
#include "aclnnop/aclnn_circular_pad2d_backward.h"
#include "aclnnop/aclnn_circular_pad3d.h"
#include "aclnnop/aclnn_circular_pad3d_backward.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_reflection_pad1d_backward.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_reflection_pad3d.h"
#include "aclnnop/aclnn_reflection_pad3d_backward.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad1d_backward.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_replication_pad3d.h"
#include "aclnnop/aclnn_replication_pad3d_backward.h"
#include "kernels/copy.h"
#include "ops/index.h"

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

// Reads the amounts, and makes `shape` of self's shape the padded one. `dims`: how many dimensions must be given; 0:
// any.
bool read_amounts(Call& call, Pad kind, const View& v, const aclIntArray* padding, const char* name, int dims,
                  Amounts* amounts, int64_t* shape) {
    const int given = static_cast<int>(padding->size / 2);
    call.require(padding->size % 2 == 0 && padding->size <= 16 && given <= v.ndim,
                 "%s has %lu elements for %d dimensions", name, padding->size, v.ndim);
    call.require(dims == 0 || (given == dims && (v.ndim == dims + 1 || v.ndim == dims + 2)),
                 "%s has %lu elements and self %d dimensions; %d, and %d or %d, are needed", name, padding->size,
                 v.ndim, 2 * dims, dims + 1, dims + 2);
    if (!call.ok()) return false;
    for (int d = 0; d < v.ndim; ++d) shape[d] = v.shape[d];
    amounts->dims = given;
    for (int i = 0; i < given && call.ok(); ++i) {
        const int64_t before = padding->data[2 * i], after = padding->data[2 * i + 1];
        const int dim = v.ndim - 1 - i;
        amounts->before[i] = before;
        amounts->after[i] = after;
        constexpr int64_t kFar = int64_t{1} << 48;
        call.require(before < kFar && before > -kFar && after < kFar && after > -kFar, "%s is out of range: %ld, %ld",
                     name, before, after);
        if (call.ok()) check_amount(call, kind, v, dim, before, after);
        shape[dim] += before + after;
    }
    return call.ok();
}

void read_maps(Pad kind, const Amounts& amounts, const View& self, AxisMap* maps) {
    for (int d = 0; d < self.ndim; ++d) {
        const int i = self.ndim - 1 - d;
        const bool padded = i < amounts.dims;
        maps[d] = pad_map(kind, self.shape[d], padded ? amounts.before[i] : 0, padded ? amounts.after[i] : 0);
    }
}

int32_t plan_pad(Call& call, Pad kind, const aclTensor* self, const aclIntArray* padding, const char* padding_name,
                 int dims, const aclScalar* value, const aclTensor* out) {
    if (!call.in("self", self).ints(padding_name, padding).out("out", out).same_dtype().ok()) return call.status();
    const View& v = call.input(0);
    Item fill = {};
    if (kind == Pad::Constant && !store_scalar(call, "value", value, v.dtype, &fill)) return call.status();
    Amounts amounts;
    int64_t shape[kMaxDims];
    if (!read_amounts(call, kind, v, padding, padding_name, dims, &amounts, shape)) return call.status();
    require_shape(call, "out", call.output(0), shape, v.ndim);
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.output(0).size, v.item()), [kind, fill, amounts](const Operands& o) {
        AxisMap maps[kMaxDims];
        read_maps(kind, amounts, o.in[0], maps);
        remap(o.out[0], o.in[0], maps, fill.bytes);
    });
}

// Adds every element of the padded gradient to the place it was copied from. Segments may run backwards or stand still.
void add_back(const View& to, const View& from, const AxisMap* maps, const CombineFns& add, int dim) {
    if (dim < to.ndim) {
        int64_t at = 0;
        for (int i = 0; i < maps[dim].segments; ++i) {
            const Segment& s = maps[dim].segment[i];
            View place = to;
            place.data += s.from * to.stride[dim] * to.item();
            place.stride[dim] *= s.step;
            place.shape[dim] = s.length;
            add_back(place, part_of(from, dim, at, s.length), maps, add, dim + 1);
            at += s.length;
        }
        return;
    }
    Walk<2> walk;
    const int item = to.item();
    for (int d = 0; d < to.ndim; ++d) {
        const int64_t steps[] = {to.stride[d] * item, from.stride[d] * item};
        walk.add(to.shape[d], steps);
    }
    each_row(walk, 0, walk.count, [&](const int64_t* offset, int64_t n) {
        add.row(to.data + offset[0], row_step(walk, 0, item), from.data + offset[1], row_step(walk, 1, item), n);
    });
}

// 16-bit floats are summed in float.
int32_t run_pad_gradient(const char* op, Pad kind, const Amounts& amounts, const View& padded, const View& out) {
    const bool half = out.dtype == DType::F16 || out.dtype == DType::BF16;
    const Scratch sums(half ? out.size * 4 : 0), wide(half ? padded.size * 4 : 0);
    if (sums.data == nullptr || wide.data == nullptr) return no_memory(op);
    View to = out, from = padded;
    if (half) {
        to = contiguous_view(sums.data, DType::F32, out.shape, out.ndim);
        from = contiguous_view(wide.data, DType::F32, padded.shape, padded.ndim);
        copy_view(from, padded);
    }
    const Item zero = {};
    fill_view(to, zero.bytes);
    AxisMap maps[kMaxDims];
    read_maps(kind, amounts, out, maps);
    if (out.size > 0) add_back(to, from, maps, find_combine(Combine::Add, to.dtype), 0);
    if (half) copy_view(out, to);
    return 0;
}

int32_t plan_pad_gradient(Call& call, const char* op, Pad kind, const aclTensor* grad, const aclTensor* self,
                          const aclIntArray* padding, int dims, const aclTensor* out) {
    call.in("gradOutput", grad).in("self", self).ints("padding", padding).out("gradInput", out).same_dtype();
    if (!call.ok()) return call.status();
    const View& v = call.input(1);
    Amounts amounts;
    int64_t shape[kMaxDims];
    require_shape(call, "gradInput", call.output(0), v);
    if (!call.ok() || !read_amounts(call, kind, v, padding, "padding", dims, &amounts, shape)) return call.status();
    require_shape(call, "gradOutput", call.input(0), shape, v.ndim);
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.input(0).size, 2 * v.item()), [op, kind, amounts](const Operands& o) {
        const Aside padded(o.in[0], o.out[0]);
        return padded.ok() ? run_pad_gradient(op, kind, amounts, padded.view, o.out[0]) : no_memory(op);
    });
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

#define PYASC_PAD(op, kind, dims)                                                                              \
    aclnnStatus op##GetWorkspaceSize(const aclTensor* self, const aclIntArray* padding, aclTensor* out,        \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {                      \
        Call call(#op, workspaceSize, executor);                                                               \
        return plan_pad(call, Pad::kind, self, padding, "padding", dims, nullptr, out);                        \
    }                                                                                                          \
    PYASC_PHASE2(op)                                                                                           \
    aclnnStatus op##BackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,               \
                                             const aclIntArray* padding, aclTensor* gradInput,                 \
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {              \
        Call call(#op "Backward", workspaceSize, executor);                                                    \
        return plan_pad_gradient(call, #op "Backward", Pad::kind, gradOutput, self, padding, dims, gradInput); \
    }                                                                                                          \
    PYASC_PHASE2(op##Backward)
PYASC_PAD(aclnnReflectionPad1d, Reflect, 1)
PYASC_PAD(aclnnReflectionPad2d, Reflect, 2)
PYASC_PAD(aclnnReflectionPad3d, Reflect, 3)
PYASC_PAD(aclnnReplicationPad1d, Replicate, 1)
PYASC_PAD(aclnnReplicationPad2d, Replicate, 2)
PYASC_PAD(aclnnReplicationPad3d, Replicate, 3)
PYASC_PAD(aclnnCircularPad2d, Circular, 2)
PYASC_PAD(aclnnCircularPad3d, Circular, 3)
#undef PYASC_PAD

}  // extern "C"

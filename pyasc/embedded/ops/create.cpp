// New arrays: sequences, unit matrices, one-hot encodings.
#include <cmath>
#include <cstring>

#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_eye.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_logspace.h"
#include "aclnnop/aclnn_one_hot.h"
#include "aclnnop/aclnn_range.h"
#include "kernels/copy.h"
#include "ops/rearrange.h"

namespace pyasc {
namespace {

c128 value_of(const aclScalar* s) { return c128(s->as_double(), is_complex(s->dtype) ? s->imag : 0.0); }

bool is_whole(const aclScalar* s) { return is_integer(s->dtype) || s->dtype == DType::Bool; }

// Elements from start to end in steps; `closed`: end counts. -1 if there is no such number.
int64_t sequence_length(const aclScalar* start, const aclScalar* end, const aclScalar* step, bool closed) {
    if (is_whole(start) && is_whole(end) && is_whole(step)) {
        const __int128 span = static_cast<__int128>(end->as_int()) - start->as_int(), by = step->as_int();
        if (by == 0 || (span != 0 && (span > 0) != (by > 0))) return by == 0 ? -1 : 0;
        return static_cast<int64_t>(closed ? span / by + 1 : (span + by + (by > 0 ? -1 : 1)) / by);
    }
    const double length = (end->as_double() - start->as_double()) / step->as_double();
    if (!(std::fabs(length) < 0x1p62)) return -1;
    return length < 0 ? 0 : static_cast<int64_t>(closed ? std::floor(length) + 1 : std::ceil(length));
}

int32_t plan_sequence(Call& call, const aclScalar* start, const aclScalar* end, const aclScalar* step,
                      const aclTensor* out, bool closed) {
    if (!call.scalar("start", start).scalar("end", end).scalar("step", step).out("out", out).ok()) return call.status();
    const View& to = call.output(0);
    const int64_t n = sequence_length(start, end, step, closed);
    const bool exact = is_whole(start) && is_whole(end) && is_whole(step);
    call.require(to.ndim == 1, "out has %d dimensions; it must have 1", to.ndim);
    call.require(n >= 0, "there is no sequence from %g to %g in steps of %g", start->as_double(), end->as_double(),
                 step->as_double());
    // the quotient of floating-point bounds is rounded, so the caller may have come to one more or one less
    call.require(to.size == n || (!exact && to.size - n <= 1 && n - to.size <= 1),
                 "out has %ld elements, but from %g to %g in steps of %g there are %ld", to.size, start->as_double(),
                 end->as_double(), step->as_double(), n);
    if (!call.ok()) return call.status();
    const int64_t cost = 50 + to.size / 2;
    if (exact) {
        return call.run(cost, [first = start->as_int(), by = step->as_int()](const Operands& o) {
            fill_arange(o.out[0], first, by);
        });
    }
    return call.run(
        cost, [first = value_of(start), by = value_of(step)](const Operands& o) { fill_arange(o.out[0], first, by); });
}

int32_t plan_linspace(Call& call, const aclScalar* start, const aclScalar* end, int64_t steps, double base,
                      const char* out_name, const aclTensor* out) {
    if (!call.scalar("start", start).scalar("end", end).out(out_name, out).ok()) return call.status();
    const View& to = call.output(0);
    call.require(steps >= 0, "steps is %ld", steps).require(base >= 0, "base is %g; it must not be negative", base);
    call.require(!is_complex(start->dtype) && !is_complex(end->dtype), "start or end is complex");
    call.require(cast_inner(to.dtype, DType::F64) != nullptr, "%s is %s", out_name, dtype_name(to.dtype));
    require_shape(call, out_name, to, &steps, 1);
    if (!call.ok()) return call.status();
    return call.run(50 + to.size * 2, [first = start->as_double(), last = end->as_double(), base](const Operands& o) {
        fill_linspace(o.out[0], first, last, base);
    });
}

// out[position, ..., index[position], ...] = on; what is out of range has no place.
void encode(const View& out, const View& index, int axis, const char* on) {
    const int item = out.item();
    const bool wide = index.dtype == DType::I64;
    const int64_t classes = out.shape[axis], class_step = out.stride[axis] * item;
    Walk<2> walk;
    for (int d = 0; d < index.ndim; ++d) {
        const int64_t steps[] = {index.stride[d] * index.item(), out.stride[d < axis ? d : d + 1] * item};
        walk.add(index.shape[d], steps);
    }
    each_row(walk, 0, index.size, [&](const int64_t* offset, int64_t n) {
        for (int64_t i = 0; i < n; ++i) {
            const char* p = index.data + offset[0] + i * row_step(walk, 0, 0);
            const int64_t at = wide ? *reinterpret_cast<const int64_t*>(p) : *reinterpret_cast<const int32_t*>(p);
            if (at < 0 || at >= classes) continue;
            std::memcpy(out.data + offset[1] + i * row_step(walk, 1, 0) + at * class_step, on,
                        static_cast<size_t>(item));
        }
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnArangeGetWorkspaceSize(const aclScalar* start, const aclScalar* end, const aclScalar* step,
                                        aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnArange", workspaceSize, executor);
    return plan_sequence(call, start, end, step, out, false);
}
PYASC_PHASE2(aclnnArange)

aclnnStatus aclnnRangeGetWorkspaceSize(const aclScalar* start, const aclScalar* end, const aclScalar* step,
                                       aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnRange", workspaceSize, executor);
    return plan_sequence(call, start, end, step, out, true);
}
PYASC_PHASE2(aclnnRange)

aclnnStatus aclnnLinspaceGetWorkspaceSize(const aclScalar* start, const aclScalar* end, int64_t steps, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLinspace", workspaceSize, executor);
    return plan_linspace(call, start, end, steps, 0, "out", out);
}
PYASC_PHASE2(aclnnLinspace)

aclnnStatus aclnnLogSpaceGetWorkspaceSize(const aclScalar* start, const aclScalar* end, int64_t steps, double base,
                                          const aclTensor* result, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLogSpace", workspaceSize, executor);
    call.require(base != 0, "base is 0");
    return plan_linspace(call, start, end, steps, base, "result", result);
}
PYASC_PHASE2(aclnnLogSpace)

aclnnStatus aclnnEyeGetWorkspaceSize(int64_t n, int64_t m, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
    Call call("aclnnEye", workspaceSize, executor);
    if (!call.out("out", out).ok()) return call.status();
    const int64_t shape[] = {n, m};
    require_shape(call, "out", call.output(0), shape, 2);
    if (!call.ok()) return call.status();
    return call.run(move_cost(call.output(0).size, call.output(0).item()), [](const Operands& o) {
        View v = o.out[0];
        const Item zero = {};
        bool one = true;
        fill_view(v, zero.bytes);
        v.ndim = 1;
        v.size = v.shape[0] = v.shape[0] < v.shape[1] ? v.shape[0] : v.shape[1];
        v.stride[0] += v.stride[1];
        View ones;
        ones.data = reinterpret_cast<char*>(&one);
        ones.dtype = DType::Bool;
        copy_view(v, ones);
    });
}
PYASC_PHASE2(aclnnEye)

aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor* self, int numClasses, const aclTensor* onValue,
                                        const aclTensor* offValue, int64_t axis, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnOneHot", workspaceSize, executor);
    if (!call.in("onValue", onValue).in("offValue", offValue).out("out", out).same_dtype().in("self", self).ok())
        return call.status();
    const View &index = call.input(2), &to = call.output(0);
    require_int(call, "self", index.dtype);
    call.require(call.input(0).size == 1 && call.input(1).size == 1, "onValue and offValue must have one element each");
    call.require(numClasses >= 0, "numClasses is %d", numClasses)
        .require(index.ndim < kMaxDims, "self has %d dimensions", index.ndim);
    call.axis("axis", &axis, index.ndim + 1);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims];
    for (int d = 0; d < index.ndim; ++d) shape[d + (d >= axis)] = index.shape[d];
    shape[axis] = numClasses;
    require_shape(call, "out", to, shape, index.ndim + 1);
    if (!call.ok()) return call.status();
    return call.run(move_cost(to.size, to.item()) + index.size * 4, [axis](const Operands& o) {
        fill_view(o.out[0], o.in[1].data);
        encode(o.out[0], o.in[2], static_cast<int>(axis), o.in[0].data);
    });
}
PYASC_PHASE2(aclnnOneHot)

}  // extern "C"

// Dropout. A mask has one bit an element, lowest bit first, padded to whole groups of 128; a set bit keeps the element.
#include <cmath>

#include "aclnnop/aclnn_dropout.h"
#include "aclnnop/aclnn_dropout_backward.h"
#include "aclnnop/aclnn_dropout_do_mask.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "kernels/copy.h"
#include "kernels/random.h"
#include "ops/rearrange.h"

namespace pyasc {
namespace {

int64_t mask_bytes(int64_t n) { return (n + 127) / 128 * 16; }

void require_mask(Call& call, const char* name, const View& mask, int64_t n) {
    call.require(mask.dtype == DType::U8 && is_dense(mask) && mask.size >= mask_bytes(n),
                 "%s has %ld elements of %s; %ld contiguous uint8 are needed for %ld elements", name, mask.size,
                 dtype_name(mask.dtype), mask_bytes(n), n);
}

void require_probability(Call& call, const char* name, double p) {
    call.require(p >= 0 && p <= 1, "%s is %g; it must lie in [0, 1]", name, p);
}

double keep_scale(double p) { return p < 1 ? 1 / (1 - p) : 0; }

uint8_t* bytes_of(const View& v) { return reinterpret_cast<uint8_t*>(v.data); }

// Input 0 through the mask of input 1 to output 0.
int32_t plan_apply(Call& call, const char* input, const aclTensor* self, const aclTensor* mask, double scale,
                   const aclTensor* out) {
    if (!call.in(input, self).out("out", out).same_dtype().in("mask", mask).ok()) return call.status();
    const View& v = call.input(0);
    call.require(is_float(v.dtype), "%s is %s; it must be a float", input, dtype_name(v.dtype));
    call.require(std::isfinite(scale), "scale is %g", scale);
    require_mask(call, "mask", call.input(1), v.size);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    return call.run(100 + v.size * 2,
                    [scale](const Operands& o) { apply_mask(o.out[0], o.in[0], bytes_of(o.in[1]), scale); });
}

// `from_device`: inputs 0 and 1 are seed and offset.
int32_t plan_mask(Call& call, const aclIntArray* shape, double prob, uint64_t seed, uint64_t offset, bool from_device) {
    if (!call.ints("shape", shape).ok()) return call.status();
    require_probability(call, "prob", prob);
    int64_t n = 1;
    for (uint64_t i = 0; i < shape->size && call.ok(); ++i) {
        call.require(shape->data[i] >= 0 && !__builtin_mul_overflow(n, shape->data[i], &n), "shape[%lu] is %ld", i,
                     shape->data[i]);
    }
    call.require(n < int64_t{1} << 60, "shape has too many elements");
    if (call.ok()) require_mask(call, "out", call.output(0), n);
    for (int i = 0; i < call.inputs() && call.ok(); ++i) {
        const View& v = call.input(i);
        call.require(v.size >= 1 && v.dtype == DType::I64, "seedTensor and offsetTensor must have one int64 each");
    }
    if (!call.ok()) return call.status();
    return call.run(100 + n * 2, [=](const Operands& o) {
        uint64_t s = seed, first = offset;
        if (from_device) {
            s = *reinterpret_cast<const uint64_t*>(o.in[0].data);
            first += *reinterpret_cast<const uint64_t*>(o.in[1].data);
        }
        fill_mask(s, first, prob, n, mask_bytes(n), bytes_of(o.out[0]));
    });
}

void require_float_type(Call& call, aclDataType type) {
    call.require(type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16, "probDataType is %d; it must be a float",
                 static_cast<int>(type));
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnDropoutGetWorkspaceSize(const aclTensor* input, double p, bool train, int64_t seed, int64_t offset,
                                         aclTensor* out, aclTensor* maskOut, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
    Call call("aclnnDropout", workspaceSize, executor);
    if (!call.in("input", input).out("out", out).same_dtype().out("maskOut", maskOut).ok()) return call.status();
    const View& v = call.input(0);
    require_probability(call, "p", p);
    call.require(is_float(v.dtype), "input is %s; it must be a float", dtype_name(v.dtype));
    require_mask(call, "maskOut", call.output(1), v.size);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    const double drop = train ? p : 0;
    return call.run(100 + v.size * 3, [=](const Operands& o) {
        const int64_t n = o.in[0].size;
        fill_mask(static_cast<uint64_t>(seed), static_cast<uint64_t>(offset), drop, n, mask_bytes(n),
                  bytes_of(o.out[1]));
        if (drop == 0) {
            copy_view(o.out[0], o.in[0]);
        } else {
            apply_mask(o.out[0], o.in[0], bytes_of(o.out[1]), keep_scale(drop));
        }
    });
}
PYASC_PHASE2(aclnnDropout)

aclnnStatus aclnnDropoutBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* mask, double scale,
                                                 aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnDropoutBackward", workspaceSize, executor);
    return plan_apply(call, "gradOutput", gradOutput, mask, scale, out);
}
PYASC_PHASE2(aclnnDropoutBackward)

aclnnStatus aclnnDropoutDoMaskGetWorkspaceSize(const aclTensor* self, const aclTensor* mask, double prob,
                                               aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnDropoutDoMask", workspaceSize, executor);
    require_probability(call, "prob", prob);
    return plan_apply(call, "self", self, mask, keep_scale(prob), out);
}
PYASC_PHASE2(aclnnDropoutDoMask)

aclnnStatus aclnnDropoutGenMaskGetWorkspaceSize(const aclIntArray* shape, double prob, int64_t seed, int64_t offset,
                                                aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnDropoutGenMask", workspaceSize, executor);
    call.out("out", out);
    return plan_mask(call, shape, prob, static_cast<uint64_t>(seed), static_cast<uint64_t>(offset), false);
}
PYASC_PHASE2(aclnnDropoutGenMask)

aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(const aclIntArray* shape, double prob, int64_t seed, int64_t offset,
                                                  aclDataType probDataType, aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
    Call call("aclnnDropoutGenMaskV2", workspaceSize, executor);
    call.out("out", out);
    require_float_type(call, probDataType);
    return plan_mask(call, shape, prob, static_cast<uint64_t>(seed), static_cast<uint64_t>(offset), false);
}
PYASC_PHASE2(aclnnDropoutGenMaskV2)

aclnnStatus aclnnDropoutGenMaskV2TensorGetWorkspaceSize(const aclIntArray* shape, double prob,
                                                        const aclTensor* seedTensor, const aclTensor* offsetTensor,
                                                        int64_t offset, aclDataType probDataType, aclTensor* out,
                                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnDropoutGenMaskV2Tensor", workspaceSize, executor);
    call.out("out", out).in("seedTensor", seedTensor).in("offsetTensor", offsetTensor);
    require_float_type(call, probDataType);
    return plan_mask(call, shape, prob, 0, static_cast<uint64_t>(offset), true);
}
PYASC_PHASE2(aclnnDropoutGenMaskV2Tensor)

}  // extern "C"

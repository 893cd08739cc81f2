// Choosing, bounding and mixing: where, masked fills, clamps, lerp, addcmul, addcdiv, nan_to_num.
#include <cstring>
#include <limits>

#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_lerp_scalar.h"
#include "aclnnop/aclnn_lerp_tensor.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_masked_fill_tensor.h"
#include "aclnnop/aclnn_nan_to_num.h"
#include "aclnnop/aclnn_s_where.h"
#include "kernels/copy.h"
#include "kernels/select.h"
#include "ops/elementwise.h"

namespace pyasc {
namespace {

Inner inner(Select op, DType t) { return t == DType::None ? nullptr : select_kernels().find(op, t); }

int32_t memory_weight(DType t) { return item_size(t) < 2 ? 1 : item_size(t) / 2; }

// A mask is Bool, or uint8 whose elements count as true where they are not 0; the kernel reads both as they are.
DType mask_type(Call& call, int input) {
    if (!call.ok()) return DType::None;
    const DType t = call.dtype(input);
    call.require(t == DType::Bool || t == DType::U8, "the mask is %s; bool and uint8 are allowed", dtype_name(t));
    return t;
}

// A bound as an element of the tensor's type. A whole number that an integer type cannot hold bounds nothing or
// everything: it becomes the type's own end.
void add_bound(Call& call, Formula* f, const char* name, const aclScalar* bound, DType t) {
    if (!call.ok() || f->scalar(bound, t)) return;
    call.require(is_integer(t) && (is_integer(bound->dtype) || bound->dtype == DType::Bool),
                 "%s, %g, has no value as %s", name, bound->as_double(), dtype_name(t));
    if (!call.ok()) return;
    const bool negative = bound->dtype != DType::U64 && bound->i < 0;
    const int bits = 8 * item_size(t);
    const uint64_t lowest = is_signed_integer(t) ? ~uint64_t{0} << (bits - 1) : 0;
    const uint64_t value = negative ? lowest : ~lowest;
    std::memcpy(f->constant[f->constants], &value, sizeof(value));  // little-endian: the low bytes are the value
    f->tensor(-1 - f->constants, t);
    ++f->constants;
}

// min(max(x, low), high); either bound may be null, not both.
int32_t clamp(Call& call, Tensor x, const aclScalar* low, const aclScalar* high, Tensor out,
              const char* low_name = "clipValueMin") {
    call.in(x.name, x.tensor).out(out.name, out.tensor);
    if (low != nullptr || high == nullptr) call.scalar(low_name, low);
    if (high != nullptr) call.scalar("clipValueMax", high);
    if (!call.ok()) return call.status();
    const DType to = call.output(0).dtype;
    DType t = call.dtype(0);
    if (low != nullptr) t = promote(t, low, to);
    if (high != nullptr) t = promote(t, high, to);
    const Inner kernel = low == nullptr    ? binary_inner(Binary::Minimum, t)
                         : high == nullptr ? binary_inner(Binary::Maximum, t)
                                           : inner(Select::Clamp, t);
    Formula f{kernel, memory_weight(t), t};
    if (kernel == nullptr) return call.loop(nullptr, 0);
    f.tensor(0, t);
    if (low != nullptr) add_bound(call, &f, low_name, low, t);
    if (high != nullptr) add_bound(call, &f, "clipValueMax", high, t);
    return finish(call, f);
}

int32_t where(Call& call, Tensor mask, Tensor a, Tensor b, Tensor out) {
    call.in(mask.name, mask.tensor).in(a.name, a.tensor).in(b.name, b.tensor).out(out.name, out.tensor);
    const DType m = mask_type(call, 0);
    if (!call.ok()) return call.status();
    const DType t = promote(call.dtype(1), call.dtype(2));
    Formula f{inner(Select::Where, t), memory_weight(t), t};
    return finish(call, f.tensor(0, m).tensor(1, t).tensor(2, t));
}

int32_t addc(Call& call, Select op, Tensor x, const aclTensor* a, const aclTensor* b, const aclScalar* value,
             Tensor out) {
    call.in(x.name, x.tensor).in("tensor1", a).in("tensor2", b).scalar("value", value).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType t = promote(promote(call.dtype(0), call.dtype(1)), call.dtype(2));
    Formula f{inner(op, t), memory_weight(t) + 1, t};
    if (f.inner == nullptr) return call.loop(nullptr, 0);
    f.tensor(0, t).tensor(1, t).tensor(2, t);
    call.require(f.scalar(value, t), "value, %g, has no value as %s", value->as_double(), dtype_name(t));
    return finish(call, f);
}

int32_t lerp(Call& call, Tensor start, const aclTensor* end, Tensor weight, Tensor out) {
    call.in(start.name, start.tensor).in("end", end).in(weight.name, weight.tensor).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType t = promote(promote(call.dtype(0), call.dtype(1)), call.dtype(2));
    Formula f{inner(Select::Lerp, t), memory_weight(t) + 1, t};
    return finish(call, f.tensor(0, t).tensor(1, t).tensor(2, t));
}

int32_t lerp(Call& call, Tensor start, const aclTensor* end, const aclScalar* weight, Tensor out) {
    call.in(start.name, start.tensor).in("end", end).scalar("weight", weight).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType t = promote(call.dtype(0), call.dtype(1));
    Formula f{inner(Select::Lerp, t), memory_weight(t) + 1, t};
    if (f.inner == nullptr) return call.loop(nullptr, 0);
    f.tensor(0, t).tensor(1, t);
    call.require(f.scalar(weight, t), "weight, %g, has no value as %s", weight->as_double(), dtype_name(t));
    return finish(call, f);
}

int32_t nan_to_num(Call& call, Tensor x, float nan, float high, float low, Tensor out) {
    call.in(x.name, x.tensor).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    DType t = call.dtype(0);
    if (t == DType::Bool || is_integer(t)) {  // nothing to replace
        Formula f{cast_inner(t, t), memory_weight(t), t};
        return finish(call, f.tensor(0, t));
    }
    if (t == DType::F16 || t == DType::BF16) t = DType::F32;
    Formula f{inner(Select::NanToNum, t), memory_weight(t) + 1, t};
    return finish(call, f.tensor(0, t).number(nan).number(high).number(low));
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

#define PYASC_PHASE1(op, ...) \
    aclnnStatus op##GetWorkspaceSize(__VA_ARGS__, uint64_t* workspaceSize, aclOpExecutor** executor)
#define PYASC_CALL(op) Call call(#op, workspaceSize, executor)

extern "C" {

PYASC_PHASE1(aclnnSWhere, const aclTensor* condition, const aclTensor* self, const aclTensor* other, aclTensor* out) {
    PYASC_CALL(aclnnSWhere);
    return where(call, {"condition", condition}, {"self", self}, {"other", other}, {"out", out});
}
PYASC_PHASE2(aclnnSWhere)

PYASC_PHASE1(aclnnInplaceMaskedFillScalar, aclTensor* selfRef, const aclTensor* mask, const aclScalar* value) {
    PYASC_CALL(aclnnInplaceMaskedFillScalar);
    call.in("selfRef", selfRef).in("mask", mask).scalar("value", value).out("selfRef", selfRef);
    const DType m = mask_type(call, 1), t = call.dtype(0);
    if (!call.ok()) return call.status();
    Formula f{inner(Select::Where, t), memory_weight(t), t};
    f.tensor(1, m);
    call.require(f.scalar(value, t), "value, %g, has no value as %s", value->as_double(), dtype_name(t));
    return finish(call, f.tensor(0, t));
}
PYASC_PHASE2(aclnnInplaceMaskedFillScalar)

PYASC_PHASE1(aclnnInplaceMaskedFillTensor, aclTensor* selfRef, const aclTensor* mask, const aclTensor* value) {
    PYASC_CALL(aclnnInplaceMaskedFillTensor);
    call.in("selfRef", selfRef).in("mask", mask).in("value", value).out("selfRef", selfRef);
    const DType m = mask_type(call, 1), t = call.dtype(0);
    if (!call.ok()) return call.status();
    call.require(call.input(2).size == 1, "value has %ld elements; exactly one is allowed", call.input(2).size);
    Formula f{inner(Select::Where, t), memory_weight(t), t};
    return finish(call, f.tensor(1, m).tensor(2, t).tensor(0, t));
}
PYASC_PHASE2(aclnnInplaceMaskedFillTensor)

PYASC_PHASE1(aclnnClamp, const aclTensor* self, const aclScalar* clipValueMin, const aclScalar* clipValueMax,
             aclTensor* out) {
    PYASC_CALL(aclnnClamp);
    return clamp(call, {"self", self}, clipValueMin, clipValueMax, {"out", out});
}
PYASC_PHASE2(aclnnClamp)
PYASC_PHASE1(aclnnClampMin, const aclTensor* self, const aclScalar* clipValueMin, aclTensor* out) {
    PYASC_CALL(aclnnClampMin);
    return clamp(call, {"self", self}, clipValueMin, nullptr, {"out", out});
}
PYASC_PHASE2(aclnnClampMin)
PYASC_PHASE1(aclnnClampMax, const aclTensor* self, const aclScalar* clipValueMax, aclTensor* out) {
    PYASC_CALL(aclnnClampMax);
    return clamp(call, {"self", self}, nullptr, clipValueMax, {"out", out}, "clipValueMax");
}
PYASC_PHASE2(aclnnClampMax)
PYASC_PHASE1(aclnnInplaceClampMax, const aclTensor* selfRef, const aclScalar* clipValueMax) {
    PYASC_CALL(aclnnInplaceClampMax);
    return clamp(call, {"selfRef", selfRef}, nullptr, clipValueMax, {"selfRef", selfRef}, "clipValueMax");
}
PYASC_PHASE2(aclnnInplaceClampMax)

PYASC_PHASE1(aclnnClampTensor, const aclTensor* self, const aclTensor* clipValueMin, const aclTensor* clipValueMax,
             aclTensor* out) {
    PYASC_CALL(aclnnClampTensor);
    call.in("self", self).in("clipValueMin", clipValueMin).in("clipValueMax", clipValueMax).out("out", out);
    if (!call.ok()) return call.status();
    const DType t = promote(promote(call.dtype(0), call.dtype(1)), call.dtype(2));
    Formula f{inner(Select::Clamp, t), memory_weight(t), t};
    return finish(call, f.tensor(0, t).tensor(1, t).tensor(2, t));
}
PYASC_PHASE2(aclnnClampTensor)
PYASC_PHASE1(aclnnClampMinTensor, const aclTensor* self, const aclTensor* clipValueMin, aclTensor* out) {
    PYASC_CALL(aclnnClampMinTensor);
    return binary(call, Binary::Maximum, Tensor{"self", self}, Tensor{"clipValueMin", clipValueMin}, {"out", out});
}
PYASC_PHASE2(aclnnClampMinTensor)
PYASC_PHASE1(aclnnClampMaxTensor, const aclTensor* self, const aclTensor* max, aclTensor* out) {
    PYASC_CALL(aclnnClampMaxTensor);
    return binary(call, Binary::Minimum, Tensor{"self", self}, Tensor{"max", max}, {"out", out});
}
PYASC_PHASE2(aclnnClampMaxTensor)
PYASC_PHASE1(aclnnInplaceClampMinTensor, aclTensor* selfRef, const aclTensor* clipValueMin) {
    PYASC_CALL(aclnnInplaceClampMinTensor);
    return binary(call, Binary::Maximum, Tensor{"selfRef", selfRef}, Tensor{"clipValueMin", clipValueMin},
                  {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceClampMinTensor)
PYASC_PHASE1(aclnnInplaceClampMaxTensor, aclTensor* selfRef, const aclTensor* max) {
    PYASC_CALL(aclnnInplaceClampMaxTensor);
    return binary(call, Binary::Minimum, Tensor{"selfRef", selfRef}, Tensor{"max", max}, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceClampMaxTensor)

PYASC_PHASE1(aclnnLerp, const aclTensor* self, const aclTensor* end, const aclTensor* weight, aclTensor* out) {
    PYASC_CALL(aclnnLerp);
    return lerp(call, {"self", self}, end, Tensor{"weight", weight}, {"out", out});
}
PYASC_PHASE2(aclnnLerp)
PYASC_PHASE1(aclnnLerps, const aclTensor* self, const aclTensor* end, const aclScalar* weight, aclTensor* out) {
    PYASC_CALL(aclnnLerps);
    return lerp(call, {"self", self}, end, weight, {"out", out});
}
PYASC_PHASE2(aclnnLerps)
PYASC_PHASE1(aclnnInplaceLerp, aclTensor* selfRef, const aclTensor* end, const aclTensor* weight) {
    PYASC_CALL(aclnnInplaceLerp);
    return lerp(call, {"selfRef", selfRef}, end, Tensor{"weight", weight}, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceLerp)
PYASC_PHASE1(aclnnInplaceLerps, aclTensor* selfRef, const aclTensor* end, const aclScalar* weight) {
    PYASC_CALL(aclnnInplaceLerps);
    return lerp(call, {"selfRef", selfRef}, end, weight, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceLerps)

PYASC_PHASE1(aclnnAddcmul, const aclTensor* self, const aclTensor* tensor1, const aclTensor* tensor2,
             const aclScalar* value, aclTensor* out) {
    PYASC_CALL(aclnnAddcmul);
    return addc(call, Select::Addcmul, {"self", self}, tensor1, tensor2, value, {"out", out});
}
PYASC_PHASE2(aclnnAddcmul)
PYASC_PHASE1(aclnnInplaceAddcmul, const aclTensor* selfRef, const aclTensor* tensor1, const aclTensor* tensor2,
             const aclScalar* value) {
    PYASC_CALL(aclnnInplaceAddcmul);
    return addc(call, Select::Addcmul, {"selfRef", selfRef}, tensor1, tensor2, value, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceAddcmul)
PYASC_PHASE1(aclnnAddcdiv, const aclTensor* self, const aclTensor* tensor1, const aclTensor* tensor2,
             const aclScalar* value, const aclTensor* out) {
    PYASC_CALL(aclnnAddcdiv);
    return addc(call, Select::Addcdiv, {"self", self}, tensor1, tensor2, value, {"out", out});
}
PYASC_PHASE2(aclnnAddcdiv)
PYASC_PHASE1(aclnnInplaceAddcdiv, const aclTensor* selfRef, const aclTensor* tensor1, const aclTensor* tensor2,
             const aclScalar* value) {
    PYASC_CALL(aclnnInplaceAddcdiv);
    return addc(call, Select::Addcdiv, {"selfRef", selfRef}, tensor1, tensor2, value, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceAddcdiv)

PYASC_PHASE1(aclnnNanToNum, const aclTensor* self, float nan, float posinf, float neginf, aclTensor* out) {
    PYASC_CALL(aclnnNanToNum);
    return nan_to_num(call, {"self", self}, nan, posinf, neginf, {"out", out});
}
PYASC_PHASE2(aclnnNanToNum)
PYASC_PHASE1(aclnnInplaceNanToNum, aclTensor* selfRef, float nan, float posinf, float neginf) {
    PYASC_CALL(aclnnInplaceNanToNum);
    return nan_to_num(call, {"selfRef", selfRef}, nan, posinf, neginf, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceNanToNum)

}  // extern "C"

#undef PYASC_PHASE1
#undef PYASC_CALL

// Arithmetic of two operands: sums with alpha, products, quotients and remainders, powers, extrema, gcd.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_scalar.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_gcd.h"
#include "aclnnop/aclnn_heaviside.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_real_div.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_sub.h"
#include "ops/elementwise.h"

namespace pyasc {
namespace {

// A sum or difference: the kernel without alpha, the one with it, and how they see the operands.
struct Sum {
    Binary plain, scaled;
    bool exchanged = false;  // plain takes them as (other, self)
};
constexpr Sum kAdd = {Binary::Add, Binary::AddAlpha};
constexpr Sum kSub = {Binary::Sub, Binary::SubAlpha};
constexpr Sum kRsub = {Binary::Sub, Binary::RsubAlpha, true};

bool is_one(const aclScalar* s) { return s->as_double() == 1 && s->imag == 0; }

void check_alpha(Call& call, const aclScalar* alpha, DType t) {
    const bool whole =
        is_float(t) || is_complex(t) || !is_float(alpha->dtype) || alpha->f == static_cast<double>(alpha->as_int());
    call.require(whole, "alpha is %g, but the operands are %s; alpha must be a whole number for them",
                 alpha->as_double(), dtype_name(t));
}

int32_t sum(const char* op, Sum s, Tensor a, Tensor b, const aclScalar* alpha, Tensor out, uint64_t* size,
            aclOpExecutor** ex) {
    Call call(op, size, ex);
    call.scalar("alpha", alpha);
    if (call.ok() && is_one(alpha) && !s.exchanged) return binary(call, s.plain, a, b, out);
    call.in(a.name, a.tensor).in(b.name, b.tensor).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType t = promote(call.dtype(0), call.dtype(1));
    Formula f{binary_inner(s.scaled, t), binary_weight(s.scaled, t), t};
    if (f.inner == nullptr) return call.loop(nullptr, 0);
    check_alpha(call, alpha, t);
    if (!call.ok()) return call.status();
    if (t == call.dtype(0) && t == call.dtype(1) && t == call.output(0).dtype) {
        return call.loop_with_scalar(f.inner, f.weight, alpha, t);
    }
    f.tensor(0, t).tensor(1, t);
    call.require(f.scalar(alpha, t), "alpha, %g, has no value as %s", alpha->as_double(), dtype_name(t));
    return finish(call, f);
}

int32_t sum(const char* op, Sum s, Tensor a, const aclScalar* b, const aclScalar* alpha, Tensor out, uint64_t* size,
            aclOpExecutor** ex) {
    Call call(op, size, ex);
    call.scalar("alpha", alpha).scalar("other", b);
    if (!call.ok()) return call.status();
    const Scalar other{"other", b};
    if (is_one(alpha)) return s.exchanged ? binary(call, s.plain, other, a, out) : binary(call, s.plain, a, other, out);
    call.in(a.name, a.tensor).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType t = promote(call.dtype(0), b, call.output(0).dtype);
    Formula f{binary_inner(s.scaled, t), binary_weight(s.scaled, t), t};
    if (f.inner == nullptr) return call.loop(nullptr, 0);
    check_alpha(call, alpha, t);
    f.tensor(0, t);
    call.require(f.scalar(b, t), "other, %g, has no value as %s", b->as_double(), dtype_name(t));
    call.require(f.scalar(alpha, t), "alpha, %g, has no value as %s", alpha->as_double(), dtype_name(t));
    return finish(call, f);
}

// The quotient of aclnnDivMod: 0 true, 1 towards zero, 2 floor.
bool rounding(Call& call, int mode, Binary* op) {
    constexpr Binary kModes[] = {Binary::Div, Binary::TruncDivide, Binary::FloorDivide};
    call.require(mode >= 0 && mode <= 2, "mode is %d; 0 (true), 1 (towards zero) and 2 (floor) are allowed", mode);
    if (call.ok()) *op = kModes[mode];
    return call.ok();
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

#define PYASC_PHASE1(op, ...) \
    aclnnStatus op##GetWorkspaceSize(__VA_ARGS__, uint64_t* workspaceSize, aclOpExecutor** executor)
#define PYASC_CALL(op) Call call(#op, workspaceSize, executor)

// Sums: tensor and tensor, tensor and scalar, and both in place.
#define PYASC_SUM(name, formula)                                                                                       \
    PYASC_PHASE1(aclnn##name, const aclTensor* self, const aclTensor* other, const aclScalar* alpha, aclTensor* out) { \
        return sum("aclnn" #name, formula, {"self", self}, Tensor{"other", other}, alpha, {"out", out}, workspaceSize, \
                   executor);                                                                                          \
    }                                                                                                                  \
    PYASC_PHASE2(aclnn##name)                                                                                          \
    PYASC_PHASE1(aclnn##name##s, const aclTensor* self, const aclScalar* other, const aclScalar* alpha,                \
                 aclTensor* out) {                                                                                     \
        return sum("aclnn" #name "s", formula, {"self", self}, other, alpha, {"out", out}, workspaceSize, executor);   \
    }                                                                                                                  \
    PYASC_PHASE2(aclnn##name##s)
#define PYASC_SUM_IN_PLACE(name, formula, Ref)                                                                  \
    PYASC_PHASE1(aclnnInplace##name, Ref* selfRef, const aclTensor* other, const aclScalar* alpha) {            \
        return sum("aclnnInplace" #name, formula, {"selfRef", selfRef}, Tensor{"other", other}, alpha,          \
                   {"selfRef", selfRef}, workspaceSize, executor);                                              \
    }                                                                                                           \
    PYASC_PHASE2(aclnnInplace##name)                                                                            \
    PYASC_PHASE1(aclnnInplace##name##s, Ref* selfRef, const aclScalar* other, const aclScalar* alpha) {         \
        return sum("aclnnInplace" #name "s", formula, {"selfRef", selfRef}, other, alpha, {"selfRef", selfRef}, \
                   workspaceSize, executor);                                                                    \
    }                                                                                                           \
    PYASC_PHASE2(aclnnInplace##name##s)

// One kernel with operands of type B (aclTensor or aclScalar, Named: Tensor or Scalar).
#define PYASC_BINARY(op, kernel, B, Named)                                                      \
    PYASC_PHASE1(op, const aclTensor* self, const B* other, aclTensor* out) {                   \
        PYASC_CALL(op);                                                                         \
        return binary(call, kernel, Tensor{"self", self}, Named{"other", other}, {"out", out}); \
    }                                                                                           \
    PYASC_PHASE2(op)
#define PYASC_BINARY_IN_PLACE(op, kernel, B, Named)                                                           \
    PYASC_PHASE1(op, aclTensor* selfRef, const B* other) {                                                    \
        PYASC_CALL(op);                                                                                       \
        return binary(call, kernel, Tensor{"selfRef", selfRef}, Named{"other", other}, {"selfRef", selfRef}); \
    }                                                                                                         \
    PYASC_PHASE2(op)
#define PYASC_DIV_MOD(op, B, Named)                                                             \
    PYASC_PHASE1(op, const aclTensor* self, const B* other, int mode, aclTensor* out) {         \
        PYASC_CALL(op);                                                                         \
        Binary kernel;                                                                          \
        if (!rounding(call, mode, &kernel)) return call.status();                               \
        return binary(call, kernel, Tensor{"self", self}, Named{"other", other}, {"out", out}); \
    }                                                                                           \
    PYASC_PHASE2(op)
#define PYASC_DIV_MOD_IN_PLACE(op, B, Named)                                                                  \
    PYASC_PHASE1(op, aclTensor* selfRef, const B* other, int mode) {                                          \
        PYASC_CALL(op);                                                                                       \
        Binary kernel;                                                                                        \
        if (!rounding(call, mode, &kernel)) return call.status();                                             \
        return binary(call, kernel, Tensor{"selfRef", selfRef}, Named{"other", other}, {"selfRef", selfRef}); \
    }                                                                                                         \
    PYASC_PHASE2(op)

extern "C" {

PYASC_SUM(Add, kAdd)
PYASC_SUM(Sub, kSub)
PYASC_SUM(Rsub, kRsub)
PYASC_SUM_IN_PLACE(Add, kAdd, const aclTensor)
PYASC_SUM_IN_PLACE(Sub, kSub, aclTensor)

PYASC_BINARY(aclnnMul, Binary::Mul, aclTensor, Tensor)
PYASC_BINARY(aclnnMuls, Binary::Mul, aclScalar, Scalar)
PYASC_BINARY_IN_PLACE(aclnnInplaceMul, Binary::Mul, aclTensor, Tensor)
PYASC_BINARY_IN_PLACE(aclnnInplaceMuls, Binary::Mul, aclScalar, Scalar)

PYASC_BINARY(aclnnDiv, Binary::Div, aclTensor, Tensor)
PYASC_BINARY(aclnnDivs, Binary::Div, aclScalar, Scalar)
PYASC_BINARY_IN_PLACE(aclnnInplaceDiv, Binary::Div, aclTensor, Tensor)
PYASC_BINARY_IN_PLACE(aclnnInplaceDivs, Binary::Div, aclScalar, Scalar)
PYASC_BINARY(aclnnRealDiv, Binary::Div, aclTensor, Tensor)
PYASC_DIV_MOD(aclnnDivMod, aclTensor, Tensor)
PYASC_DIV_MOD(aclnnDivMods, aclScalar, Scalar)
PYASC_DIV_MOD_IN_PLACE(aclnnInplaceDivMod, aclTensor, Tensor)
PYASC_DIV_MOD_IN_PLACE(aclnnInplaceDivMods, aclScalar, Scalar)

PYASC_BINARY(aclnnFloorDivide, Binary::FloorDivide, aclTensor, Tensor)
PYASC_BINARY(aclnnFloorDivides, Binary::FloorDivide, aclScalar, Scalar)
PYASC_BINARY_IN_PLACE(aclnnInplaceFloorDivide, Binary::FloorDivide, aclTensor, Tensor)
PYASC_BINARY_IN_PLACE(aclnnInplaceFloorDivides, Binary::FloorDivide, aclScalar, Scalar)

PYASC_BINARY(aclnnRemainderTensorTensor, Binary::Remainder, aclTensor, Tensor)
PYASC_BINARY(aclnnRemainderTensorScalar, Binary::Remainder, aclScalar, Scalar)
PYASC_BINARY_IN_PLACE(aclnnInplaceRemainderTensorTensor, Binary::Remainder, aclTensor, Tensor)
PYASC_BINARY_IN_PLACE(aclnnInplaceRemainderTensorScalar, Binary::Remainder, aclScalar, Scalar)
PYASC_PHASE1(aclnnRemainderScalarTensor, const aclScalar* self, const aclTensor* other, aclTensor* out) {
    PYASC_CALL(aclnnRemainderScalarTensor);
    return binary(call, Binary::Remainder, Scalar{"self", self}, Tensor{"other", other}, {"out", out});
}
PYASC_PHASE2(aclnnRemainderScalarTensor)

PYASC_BINARY(aclnnFmodTensor, Binary::Fmod, aclTensor, Tensor)
PYASC_BINARY(aclnnFmodScalar, Binary::Fmod, aclScalar, Scalar)
PYASC_BINARY_IN_PLACE(aclnnInplaceFmodTensor, Binary::Fmod, aclTensor, Tensor)
PYASC_BINARY_IN_PLACE(aclnnInplaceFmodScalar, Binary::Fmod, aclScalar, Scalar)

PYASC_BINARY(aclnnMaximum, Binary::Maximum, aclTensor, Tensor)
PYASC_BINARY(aclnnMinimum, Binary::Minimum, aclTensor, Tensor)
PYASC_BINARY(aclnnGcd, Binary::Gcd, aclTensor, Tensor)

PYASC_PHASE1(aclnnHeaviside, const aclTensor* input, const aclTensor* values, aclTensor* out) {
    PYASC_CALL(aclnnHeaviside);
    return binary(call, Binary::Heaviside, Tensor{"input", input}, Tensor{"values", values}, {"out", out});
}
PYASC_PHASE2(aclnnHeaviside)

PYASC_PHASE1(aclnnPowTensorTensor, const aclTensor* self, const aclTensor* exponent, aclTensor* out) {
    PYASC_CALL(aclnnPowTensorTensor);
    return binary(call, Binary::Power, Tensor{"self", self}, Tensor{"exponent", exponent}, {"out", out});
}
PYASC_PHASE2(aclnnPowTensorTensor)
PYASC_PHASE1(aclnnPowTensorScalar, const aclTensor* self, const aclScalar* exponent, const aclTensor* out) {
    PYASC_CALL(aclnnPowTensorScalar);
    return binary(call, Binary::Power, Tensor{"self", self}, Scalar{"exponent", exponent}, {"out", out});
}
PYASC_PHASE2(aclnnPowTensorScalar)
PYASC_PHASE1(aclnnPowScalarTensor, const aclScalar* self, const aclTensor* exponent, const aclTensor* out) {
    PYASC_CALL(aclnnPowScalarTensor);
    return binary(call, Binary::Power, Scalar{"self", self}, Tensor{"exponent", exponent}, {"out", out});
}
PYASC_PHASE2(aclnnPowScalarTensor)
PYASC_PHASE1(aclnnInplacePowTensorTensor, const aclTensor* self, const aclTensor* exponent) {
    PYASC_CALL(aclnnInplacePowTensorTensor);
    return binary(call, Binary::Power, Tensor{"self", self}, Tensor{"exponent", exponent}, {"self", self});
}
PYASC_PHASE2(aclnnInplacePowTensorTensor)
PYASC_PHASE1(aclnnInplacePowTensorScalar, const aclTensor* self, const aclScalar* exponent) {
    PYASC_CALL(aclnnInplacePowTensorScalar);
    return binary(call, Binary::Power, Tensor{"self", self}, Scalar{"exponent", exponent}, {"self", self});
}
PYASC_PHASE2(aclnnInplacePowTensorScalar)

}  // extern "C"

#undef PYASC_PHASE1
#undef PYASC_CALL
#undef PYASC_SUM
#undef PYASC_SUM_IN_PLACE
#undef PYASC_BINARY
#undef PYASC_BINARY_IN_PLACE
#undef PYASC_DIV_MOD
#undef PYASC_DIV_MOD_IN_PLACE

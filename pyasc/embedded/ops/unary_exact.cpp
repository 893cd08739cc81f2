// Signs, rounding, tests and parts of numbers, and their in-place forms.
#include <cmath>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_angle_v2.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_complex.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_is_inf.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_isneginf.h"
#include "aclnnop/aclnn_isposinf.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_polar.h"
#include "aclnnop/aclnn_real.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_signbit.h"
#include "aclnnop/aclnn_square.h"
#include "aclnnop/aclnn_trunc.h"
#include "kernels/complex.h"
#include "ops/unary_macros.h"

namespace {

using namespace pyasc;

// Of integers: 0 or pi in the output's type.
int32_t angle(Call& call) {
    if (!call.ok()) return call.status();
    const DType in = call.dtype(0), out = call.output(0).dtype;
    if (unary_result(Unary::Angle, in) == out && !is_integer(in)) return run_exact(call, Unary::Angle);
    const DType compute = is_complex(in) || !is_float(out) ? DType::None : out == DType::F64 ? DType::F64 : DType::F32;
    return run_kernel(call, unary_kernels().find(Unary::Angle, compute), compute, 5);
}

// Half to even at `decimals` digits after the point. Integers have none: they change only left of it, in doubles.
int32_t round_decimals(Call& call, int64_t decimals) {
    if (!call.ok()) return call.status();
    const DType type = call.dtype(0);
    const bool integers = is_integer(type) || type == DType::Bool;
    if (decimals == 0 || (integers && decimals > 0)) return run_exact(call, Unary::Rint);
    call.same_dtype();
    const double power = std::pow(10.0, static_cast<double>(std::abs(decimals)));
    const DType compute = integers ? DType::F64 : type;
    const Parameters p{{power, decimals < 0 ? 1.0 : 0.0}};
    return run_kernel(call, math_kernels().activation(Activation::Round, compute), compute, 10, &p);
}

int32_t join(Call& call, Inner (*find)(DType part)) {
    if (!call.ok()) return call.status();
    const DType part = call.dtype(0), out = call.output(0).dtype;
    const bool right = call.dtype(1) == part &&
                       ((part == DType::F32 && out == DType::C64) || (part == DType::F64 && out == DType::C128));
    return call.loop(right ? find(part) : nullptr, find == complex_polar ? 400 : 10);
}

}  // namespace

extern "C" {

PYASC_UNARY(Abs, self, aclTensor*, out, run_exact(call, Unary::Absolute))
PYASC_UNARY(Neg, self, aclTensor*, out, run_exact(call, Unary::Negative))
PYASC_INPLACE(Neg, aclTensor*, selfRef, run_exact(call, Unary::Negative))
PYASC_UNARY(Sign, self, aclTensor*, result, run_exact(call, Unary::Sign))
PYASC_UNARY(Floor, self, aclTensor*, out, run_exact(call, Unary::Floor))
PYASC_INPLACE(Floor, aclTensor*, selfRef, run_exact(call, Unary::Floor))
PYASC_UNARY(Ceil, self, aclTensor*, out, run_exact(call, Unary::Ceil))
PYASC_INPLACE(Ceil, aclTensor*, selfRef, run_exact(call, Unary::Ceil))
PYASC_UNARY(Trunc, self, aclTensor*, out, run_exact(call, Unary::Trunc))
PYASC_INPLACE(Trunc, aclTensor*, selfRef, run_exact(call, Unary::Trunc))
PYASC_UNARY(Round, self, aclTensor*, out, run_exact(call, Unary::Rint))
PYASC_INPLACE(Round, const aclTensor*, selfRef, run_exact(call, Unary::Rint))
PYASC_UNARY(Frac, input, aclTensor*, out, run_exact(call, Unary::Frac))
PYASC_INPLACE(Frac, aclTensor*, inputRef, run_exact(call, Unary::Frac))
PYASC_UNARY(Signbit, self, aclTensor*, out, run_exact(call, Unary::Signbit))
PYASC_UNARY(IsFinite, self, aclTensor*, out, run_exact(call, Unary::IsFinite))
PYASC_UNARY(IsInf, x, const aclTensor*, out, run_exact(call, Unary::IsInf))
PYASC_UNARY(IsPosInf, self, aclTensor*, out, run_exact(call, Unary::IsPosInf))
PYASC_UNARY(IsNegInf, self, aclTensor*, out, run_exact(call, Unary::IsNegInf))
PYASC_UNARY(Real, self, aclTensor*, out, run_exact(call, Unary::Real))
PYASC_UNARY(Square, self, aclTensor*, out, run_exact(call, Unary::Square))
PYASC_UNARY(AngleV2, x, const aclTensor*, out, angle(call))

aclnnStatus aclnnRoundDecimalsGetWorkspaceSize(const aclTensor* self, int64_t decimals, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnRoundDecimals", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return round_decimals(call, decimals);
}
PYASC_PHASE2(aclnnRoundDecimals)

aclnnStatus aclnnInplaceRoundDecimalsGetWorkspaceSize(aclTensor* selfRef, int64_t decimals, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor) {
    Call call("aclnnInplaceRoundDecimals", workspaceSize, executor);
    call.in("selfRef", selfRef).out("selfRef", selfRef);
    return round_decimals(call, decimals);
}
PYASC_PHASE2(aclnnInplaceRoundDecimals)

aclnnStatus aclnnComplexGetWorkspaceSize(const aclTensor* real, const aclTensor* imag, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnComplex", workspaceSize, executor);
    call.in("real", real).in("imag", imag).out("out", out);
    return join(call, complex_join);
}
PYASC_PHASE2(aclnnComplex)

aclnnStatus aclnnPolarGetWorkspaceSize(const aclTensor* input, const aclTensor* angle, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnPolar", workspaceSize, executor);
    call.in("input", input).in("angle", angle).out("out", out);
    return join(call, complex_polar);
}
PYASC_PHASE2(aclnnPolar)

}  // extern "C"

#undef PYASC_UNARY
#undef PYASC_INPLACE

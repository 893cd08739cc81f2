// The activations of neural networks, and their in-place forms.
#include <initializer_list>

#include "aclnnop/aclnn_celu.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_elu_v2.h"
#include "aclnnop/aclnn_fast_gelu.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_hardshrink.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardsigmoid_v2.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_hardtanh.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_logit.h"
#include "aclnnop/aclnn_logsigmoid.h"
#include "aclnnop/aclnn_mish.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_selu.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_softshrink.h"
#include "aclnnop/aclnn_softsign.h"
#include "aclnnop/aclnn_swish.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_threshold_v2.h"
#include "kernels/select.h"
#include "ops/unary_macros.h"

namespace {

using namespace pyasc;

// Adds the operands and takes the scalars as parameters.
Parameters operands(Call& call, Tensor in, Tensor out, std::initializer_list<Scalar> scalars) {
    Parameters p{};
    int i = 0;
    call.in(in.name, in.tensor);
    for (const Scalar& s : scalars) call.scalar(s.name, s.scalar);
    call.out(out.name, out.tensor);
    for (const Scalar& s : scalars) p.value[i++] = call.ok() ? s.scalar->as_double() : 0;
    return p;
}

int32_t activation(Call& call, Activation op, Tensor in, Tensor out, std::initializer_list<Scalar> scalars) {
    const Parameters p = operands(call, in, out, scalars);
    return run_activation(call, op, p);
}

// max(0, x) + min(0, alpha (e^(x / alpha) - 1)): whatever alpha's sign, the second part is 0 for positive x.
int32_t celu(Call& call, Tensor in, Tensor out, Scalar alpha) {
    const double a = operands(call, in, out, {alpha}).value[0];
    call.require(a != 0, "alpha is 0; celu divides by it");
    return run_activation(call, Activation::Elu, {{a, 1, 1 / a}});
}

int32_t softplus(Call& call, Tensor in, Tensor out, Scalar beta, Scalar threshold) {
    const Parameters p = operands(call, in, out, {beta, threshold});
    call.require(p.value[0] != 0, "beta is 0; softplus divides by it");
    return run_activation(call, Activation::Softplus, p);
}

int32_t swish(Call& call, Tensor in, Tensor out, Scalar beta) {
    if (beta.scalar == nullptr) {
        call.in(in.name, in.tensor).out(out.name, out.tensor);
        return run_math(call, Math::Silu);
    }
    return activation(call, Activation::Swish, in, out, {beta});
}

// Exact kernels of a tensor and two scalars, in the tensor's type.
int32_t with_two(Call& call, Inner (*find)(DType), Tensor in, Tensor out, Scalar a, Scalar b) {
    operands(call, in, out, {a, b});
    if (!call.ok()) return call.status();
    const DType type = call.dtype(0);
    Formula f{find(type), 6, type};
    if (f.inner == nullptr || call.output(0).dtype != type) return call.loop(nullptr, 0);
    f.tensor(0, type);
    for (const Scalar& s : {a, b}) {
        call.require(f.scalar(s.scalar, type), "%s, %g, has no value as %s", s.name, s.scalar->as_double(),
                     dtype_name(type));
    }
    return finish(call, f);
}
Inner find_clamp(DType type) { return is_complex(type) ? nullptr : select_kernels().find(Select::Clamp, type); }
Inner find_threshold(DType type) { return unary_kernels().threshold(type); }

int32_t relu(Call& call) { return run_exact(call, Unary::Relu); }
int32_t selu(Call& call) { return run_activation(call, Activation::Elu, kSelu); }

}  // namespace

extern "C" {

PYASC_UNARY(Relu, self, const aclTensor*, out, relu(call))
PYASC_INPLACE(Relu, aclTensor*, selfRef, relu(call))
PYASC_UNARY(Selu, self, aclTensor*, out, selu(call))
PYASC_INPLACE(Selu, aclTensor*, selfRef, selu(call))
PYASC_UNARY(Sigmoid, self, aclTensor*, out, run_math(call, Math::Sigmoid))
PYASC_INPLACE(Sigmoid, aclTensor*, selfRef, run_math(call, Math::Sigmoid))
PYASC_UNARY(LogSigmoid, self, aclTensor*, out, run_math(call, Math::LogSigmoid))
PYASC_UNARY(Gelu, self, aclTensor*, out,
            run_math(call, Math::GeluTanh))  // so CANN documents it; the exact one is GeluV2
PYASC_UNARY(FastGelu, self, aclTensor*, out, run_math(call, Math::FastGelu))
PYASC_UNARY(Silu, self, aclTensor*, out, run_math(call, Math::Silu))
PYASC_UNARY(Mish, self, aclTensor*, out, run_math(call, Math::Mish))
PYASC_INPLACE(Mish, aclTensor*, selfRef, run_math(call, Math::Mish))
PYASC_UNARY(Hardswish, self, const aclTensor*, out, run_math(call, Math::Hardswish))
PYASC_INPLACE(Hardswish, const aclTensor*, self, run_math(call, Math::Hardswish))
PYASC_UNARY(Hardsigmoid, self, aclTensor*, out, run_math(call, Math::Hardsigmoid))
PYASC_INPLACE(Hardsigmoid, const aclTensor*, self, run_math(call, Math::Hardsigmoid))
PYASC_UNARY(HardsigmoidV2, self, aclTensor*, out, run_math(call, Math::Hardsigmoid))
PYASC_INPLACE(HardsigmoidV2, const aclTensor*, self, run_math(call, Math::Hardsigmoid))
PYASC_UNARY(Softsign, self, const aclTensor*, out, run_math(call, Math::Softsign))

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor* x, int64_t approximate, aclTensor* y, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
    Call call("aclnnGeluV2", workspaceSize, executor);
    call.in("x", x).out("y", y).same_dtype();
    call.require(approximate == 0 || approximate == 1, "approximate is %ld; 0 (none) and 1 (tanh) exist", approximate);
    return run_math(call, approximate == 1 ? Math::GeluTanh : Math::Gelu);
}
PYASC_PHASE2(aclnnGeluV2)

aclnnStatus aclnnLogitGetWorkspaceSize(const aclTensor* input, double eps, const aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLogit", workspaceSize, executor);
    call.in("input", input).out("out", out);
    return run_activation(call, Activation::Logit, {{eps}});
}
PYASC_PHASE2(aclnnLogit)

// The buffer is unused, as in CANN: the backward operator computes from self.
aclnnStatus aclnnLogSigmoidForwardGetWorkspaceSize(const aclTensor* self, aclTensor* out, aclTensor* /*buffer*/,
                                                   uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLogSigmoidForward", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    return run_math(call, Math::LogSigmoid);
}
PYASC_PHASE2(aclnnLogSigmoidForward)

// With one scalar: both forms, or only the first.
#define PYASC_ONE_SCALAR(Name, scalar, ending)                                                                \
    aclnnStatus aclnn##Name##GetWorkspaceSize(const aclTensor* self, const aclScalar* scalar, aclTensor* out, \
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {            \
        Call call("aclnn" #Name, workspaceSize, executor);                                                    \
        const Tensor from{"self", self}, to{"out", out};                                                      \
        const Scalar a{#scalar, scalar};                                                                      \
        return ending;                                                                                        \
    }                                                                                                         \
    PYASC_PHASE2(aclnn##Name)
#define PYASC_ONE_SCALAR_INPLACE(Name, scalar, ending)                                                    \
    aclnnStatus aclnnInplace##Name##GetWorkspaceSize(aclTensor* selfRef, const aclScalar* scalar,         \
                                                     uint64_t* workspaceSize, aclOpExecutor** executor) { \
        Call call("aclnnInplace" #Name, workspaceSize, executor);                                         \
        const Tensor from{"selfRef", selfRef}, to{"selfRef", selfRef};                                    \
        const Scalar a{#scalar, scalar};                                                                  \
        return ending;                                                                                    \
    }                                                                                                     \
    PYASC_PHASE2(aclnnInplace##Name)
PYASC_ONE_SCALAR(LeakyRelu, negativeSlope, activation(call, Activation::LeakyRelu, from, to, {a}))
PYASC_ONE_SCALAR_INPLACE(LeakyRelu, negativeSlope, activation(call, Activation::LeakyRelu, from, to, {a}))
PYASC_ONE_SCALAR(Celu, alpha, celu(call, from, to, a))
PYASC_ONE_SCALAR_INPLACE(Celu, alpha, celu(call, from, to, a))
PYASC_ONE_SCALAR(Swish, betaOptional, swish(call, from, to, a))
PYASC_ONE_SCALAR(Hardshrink, lambd, activation(call, Activation::Hardshrink, from, to, {a}))
PYASC_ONE_SCALAR(Softshrink, lambd, activation(call, Activation::Softshrink, from, to, {a}))
#undef PYASC_ONE_SCALAR
#undef PYASC_ONE_SCALAR_INPLACE

#define PYASC_TWO_SCALARS(Name, first, second, ending)                                                                \
    aclnnStatus aclnn##Name##GetWorkspaceSize(const aclTensor* self, const aclScalar* first, const aclScalar* second, \
                                              aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {    \
        Call call("aclnn" #Name, workspaceSize, executor);                                                            \
        const Tensor from{"self", self}, to{"out", out};                                                              \
        const Scalar a{#first, first}, b{#second, second};                                                            \
        return ending;                                                                                                \
    }                                                                                                                 \
    PYASC_PHASE2(aclnn##Name)
#define PYASC_TWO_SCALARS_INPLACE(Name, first, second, ending)                                         \
    aclnnStatus aclnnInplace##Name##GetWorkspaceSize(aclTensor* selfRef, const aclScalar* first,       \
                                                     const aclScalar* second, uint64_t* workspaceSize, \
                                                     aclOpExecutor** executor) {                       \
        Call call("aclnnInplace" #Name, workspaceSize, executor);                                      \
        const Tensor from{"selfRef", selfRef}, to{"selfRef", selfRef};                                 \
        const Scalar a{#first, first}, b{#second, second};                                             \
        return ending;                                                                                 \
    }                                                                                                  \
    PYASC_PHASE2(aclnnInplace##Name)
PYASC_TWO_SCALARS(Softplus, beta, threshold, softplus(call, from, to, a, b))
PYASC_TWO_SCALARS(Hardtanh, clipValueMin, clipValueMax, with_two(call, find_clamp, from, to, a, b))
PYASC_TWO_SCALARS_INPLACE(Hardtanh, clipValueMin, clipValueMax, with_two(call, find_clamp, from, to, a, b))
PYASC_TWO_SCALARS(Threshold, threshold, value, with_two(call, find_threshold, from, to, a, b))
PYASC_TWO_SCALARS_INPLACE(Threshold, threshold, value, with_two(call, find_threshold, from, to, a, b))
PYASC_TWO_SCALARS(ThresholdV2, threshold, value, with_two(call, find_threshold, from, to, a, b))
#undef PYASC_TWO_SCALARS
#undef PYASC_TWO_SCALARS_INPLACE

#define PYASC_ELU(Name)                                                                                              \
    aclnnStatus aclnn##Name##GetWorkspaceSize(const aclTensor* self, const aclScalar* alpha, const aclScalar* scale, \
                                              const aclScalar* inputScale, aclTensor* out, uint64_t* workspaceSize,  \
                                              aclOpExecutor** executor) {                                            \
        Call call("aclnn" #Name, workspaceSize, executor);                                                           \
        return activation(call, Activation::Elu, {"self", self}, {"out", out},                                       \
                          {{"alpha", alpha}, {"scale", scale}, {"inputScale", inputScale}});                         \
    }                                                                                                                \
    PYASC_PHASE2(aclnn##Name)
PYASC_ELU(Elu)
PYASC_ELU(EluV2)
#undef PYASC_ELU

aclnnStatus aclnnInplaceEluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha, const aclScalar* scale,
                                            const aclScalar* inputScale, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
    Call call("aclnnInplaceElu", workspaceSize, executor);
    return activation(call, Activation::Elu, {"selfRef", selfRef}, {"selfRef", selfRef},
                      {{"alpha", alpha}, {"scale", scale}, {"inputScale", inputScale}});
}
PYASC_PHASE2(aclnnInplaceElu)

}  // extern "C"

#undef PYASC_UNARY
#undef PYASC_INPLACE

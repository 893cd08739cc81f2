// Gradients of the activations.
#include <cstring>
#include <initializer_list>

#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "aclnnop/aclnn_hardshrink_backward.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_hardswish_backward_v2.h"
#include "aclnnop/aclnn_hardtanh_backward.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_logit_grad.h"
#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "aclnnop/aclnn_mish_backward.h"
#include "aclnnop/aclnn_selu_backward.h"
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_softplus_backward.h"
#include "aclnnop/aclnn_softshrink_backward.h"
#include "aclnnop/aclnn_swish_backward.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_tanh_grad.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "ops/unary.h"

namespace {

using namespace pyasc;

int32_t gradient(Call& call, Gradient op, Tensor grad, Tensor x, Tensor out) {
    call.in(grad.name, grad.tensor).in(x.name, x.tensor).out(out.name, out.tensor);
    return run_gradient(call, op);
}

int32_t gradient(Call& call, Gradient op, Tensor grad, Tensor x, Tensor out, std::initializer_list<Scalar> scalars) {
    Parameters p{};
    int i = 0;
    call.in(grad.name, grad.tensor).in(x.name, x.tensor);
    for (const Scalar& s : scalars) call.scalar(s.name, s.scalar);
    call.out(out.name, out.tensor);
    for (const Scalar& s : scalars) p.value[i++] = call.ok() ? s.scalar->as_double() : 0;
    return run_gradient(call, op, p);
}

int32_t threshold(Call& call, Tensor grad, Tensor x, Scalar limit, Tensor out) {
    call.in(grad.name, grad.tensor).in(x.name, x.tensor).scalar(limit.name, limit.scalar).out(out.name, out.tensor);
    call.same_dtype();
    if (!call.ok()) return call.status();
    const DType type = call.dtype(0);
    return call.loop_with_scalar(unary_kernels().threshold_gradient(type), 7, limit.scalar, type);
}

// Operators that take the input before the gradient.
int32_t swapped(Call& call, Gradient op, const double* parameter) {
    const DType type = compute_type(call);
    Formula f{math_kernels().gradient(op, type), math_weight(op, type), type};
    f.tensor(1, type).tensor(0, type);
    if (parameter != nullptr) f.number(*parameter);
    return finish(call, f);
}

}  // namespace

extern "C" {

// From the input, or from the result where it says so.
#define PYASC_GRADIENT(Name, x, out, op)                                                                       \
    aclnnStatus aclnn##Name##GetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* x, aclTensor* out, \
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {             \
        Call call("aclnn" #Name, workspaceSize, executor);                                                     \
        return gradient(call, Gradient::op, {"gradOutput", gradOutput}, {#x, x}, {#out, out});                 \
    }                                                                                                          \
    PYASC_PHASE2(aclnn##Name)
PYASC_GRADIENT(SigmoidBackward, output, gradInput, Sigmoid)
PYASC_GRADIENT(TanhBackward, output, gradInput, Tanh)
PYASC_GRADIENT(FastGeluBackward, self, gradInput, FastGelu)
PYASC_GRADIENT(SiluBackward, self, gradInput, Silu)
PYASC_GRADIENT(MishBackward, self, gradInput, Mish)
PYASC_GRADIENT(HardswishBackward, self, out, Hardswish)
PYASC_GRADIENT(HardswishBackwardV2, self, out, Hardswish)
PYASC_GRADIENT(HardsigmoidBackward, self, out, Hardsigmoid)
#undef PYASC_GRADIENT

aclnnStatus aclnnGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              const aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
    Call call("aclnnGeluBackward", workspaceSize, executor);
    return gradient(call, Gradient::GeluTanh, {"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput});
}
PYASC_PHASE2(aclnnGeluBackward)

aclnnStatus aclnnGeluBackwardV2GetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self, char* approximate,
                                                aclTensor* gradInput, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
    Call call("aclnnGeluBackwardV2", workspaceSize, executor);
    const bool tanh = approximate != nullptr && std::strcmp(approximate, "tanh") == 0;
    const bool none = approximate == nullptr || std::strcmp(approximate, "none") == 0;
    call.require(tanh || none, "approximate is \"%s\"; \"none\" and \"tanh\" exist", approximate ? approximate : "");
    return gradient(call, tanh ? Gradient::GeluTanh : Gradient::Gelu, {"gradOutput", gradOutput}, {"self", self},
                    {"gradInput", gradInput});
}
PYASC_PHASE2(aclnnGeluBackwardV2)

aclnnStatus aclnnLogSigmoidBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                    const aclTensor* /*buffer*/, aclTensor* gradInput,
                                                    uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLogSigmoidBackward", workspaceSize, executor);
    return gradient(call, Gradient::LogSigmoid, {"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput});
}
PYASC_PHASE2(aclnnLogSigmoidBackward)

aclnnStatus aclnnSeluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* result,
                                              aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSeluBackward", workspaceSize, executor);
    call.in("gradOutput", gradOutput).in("result", result).out("gradInput", gradInput);
    return run_gradient(call, Gradient::EluResult, kSelu);
}
PYASC_PHASE2(aclnnSeluBackward)

aclnnStatus aclnnSwishBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclScalar* betaOptional, aclTensor* gradInput,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSwishBackward", workspaceSize, executor);
    const Tensor grad{"gradOutput", gradOutput}, x{"self", self}, out{"gradInput", gradInput};
    if (betaOptional == nullptr) return gradient(call, Gradient::Silu, grad, x, out);
    return gradient(call, Gradient::Swish, grad, x, out, {{"betaOptional", betaOptional}});
}
PYASC_PHASE2(aclnnSwishBackward)

aclnnStatus aclnnSoftplusBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                  const aclScalar* beta, const aclScalar* threshold,
                                                  aclTensor* gradInput, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
    Call call("aclnnSoftplusBackward", workspaceSize, executor);
    return gradient(call, Gradient::Softplus, {"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput},
                    {{"beta", beta}, {"threshold", threshold}});
}
PYASC_PHASE2(aclnnSoftplusBackward)

// For a result, the slope must not be negative: its sign is then the input's.
aclnnStatus aclnnLeakyReluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                   const aclScalar* negativeSlope, bool selfIsResult, aclTensor* out,
                                                   uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLeakyReluBackward", workspaceSize, executor);
    call.scalar("negativeSlope", negativeSlope);
    const double slope = call.ok() ? negativeSlope->as_double() : 0;
    call.require(!selfIsResult || slope >= 0, "negativeSlope is %g; it must not be negative with selfIsResult", slope);
    return gradient(call, Gradient::LeakyRelu, {"gradOutput", gradOutput}, {"self", self}, {"out", out},
                    {{"negativeSlope", negativeSlope}});
}
PYASC_PHASE2(aclnnLeakyReluBackward)

aclnnStatus aclnnEluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclScalar* alpha,
                                             const aclScalar* scale, const aclScalar* inputScale, bool isResult,
                                             const aclTensor* selfOrResult, aclTensor* gradInput,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnEluBackward", workspaceSize, executor);
    call.scalar("alpha", alpha);
    const double a = call.ok() ? alpha->as_double() : 0;
    call.require(!isResult || a >= 0, "alpha is %g; it must not be negative with isResult", a);
    return gradient(call, isResult ? Gradient::EluResult : Gradient::Elu, {"gradOutput", gradOutput},
                    {"selfOrResult", selfOrResult}, {"gradInput", gradInput},
                    {{"alpha", alpha}, {"scale", scale}, {"inputScale", inputScale}});
}
PYASC_PHASE2(aclnnEluBackward)

aclnnStatus aclnnHardtanhBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                  const aclScalar* min, const aclScalar* max, aclTensor* out,
                                                  uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnHardtanhBackward", workspaceSize, executor);
    return gradient(call, Gradient::Hardtanh, {"gradOutput", gradOutput}, {"self", self}, {"out", out},
                    {{"min", min}, {"max", max}});
}
PYASC_PHASE2(aclnnHardtanhBackward)

aclnnStatus aclnnHardshrinkBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                    const aclScalar* lambd, aclTensor* gradInput,
                                                    uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnHardshrinkBackward", workspaceSize, executor);
    return gradient(call, Gradient::Hardshrink, {"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput},
                    {{"lambd", lambd}});
}
PYASC_PHASE2(aclnnHardshrinkBackward)

aclnnStatus aclnnSoftshrinkBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                    const aclScalar* lambda, aclTensor* gradInput,
                                                    uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSoftshrinkBackward", workspaceSize, executor);
    return gradient(call, Gradient::Softshrink, {"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput},
                    {{"lambda", lambda}});
}
PYASC_PHASE2(aclnnSoftshrinkBackward)

aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                   const aclScalar* limit, aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
    Call call("aclnnThresholdBackward", workspaceSize, executor);
    return threshold(call, {"gradOutput", gradOutput}, {"self", self}, {"threshold", limit}, {"out", out});
}
PYASC_PHASE2(aclnnThresholdBackward)

aclnnStatus aclnnLogitGradGetWorkspaceSize(const aclTensor* x, const aclTensor* dy, double eps, const aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLogitGrad", workspaceSize, executor);
    call.in("x", x).in("dy", dy).out("out", out);
    return swapped(call, Gradient::Logit, &eps);
}
PYASC_PHASE2(aclnnLogitGrad)

aclnnStatus aclnnTanhGradGetWorkspaceSize(const aclTensor* y, const aclTensor* dy, aclTensor* dx,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnTanhGrad", workspaceSize, executor);
    call.in("y", y).in("dy", dy).out("dx", dx);
    return swapped(call, Gradient::Tanh, nullptr);
}
PYASC_PHASE2(aclnnTanhGrad)

}  // extern "C"

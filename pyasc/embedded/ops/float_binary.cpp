// Float-valued functions of two tensors, or of a tensor and a scalar.
#include "aclnnop/aclnn_atan2.h"
#include "aclnnop/aclnn_logaddexp.h"
#include "aclnnop/aclnn_logaddexp2.h"
#include "aclnnop/aclnn_x_log_y_scalar_other.h"
#include "aclnnop/aclnn_x_log_y_scalar_self.h"
#include "aclnnop/aclnn_x_log_y_tensor.h"
#include "ops/unary.h"

namespace {

using namespace pyasc;

int32_t tensors(Call& call, Math2 op, Tensor a, Tensor b, Tensor out) {
    call.in(a.name, a.tensor).in(b.name, b.tensor).out(out.name, out.tensor);
    return run_math(call, op);
}

// With a scalar, which does not change the type computed in.
int32_t with_scalar(Call& call, Math2 op, Tensor x, Scalar s, Tensor out, bool scalar_first) {
    call.in(x.name, x.tensor).scalar(s.name, s.scalar).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType type = compute_type(call);
    Formula f{math_kernels().binary(op, type), math_weight(op, type), type};
    if (f.inner == nullptr) return finish(call, f);
    if (!scalar_first) f.tensor(0, type);
    call.require(f.scalar(s.scalar, type), "%s, %g, has no value as %s", s.name, s.scalar->as_double(),
                 dtype_name(type));
    if (scalar_first) f.tensor(0, type);
    return finish(call, f);
}

}  // namespace

extern "C" {

#define PYASC_TWO(Name, op)                                                                                  \
    aclnnStatus aclnn##Name##GetWorkspaceSize(const aclTensor* self, const aclTensor* other, aclTensor* out, \
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {           \
        Call call("aclnn" #Name, workspaceSize, executor);                                                   \
        return tensors(call, Math2::op, {"self", self}, {"other", other}, {"out", out});                     \
    }                                                                                                        \
    PYASC_PHASE2(aclnn##Name)
PYASC_TWO(Atan2, Atan2)
PYASC_TWO(LogAddExp, LogAddExp)
PYASC_TWO(LogAddExp2, LogAddExp2)
PYASC_TWO(XLogYTensor, XLogY)
#undef PYASC_TWO

aclnnStatus aclnnInplaceAtan2GetWorkspaceSize(aclTensor* selfRef, aclTensor* other, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
    Call call("aclnnInplaceAtan2", workspaceSize, executor);
    return tensors(call, Math2::Atan2, {"selfRef", selfRef}, {"other", other}, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceAtan2)

aclnnStatus aclnnInplaceXLogYTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize,
                                                    aclOpExecutor** executor) {
    Call call("aclnnInplaceXLogYTensor", workspaceSize, executor);
    return tensors(call, Math2::XLogY, {"selfRef", selfRef}, {"other", other}, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceXLogYTensor)

aclnnStatus aclnnXLogYScalarOtherGetWorkspaceSize(const aclTensor* self, const aclScalar* other, aclTensor* out,
                                                  uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnXLogYScalarOther", workspaceSize, executor);
    return with_scalar(call, Math2::XLogY, {"self", self}, {"other", other}, {"out", out}, false);
}
PYASC_PHASE2(aclnnXLogYScalarOther)

aclnnStatus aclnnXLogYScalarSelfGetWorkspaceSize(const aclScalar* self, const aclTensor* other, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnXLogYScalarSelf", workspaceSize, executor);
    return with_scalar(call, Math2::XLogY, {"other", other}, {"self", self}, {"out", out}, true);
}
PYASC_PHASE2(aclnnXLogYScalarSelf)

aclnnStatus aclnnInplaceXLogYScalarOtherGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceXLogYScalarOther", workspaceSize, executor);
    return with_scalar(call, Math2::XLogY, {"selfRef", selfRef}, {"other", other}, {"selfRef", selfRef}, false);
}
PYASC_PHASE2(aclnnInplaceXLogYScalarOther)

}  // extern "C"

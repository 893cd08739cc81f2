// Logical operators: of any types, by whether their elements are zero.
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "kernels/select.h"
#include "ops/elementwise.h"

namespace pyasc {
namespace {

int32_t logical(Call& call, Binary op, Tensor a, Tensor b, Tensor out) {
    call.in(a.name, a.tensor).in(b.name, b.tensor).out(out.name, out.tensor);
    Formula f{binary_inner(op, DType::Bool), 1, DType::Bool};
    return finish(call, f.tensor(0, DType::Bool).tensor(1, DType::Bool));
}

int32_t negation(Call& call, Tensor a, Tensor out) {
    call.in(a.name, a.tensor).out(out.name, out.tensor);
    Formula f{select_kernels().find(Select::LogicalNot, DType::Bool), 1, DType::Bool};
    return finish(call, f.tensor(0, DType::Bool));
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

#define PYASC_LOGICAL(op, kernel)                                                                                   \
    aclnnStatus op##GetWorkspaceSize(const aclTensor* self, const aclTensor* other, aclTensor* out, uint64_t* size, \
                                     aclOpExecutor** executor) {                                                    \
        Call call(#op, size, executor);                                                                             \
        return logical(call, kernel, {"self", self}, {"other", other}, {"out", out});                               \
    }                                                                                                               \
    PYASC_PHASE2(op)
#define PYASC_LOGICAL_IN_PLACE(op, kernel)                                                          \
    aclnnStatus op##GetWorkspaceSize(aclTensor* selfRef, const aclTensor* other, uint64_t* size,    \
                                     aclOpExecutor** executor) {                                    \
        Call call(#op, size, executor);                                                             \
        return logical(call, kernel, {"selfRef", selfRef}, {"other", other}, {"selfRef", selfRef}); \
    }                                                                                               \
    PYASC_PHASE2(op)

extern "C" {

PYASC_LOGICAL(aclnnLogicalAnd, Binary::BitAnd)
PYASC_LOGICAL(aclnnLogicalOr, Binary::BitOr)
PYASC_LOGICAL(aclnnLogicalXor, Binary::BitXor)
PYASC_LOGICAL_IN_PLACE(aclnnInplaceLogicalAnd, Binary::BitAnd)
PYASC_LOGICAL_IN_PLACE(aclnnInplaceLogicalOr, Binary::BitOr)

aclnnStatus aclnnLogicalNotGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* size,
                                            aclOpExecutor** executor) {
    Call call("aclnnLogicalNot", size, executor);
    return negation(call, {"self", self}, {"out", out});
}
PYASC_PHASE2(aclnnLogicalNot)

aclnnStatus aclnnInplaceLogicalNotGetWorkspaceSize(aclTensor* selfRef, uint64_t* size, aclOpExecutor** executor) {
    Call call("aclnnInplaceLogicalNot", size, executor);
    return negation(call, {"selfRef", selfRef}, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceLogicalNot)

}  // extern "C"

#undef PYASC_LOGICAL
#undef PYASC_LOGICAL_IN_PLACE

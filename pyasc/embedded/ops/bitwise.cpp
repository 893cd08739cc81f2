// Operators on the bits of integers and bools, and shifts.
#include "aclnnop/aclnn_bitwise_and_scalar.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_bitwise_not.h"
#include "aclnnop/aclnn_bitwise_or_scalar.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"
#include "aclnnop/aclnn_bitwise_xor_scalar.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"
#include "aclnnop/aclnn_left_shift.h"
#include "aclnnop/aclnn_right_shift.h"
#include "kernels/select.h"
#include "ops/elementwise.h"

using namespace pyasc;

#define PYASC_PHASE1(op, ...) \
    aclnnStatus op##GetWorkspaceSize(__VA_ARGS__, uint64_t* workspaceSize, aclOpExecutor** executor)
#define PYASC_CALL(op) Call call(#op, workspaceSize, executor)

// CANN declares selfRef of aclnnInplaceBitwiseAndScalar, and of no other, const.
#define PYASC_BITWISE(name, kernel, ScalarRef)                                                                 \
    PYASC_PHASE1(aclnn##name##Tensor, const aclTensor* self, const aclTensor* other, aclTensor* out) {         \
        PYASC_CALL(aclnn##name##Tensor);                                                                       \
        return binary(call, kernel, Tensor{"self", self}, Tensor{"other", other}, {"out", out});               \
    }                                                                                                          \
    PYASC_PHASE2(aclnn##name##Tensor)                                                                          \
    PYASC_PHASE1(aclnn##name##Scalar, const aclTensor* self, const aclScalar* other, aclTensor* out) {         \
        PYASC_CALL(aclnn##name##Scalar);                                                                       \
        return binary(call, kernel, Tensor{"self", self}, Scalar{"other", other}, {"out", out});               \
    }                                                                                                          \
    PYASC_PHASE2(aclnn##name##Scalar)                                                                          \
    PYASC_PHASE1(aclnnInplace##name##Tensor, ScalarRef* selfRef, const aclTensor* other) {                     \
        PYASC_CALL(aclnnInplace##name##Tensor);                                                                \
        return binary(call, kernel, Tensor{"selfRef", selfRef}, Tensor{"other", other}, {"selfRef", selfRef}); \
    }                                                                                                          \
    PYASC_PHASE2(aclnnInplace##name##Tensor)                                                                   \
    PYASC_PHASE1(aclnnInplace##name##Scalar, ScalarRef* selfRef, const aclScalar* other) {                     \
        PYASC_CALL(aclnnInplace##name##Scalar);                                                                \
        return binary(call, kernel, Tensor{"selfRef", selfRef}, Scalar{"other", other}, {"selfRef", selfRef}); \
    }                                                                                                          \
    PYASC_PHASE2(aclnnInplace##name##Scalar)

extern "C" {

PYASC_BITWISE(BitwiseAnd, Binary::BitAnd, const aclTensor)
PYASC_BITWISE(BitwiseOr, Binary::BitOr, aclTensor)
PYASC_BITWISE(BitwiseXor, Binary::BitXor, aclTensor)

PYASC_PHASE1(aclnnBitwiseNot, const aclTensor* self, aclTensor* out) {
    PYASC_CALL(aclnnBitwiseNot);
    call.in("self", self).out("out", out);
    const DType t = call.dtype(0);
    Formula f{call.ok() ? select_kernels().find(Select::BitNot, t) : nullptr, 1, t};
    return finish(call, f.tensor(0, t));
}
PYASC_PHASE2(aclnnBitwiseNot)

PYASC_PHASE1(aclnnLeftShift, const aclTensor* self, const aclTensor* shiftBits, aclTensor* out) {
    PYASC_CALL(aclnnLeftShift);
    return binary(call, Binary::ShiftLeft, Tensor{"self", self}, Tensor{"shiftBits", shiftBits}, {"out", out});
}
PYASC_PHASE2(aclnnLeftShift)
PYASC_PHASE1(aclnnLeftShifts, const aclTensor* self, const aclScalar* shiftBits, aclTensor* out) {
    PYASC_CALL(aclnnLeftShifts);
    return binary(call, Binary::ShiftLeft, Tensor{"self", self}, Scalar{"shiftBits", shiftBits}, {"out", out});
}
PYASC_PHASE2(aclnnLeftShifts)
PYASC_PHASE1(aclnnRightShift, const aclTensor* input, const aclTensor* shiftBits, aclTensor* out) {
    PYASC_CALL(aclnnRightShift);
    return binary(call, Binary::ShiftRight, Tensor{"input", input}, Tensor{"shiftBits", shiftBits}, {"out", out});
}
PYASC_PHASE2(aclnnRightShift)

}  // extern "C"

#undef PYASC_PHASE1
#undef PYASC_CALL
#undef PYASC_BITWISE

// Comparisons, closeness and equality of whole tensors.
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_equal.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_isclose.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_ne_scalar.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "kernels/copy.h"
#include "kernels/select.h"
#include "ops/elementwise.h"

namespace pyasc {
namespace {

bool same_shape(const View& a, const View& b) {
    if (a.ndim != b.ndim) return false;
    for (int d = 0; d < a.ndim; ++d) {
        if (a.shape[d] != b.shape[d]) return false;
    }
    return true;
}

// Operand 0 is one byte for all elements: cleared where any of operand 1 is zero. Several threads may do so at once.
void clear_unless_all(char* const* data, const int64_t* step, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        if (data[1][i * step[1]] != 0) continue;
        __atomic_store_n(data[0], 0, __ATOMIC_RELAXED);
        return;
    }
}

// Whether two views of one shape have equal elements, as elements of type t.
bool all_equal(const View& a, const View& b, DType t) {
    char result = 1;
    View out = a;
    out.data = &result;
    out.dtype = DType::Bool;
    for (int d = 0; d < out.ndim; ++d) out.stride[d] = 0;
    const View* const inputs[] = {&a, &b};
    Loop loop;
    plan_loop(&loop, binary_inner(Binary::Equal, t), binary_weight(Binary::Equal, t), out, inputs, 2);
    Conversions conversions = {{clear_unless_all, a.dtype == t ? nullptr : cast_inner(t, a.dtype),
                                b.dtype == t ? nullptr : cast_inner(t, b.dtype)},
                               {1, item_size(t), item_size(t)}};
    run_loop(loop, conversions);
    return result != 0;
}

DType close_type(DType a, DType b) {
    const DType t = promote(a, b);
    if (t == DType::F16 || t == DType::BF16) return DType::F32;
    return t == DType::Bool || is_integer(t) ? DType::F64 : t;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

#define PYASC_PHASE1(op, ...) \
    aclnnStatus op##GetWorkspaceSize(__VA_ARGS__, uint64_t* workspaceSize, aclOpExecutor** executor)
#define PYASC_CALL(op) Call call(#op, workspaceSize, executor)

// One comparison with a tensor and with a scalar, and both in place (CANN declares some of those with a const selfRef).
#define PYASC_COMPARE(name, kernel, TensorRef, ScalarRef)                                                      \
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
    PYASC_PHASE1(aclnnInplace##name##Tensor, TensorRef* selfRef, const aclTensor* other) {                     \
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

PYASC_COMPARE(Eq, Binary::Equal, const aclTensor, const aclTensor)
PYASC_COMPARE(Ne, Binary::NotEqual, aclTensor, aclTensor)
PYASC_COMPARE(Lt, Binary::Less, const aclTensor, const aclTensor)
PYASC_COMPARE(Le, Binary::LessEqual, aclTensor, aclTensor)
PYASC_COMPARE(Gt, Binary::Greater, const aclTensor, aclTensor)
PYASC_COMPARE(Ge, Binary::GreaterEqual, aclTensor, aclTensor)

PYASC_PHASE1(aclnnIsClose, const aclTensor* self, const aclTensor* other, double rtol, double atol, bool equalNan,
             aclTensor* out) {
    PYASC_CALL(aclnnIsClose);
    call.in("self", self).in("other", other).out("out", out);
    call.require(rtol >= 0 && atol >= 0, "rtol is %g and atol %g; they must not be negative", rtol, atol);
    if (!call.ok()) return call.status();
    const DType t = close_type(call.dtype(0), call.dtype(1));
    const Inner inner =
        t == DType::None ? nullptr : select_kernels().find(equalNan ? Select::IsCloseNan : Select::IsClose, t);
    Formula f{inner, is_complex(t) ? 200 : 6, DType::Bool};
    return finish(call, f.tensor(0, t).tensor(1, t).number(rtol).number(atol));
}
PYASC_PHASE2(aclnnIsClose)

PYASC_PHASE1(aclnnEqual, const aclTensor* self, const aclTensor* other, aclTensor* out) {
    PYASC_CALL(aclnnEqual);
    call.in("self", self).in("other", other).out("out", out);
    if (!call.ok()) return call.status();
    const DType t = promote(call.dtype(0), call.dtype(1));
    call.require(t != DType::None, "self is %s and other %s, which do not compare; cast one of them",
                 dtype_name(call.dtype(0)), dtype_name(call.dtype(1)));
    call.require(call.output(0).dtype == DType::Bool && call.output(0).size == 1, "out must be one bool, not %ld of %s",
                 call.output(0).size, dtype_name(call.output(0).dtype));
    const int64_t cost = 100 + (call.ok() ? call.input(0).size / 2 : 0);
    return call.run(cost, [t](const Operands& o) {
        *o.out[0].data = same_shape(o.in[0], o.in[1]) && all_equal(o.in[0], o.in[1], t);
    });
}
PYASC_PHASE2(aclnnEqual)

}  // extern "C"

#undef PYASC_PHASE1
#undef PYASC_CALL
#undef PYASC_COMPARE

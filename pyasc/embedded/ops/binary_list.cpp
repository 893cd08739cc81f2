// Sums and extrema of lists of tensors, and the additions with a twist: ReLU afterwards, alpha in device memory.
#include <memory>
#include <new>

#include "aclnnop/aclnn_add_n.h"
#include "aclnnop/aclnn_add_relu.h"
#include "aclnnop/aclnn_axpy_v2.h"
#include "aclnnop/aclnn_maxn.h"
#include "aclnnop/aclnn_minn.h"
#include "kernels/copy.h"
#include "ops/elementwise.h"

namespace pyasc {
namespace {

constexpr int32_t kNoMemory = 207001;  // ACL_ERROR_RT_MEMORY_ALLOCATION

// accumulator = op(accumulator, x), with x converted to the accumulator's type.
void accumulate(Binary op, const View& accumulator, const View& x) {
    const DType t = accumulator.dtype;
    const View* const inputs[] = {&accumulator, &x};
    Loop loop;
    plan_loop(&loop, binary_inner(op, t), binary_weight(op, t), accumulator, inputs, 2);
    if (x.dtype == t) return run_loop(loop);
    run_loop(loop, Conversions{{nullptr, nullptr, cast_inner(t, x.dtype)}, {item_size(t), item_size(t), item_size(t)}});
}

void fold_into(Binary op, const View& accumulator, const View* inputs, int n) {
    copy_view(accumulator, inputs[0]);
    for (int k = 1; k < n; ++k) accumulate(op, accumulator, inputs[k]);
}

// Halves are added up as float, in memory of their own, so that the sum is rounded once.
int32_t fold(Binary op, const View& out, const View* inputs, int n) {
    const bool half = out.dtype == DType::F16 || out.dtype == DType::BF16;
    if (!half || op != Binary::Add || n <= 2) return fold_into(op, out, inputs, n), 0;
    const std::unique_ptr<float[]> sum(new (std::nothrow) float[static_cast<size_t>(out.size)]);
    if (sum == nullptr) return kNoMemory;
    const View accumulator = contiguous_view(sum.get(), DType::F32, out.shape, out.ndim);
    fold_into(op, accumulator, inputs, n);
    copy_view(out, accumulator);
    return 0;
}

int32_t fold_list(const char* name, Binary op, const aclTensorList* tensors, aclTensor* out, uint64_t* size,
                  aclOpExecutor** executor) {
    Call call(name, size, executor);
    call.in("tensors", tensors).out("out", out).same_dtype();
    const int n = call.inputs();
    call.require(n > 0, "tensors is empty; give at least one");
    if (!call.ok()) return call.status();
    const View& to = call.output(0);
    call.require(binary_inner(op, to.dtype) != nullptr, "not supported for %s", dtype_name(to.dtype));
    for (int k = 0; k < n; ++k) {
        const View& in = call.input(k);
        bool same = in.ndim == to.ndim;
        for (int d = 0; same && d < to.ndim; ++d) same = in.shape[d] == to.shape[d];
        call.require(same, "tensors[%d] has another shape than out; all must have one shape", k);
    }
    return call.run(100 + to.size * n / 4, [op, n](const Operands& o) { return fold(op, o.out[0], o.in, n); });
}

// relu(self + alpha other).
int32_t add_relu(Call& call, Tensor a, const aclTensor* b, const aclScalar* alpha, Tensor out) {
    call.in(a.name, a.tensor).in("other", b).scalar("alpha", alpha).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType t = promote(call.dtype(0), call.dtype(1));
    Formula f{binary_inner(Binary::AddRelu, t), binary_weight(Binary::AddAlpha, t) + 1, t};
    if (f.inner == nullptr) return call.loop(nullptr, 0);
    f.tensor(0, t).tensor(1, t);
    call.require(f.scalar(alpha, t), "alpha, %g, has no value as %s", alpha->as_double(), dtype_name(t));
    return finish(call, f);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

#define PYASC_PHASE1(op, ...) aclnnStatus op##GetWorkspaceSize(__VA_ARGS__, uint64_t* size, aclOpExecutor** executor)

extern "C" {

PYASC_PHASE1(aclnnAddN, const aclTensorList* tensors, aclTensor* out) {
    return fold_list("aclnnAddN", Binary::Add, tensors, out, size, executor);
}
PYASC_PHASE2(aclnnAddN)
PYASC_PHASE1(aclnnMaxN, const aclTensorList* tensors, aclTensor* out) {
    return fold_list("aclnnMaxN", Binary::Maximum, tensors, out, size, executor);
}
PYASC_PHASE2(aclnnMaxN)
PYASC_PHASE1(aclnnMinN, const aclTensorList* tensors, aclTensor* out) {
    return fold_list("aclnnMinN", Binary::Minimum, tensors, out, size, executor);
}
PYASC_PHASE2(aclnnMinN)

PYASC_PHASE1(aclnnAddRelu, const aclTensor* self, const aclTensor* other, aclScalar* alpha, aclTensor* out) {
    Call call("aclnnAddRelu", size, executor);
    return add_relu(call, {"self", self}, other, alpha, {"out", out});
}
PYASC_PHASE2(aclnnAddRelu)
PYASC_PHASE1(aclnnInplaceAddRelu, aclTensor* selfRef, const aclTensor* other, aclScalar* alpha) {
    Call call("aclnnInplaceAddRelu", size, executor);
    return add_relu(call, {"selfRef", selfRef}, other, alpha, {"selfRef", selfRef});
}
PYASC_PHASE2(aclnnInplaceAddRelu)

PYASC_PHASE1(aclnnAxpyV2, const aclTensor* self, const aclTensor* other, const aclTensor* alpha, aclTensor* out) {
    Call call("aclnnAxpyV2", size, executor);
    call.in("self", self).in("other", other).in("alpha", alpha).out("out", out);
    if (!call.ok()) return call.status();
    call.require(call.input(2).size == 1, "alpha has %ld elements; exactly one is allowed", call.input(2).size);
    const DType t = promote(promote(call.dtype(0), call.dtype(1)), call.dtype(2));
    Formula f{binary_inner(Binary::AddAlpha, t), binary_weight(Binary::AddAlpha, t), t};
    return finish(call, f.tensor(0, t).tensor(1, t).tensor(2, t));
}
PYASC_PHASE2(aclnnAxpyV2)

}  // extern "C"

#undef PYASC_PHASE1

// Linear algebra: inverse, determinants, factorisations and triangular systems, over batches of matrices.
#include <algorithm>

#include "aclnnop/aclnn_inverse.h"
#include "aclnnop/aclnn_linalg_cholesky.h"
#include "aclnnop/aclnn_linalg_qr.h"
#include "aclnnop/aclnn_logdet.h"
#include "aclnnop/aclnn_qr.h"
#include "aclnnop/aclnn_slogdet.h"
#include "aclnnop/aclnn_svd.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "kernels/blas_linalg.h"
#include "ops/linalg_common.h"

namespace pyasc {
namespace {

int32_t plan_qr(Call& call, bool complete, bool only_r) {
    if (!call.ok()) return call.status();
    const View &a = call.input(0), &q = call.output(0), &r = call.output(1);
    require_matrices(call, "self", a, false, true);
    if (!call.ok()) return call.status();
    const int64_t m = a.shape[a.ndim - 2], n = a.shape[a.ndim - 1], k = std::min(m, n);
    require_type(call, "Q", q, a.dtype, a.dtype);
    require_type(call, "R", r, a.dtype, a.dtype);
    if (only_r) {
        call.require(q.size == 0, "Q has shape %s; in mode 2 it is not computed and must be empty", ShapeText(q).text);
    } else {
        require_batch_shape(call, "Q", q, a, {m, complete ? m : k});
    }
    require_batch_shape(call, "R", r, a, {complete ? m : k, n});
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [](const Operands& o) { linalg_qr(o.in[0], o.out[0], o.out[1]); });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnInverseGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
    Call call("aclnnInverse", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, true);
    if (call.ok()) require_shape(call, "out", call.output(0), a);
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [](const Operands& o) { linalg_inverse(o.in[0], o.out[0]); });
}
PYASC_PHASE2(aclnnInverse)

aclnnStatus aclnnSlogdetGetWorkspaceSize(const aclTensor* self, aclTensor* signOut, aclTensor* logOut,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSlogdet", workspaceSize, executor);
    call.in("self", self).out("signOut", signOut).out("logOut", logOut);
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, false);
    require_type(call, "signOut", call.output(0), a.dtype, a.dtype);
    require_type(call, "logOut", call.output(1), a.dtype, real_type(a.dtype));
    require_batch_shape(call, "signOut", call.output(0), a, {});
    require_batch_shape(call, "logOut", call.output(1), a, {});
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [](const Operands& o) { linalg_slogdet(o.in[0], o.out[0], o.out[1]); });
}
PYASC_PHASE2(aclnnSlogdet)

aclnnStatus aclnnLogdetGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
    Call call("aclnnLogdet", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, false);
    require_batch_shape(call, "out", call.output(0), a, {});
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [](const Operands& o) { linalg_logdet(o.in[0], o.out[0]); });
}
PYASC_PHASE2(aclnnLogdet)

aclnnStatus aclnnLinalgQrGetWorkspaceSize(const aclTensor* self, int64_t mode, aclTensor* Q, aclTensor* R,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLinalgQr", workspaceSize, executor);
    call.require(mode >= 0 && mode <= 2, "mode is %ld; 0 (reduced), 1 (complete) and 2 (R only) are known", mode);
    call.in("self", self).out("Q", Q).out("R", R);
    return plan_qr(call, mode == 1, mode == 2);
}
PYASC_PHASE2(aclnnLinalgQr)

aclnnStatus aclnnQrGetWorkspaceSize(const aclTensor* self, bool some, aclTensor* Q, aclTensor* R,
                                    uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnQr", workspaceSize, executor);
    call.in("self", self).out("Q", Q).out("R", R);
    return plan_qr(call, !some, false);
}
PYASC_PHASE2(aclnnQr)

aclnnStatus aclnnSvdGetWorkspaceSize(const aclTensor* input, const bool fullMatrices, const bool computeUV,
                                     aclTensor* sigma, aclTensor* u, aclTensor* v, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
    Call call("aclnnSvd", workspaceSize, executor);
    call.in("input", input).out("sigma", sigma).out("u", u).out("v", v);
    require_svd(call, fullMatrices, computeUV);
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(call.input(0), 10),
                    [computeUV](const Operands& o) { linalg_svd(o.in[0], computeUV, o.out[0], o.out[1], o.out[2]); });
}
PYASC_PHASE2(aclnnSvd)

aclnnStatus aclnnLinalgCholeskyGetWorkspaceSize(const aclTensor* self, bool upper, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLinalgCholesky", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, true);
    if (call.ok()) require_shape(call, "out", call.output(0), a);
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [upper](const Operands& o) { linalg_cholesky(o.in[0], upper, o.out[0]); });
}
PYASC_PHASE2(aclnnLinalgCholesky)

aclnnStatus aclnnTriangularSolveGetWorkspaceSize(const aclTensor* self, const aclTensor* A, bool upper, bool transpose,
                                                 bool unitriangular, aclTensor* xOut, aclTensor* mOut,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnTriangularSolve", workspaceSize, executor);
    call.in("self", self).in("A", A).out("xOut", xOut).out("mOut", mOut).same_dtype();
    if (!call.ok()) return call.status();
    const View &b = call.input(0), &a = call.input(1);
    require_matrices(call, "A", a, true, false);
    require_matrices(call, "self", b, false, false);
    if (!call.ok()) return call.status();
    const int64_t n = a.shape[a.ndim - 1];
    int64_t shape[kMaxDims + 2];
    int lead = 0;
    require_system(call, a, b, shape, &lead);
    if (!call.ok()) return call.status();
    require_shape(call, "xOut", call.output(0), shape, lead + 2);
    shape[lead + 1] = n;
    require_shape(call, "mOut", call.output(1), shape, lead + 2);
    if (!call.ok()) return call.status();
    const Triangle kind{upper, transpose, unitriangular};
    return call.run(1000 + gemm_cost(a.dtype, call.output(0).size, 1, n),
                    [kind](const Operands& o) { linalg_triangular_solve(o.in[0], o.in[1], kind, o.out[0], o.out[1]); });
}
PYASC_PHASE2(aclnnTriangularSolve)

}  // extern "C"

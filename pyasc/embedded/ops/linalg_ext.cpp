// Linear algebra beside CANN's operators: what CANN lacks or does not tell (include/pyasc_ext.tsv).
#include "kernels/blas_linalg.h"
#include "ops/linalg_common.h"
#include "pyasc_ext/linalg_cholesky.h"
#include "pyasc_ext/linalg_det.h"
#include "pyasc_ext/linalg_eig.h"
#include "pyasc_ext/linalg_eigh.h"
#include "pyasc_ext/linalg_inverse.h"
#include "pyasc_ext/linalg_lstsq.h"
#include "pyasc_ext/linalg_reflectors.h"
#include "pyasc_ext/linalg_solve.h"
#include "pyasc_ext/linalg_svd.h"

namespace pyasc {
namespace {

// Where failures are counted: int32 without dimensions, or `many` of them.
void require_info(Call& call, const View& info, int64_t many = 0) {
    call.require(info.dtype == DType::I32, "info is %s; int32 is expected", dtype_name(info.dtype));
    require_shape(call, "info", info, &many, many == 0 ? 0 : 1);
}

DType complex_type(DType t) { return t == DType::F32 ? DType::C64 : t == DType::F64 ? DType::C128 : t; }

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus pyascLinalgDetGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("pyascLinalgDet", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, false);
    require_batch_shape(call, "out", call.output(0), a, {});
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [](const Operands& o) { linalg_determinant(o.in[0], o.out[0]); });
}
PYASC_PHASE2(pyascLinalgDet)

aclnnStatus pyascLinalgInverseGetWorkspaceSize(const aclTensor* self, aclTensor* out, aclTensor* info,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("pyascLinalgInverse", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype().out("info", info);
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, true);
    if (call.ok()) require_shape(call, "out", call.output(0), a);
    require_info(call, call.output(1));
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [](const Operands& o) { linalg_inverse(o.in[0], o.out[0], o.out + 1); });
}
PYASC_PHASE2(pyascLinalgInverse)

aclnnStatus pyascLinalgSolveGetWorkspaceSize(const aclTensor* A, const aclTensor* B, aclTensor* out, aclTensor* info,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("pyascLinalgSolve", workspaceSize, executor);
    call.in("A", A).in("B", B).out("out", out).same_dtype().out("info", info);
    if (!call.ok()) return call.status();
    const View &a = call.input(0), &b = call.input(1);
    require_matrices(call, "A", a, true, false);
    require_matrices(call, "B", b, false, false);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims + 2];
    int lead = 0;
    require_system(call, a, b, shape, &lead);
    if (!call.ok()) return call.status();
    require_shape(call, "out", call.output(0), shape, lead + 2);
    require_info(call, call.output(1));
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a) + gemm_cost(a.dtype, call.output(0).size, 1, shape[lead]),
                    [](const Operands& o) { linalg_solve(o.in[0], o.in[1], o.out[0], o.out[1]); });
}
PYASC_PHASE2(pyascLinalgSolve)

aclnnStatus pyascLinalgCholeskyGetWorkspaceSize(const aclTensor* self, bool upper, aclTensor* out, aclTensor* info,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("pyascLinalgCholesky", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype().out("info", info);
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, false);
    if (call.ok()) require_shape(call, "out", call.output(0), a);
    require_info(call, call.output(1));
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a),
                    [upper](const Operands& o) { linalg_cholesky(o.in[0], upper, o.out[0], o.out + 1); });
}
PYASC_PHASE2(pyascLinalgCholesky)

aclnnStatus pyascLinalgSvdGetWorkspaceSize(const aclTensor* input, bool fullMatrices, bool computeUV, aclTensor* sigma,
                                           aclTensor* u, aclTensor* v, aclTensor* info, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("pyascLinalgSvd", workspaceSize, executor);
    call.in("input", input).out("sigma", sigma).out("u", u).out("v", v).out("info", info);
    require_svd(call, fullMatrices, computeUV);
    if (!call.ok()) return call.status();
    require_info(call, call.output(3));
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(call.input(0), 10), [computeUV](const Operands& o) {
        linalg_svd(o.in[0], computeUV, o.out[0], o.out[1], o.out[2], o.out + 3);
    });
}
PYASC_PHASE2(pyascLinalgSvd)

aclnnStatus pyascLinalgReflectorsGetWorkspaceSize(const aclTensor* self, aclTensor* out, aclTensor* tau,
                                                  uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("pyascLinalgReflectors", workspaceSize, executor);
    call.in("self", self).out("out", out).out("tau", tau).same_dtype();
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, false, false);
    if (!call.ok()) return call.status();
    require_shape(call, "out", call.output(0), a);
    require_batch_shape(call, "tau", call.output(1), a, {std::min(a.shape[a.ndim - 2], a.shape[a.ndim - 1])});
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a), [](const Operands& o) { linalg_reflectors(o.in[0], o.out[0], o.out[1]); });
}
PYASC_PHASE2(pyascLinalgReflectors)

aclnnStatus pyascLinalgLstsqGetWorkspaceSize(const aclTensor* A, const aclTensor* B, double rcond, aclTensor* out,
                                             aclTensor* rest, aclTensor* sigma, aclTensor* info,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("pyascLinalgLstsq", workspaceSize, executor);
    call.in("A", A).in("B", B).out("out", out).same_dtype().out("rest", rest).out("sigma", sigma).out("info", info);
    if (!call.ok()) return call.status();
    const View &a = call.input(0), &b = call.input(1);
    require_matrices(call, "A", a, false, false);
    call.require(a.ndim == 2 && b.ndim == 2 && a.size > 0 && b.shape[0] == a.shape[0],
                 "A of shape %s and B of shape %s do not make a system of equations", ShapeText(a).text,
                 ShapeText(b).text);
    if (!call.ok()) return call.status();
    const DType real = real_type(a.dtype);
    const int64_t solution[] = {a.shape[1], b.shape[1]}, least = std::min(a.shape[0], a.shape[1]);
    require_shape(call, "out", call.output(0), solution, 2);
    require_type(call, "rest", call.output(1), real, real);
    require_shape(call, "rest", call.output(1), &b.shape[1], 1);
    require_type(call, "sigma", call.output(2), real, real);
    require_shape(call, "sigma", call.output(2), &least, 1);
    require_info(call, call.output(3), 2);
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a, 5), [rcond](const Operands& o) {
        linalg_lstsq(o.in[0], o.in[1], rcond, o.out[0], o.out[1], o.out[2], o.out[3]);
    });
}
PYASC_PHASE2(pyascLinalgLstsq)

aclnnStatus pyascLinalgEighGetWorkspaceSize(const aclTensor* self, bool upper, bool computeV, aclTensor* w,
                                            aclTensor* v, aclTensor* info, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
    Call call("pyascLinalgEigh", workspaceSize, executor);
    call.in("self", self).out("w", w).out("v", v).out("info", info);
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, false);
    if (!call.ok()) return call.status();
    require_type(call, "w", call.output(0), real_type(a.dtype), real_type(a.dtype));
    require_batch_shape(call, "w", call.output(0), a, {a.shape[a.ndim - 1]});
    if (computeV) {
        require_type(call, "v", call.output(1), a.dtype, a.dtype);
        require_shape(call, "v", call.output(1), a);
    }
    require_info(call, call.output(2));
    if (!call.ok()) return call.status();
    return call.run(linalg_cost(a, 10), [upper, computeV](const Operands& o) {
        linalg_eigh(o.in[0], upper, computeV, o.out[0], o.out[1], o.out[2]);
    });
}
PYASC_PHASE2(pyascLinalgEigh)

aclnnStatus pyascLinalgEigGetWorkspaceSize(const aclTensor* self, bool computeV, aclTensor* w, aclTensor* v,
                                           aclTensor* info, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("pyascLinalgEig", workspaceSize, executor);
    call.in("self", self).out("w", w).out("v", v).out("info", info);
    if (!call.ok()) return call.status();
    const View& a = call.input(0);
    require_matrices(call, "self", a, true, false);
    if (!call.ok()) return call.status();
    const DType type = complex_type(a.dtype);
    require_type(call, "w", call.output(0), type, type);
    require_batch_shape(call, "w", call.output(0), a, {a.shape[a.ndim - 1]});
    if (computeV) {
        require_type(call, "v", call.output(1), type, type);
        require_shape(call, "v", call.output(1), a);
    }
    require_info(call, call.output(2), 3);
    if (!call.ok()) return call.status();
    return call.run(20 * linalg_cost(a),
                    [computeV](const Operands& o) { linalg_eig(o.in[0], computeV, o.out[0], o.out[1], o.out[2]); });
}
PYASC_PHASE2(pyascLinalgEig)

}  // extern "C"

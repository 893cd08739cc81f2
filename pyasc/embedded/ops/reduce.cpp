// Sums, products, means, extremes, all and any over any set of axes.
#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_aminmax_all.h"
#include "aclnnop/aclnn_aminmax_dim.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_max_v2.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_min.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_log_sum.h"
#include "aclnnop/aclnn_reduce_nansum.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_trace.h"
#include "kernels/math.h"
#include "ops/reduce_common.h"

namespace pyasc {
namespace {

void require_no_loss(Call& call) {
    if (!call.ok()) return;
    call.require(!is_complex(call.input(0).dtype) || is_complex(call.output(0).dtype),
                 "self is %s but out is %s; a complex result needs a complex out", dtype_name(call.input(0).dtype),
                 dtype_name(call.output(0).dtype));
}

int32_t run_reduction(Call& call, const Reduction& r, uint32_t mask) {
    if (!call.ok()) return call.status();
    return call.run(reduce_cost(call.input(0)), [r, mask](const Operands& o) { reduce(r, o.in[0], mask, o.out[0]); });
}

// A sum or product whose axes are known.
int32_t run_fold(Call& call, Fold fold, uint32_t mask, bool keep, bool skip_nan = false) {
    if (!call.ok()) return call.status();
    const View& out = call.output(0);
    require_no_loss(call);
    require_reduced(call, "out", out, mask, keep);
    Reduction r = plain_fold(fold, out.dtype);
    const DType in = call.input(0).dtype;
    if (skip_nan && (is_float(in) || is_complex(in))) {
        // The elements lose their nans in a type that has some, whatever the output's type is.
        if (!is_float(r.load) && !is_complex(r.load)) r.load = r.compute = DType::F64;
        r.until_decided = false;
        r.fold = fold;
        r.before.map = map_kernels().find(Map::NanToZero, r.load);
    }
    return run_reduction(call, r, mask);
}

int32_t run_mean(Call& call, uint32_t mask, bool keep) {
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    const View& out = call.output(0);
    require_no_loss(call);
    require_reduced(call, "out", out, mask, keep);
    Reduction r;
    // Integers are averaged in double: their sums need not fit a float's significand.
    r.load = is_float(in.dtype) || is_complex(in.dtype) ? compute_type(out.dtype) : DType::F64;
    if (is_complex(out.dtype)) r.load = out.dtype;
    if (!is_float(r.load) && !is_complex(r.load)) r.load = DType::F64;
    r.compute = r.load;
    r.after.map = map_kernels().find(Map::Divide, r.compute);
    r.after.argument = static_cast<double>(reduced_length(in, mask));
    return run_reduction(call, r, mask);
}

void require_elements(Call& call, uint32_t mask) {
    if (!call.ok()) return;
    const View& in = call.input(0);
    int64_t shape[kMaxDims];
    int64_t outputs = 1;
    for (int d = reduced_shape(in, mask, shape) - 1; d >= 0; --d) outputs *= shape[d];
    call.require(outputs == 0 || reduced_length(in, mask) > 0, "self has shape %s: no elements have no extreme",
                 ShapeText(in).text);
}

int32_t run_extreme(Call& call, Fold fold, uint32_t mask, bool keep) {
    call.same_dtype();
    require_elements(call, mask);
    if (!call.ok()) return call.status();
    require_reduced(call, "out", call.output(0), mask, keep);
    return run_reduction(call, plain_extreme(fold, call.input(0).dtype), mask);
}

// Minimum to output 0, maximum to output 1.
int32_t run_both_extremes(Call& call, uint32_t mask, bool keep) {
    call.same_dtype();
    require_elements(call, mask);
    if (!call.ok()) return call.status();
    require_reduced(call, "minOut", call.output(0), mask, keep);
    require_reduced(call, "maxOut", call.output(1), mask, keep);
    return call.run(2 * reduce_cost(call.input(0)), [mask](const Operands& o) {
        reduce(plain_extreme(Fold::Min, o.in[0].dtype), o.in[0], mask, o.out[0]);
        reduce(plain_extreme(Fold::Max, o.in[0].dtype), o.in[0], mask, o.out[1]);
    });
}

int32_t run_truth(Call& call, Fold fold, uint32_t mask, bool keep) {
    if (!call.ok()) return call.status();
    const View& out = call.output(0);
    call.require(out.dtype == DType::Bool || out.dtype == DType::U8, "out is %s; it must be bool or uint8",
                 dtype_name(out.dtype));
    require_reduced(call, "out", out, mask, keep);
    Reduction r;
    r.fold = fold;
    r.load = r.compute = DType::Bool;
    r.until_decided = true;
    return run_reduction(call, r, mask);
}

uint32_t everything(const Call& call) { return call.ok() ? all_axes(call.input(0)) : 0; }

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnReduceSumGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims, bool keepDims,
                                           aclDataType dtype, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("aclnnReduceSum", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dims", dims);
    if (call.ok()) require_dtype(call, dtype, call.output(0));
    return run_fold(call, Fold::Sum, mask, keepDims);
}
PYASC_PHASE2(aclnnReduceSum)

aclnnStatus aclnnReduceNansumGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim,
                                              aclDataType dtype, aclTensor* out, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
    Call call("aclnnReduceNansum", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    if (call.ok()) require_dtype(call, dtype, call.output(0));
    return run_fold(call, Fold::Sum, mask, keepDim, true);
}
PYASC_PHASE2(aclnnReduceNansum)

aclnnStatus aclnnReduceLogSumGetWorkspaceSize(const aclTensor* data, const aclIntArray* axes, bool keepDims,
                                              bool noopWithEmptyAxes, aclTensor* reduce, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
    Call call("aclnnReduceLogSum", workspaceSize, executor);
    call.in("data", data).out("reduce", reduce).same_dtype();
    uint32_t mask = reduction_axes(call, "axes", axes);
    if (!call.ok()) return call.status();
    if (noopWithEmptyAxes && axes->size == 0) mask = 0;
    const View& out = call.output(0);
    call.require(is_float(out.dtype), "data is %s; it must be a float", dtype_name(out.dtype));
    require_reduced(call, "reduce", out, mask, keepDims);
    Reduction r = plain_fold(Fold::Sum, out.dtype);
    r.after.function = math_kernels().unary(Math::Log, r.compute);
    return run_reduction(call, r, mask);
}
PYASC_PHASE2(aclnnReduceLogSum)

aclnnStatus aclnnProdGetWorkspaceSize(const aclTensor* self, const aclDataType dtype, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnProd", workspaceSize, executor);
    call.in("self", self).out("out", out);
    if (call.ok()) require_dtype(call, dtype, call.output(0));
    return run_fold(call, Fold::Prod, everything(call), false);
}
PYASC_PHASE2(aclnnProd)

aclnnStatus aclnnProdDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim, const aclDataType dtype,
                                         aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnProdDim", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axis(call, "dim", dim);
    if (call.ok()) require_dtype(call, dtype, call.output(0));
    return run_fold(call, Fold::Prod, mask, keepDim);
}
PYASC_PHASE2(aclnnProdDim)

aclnnStatus aclnnMeanGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim, aclDataType dtype,
                                      aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnMean", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    if (call.ok()) require_dtype(call, dtype, call.output(0));
    return run_mean(call, mask, keepDim);
}
PYASC_PHASE2(aclnnMean)

aclnnStatus aclnnMeanV2GetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim,
                                        bool noopWithEmptyAxes, aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
    Call call("aclnnMeanV2", workspaceSize, executor);
    call.in("self", self).out("out", out);
    uint32_t mask = reduction_axes(call, "dim", dim);
    if (call.ok() && noopWithEmptyAxes && dim->size == 0) mask = 0;
    return run_mean(call, mask, keepDim);
}
PYASC_PHASE2(aclnnMeanV2)

aclnnStatus aclnnAmaxGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAmax", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    return run_extreme(call, Fold::Max, mask, keepDim);
}
PYASC_PHASE2(aclnnAmax)

aclnnStatus aclnnAminGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAmin", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    return run_extreme(call, Fold::Min, mask, keepDim);
}
PYASC_PHASE2(aclnnAmin)

aclnnStatus aclnnMaxGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
    Call call("aclnnMax", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_extreme(call, Fold::Max, everything(call), false);
}
PYASC_PHASE2(aclnnMax)

aclnnStatus aclnnMinGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
    Call call("aclnnMin", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_extreme(call, Fold::Min, everything(call), false);
}
PYASC_PHASE2(aclnnMin)

aclnnStatus aclnnMaxV2GetWorkspaceSize(const aclTensor* self, const aclIntArray* dims, bool keepDims,
                                       bool noopWithEmptyDims, aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
    Call call("aclnnMaxV2", workspaceSize, executor);
    call.in("self", self).out("out", out);
    uint32_t mask = reduction_axes(call, "dims", dims);
    if (call.ok() && noopWithEmptyDims && dims->size == 0) mask = 0;
    return run_extreme(call, Fold::Max, mask, keepDims);
}
PYASC_PHASE2(aclnnMaxV2)

aclnnStatus aclnnAminmaxGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim, aclTensor* minOut,
                                         aclTensor* maxOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAminmax", workspaceSize, executor);
    call.in("self", self).out("minOut", minOut).out("maxOut", maxOut);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    return run_both_extremes(call, mask, keepDim);
}
PYASC_PHASE2(aclnnAminmax)

aclnnStatus aclnnAminmaxAllGetWorkspaceSize(const aclTensor* self, aclTensor* minOut, aclTensor* maxOut,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAminmaxAll", workspaceSize, executor);
    call.in("self", self).out("minOut", minOut).out("maxOut", maxOut);
    return run_both_extremes(call, everything(call), false);
}
PYASC_PHASE2(aclnnAminmaxAll)

aclnnStatus aclnnAminmaxDimGetWorkspaceSize(const aclTensor* self, const int64_t dim, bool keepDim, aclTensor* minOut,
                                            aclTensor* maxOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAminmaxDim", workspaceSize, executor);
    call.in("self", self).out("minOut", minOut).out("maxOut", maxOut);
    const uint32_t mask = reduction_axis(call, "dim", dim);
    return run_both_extremes(call, mask, keepDim);
}
PYASC_PHASE2(aclnnAminmaxDim)

aclnnStatus aclnnAllGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepdim, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAll", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    return run_truth(call, Fold::Min, mask, keepdim);
}
PYASC_PHASE2(aclnnAll)

aclnnStatus aclnnAnyGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepdim, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAny", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    return run_truth(call, Fold::Max, mask, keepdim);
}
PYASC_PHASE2(aclnnAny)

aclnnStatus aclnnTraceGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
    Call call("aclnnTrace", workspaceSize, executor);
    call.in("self", self).out("out", out);
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    call.require(in.ndim == 2, "self has %d dimensions; the trace is that of a matrix", in.ndim);
    require_no_loss(call);
    require_shape(call, "out", call.output(0), nullptr, 0);
    const Reduction r = plain_fold(Fold::Sum, call.output(0).dtype);
    return call.run(100, [r](const Operands& o) {
        View diagonal = o.in[0];
        diagonal.ndim = 1;
        diagonal.size = diagonal.shape[0] = o.in[0].shape[0] < o.in[0].shape[1] ? o.in[0].shape[0] : o.in[0].shape[1];
        diagonal.stride[0] = o.in[0].stride[0] + o.in[0].stride[1];
        reduce(r, diagonal, 1, o.out[0]);
    });
}
PYASC_PHASE2(aclnnTrace)

}  // extern "C"

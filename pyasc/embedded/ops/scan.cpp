// Running sums, products and extremes.
#include "kernels/scan.h"
#include "aclnnop/aclnn_cummax.h"
#include "aclnnop/aclnn_cummin.h"
#include "aclnnop/aclnn_cumprod.h"
#include "aclnnop/aclnn_cumsum.h"
#include "ops/rearrange.h"

namespace pyasc {
namespace {

int64_t scan_cost(const View& in) { return 60 + in.size; }

int scan_axis(Call& call, int64_t dim, const View& in) {
    call.axis("dim", &dim, in.ndim);
    return static_cast<int>(dim);
}

int32_t run_scan(Call& call, Fold fold, int64_t dim, bool exclusive, bool reverse) {
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    const View& out = call.output(0);
    require_shape(call, "out", out, in);
    call.require(out.dtype != DType::Bool, "out is bool; a running sum or product needs a number type");
    call.require(!is_complex(in.dtype) || is_complex(out.dtype),
                 "the input is %s but out is %s; a complex result needs a complex out", dtype_name(in.dtype),
                 dtype_name(out.dtype));
    const int axis = scan_axis(call, dim, in);
    return call.run(scan_cost(in), [=](const Operands& o) { scan(fold, o.in[0], axis, o.out[0], exclusive, reverse); });
}

void require_scan_dtype(Call& call, aclDataType dtype) {
    if (!call.ok() || to_dtype(dtype) == call.output(0).dtype) return;
    call.require(false, "dtype is %s but out is %s; they must be the same", dtype_name(to_dtype(dtype)),
                 dtype_name(call.output(0).dtype));
}

// The dimension of aclnnCumprod is a scalar.
int64_t scalar_dim(Call& call, const aclScalar* dim) {
    if (!call.scalar("dim", dim).ok()) return 0;
    call.require(is_integer(dim->dtype), "dim is a %s scalar; it must be an integer", dtype_name(dim->dtype));
    return dim->as_int();
}

int32_t run_extreme(Call& call, Fold fold, int64_t dim) {
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    const View& value = call.output(0);
    const View& index = call.output(1);
    call.require(value.dtype == in.dtype, "self is %s but valuesOut is %s; they must have one dtype",
                 dtype_name(in.dtype), dtype_name(value.dtype));
    require_int(call, "indicesOut", index.dtype);
    require_shape(call, "valuesOut", value, in);
    require_shape(call, "indicesOut", index, in);
    const int axis = scan_axis(call, dim, in);
    return call.run(2 * scan_cost(in),
                    [=](const Operands& o) { scan_extreme(fold, o.in[0], axis, o.out[0], o.out[1]); });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnCumsumGetWorkspaceSize(const aclTensor* self, int64_t dim, aclDataType dtype, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnCumsum", workspaceSize, executor);
    call.in("self", self).out("out", out);
    require_scan_dtype(call, dtype);
    return run_scan(call, Fold::Sum, dim, false, false);
}
PYASC_PHASE2(aclnnCumsum)

aclnnStatus aclnnCumsumV2GetWorkspaceSize(const aclTensor* self, int64_t dim, bool exclusive, bool reverse,
                                          aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnCumsumV2", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_scan(call, Fold::Sum, dim, exclusive, reverse);
}
PYASC_PHASE2(aclnnCumsumV2)

aclnnStatus aclnnCumprodGetWorkspaceSize(const aclTensor* input, const aclScalar* dim, const aclDataType dtype,
                                         aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnCumprod", workspaceSize, executor);
    call.in("input", input).out("out", out);
    require_scan_dtype(call, dtype);
    const int64_t axis = scalar_dim(call, dim);
    return run_scan(call, Fold::Prod, axis, false, false);
}
PYASC_PHASE2(aclnnCumprod)

aclnnStatus aclnnInplaceCumprodGetWorkspaceSize(aclTensor* input, const aclScalar* dim, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
    Call call("aclnnInplaceCumprod", workspaceSize, executor);
    call.inout("input", input);
    int64_t axis = scalar_dim(call, dim);
    if (!call.ok()) return call.status();
    const View& array = call.output(0);
    call.require(array.dtype != DType::Bool, "input is bool; a running product needs a number type");
    call.axis("dim", &axis, array.ndim);
    return call.run(scan_cost(array), [axis](const Operands& o) {
        scan(Fold::Prod, o.out[0], static_cast<int>(axis), o.out[0], false, false);
    });
}
PYASC_PHASE2(aclnnInplaceCumprod)

aclnnStatus aclnnCummaxGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* valuesOut, aclTensor* indicesOut,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnCummax", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut).out("indicesOut", indicesOut);
    return run_extreme(call, Fold::Max, dim);
}
PYASC_PHASE2(aclnnCummax)

aclnnStatus aclnnCumminGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* valuesOut, aclTensor* indicesOut,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnCummin", workspaceSize, executor);
    call.in("self", self).out("valuesOut", valuesOut).out("indicesOut", indicesOut);
    return run_extreme(call, Fold::Min, dim);
}
PYASC_PHASE2(aclnnCummin)

}  // extern "C"

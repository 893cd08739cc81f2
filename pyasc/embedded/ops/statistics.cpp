// Variances, norms and log-sum-exp: reductions that look at their elements twice, or raise them to a power.
#include <cmath>
#include <cstring>

#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_logsumexp.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_std_mean_correction.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_var_mean.h"
#include "kernels/copy.h"
#include "kernels/gemm.h"
#include "kernels/math.h"
#include "kernels/move.h"
#include "ops/reduce_common.h"

namespace pyasc {
namespace {

constexpr DType real_type(DType t) { return t == DType::C64 ? DType::F32 : t == DType::C128 ? DType::F64 : t; }

// What statistics of `in` are computed in: at least float, double for integers, no narrower than the output.
DType statistics_type(DType in, DType out) {
    if (is_complex(in)) return in;
    if (!is_float(in)) return DType::F64;
    const DType type = compute_type(in);
    return out == DType::F64 ? DType::F64 : type;
}

int32_t no_memory() {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the host has no memory left for intermediate results; reduce fewer elements at a time");
}

void require_float_out(Call& call, const char* name, int output) {
    if (!call.ok()) return;
    const DType type = call.output(output).dtype;
    call.require(is_float(type), "%s is %s; it must be a float", name, dtype_name(type));
}

// Memory for one element of `type` per output of a reduction; small ones need none of the heap's.
struct PerOutput {
    View view;
    PerOutput(const View& in, uint32_t mask, DType type) : heap_(bytes(in, mask, type)) {
        int64_t shape[kMaxDims];
        const int ndim = reduced_shape(in, mask, shape);
        view = contiguous_view(small_bytes(in, mask, type) ? local_ : heap_.data, type, shape, ndim);
    }
    bool ok() const { return view.data != nullptr; }

  private:
    static constexpr int64_t kLocal = 2048;
    static int64_t needed(const View& in, uint32_t mask, DType type) {
        int64_t shape[kMaxDims];
        int64_t n = item_size(type);
        for (int d = reduced_shape(in, mask, shape) - 1; d >= 0; --d) n *= shape[d];
        return n;
    }
    static bool small_bytes(const View& in, uint32_t mask, DType type) { return needed(in, mask, type) <= kLocal; }
    static int64_t bytes(const View& in, uint32_t mask, DType type) {
        return small_bytes(in, mask, type) ? 0 : needed(in, mask, type);
    }
    alignas(64) char local_[kLocal];
    Scratch heap_;
};

// Two passes: the mean, then the mean of squared deviations from it. `spread` and `mean` may be null.
int32_t variance(const View& in, uint32_t mask, int64_t correction, bool root, const View& spread,
                 const View* mean_out) {
    const DType type = statistics_type(in.dtype, spread.dtype);
    const PerOutput mean(in, mask, type);
    if (!mean.ok()) return no_memory();
    const double n = static_cast<double>(reduced_length(in, mask));
    Reduction first;
    first.load = first.compute = type;
    first.after.map = map_kernels().find(Map::Divide, type);
    first.after.argument = n;
    reduce(first, in, mask, mean.view);
    Reduction second;
    second.load = type;
    second.compute = real_type(type);
    second.before.map = map_kernels().find(Map::Deviation, type);
    second.parameter = mean.view.data;
    second.after.map = map_kernels().find(Map::Divide, second.compute);
    second.after.argument = n > static_cast<double>(correction) ? n - static_cast<double>(correction) : 0;
    if (root) second.after.function = math_kernels().unary(Math::Sqrt, second.compute);
    reduce(second, in, mask, spread);
    if (mean_out == nullptr) return 0;
    // The mean's output may keep the reduced axes; its elements are in the same order.
    View shaped = contiguous_view(mean.view.data, type, mean_out->shape, mean_out->ndim);
    copy_view(*mean_out, shaped);
    return 0;
}

// Spread to output 0, and the mean to output 1 if there is one.
int32_t run_variance(Call& call, const aclIntArray* dim, int64_t correction, bool keep, bool root, bool with_mean) {
    const uint32_t mask = reduction_axes(call, "dim", dim, false);
    require_float_out(call, root ? "the standard deviation" : "the variance", 0);
    if (!call.ok()) return call.status();
    call.require(correction >= 0, "correction is %ld; it must not be negative", static_cast<long>(correction));
    require_reduced(call, root ? "the standard deviation" : "the variance", call.output(0), mask, keep);
    if (with_mean) {
        const DType type = call.output(1).dtype;
        call.require(is_float(type) || is_complex(type), "meanOut is %s; it must be a float", dtype_name(type));
        call.require(!is_complex(call.input(0).dtype) || is_complex(type),
                     "self is complex, so its mean is, but meanOut is %s", dtype_name(type));
        require_reduced(call, "meanOut", call.output(1), mask, keep);
    }
    if (!call.ok()) return call.status();
    return call.run(3 * reduce_cost(call.input(0)), [mask, correction, root, with_mean](const Operands& o) {
        return variance(o.in[0], mask, correction, root, o.out[0], with_mean ? &o.out[1] : nullptr);
    });
}

void set_exponent(Step* step, DType type, double exponent) {
    step->function = math_kernels().binary(Math2::Pow, type);
    step->binary = true;
    if (type == DType::F64) {
        std::memcpy(step->exponent, &exponent, sizeof(exponent));
    } else {
        const float narrow = static_cast<float>(exponent);
        std::memcpy(step->exponent, &narrow, sizeof(narrow));
    }
}

// (sum |x|^p)^(1/p), with its limits: p = 0 counts what is not zero, infinite p are the extremes of |x|.
Reduction norm_reduction(double p, DType in, DType out) {
    Reduction r;
    r.load = statistics_type(in, out);
    if (!is_complex(in) && !is_float(in) && out != DType::F64) r.load = DType::F32;
    r.compute = real_type(r.load);
    const auto map = [&](Map m) { return map_kernels().find(m, r.load); };
    r.before.map = map(Map::Abs);
    if (std::isinf(p)) {
        r.fold = p > 0 ? Fold::Max : Fold::Min;
    } else if (p == 0) {
        r.before.map = map(Map::NonZero);
    } else if (p == 2) {
        r.before.map = map(Map::Square);
        r.after.function = math_kernels().unary(Math::Sqrt, r.compute);
    } else if (p != 1) {
        set_exponent(&r.before, r.compute, p);
        set_exponent(&r.after, r.compute, 1 / p);
    }
    return r;
}

// All elements of a dense array make one vector, whose length is the root of its product with itself.
bool is_dense_vector(const View& in, const View& out) {
    return (in.dtype == DType::F32 || in.dtype == DType::F64) && in.dtype == out.dtype && out.size == 1 &&
           in.size > 0 && in.contiguous();
}

void length(const View& in, const View& out) {
    GemmArgs g;
    g.in = g.out = in.dtype;
    g.m = g.n = 1;
    g.k = in.size;
    g.a = {in.data, in.size, 1};
    g.b = {in.data, 1, 1};
    g.c = {out.data, 1, 1};
    gemm(g);
    if (in.dtype == DType::F32) {
        float* x = reinterpret_cast<float*>(out.data);
        *x = std::sqrt(*x);
    } else {
        double* x = reinterpret_cast<double*>(out.data);
        *x = std::sqrt(*x);
    }
}

int32_t run_norm(Call& call, const aclScalar* p, uint32_t mask, bool keep) {
    require_float_out(call, "out", 0);
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    const double order = p == nullptr ? 2 : p->as_double();
    call.require(!std::isnan(order), "the order of the norm is nan");
    call.require(!std::isinf(order) || in.size > 0 || call.output(0).size == 0,
                 "self has shape %s: no elements have no norm of infinite order", ShapeText(in).text);
    require_reduced(call, "out", call.output(0), mask, keep);
    if (!call.ok()) return call.status();
    const bool plain = order == 0 || order == 1 || order == 2 || std::isinf(order);
    if (order == 2 && is_dense_vector(in, call.output(0))) {
        return call.run(reduce_cost(in), [](const Operands& o) { length(o.in[0], o.out[0]); });
    }
    return call.run(reduce_cost(in) * (plain ? 2 : 40), [order, mask](const Operands& o) {
        reduce(norm_reduction(order, o.in[0].dtype, o.out[0].dtype), o.in[0], mask, o.out[0]);
    });
}

// log(sum(exp(x - max))) + max.
int32_t log_sum_exp(const View& in, uint32_t mask, const View& out) {
    const DType type = compute_type(out.dtype);
    const PerOutput largest(in, mask, type);
    if (!largest.ok()) return no_memory();
    reduce(plain_extreme(Fold::Max, type), in, mask, largest.view);
    Reduction r;
    r.load = r.compute = type;
    r.parameter = largest.view.data;
    r.before.map = map_kernels().find(Map::Minus, type);
    r.before.function = math_kernels().unary(Math::Exp, type);
    r.after.map = map_kernels().find(Map::Plus, type);
    r.after.function = math_kernels().unary(Math::Log, type);
    r.after.function_first = true;
    reduce(r, in, mask, out);
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnVarGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool unbiased, bool keepdim,
                                     aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnVar", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_variance(call, dim, unbiased ? 1 : 0, keepdim, false, false);
}
PYASC_PHASE2(aclnnVar)

aclnnStatus aclnnVarCorrectionGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, int64_t correction,
                                               bool keepdim, aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
    Call call("aclnnVarCorrection", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_variance(call, dim, correction, keepdim, false, false);
}
PYASC_PHASE2(aclnnVarCorrection)

aclnnStatus aclnnVarMeanGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, int64_t correction,
                                         bool keepdim, aclTensor* varOut, aclTensor* meanOut, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
    Call call("aclnnVarMean", workspaceSize, executor);
    call.in("self", self).out("varOut", varOut).out("meanOut", meanOut);
    return run_variance(call, dim, correction, keepdim, false, true);
}
PYASC_PHASE2(aclnnVarMean)

aclnnStatus aclnnStdGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, const int64_t correction,
                                     bool keepdim, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnStd", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return run_variance(call, dim, correction, keepdim, true, false);
}
PYASC_PHASE2(aclnnStd)

aclnnStatus aclnnStdMeanCorrectionGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, int64_t correction,
                                                   bool keepdim, aclTensor* stdOut, aclTensor* meanOut,
                                                   uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnStdMeanCorrection", workspaceSize, executor);
    call.in("self", self).out("stdOut", stdOut).out("meanOut", meanOut);
    return run_variance(call, dim, correction, keepdim, true, true);
}
PYASC_PHASE2(aclnnStdMeanCorrection)

aclnnStatus aclnnNormGetWorkspaceSize(const aclTensor* self, const aclScalar* pScalar, const aclIntArray* dim,
                                      bool keepdim, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnNorm", workspaceSize, executor);
    call.in("self", self).out("out", out);
    if (pScalar != nullptr) call.scalar("pScalar", pScalar);
    return run_norm(call, pScalar, reduction_axes(call, "dim", dim), keepdim);
}
PYASC_PHASE2(aclnnNorm)

aclnnStatus aclnnLinalgVectorNormGetWorkspaceSize(const aclTensor* self, const aclScalar* ord, const aclIntArray* dims,
                                                  bool keepDims, const aclDataType dtype, aclTensor* out,
                                                  uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLinalgVectorNorm", workspaceSize, executor);
    call.in("self", self).out("out", out).scalar("ord", ord);
    if (call.ok()) require_dtype(call, dtype, call.output(0));
    return run_norm(call, ord, reduction_axes(call, "dims", dims, false), keepDims);
}
PYASC_PHASE2(aclnnLinalgVectorNorm)

aclnnStatus aclnnLogSumExpGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnLogSumExp", workspaceSize, executor);
    call.in("self", self).out("out", out);
    const uint32_t mask = reduction_axes(call, "dim", dim);
    require_float_out(call, "out", 0);
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    call.require(!is_complex(in.dtype), "self is %s; log-sum-exp is that of real numbers", dtype_name(in.dtype));
    require_reduced(call, "out", call.output(0), mask, keepDim);
    return call.run(10 * reduce_cost(in), [mask](const Operands& o) { return log_sum_exp(o.in[0], mask, o.out[0]); });
}
PYASC_PHASE2(aclnnLogSumExp)

}  // extern "C"

// Products with an addend: out = beta * self + alpha * (product).
#include "aclnnop/aclnn_addbmm.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_addr.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_gemm.h"
#include "kernels/copy.h"
#include "ops/matmul_common.h"

namespace pyasc {
namespace {

// Which product is added. Each takes its operands with this many dimensions.
enum class Product { Matrix, Vector, Outer, Batch, BatchSum };

struct Sizes {
    int a_ndim, b_ndim;
    const char *a_name, *b_name;
};

constexpr Sizes kSizes[] = {
    {2, 2, "mat1", "mat2"},     {2, 1, "mat", "vec"},       {1, 1, "vec1", "vec2"},
    {3, 3, "batch1", "batch2"}, {3, 3, "batch1", "batch2"},
};

// The shape of the product; -1 if the operands do not fit.
int product_shape(Product kind, const View& a, const View& b, int64_t* shape) {
    switch (kind) {
        case Product::Outer:
            shape[0] = a.shape[0];
            shape[1] = b.shape[0];
            return 2;
        case Product::BatchSum:
            if (a.shape[0] != b.shape[0] || a.shape[2] != b.shape[1]) return -1;
            shape[0] = a.shape[1];
            shape[1] = b.shape[2];
            return 2;
        default: return matmul_shape(a, b, shape);
    }
}

// The sum of batch1[i] @ batch2[i] over i is one product, with the batch part of the dimension that is summed over.
int32_t sum_of_products(const View& a, const View& b, const View& c, const View& s, DType type, const Factor& alpha,
                        const Factor& beta) {
    const int64_t batch = a.shape[0], m = a.shape[1], k = a.shape[2], n = b.shape[2];
    View turned = a;
    turned.shape[0] = m;
    turned.shape[1] = batch;
    turned.stride[0] = a.stride[1];
    turned.stride[1] = a.stride[0];
    Temporary left, right;
    if (!left.copy_of(turned, type) || !right.copy_of(b, type)) return kOutOfMemory;
    const int64_t left_shape[] = {m, batch * k}, right_shape[] = {batch * k, n};
    return product(contiguous_view(left.view().data, type, left_shape, 2),
                   contiguous_view(right.view().data, type, right_shape, 2), c, &s, type, alpha, beta);
}

bool broadcasts_to(const View& s, const int64_t* shape, int ndim) {
    if (s.ndim > ndim) return false;
    for (int d = 0; d < s.ndim; ++d) {
        if (s.shape[d] != 1 && s.shape[d] != shape[ndim - s.ndim + d]) return false;
    }
    return true;
}

// The call has the two factors as its last inputs. self is input 0, or output 0 if the operator works in place.
int32_t plan_add(Call& call, Product kind, bool in_place, const aclScalar* beta_scalar, const aclScalar* alpha_scalar,
                 const char* beta_name, const char* alpha_name, bool optional) {
    if (!call.ok()) return call.status();
    const Sizes& sizes = kSizes[static_cast<int>(kind)];
    const int first = in_place ? 0 : 1;
    const View &s = in_place ? call.output(0) : call.input(0), &a = call.input(first), &b = call.input(first + 1);
    const View& c = call.output(0);
    call.require(a.ndim == sizes.a_ndim, "%s has shape %s; %d dimensions are expected", sizes.a_name, ShapeText(a).text,
                 sizes.a_ndim);
    call.require(b.ndim == sizes.b_ndim, "%s has shape %s; %d dimensions are expected", sizes.b_name, ShapeText(b).text,
                 sizes.b_ndim);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims + 2];
    const int ndim = product_shape(kind, a, b, shape);
    call.require(ndim >= 0, "%s of shape %s and %s of shape %s cannot be multiplied", sizes.a_name, ShapeText(a).text,
                 sizes.b_name, ShapeText(b).text);
    if (!call.ok()) return call.status();
    call.require(broadcasts_to(s, shape, ndim), "self of shape %s does not broadcast to the product of shape %s",
                 ShapeText(s).text, ShapeText(shape, ndim).text);
    if (call.ok()) require_shape(call, in_place ? "selfRef" : "out", c, shape, ndim);
    DType type = product_type(call);
    if (in_place && call.ok()) {
        const DType whole = promote(type, c.dtype);
        call.require(whole != DType::None && converts(whole, c.dtype),
                     "a product of %s cannot be added to selfRef, which is %s", dtype_name(type), dtype_name(c.dtype));
        if (call.ok() && !gemm_supported(type, c.dtype)) type = whole;
    }
    const Factor alpha = scale_factor(call, alpha_name, alpha_scalar, type, optional);
    const Factor beta = scale_factor(call, beta_name, beta_scalar, type, optional);
    if (!call.ok()) return call.status();
    const int64_t k = kind == Product::Outer      ? 1
                      : kind == Product::BatchSum ? a.shape[0] * a.shape[2]
                                                  : a.shape[a.ndim - 1];
    return call.run(gemm_cost(type, c.size, 1, k), [=](const Operands& o) {
        const View &x = o.in[first], &y = o.in[first + 1], &self = in_place ? o.out[0] : o.in[0];
        if (kind == Product::BatchSum) return sum_of_products(x, y, o.out[0], self, type, alpha, beta);
        if (kind == Product::Outer) {
            return product(insert_dim(x, 1), insert_dim(y, 0), o.out[0], &self, type, alpha, beta);
        }
        return product(x, y, o.out[0], &self, type, alpha, beta);
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

// The operators differ in their product and in the names of its factors; each has a twin that works in place.
#define PYASC_ADD(Op, InplaceOp, kind, a, b)                                                                   \
    aclnnStatus Op##GetWorkspaceSize(const aclTensor* self, const aclTensor* a, const aclTensor* b,            \
                                     const aclScalar* beta, const aclScalar* alpha, aclTensor* out,            \
                                     int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor) { \
        Call call(#Op, workspaceSize, executor);                                                               \
        check_cube_math(call, cubeMathType);                                                                   \
        call.in("self", self).in(#a, a).in(#b, b).out("out", out);                                             \
        return plan_add(call, Product::kind, false, beta, alpha, "beta", "alpha", false);                      \
    }                                                                                                          \
    PYASC_PHASE2(Op)                                                                                           \
    PYASC_ADD_INPLACE(InplaceOp, kind, a, b)
#define PYASC_ADD_INPLACE(Op, kind, a, b)                                                                \
    aclnnStatus Op##GetWorkspaceSize(PYASC_SELF selfRef, const aclTensor* a, const aclTensor* b,         \
                                     const aclScalar* beta, const aclScalar* alpha, int8_t cubeMathType, \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {                \
        Call call(#Op, workspaceSize, executor);                                                         \
        check_cube_math(call, cubeMathType);                                                             \
        call.in(#a, a).in(#b, b).inout("selfRef", selfRef);                                              \
        return plan_add(call, Product::kind, true, beta, alpha, "beta", "alpha", false);                 \
    }                                                                                                    \
    PYASC_PHASE2(Op)
#define PYASC_SELF const aclTensor*
PYASC_ADD(aclnnAddmm, aclnnInplaceAddmm, Matrix, mat1, mat2)
PYASC_ADD(aclnnBaddbmm, aclnnInplaceBaddbmm, Batch, batch1, batch2)
#undef PYASC_SELF
#define PYASC_SELF aclTensor*
PYASC_ADD(aclnnAddbmm, aclnnInplaceAddbmm, BatchSum, batch1, batch2)
#undef PYASC_SELF
#undef PYASC_ADD
#undef PYASC_ADD_INPLACE

aclnnStatus aclnnAddmvGetWorkspaceSize(const aclTensor* self, const aclTensor* mat, const aclTensor* vec,
                                       const aclScalar* alpha, const aclScalar* beta, aclTensor* out,
                                       int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAddmv", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    call.in("self", self).in("mat", mat).in("vec", vec).out("out", out);
    return plan_add(call, Product::Vector, false, beta, alpha, "beta", "alpha", false);
}
PYASC_PHASE2(aclnnAddmv)

aclnnStatus aclnnAddrGetWorkspaceSize(const aclTensor* self, const aclTensor* vec1, const aclTensor* vec2,
                                      const aclScalar* betaOptional, const aclScalar* alphaOptional, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnAddr", workspaceSize, executor);
    call.in("self", self).in("vec1", vec1).in("vec2", vec2).out("out", out);
    return plan_add(call, Product::Outer, false, betaOptional, alphaOptional, "betaOptional", "alphaOptional", true);
}
PYASC_PHASE2(aclnnAddr)

aclnnStatus aclnnInplaceAddrGetWorkspaceSize(aclTensor* selfRef, const aclTensor* vec1, const aclTensor* vec2,
                                             const aclScalar* betaOptional, const aclScalar* alphaOptional,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceAddr", workspaceSize, executor);
    call.in("vec1", vec1).in("vec2", vec2).inout("selfRef", selfRef);
    return plan_add(call, Product::Outer, true, betaOptional, alphaOptional, "betaOptional", "alphaOptional", true);
}
PYASC_PHASE2(aclnnInplaceAddr)

aclnnStatus aclnnGemmGetWorkspaceSize(const aclTensor* A, const aclTensor* B, const aclTensor* C, float alpha,
                                      float beta, int64_t transA, int64_t transB, aclTensor* out, int8_t cubeMathType,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnGemm", workspaceSize, executor);
    check_cube_math(call, cubeMathType);
    call.in("A", A).in("B", B).in("C", C).out("out", out);
    call.require((transA == 0 || transA == 1) && (transB == 0 || transB == 1),
                 "transA is %ld and transB %ld; 0 or 1 is allowed", transA, transB);
    const DType type = product_type(call);
    if (!call.ok()) return call.status();
    const View &a = call.input(0), &b = call.input(1);
    call.require(a.ndim == 2 && b.ndim == 2, "A has shape %s and B has shape %s; two matrices are expected",
                 ShapeText(a).text, ShapeText(b).text);
    if (!call.ok()) return call.status();
    const int64_t shape[] = {a.shape[transA], b.shape[1 - transB]}, k = a.shape[1 - transA];
    call.require(k == b.shape[transB], "A of shape %s%s and B of shape %s%s cannot be multiplied", ShapeText(a).text,
                 transA ? ", transposed," : "", ShapeText(b).text, transB ? ", transposed," : "");
    call.require(broadcasts_to(call.input(2), shape, 2), "C of shape %s does not broadcast to the product of shape %s",
                 ShapeText(call.input(2)).text, ShapeText(shape, 2).text);
    if (call.ok()) require_shape(call, "out", call.output(0), shape, 2);
    Factor by_alpha, by_beta;
    by_alpha.real = alpha;
    by_alpha.integer = static_cast<int64_t>(alpha);
    by_beta.real = beta;
    by_beta.integer = static_cast<int64_t>(beta);
    return call.run(gemm_cost(type, shape[0], shape[1], k), [=](const Operands& o) {
        return product(transA ? swap_last_two(o.in[0]) : o.in[0], transB ? swap_last_two(o.in[1]) : o.in[1], o.out[0],
                       &o.in[2], type, by_alpha, by_beta);
    });
}
PYASC_PHASE2(aclnnGemm)

}  // extern "C"

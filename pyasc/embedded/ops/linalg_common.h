// Checks that operators on batches of matrices share.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "kernels/blas.h"
#include "ops/matmul_common.h"

namespace pyasc {

// `v` is a batch of matrices of a type LAPACK computes in, or a 16-bit float where those are allowed.
inline void require_matrices(Call& call, const char* name, const View& v, bool square, bool halves) {
    const bool half = v.dtype == DType::F16 || v.dtype == DType::BF16;
    call.require(v.dtype == DType::F32 || v.dtype == DType::F64 || is_complex(v.dtype) || (halves && half),
                 "%s is %s; floating-point and complex matrices are supported", name, dtype_name(v.dtype));
    call.require(v.ndim >= 2, "%s has shape %s; at least 2 dimensions are needed", name, ShapeText(v).text);
    if (!call.ok()) return;
    const int64_t m = v.shape[v.ndim - 2], n = v.shape[v.ndim - 1];
    call.require(!square || m == n, "%s has shape %s; its last two dimensions must be equal", name, ShapeText(v).text);
    call.require(m <= 46340 && n <= 46340,
                 "%s has shape %s; matrices of more than 46340 rows or columns are not supported", name,
                 ShapeText(v).text);
    call.require(blas_available(), "LAPACK is missing: %s", blas_available() ? "" : blas_missing());
}

// The shape `like`'s batch, then the given dimensions.
inline void require_batch_shape(Call& call, const char* name, const View& v, const View& like,
                                std::initializer_list<int64_t> rest) {
    if (!call.ok()) return;
    int64_t shape[kMaxDims + 2];
    int ndim = 0;
    for (; ndim < like.ndim - 2; ++ndim) shape[ndim] = like.shape[ndim];
    for (int64_t n : rest) shape[ndim++] = n;
    require_shape(call, name, v, shape, ndim);
}

inline void require_type(Call& call, const char* name, const View& v, DType type, DType other) {
    call.require(v.dtype == type || v.dtype == other, "%s is %s; %s is expected", name, dtype_name(v.dtype),
                 dtype_name(type));
}

inline DType real_type(DType t) { return t == DType::C64 ? DType::F32 : t == DType::C128 ? DType::F64 : t; }

// Nanoseconds; `weight` is how many times the elimination of the matrices it takes.
inline int64_t linalg_cost(const View& a, int64_t weight = 1) {
    const int64_t k = std::min(a.shape[a.ndim - 1], a.shape[a.ndim - 2]);
    return 1000 + weight * 2 * gemm_cost(a.dtype, a.size, 1, k);
}

// The operands of a singular value decomposition: input; sigma, u, v.
inline void require_svd(Call& call, bool fullMatrices, bool computeUV) {
    if (!call.ok()) return;
    const View& a = call.input(0);
    require_matrices(call, "input", a, false, false);
    if (!call.ok()) return;
    const int64_t m = a.shape[a.ndim - 2], n = a.shape[a.ndim - 1], k = std::min(m, n);
    require_type(call, "sigma", call.output(0), a.dtype, real_type(a.dtype));
    require_batch_shape(call, "sigma", call.output(0), a, {k});
    if (computeUV) {
        require_type(call, "u", call.output(1), a.dtype, a.dtype);
        require_type(call, "v", call.output(2), a.dtype, a.dtype);
        require_batch_shape(call, "u", call.output(1), a, {m, fullMatrices ? m : k});
        require_batch_shape(call, "v", call.output(2), a, {n, fullMatrices ? n : k});
    }
}

// The batch that b and A broadcast to; false if they do not.
inline bool broadcast_batch(const View& a, const View& b, int64_t* shape, int* ndim) {
    const int la = a.ndim - 2, lb = b.ndim - 2;
    *ndim = std::max(la, lb);
    for (int d = 0; d < *ndim; ++d) {
        const int da = d - (*ndim - la), db = d - (*ndim - lb);
        const int64_t x = da < 0 ? 1 : a.shape[da], y = db < 0 ? 1 : b.shape[db];
        if (x != y && x != 1 && y != 1) return false;
        shape[d] = x == 1 ? y : x;
    }
    return true;
}

// A x = b makes sense; the shape of x: `lead` dimensions of the batch, then two.
inline void require_system(Call& call, const View& a, const View& b, int64_t* shape, int* lead) {
    const int64_t n = a.shape[a.ndim - 1];
    call.require(b.shape[b.ndim - 2] == n && broadcast_batch(a, b, shape, lead),
                 "A of shape %s and the right-hand side of shape %s do not make a system of equations",
                 ShapeText(a).text, ShapeText(b).text);
    if (!call.ok()) return;
    shape[*lead] = n;
    shape[*lead + 1] = b.shape[b.ndim - 1];
}

}  // namespace pyasc

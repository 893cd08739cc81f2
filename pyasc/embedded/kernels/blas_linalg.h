// Linear algebra on batches of matrices through LAPACK: float32, float64, complex64, complex128, and 16-bit floats
// computed as float32. Views may have any strides; leading dimensions are the batch. blas_available() must hold.
#pragma once

#include "kernels/view.h"

namespace pyasc {

// A^-1; all NaN where A is singular. `info`, if there is one, here and below is how many of the batch failed.
void linalg_inverse(const View& a, const View& out, const View* info = nullptr);

// A^-1 B; all NaN where A is singular, and how many of the batch are. a and b broadcast.
void linalg_solve(const View& a, const View& b, const View& out, const View& info);

// det A; 0 where A has a pivot of 0.
void linalg_determinant(const View& a, const View& out);

// sign * exp(log) = det A. A singular matrix has sign 0 and log -inf. `log` has A's type or its real one.
void linalg_slogdet(const View& a, const View& sign, const View& log);

// log(det A): NaN for a negative determinant of a real matrix.
void linalg_logdet(const View& a, const View& out);

// A = Q R. q (m, k) and r (k, n) or q (m, m) and r (m, n); a q of size 0 is not computed.
void linalg_qr(const View& a, const View& q, const View& r);

// The same factorisation as LAPACK leaves it: R and, below the diagonal, the reflectors; their scales (k) in tau.
void linalg_reflectors(const View& a, const View& out, const View& tau);

// A = U diag(sigma) V^H. With `vectors`, u is (m, k) or (m, m) and v (n, k) or (n, n). NaN where it does not converge.
void linalg_svd(const View& a, bool vectors, const View& sigma, const View& u, const View& v,
                const View* info = nullptr);

// A = L L^H, or U^H U with `upper`; only that triangle of A is read. All NaN where A is not positive definite.
void linalg_cholesky(const View& a, bool upper, const View& out, const View* info = nullptr);

struct Triangle {
    bool upper, transpose, unit;
};
// Solves A x = b (A^T x = b) for a triangular A, and copies the triangle to m. a and b broadcast over the batch.
void linalg_triangular_solve(const View& b, const View& a, Triangle kind, const View& x, const View& m);

// The shortest x with the least |b - A x|, for one matrix (m, n), neither dimension 0; singular values s up to rcond
// times the largest count as 0. rest: squared lengths of the columns of b - A x if A has rank n and m > n. info:
// whether the method failed, and the rank.
void linalg_lstsq(const View& a, const View& b, double rcond, const View& x, const View& rest, const View& s,
                  const View& info);

// A = V diag(w) V^H for a symmetric or Hermitian A, of which one triangle is read; w is real and ascends. info: how
// many of the batch did not converge; their results are NaN.
void linalg_eigh(const View& a, bool upper, bool vectors, const View& w, const View& v, const View& info);

// A V = V diag(w); w and v are complex. info has three numbers: how many of the batch did not converge, how many have
// eigenvalues that are not real, and how many have elements that are not finite, whose results are NaN.
void linalg_eig(const View& a, bool vectors, const View& w, const View& v, const View& info);

}  // namespace pyasc

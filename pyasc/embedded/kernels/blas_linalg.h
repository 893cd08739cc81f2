// Linear algebra on batches of matrices through LAPACK: float32, float64, complex64, complex128, and 16-bit floats
// computed as float32. Views may have any strides; leading dimensions are the batch. blas_available() must hold.
#pragma once

#include "kernels/view.h"

namespace pyasc {

// A^-1; all NaN where A is singular.
void linalg_inverse(const View& a, const View& out);

// sign * exp(log) = det A. A singular matrix has sign 0 and log -inf. `log` has A's type or its real one.
void linalg_slogdet(const View& a, const View& sign, const View& log);

// log(det A): NaN for a negative determinant of a real matrix.
void linalg_logdet(const View& a, const View& out);

// A = Q R. q (m, k) and r (k, n) or q (m, m) and r (m, n); a q of size 0 is not computed.
void linalg_qr(const View& a, const View& q, const View& r);

// A = U diag(sigma) V^H. With `vectors`, u is (m, k) or (m, m) and v (n, k) or (n, n). NaN where it does not converge.
void linalg_svd(const View& a, bool vectors, const View& sigma, const View& u, const View& v);

// A = L L^H, or U^H U with `upper`; only that triangle of A is read. All NaN where A is not positive definite.
void linalg_cholesky(const View& a, bool upper, const View& out);

struct Triangle {
    bool upper, transpose, unit;
};
// Solves A x = b (A^T x = b) for a triangular A, and copies the triangle to m. a and b broadcast over the batch.
void linalg_triangular_solve(const View& b, const View& a, Triangle kind, const View& x, const View& m);

}  // namespace pyasc

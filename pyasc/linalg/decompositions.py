"""Factors of matrices: QR, singular values, Cholesky; and what is made of singular values."""

import warnings
from typing import NamedTuple

import numpy as np

from pyasc._core.array import ndarray
from pyasc._core.call import call, has_operator
from pyasc.creation import asarray
from pyasc.diagonals import diagonal_view
from pyasc.gufuncs import matmul
from pyasc.index_functions import take_along_axis
from pyasc.linalg._common import (
    adjoint,
    check_stacked,
    conjugate_in_place,
    counter,
    empty,
    epsilon,
    implements,
    matrices,
    on_host,
    real_type,
    refuse_failures,
    tolerance,
)
from pyasc.linalg.eigen import eigh, eigvalsh
from pyasc.manipulation import swapaxes
from pyasc.ops import F
from pyasc.statistics import any as any_true
from pyasc.statistics import max as max_of
from pyasc.statistics import sum as sum_of

_GIVEN = np._NoValue  # what NumPy's signatures have for "not given"


class QRResult(NamedTuple):
    """Orthonormal columns and an upper triangle."""

    Q: ndarray
    R: ndarray


class SVDResult(NamedTuple):
    """Left singular vectors (columns), singular values, right singular vectors (conjugated, rows)."""

    U: ndarray
    S: ndarray
    Vh: ndarray


# ---- QR

_OLD_MODES = {
    "full": ("reduced", "The 'full' option is deprecated in favor of 'reduced'.\n"
                        "For backward compatibility let mode default."),
    "economic": ("economic", "The 'economic' option is deprecated."),
}  # fmt: skip
_OLD_MODES["f"], _OLD_MODES["e"] = _OLD_MODES["full"], _OLD_MODES["economic"]


@implements("qr")
def qr(a, mode="reduced"):
    """QR factorisation: ``a = q @ r`` with orthonormal columns in q and an upper triangle r.

    Parameters
    ----------
    a : (..., M, N) array_like
    mode : {"reduced", "complete", "r", "raw"}, optional
        With K = min(M, N): q (..., M, K) and r (..., K, N); q (..., M, M) and r (..., M, N); only r of "reduced";
        or LAPACK's reflectors, transposed, and their scales: (..., N, M) and (..., K).

    Returns
    -------
    QRResult, ndarray, or tuple of ndarray
    """
    if mode in _OLD_MODES:
        mode, text = _OLD_MODES[mode]
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    elif mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    a = matrices(a)
    if mode in ("raw", "economic"):
        return _reflectors(a, mode)
    (m, n), batch = a.shape[-2:], a.shape[:-2]
    k = m if mode == "complete" else min(m, n)
    q = empty(a, (0,) if mode == "r" else (*batch, m, k))
    r = empty(a, (*batch, k, n))
    if q.size or r.size:
        call("aclnnLinalgQr", a, ("reduced", "complete", "r").index(mode), q, r)
    return r if mode == "r" else QRResult(q, r)


def _reflectors(a, mode):
    if not has_operator("pyascLinalgReflectors"):
        return on_host("qr", a, mode)
    out, tau = empty(a, a.shape), empty(a, (*a.shape[:-2], min(a.shape[-2:])))
    if out.size:
        call("pyascLinalgReflectors", a, out, tau)
    return out if mode == "economic" else (swapaxes(out, -1, -2), tau)


# ---- singular values


@implements("svd")
def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """Singular value decomposition: ``a = u @ diag(s) @ vh`` (waits for the device).

    Parameters
    ----------
    a : (..., M, N) array_like
    full_matrices : bool, optional
        Whether u and vh are square, (..., M, M) and (..., N, N); else they have K = min(M, N) columns and rows.
    compute_uv : bool, optional
        Whether the singular vectors are wanted.
    hermitian : bool, optional
        ``a`` is symmetric or Hermitian; only its lower triangle is read.

    Returns
    -------
    SVDResult, or ndarray
        (u, s, vh), or s alone; s is real, (..., K), the largest first.

    Raises
    ------
    LinAlgError
        No convergence, as with nan.
    """
    if hermitian:
        return _svd_of_hermitian(a) if compute_uv else _absolute_eigenvalues(a)
    a = matrices(a)
    if compute_uv:
        return svd_arrays(a, bool(full_matrices), "SVD did not converge")
    return _singular_values(a)


def svd_arrays(a, full, message):
    """The decomposition of an array of a type to compute in; ``message`` is for those that do not converge."""
    if not _has_svd():
        return SVDResult(*on_host("svd", a, full))
    (m, n), batch = a.shape[-2:], a.shape[:-2]
    k = min(m, n)
    u = empty(a, (*batch, m, m if full else k))
    vh = empty(a, (*batch, n if full else k, n))
    s = empty(a, (*batch, k), real_type(a.dtype))
    if u.size or vh.size:  # the operator gives v, not its adjoint
        _launch_svd(a, full, True, s, u, swapaxes(vh, -1, -2), message)
    return SVDResult(u, s, conjugate_in_place(vh))


def _singular_values(a):
    if not _has_svd():
        return on_host("svd", a, compute_uv=False)
    s = empty(a, (*a.shape[:-2], min(a.shape[-2:])), real_type(a.dtype))
    if s.size:
        none = empty(a, (0,))
        _launch_svd(a, False, False, s, none, none, "SVD did not converge")
    return s


def _has_svd():
    return has_operator("pyascLinalgSvd") or has_operator("aclnnSvd")


def _launch_svd(a, full, vectors, s, u, v, message):
    if has_operator("pyascLinalgSvd"):
        info = counter(a)
        call("pyascLinalgSvd", a, full, vectors, s, u, v, info)
        refuse_failures(info, message)
        return
    call("aclnnSvd", a, full, vectors, s, u, v)
    if s.size:  # CANN does not say whether it converged
        refuse_failures(any_true(F.isnan(s)), message)


def _svd_of_hermitian(a):
    w, u = eigh(a)
    sign = F.copysign(F.fill(w, 1), w)
    s, order = _descending(F.absolute(w))
    if s.size:
        sign = take_along_axis(sign, order, axis=-1)
        u = take_along_axis(u, order.reshape((*order.shape[:-1], 1, order.shape[-1])), axis=-1)
    return SVDResult(
        u, s, adjoint(F.multiply(u, sign.reshape((*sign.shape[:-1], 1, sign.shape[-1]))))
    )


def _absolute_eigenvalues(a):
    return _descending(F.absolute(eigvalsh(a)))[0]


def _descending(x):
    """Values along the last axis, the largest first, and where they were."""
    values, order = empty(x, x.shape), empty(x, x.shape, np.int64)
    if x.size:
        call("aclnnSort", x, False, x.ndim - 1, True, values, order)
    return values, order


@implements("svdvals")
def svdvals(x, /):
    """Singular values, (..., K) for matrices (..., M, N) with K = min(M, N), the largest first (see `svd`)."""
    return svd(x, compute_uv=False)


@implements("matrix_rank")
def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """Number of singular values that are not negligible (waits for the device).

    Parameters
    ----------
    A : (..., M, N) array_like
        Of a vector or a scalar the rank is 0 if all elements are 0, else 1.
    tol : (...) array_like, optional
        Singular values above it count.
    hermitian : bool, optional
        See `svd`.
    rtol : (...) array_like, optional
        The same as a multiple of the largest singular value; by default max(M, N) times the spacing of floats at 1.

    Returns
    -------
    ndarray of int64
    """
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = asarray(A)
    if A.ndim < 2:
        return any_true(F.not_equal(A, 0)).astype(np.int64)
    s = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is None:
        rtol = max(A.shape[-2:]) * epsilon(s.dtype) if rtol is None else tolerance(rtol, s)
        tol = F.multiply(max_of(s, axis=-1, keepdims=True, initial=0), rtol)
    else:
        tol = tolerance(tol, s)
    return sum_of(F.greater(s, tol), axis=-1)


@implements("pinv")
def pinv(a, rcond=None, hermitian=False, *, rtol=_GIVEN):
    """Pseudo-inverse (Moore-Penrose) through the singular values (waits for the device).

    Parameters
    ----------
    a : (..., M, N) array_like
    rcond, rtol : (...) array_like, optional
        Singular values up to this multiple of the largest count as 0. By default 1e-15 in float64 as in NumPy, and the
        same number of spacings, 5.4e-7, in float32; with ``rtol=None`` max(M, N) spacings of floats at 1.
    hermitian : bool, optional
        See `svd`.

    Returns
    -------
    ndarray
        (..., N, M).
    """
    a = asarray(a)
    if rcond is not None and rtol is not _GIVEN:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    check_stacked(a)
    (m, n), dtype = a.shape[-2:], a.dtype
    if m * n == 0:
        return empty(a, (*a.shape[:-2], n, m), dtype)
    u, s, vh = svd(a, full_matrices=False, hermitian=hermitian)
    if rcond is None and rtol is _GIVEN:
        rcond = 1e-15 * (epsilon(s.dtype) / epsilon(np.float64))
    elif rcond is None:
        rcond = max(m, n) * epsilon(s.dtype) if rtol is None else rtol
    cutoff = F.multiply(max_of(s, axis=-1, keepdims=True), tolerance(rcond, s)).astype(
        s.dtype, copy=False
    )
    scale = F.where(F.greater(s, cutoff), F.reciprocal(s), 0.0)
    return matmul(adjoint(vh), F.multiply(scale.reshape((*scale.shape, 1)), adjoint(u)))


# ---- Cholesky


@implements("cholesky")
def cholesky(a, /, *, upper=False):
    """Cholesky factor of positive definite matrices: ``a = l @ l^H`` (waits for the device).

    Parameters
    ----------
    a : (..., M, M) array_like
        Symmetric or Hermitian; only the triangle of the result is read.
    upper : bool, optional
        ``a = u^H @ u`` instead.

    Returns
    -------
    ndarray

    Raises
    ------
    LinAlgError
        A matrix is not positive definite or not square.
    """
    a, message = matrices(a, square=True), "Matrix is not positive definite"
    out = empty(a, a.shape)
    if has_operator("pyascLinalgCholesky"):
        info = counter(a)
        call("pyascLinalgCholesky", a, bool(upper), out, info)
        refuse_failures(info, message)
    elif not has_operator("aclnnLinalgCholesky"):
        return on_host("cholesky", a, upper=upper)
    elif out.size:
        call("aclnnLinalgCholesky", a, bool(upper), out)
        refuse_failures(any_true(F.isnan(diagonal_view(out, 0, -2, -1))), message)
    return out

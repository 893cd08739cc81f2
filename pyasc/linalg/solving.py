"""Systems of equations, inverses, determinants, least squares."""

import math
from typing import NamedTuple

import numpy as np
from numpy.linalg import LinAlgError

from pyasc._core.array import ndarray, real_view
from pyasc._core.call import call, has_operator
from pyasc._views import drop_axes, insert_axes
from pyasc.creation import asarray, zeros
from pyasc.gufuncs import matmul
from pyasc.linalg._common import (
    adjoint,
    check_two_dimensional,
    counter,
    empty,
    epsilon,
    implements,
    matrices,
    real_type,
    refuse_failures,
    with_type,
)
from pyasc.linalg.decompositions import qr, svd_arrays
from pyasc.manipulation import transpose
from pyasc.ops import F
from pyasc.statistics import any as any_true
from pyasc.statistics import sum as sum_of

_SINGULAR = "Singular matrix"


class SlogdetResult(NamedTuple):
    """Sign (a number of size 1, or 0) and logarithm of the absolute value of determinants."""

    sign: ndarray
    logabsdet: ndarray


@implements("solve")
def solve(a, b):
    """Solution x of ``a @ x = b`` for square matrices (waits for the device).

    Parameters
    ----------
    a : (..., M, M) array_like
    b : (M,) or (..., M, K) array_like
        One dimension is one right-hand side for all matrices; more are columns of right-hand sides.

    Returns
    -------
    ndarray
        (..., M) or (..., M, K).

    Raises
    ------
    LinAlgError
        A matrix is singular or not square.
    ValueError
        The shapes do not fit.
    """
    a, b = matrices(a, b, square=True)
    vector = b.ndim == 1
    shape = _solution_shape(a, b, vector)
    if vector:
        b = insert_axes(b, (b.ndim,))
    out = empty(a, shape)
    if has_operator("pyascLinalgSolve"):
        info = counter(a)
        call("pyascLinalgSolve", a, b, out, info)
        refuse_failures(info, _SINGULAR)
    elif out.size:
        _refuse_singular(a)
        out = _solve_by_qr(a, b, out)
    return drop_axes(out, (out.ndim - 1,)) if vector else out


def _solution_shape(a, b, vector):
    n = a.shape[-1]
    signature = "(m,m),(m)->(m)" if vector else "(m,m),(m,n)->(m,n)"
    name = "solve1" if vector else "solve"
    if b.ndim == 0:
        raise ValueError(
            f"{name}: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature {signature} "
            "requires 2)"
        )
    rows = b.shape[-1] if vector else b.shape[-2]
    if rows != n:
        raise ValueError(
            f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {signature} "
            f"(size {rows} is different from {n})"
        )
    if b.ndim <= 2:
        return (*a.shape[:-1], 1 if vector else b.shape[-1])
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with remapped shapes: {a.shape} and {b.shape} have batch "
            f"dimensions {a.shape[:-2]} and {b.shape[:-2]}"
        ) from None
    return (*batch, n, b.shape[-1])


def _refuse_singular(a):
    """LinAlgError where LU elimination meets a pivot of 0, as it does in NumPy."""
    sign, _ = slogdet(a)
    refuse_failures(any_true(F.equal(sign, 0)), _SINGULAR)


def _solve_by_qr(a, b, out):
    """R x = Q^H b. CANN has no LU; multiplying with the inverse would lose digits."""
    q, r = qr(a)
    rhs = matmul(adjoint(q), b)
    triangle = empty(a, (*out.shape[:-1], a.shape[-1]))
    call("aclnnTriangularSolve", rhs, r, True, False, False, out, triangle)
    return out


@implements("inv")
def inv(a):
    """Inverse of square matrices (waits for the device).

    Parameters
    ----------
    a : (..., M, M) array_like

    Returns
    -------
    ndarray

    Raises
    ------
    LinAlgError
        A matrix is singular or not square.
    """
    a = matrices(a, square=True)
    out = empty(a, a.shape)
    if has_operator("pyascLinalgInverse"):
        info = counter(a)
        call("pyascLinalgInverse", a, out, info)
        refuse_failures(info, _SINGULAR)
    elif out.size:
        _refuse_singular(a)
        call("aclnnInverse", a, out)
    return out


def inverse_or_nan(a):
    """The inverses of square matrices of a type to compute in; nan where a matrix is singular."""
    out = empty(a, a.shape)
    if has_operator("pyascLinalgInverse"):
        call("pyascLinalgInverse", a, out, counter(a))
        return out
    if out.size == 0:
        return out
    call("aclnnInverse", a, out)
    sign, _ = slogdet(a)
    return F.where(F.equal(sign, 0).reshape((*sign.shape, 1, 1)), float("nan"), out)


@implements("slogdet")
def slogdet(a):
    """Sign and logarithm of the absolute value of determinants.

    Parameters
    ----------
    a : (..., M, M) array_like

    Returns
    -------
    SlogdetResult
        ``sign``: of size 1, or 0 for singular matrices; ``logabsdet``: real, -inf for singular matrices.
    """
    a = matrices(a, square=True)
    sign, log = empty(a, a.shape[:-2]), empty(a, a.shape[:-2])
    if sign.size:
        call("aclnnSlogdet", a, sign, log)
    return SlogdetResult(sign, real_view(log).copy() if log.dtype.kind == "c" else log)


@implements("det")
def det(a):
    """Determinants of square matrices.

    Parameters
    ----------
    a : (..., M, M) array_like

    Returns
    -------
    ndarray

    Raises
    ------
    LinAlgError
        Not square.
    """
    a = matrices(a, square=True)
    if not has_operator("pyascLinalgDet"):
        sign, log = slogdet(a)
        return F.multiply(sign, F.exp(log))
    out = empty(a, a.shape[:-2])
    if out.size:
        call("pyascLinalgDet", a, out)
    return out


@implements("lstsq")
def lstsq(a, b, rcond=None):
    """Least-squares solution of ``a @ x = b``, the shortest if there are many (waits for the device).

    Parameters
    ----------
    a : (M, N) array_like
    b : (M,) or (M, K) array_like
    rcond : float, optional
        Singular values up to ``rcond`` times the largest count as 0; by default max(M, N) times the spacing of floats
        at 1; negative values stand for that spacing.

    Returns
    -------
    x : ndarray
        (N,) or (N, K).
    residuals : ndarray
        Squared lengths of the columns of ``b - a @ x``; empty if the rank is below N or M <= N.
    rank : ndarray of int32
        0-d.
    s : ndarray
        The singular values.

    Raises
    ------
    LinAlgError
        Not two dimensions, different numbers of rows, or no convergence.
    """
    a, b = asarray(a), asarray(b)
    vector = b.ndim == 1
    if vector:
        b = b.reshape((-1, 1))
    check_two_dimensional(a, b)
    if a.shape[0] != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    a, b = with_type(a, b)
    (m, n), real = a.shape, real_type(a.dtype)
    if rcond is None:
        rcond = epsilon(real) * max(m, n)
    elif rcond < 0:
        rcond = epsilon(real)
    if min(m, n) == 0:
        x, s = zeros((n, b.shape[1]), a.dtype, device=a.device), empty(a, (0,), real)
        rest, rank = _squared_lengths(b) if m > n else s, zeros((), np.int32, device=a.device)
    else:
        route = _lstsq_operator if has_operator("pyascLinalgLstsq") else _lstsq_by_svd
        x, rest, rank, s = route(a, b, rcond)
        if m <= n or int(rank) != n:
            rest = empty(a, (0,), real)
    return drop_axes(x, (1,)) if vector else x, rest, rank, s


_LSTSQ_DIVERGED = "SVD did not converge in Linear Least Squares"


def _lstsq_operator(a, b, rcond):
    (m, n), width, real = a.shape, b.shape[1], real_type(a.dtype)
    x, rest = empty(a, (n, width)), empty(a, (width,), real)
    s, info = empty(a, (min(m, n),), real), counter(a, (2,))
    call("pyascLinalgLstsq", a, b, float(rcond), x, rest, s, info)
    refuse_failures(info[0], _LSTSQ_DIVERGED)
    return x, rest, info[1], s


def _lstsq_by_svd(a, b, rcond):
    """x = V diag(1/s) U^H b over the singular values that are not negligible."""
    square, rhs = a, b
    if a.shape[0] > a.shape[1]:
        q, square = qr(a)  # the decomposition of a small matrix is enough
        rhs = matmul(adjoint(q), b)
    u, s, vh = svd_arrays(square, False, _LSTSQ_DIVERGED)
    used = F.greater(s, F.multiply(s[:1], rcond))
    scale = F.where(used, F.reciprocal(s), 0.0)
    x = matmul(adjoint(vh), F.multiply(matmul(adjoint(u), rhs), scale.reshape((-1, 1))))
    rest = _squared_lengths(F.subtract(b, matmul(a, x)))
    return x, rest, sum_of(used).astype(np.int32), s


def _squared_lengths(columns):
    size = F.absolute(columns)
    return sum_of(F.multiply(size, size), axis=0)


@implements("tensorsolve")
def tensorsolve(a, b, axes=None):
    """Solution x of ``tensordot(a, x, x.ndim) = b`` (waits for the device).

    Parameters
    ----------
    a : array_like
        Shape ``b.shape + Q`` with as many elements in Q as in ``b``.
    b : array_like
    axes : tuple of int, optional
        Dimensions of ``a`` to move to its end first.

    Returns
    -------
    ndarray
        Shape Q.
    """
    a, b = asarray(a), asarray(b)
    if axes is not None:
        order = list(range(a.ndim))
        for k in axes:
            order.remove(k)
            order.insert(a.ndim, k)
        a = transpose(a, order)
    shape = a.shape[-(a.ndim - b.ndim) :]
    size = math.prod(shape)
    if a.size != size**2:
        raise LinAlgError(
            "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim]); the shapes "
            f"are {a.shape} and {b.shape}"
        )
    return solve(a.reshape((size, size)), b.reshape(-1)).reshape(shape)


@implements("tensorinv")
def tensorinv(a, ind=2):
    """Inverse with respect to `tensordot` over the first ``ind`` dimensions (waits for the device).

    Parameters
    ----------
    a : array_like
        As many elements in the first ``ind`` dimensions as in the others.
    ind : int, optional

    Returns
    -------
    ndarray
        Shape ``a.shape[ind:] + a.shape[:ind]``.
    """
    a = asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    size = math.prod(a.shape[ind:])
    return inv(a.reshape((size, -1))).reshape(a.shape[ind:] + a.shape[:ind])

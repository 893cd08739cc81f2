"""Polynomials as vectors of coefficients, the highest power first.

``poly1d`` is NumPy's: an object with a few numbers in it, on the host. Functions that get one give it to NumPy.
"""

import functools
import operator
import warnings

import numpy as np

from pyasc import _dispatch
from pyasc._config import lower
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc._views import broadcast_to
from pyasc.contractions import convolve
from pyasc.creation import arange, as_arrays, asarray, zeros
from pyasc.diagonals import vander
from pyasc.manipulation import common_arrays, concatenate
from pyasc.ops import F
from pyasc.products import matmul_arrays, outer
from pyasc.rearrange import atleast_1d, trim_zeros
from pyasc.statistics import sum as sum_of

__all__ = [
    "poly", "poly1d", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots",
]  # fmt: skip

poly1d = np.poly1d


def _takes_poly1d(function):
    """Decorator: arguments among which is a ``poly1d`` are for NumPy."""
    numpys = getattr(np, function.__name__)

    def decorated(*args, **kwargs):
        if any(isinstance(v, np.poly1d) for v in (*args, *kwargs.values())):
            args, kwargs = (
                _dispatch.walk(v, lambda x: x.numpy() if isinstance(x, ndarray) else x)
                for v in (args, kwargs)
            )
            return numpys(*args, **kwargs)
        return function(*args, **kwargs)

    return implements(function.__name__)(functools.wraps(function)(decorated))


def _as_float(x):
    """The numbers as floats: integers as the default float."""
    return x if x.dtype.kind in "fcV" else x.astype(lower(np.dtype(np.float64)))


def _vectors(a1, a2):
    return (atleast_1d(x) for x in as_arrays(a1, a2))


# ---- values and roots


@_takes_poly1d
def polyval(p, x):
    """Values of a polynomial.

    Parameters
    ----------
    p : array_like
        The coefficients, one dimension.
    x : array_like
        Where, any shape.

    Returns
    -------
    ndarray
        Of the shape of ``x``.
    """
    on_host = not isinstance(p, ndarray)
    (coefficients, x), dtype = common_arrays([p, x])
    terms = np.asarray(p).tolist() if on_host else coefficients
    y = zeros(x.shape, dtype, device=x.device)
    for term in terms:  # Horner's rule, in place: the steps need each other, the elements do not
        F.multiply(y, x, out=y)
        F.add(y, term, out=y)
    return y


@implements("poly")
def poly(seq_of_zeros):
    """Coefficients of the polynomial with given roots and leading coefficient 1.

    Parameters
    ----------
    seq_of_zeros : array_like
        The roots, or a square matrix: its characteristic polynomial.

    Returns
    -------
    ndarray
        Real if complex roots come in pairs (they are read for that: waits for the device).
    """
    zeros_of = atleast_1d(seq_of_zeros)
    shape = zeros_of.shape
    if len(shape) == 2 and shape[0] == shape[1] != 0:
        zeros_of = np.linalg.eigvals(zeros_of)
    elif len(shape) != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    count = zeros_of.size
    if count == 0:
        return asarray(1.0)
    if zeros_of.dtype.kind != "c":
        single = zeros_of.dtype in (np.float32, np.float64)
        zeros_of = zeros_of if single else zeros_of.astype(lower(np.dtype(np.float64)))
    found = zeros((count + 1,), zeros_of.dtype, device=zeros_of.device)
    found[0] = 1
    for k in range(count):  # times (x - root)
        shifted = F.multiply(found[: k + 1], zeros_of[k])
        found[1 : k + 2] -= shifted
    if found.dtype.kind == "c":
        host = zeros_of.numpy()
        if np.all(np.sort(host) == np.sort(host.conj())):
            return found.real.copy()
    return found


@implements("roots")
def roots(p):
    """Roots of a polynomial: the eigenvalues of its companion matrix.

    Parameters
    ----------
    p : array_like
        The coefficients, one dimension. They are read: leading and trailing zeros decide how many roots there are.

    Returns
    -------
    ndarray
        Complex if a root is.
    """
    p = atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    host = p.numpy()
    places = np.nonzero(host)[0]
    if places.size == 0:
        return zeros(0)
    trailing = p.size - places[-1] - 1
    p = _as_float(p[places[0] : places[-1] + 1])
    count = p.size - 1
    if count == 0:
        return zeros((trailing,), device=p.device)
    matrix = zeros((count, count), p.dtype, device=p.device)
    matrix.reshape(-1)[count :: count + 1] = 1  # below the diagonal
    matrix[0] = F.divide(F.negative(p[1:]), p[0])
    found = np.linalg.eigvals(matrix)
    return (
        concatenate([found, zeros((trailing,), found.dtype, device=p.device)])
        if trailing
        else found
    )


# ---- arithmetic


def _sum_like(op, a1, a2):
    a1, a2 = _vectors(a1, a2)
    length = max(a1.size, a2.size)
    return op(*(_lengthened(x, length) for x in (a1, a2)))


def _lengthened(x, length):
    missing = length - x.size
    return concatenate([zeros((missing,), x.dtype, device=x.device), x]) if missing else x


@_takes_poly1d
def polyadd(a1, a2):
    """Sum of two polynomials; the shorter vector of coefficients gets zeros in front."""
    return _sum_like(F.add, a1, a2)


@_takes_poly1d
def polysub(a1, a2):
    """Difference of two polynomials; the shorter vector of coefficients gets zeros in front."""
    return _sum_like(F.subtract, a1, a2)


def _trimmed(x):
    """Without leading zeros, but with at least one coefficient."""
    if x.ndim > 1:
        raise ValueError("Polynomial must be 1d only.")
    found = trim_zeros(x, "f")
    return found if found.size else zeros((1,), x.dtype, device=x.device)


@_takes_poly1d
def polymul(a1, a2):
    """Product of two polynomials. Leading zeros are left out, as NumPy does: their number is read (waits)."""
    return convolve(*map(_trimmed, _vectors(a1, a2)))


@_takes_poly1d
def polydiv(u, v):
    """Quotient and remainder of two polynomials.

    Parameters
    ----------
    u, v : array_like
        Coefficients of dividend and divisor.

    Returns
    -------
    q, r : ndarray
        The remainder without leading coefficients that are close to 0 (it is read: waits for the device).
    """
    (u, v), dtype = common_arrays([_as_float(x) for x in _vectors(u, v)])
    m, n = u.size - 1, v.size - 1
    q = zeros((max(m - n + 1, 1),), dtype, device=u.device)
    r = u.copy()
    scale = F.divide(1.0, v[0])
    for k in range(m - n + 1):
        q[k] = F.multiply(scale, r[k])
        r[k : k + n + 1] -= F.multiply(q[k], v)
    with np.errstate(invalid="ignore"):
        small = np.isclose(r.numpy().astype(np.complex128), 0, rtol=1e-14)
    first = int(np.argmin(small)) if not small.all() else r.size - 1
    return q, r[first:]


def _order(m, wrong):
    m = operator.index(m)
    if m < 0:
        raise ValueError(wrong)
    return m


@_takes_poly1d
def polyder(p, m=1):
    """Derivative of a polynomial.

    Parameters
    ----------
    p : array_like
    m : int, optional
        How often.

    Returns
    -------
    ndarray
    """
    p = asarray(p)
    for _ in range(_order(m, "Order of derivative must be positive (see polyint)")):
        p = F.multiply(p[:-1], arange(max(p.size - 1, 0), 0, -1, dtype=np.int64, device=p.device))
    return p


@_takes_poly1d
def polyint(p, m=1, k=None):
    """Integral of a polynomial.

    Parameters
    ----------
    p : array_like
    m : int, optional
        How often.
    k : scalar or sequence of m scalars, optional
        The constants, in the order of integration; 0 by default.

    Returns
    -------
    ndarray
    """
    m = _order(m, "Order of integral must be positive (see polyder)")
    p, k = as_arrays(p, 0.0 if k is None else k)
    k = atleast_1d(k)
    if k.size == 1 and m > 1:
        k = broadcast_to(k, (m,))
    if k.size < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for i in range(m):
        powers = arange(p.size, 0, -1, dtype=np.int64, device=p.device)
        p = concatenate([F.divide(p, powers), k[i : i + 1]])
    return p


# ---- fitting


@_takes_poly1d
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """Coefficients of the polynomial that fits points best, in the sense of least squares.

    Parameters
    ----------
    x : array_like
        Positions, shape (n,).
    y : array_like
        Values, shape (n,) or (n, k) for k fits at once.
    deg : int
    rcond : float, optional
        Singular values smaller than this part of the largest count as 0; ``n * eps`` by default.
    full : bool, optional
        Return what there is to know about the solution, too.
    w : array_like, optional
        Weights of the residuals (not of their squares), shape (n,).
    cov : bool or "unscaled", optional
        Return the covariance of the coefficients, too.

    Returns
    -------
    p : ndarray
        Shape (deg + 1,) or (deg + 1, k).
    residuals, rank, singular_values, rcond
        With ``full``.
    V : ndarray
        With ``cov``.

    Notes
    -----
    The solution is `numpy.linalg.lstsq`'s; the default-float rule makes the matrix of powers float32 unless ``x`` is
    float64.
    """
    order = int(deg) + 1
    x, y, *rest = (_as_float(v) for v in as_arrays(x, y, *([] if w is None else [w])))
    _check_points(order, x, y, rest)
    if rcond is None:
        rcond = x.size * float(np.finfo(x.dtype if x.dtype.kind != "V" else np.float32).eps)
    lhs, rhs = vander(x, order), y
    for weights in rest:
        lhs = F.multiply(lhs, weights[:, None])
        rhs = F.multiply(rhs, weights[:, None] if rhs.ndim == 2 else weights)
    scale = F.sqrt(sum_of(F.multiply(lhs, lhs), 0))
    lhs = F.divide(lhs, scale)
    c, residuals, rank, singular = np.linalg.lstsq(lhs, rhs, rcond)
    c = F.divide(c.T, scale).T
    if int(rank) != order and not full:
        warnings.warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=3)
    if full:
        return c, residuals, rank, singular, rcond
    return (c, _covariance(lhs, scale, residuals, y, order, cov)) if cov else c


def _check_points(order, x, y, rest):
    if order < 1:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if not 1 <= y.ndim <= 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    for w in rest:
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if w.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")


def _covariance(lhs, scale, residuals, y, order, cov):
    found = F.divide(np.linalg.inv(matmul_arrays(lhs.T, lhs)), outer(scale, scale))
    if isinstance(cov, str) and cov == "unscaled":
        factor = 1.0
    elif y.shape[0] <= order:
        raise ValueError(
            "the number of data points must exceed order to scale the covariance matrix"
        )
    else:
        factor = F.divide(residuals, y.shape[0] - order)
    return F.multiply(found if y.ndim == 1 else found[:, :, None], factor)

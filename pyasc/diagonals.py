"""Triangles and diagonals of matrices."""

import operator

import numpy as np

from pyasc import _promotion, _views
from pyasc._config import lower
from pyasc._core.array import element_steps, ndarray, strided_view
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import normalize_axis
from pyasc.creation import as_array_beside, asarray, ones, zeros
from pyasc.ops import F
from pyasc.rearrange import cycled

__all__ = [
    "diag", "diagflat", "diagonal", "fill_diagonal", "trace", "tri", "tril", "triu", "vander",
]  # fmt: skip


@implements("tri")
def tri(N, M=None, k=0, dtype=None, *, like=None, device=None):
    """Ones at and below a diagonal, zeros elsewhere.

    Parameters
    ----------
    N, M : int
        Rows and columns; as many columns as rows by default.
    k : int, optional
        The diagonal: 0 the main one, positive above it.
    dtype : dtype, optional
        The default float by default.

    Returns
    -------
    ndarray
    """
    return tril(ones((N, N if M is None else M), dtype, device=device), k)


def _triangle(name, m, k):
    m = asarray(m)
    if m.ndim == 0:
        raise TypeError("an array of at least one dimension is needed, this one has none")
    if m.ndim == 1:
        m = _views.broadcast_to(m, (m.size, m.size))
    out = ndarray(m.shape, m.dtype, device=m.device)
    if out.size:
        reach = max(m.shape[-2:])
        call(name, m, min(max(operator.index(k), -reach - 1), reach + 1), out)
    return out


@implements("tril")
def tril(m, k=0):
    """The elements at and below a diagonal of the last two axes, zeros elsewhere."""
    return _triangle("aclnnTril", m, k)


@implements("triu")
def triu(m, k=0):
    """The elements at and above a diagonal of the last two axes, zeros elsewhere."""
    return _triangle("aclnnTriu", m, k)


@implements("vander")
def vander(x, N=None, increasing=False):
    """Powers of a vector as columns, the highest first.

    Parameters
    ----------
    x : array_like
        One dimension.
    N : int, optional
        Number of columns; as many as elements by default.
    increasing : bool, optional
        The lowest power first.

    Returns
    -------
    ndarray
    """
    x = asarray(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    N = x.size if N is None else operator.index(N)
    dtype = _promotion.result_type(x.dtype, np.int64)
    dtype = dtype if x.dtype in (np.float64, np.complex128) else lower(dtype)
    out = ones((x.size, N), dtype, device=x.device)
    columns = out if increasing else out[:, ::-1]
    if N > 1 and x.size:
        columns[:, 1:] = F.multiply.accumulate(
            _views.broadcast_to(x.astype(dtype, copy=False)[:, None], (x.size, N - 1)), axis=1
        )
    return out


@implements("diagonal")
def diagonal(a, offset=0, axis1=0, axis2=1):
    """Read-only view of a diagonal of two axes, which becomes the last axis.

    Parameters
    ----------
    a : array_like
    offset : int, optional
        Positive above the main diagonal.
    axis1, axis2 : int, optional
        Rows and columns.

    Returns
    -------
    ndarray
    """
    out = diagonal_view(asarray(a), operator.index(offset), axis1, axis2)
    out._set_readonly(True)
    return out


@implements("trace")
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Sum of a diagonal of two axes; the first four arguments as `diagonal`, the others as `pyasc.sum`."""
    return F.add.reduce(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


def diagonal_view(a, offset=0, axis1=0, axis2=1):
    """View of a diagonal."""
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    rows, columns = normalize_axis(axis1, a.ndim, "axis1"), normalize_axis(axis2, a.ndim, "axis2")
    if rows == columns:
        raise ValueError("axis1 and axis2 cannot be the same")
    steps = element_steps(a)
    rest = [d for d in range(a.ndim) if d not in (rows, columns)]
    length = min(a.shape[rows] + min(offset, 0), a.shape[columns] - max(offset, 0))
    length = max(length, 0)
    start = offset * steps[columns] if offset > 0 else -offset * steps[rows]
    return strided_view(
        a,
        [*(a.shape[d] for d in rest), length],
        [*(steps[d] for d in rest), steps[rows] + steps[columns]],
        start if length and a.size else 0,
    )


@implements("diag")
def diag(v, k=0):
    """The diagonal of a matrix (a read-only view), or the matrix with a vector as its diagonal."""
    v = asarray(v)
    if v.ndim not in (1, 2):
        raise ValueError("Input must be 1- or 2-d.")
    if v.ndim == 2:
        return diagonal(v, k)
    n = v.size + abs(operator.index(k))
    out = zeros((n, n), v.dtype, device=v.device)
    if v.size:
        diagonal_view(out, k)[...] = v
    return out


@implements("diagflat")
def diagflat(v, k=0):
    """The matrix with the flattened argument as its diagonal."""
    return diag(asarray(v).reshape(-1), k)


@implements("fill_diagonal")
def fill_diagonal(a, val, wrap=False):
    """Set the main diagonal of an array of at least two dimensions, in place.

    Parameters
    ----------
    a : ndarray
        All dimensions equal if there are more than two.
    val : array_like
        Its elements are used in turn.
    wrap : bool, optional
        Whether the diagonal of a tall matrix starts again after its end.
    """
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    if a.size == 0:
        return
    values = as_array_beside(a, val).reshape(-1).astype(a.dtype, copy=False).to(device=a.device)
    if wrap and a.ndim == 2 and a.shape[0] > a.shape[1] + 1:
        places = np.arange(0, a.size, a.shape[1] + 1)
        a[tuple(np.unravel_index(places, a.shape))] = cycled(values, places.size)
        return
    count = min(a.shape)
    steps = element_steps(a)
    strided_view(a, (count,), (sum(steps),))[...] = (
        values if values.size == 1 else cycled(values, count)
    )

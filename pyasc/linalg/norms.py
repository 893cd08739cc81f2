"""Norms of vectors and matrices, condition numbers."""

import math

import numpy as np
from numpy.linalg import LinAlgError

from pyasc._config import lower
from pyasc._core.array import element_steps, fill_value, real_view, strided_view
from pyasc._core.call import call
from pyasc._views import drop_axes, insert_axes, normalize_axes, normalize_axis
from pyasc.creation import asarray
from pyasc.linalg._common import check_square, empty, implements, with_type
from pyasc.linalg.decompositions import svdvals
from pyasc.linalg.solving import inverse_or_nan
from pyasc.manipulation import moveaxis
from pyasc.ops import F
from pyasc.statistics import any as any_true
from pyasc.statistics import max as max_of
from pyasc.statistics import min as min_of
from pyasc.statistics import sum as sum_of

inf = math.inf


@implements("norm")
def norm(x, ord=None, axis=None, keepdims=False):
    """Norm of vectors or matrices.

    Parameters
    ----------
    x : array_like
        Without ``axis`` one or two dimensions, or any number if ``ord`` is None as well (the 2-norm of all elements).
    ord : number, inf, -inf, "fro", "nuc", optional
        Of vectors: sum(abs(x)**ord)**(1/ord), 0 for the number of elements that are not 0, inf and -inf for the largest
        and smallest absolute value; 2 by default. Of matrices: "fro" (the default), "nuc" (sum of the singular values),
        2 and -2 (the largest and smallest one), 1 and -1 (of the sums of absolute values of columns), inf and -inf (of
        rows).
    axis : int or pair of int, optional
        Where the vectors or matrices lie.
    keepdims : bool, optional
        Whether those dimensions stay, with length 1.

    Returns
    -------
    ndarray
    """
    x = _floating(asarray(x))
    if axis is None:
        flat = ord is None or (ord == 2 and x.ndim == 1) or (ord in ("f", "fro") and x.ndim == 2)
        axes = tuple(range(x.ndim))
        if flat:
            return _vector_norm(x, 2, axes, keepdims)
    else:
        axes = _axes(axis)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"Invalid norm order '{ord}' for vectors")
        return _vector_norm(x, 2 if ord is None else ord, normalize_axes(axes, x.ndim), keepdims)
    if len(axes) == 2:
        row, column = (normalize_axis(a, x.ndim) for a in axes)
        if row == column:
            raise ValueError("Duplicate axes given.")
        return _matrix_norm(x, ord, row, column, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def _axes(axis):
    if isinstance(axis, tuple):
        return axis
    try:
        return (int(axis),)
    except Exception as error:
        raise TypeError("'axis' must be None, an integer or a tuple of integers") from error


def _floating(x):
    """Integers as the default float."""
    return x.astype(lower(np.dtype(np.float64))) if x.dtype.kind in "bui" else x


def _parts(x):
    """View of complex numbers as pairs of real ones, a dimension more."""
    real = real_view(x)
    return strided_view(real, (*x.shape, 2), (*element_steps(real), 1))


def _vector_norm(x, ord, axes, keepdims):
    if x.dtype.kind == "c" and ord == 2:
        if x.ndim - 1 not in axes:  # neighbours in memory stay neighbours
            sums = _vector_norm(_parts(x), 2, axes, keepdims) if axes else _parts(x)
            return _vector_norm(sums, 2, (sums.ndim - 1,), False)
        found = _vector_norm(_parts(x), 2, (*axes, x.ndim), keepdims)
        return drop_axes(found, (x.ndim,)) if keepdims else found
    if not axes:  # of single elements
        return _vector_norm(insert_axes(x, (x.ndim,)), ord, (x.ndim,), False)
    if x.dtype.kind == "c":
        x = F.absolute(x)
    if x.size == 0 and ord == -inf:
        return min_of(x, axes, keepdims=keepdims)  # refuses, or has no elements either
    shape = tuple(1 if d in axes else n for d, n in enumerate(x.shape) if keepdims or d not in axes)
    out = empty(x, shape)
    if x.size:
        call("aclnnLinalgVectorNorm", x, float(ord), axes, bool(keepdims), x.dtype, out)
    elif out.size:
        fill_value(out, 0.0 if ord >= 0 else inf)
    return out


def _matrix_norm(x, ord, row, column, keepdims):
    axes = (row, column)
    if ord is None or ord in ("f", "fro"):
        return _vector_norm(x, 2, axes, keepdims)
    if ord in (1, -1, inf, -inf):
        first, second = axes if ord in (1, -1) else (column, row)
        sums = _vector_norm(x, 1, (first,), True)
        found = max_of(sums, second, initial=0) if ord > 0 else min_of(sums, second)
        return _shaped(found, x, axes, keepdims)
    if ord in (2, -2, "nuc"):
        s = svdvals(moveaxis(x, axes, (-2, -1)))
        if ord == "nuc":
            found = sum_of(s, axis=-1)
        else:
            found = max_of(s, axis=-1, initial=0) if ord == 2 else min_of(s, axis=-1)
        return _shaped(found, x, axes, keepdims)
    raise ValueError("Invalid norm order for matrices.")


def _shaped(found, x, axes, keepdims):
    shape = [1 if d in axes else n for d, n in enumerate(x.shape) if keepdims or d not in axes]
    return found.reshape(tuple(shape))


@implements("vector_norm")
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """Norm of vectors.

    Parameters
    ----------
    x : array_like
    axis : int or tuple of int, optional
        The dimensions whose elements make a vector; all by default.
    keepdims : bool, optional
        Whether those dimensions stay, with length 1.
    ord : number, inf or -inf, optional
        See `norm`.

    Returns
    -------
    ndarray
    """
    x = _floating(asarray(x))
    axes = normalize_axes(axis, x.ndim)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    return _vector_norm(x, 2 if ord is None else ord, axes, keepdims)


@implements("matrix_norm")
def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Norm of matrices, which are the last two dimensions (see `norm`)."""
    return norm(x, axis=(-2, -1), keepdims=keepdims, ord=ord)


@implements("cond")
def cond(x, p=None):
    """Condition number: the norm of a matrix times that of its inverse.

    Parameters
    ----------
    x : (..., M, N) array_like
        Square unless ``p`` is None, 2 or -2.
    p : optional
        An order of `norm`; None and 2: the ratio of the largest to the smallest singular value, -2: the inverse of it.

    Returns
    -------
    ndarray
        Real; inf for singular matrices.
    """
    x = asarray(x)
    if x.size == 0 and math.prod(x.shape[-2:]) == 0:
        raise LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        s = svdvals(x)
        found = F.divide(s[..., -1], s[..., 0]) if p == -2 else F.divide(s[..., 0], s[..., -1])
    else:
        check_square(x)
        x = with_type(x)
        found = F.multiply(norm(x, p, axis=(-2, -1)), norm(inverse_or_nan(x), p, axis=(-2, -1)))
    unknown = F.logical_and(F.isnan(found), F.logical_not(any_true(F.isnan(x), axis=(-2, -1))))
    return F.where(unknown, inf, found)

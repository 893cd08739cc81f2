"""Choosing, comparing and finding elements."""

import numpy as np

from pyasc import _promotion
from pyasc._core import array as _array
from pyasc._dispatch import implements
from pyasc.creation import as_arrays, asarray
from pyasc.indexing import nonzero_indices, nonzero_table
from pyasc.ops import F
from pyasc.statistics import all as all_true

__all__ = [
    "allclose",
    "argwhere",
    "array_equal",
    "array_equiv",
    "clip",
    "flatnonzero",
    "isclose",
    "nonzero",
    "where",
]


def operands(*values):
    """Arrays of the common dtype of arrays and Python scalars (which are weak)."""
    weak = [v for v in values if isinstance(v, (bool, int, float, complex))]
    strong = as_arrays(*(v for v in values if not any(v is w for w in weak)))
    if not strong:
        return [asarray(v) for v in values]
    dtype = _promotion.common_type([s.dtype for s in strong], weak)
    device = next((s.device for s in strong), None)
    rest = iter(strong)
    found = []
    for v in values:
        if any(v is w for w in weak):
            out = _array.empty((), dtype, device=device)
            _array.fill_value(out, v)
            found.append(out)
        else:
            s = next(rest)
            found.append(s if s.dtype == dtype else s.astype(dtype))
    return found


@implements("where")
def where(condition, x=None, y=None, /):
    """Elements of ``x`` where the condition is true, else of ``y``; with one argument, as `nonzero`.

    Parameters
    ----------
    condition, x, y : array_like
        Broadcast together.

    Returns
    -------
    ndarray, or tuple of ndarray
    """
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    mask = asarray(condition)
    if mask.dtype != bool:
        mask = F.not_equal(mask, 0)
    x, y = operands(x, y)
    try:
        np.broadcast_shapes(mask.shape, x.shape, y.shape)
    except ValueError:
        shapes = " ".join(str(a.shape).replace(" ", "") for a in (mask, x, y))
        raise ValueError(
            f"operands could not be broadcast together with shapes {shapes} "
        ) from None
    return F.where(mask, x, y)


@implements("clip")
def clip(
    a, a_min=np._NoValue, a_max=np._NoValue, out=None, *, min=np._NoValue, max=np._NoValue, **kwargs
):
    """Elements limited to an interval.

    Parameters
    ----------
    a : array_like
    a_min, a_max : array_like or None
        The bounds, also spelled ``min`` and ``max``; None is no bound.
    out : ndarray, optional

    Returns
    -------
    ndarray
    """
    low = a_min if min is np._NoValue else min
    high = a_max if max is np._NoValue else max
    low, high = (None if v is np._NoValue else v for v in (low, high))
    a = asarray(a)
    if low is None and high is None:
        return F.positive(a) if out is None else F.positive(a, out=out)
    if low is None:
        return F.minimum(a, high, out=out, **kwargs)
    if high is None:
        return F.maximum(a, low, out=out, **kwargs)
    return F.minimum(F.maximum(a, low, **kwargs), high, out=out, **kwargs)


@implements("nonzero")
def nonzero(a):
    """Positions of the elements that are not zero, an index array for each dimension (waits for the device)."""
    a = asarray(a)
    if a.ndim == 0:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. "
            "If the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`."
        )
    return tuple(nonzero_indices(a))


@implements("flatnonzero")
def flatnonzero(a):
    """Positions in the flattened array of the elements that are not zero (waits for the device)."""
    return nonzero(asarray(a).reshape(-1))[0]


@implements("argwhere")
def argwhere(a):
    """Positions of the elements that are not zero, one row for each (waits for the device)."""
    a = asarray(a)
    if a.ndim == 0:
        return nonzero_table(a.reshape(1))[:, :0]
    return nonzero_table(a)


@implements("isclose")
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements are equal within tolerances: |a - b| <= atol + rtol * |b|.

    Returns
    -------
    ndarray of bool
    """
    a, b = operands(a, b)
    if a.dtype == bool:
        a, b = a.astype(np.int8), b.astype(np.int8)
    with_finite = F.logical_and(F.isfinite(a), F.isfinite(b))
    if a.dtype.kind in "bui":
        a, b = a.astype(np.float64), b.astype(np.float64)
    near = F.less_equal(F.absolute(F.subtract(a, b)), F.add(F.multiply(F.absolute(b), rtol), atol))
    found = F.logical_or(F.logical_and(near, with_finite), F.equal(a, b))
    if equal_nan:
        found = F.logical_or(found, F.logical_and(F.isnan(a), F.isnan(b)))
    return found


@implements("allclose")
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are equal within tolerances (waits for the device). Returns a bool."""
    return bool(all_true(isclose(a, b, rtol, atol, equal_nan)))


@implements("array_equal")
def array_equal(a1, a2, equal_nan=False):
    """Whether two arrays have one shape and equal elements (waits for the device). Returns a bool."""
    a1, a2 = as_arrays(a1, a2)
    if a1.shape != a2.shape:
        return False
    same = F.equal(a1, a2)
    if equal_nan:
        same = F.logical_or(same, F.logical_and(F.isnan(a1), F.isnan(a2)))
    return bool(all_true(same))


@implements("array_equiv")
def array_equiv(a1, a2):
    """Whether two arrays are equal after broadcasting (waits for the device). Returns a bool."""
    a1, a2 = as_arrays(a1, a2)
    try:
        same = F.equal(a1, a2)
    except ValueError:  # the shapes do not fit
        return False
    return bool(all_true(same))

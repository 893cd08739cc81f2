"""Reductions that leave nans out. Integers and truth values have none and go the ordinary way."""

import numpy as np

from pyasc import scans, statistics
from pyasc._dispatch import implements
from pyasc.creation import asarray, full
from pyasc.ops import F
from pyasc.spread import var
from pyasc.statistics import finish_reduction, reduction_axes

__all__ = [
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]

_NO_VALUE = np._NoValue


def _given(value):
    return value is not _NO_VALUE and value is not None


def may_hold_nan(x):
    """Whether the dtype has nans."""
    return x.dtype.kind not in "biu"


def _replaced(x, value):
    """The array with another value for nan."""
    return (
        F.where(F.isnan(x), full((), value, x.dtype, device=x.device), x) if may_hold_nan(x) else x
    )


@implements("nansum")
def nansum(
    a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE
):
    """Sum without nans; 0 where there is nothing else. The arguments are those of `pyasc.sum`."""
    return statistics.sum(_replaced(asarray(a), 0), axis, dtype, out, keepdims, initial, where)


@implements("nanprod")
def nanprod(
    a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE
):
    """Product without nans; 1 where there is nothing else. The arguments are those of `pyasc.sum`."""
    return statistics.prod(_replaced(asarray(a), 1), axis, dtype, out, keepdims, initial, where)


@implements("nancumsum")
def nancumsum(a, axis=None, dtype=None, out=None):
    """Running sum, nans as 0; the arguments are those of `pyasc.cumsum`."""
    return scans.cumsum(_replaced(asarray(a), 0), axis, dtype, out)


@implements("nancumprod")
def nancumprod(a, axis=None, dtype=None, out=None):
    """Running product, nans as 1; the arguments are those of `pyasc.cumsum`."""
    return scans.cumprod(_replaced(asarray(a), 1), axis, dtype, out)


def _extreme(reduce, neutral, a, axis, out, keepdims, initial, where):
    x = asarray(a)
    if not may_hold_nan(x):
        return reduce(x, axis, out, keepdims, initial, where)
    axes = reduction_axes(axis, x.ndim)
    found = reduce(_replaced(x, neutral), axes, None, True, initial, where)
    words = {"where": where} if _given(where) else {}
    nothing = statistics.all(F.isnan(x), axis=axes, keepdims=True, **words)
    nan = full((), float("nan"), found.dtype, device=x.device)
    if _given(initial):
        nothing = F.logical_and(nothing, False)
    found = F.where(nothing, nan, found)
    found = found.reshape(tuple(n for d, n in enumerate(x.shape) if d not in axes))
    return finish_reduction(found, x, axes, keepdims, out, reduce.__name__)


@implements("nanmax")
def nanmax(a, axis=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE):
    """Largest element that is not nan; nan where there is nothing else. The arguments are those of `pyasc.max`."""
    return _extreme(statistics.max, -np.inf, a, axis, out, keepdims, initial, where)


@implements("nanmin")
def nanmin(a, axis=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE):
    """Smallest element that is not nan; nan where there is nothing else. The arguments are those of `pyasc.min`."""
    return _extreme(statistics.min, np.inf, a, axis, out, keepdims, initial, where)


def _arg(find, neutral, a, axis, out, keepdims):
    x = asarray(a)
    if may_hold_nan(x) and x.size:
        nothing = statistics.all(F.isnan(x), axis=axis)
        if bool(nothing.any()):  # the values must be looked at before there is an answer
            raise ValueError("All-NaN slice encountered")
        x = _replaced(x, neutral)
    return find(x, axis, out, keepdims=keepdims)


@implements("nanargmax")
def nanargmax(a, axis=None, out=None, *, keepdims=_NO_VALUE):
    """Position of the largest element that is not nan.

    Parameters
    ----------
    a : array_like
    axis : int, optional
        The flattened array by default.
    out : ndarray, optional
    keepdims : bool, optional

    Returns
    -------
    ndarray of int64

    Raises
    ------
    ValueError
        If there is nothing but nan (waits for the device to see that).
    """
    return _arg(statistics.argmax, -np.inf, a, axis, out, keepdims)


@implements("nanargmin")
def nanargmin(a, axis=None, out=None, *, keepdims=_NO_VALUE):
    """Position of the smallest element that is not nan; see `nanargmax`."""
    return _arg(statistics.argmin, np.inf, a, axis, out, keepdims)


def _valid(x, where):
    """Which elements count."""
    valid = F.logical_not(F.isnan(x))
    if _given(where) and where is not True:
        valid = F.logical_and(valid, statistics.reduction_mask(x, where))
    return valid


@implements("nanmean")
def nanmean(a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, *, where=_NO_VALUE):
    """Mean without nans; nan where there is nothing else. The arguments are those of `pyasc.mean`."""
    x = asarray(a)
    words = {"where": _valid(x, where)} if may_hold_nan(x) else {"where": where}
    return statistics.mean(x, axis, dtype, out, keepdims, **words)


@implements("nanvar")
def nanvar(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=_NO_VALUE,
    *,
    where=_NO_VALUE,
    mean=_NO_VALUE,
    correction=_NO_VALUE,
):
    """Variance without nans; nan where no degree of freedom is left. The arguments are those of `pyasc.var`."""
    return _nan_var(a, axis, dtype, out, ddof, keepdims, where, mean, correction, False)


@implements("nanstd")
def nanstd(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=_NO_VALUE,
    *,
    where=_NO_VALUE,
    mean=_NO_VALUE,
    correction=_NO_VALUE,
):
    """Standard deviation without nans: the square root of `nanvar`, with its arguments."""
    return _nan_var(a, axis, dtype, out, ddof, keepdims, where, mean, correction, True)


def _nan_var(a, axis, dtype, out, ddof, keepdims, where, mean, correction, root):
    x = asarray(a)
    valid = _valid(x, where) if may_hold_nan(x) else where
    found = var(
        _replaced(x, 0),
        axis,
        dtype,
        None,
        ddof,
        True,
        where=valid,
        mean=mean,
        correction=correction,
    )
    if may_hold_nan(x):
        axes = reduction_axes(axis, x.ndim)
        count = statistics.sum(valid, axis=axes, keepdims=True)
        taken = correction if _given(correction) else ddof
        nan = full((), float("nan"), found.dtype, device=x.device)
        found = F.where(F.less_equal(F.subtract(count, taken), 0), nan, found)
    if root:
        found = F.sqrt(found)
    axes = reduction_axes(axis, x.ndim)
    found = found.reshape(tuple(n for d, n in enumerate(x.shape) if d not in axes))
    return finish_reduction(found, x, axes, keepdims, out, "nanstd" if root else "nanvar")

"""Medians and quantiles: elements of sorted arrays, and what lies between them.

A method says which place of the sorted elements a quantile stands for, as a number that need not be whole; the
definitions are those of Hyndman and Fan, Sample Quantiles in Statistical Packages, The American Statistician 50 (1996).
"""

import numpy as np

from pyasc import _config, _promotion
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import normalize_axes, permute
from pyasc.creation import asarray, full
from pyasc.ops import F
from pyasc.rearrange import host_values, select_axis
from pyasc.sorting import gather, sorted_pair

__all__ = [
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]

_NO_VALUE = np._NoValue


# ---- which place a quantile stands for
#
# Functions of the number of elements n (a number, or an array of numbers on the device) and the quantile q (an array on
# the host): np.floor and its kin serve both.


def _between(alpha, beta):
    """The place n q + alpha + q (1 - alpha - beta), counted from 1."""
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _linear(n, q):
    return (n - 1) * q


def _inverted_cdf(n, q):
    return np.ceil(n * q) - 1


def _averaged_inverted_cdf(n, q):
    place = n * q - 1
    whole = np.floor(place)
    return whole + np.where(place == whole, 0.5, 1.0)


def _closest_observation(n, q):
    """Rounded to the nearest whole place counted from 1, halves to the even one."""
    place = n * q - 1.5
    whole = np.floor(place)
    stay = np.logical_and(place == whole, np.mod(whole, 2) == 1)
    return np.where(stay, whole, whole + 1)


def _midpoint(n, q):
    place = (n - 1) * q
    return 0.5 * (np.floor(place) + np.ceil(place))


_PLACES = {
    "inverted_cdf": _inverted_cdf,
    "averaged_inverted_cdf": _averaged_inverted_cdf,
    "closest_observation": _closest_observation,
    "interpolated_inverted_cdf": _between(0, 1),
    "hazen": _between(0.5, 0.5),
    "weibull": _between(0, 0),
    "linear": _linear,
    "median_unbiased": _between(1 / 3, 1 / 3),
    "normal_unbiased": _between(3 / 8, 3 / 8),
    "lower": lambda n, q: np.floor(_linear(n, q)),
    "higher": lambda n, q: np.ceil(_linear(n, q)),
    "midpoint": _midpoint,
    "nearest": lambda n, q: np.rint(_linear(n, q)),
}
_WHOLE = {"inverted_cdf", "closest_observation", "lower", "higher", "nearest"}


# ---- arguments


def _quantiles(q, scale, name):
    """The quantiles as an array of float64 on the host, and their dtype in NumPy's sense (weak for a number)."""
    weak = isinstance(q, (int, float)) and not isinstance(q, np.generic)
    q = np.asarray(host_values(q))
    dtype = None if weak and q.dtype.kind == "f" else q.dtype
    if q.dtype.kind not in "biuf":
        raise TypeError(f"q must be real, not {q.dtype}")
    q = q.astype(np.float64) / scale
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError(f"{name} must be in the range [0, {scale}]")
    return q, dtype if scale == 1 or dtype is None or dtype.kind == "f" else None


def _check_method(method, weights):
    if method not in _PLACES:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join(_PLACES)}")
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")


def _result_dtype(x, dtype, method):
    """The dtype of quantiles of an array."""
    if method in _WHOLE or (method == "linear" and dtype is not None and dtype.kind in "biu"):
        return x.dtype  # of the whole quantiles 0 and 1 too
    if x.dtype == bool:
        raise TypeError(
            f"quantiles of bool by method {method!r} lie between truth values; use method='lower' or 'higher', or an "
            "array of numbers"
        )
    if x.dtype.kind in "iu":
        return _config.lower(np.dtype(np.float64))
    wide = dtype is not None and dtype == np.float64
    return _promotion.result_type(x.dtype, _config.lower(dtype) if wide else x.dtype)


def _rows(x, axis):
    """The reduced axes flattened to one, the last: (array, shape of the result with and without them)."""
    axes = normalize_axes(axis, x.ndim)
    rest = [d for d in range(x.ndim) if d not in axes]
    kept = tuple(1 if d in axes else n for d, n in enumerate(x.shape))
    shape = tuple(x.shape[d] for d in rest)
    length = 1
    for d in axes:
        length *= x.shape[d]
    return permute(x, (*rest, *sorted(axes))).reshape((*shape, length)), shape, kept


def _finish(found, q, shape, kept, out, keepdims):
    """(..., number of quantiles) as NumPy arranges it: the quantiles first."""
    found = permute(found, (found.ndim - 1, *range(found.ndim - 1)))
    found = found.reshape(q.shape + (kept if keepdims and keepdims is not _NO_VALUE else shape))
    if out is None:
        return found
    if out.shape != found.shape:
        raise ValueError(f"out has shape {out.shape}; the result has {found.shape}")
    if isinstance(out, np.ndarray):
        np.copyto(out, found.__array__(), casting="unsafe")
    else:
        out[...] = found
    return out


# ---- values at places


def _lerp(low, high, weight):
    """From low (weight 0) to high (weight 1), exactly at both ends and monotonic between."""
    step = F.subtract(high, low)
    near = F.add(low, F.multiply(step, weight))
    far = F.subtract(high, F.multiply(step, F.subtract(1, weight)))
    return F.where(F.less(weight, 0.5), near, far)


def _at_host_places(ordered, places, dtype):
    """Elements of the last axis at places known to the host, between neighbours linearly."""
    low = np.floor(places)
    weight = places - low
    last, n = ordered.ndim - 1, ordered.shape[-1]
    below = select_axis(ordered, last, np.clip(low, 0, n - 1).astype(np.int64))
    if dtype == ordered.dtype and not weight.any():
        return below
    above = select_axis(ordered, last, np.clip(low + 1, 0, n - 1).astype(np.int64))
    return _lerp(
        below.astype(dtype, copy=False),
        above.astype(dtype, copy=False),
        asarray(weight.astype(dtype), device=ordered.device),
    )


def _at_device_places(ordered, places, last, dtype, whole):
    """The same for places on the device, one for each row and quantile, none behind ``last``."""
    low = F.floor(places)
    below = gather(ordered, low.astype(np.int64), ordered.ndim - 1)
    if whole:
        return below
    above = gather(ordered, F.minimum(F.add(low, 1), last).astype(np.int64), ordered.ndim - 1)
    weight = F.subtract(places, low).astype(dtype)
    return _lerp(below.astype(dtype, copy=False), above.astype(dtype, copy=False), weight)


def _with_nans(found, ordered):
    """nan for every row that holds one; sorted, it is the last element."""
    if ordered.dtype.kind not in "fcV":
        return found
    last = ordered[..., -1:]
    return F.where(F.isnan(last), last.astype(found.dtype, copy=False), found)


def _quantile(a, q, dtype, axis, out, method, keepdims, weights):
    x = asarray(a)
    if x.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    _check_method(method, weights)
    result = _result_dtype(x, dtype, method)
    rows, shape, kept = _rows(x, axis)
    if rows.shape[-1] == 0:
        raise IndexError(f"index -1 is out of bounds: quantiles of no elements, of shape {x.shape}")
    if weights is not None:
        found = _weighted(rows, _row_weights(x, weights, axis), q.ravel())
        return _finish(found, q, shape, kept, out, keepdims)
    ordered = sorted_pair(rows, rows.ndim - 1)[0]
    # NumPy computes places in the dtype of the result where that is narrower than float64
    places = np.clip(_PLACES[method](rows.shape[-1], q.ravel()), 0, rows.shape[-1] - 1)
    found = _with_nans(_at_host_places(ordered, places, result), ordered)
    return _finish(found, q, shape, kept, out, keepdims)


def _row_weights(x, weights, axis):
    """Weights in the arrangement of the rows."""
    from pyasc._views import broadcast_to

    w = asarray(weights)
    if w.shape != x.shape:
        axes = normalize_axes(axis, x.ndim)
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if w.shape != tuple(x.shape[d] for d in axes):
            raise ValueError(
                "Shape of weights must be consistent with shape of a along specified axis: weights have "
                f"{w.shape}, a has {x.shape}"
            )
        order = np.argsort(np.argsort(axes))
        w = permute(w, tuple(int(k) for k in np.argsort(order)))
        w = broadcast_to(
            w.reshape(tuple(x.shape[d] if d in axes else 1 for d in range(x.ndim))), x.shape
        )
    if bool(F.less(w, 0).any()):
        raise ValueError("Weights must be non-negative.")
    return _rows(w, axis)[0]


def _weighted(rows, weights, q):
    """The smallest element up to which the weights add to q of their sum."""
    last = rows.ndim - 1
    ordered, places = sorted_pair(rows, last)
    wide = _promotion.result_type(weights.dtype, np.float64)
    sums = ndarray(rows.shape, wide, device=rows.device)
    call("aclnnCumsum", gather(weights, places, last).astype(wide), last, wide, sums)
    total = sums[..., -1:]
    index = ndarray((*rows.shape[:-1], q.size), np.int64, device=rows.device)
    for k, part in enumerate(q):
        reached = F.greater_equal(sums, F.multiply(total, float(part)))
        if part == 0:  # elements without weight do not count
            reached = F.greater(sums, 0)
        call("aclnnArgMax", reached.astype(np.int32), last, False, index[..., k])
    return _with_nans(gather(ordered, index, last), ordered)


@implements("quantile")
def quantile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    """The q-th quantile of elements.

    Parameters
    ----------
    a : array_like
        Real numbers.
    q : array_like
        Between 0 and 1.
    axis : int or tuple of int, optional
        All elements by default.
    out : ndarray, optional
    overwrite_input : bool, optional
        Changes nothing here.
    method : str, optional
        What lies between two elements: one of ``inverted_cdf averaged_inverted_cdf closest_observation
        interpolated_inverted_cdf hazen weibull linear median_unbiased normal_unbiased lower higher midpoint nearest``.
    keepdims : bool, optional
    weights : array_like, optional
        With method ``inverted_cdf``.

    Returns
    -------
    ndarray
        The dimensions of ``q`` first; nan where an element is nan.
    """
    q, dtype = _quantiles(q, 1, "Quantiles")
    return _quantile(a, q, dtype, axis, out, method, keepdims, weights)


@implements("percentile")
def percentile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    """The q-th percentile of elements: as `quantile`, with ``q`` between 0 and 100."""
    q, dtype = _quantiles(q, 100, "Percentiles")
    return _quantile(a, q, dtype, axis, out, method, keepdims, weights)


# ---- without nans


def _nan_quantile(a, q, dtype, axis, out, method, keepdims, weights):
    x = asarray(a)
    if x.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    if x.dtype.kind in "biu":
        return _quantile(x, q, dtype, axis, out, method, keepdims, weights)
    _check_method(method, weights)
    rows, shape, kept = _rows(x, axis)
    result = _result_dtype(x, dtype, method)
    if rows.shape[-1] == 0:
        found = full((*shape, q.size), float("nan"), result, device=x.device)
        return _finish(found, q, shape, kept, out, keepdims)
    if weights is not None:
        nan = F.isnan(rows)
        weight = _row_weights(x, weights, axis)
        weight = F.where(nan, full((), 0, weight.dtype, device=x.device), weight)
        largest = full((), float("inf"), rows.dtype, device=x.device)
        found = _weighted(F.where(nan, largest, rows), weight, q.ravel())
        empty = nan.all(axis=-1, keepdims=True)
        nothing = full((), float("nan"), found.dtype, device=x.device)
        return _finish(F.where(empty, nothing, found), q, shape, kept, out, keepdims)
    ordered = sorted_pair(rows, rows.ndim - 1)[0]
    count = F.logical_not(F.isnan(ordered)).sum(axis=-1, keepdims=True).astype(np.float64)
    place = _PLACES[method](count, asarray(q.ravel(), device=x.device))
    last = F.maximum(F.subtract(count, 1), 0)
    place = F.maximum(F.minimum(place, last), 0)
    found = _at_device_places(ordered, place, last, result, method in _WHOLE)
    return _finish(found, q, shape, kept, out, keepdims)


@implements("nanquantile")
def nanquantile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=_NO_VALUE,
    *,
    weights=None,
):
    """As `quantile`, without the nans; nan where there is nothing else."""
    q, dtype = _quantiles(q, 1, "Quantiles")
    return _nan_quantile(a, q, dtype, axis, out, method, keepdims, weights)


@implements("nanpercentile")
def nanpercentile(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=_NO_VALUE,
    *,
    weights=None,
):
    """As `percentile`, without the nans; nan where there is nothing else."""
    q, dtype = _quantiles(q, 100, "Percentiles")
    return _nan_quantile(a, q, dtype, axis, out, method, keepdims, weights)


# ---- medians


def _middle_dtype(x):
    return _config.lower(np.dtype(np.float64)) if x.dtype.kind in "biu" else x.dtype


def _mean_of_two(low, high, dtype):
    """In float32 for halves, as the mean of two."""
    wide = np.dtype(np.float32) if dtype.itemsize == 2 else dtype
    total = F.add(low.astype(wide, copy=False), high.astype(wide, copy=False))
    return F.divide(total, 2).astype(dtype, copy=False)


@implements("median")
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of the sorted elements, or the mean of the two in the middle.

    Parameters
    ----------
    a : array_like
    axis : int or tuple of int, optional
        All elements by default.
    out : ndarray, optional
    overwrite_input : bool, optional
        Changes nothing here.
    keepdims : bool, optional

    Returns
    -------
    ndarray
        nan where an element is nan, and of no elements.
    """
    x = asarray(a)
    rows, shape, kept = _rows(x, axis)
    dtype, n = _middle_dtype(x), rows.shape[-1]
    one = np.zeros(())
    if n == 0:
        found = full((*shape, 1), float("nan"), dtype, device=x.device)
        return _finish(found, one, shape, kept, out, keepdims)
    ordered = sorted_pair(rows, rows.ndim - 1)[0]
    low, high = ordered[..., (n - 1) // 2 : (n + 1) // 2], ordered[..., n // 2 : n // 2 + 1]
    found = low.astype(dtype) if n % 2 else _mean_of_two(low, high, dtype)
    return _finish(_with_nans(found, ordered), one, shape, kept, out, keepdims)


@implements("nanmedian")
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=_NO_VALUE):
    """As `median`, without the nans; nan where there is nothing else."""
    x = asarray(a)
    if x.dtype.kind in "biu":
        return median(x, axis, out, overwrite_input, keepdims is not _NO_VALUE and keepdims)
    rows, shape, kept = _rows(x, axis)
    one = np.zeros(())
    if rows.shape[-1] == 0:
        found = full((*shape, 1), float("nan"), x.dtype, device=x.device)
        return _finish(found, one, shape, kept, out, keepdims)
    ordered = sorted_pair(rows, rows.ndim - 1)[0]
    count = F.logical_not(F.isnan(ordered)).sum(axis=-1, keepdims=True)
    low = F.maximum(F.floor_divide(F.subtract(count, 1), 2), 0)
    high = F.minimum(F.floor_divide(count, 2), rows.shape[-1] - 1)
    last = rows.ndim - 1
    below = gather(ordered, low, last)
    middle = _mean_of_two(below, gather(ordered, high, last), x.dtype)
    # the one in the middle itself: twice a large number may overflow
    found = F.where(F.equal(low, high), below, middle)
    return _finish(found, one, shape, kept, out, keepdims)

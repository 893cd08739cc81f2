"""Counting values, in bins or one by one."""

import operator

import numpy as np

from pyasc import _config, _promotion, statistics
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements, on_host
from pyasc.creation import asarray, zeros
from pyasc.manipulation import concatenate
from pyasc.ops import F
from pyasc.rearrange import host_values
from pyasc.scans import diff
from pyasc.sorting import search

__all__ = ["bincount", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


# ---- one by one


def count_into(x, length, weights=None):
    """How often each number below ``length`` occurs in a vector of them, or the sum of its weights."""
    dtype = np.dtype(np.int64) if weights is None else weights.dtype
    out = zeros((length,), dtype, device=x.device)
    if x.size and length:
        call("aclnnBincount", x, weights, length, out)
    return out


@implements("bincount")
def bincount(x, /, weights=None, minlength=0):
    """How often each number occurs.

    Parameters
    ----------
    x : array_like of int
        One dimension, not negative.
    weights : array_like, optional
        To add instead of ones.
    minlength : int, optional
        Least length of the result.

    Returns
    -------
    ndarray
        int64, or the default float with weights (float64 for float64 weights). Waits for the device: its length is the
        largest number plus one.
    """
    x, minlength = asarray(x), operator.index(minlength)
    if x.ndim != 1:
        raise ValueError(
            "object too deep for desired array"
            if x.ndim > 1
            else "object of too small depth for desired array"
        )
    if x.size and not np.can_cast(x.dtype, np.int64, "same_kind"):
        raise TypeError(
            f"Cannot cast array data from {x.dtype!r} to dtype('int64') according to the rule 'same_kind'"
        )
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    length = minlength
    x = x.astype(np.int64, copy=False)
    if x.size:
        low, high = (int(v) for v in _ends(x))
        if low < 0:
            raise ValueError(
                f"'list' argument must have no negative elements; the smallest is {low}"
            )
        length = max(length, high + 1)
    if weights is None:
        return count_into(x, length)
    weights = asarray(weights)
    if weights.shape != x.shape:
        raise ValueError(
            f"The weights and list don't have the same length: {weights.shape} and {x.shape}"
        )
    if weights.dtype.kind == "c":
        raise TypeError(f"Cannot cast array data from {weights.dtype!r} to dtype('float64')")
    wide = np.dtype(np.float64)
    dtype = wide if weights.dtype == wide else _config.lower(wide)
    return count_into(x, length, weights.astype(dtype, copy=False))


def _ends(x):
    """Smallest and largest element, on the host."""
    both = concatenate([statistics.min(x).reshape(1), statistics.max(x).reshape(1)])
    return host_values(both)


# ---- edges of bins


def _check_range(low, high):
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"supplied range of [{low}, {high}] is not finite")


def _edges(x, bins, range, weights):
    """Edges of bins as a host array, with NumPy's dtype."""
    if isinstance(bins, str):
        found = on_host(
            np.histogram_bin_edges, "numpy.histogram_bin_edges", (x, bins, range, weights), {}
        )
        return host_values(found)
    if np.ndim(bins) > 1:
        raise ValueError("`bins` must be 1d, when an array")
    if np.ndim(bins) == 1:
        edges = np.asarray(host_values(bins))
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    try:
        bins = operator.index(host_values(bins))
    except TypeError:
        raise TypeError("`bins` must be an integer, a string, or an array") from None
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if range is None and x.size:
        low, high = _ends(x)
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    else:
        if range is None:
            return np.histogram_bin_edges(np.empty(0, _storable(x.dtype)), bins)
        low, high = (host_values(v) for v in range)
        _check_range(low, high)
    # NumPy's edges depend on the ends only
    return np.histogram_bin_edges(np.array([low, high], _storable(x.dtype)), bins, range)


def _storable(dtype):
    """The dtype in which NumPy can take the ends of a range."""
    return np.dtype(np.float32) if dtype == _promotion.BFLOAT16 else dtype


def _own(edges, *arrays):
    """Edges as a device array, with the default-float rule."""
    wide = any(a.dtype == np.float64 for a in arrays)
    dtype = edges.dtype if wide else _config.lower(edges.dtype)
    return asarray(edges.astype(dtype, copy=False), device=arrays[0].device)


def _bin_numbers(x, edges):
    """For each element of a vector the number of its bin: -1 before the first, len(edges) - 1 behind the last.

    Compared in a dtype that holds both exactly.
    """
    dtype = _promotion.result_type(x.dtype, edges.dtype)
    limits = asarray(edges.astype(_storable(dtype)), device=x.device).astype(dtype, copy=False)
    x = x.astype(dtype, copy=False)
    number = F.subtract(search(limits, x, "right"), 1)
    # the last bin holds its right edge too
    return F.subtract(number, F.equal(x, limits[-1]).astype(np.int64))


@implements("histogram_bin_edges")
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Edges of the bins that `histogram` counts in; its arguments.

    Returns
    -------
    ndarray
        One more than there are bins.
    """
    x = asarray(a)
    return _own(_edges(x.reshape(-1), bins, range, weights), x)


@implements("histogram")
def histogram(a, bins=10, range=None, density=None, weights=None):
    """How many values are in each bin.

    Parameters
    ----------
    a : array_like
        Real numbers of any shape.
    bins : int, sequence or str, optional
        Number of bins of one width, their edges, or one of NumPy's rules (those are applied on the host).
    range : (float, float), optional
        First and last edge; the smallest and largest value by default.
    density : bool, optional
        Divide by the number of values and the width of the bin.
    weights : array_like, optional
        To add instead of ones; of the shape of ``a``.

    Returns
    -------
    (ndarray, ndarray)
        Counts and edges. Bins hold their left edge, the last one both.
    """
    x = asarray(a)
    if x.dtype == bool:
        x = x.astype(np.uint8)
    w = None if weights is None else asarray(weights)
    if w is not None and w.shape != x.shape:
        raise ValueError(f"weights should have the same shape as a: {w.shape} and {x.shape}")
    x = x.reshape(-1)
    edges = _edges(x, bins, range, weights)
    counts = _weighed(_bin_numbers(x, edges), len(edges) - 1, w if w is None else w.reshape(-1))
    own = _own(edges, x)
    if not density:
        return counts, own
    width = diff(own)
    return F.divide(F.divide(counts, width), counts.sum()), own


def _weighed(number, length, weights):
    """Counts or sums of weights for bins; elements before the first and behind the last are left out."""
    number = F.where(F.less(number, 0), F.add(F.multiply(number, 0), length), number)
    if weights is None:
        return count_into(number, length + 1)[:length]
    dtype = weights.dtype
    if dtype.kind == "c":
        out = ndarray((length,), dtype, device=weights.device)
        for name in ("real", "imag"):
            getattr(out, name)[...] = _weighed(number, length, getattr(weights, name).copy())
        return out
    wide = dtype if dtype.kind == "f" and dtype.itemsize > 2 else np.dtype(np.float64)
    found = count_into(number, length + 1, weights.astype(wide, copy=False))[:length]
    return found.astype(dtype, copy=False)


# ---- several dimensions


@implements("histogramdd")
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """How many points are in each bin of a grid.

    Parameters
    ----------
    sample : (N, D) array or sequence of D arrays
    bins : int, or a sequence of D int or arrays of edges, optional
    range : sequence of D pairs, optional
    density, weights : optional
        As in `histogram`; ``weights`` has length N.

    Returns
    -------
    (ndarray, tuple of ndarray)
        Counts as floats, and the edges of each dimension.
    """
    if isinstance(sample, ndarray) and sample.ndim == 2:
        columns = [sample[:, d] for d in _numbers(sample.shape[1])]
    elif isinstance(sample, ndarray):
        columns = [sample.reshape(-1)]
    else:
        columns = [asarray(c).reshape(-1) for c in sample]
    count = len(columns)
    many = isinstance(bins, (tuple, list)) or np.ndim(bins) > 0
    each = list(bins) if many else [bins] * count
    if len(each) != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    ranges = [None] * count if range is None else list(range)
    if len(ranges) != count:
        raise ValueError("range argument must have one entry per dimension")
    columns = [
        c.astype(_config.lower(np.dtype(np.float64))) if c.dtype.kind not in "fi" else c
        for c in columns
    ]
    edges = [_grid_edges(c, b, r) for c, b, r in zip(columns, each, ranges, strict=True)]
    shape = tuple(len(e) - 1 for e in edges)
    number, outside = None, None
    for column, e, length in zip(columns, edges, shape, strict=True):
        own = _bin_numbers(column, e)
        wrong = F.logical_or(F.less(own, 0), F.greater_equal(own, length))
        number = own if number is None else F.add(F.multiply(number, length), own)
        outside = wrong if outside is None else F.logical_or(outside, wrong)
    total = int(np.prod(shape))
    number = F.where(outside, F.add(F.multiply(number, 0), total), number)
    w = None if weights is None else asarray(weights).reshape(-1)
    dtype = np.dtype(np.float64)
    wide = any(c.dtype == dtype for c in columns) or (w is not None and w.dtype == dtype)
    dtype = dtype if wide else _config.lower(dtype)
    w = None if w is None else w.astype(dtype, copy=False)
    found = _weighed(number, total, w).reshape(shape).astype(dtype, copy=False)
    own = tuple(_own(e, *columns) for e in edges)
    if density:
        sums = found.sum()
        for d, e in enumerate(own):
            found = F.divide(
                found, diff(e).reshape(tuple(-1 if k == d else 1 for k in _numbers(count)))
            )
        found = F.divide(found, sums)
    return found, own


def _numbers(n):
    """As Python's range, whose name is an argument here."""
    return list(np.arange(n).tolist())


def _grid_edges(column, bins, range):
    if np.ndim(bins) == 0 and int(host_values(bins)) < 1:
        raise ValueError("`bins` must be positive, when an integer")
    found = _edges(column, bins, range, None)
    return found if found.dtype.kind == "f" else found.astype(np.float64)


@implements("histogram2d")
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """How many points are in each bin of two dimensions; the arguments are those of `histogramdd`.

    Returns
    -------
    (ndarray, ndarray, ndarray)
        Counts, and the edges of x and of y.
    """
    x, y = asarray(x), asarray(y)
    if x.size != y.size:
        raise ValueError(f"x and y must have the same length: {x.size} and {y.size}")
    if not isinstance(bins, str) and getattr(bins, "ndim", hasattr(bins, "__len__")) == 1:
        bins = list(bins) if len(bins) in (1, 2) else [bins, bins]
    found, edges = histogramdd([x, y], bins, range, density, weights)
    return found, *edges

"""Sorting, and searching in what is sorted."""

import operator
from typing import NamedTuple

import numpy as np

from pyasc import _config, _promotion
from pyasc._core.array import empty_like, ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import normalize_axis
from pyasc.creation import asarray, zeros
from pyasc.index_functions import real_parts
from pyasc.ops import F
from pyasc.rearrange import select_axis

__all__ = [
    "argpartition",
    "argsort",
    "digitize",
    "lexsort",
    "partition",
    "searchsorted",
    "sort",
    "sort_complex",
    "topk",
]

_KINDS = ("q", "h", "m", "s")  # NumPy looks at the first letter


class TopK(NamedTuple):
    """The largest or smallest elements along an axis, and where they stood."""

    values: ndarray
    indices: ndarray


def sorted_pair(x, axis, descending=False):
    """Elements in order along an axis and the positions they came from, equal ones in the order they had."""
    values, indices = empty_like(x), ndarray(x.shape, np.int64, device=x.device)
    if x.size:
        call("aclnnSort", x, True, axis, descending, values, indices)
    return values, indices


def gather(x, indices, axis):
    """Elements along an axis by positions that are known to be in bounds."""
    out = ndarray(indices.shape, x.dtype, device=x.device)
    if out.size:
        for part, target in real_parts(x, out):
            call("aclnnGather", part, axis, indices, target)
    return out


def _flattened(a, axis, scalars=False):
    """The array and the axis to sort along; with ``scalars`` an array without dimensions has one of length 1."""
    x = asarray(a)
    if axis is None or (scalars and x.ndim == 0 and axis in (0, -1)):
        return x.reshape(-1), 0
    return x, normalize_axis(axis, x.ndim)


def _check_order(kind, order, stable=None):
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None and stable is not None:
        raise ValueError(
            "`kind` and keyword parameters can't be provided at the same time. Use only one of them."
        )
    if kind is not None and str(kind)[:1].lower() not in _KINDS:
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})")


@implements("sort")
def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    """A sorted copy.

    Parameters
    ----------
    a : array_like
        Complex numbers are compared by their real parts, then by their imaginary parts; nan comes last.
    axis : int or None, optional
        Along which to sort; None flattens first.
    kind, stable : optional
        Checked as NumPy does; every sort here is stable.
    order : None
        For structured arrays, which there are none of.

    Returns
    -------
    ndarray
    """
    _check_order(kind, order, stable)
    x, axis = _flattened(a, axis)
    return sorted_pair(x, axis)[0]


@implements("argsort")
def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    """Positions that would sort an array; the arguments are those of `sort`.

    Returns
    -------
    ndarray of int64
    """
    _check_order(kind, order, stable)
    x, axis = _flattened(a, axis, scalars=True)
    found = ndarray(x.shape if np.ndim(a) else (1,), np.int64, device=x.device)
    if found.size:
        call("aclnnArgsort", x, axis, False, found)
    return found


def _check_partition(kth, length, kind, order):
    if str(kind)[:1].lower() != "i":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    _check_order(None, order)
    places = np.asarray(kth.numpy() if isinstance(kth, ndarray) else kth)
    if places.dtype.kind not in "iu":
        raise TypeError("Partition index must be integer")
    for k in places.ravel():
        place = k + length if k < 0 else k
        if length and not 0 <= place < length:
            raise ValueError(f"kth(={place}) out of bounds ({length})")


@implements("partition")
def partition(a, kth, axis=-1, kind="introselect", order=None):
    """A copy in which the elements at the places ``kth`` are where sorting would put them.

    Parameters
    ----------
    a : array_like
    kth : int or sequence of int
        Smaller elements come before each of these places, the others after it.
    axis : int or None, optional
    kind, order : optional
        Checked as NumPy does.

    Returns
    -------
    ndarray
        Sorted altogether, which is one of the orders that satisfy the rule.
    """
    x, axis = _flattened(a, axis)
    _check_partition(kth, x.shape[axis], kind, order)
    return sorted_pair(x, axis)[0]


@implements("argpartition")
def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    """Positions that would partition an array; the arguments are those of `partition`."""
    x, axis = _flattened(a, axis, scalars=True)
    _check_partition(kth, x.shape[axis] if x.ndim else 1, kind, order)
    return argsort(x, axis)


@implements("lexsort")
def lexsort(keys, axis=-1):
    """Positions that sort by several keys.

    Parameters
    ----------
    keys : array_like or sequence of array_like
        Arrays of one shape; the last is the first to be compared.
    axis : int, optional

    Returns
    -------
    ndarray of int64
    """
    keys = list(keys) if isinstance(keys, (tuple, list)) else list(asarray(keys))
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    keys = [asarray(k) for k in keys]
    if any(k.shape != keys[0].shape for k in keys):
        raise ValueError(
            f"all keys need to be the same shape, not {', '.join(str(k.shape) for k in keys)}"
        )
    if keys[0].ndim == 0:
        return zeros((), np.int64, device=keys[0].device)
    axis = normalize_axis(axis, keys[0].ndim)
    found = argsort(keys[0], axis)
    for key in keys[1:]:
        found = gather(found, argsort(gather(key, found, axis), axis), axis)
    return found


@implements("sort_complex")
def sort_complex(a):
    """A sorted copy as complex numbers: along the last axis, real parts first.

    Returns
    -------
    ndarray of complex64
        complex128 for float64 and complex128, and where the default float is float64.
    """
    x = asarray(a)
    found = sort(x)
    if x.dtype.kind == "c":
        return found
    if x.dtype.kind in "iu" and x.dtype.itemsize < 4:
        return found.astype(np.complex64)
    wide = np.dtype(np.complex128)
    return found.astype(wide if x.dtype == np.float64 else _config.lower(wide))


def _check_sides(a, side):
    if a.ndim != 1:
        raise ValueError(
            "object too deep for desired array"
            if a.ndim > 1
            else "object of too small depth for desired array"
        )
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got {side!r})")


@implements("searchsorted")
def searchsorted(a, v, side="left", sorter=None):
    """Where values would be inserted so that a sorted array stays sorted.

    Parameters
    ----------
    a : array_like
        One dimension, in ascending order (or put so by ``sorter``).
    v : array_like
    side : {"left", "right"}, optional
        Before or after the elements that equal the value.
    sorter : array_like of int, optional
        Positions that sort ``a``.

    Returns
    -------
    ndarray of int64
        Of the shape of ``v``.
    """
    a = asarray(a)
    _check_sides(a, side)
    if sorter is not None:
        sorter = asarray(sorter)
        if sorter.size != a.size:
            raise ValueError(
                f"sorter.size must equal a.size: {sorter.size} positions for {a.size} elements"
            )
        a = select_axis(a, 0, sorter.astype(np.int64, copy=False))
    v = asarray(v, device=a.device)
    dtype = _promotion.result_type(a.dtype, v.dtype)
    if dtype.kind == "c":
        return _search_pairs(a.astype(dtype), v.astype(dtype), side)
    return search(a.astype(dtype, copy=False), v.astype(dtype, copy=False), side)


def search(a, v, side):
    """`searchsorted` of arrays of one real dtype."""
    found = ndarray(v.shape, np.int64, device=v.device)
    if a.size == 0:
        call("aclnnInplaceZero", found)
    elif v.size:
        call("aclnnSearchSorted", a, v, False, side == "right", None, found)
    return found


def _search_pairs(a, v, side):
    """Complex numbers: their ranks among all values, for which order is that of integers."""
    from pyasc.manipulation import concatenate
    from pyasc.sets import ranks

    rank = ranks(concatenate([a, v.reshape(-1)]))
    return search(rank[: a.size], rank[a.size :].reshape(v.shape), side)


def _direction(bins):
    """1 for ascending bins, -1 for descending ones (waits for the device)."""
    steps = (bins[:-1], bins[1:])
    if bool(F.less_equal(*steps).all()):
        return 1
    if bool(F.greater_equal(*steps).all()):
        return -1
    raise ValueError("bins must be monotonically increasing or decreasing")


@implements("digitize")
def digitize(x, bins, right=False):
    """The number of the bin each value is in.

    Parameters
    ----------
    x : array_like
        Real numbers.
    bins : array_like
        One dimension, ascending or descending.
    right : bool, optional
        Whether bins include their right edge and not their left one.

    Returns
    -------
    ndarray of int64
        0 before the first bin, ``len(bins)`` behind the last.
    """
    x, bins = asarray(x), asarray(bins)
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if bins.dtype.kind == "c":
        raise TypeError(
            f"Cannot cast array data from {bins.dtype!r} to dtype('float64') according to the rule 'safe'"
        )
    _check_sides(bins, "left")
    side = "left" if right else "right"
    if bins.size < 2 or _direction(bins) == 1:
        return searchsorted(bins, x, side)
    return F.subtract(bins.size, searchsorted(bins[::-1], x, side))


def topk(x, k, dim=-1, largest=True, sorted=True):
    """The largest or smallest elements along a dimension, as torch.

    Parameters
    ----------
    x : array_like
    k : int
        How many.
    dim : int, optional
    largest : bool, optional
    sorted : bool, optional
        Whether they must come in order; they do.

    Returns
    -------
    TopK
        ``values`` and ``indices`` (int64), with k elements along the dimension.
    """
    x = asarray(x)
    dim, k = normalize_axis(dim, max(x.ndim, 1)), operator.index(k)
    length = x.shape[dim] if x.ndim else 1
    if not 0 <= k <= length:
        raise ValueError(f"k is {k}; dimension {dim} of shape {x.shape} has {length} elements")
    shape = (*x.shape[:dim], k, *x.shape[dim + 1 :]) if x.ndim else ()
    if 0 in shape:
        return TopK(ndarray(shape, x.dtype), ndarray(shape, np.int64))
    values = ndarray(shape, x.dtype, device=x.device)
    indices = ndarray(shape, np.int64, device=x.device)
    call("aclnnTopk", x, k, dim, bool(largest), bool(sorted), values, indices)
    return TopK(values, indices)


def sort_in_place(x, axis=-1, kind=None, order=None, *, stable=None):
    """Sort the elements of an array; the arguments are those of `pyasc.sort`."""
    found = sort(x, normalize_axis(axis, x.ndim), kind, order, stable=stable)
    x[...] = found


def partition_in_place(x, kth, axis=-1, kind="introselect", order=None):
    """Partition the elements of an array; the arguments are those of `pyasc.partition`."""
    x[...] = partition(x, kth, normalize_axis(axis, x.ndim), kind, order)

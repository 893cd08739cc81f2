"""Sets: the different values of arrays. All of it stands on sorting."""

from typing import NamedTuple

import numpy as np

from pyasc._core.array import ndarray
from pyasc._core.call import call, call_for_shapes
from pyasc._dispatch import implements
from pyasc._views import normalize_axis
from pyasc.creation import asarray, full, zeros
from pyasc.manipulation import common_arrays, concatenate
from pyasc.ops import F
from pyasc.rearrange import select_axis
from pyasc.sorting import argsort, search, sort, sorted_pair

__all__ = [
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """What `unique_all` finds."""

    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` finds."""

    values: ndarray
    counts: ndarray


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` finds."""

    values: ndarray
    inverse_indices: ndarray


# ---- runs of equal values


def _starts(ordered, equal_nan=True):
    """Where a run of equal values begins in a sorted vector, as a mask; nans may count as equal."""
    mask = full(ordered.shape, True, bool, device=ordered.device)
    if ordered.size < 2:
        return mask
    later, earlier = ordered[1:], ordered[:-1]
    differ = F.not_equal(later, earlier)
    if equal_nan and ordered.dtype.kind not in "biu":
        differ = F.logical_and(
            differ, F.logical_not(F.logical_and(F.isnan(later), F.isnan(earlier)))
        )
    mask[1:] = differ
    return mask


def _numbers(starts):
    """For each element the number of its run, from 0."""
    found = ndarray(starts.shape, np.int64, device=starts.device)
    if found.size:
        call("aclnnCumsum", starts.astype(np.int64), 0, found.dtype, found)
    return F.subtract(found, 1)


def _lengths(first, size):
    """Lengths of runs that begin at ``first``."""
    ends = full((1,), size, np.int64, device=first.device)
    return F.subtract(concatenate([first[1:], ends]), first) if first.size else first


def _put(places, values):
    """out[places] = values, for places that are a permutation."""
    out = ndarray(values.shape, values.dtype, device=values.device)
    if out.size:
        call("aclnnInplaceScatter", out, 0, places, values, 0)
    return out


def ranks(x, equal_nan=True):
    """For each element of a vector the number of different smaller values."""
    ordered, places = sorted_pair(x, 0)
    return _put(places, _numbers(_starts(ordered, equal_nan)))


@implements("unique")
def unique(
    ar,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    """The different values of an array.

    Parameters
    ----------
    ar : array_like
    return_index : bool, optional
        Also where each value occurs first.
    return_inverse : bool, optional
        Also which of the values each element is.
    return_counts : bool, optional
        Also how often each value occurs.
    axis : int, optional
        Compare the parts along this axis; by default all elements.
    equal_nan : bool, optional
        Whether nans are one value.
    sorted : bool, optional
        Whether the values must be in order; they are.

    Returns
    -------
    ndarray or tuple of ndarray
        Values, and what was asked for (int64). Waits for the device: the number of values depends on the data.
    """
    x = asarray(ar)
    if axis is not None and x.ndim > 1:
        found = _unique_parts(x, normalize_axis(axis, x.ndim))
    else:
        if axis is not None:
            normalize_axis(axis, x.ndim)
        found = _unique_values(
            x,
            return_index or return_inverse,
            return_index,
            return_inverse,
            return_counts,
            equal_nan,
        )
    wanted = [True, return_index, return_inverse, return_counts]
    kept = tuple(part() for part, want in zip(found, wanted, strict=True) if want)
    return kept if len(kept) > 1 else kept[0]


def _unique_values(x, places, index, inverse, counts, equal_nan):
    """Functions that give values, indices, inverse and counts: each is computed only if asked for."""
    flat = x.reshape(-1)
    ordered, places = sorted_pair(flat, 0) if places else (sort(flat), None)
    starts = _starts(ordered, equal_nan)
    first = starts.nonzero()[0] if index or counts else None
    return (
        lambda: ordered[starts] if first is None else select_axis(ordered, 0, first),
        lambda: select_axis(places, 0, first),
        lambda: _put(places, _numbers(starts)).reshape(x.shape),
        lambda: _lengths(first, flat.size),
    )


def _unique_parts(x, axis):
    """As `_unique_values`, of the parts of an array along an axis."""
    moved = x.swapaxes(0, axis) if axis else x
    rows = moved.reshape((moved.shape[0], -1)) if x.size else zeros((moved.shape[0], 1), bool)
    number = _row_numbers(rows)
    order = argsort(number, 0)
    first = _starts(select_axis(number, 0, order)).nonzero()[0]
    where = select_axis(order, 0, first)

    def values():
        found = select_axis(moved, 0, where)
        return found.swapaxes(0, axis) if axis else found

    return values, lambda: where, lambda: number, lambda: _lengths(first, number.size)


def _row_numbers(rows):
    """For each row the number of different smaller rows, compared element by element."""
    if rows.shape[1] <= 16 or rows.dtype.kind == "c":
        number = ranks(rows[:, 0])
        for column in range(1, rows.shape[1]):
            wide = F.multiply(number, rows.shape[0])
            number = ranks(F.add(wide, ranks(rows[:, column])))
        return number
    value = ndarray(rows.shape, rows.dtype, device=rows.device)
    inverse = ndarray((rows.shape[0],), np.int64, device=rows.device)
    counts = ndarray((rows.shape[0],), np.int64, device=rows.device)
    call_for_shapes("aclnnUniqueDim", rows, True, True, 0, value, inverse, counts)
    return inverse


@implements("unique_all")
def unique_all(x):
    """Different values (each nan by itself), where they occur first, which each element is, and how often they occur.

    Returns
    -------
    UniqueAllResult
    """
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


@implements("unique_counts")
def unique_counts(x):
    """Different values (each nan by itself), and how often they occur.

    Returns
    -------
    UniqueCountsResult
    """
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@implements("unique_inverse")
def unique_inverse(x):
    """Different values (each nan by itself), and which of them each element is.

    Returns
    -------
    UniqueInverseResult
    """
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


@implements("unique_values")
def unique_values(x):
    """Different values, each nan by itself."""
    return unique(x, equal_nan=False)


# ---- operations on two sets


def _both(ar1, ar2, assume_unique=True):
    """Two vectors of one dtype, of different values unless that is promised."""
    (a, b), _ = common_arrays([ar1, ar2])
    a, b = a.reshape(-1), b.reshape(-1)
    return (a, b) if assume_unique else (unique(a), unique(b))


@implements("intersect1d")
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """Values that are in both arrays, in order.

    Parameters
    ----------
    ar1, ar2 : array_like
    assume_unique : bool, optional
        Promise that neither array holds a value twice.
    return_indices : bool, optional
        Also where the values occur first in each array.

    Returns
    -------
    ndarray or tuple of ndarray
    """
    (a, b), _ = common_arrays([ar1, ar2])
    a, b = a.reshape(-1), b.reshape(-1)
    if not assume_unique:
        a, first_a = unique(a, return_index=True)
        b, first_b = unique(b, return_index=True)
    both = concatenate([a, b])
    ordered, places = sorted_pair(both, 0)
    twice = (
        F.equal(ordered[1:], ordered[:-1]).nonzero()[0]
        if both.size > 1
        else zeros((0,), np.int64, device=both.device)
    )
    values = select_axis(ordered, 0, twice)
    if not return_indices:
        return values
    in_a = select_axis(places, 0, twice)
    in_b = F.subtract(select_axis(places, 0, F.add(twice, 1)), a.size)
    if not assume_unique:
        in_a, in_b = select_axis(first_a, 0, in_a), select_axis(first_b, 0, in_b)
    return values, in_a, in_b


@implements("union1d")
def union1d(ar1, ar2):
    """Values that are in one of the arrays or in both, in order."""
    return unique(concatenate([ar1, ar2], axis=None))


@implements("setxor1d")
def setxor1d(ar1, ar2, assume_unique=False):
    """Values that are in exactly one of the arrays, in order; arguments as `intersect1d`."""
    both = sort(concatenate(_both(ar1, ar2, assume_unique)))
    if both.size == 0:
        return both
    ends = full((1,), True, bool, device=both.device)
    edge = concatenate([ends, F.not_equal(both[1:], both[:-1]), ends])
    return both[F.logical_and(edge[1:], edge[:-1])]


@implements("setdiff1d")
def setdiff1d(ar1, ar2, assume_unique=False):
    """Values of the first array that are not in the second: in order, or as they stood with ``assume_unique``."""
    a = asarray(ar1).reshape(-1) if assume_unique else unique(ar1)
    return a[isin(a, ar2, invert=True)]


@implements("isin")
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Which elements are among the values of another array.

    Parameters
    ----------
    element, test_elements : array_like
    assume_unique : bool, optional
        Changes nothing here.
    invert : bool, optional
        Which are not.
    kind : {None, "sort", "table"}, optional
        Checked as NumPy does.

    Returns
    -------
    ndarray of bool
        Of the shape of ``element``; nan is in nothing.
    """
    x, test = asarray(element), asarray(test_elements)
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    if kind == "table" and not {x.dtype.kind, test.dtype.kind} <= set("biu"):
        raise ValueError(
            "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for kind."
        )
    if test.size == 0:
        return full(x.shape, bool(invert), bool, device=x.device)
    (x, test), _ = common_arrays([x, test])
    test = test.reshape(-1)
    compare = F.not_equal if invert else F.equal
    if test.size <= 8:
        return _among_few(x, test, compare, F.logical_and if invert else F.logical_or)
    if x.dtype.kind == "c":
        number = ranks(concatenate([x.reshape(-1), test]), equal_nan=False)
        x, test = number[: x.size].reshape(x.shape), number[x.size :]
    test = sort(test)
    place = F.minimum(search(test, x, "left"), test.size - 1)
    return compare(select_axis(test, 0, place.reshape(-1)).reshape(x.shape), x)


def _among_few(x, test, compare, join):
    found = compare(x, test[0])
    for k in range(1, test.size):
        join(found, compare(x, test[k]), out=found)
    return found

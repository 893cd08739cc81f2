"""Methods of ``ndarray`` that sort, search in what is sorted, add up and round."""

import numpy as np

from pyasc import elementwise, scans, sorting, spread
from pyasc._core.array import bind_methods

METHODS = {}
_NO_VALUE = np._NoValue


def _method(function):
    METHODS[function.__name__] = function
    return function


@_method
def sort(self, axis=-1, kind=None, order=None, *, stable=None):
    """Sort in place, see `pyasc.sort`."""
    sorting.sort_in_place(self, axis, kind, order, stable=stable)


@_method
def argsort(self, axis=-1, kind=None, order=None, *, stable=None):
    """See `pyasc.argsort`."""
    return sorting.argsort(self, axis, kind, order, stable=stable)


@_method
def partition(self, kth, axis=-1, kind="introselect", order=None):
    """Partition in place, see `pyasc.partition`."""
    sorting.partition_in_place(self, kth, axis, kind, order)


@_method
def argpartition(self, kth, axis=-1, kind="introselect", order=None):
    """See `pyasc.argpartition`."""
    return sorting.argpartition(self, kth, axis, kind, order)


@_method
def searchsorted(self, v, side="left", sorter=None):
    """See `pyasc.searchsorted`."""
    return sorting.searchsorted(self, v, side, sorter)


@_method
def topk(self, k, dim=-1, largest=True, sorted=True):
    """See `pyasc.topk`."""
    return sorting.topk(self, k, dim, largest, sorted)


@_method
def var(
    self,
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
    """See `pyasc.var`."""
    words = {"where": where, "mean": mean, "correction": correction}
    return spread.var(self, axis, dtype, out, ddof, keepdims, **words)


@_method
def std(
    self,
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
    """See `pyasc.std`."""
    words = {"where": where, "mean": mean, "correction": correction}
    return spread.std(self, axis, dtype, out, ddof, keepdims, **words)


@_method
def cumsum(self, axis=None, dtype=None, out=None):
    """See `pyasc.cumsum`."""
    return scans.cumsum(self, axis, dtype, out)


@_method
def cumprod(self, axis=None, dtype=None, out=None):
    """See `pyasc.cumprod`."""
    return scans.cumprod(self, axis, dtype, out)


@_method
def round(self, decimals=0, out=None):
    """See `pyasc.round`."""
    return elementwise.round(self, decimals, out)


bind_methods(METHODS)

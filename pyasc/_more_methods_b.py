"""Methods of ``ndarray`` that sort, and search in what is sorted."""

from pyasc import sorting
from pyasc._core.array import bind_methods

METHODS = {}


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


bind_methods(METHODS)

"""Joining by brackets, ``r_`` and ``c_``, and the small index helpers of NumPy that hold no elements."""

import numpy as np

from pyasc import _promotion
from pyasc._config import lower
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc.creation import array, as_array_beside, asarray
from pyasc.manipulation import concatenate, transpose

__all__ = [
    "broadcast",
    "c_",
    "index_exp",
    "isfortran",
    "iterable",
    "ndenumerate",
    "ndindex",
    "nditer",
    "r_",
    "s_",
]

index_exp, s_, ndindex, iterable = np.index_exp, np.s_, np.ndindex, np.iterable


class _Joiner:
    """``r_[1:4, 0, x]``: slices, numbers and arrays, joined along an axis.

    A first part such as ``"1,2,0"`` sets the axis, the least number of dimensions, and where the dimensions of shorter
    parts are put.
    """

    def __init__(self, axis, least, place):
        self.axis, self.least, self.place = axis, least, place

    def __getitem__(self, key):
        parts = list(key) if isinstance(key, tuple) else [key]
        axis, least, place = self.axis, self.least, self.place
        if parts and isinstance(parts[0], str):
            words = parts.pop(0).split(",")
            try:
                axis, least, place = (*map(int, words), *(axis, least, place)[len(words) :])
            except ValueError:
                raise ValueError(
                    f"unknown special directive {','.join(words)!r}; known are 'axis', 'axis,ndmin', 'axis,ndmin,place'"
                ) from None
        weak = [p for p in parts if isinstance(p, (bool, int, float, complex))]
        wide = next((p for p in parts if _promotion.is_wide(p)), None)
        arrays = [self._part(p, least, place, wide) for p in parts]
        strong = [
            a.dtype for a, p in zip(arrays, parts, strict=True) if not any(p is w for w in weak)
        ]
        if strong and weak and _promotion.BFLOAT16 not in strong:
            dtype = np.result_type(_promotion.result_type(*strong), *weak)
        else:
            dtype = _promotion.result_type(*(strong or [a.dtype for a in arrays]))
        if not any(t in (np.float64, np.complex128) for t in strong):
            dtype = lower(dtype)
        return concatenate([a.astype(dtype, copy=False) for a in arrays], axis)

    @staticmethod
    def _part(part, least, place, wide):
        if isinstance(part, slice):
            host = np.r_[part]
            part = _array.from_numpy(host.astype(lower(host.dtype)))
            raised = array(part, copy=None, ndmin=least)
            return raised if place == -1 or least < 2 else raised.swapaxes(-1, place)
        part = as_array_beside(wide, part)
        raised = array(part, copy=None, ndmin=max(least, 1))
        missing = least - part.ndim
        if place == -1 or missing <= 0 or part.ndim == 0:
            return raised
        first = place if place >= 0 else place + missing + 1
        axes = list(range(least))
        return transpose(raised, axes[:first] + axes[missing:] + axes[first:missing])

    def __len__(self):
        return 0


r_ = _Joiner(0, 1, -1)
c_ = _Joiner(-1, 2, 0)


def _on_host(x):
    return x.numpy() if isinstance(x, ndarray) else x


class broadcast:
    """The shape that several arrays broadcast to, and tuples of their elements.

    Only iteration copies the arrays to the host, once.

    Parameters
    ----------
    *args : array_like

    Attributes
    ----------
    shape, size, ndim, nd, numiter, index, iters
        As of `numpy.broadcast`.
    """

    def __init__(self, *args):
        self._arrays = args
        shapes = [np.broadcast_to(0, a.shape) if isinstance(a, ndarray) else a for a in args]
        self._like, self._values = np.broadcast(*shapes), None

    shape = property(lambda self: self._like.shape)
    size = property(lambda self: self._like.size)
    ndim = nd = property(lambda self: self._like.ndim)
    numiter = property(lambda self: self._like.numiter)
    index = property(lambda self: 0 if self._values is None else self._values.index)
    iters = property(lambda self: self._host().iters)

    def _host(self):
        if self._values is None:
            self._values = np.broadcast(*map(_on_host, self._arrays))
        return self._values

    def reset(self):
        """Start again from the first elements."""
        self._host().reset()

    def __iter__(self):
        return iter(self._host())

    def __next__(self):
        return next(self._host())


def nditer(op, flags=None, op_flags=None, op_dtypes=None, order="K", casting="safe", op_axes=None, itershape=None,
           buffersize=0):  # fmt: skip
    """NumPy's iterator over copies of arrays; the arguments are those of `numpy.nditer`.

    Raises
    ------
    TypeError
        If a device array is to be written to: its elements are not where the iterator is.
    """
    operands = list(op) if isinstance(op, (tuple, list)) else [op]
    each = op_flags or [["readonly"]] * len(operands)
    each = [each] * len(operands) if isinstance(each[0], str) else each
    for x, words in zip(operands, each, strict=False):
        if isinstance(x, ndarray) and {"readwrite", "writeonly"} & set(words):
            raise TypeError(
                "nditer reads host copies of device arrays and cannot write to them; use operators on whole arrays, or "
                "x.numpy()"
            )
    given = {
        "op_flags": op_flags, "op_dtypes": op_dtypes, "op_axes": op_axes, "itershape": itershape,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    operands = [_on_host(x) for x in operands]
    op = operands if isinstance(op, (tuple, list)) else operands[0]
    return np.nditer(op, flags or [], order=order, casting=casting, buffersize=buffersize, **given)


def ndenumerate(arr):
    """Pairs of position and value; the array is copied to the host once."""
    return np.ndenumerate(arr.numpy() if isinstance(arr, ndarray) else arr)


def isfortran(a):
    """Whether an array is in Fortran order and not in C order."""
    a = asarray(a)
    return _array.is_f_contiguous(a) and not a._layout[0]

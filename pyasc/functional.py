"""Functions that call functions of the user: for vectors, axes, positions, pieces, elements."""

import numpy as np

from pyasc import _dispatch, _views
from pyasc._config import get_default_dtype
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc._views import normalize_axis
from pyasc.creation import asarray, zeros
from pyasc.index_functions import indices
from pyasc.manipulation import stack
from pyasc.ops import F
from pyasc.rearrange import host_values

__all__ = [
    "apply_along_axis", "apply_over_axes", "fromfunction", "frompyfunc", "piecewise", "vectorize",
]  # fmt: skip


@implements("piecewise")
def piecewise(x, condlist, funclist, *args, **kw):
    """A function with a piece for each condition.

    Parameters
    ----------
    x : array_like
    condlist : list of array_like of bool
        The last condition that holds decides.
    funclist : list of callables or numbers
        One for each condition, and one more for where none holds (0 if left out). They get the elements of ``x``.

    Returns
    -------
    ndarray
        Of the dtype of ``x``.
    """
    x = asarray(x)
    arrays = (list, ndarray, np.ndarray)
    if not isinstance(condlist, (*arrays, tuple)) or (
        not isinstance(condlist[0], arrays) and x.ndim != 0
    ):
        condlist = [condlist]
    masks = [asarray(c).astype(bool, copy=False) for c in condlist]
    count = len(funclist)
    if count == len(masks) + 1:
        rest = masks[0]
        for mask in masks[1:]:
            rest = F.logical_or(rest, mask)
        masks.append(F.logical_not(rest))
    elif count != len(masks):
        raise ValueError(
            f"with {len(masks)} condition(s), either {len(masks)} or {len(masks) + 1} functions are expected"
        )
    out = zeros(x.shape, x.dtype, device=x.device)
    for mask, function in zip(masks, funclist, strict=True):
        if not callable(function):
            out[mask] = function
            continue
        part = x[mask]
        if part.size:
            out[mask] = function(part, *args, **kw)
    return out


@implements("fromfunction")
def fromfunction(function, shape, *, dtype=None, like=None, **kwargs):
    """What a function returns for the arrays of all positions (see `indices`).

    Parameters
    ----------
    function : callable
    shape : tuple of int
    dtype : dtype, optional
        Of the positions; the default float by default.
    """
    return function(*indices(shape, get_default_dtype() if dtype is None else dtype), **kwargs)


@implements("apply_along_axis")
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """What a function returns for every vector along an axis, joined; it gets device arrays.

    Parameters
    ----------
    func1d : callable
        Takes a vector; all results must have one shape, which replaces the axis.
    axis : int
    arr : array_like

    Returns
    -------
    ndarray
    """
    arr = asarray(arr)
    axis = normalize_axis(axis, arr.ndim)
    rest = arr.shape[:axis] + arr.shape[axis + 1 :]
    if arr.size == 0 and 0 in rest:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    rows = _views.permute(arr, [*(d for d in range(arr.ndim) if d != axis), axis])
    found = [asarray(func1d(rows[i], *args, **kwargs)) for i in np.ndindex(rest)]
    dtype = found[0].dtype  # as NumPy: the first result decides
    table = stack([f.astype(dtype, copy=False) for f in found])
    out = table.reshape(rest + found[0].shape)
    inner = range(len(rest), out.ndim)
    return _views.permute(out, [*range(axis), *inner, *range(axis, len(rest))])


@implements("apply_over_axes")
def apply_over_axes(func, a, axes):
    """The results of ``func(a, axis)`` for one axis after the other; dimensions stay.

    Parameters
    ----------
    func : callable
    a : array_like
    axes : int or sequence of int

    Returns
    -------
    ndarray
    """
    out = asarray(a)
    count = out.ndim
    for axis in np.atleast_1d(host_values(axes)):
        axis = int(axis) + count if axis < 0 else int(axis)
        found = asarray(func(out, axis))
        if found.ndim != out.ndim:
            found = found.reshape((*found.shape[:axis], 1, *found.shape[axis:]))
            if found.ndim != out.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        out = found
    return out


class vectorize:
    """A Python function of numbers, applied to all elements.

    The function runs on the host, element by element (counted as a host path); ufuncs do the same on the device.
    Parameters as `numpy.vectorize`, which may also decorate, with or without them; calls return device arrays.
    """

    def __init__(
        self, pyfunc=np._NoValue, otypes=None, doc=None, excluded=None, cache=False, signature=None
    ):
        self._words = (otypes, doc, excluded, cache, signature)
        if pyfunc is np._NoValue:
            self._numpys = None
        else:
            self._take(pyfunc)

    def _take(self, pyfunc):
        self._numpys = np.vectorize(pyfunc, *self._words)
        self.pyfunc, self.__doc__ = pyfunc, self._numpys.__doc__
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")

    def __call__(self, *args, **kwargs):
        if self._numpys is None:  # what decorates a function after it was given words
            self._take(*args, **kwargs)
            return self
        return _dispatch.on_host(self._numpys, "numpy.vectorize", args, kwargs)


def frompyfunc(func, /, nin, nout, **kwargs):
    """A ufunc of NumPy's that calls a Python function; see `numpy.frompyfunc`.

    It runs on the host, with copies of device arrays (counted as a host path), and returns NumPy arrays of Python
    objects, which a device cannot hold. `vectorize` returns device arrays of numbers.
    """
    return np.frompyfunc(func, nin, nout, **kwargs)

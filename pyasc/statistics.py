"""Reductions and what is made of them."""

import builtins

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import drop_axes, insert_axes, normalize_axes, normalize_axis
from pyasc.creation import asarray, full
from pyasc.ops import F

__all__ = ["all", "amax", "amin", "any", "argmax", "argmin", "max", "mean", "min", "prod", "sum"]

_NO_VALUE = np._NoValue


def _given(value):
    return value is not _NO_VALUE and value is not None


class _Reduction:
    """One reduction: its aclnn call, its identity, its result dtype."""

    def __init__(self, name, launch, identity, result_dtype):
        self.name, self.launch, self.identity, self.result_dtype = name, launch, identity, result_dtype


def _sum_dtype(dtype):
    """NumPy adds and multiplies small integers in the platform integer."""
    if dtype.kind in "bi" and dtype.itemsize < 8:
        return np.dtype(np.int64)
    if dtype.kind == "u" and dtype.itemsize < 8:
        return np.dtype(np.uint64)
    return dtype


def _mean_dtype(dtype):
    return _config.lower(np.dtype(np.float64)) if dtype.kind in "bui" else dtype


def _launch_sum(x, axes, out):
    call("aclnnReduceSum", x, axes, False, out.dtype, out)


def _launch_prod(x, axes, out):
    """aclnnProdDim takes one axis: the last first, so that the numbers of the others stay."""
    for axis in sorted(axes, reverse=True):
        shape = x.shape[:axis] + x.shape[axis + 1 :]
        step = out if shape == out.shape and axis == builtins.min(axes) else ndarray(shape, out.dtype, device=x.device)
        call("aclnnProdDim", x, axis, False, out.dtype, step)
        x = step


def _launch_mean(x, axes, out):
    call("aclnnMean", x, axes, False, out.dtype, out)


def _launch_with(name):
    def launch(x, axes, out):
        call(name, x, axes, False, out)

    return launch


def _same(dtype):
    return dtype


def _truth(dtype):
    return np.dtype(bool)


SUM = _Reduction("add", _launch_sum, 0, _sum_dtype)
PROD = _Reduction("multiply", _launch_prod, 1, _sum_dtype)
MEAN = _Reduction("mean", _launch_mean, None, _mean_dtype)
MAX = _Reduction("maximum", _launch_with("aclnnAmax"), None, _same)
MIN = _Reduction("minimum", _launch_with("aclnnAmin"), None, _same)
ALL = _Reduction("logical_and", _launch_with("aclnnAll"), True, _truth)
ANY = _Reduction("logical_or", _launch_with("aclnnAny"), False, _truth)
_COMBINE = {"add": "add", "multiply": "multiply", "maximum": "maximum", "minimum": "minimum",
            "logical_and": "logical_and", "logical_or": "logical_or"}  # fmt: skip


def reduce(kind, a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE):
    """Any of the reductions above, with NumPy's arguments."""
    x = a if type(a) is ndarray else asarray(a)
    if dtype is None and out is None and initial is _NO_VALUE and where is _NO_VALUE and x.size and x.ndim:
        return _plain(kind, x, axis, keepdims)
    axes = normalize_axes(axis, x.ndim)
    keepdims = bool(_given(keepdims) and keepdims)
    result = np.dtype(dtype) if dtype is not None else kind.result_dtype(x.dtype)
    if kind not in (ALL, ANY) and x.dtype != result:
        x = x.astype(result)
    if _given(where) and where is not True:
        x = _masked(kind, x, where, initial)
    shape = tuple(n for d, n in enumerate(x.shape) if d not in axes)
    found = _reduce_axes(kind, x, axes, shape, result, _given(initial))
    if _given(initial):
        found = getattr(F, _COMBINE[kind.name])(found, initial).astype(result, copy=False)
    if keepdims:
        found = found.reshape(tuple(1 if d in axes else n for d, n in enumerate(x.shape)))
    return _to_out(found, out, kind.name)


def _plain(kind, x, axis, keepdims):
    """The usual case, on a short way: no dtype, out, initial, where; something to reduce."""
    result = kind.result_dtype(x.dtype)
    if x.dtype != result and kind not in (ALL, ANY):
        x = x.astype(result)
    if axis is None:
        axes, shape = tuple(range(x.ndim)), ()
    else:
        axes = normalize_axes(axis, x.ndim)
        if not axes:
            return _reduce_axes(kind, x, axes, x.shape, result, False)
        shape = tuple([n for d, n in enumerate(x.shape) if d not in axes])
    found = ndarray(shape, result, device=x.device)
    kind.launch(x, axes, found)
    if keepdims is _NO_VALUE or not keepdims:
        return found
    return insert_axes(found, sorted(axes))


def _masked(kind, x, where, initial):
    """The elements that ``where`` leaves out, replaced by what changes nothing."""
    mask = asarray(where)
    if mask.dtype != bool:
        raise TypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'")
    neutral = kind.identity
    if neutral is None:
        if not _given(initial):
            raise ValueError(
                f"reduction operation '{kind.name}' does not have an identity, so to use a where mask one has to specify "
                "'initial'"
            )
        neutral = initial
    shape = np.broadcast_shapes(x.shape, mask.shape)
    return F.where(mask, x, full(shape, neutral, x.dtype, device=x.device))


def _reduce_axes(kind, x, axes, shape, result, has_initial):
    out = ndarray(shape, result, device=x.device)
    if x.size == 0 and kind.identity is None:
        lost = [d for d in axes if x.shape[d] == 0]
        if kind is MEAN:
            return _fill(out, float("nan"))
        if lost and not has_initial:
            raise ValueError(f"zero-size array to reduction operation {kind.name} which has no identity")
        return out
    if out.size == 0:
        return out
    if not axes:
        if kind in (ALL, ANY):
            return F.not_equal(x, 0)
        return x.copy()
    if x.size == 0:
        return _fill(out, kind.identity)
    kind.launch(x, axes, out)
    return out


def _fill(out, value):
    _array.fill_value(out, value)
    return out


def _to_out(found, out, name):
    if out is None:
        return found
    out = out[0] if isinstance(out, tuple) else out
    if out.shape != found.shape:
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong shape {out.shape}; {found.shape} is needed"
        )
    if isinstance(out, np.ndarray):
        np.copyto(out, found.__array__(), casting="unsafe")
    else:
        out[...] = found
    return out


@implements("sum")
def sum(a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE):
    """Sum of elements.

    Parameters
    ----------
    a : array_like
    axis : int or tuple of int, optional
        Dimensions to sum over; all by default.
    dtype : dtype, optional
        Type to add in. Integers smaller than 64 bits are added in int64 or uint64 by default.
    out : ndarray, optional
    keepdims : bool, optional
        Whether the summed dimensions stay, with length 1.
    initial : scalar, optional
    where : array_like of bool, optional
        Which elements to add.

    Returns
    -------
    ndarray

    Notes
    -----
    Floats are added in blocks, with an error like that of NumPy's pairwise sum, and in the same order whatever the
    number of threads.
    """
    return reduce(SUM, a, axis, dtype, out, keepdims, initial, where)


@implements("prod")
def prod(a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE):
    """Product of elements; the arguments are those of `sum`."""
    return reduce(PROD, a, axis, dtype, out, keepdims, initial, where)


@implements("max")
def max(a, axis=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE):
    """Largest element, nan if there is one; the arguments are those of `sum`."""
    return reduce(MAX, a, axis, None, out, keepdims, initial, where)


@implements("min")
def min(a, axis=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE):
    """Smallest element, nan if there is one; the arguments are those of `sum`."""
    return reduce(MIN, a, axis, None, out, keepdims, initial, where)


amax = implements("amax")(max)
amin = implements("amin")(min)


@implements("all")
def all(a, axis=None, out=None, keepdims=_NO_VALUE, *, where=_NO_VALUE):
    """Whether all elements are true; the arguments are those of `sum`."""
    return reduce(ALL, a, axis, None, out, keepdims, where=where)


@implements("any")
def any(a, axis=None, out=None, keepdims=_NO_VALUE, *, where=_NO_VALUE):
    """Whether any element is true; the arguments are those of `sum`."""
    return reduce(ANY, a, axis, None, out, keepdims, where=where)


@implements("mean")
def mean(a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, *, where=_NO_VALUE):
    """Arithmetic mean; the arguments are those of `sum`.

    Notes
    -----
    float16 is averaged in float32; integers give the default float.
    """
    if _given(where) and where is not True:
        x = asarray(a)
        result = np.dtype(dtype) if dtype is not None else _mean_dtype(x.dtype)
        total = sum(x, axis, result, None, keepdims, where=where)
        mask = asarray(where)
        if mask.shape != x.shape:
            from pyasc._views import broadcast_to

            mask = broadcast_to(mask, x.shape)
        count = sum(mask, axis, None, None, keepdims)
        return _to_out(F.divide(total, count).astype(result, copy=False), out, "mean")
    return reduce(MEAN, a, axis, dtype, out, keepdims)


def _arg(name, a, axis, out, keepdims):
    x = asarray(a)
    keep = bool(_given(keepdims) and keepdims)
    if axis is None:
        x, place, ndim = x.reshape(-1), 0, x.ndim
    else:
        place = normalize_axis(axis, x.ndim)
    if x.shape[place] == 0:
        raise ValueError(f"attempt to get {'argmax' if name.endswith('Max') else 'argmin'} of an empty sequence")
    found = ndarray(x.shape[:place] + (1,) + x.shape[place + 1 :], np.int64, device=x.device)
    if found.size:
        call(name, x, place, True, found)
    if axis is None:
        found = found.reshape((1,) * ndim if keep else ())
    elif not keep:
        found = drop_axes(found, (place,))
    return _to_out(found, out, name)


@implements("argmax")
def argmax(a, axis=None, out=None, *, keepdims=_NO_VALUE):
    """Position of the largest element, the first of equals; nan counts as largest.

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
    """
    return _arg("aclnnArgMax", a, axis, out, keepdims)


@implements("argmin")
def argmin(a, axis=None, out=None, *, keepdims=_NO_VALUE):
    """Position of the smallest element, the first of equals; nan counts as smallest. Arguments as `argmax`."""
    return _arg("aclnnArgMin", a, axis, out, keepdims)

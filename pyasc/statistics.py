"""Reductions and what is made of them."""

import builtins

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import drop_axes, normalize_axes, normalize_axis
from pyasc.creation import asarray, full
from pyasc.ops import F

__all__ = ["all", "amax", "amin", "any", "argmax", "argmin", "max", "mean", "min", "prod", "sum"]

_NO_VALUE = np._NoValue


def _given(value):
    return value is not _NO_VALUE and value is not None


class Reduction:
    """One reduction: what launches it, its identity, its result dtype; named after the operator it repeats."""

    def __init__(self, name, launch, identity=None, result_dtype=None):
        self.name, self.launch, self.identity, self.result_dtype = (
            name,
            launch,
            identity,
            result_dtype,
        )


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
        step = (
            out
            if shape == out.shape and axis == builtins.min(axes)
            else ndarray(shape, out.dtype, device=x.device)
        )
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


SUM = Reduction("add", _launch_sum, 0, _sum_dtype)
PROD = Reduction("multiply", _launch_prod, 1, _sum_dtype)
MEAN = Reduction("mean", _launch_mean, None, _mean_dtype)
MAX = Reduction("maximum", _launch_with("aclnnAmax"), None, _same)
MIN = Reduction("minimum", _launch_with("aclnnAmin"), None, _same)
ALL = Reduction("logical_and", _launch_with("aclnnAll"), True, _truth)
ANY = Reduction("logical_or", _launch_with("aclnnAny"), False, _truth)


def reduce(
    kind, a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE
):
    """Any of the reductions above, with NumPy's arguments."""
    x = asarray(a)
    result = np.dtype(dtype) if dtype is not None else kind.result_dtype(x.dtype)
    if x.dtype != result and (
        kind in (SUM, PROD, MEAN) or (dtype is not None and kind in (MAX, MIN))
    ):
        x = x.astype(result)
    return reduce_typed(kind, x, axis, result, out, keepdims, initial, where)


def reduce_typed(
    kind, x, axis, result, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE
):
    """A reduction of an array that has the loop's type; ``initial=None`` is NumPy's word for "no identity"."""
    axes = reduction_axes(axis, x.ndim)
    start = None if not _given(initial) else as_initial(initial, result, x.device)
    identity = None if initial is None else kind.identity
    if _given(where) and where is not True:
        x = _masked(kind, x, where, start, identity)
    shape = tuple(n for d, n in enumerate(x.shape) if d not in axes)
    found = _reduce_axes(kind, x, axes, shape, result, start, identity)
    if start is not None:
        found = getattr(F, kind.name)(found, start).astype(result, copy=False)
    return finish_reduction(found, x, axes, keepdims, out, kind.name)


def reduction_axes(axis, ndim):
    """The axes of a reduction; the first and the last axis of a scalar stand for none, as in NumPy."""
    if ndim == 0 and not isinstance(axis, tuple) and axis in (0, -1):
        return ()
    return normalize_axes(axis, ndim)


def finish_reduction(found, x, axes, keepdims, out, name):
    """The result with the reduced dimensions as asked, where it was asked."""
    if _given(keepdims) and keepdims:
        found = found.reshape(tuple(1 if d in axes else n for d, n in enumerate(x.shape)))
    return _to_out(found, out, name)


def as_initial(value, dtype, device):
    """The first operand of a reduction as a 0-d array, cast as NumPy assigns a scalar."""
    if isinstance(value, ndarray):
        return value.reshape(()).astype(dtype, copy=False)
    host = np.empty((), dtype)
    host[()] = value
    return _array.from_numpy(host, device=device)


def _masked(kind, x, where, start, identity):
    """The elements that ``where`` leaves out, replaced by what changes nothing."""
    mask = reduction_mask(x, where)
    if identity is not None:
        neutral = full((), identity, x.dtype, device=x.device)
    elif start is None:
        raise ValueError(
            f"reduction operation '{kind.name}' does not have an identity, so to use a where mask one has to specify "
            "'initial'"
        )
    else:
        neutral = start.astype(x.dtype, copy=False)
    return F.where(mask, x, neutral)


def reduction_mask(x, where):
    """The ``where`` of a reduction as an array that broadcasts to ``x``."""
    # a list is a list of truth values; an array must be one of them already
    mask = asarray(where if isinstance(where, (ndarray, np.ndarray)) else np.asarray(where, bool))
    if mask.dtype != bool:
        raise TypeError(
            f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'"
        )
    if mask.ndim > x.ndim:
        raise ValueError(
            f"where has shape {mask.shape}, more dimensions than the array of shape {x.shape} it is a mask of"
        )
    try:
        shape = np.broadcast_shapes(x.shape, mask.shape)
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with shapes {x.shape} {mask.shape}"
        ) from None
    if shape != x.shape:
        raise ValueError(
            f"non-broadcastable operand with shape {x.shape} doesn't match the broadcast shape {shape}"
        )
    return mask


def _reduce_axes(kind, x, axes, shape, result, start, identity):
    if x.size == 0 and kind is MEAN:
        return _fill(ndarray(shape, result, device=x.device), float("nan"))
    if x.size == 0 and identity is None and start is None and any_empty(x, axes):
        raise ValueError(
            f"zero-size array to reduction operation {kind.name} which has no identity"
        )
    if not axes:
        if kind in (ALL, ANY):
            return F.not_equal(x, 0)
        return x.copy()
    out = ndarray(shape, result, device=x.device)
    if out.size == 0:
        return out
    if x.size == 0:
        if identity is None:
            _array.copy_values(out, start)
            return out
        return _fill(out, identity)
    kind.launch(x, axes, out)
    return out


def any_empty(x, axes):
    """Whether one of the axes has no elements."""
    return 0 in [x.shape[d] for d in axes]


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
def prod(
    a, axis=None, dtype=None, out=None, keepdims=_NO_VALUE, initial=_NO_VALUE, where=_NO_VALUE
):
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
    if axis is None or (x.ndim == 0 and axis in (0, -1)):
        axis, x, place, ndim = None, x.reshape(-1), 0, x.ndim
    else:
        place = normalize_axis(axis, x.ndim)
    if x.shape[place] == 0:
        raise ValueError(
            f"attempt to get {'argmax' if name.endswith('Max') else 'argmin'} of an empty sequence"
        )
    found = ndarray((*x.shape[:place], 1, *x.shape[place + 1 :]), np.int64, device=x.device)
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

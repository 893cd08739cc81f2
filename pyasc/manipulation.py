"""Changing shape, joining, broadcasting."""

import operator

import numpy as np

from pyasc import _promotion, _views
from pyasc._core import array as _array
from pyasc._core.array import ndarray, strided_view
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import normalize_axes, normalize_axis
from pyasc.creation import as_arrays, asarray

__all__ = [
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "concatenate", "expand_dims", "matrix_transpose",
    "moveaxis", "permute_dims", "ravel", "reshape", "squeeze", "stack", "swapaxes", "transpose",
]  # fmt: skip

broadcast_shapes = np.broadcast_shapes


def reshape_array(x, shape, order="C", copy=None):
    """`reshape` of an array of ours."""
    if order not in ("C", "F", "A"):
        raise ValueError(f"order must be one of 'C', 'F', or 'A' (got {order!r})")
    shape = _views.complete_shape(x.size, shape)
    fortran = order == "F" or (order == "A" and _array.is_f_contiguous(x) and not x._layout[0])
    if fortran and (len(shape) > 1 or x.ndim > 1):
        turned = reshape_array(x.T, shape[::-1], copy=copy)
        return turned.T
    steps = _views.reshape_steps(x.shape, _array.element_steps(x), shape)
    if steps is None or copy:
        if copy is False:
            raise ValueError("Unable to avoid creating a copy while reshaping.")
        x = x.copy()
        steps = _views.reshape_steps(x.shape, _array.element_steps(x), shape)
    out = strided_view(x, shape, steps)
    return out


@implements("reshape")
def reshape(a, /, shape, order="C", *, copy=None):
    """The same elements in another shape: a view where the memory order allows it.

    Parameters
    ----------
    a : array_like
    shape : int or tuple of int
        One of them may be -1: worked out from the others.
    order : {"C", "F", "A"}, optional
        Order in which elements are read and placed.
    copy : bool or None, optional
        ``False`` refuses to copy, ``True`` always copies.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        If the number of elements does not fit.
    """
    return reshape_array(asarray(a), shape, order, copy)


@implements("ravel")
def ravel(a, order="C"):
    """All elements in one dimension: a view where the memory order allows it."""
    a = asarray(a)
    if order == "K":
        order = "F" if _array.is_f_contiguous(a) and not a._layout[0] else "C"
    return reshape_array(a, (a.size,), order)


@implements("transpose")
def transpose(a, axes=None):
    """View with the dimensions in another order; reversed by default.

    Parameters
    ----------
    a : array_like
    axes : sequence of int, optional

    Returns
    -------
    ndarray
    """
    a = asarray(a)
    if axes is None:
        return a.T
    axes = tuple(axes) if not isinstance(axes, (int, np.integer)) else (axes,)
    if len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    found = tuple(normalize_axis(x, a.ndim) for x in axes)
    if len(set(found)) != len(found):
        raise ValueError("repeated axis in transpose")
    return _views.permute(a, found)


permute_dims = implements("permute_dims")(transpose)


@implements("matrix_transpose")
def matrix_transpose(x, /):
    """View with the last two dimensions exchanged."""
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return swapaxes(x, -1, -2)


@implements("swapaxes")
def swapaxes(a, axis1, axis2):
    """View with two dimensions exchanged."""
    a = asarray(a)
    axis1, axis2 = normalize_axis(axis1, a.ndim, "axis1"), normalize_axis(axis2, a.ndim, "axis2")
    axes = list(range(a.ndim))
    axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    return _views.permute(a, axes)


@implements("moveaxis")
def moveaxis(a, source, destination):
    """View with dimensions moved to other places, the others in their order."""
    a = asarray(a)
    source = normalize_axes(source, a.ndim, "source")
    destination = normalize_axes(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError(
            "`source` and `destination` arguments must have the same number of elements"
        )
    axes = [d for d in range(a.ndim) if d not in source]
    for to, of in sorted(zip(destination, source, strict=True)):
        axes.insert(to, of)
    return _views.permute(a, axes)


@implements("squeeze")
def squeeze(a, axis=None):
    """View without dimensions of length 1.

    Parameters
    ----------
    a : array_like
    axis : int or tuple of int, optional
        Which of them; all by default.

    Raises
    ------
    ValueError
        If one of ``axis`` is longer.
    """
    a = asarray(a)
    if axis is None:
        return _views.drop_axes(a, [d for d in range(a.ndim) if a.shape[d] == 1])
    if a.ndim == 0 and not isinstance(axis, tuple) and axis in (0, -1):
        return _views.drop_axes(a, ())
    axes = normalize_axes(axis, a.ndim)
    if any(a.shape[d] != 1 for d in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return _views.drop_axes(a, axes)


@implements("expand_dims")
def expand_dims(a, axis):
    """View with new dimensions of length 1 at the given places of the result."""
    a = asarray(a)
    axis = axis if isinstance(axis, (tuple, list)) else (axis,)
    return _views.insert_axes(a, sorted(normalize_axes(tuple(axis), a.ndim + len(axis))))


@implements("broadcast_to")
def broadcast_to(array, shape, subok=False):
    """Read-only view stretched to a shape."""
    shape = (
        (shape,)
        if isinstance(shape, (int, np.integer))
        else tuple(operator.index(n) for n in shape)
    )
    if any(n < 0 for n in shape):
        raise ValueError("all elements of broadcast shape must be non-negative")
    out = _views.broadcast_to(asarray(array), shape)
    out._set_readonly(True)
    return out


@implements("broadcast_arrays")
def broadcast_arrays(*args, subok=False):
    """Views of all arguments, stretched to their common shape."""
    arrays = [asarray(a) for a in args]
    shape = _common_shape(arrays)
    return tuple(a if a.shape == shape else _views.broadcast_to(a, shape) for a in arrays)


def _common_shape(arrays):
    try:
        return np.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError as error:
        raise ValueError(
            f"shape mismatch: objects cannot be broadcast to a single shape. {error}"
        ) from None


# ---- joining


def common_arrays(arrays, dtype=None, casting="same_kind"):
    """Arrays of one dtype (their common one by default), for functions that join them."""
    arrays = as_arrays(*arrays)
    result = _promotion.common_type([a.dtype for a in arrays]) if dtype is None else np.dtype(dtype)
    for a in arrays:
        if dtype is not None and not np.can_cast(a.dtype, result, casting):
            raise TypeError(
                f"Cannot cast array data from {a.dtype!r} to {result!r} according to the rule '{casting}'"
            )
    return [a if a.dtype == result else a.astype(result) for a in arrays], result


def _receive(out, shape, dtype, device):
    """Where a result goes: (array to write, what to do afterwards)."""
    if out is None:
        return ndarray(shape, dtype, device=device), lambda result: result
    if out.shape != shape:
        raise ValueError(f"Output array is the wrong shape: {out.shape}, {shape} is needed")
    fresh = ndarray(shape, dtype, device=device)

    def deliver(result):
        out[...] = result
        return out

    return fresh, deliver


@implements("concatenate")
def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Join arrays along an existing dimension.

    Parameters
    ----------
    arrays : sequence of array_like
        Equal shapes but for ``axis``.
    axis : int or None, optional
        None joins the flattened arrays.
    out : ndarray, optional
    dtype : dtype, optional
        The common dtype by default.

    Returns
    -------
    ndarray
    """
    arrays = list(arrays)
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if dtype is None and out is not None:
        dtype = out.dtype
    arrays, dtype = common_arrays(arrays, dtype, casting)
    if axis is None:
        arrays, axis = [ravel(a) for a in arrays], 0
    ndim = arrays[0].ndim
    if ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = normalize_axis(axis, ndim)
    for i, a in enumerate(arrays):
        _check_joinable(arrays[0], a, i, axis)
    shape = list(arrays[0].shape)
    shape[axis] = sum(a.shape[axis] for a in arrays)
    target, deliver = _receive(out, tuple(shape), dtype, arrays[0].device)
    parts = [a for a in arrays if a.size]
    if parts:
        call("aclnnCat", parts, axis, target)
    return deliver(target)


concat = implements("concat")(concatenate)


def _check_joinable(first, a, i, axis):
    if a.ndim != first.ndim:
        raise ValueError(
            "all the input array dimensions except for the concatenation axis must match exactly, "
            "but along dimension 0, "
            f"the array at index 0 has {first.ndim} dimension(s) and the array at index {i} has {a.ndim} dimension(s)"
            if a.ndim == 0
            else f"all the input arrays must have same number of dimensions, but the array at index 0 has {first.ndim} "
            f"dimension(s) and the array at index {i} has {a.ndim} dimension(s)"
        )
    for d in range(a.ndim):
        if d != axis and a.shape[d] != first.shape[d]:
            raise ValueError(
                "all the input array dimensions except for the concatenation axis must match exactly, but along "
                f"dimension {d}, the array at index 0 has size {first.shape[d]} and the array at index {i} has size "
                f"{a.shape[d]}"
            )


@implements("stack")
def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Join arrays of one shape along a new dimension.

    Parameters
    ----------
    arrays : sequence of array_like
    axis : int, optional
        Where the new dimension is in the result.

    Returns
    -------
    ndarray
    """
    arrays = list(arrays)
    if not arrays:
        raise ValueError("need at least one array to stack")
    arrays, dtype = common_arrays(arrays, dtype, casting)
    if any(a.shape != arrays[0].shape for a in arrays):
        raise ValueError("all input arrays must have the same shape")
    axis = normalize_axis(axis, arrays[0].ndim + 1)
    shape = (*arrays[0].shape[:axis], len(arrays), *arrays[0].shape[axis:])
    target, deliver = _receive(out, shape, dtype, arrays[0].device)
    if target.size:
        call("aclnnStack", arrays, axis, target)
    return deliver(target)

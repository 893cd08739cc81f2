"""Taking, putting and choosing elements by position; functions that make positions."""

import operator

import numpy as np

from pyasc import _views
from pyasc._config import config
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._dlpack import Footprint
from pyasc._views import normalize_axis
from pyasc.creation import as_array_beside, asarray, ones
from pyasc.diagonals import tri
from pyasc.indexing import _extremes, nonzero_indices, writable
from pyasc.logic import nonzero, operands, where
from pyasc.manipulation import common_arrays, stack
from pyasc.ops import F
from pyasc.rearrange import cycled, host_values, resize, select_axis
from pyasc.statistics import sum as _sum

__all__ = [
    "choose", "compress", "count_nonzero", "diag_indices", "diag_indices_from", "extract", "indices", "ix_",
    "mask_indices", "may_share_memory", "meshgrid", "mgrid", "ogrid", "place", "put", "put_along_axis", "putmask",
    "ravel_multi_index", "select", "shares_memory", "take", "take_along_axis", "tril_indices", "tril_indices_from",
    "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip

_MODES = ("raise", "wrap", "clip")


def positions(index, length, axis, mode, device, casting="safe"):
    """Index values as checked or adjusted int64 positions on the device.

    Parameters
    ----------
    index : array_like of int
    length : int
        Of the axis.
    mode : {"raise", "wrap", "clip"}
        What happens to positions out of bounds.
    casting : str, optional
        Which types of index arrays are taken; lists are converted.
    """
    if mode not in _MODES:
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    if isinstance(index, (ndarray, np.ndarray)):
        check_cast(index, np.dtype(np.int64), casting)
    else:
        index = np.asarray(index)
    index = index.astype(np.int64, copy=False)
    on_host = isinstance(index, np.ndarray)
    if index.size and length == 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if index.size == 0:
        pass
    elif mode == "clip":
        index = index.clip(0, length - 1)
    elif mode == "wrap":
        index = index % length
    else:
        bounds = _bounds(index)
        if bounds is not None and (bounds[0] < -length or bounds[1] >= length):
            bad = bounds[1] if bounds[1] >= length else bounds[0]
            raise IndexError(f"index {bad} is out of bounds for axis {axis} with size {length}")
        if bounds is None or bounds[0] < 0:
            index = np.where(index < 0, index + length, index)
    return _array.from_numpy(np.asarray(index), device=device) if on_host else index


def _bounds(index):
    """Smallest and largest position, or None if arrays on the device are not to be read (`config.check_indices`)."""
    if isinstance(index, np.ndarray):
        return int(index.min()), int(index.max())
    return _extremes(index) if config.check_indices else None


def check_cast(x, dtype, casting):
    """TypeError if the rule forbids the conversion of an array."""
    if not np.can_cast(x.dtype, dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {x.dtype!r} to {dtype!r} according to the rule '{casting}'"
        )


def _deliver(found, out):
    if out is None:
        return found
    if out.shape != found.shape:
        raise ValueError(
            f"output array does not match result of the call: {out.shape}, {found.shape} is needed"
        )
    if isinstance(out, np.ndarray):
        np.copyto(out, found.__array__(), casting="unsafe")
    else:
        out[...] = found
    return out


@implements("take")
def take(a, indices, axis=None, out=None, mode="raise"):
    """Elements of an axis by position.

    Parameters
    ----------
    a : array_like
    indices : array_like of int
    axis : int, optional
        The flattened array by default.
    out : ndarray, optional
    mode : {"raise", "wrap", "clip"}, optional
        What happens to positions out of bounds.

    Returns
    -------
    ndarray
    """
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    elif a.ndim == 0:
        a = a.reshape(1)
    axis = normalize_axis(axis, a.ndim)
    if mode == "raise" and a.shape[axis] and 0 in a.shape[:axis]:
        mode = "clip"  # nothing is taken, and NumPy looks at no position then
    at = positions(indices, a.shape[axis], axis, mode, a.device, "same_kind")
    if at.ndim == 1:
        return _deliver(select_axis(a, axis, at), out)
    found = select_axis(a, axis, at.reshape(-1))
    return _deliver(found.reshape(a.shape[:axis] + at.shape + a.shape[axis + 1 :]), out)


def _along(arr, indices, axis):
    """What the pair of functions below share: flattened if asked, positions that broadcast to the array."""
    if not isinstance(indices, ndarray):
        indices = np.asarray(indices)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        arr, axis = arr.reshape(-1), 0
    axis = normalize_axis(axis, arr.ndim)
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    index = positions(indices.astype(np.int64), arr.shape[axis], axis, "raise", arr.device)
    rest = [(1 if d == axis else n) for d, n in enumerate(arr.shape)]
    own = [(1 if d == axis else n) for d, n in enumerate(index.shape)]
    try:
        shape = list(np.broadcast_shapes(rest, own))
    except ValueError:
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {index.shape} {arr.shape}"
        ) from None
    shape[axis] = index.shape[axis]
    stretched = tuple(arr.shape[axis] if d == axis else n for d, n in enumerate(shape))
    return arr, _views.broadcast_to(index, tuple(shape)), axis, stretched


@implements("take_along_axis")
def take_along_axis(arr, indices, axis=-1):
    """Elements by positions along an axis, a position for each element of the result.

    Parameters
    ----------
    arr : array_like
    indices : array_like of int
        As many dimensions as ``arr``; the others broadcast.
    axis : int or None, optional

    Returns
    -------
    ndarray
    """
    arr, index, axis, stretched = _along(asarray(arr), indices, axis)
    out = ndarray(index.shape, arr.dtype, device=arr.device)
    if out.size:
        source = _views.broadcast_to(arr, stretched)
        for part, target in real_parts(source, out):
            call("aclnnGather", part, axis, index, target)
    return out


def real_parts(x, out):
    """The pair itself, or the pairs of real and imaginary parts: for operators that take no complex numbers."""
    if x.dtype.kind != "c":
        return [(x, out)]
    return [(part(x), part(out)) for part in (_array.real_view, _array.imaginary_view)]


@implements("put_along_axis")
def put_along_axis(arr, indices, values, axis):
    """Set elements by positions along an axis, in place; arguments as `take_along_axis`."""
    view, index, axis, stretched = _along(_target(arr, "put_along_axis"), indices, axis)
    if view.shape != stretched:
        raise IndexError(
            f"shape mismatch: indices of shape {index.shape} do not fit an array of shape {view.shape}"
        )
    values = as_array_beside(arr, values).astype(arr.dtype, copy=False)
    values = _views.broadcast_to(values, index.shape)
    if index.size == 0:
        return
    target, write_back = writable(view)
    call("aclnnInplaceScatter", target, axis, index, values, 0)
    write_back()
    if not _array.arrays_overlap(view, arr):
        _array.copy_values(arr, view.reshape(arr.shape))


def _target(a, name):
    """The array that a function changes."""
    if not isinstance(a, ndarray):
        raise TypeError(
            f"argument 1 of {name} must be an array that can be changed, not {type(a).__name__}"
        )
    if a._layout[2]:
        raise ValueError("assignment destination is read-only")
    return a


@implements("put")
def put(a, ind, v, mode="raise"):
    """Set elements of the flattened array, in place.

    Parameters
    ----------
    a : ndarray
    ind : array_like of int
    v : array_like
        Used again and again if there are fewer.
    mode : {"raise", "wrap", "clip"}, optional
        What happens to positions out of bounds.
    """
    if isinstance(a, np.ndarray):
        return np.put(a, host_values(ind), host_values(v), mode)
    a = _target(a, "put")
    at = positions(ind, a.size, 0, mode, a.device).reshape(-1)
    v = as_array_beside(a, v).astype(a.dtype, copy=False).reshape(-1)
    if at.size == 0 or v.size == 0:
        return None
    target = a if a._layout[0] else a.copy(order="C")
    call("aclnnInplacePut", target, at, cycled(v, at.size), False)
    if target is not a:
        _array.copy_values(a, target)
    return None


@implements("choose")
def choose(a, choices, out=None, mode="raise"):
    """Elements of several arrays; ``a`` says of which.

    Parameters
    ----------
    a : array_like of int
    choices : sequence of array_like
        Broadcast together, and with ``a``.
    out : ndarray, optional
    mode : {"raise", "wrap", "clip"}, optional
        What happens to numbers no choice has.

    Returns
    -------
    ndarray
    """
    arrays, _ = common_arrays(list(choices))
    if not arrays:
        raise ValueError("invalid number of choices: at least one is needed")
    a = asarray(a)
    check_cast(a, np.dtype(np.int64), "safe")
    if mode == "raise" and a.size:
        low, high = int(a.astype(np.int64).min()), int(a.astype(np.int64).max())
        if low < 0 or high >= len(arrays):
            raise ValueError(
                f"invalid entry in choice array: {low if low < 0 else high}, with {len(arrays)} choices"
            )
    a = positions(a, len(arrays), 0, mode, a.device)
    shape = np.broadcast_shapes(a.shape, *(x.shape for x in arrays))
    table = stack([_views.broadcast_to(x, shape) for x in arrays])
    found = take_along_axis(table, _views.broadcast_to(a, shape)[None], 0)[0]
    return _deliver(found, out)


@implements("compress")
def compress(condition, a, axis=None, out=None):
    """The elements of an axis (of the flattened array by default) where a vector is true (waits for the device)."""
    a = asarray(a)
    condition = asarray(condition)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, nonzero(condition)[0], axis, out)


@implements("extract")
def extract(condition, arr):
    """The elements of a flattened array where the flattened condition is true (waits for the device)."""
    flat, condition = asarray(arr).reshape(-1), asarray(condition).reshape(-1)
    if flat.size == condition.size:
        return flat[condition if condition.dtype == bool else F.not_equal(condition, 0)]
    return take(flat, nonzero(condition)[0])


@implements("place")
def place(arr, mask, vals):
    """Set the elements where the mask is true to values used in turn, in place (waits for the device)."""
    arr, mask = _target(arr, "place"), asarray(mask)
    if mask.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    if isinstance(vals, (ndarray, np.ndarray)):
        check_cast(vals, arr.dtype, "safe")
    vals = as_array_beside(arr, vals).reshape(-1)
    at = nonzero(mask.reshape(-1))[0]
    if at.size and vals.size == 0:
        raise ValueError("Cannot insert from an empty array!")
    put(arr, at, vals)


@implements("putmask")
def putmask(a, /, mask, values):
    """Set the elements where the mask is true, in place; values of another shape are repeated to the array's."""
    a, mask = _target(a, "putmask"), asarray(mask)
    if isinstance(values, (ndarray, np.ndarray)):
        check_cast(values, a.dtype, "safe")
    values = as_array_beside(a, values)
    if mask.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    if a.size == 0 or values.size == 0:
        return
    mask = F.not_equal(mask, 0).reshape(a.shape)
    values = values.astype(a.dtype, copy=False)
    values = resize(values, a.shape) if values.shape != a.shape and values.size > 1 else values
    values = values if values.shape == a.shape else _views.broadcast_to(values.reshape(()), a.shape)
    _array.copy_values(a, F.where(mask, values, a))


@implements("select")
def select(condlist, choicelist, default=0):
    """Elements of the first choice whose condition holds.

    Parameters
    ----------
    condlist : list of array_like of bool
    choicelist : list of array_like
    default : scalar or array_like, optional
        Where no condition holds.

    Returns
    -------
    ndarray
    """
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    masks = [asarray(c) for c in condlist]
    for i, mask in enumerate(masks):
        if mask.dtype != bool:
            raise TypeError(
                f"invalid entry {i} in condlist: should be boolean ndarray, not {mask.dtype}"
            )
    values = operands(*choicelist, default)
    shape = np.broadcast_shapes(*(v.shape for v in (*masks, *values[:-1])))
    found = _views.broadcast_to(values[-1], shape)
    for mask, value in zip(reversed(masks), reversed(values[:-1]), strict=True):
        found = where(_views.broadcast_to(mask, shape), value, found)
    return found


# ---- positions


@implements("ix_")
def ix_(*args):
    """An open mesh: index arrays that together pick all combinations of several sequences."""
    found = []
    for k, sequence in enumerate(args):
        if not isinstance(sequence, ndarray):
            sequence = np.asarray(sequence)
            sequence = asarray(sequence.astype(np.int64) if sequence.size == 0 else sequence)
        if sequence.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if sequence.dtype == bool:
            (sequence,) = nonzero_indices(sequence)
        found.append(
            sequence.reshape(tuple(sequence.size if d == k else 1 for d in range(len(args))))
        )
    return tuple(found)


def indices(dimensions, dtype=int, sparse=False):
    """The position of every element of an array, a grid for each dimension.

    Parameters
    ----------
    dimensions : sequence of int
    dtype : dtype, optional
    sparse : bool, optional
        A tuple of arrays that broadcast to the grids.

    Returns
    -------
    ndarray, or tuple of ndarray
    """
    dimensions = tuple(dimensions)
    parts = [_array.from_numpy(p) for p in np.indices(dimensions, dtype, sparse=True)]
    if sparse:
        return tuple(parts)
    return _dense(parts, dimensions, np.dtype(dtype))


def _dense(parts, shape, dtype):
    out = ndarray((len(parts), *shape), dtype)
    for i, part in enumerate(parts):
        out[i] = part
    return out


class _Grid:
    """What ``mgrid[0:3, 0:1:5j]`` and ``ogrid[...]`` are made by; the steps are NumPy's, an imaginary one counts."""

    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        from pyasc._config import lower

        parts = np.ogrid[key]
        several = isinstance(key, tuple)
        parts = [
            _array.from_numpy(np.asarray(p).astype(lower(p.dtype)))
            for p in (parts if several else (parts,))
        ]
        if not several:
            return parts[0]
        if self.sparse:
            return tuple(parts)
        shape = np.broadcast_shapes(*(p.shape for p in parts))
        return _dense(parts, shape, parts[0].dtype if parts else np.dtype(int))


mgrid, ogrid = _Grid(False), _Grid(True)


@implements("meshgrid")
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Grids of the coordinates on several axes.

    Parameters
    ----------
    *xi : array_like
        One dimension each.
    copy : bool, optional
        Copies, not views.
    sparse : bool, optional
        Arrays that broadcast to the grids.
    indexing : {"xy", "ij"}, optional
        Whether the first two axes are exchanged.

    Returns
    -------
    tuple of ndarray
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    count = len(xi)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[:2] = 1, 0
    arrays = [asarray(x) for x in xi]
    parts = [
        x.reshape((1,) * place + (-1,) + (1,) * (count - place - 1))
        for x, place in zip(arrays, order, strict=True)
    ]
    if not sparse and parts:
        shape = np.broadcast_shapes(*(p.shape for p in parts))
        parts = [_views.broadcast_to(p, shape) for p in parts]
    return tuple(p.copy(order="C") for p in parts) if copy else tuple(parts)


@implements("unravel_index")
def unravel_index(indices, shape, order="C"):
    """Positions in an array from positions in the flattened array.

    Parameters
    ----------
    indices : array_like of int
    shape : tuple of int
    order : {"C", "F"}, optional

    Returns
    -------
    tuple of ndarray
    """
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(map(operator.index, shape))
    if not isinstance(indices, ndarray):
        return tuple(
            _array.from_numpy(np.asarray(i)) for i in np.unravel_index(indices, shape, order)
        )
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    if indices.dtype.kind not in "iu" or indices.dtype == np.uint64:
        raise TypeError(
            f"Cannot cast array data from {indices.dtype!r} to dtype('int64') according to the rule 'safe'"
        )
    rest = indices.astype(np.int64)
    size = int(np.prod(shape, dtype=object))
    if rest.size:
        low, high = int(rest.min()), int(rest.max())
        if low < 0 or high >= size:
            raise ValueError(
                f"index {low if low < 0 else high} is out of bounds for array with size {size}"
            )
    found = []
    for length in shape if order == "F" else reversed(shape):
        found.append(F.remainder(rest, length))
        rest = F.floor_divide(rest, length)
    return tuple(found if order == "F" else reversed(found))


@implements("ravel_multi_index")
def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """Positions in a flattened array from positions in the array.

    Parameters
    ----------
    multi_index : sequence of array_like of int
        One for each dimension.
    dims : tuple of int
    mode : {"raise", "wrap", "clip"}, or a tuple of them, optional
    order : {"C", "F"}, optional

    Returns
    -------
    ndarray
    """
    if not isinstance(multi_index, ndarray) and not any(
        isinstance(m, ndarray) for m in multi_index
    ):
        return _array.from_numpy(np.asarray(np.ravel_multi_index(multi_index, dims, mode, order)))
    dims = (dims,) if isinstance(dims, (int, np.integer)) else tuple(dims)
    parts = [asarray(m) for m in multi_index]
    if len(parts) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    modes = (mode,) * len(dims) if isinstance(mode, str) else tuple(mode)
    step, found = 1, None
    pairs = list(zip(parts, dims, modes, strict=True))
    for part, length, how in pairs if order == "F" else reversed(pairs):
        if part.dtype.kind not in "iu":
            raise TypeError("only int indices permitted")
        try:
            at = positions(part, length, 0, how, part.device)
            if how == "raise" and part.dtype.kind == "i" and part.size and int(part.min()) < 0:
                raise IndexError
        except IndexError:
            raise ValueError("invalid entry in coordinates array") from None
        term = F.multiply(at, step)
        found = term if found is None else F.add(found, term)
        step *= length
    return found


def diag_indices(n, ndim=2):
    """Index arrays of the main diagonal of an array with ``ndim`` dimensions of length n."""
    index = _array.from_numpy(np.arange(n))
    return (index,) * ndim


@implements("diag_indices_from")
def diag_indices_from(arr):
    """Index arrays of the main diagonal of an array."""
    arr = asarray(arr)
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(arr.shape[0], arr.ndim)


def tril_indices(n, k=0, m=None):
    """Index arrays of the elements at and below a diagonal of an (n, m) array."""
    return nonzero(tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    """Index arrays of the elements at and above a diagonal of an (n, m) array."""
    return nonzero(F.logical_not(tri(n, m, k - 1, bool)))


def _matrix_shape(arr):
    shape = arr.shape if isinstance(arr, ndarray) else np.shape(arr)
    if len(shape) != 2:
        raise ValueError("input array must be 2-d")
    return shape


@implements("tril_indices_from")
def tril_indices_from(arr, k=0):
    """`tril_indices` for the shape of a matrix."""
    rows, columns = _matrix_shape(arr)
    return tril_indices(rows, k, columns)


@implements("triu_indices_from")
def triu_indices_from(arr, k=0):
    """`triu_indices` for the shape of a matrix."""
    rows, columns = _matrix_shape(arr)
    return triu_indices(rows, k, columns)


def mask_indices(n, mask_func, k=0):
    """Index arrays of the elements that a function such as `triu` leaves in an (n, n) array."""
    return nonzero(F.not_equal(mask_func(ones((n, n), np.int64), k), 0))


@implements("count_nonzero")
def count_nonzero(a, axis=None, *, keepdims=False):
    """Number of elements that are not zero, of the whole array or along axes."""
    return _sum(F.not_equal(asarray(a), 0), axis=axis, dtype=np.int64, keepdims=keepdims)


# ---- memory


def _shared(function, a, b, max_work):
    if not (isinstance(a, ndarray) and isinstance(b, ndarray)):
        return False
    if a.device != b.device or not a.size or not b.size:
        return False
    return function(*(np.asarray(Footprint(x)) for x in (a, b)), max_work)


@implements("may_share_memory")
def may_share_memory(a, b, /, max_work=0):
    """Whether the memory of two arrays may overlap (by default, whether their byte ranges do)."""
    return _shared(np.may_share_memory, a, b, max_work)


@implements("shares_memory")
def shares_memory(a, b, /, max_work=-1):
    """Whether two arrays have elements in common; exact, and slow in rare cases."""
    return _shared(np.shares_memory, a, b, max_work)

"""Rearranging: flips, rolls, tiles, insertion and deletion, joining and splitting by name."""

import itertools
import math
import operator

import numpy as np

from pyasc import _promotion, _views
from pyasc._core import array as _array
from pyasc._core.array import element_steps, ndarray, strided_view
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import normalize_axes, normalize_axis
from pyasc.creation import as_array_beside, as_arrays, asarray, zeros
from pyasc.manipulation import concatenate, moveaxis, ravel
from pyasc.ops import F
from pyasc.statistics import any as any_true

__all__ = [
    "append", "array_split", "astype", "atleast_1d", "atleast_2d", "atleast_3d", "block",
    "column_stack", "copyto", "delete", "dsplit", "dstack",
    "flip", "fliplr", "flipud", "hsplit", "hstack", "insert", "ndim", "repeat",
    "resize", "roll", "rollaxis", "rot90", "shape", "size", "sliding_window_view", "split", "tile",
    "trim_zeros", "unstack", "vsplit", "vstack",
]  # fmt: skip


def along(axis, part):
    """The key that takes ``part`` of one axis and everything of the others."""
    return (slice(None),) * axis + (part,)


def select_axis(x, axis, index):
    """The elements of one axis that a one-dimensional array of checked positions names, in C order."""
    if not isinstance(index, ndarray):
        index = _array.from_numpy(np.asarray(index, np.int64), device=x.device)
    out = ndarray((*x.shape[:axis], index.size, *x.shape[axis + 1 :]), x.dtype, device=x.device)
    if out.size:
        call("aclnnIndexSelect", x, axis, index, out)
    return out


def ordered_like(x, out):
    """A result in Fortran order where NumPy keeps that of its argument."""
    only_fortran = _array.is_f_contiguous(x) and not x._layout[0]
    return out.copy(order="F") if only_fortran and out.ndim > 1 else out


def host_values(value):
    """A small argument that decides shapes, on the host (waits for the device)."""
    return value.numpy() if isinstance(value, ndarray) else value


# ---- what an array is


@implements("shape")
def shape(a):
    """Lengths of the dimensions."""
    return a.shape if isinstance(a, ndarray) else np.shape(a)


@implements("ndim")
def ndim(a):
    """Number of dimensions."""
    return a.ndim if isinstance(a, ndarray) else np.ndim(a)


@implements("size")
def size(a, axis=None):
    """Number of elements, of the whole array or along axes."""
    lengths = shape(a)
    return math.prod(lengths[d] for d in normalize_axes(axis, len(lengths)))


@implements("astype")
def astype(x, dtype, /, *, copy=True, device=None):
    """The values as another dtype; ``copy=False`` returns an array that already has it."""
    if not isinstance(x, ndarray):
        raise TypeError(f"Input should be a pyasc array. It is a {type(x).__name__} instead.")
    out = x.astype(dtype, copy=copy)
    return out if device is None else out.to(device=device)


@implements("copyto")
def copyto(dst, src, casting="same_kind", where=True):
    """Copy values into an array, with broadcasting.

    Parameters
    ----------
    dst : ndarray
    src : array_like
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
    where : array_like of bool, optional
        Which elements are written.

    Raises
    ------
    TypeError
        If ``casting`` forbids the conversion.
    """
    if isinstance(dst, np.ndarray):
        return np.copyto(dst, np.asarray(src), casting, host_values(where))
    if not isinstance(dst, ndarray):
        raise TypeError(f"copyto() argument 1 must be an array, not {type(dst).__name__}")
    if isinstance(src, (bool, int, float, complex)):
        probe = np.zeros((), dst.dtype)
        np.copyto(probe, src, casting)  # refuses what NumPy refuses
        src = probe
    src = as_array_beside(dst, src)
    if not np.can_cast(src.dtype, dst.dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {src.dtype!r} to {dst.dtype!r} according to the rule '{casting}'"
        )
    if where is True:
        dst[...] = src
        return None
    mask = asarray(where)
    if mask.dtype != bool:
        raise TypeError(
            f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'"
        )
    if dst._layout[2]:
        raise ValueError("assignment destination is read-only")
    mask, src = (
        _views.broadcast_to(v, dst.shape) for v in (mask, src.astype(dst.dtype, copy=False))
    )
    if dst.size:
        _array.copy_values(dst, F.where(mask, src, dst))
    return None


# ---- at least so many dimensions


def _each(arrays, raised):
    found = tuple(raised(asarray(a)) for a in arrays)
    return found[0] if len(found) == 1 else found


@implements("atleast_1d")
def atleast_1d(*arys):
    """The arguments with at least one dimension: an array, or a tuple of them."""
    return _each(arys, lambda a: a.reshape(1) if a.ndim == 0 else a)


def _two(a):
    return a.reshape((1, 1)) if a.ndim == 0 else a[None] if a.ndim == 1 else a


@implements("atleast_2d")
def atleast_2d(*arys):
    """The arguments with at least two dimensions (new ones in front): an array, or a tuple of them."""
    return _each(arys, _two)


def _three(a):
    return _two(a)[:, :, None] if a.ndim < 3 else a


@implements("atleast_3d")
def atleast_3d(*arys):
    """The arguments with at least three dimensions: ``(n,)`` becomes ``(1, n, 1)``, ``(m, n)`` ``(m, n, 1)``."""
    return _each(arys, _three)


# ---- turning round


@implements("flip")
def flip(m, axis=None):
    """View with the elements of some axes (all by default) in reverse order."""
    m = asarray(m)
    axes = normalize_axes(axis, m.ndim)
    return m[tuple(slice(None, None, -1) if d in axes else slice(None) for d in range(m.ndim))]


@implements("fliplr")
def fliplr(m):
    """View with the columns in reverse order."""
    m = asarray(m)
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(m, 1)


@implements("flipud")
def flipud(m):
    """View with the rows in reverse order."""
    m = asarray(m)
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(m, 0)


@implements("rot90")
def rot90(m, k=1, axes=(0, 1)):
    """View turned by ``k`` quarters in the plane of two axes, from the first towards the second."""
    m = asarray(m)
    axes = tuple(axes)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    if any(not -m.ndim <= a < m.ndim for a in axes):
        raise ValueError(f"Axes={axes} out of range for array of ndim={m.ndim}.")
    first, second = (a % m.ndim for a in axes)
    if first == second:
        raise ValueError("Axes must be different.")
    k %= 4
    if k % 2 == 0:
        return flip(m, (first, second)) if k else m[...]
    turned = flip(m, second) if k == 1 else flip(m, first)
    return turned.swapaxes(first, second)


@implements("roll")
def roll(a, shift, axis=None):
    """Elements moved along axes; those that leave at the end enter at the beginning.

    Parameters
    ----------
    a : array_like
    shift : int or tuple of int
    axis : int or tuple of int, optional
        The flattened array by default.

    Returns
    -------
    ndarray
    """
    a = asarray(a)
    if axis is None:
        return roll(a.reshape(-1), shift, 0).reshape(a.shape)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [normalize_axis(d, a.ndim) for d in axes]
    pairs = np.broadcast(host_values(shift), axes)
    if pairs.ndim > 1:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    shifts = {}
    for by, d in pairs:
        shifts[int(d)] = shifts.get(int(d), 0) + int(by)
    out = a
    for d, by in shifts.items():
        by = by % a.shape[d] if a.shape[d] else 0
        if by:
            source, out = out, _array.empty_like(a)
            out[along(d, slice(by, None))] = source[along(d, slice(None, -by))]
            out[along(d, slice(None, by))] = source[along(d, slice(-by, None))]
    return a.copy(order="K") if out is a else out


@implements("rollaxis")
def rollaxis(a, axis, start=0):
    """View with one axis moved to before the axis ``start``."""
    a = asarray(a)
    axis = normalize_axis(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise np.exceptions.AxisError(
            f"'start' arg requires {-a.ndim} <= start < {a.ndim + 1}, but {start} was passed in"
        )
    start = start + a.ndim if start < 0 else start
    return moveaxis(a, axis, start - 1 if axis < start else start)


# ---- repeating


@implements("tile")
def tile(A, reps):
    """The array repeated as a whole.

    Parameters
    ----------
    A : array_like
    reps : int or sequence of int
        How often along each axis; a shorter one counts from the last axis.

    Returns
    -------
    ndarray
    """
    A = asarray(A)
    reps = host_values(reps)
    reps = tuple(reps) if np.ndim(reps) else (reps,)
    reps = tuple(operator.index(r) for r in reps)
    count = max(len(reps), A.ndim)
    reps = (1,) * (count - len(reps)) + reps
    lengths = (1,) * (count - A.ndim) + A.shape
    if all(r == 1 for r in reps):
        return A.reshape(lengths).copy(order="K")
    wanted = tuple(n * r for n, r in zip(lengths, reps, strict=True))
    if any(n < 0 for n in wanted):
        raise ValueError("negative dimensions are not allowed")
    out = ndarray(wanted, A.dtype, device=A.device)
    if out.size:
        call("aclnnRepeat", A, reps, out)
    return out


_FEW = 8  # repetitions that are copied one by one


@implements("repeat")
def repeat(a, repeats, axis=None):
    """Each element repeated.

    Parameters
    ----------
    a : array_like
    repeats : int or array_like of int
        How often, one number or one for each element of the axis. An array on the device is read to the host: the
        shape of the result depends on it.
    axis : int, optional
        The flattened array by default.

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
    counts = host_values(repeats)
    length = a.shape[axis]
    if np.size(counts) == 1 and np.ndim(counts) < 2:
        count = np.repeat(np.zeros(min(length, 1)), counts).size  # refuses what NumPy refuses
        stretched = (*a.shape[: axis + 1], count, *a.shape[axis + 1 :])
        out = ndarray(stretched, a.dtype, device=a.device)
        if count > _FEW:
            out[...] = _views.insert_axes(a, [axis + 1])
        else:
            for i in range(count):  # strided copies are faster than short runs of one value
                out[along(axis + 1, i)] = a
        return out.reshape((*a.shape[:axis], length * count, *a.shape[axis + 1 :]))
    return select_axis(a, axis, np.repeat(np.arange(length), counts))


@implements("resize")
def resize(a, new_shape):
    """An array of another shape, filled with the elements in C order, again and again if they are too few."""
    a = asarray(a)
    new_shape = (new_shape,) if isinstance(new_shape, (int, np.integer)) else tuple(new_shape)
    if any(n < 0 for n in new_shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    needed = math.prod(new_shape)
    if a.size == 0 or needed == 0:
        return zeros(new_shape, a.dtype, device=a.device)
    flat = a.reshape(-1)
    if needed > a.size:
        flat = tile(flat, -(-needed // a.size))
    return flat[:needed].copy().reshape(new_shape)


# ---- taking out and putting in


@implements("append")
def append(arr, values, axis=None):
    """Values added at the end of an axis (of the flattened arrays by default)."""
    arr, values = as_arrays(arr, values)
    if axis is None:
        arr, values, axis = ravel(arr), ravel(values), 0
    return concatenate((arr, values), axis=axis)


@implements("insert")
def insert(arr, obj, values, axis=None):
    """Values inserted before positions of an axis.

    Parameters
    ----------
    arr : array_like
    obj : int, slice or sequence of int or bool
        The positions, in the numbering of ``arr``.
    values : array_like
        Cast to the dtype of ``arr``, and broadcast.
    axis : int, optional
        The flattened array by default.

    Returns
    -------
    ndarray
    """
    arr, obj = asarray(arr), host_values(obj)
    if axis is None:
        arr, axis = (arr.reshape(-1) if arr.ndim != 1 else arr), 0
    axis = normalize_axis(axis, arr.ndim)
    length = arr.shape[axis]
    values = as_array_beside(arr, values).astype(arr.dtype, copy=False)
    if values.ndim < arr.ndim:
        values = values.reshape((1,) * (arr.ndim - values.ndim) + values.shape)
    if np.ndim(obj) == 0 and not isinstance(obj, slice):
        return _insert_at(arr, operator.index(obj), values, axis)
    probe = np.insert(np.arange(length), obj, length)
    count = probe.size - length
    places = np.insert(np.arange(length), obj, length + np.arange(count))
    values = _views.broadcast_to(values, (*arr.shape[:axis], count, *arr.shape[axis + 1 :]))
    return ordered_like(arr, select_axis(concatenate((arr, values), axis=axis), axis, places))


def _insert_at(arr, place, values, axis):
    """One position takes as many values as there are; NumPy counts them along the first axis."""
    length = arr.shape[axis]
    if not -length <= place <= length:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {length}")
    place += length * (place < 0)
    values = moveaxis(values, 0, axis)
    values = _views.broadcast_to(
        values, (*arr.shape[:axis], values.shape[axis], *arr.shape[axis + 1 :])
    )
    parts = (arr[along(axis, slice(None, place))], values, arr[along(axis, slice(place, None))])
    return ordered_like(arr, concatenate(parts, axis=axis))


@implements("delete")
def delete(arr, obj, axis=None):
    """The array without some positions of an axis.

    Parameters
    ----------
    arr : array_like
    obj : int, slice or array_like of int or bool
    axis : int, optional
        The flattened array by default.

    Returns
    -------
    ndarray
    """
    arr, obj = asarray(arr), host_values(obj)
    if axis is None:
        arr, axis = (arr.reshape(-1) if arr.ndim != 1 else arr), 0
    axis = normalize_axis(axis, arr.ndim)
    kept = np.delete(np.arange(arr.shape[axis]), obj)
    return ordered_like(arr, select_axis(arr, axis, kept))


@implements("trim_zeros")
def trim_zeros(filt, trim="fb", axis=None):
    """View without the zeros at the beginning and end of axes (waits for the device).

    Parameters
    ----------
    filt : array_like
    trim : {"fb", "f", "b"}, optional
        Front, back, or both.
    axis : int or sequence of int, optional
        All by default.

    Returns
    -------
    ndarray
    """
    filt = asarray(filt)
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    set_ = F.not_equal(filt, 0)
    key = [slice(None)] * filt.ndim
    for d in normalize_axes(axis, filt.ndim):
        others = tuple(e for e in range(filt.ndim) if e != d)
        found = np.flatnonzero(any_true(set_, axis=others).numpy())
        first, last = (found[0], found[-1] + 1) if found.size else (filt.shape[d], 0)
        if not found.size and trim == "b":
            first = 0
        key[d] = slice(int(first) if "f" in trim else None, int(last) if "b" in trim else None)
    return filt[tuple(key)]


# ---- joining


def _sequence(tup):
    if isinstance(tup, ndarray):
        return list(tup)
    if not hasattr(tup, "__getitem__"):
        raise TypeError(
            'arrays to stack must be passed as a "sequence" type such as list or tuple.'
        )
    return list(tup)


def _raised(tup, raised):
    return [raised(a) for a in as_arrays(*_sequence(tup))]


@implements("hstack")
def hstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the second axis; one-dimensional ones along their only one."""
    arrays = _raised(tup, atleast_1d)
    axis = 0 if arrays and arrays[0].ndim == 1 else 1
    return concatenate(arrays, axis, dtype=dtype, casting=casting)


@implements("vstack")
def vstack(tup, *, dtype=None, casting="same_kind"):
    """Arrays joined along the first axis; one-dimensional ones are rows."""
    return concatenate(_raised(tup, _two), 0, dtype=dtype, casting=casting)


@implements("dstack")
def dstack(tup):
    """Arrays joined along the third axis."""
    return concatenate(_raised(tup, _three), 2)


@implements("column_stack")
def column_stack(tup):
    """Arrays joined as columns; one-dimensional ones are one column each."""
    return concatenate(_raised(tup, lambda a: _two(a).T if a.ndim < 2 else a), 1)


def _block_depth(arrays, place=()):
    """(depth of the lists, largest number of dimensions)"""
    name = "arrays" + "".join(f"[{i}]" for i in place)
    if isinstance(arrays, tuple):
        raise TypeError(f"{name} is a tuple. Only lists can be used to arrange blocks.")
    if not isinstance(arrays, list):
        return len(place), ndim(arrays)
    if not arrays:
        raise ValueError(f"List at {name} cannot be empty")
    found = [_block_depth(a, (*place, i)) for i, a in enumerate(arrays)]
    depths = {depth for depth, _ in found}
    if len(depths) > 1:
        raise ValueError(f"List depths are mismatched below {name}: found depths {sorted(depths)}")
    return depths.pop(), max(n for _, n in found)


def _wide_leaf(arrays):
    """One of the blocks that are arrays of 64-bit floats, if there is one."""
    if not isinstance(arrays, list):
        return arrays if _promotion.is_wide(arrays) else None
    return next((found for found in map(_wide_leaf, arrays) if found is not None), None)


@implements("block")
def block(arrays):
    """An array put together from nested lists of blocks: the innermost lists join along the last axis.

    Parameters
    ----------
    arrays : nested list of array_like

    Returns
    -------
    ndarray
    """
    depth, most = _block_depth(arrays)
    total = max(depth, most)
    wide = _wide_leaf(arrays)

    def join(part, level):
        if level < depth:
            return concatenate([join(p, level + 1) for p in part], axis=level - depth)
        part = as_array_beside(wide, part)
        return part.reshape((1,) * (total - part.ndim) + part.shape)

    out = join(arrays, 0)
    return out.copy() if depth == 0 else out


# ---- splitting


@implements("array_split")
def array_split(ary, indices_or_sections, axis=0):
    """Views of parts of an axis: so many of nearly equal length, or cut at the given positions."""
    ary = asarray(ary)
    axis = normalize_axis(axis, ary.ndim)
    cuts, length = host_values(indices_or_sections), ary.shape[axis]
    if np.ndim(cuts):
        cuts = [0, *map(operator.index, cuts), length]
    else:
        sections = int(cuts)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, more = divmod(length, sections)
        cuts = [i * each + min(i, more) for i in range(sections + 1)]
    return [ary[along(axis, slice(a, b))] for a, b in itertools.pairwise(cuts)]


@implements("split")
def split(ary, indices_or_sections, axis=0):
    """Views of parts of an axis: so many of equal length, or cut at the given positions.

    Raises
    ------
    ValueError
        If the length is no multiple of the number of parts.
    """
    ary = asarray(ary)
    sections = host_values(indices_or_sections)
    if np.ndim(sections) == 0:
        length = ary.shape[normalize_axis(axis, ary.ndim)]
        if length % int(sections):
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, sections, axis)


@implements("hsplit")
def hsplit(ary, indices_or_sections):
    """`split` along the second axis (the only one of a vector)."""
    ary = asarray(ary)
    if ary.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


@implements("vsplit")
def vsplit(ary, indices_or_sections):
    """`split` along the first axis."""
    if ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@implements("dsplit")
def dsplit(ary, indices_or_sections):
    """`split` along the third axis."""
    if ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@implements("unstack")
def unstack(x, /, *, axis=0):
    """Views of the elements of an axis, as a tuple."""
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(moveaxis(x, axis, 0))


def cycled(values, count):
    """The first ``count`` of the elements of a vector, repeated again and again."""
    if values.size < count:
        values = tile(values, -(-count // max(values.size, 1)))
    return values[:count]


@implements("lib.stride_tricks.sliding_window_view")
def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """View of all windows of a shape; the dimensions of the window come last.

    Parameters
    ----------
    x : array_like
    window_shape : int or tuple of int
    axis : int or tuple of int, optional
        Which axes the windows slide along; all by default.
    writeable : bool, optional
        Whether the view may be written to, although its elements share memory.

    Returns
    -------
    ndarray
    """
    x = asarray(x)
    window = tuple(window_shape) if np.iterable(window_shape) else (window_shape,)
    if any(w < 0 for w in window):
        raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        axes = axis if isinstance(axis, (tuple, list)) else (axis,)
        axes = tuple(normalize_axis(d, x.ndim) for d in axes)
    if len(window) != len(axes):
        raise ValueError(
            f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements and "
            f"{len(axes)} axes."
        )
    lengths, steps = list(x.shape), element_steps(x)
    for d, w in zip(axes, window, strict=True):
        if lengths[d] < w:
            raise ValueError("window shape cannot be larger than input array shape")
        lengths[d] -= w - 1
    view = strided_view(x, (*lengths, *window), (*steps, *(steps[d] for d in axes)))
    if not writeable:
        view._set_readonly(True)
    return view

"""Advanced indexing: arrays, lists and masks as indices, get and set, with NumPy's results and errors."""

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core.array import ndarray, strided_view
from pyasc._core.call import call, call_for_shapes
from pyasc._ufunc import adopt
from pyasc._views import broadcast_to, permute

_WRONG = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)


class _Plan:
    """A key taken apart.

    Attributes
    ----------
    view : ndarray
        The array after slices, new axes and the like, with one dimension left for each index array.
    indices : list of ndarray
        int64 index arrays, one for each of ``axes``, broadcast together.
    axes : list of int
        The dimensions of ``view`` they index.
    shape : tuple of int
        The shape the index arrays broadcast to.
    place : int
        Where that shape appears in the result.
    """

    def __init__(self, view, indices, axes, shape, place):
        self.view, self.indices, self.axes, self.shape, self.place = (
            view,
            indices,
            axes,
            shape,
            place,
        )


def nonzero_indices(mask):
    """Index arrays of the true elements, one for each dimension (waits for the device)."""
    if not isinstance(mask, ndarray):
        return [_array.from_numpy(i) for i in np.nonzero(mask)]
    table = nonzero_table(mask)
    return [table[:, d] for d in range(mask.ndim)]


def nonzero_table(x):
    """(n, ndim) positions of the elements that are not zero, in C order (waits for the device)."""
    out = _array.empty((x.size, x.ndim), np.int64, device=x.device)
    if x.size == 0:
        return out
    (shape,) = call_for_shapes("aclnnNonzero", x, out)
    return strided_view(out, (shape[0], x.ndim), (x.ndim, 1))


def _part(part):
    """An index that is an array, as ndarray, numpy.ndarray (bool or integer) or bool; None for basic ones."""
    if part is None or part is Ellipsis or isinstance(part, slice):
        return None
    if isinstance(part, (bool, np.bool_)):
        return np.asarray(bool(part))
    if isinstance(part, (ndarray, np.ndarray)):
        found = part
    elif isinstance(part, (int, np.integer)) or (
        hasattr(part, "__index__") and not hasattr(part, "__len__")
    ):
        return None
    else:
        if isinstance(part, (str, bytes)):
            raise IndexError(_WRONG)
        found = np.asarray(part)
    if found.dtype.kind not in "biu":
        if isinstance(found, np.ndarray) and found.size == 0 and not isinstance(part, np.ndarray):
            return found.astype(np.int64)
        raise IndexError(
            _WRONG
            if not isinstance(part, (ndarray, np.ndarray))
            else "arrays used as indices must be of integer (or boolean) type"
        )
    return found


def _expand(x, key):
    """The key as a list with an entry per part, ellipsis written out."""
    parts = list(key) if isinstance(key, tuple) else [key]
    arrays = [_part(p) for p in parts]
    used = 0
    for part, array in zip(parts, arrays, strict=True):
        if array is not None and array.dtype == bool:
            used += array.ndim
        elif part is not None and part is not Ellipsis:
            used += 1
    if used > x.ndim:
        raise IndexError(
            f"too many indices for array: array is {x.ndim}-dimensional, but {used} were indexed"
        )
    dots = [i for i, p in enumerate(parts) if p is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    fill = [slice(None)] * (x.ndim - used)
    at = dots[0] if dots else len(parts)
    parts[at : at + 1] = fill
    arrays[at : at + 1] = [None] * len(fill)
    return parts, arrays


def _plan(x, key):
    parts, arrays = _expand(x, key)
    has_array = any(a is not None for a in arrays)
    basic, indices, axes, kinds = [], [], [], []
    axis = out_axis = 0
    for part, array in zip(parts, arrays, strict=True):
        if array is None and (part is None or isinstance(part, slice)):
            basic.append(part)
            kinds.append("basic")
            axis += part is not None
            out_axis += 1
            continue
        if array is None and has_array:
            array = np.asarray(int(part))  # an integer beside arrays is an index array too
        kinds.append("array")
        if array.dtype == bool and array.ndim == 0:
            # a lone truth value adds a dimension of length 1 or 0, and indexes it
            basic.append(None)
            indices.append(np.zeros(int(bool(array)), np.int64))
            axes.append(out_axis)
            out_axis += 1
            continue
        found = _mask_indices(x, array, axis) if array.dtype == bool else [array]
        for index in found:
            indices.append(_checked(index, x.shape[axis], axis))
            axes.append(out_axis)
            basic.append(slice(None))
            axis += 1
            out_axis += 1
    view = x[tuple(basic)]
    shape = _index_shape(indices)
    device_indices = [_on_device(i, x.device) for i in indices]
    return _Plan(view, device_indices, axes, shape, _result_place(kinds, parts, axes))


def _index_shape(indices):
    try:
        return np.broadcast_shapes(*(i.shape for i in indices))
    except ValueError:
        shapes = " ".join(str(i.shape).replace(" ", "") for i in indices)
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes} "
        ) from None


def _result_place(kinds, parts, axes):
    """Indexed dimensions appear where the first stood if all index arrays are neighbours, else first of all."""
    where = [i for i, k in enumerate(kinds) if k == "array"]
    return axes[0] if where[-1] - where[0] == len(where) - 1 else 0


def _mask_indices(x, mask, axis):
    for d in range(mask.ndim):
        if mask.shape[d] != x.shape[axis + d]:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + d}; size of axis is "
                f"{x.shape[axis + d]} but size of corresponding boolean axis is {mask.shape[d]}"
            )
    return nonzero_indices(mask)


def _on_device(index, device):
    if isinstance(index, ndarray):
        return index if index.dtype == np.int64 else index.astype(np.int64)
    return _array.from_numpy(index.astype(np.int64, copy=False), device=device)


def _checked(index, length, axis):
    """The index array, or IndexError naming the first index out of bounds."""
    if index.size == 0:
        return index
    if isinstance(index, np.ndarray):
        low, high = int(index.min()), int(index.max())
    elif _config.config.check_indices:
        low, high = _extremes(index)
    else:
        return index
    if low < -length or high >= length:
        bad = high if high >= length else low
        raise IndexError(f"index {bad} is out of bounds for axis {axis} with size {length}")
    return index


def _extremes(index):
    """Smallest and largest element (waits for the device)."""
    if index.dtype != np.int64:
        index = index.astype(np.int64)
    both = _array.empty((2,), np.int64, device=index.device)
    call("aclnnAminmaxAll", index, both[:1].reshape(()), both[1:].reshape(()))
    low, high = both.numpy()
    return int(low), int(high)


def _simple_mask(x, key):
    """The mask if the key is one boolean array of the array's own shape."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if (
        isinstance(key, (ndarray, np.ndarray))
        and key.dtype == bool
        and key.ndim
        and key.shape == x.shape
    ):
        return key if isinstance(key, ndarray) else _array.from_numpy(key, device=x.device)
    return None


def getitem(x, key):
    """x[key], a copy."""
    mask = _simple_mask(x, key)
    if mask is not None:
        out = _array.empty((x.size,), x.dtype, device=x.device)
        if x.size == 0:
            return out
        (shape,) = call_for_shapes("aclnnMaskedSelect", x, mask, out)
        # a short result does not keep a long buffer alive
        short = strided_view(out, shape, (1,))
        return short.copy() if 2 * shape[0] < x.size else short
    plan = _plan(x, key)
    front = _indexed_first(plan)
    rest = front.shape[len(plan.axes) :]
    out = _array.empty(plan.shape + rest, x.dtype, device=x.device)
    if out.size:
        call("aclnnIndex", front, plan.indices, out)
    return _restore(out, len(plan.shape), plan.place)


def _indexed_first(plan):
    rest = [d for d in range(plan.view.ndim) if d not in plan.axes]
    return permute(plan.view, [*plan.axes, *rest])


def _restore(out, count, place):
    """Move the indexed dimensions from the front to their place."""
    if place == 0 or count == 0:
        return out
    rest = list(range(count, out.ndim))
    return permute(out, [*rest[:place], *range(count), *rest[place:]])


def setitem(x, key, value):
    """x[key] = value"""
    mask = _simple_mask(x, key)
    if mask is not None and (
        np.ndim(value) == 0 or (isinstance(value, ndarray) and value.ndim == 0)
    ):
        return masked_copy(x, _as_value(value, x), mask)
    return _put(x, key, value, False)


def add_at(x, key, value):
    """x[key] += value for a key with index arrays; an element that is named twice is added to twice."""
    return _put(x, key, value, True)


def has_arrays(x, key):
    """Whether a key has index arrays, so that an element may be named twice."""
    return any(a is not None for a in _expand(x, key)[1])


def _put(x, key, value, accumulate):
    plan = _plan(x, key)
    front = _indexed_first(plan)
    count = len(plan.shape)
    rest = front.shape[len(plan.axes) :]
    shape = rest[: plan.place] + plan.shape + rest[plan.place :]
    value = _fit(_as_value(value, x), shape)
    if value.size == 0:
        return None
    order = [
        *range(plan.place, plan.place + count),
        *range(plan.place),
        *range(plan.place + count, len(shape)),
    ]
    value = permute(value, order)
    if _array.arrays_overlap(front, value):
        value = value.copy()
    target, write_back = writable(front)
    call("aclnnIndexPutImpl", target, plan.indices, value, accumulate, False)
    write_back()
    return None


def _as_value(value, x):
    """What is assigned, as an array of the target's dtype."""
    if isinstance(value, ndarray):
        return value if value.dtype == x.dtype else value.astype(x.dtype)
    if isinstance(value, (int, float, complex, np.generic)):
        out = _array.empty((), x.dtype, device=x.device)
        _array.fill_value(out, value)
        return out
    return asarray_for(value, x.dtype).to(x.device)


def _fit(value, shape):
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return broadcast_to(value, shape)
    except ValueError:
        shown = [str(s).replace(" ", "") for s in (value.shape, shape)]
        raise ValueError(
            f"shape mismatch: value array of shape {shown[0]} could not be broadcast to indexing "
            f"result of shape {shown[1]}"
        ) from None


def writable(x):
    """(array without negative steps, function that brings its values back to ``x``)."""
    if not x._layout[1]:
        return x, lambda: None
    copy = x.copy()
    return copy, lambda: _array.copy_values(x, copy)


def masked_copy(target, value, mask):
    """target[mask] = value[mask], where ``value`` and ``mask`` broadcast to the target."""
    if not isinstance(mask, ndarray):
        mask = adopt(mask)[0]
        mask = (
            mask
            if isinstance(mask, ndarray)
            else _array.from_numpy(np.asarray(mask, bool), device=target.device)
        )
    value = value if value.dtype == target.dtype else value.astype(target.dtype)
    if target.size == 0:
        return
    new = _array.empty(target.shape, target.dtype, device=target.device)
    call(
        "aclnnSWhere",
        broadcast_to(mask, target.shape),
        broadcast_to(value, target.shape),
        target,
        new,
    )
    _array.copy_values(target, new)


def asarray_for(value, dtype):
    """What ``x[...] = value`` takes: anything NumPy can make an array of ``dtype`` from."""
    if isinstance(value, np.ndarray):
        _config.implicit(
            f"a NumPy array of shape {value.shape} and dtype {value.dtype} is copied to the device"
        )
        _array.count_transfer(True)
        host = value
    else:
        host = np.asarray(value)
        if host.dtype == object:
            raise TypeError(f"cannot assign a {type(value).__name__} to elements of type {dtype}")
    return _array.from_numpy(host.astype(dtype))


def item_at(x, *args):
    """x.item(i, j) or x.item(flat index)"""
    index = args[0] if len(args) == 1 else args
    if isinstance(index, tuple):
        if len(index) != x.ndim:
            raise ValueError("incorrect number of indices for array")
        return x[index].item()
    length = x.size
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for size {length}")
    return x[tuple(int(i) for i in np.unravel_index(index % length, x.shape))].item()


_array.bind(getitem=getitem, setitem=setitem, asarray_for=asarray_for, item_at=item_at)

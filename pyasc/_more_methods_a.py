"""Methods of ``ndarray`` that take, put, repeat or reinterpret elements, ``flat``, and those that write files."""

import operator
import pickle
import types

import numpy as np

from pyasc import _dlpack, diagonals, index_functions, rearrange
from pyasc._core import array as _array
from pyasc._core.array import bind_methods, element_steps, strided_view
from pyasc.creation import asarray

METHODS = {"__dlpack__": _dlpack.dlpack, "__dlpack_device__": _dlpack.dlpack_device}


def _method(function):
    METHODS[function.__name__] = function
    return function


@_method
def take(self, indices, axis=None, out=None, mode="raise"):
    """See `pyasc.take`."""
    return index_functions.take(self, indices, axis, out, mode)


@_method
def put(self, indices, values, mode="raise"):
    """See `pyasc.put`."""
    index_functions.put(self, indices, values, mode)


@_method
def choose(self, choices, out=None, mode="raise"):
    """See `pyasc.choose`."""
    return index_functions.choose(self, choices, out, mode)


@_method
def compress(self, condition, axis=None, out=None):
    """See `pyasc.compress`."""
    return index_functions.compress(condition, self, axis, out)


@_method
def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """See `pyasc.trace`."""
    return diagonals.trace(self, offset, axis1, axis2, dtype, out)


@_method
def diagonal(self, offset=0, axis1=0, axis2=1):
    """See `pyasc.diagonal`."""
    return diagonals.diagonal(self, offset, axis1, axis2)


@_method
def repeat(self, *repeats, axis=None):
    """Each element repeated, see `pyasc.repeat`; several numbers tile the array, as torch."""
    if len(repeats) == 2 and axis is None and self.ndim < 2:
        return rearrange.repeat(self, *repeats)
    if len(repeats) != 1:
        if axis is not None:
            raise TypeError(
                "repeat() takes one argument beside axis (NumPy), or one number for each axis (torch)"
            )
        return rearrange.tile(self, repeats)
    return rearrange.repeat(self, repeats[0], axis)


@_method
def resize(self, *new_shape, refcheck=True):
    """Change the shape in place; the number of elements must stay.

    Raises
    ------
    ValueError
        If it would change: device memory is not reallocated in place. `pyasc.resize` returns a new array.
    """
    shape = (
        new_shape[0]
        if len(new_shape) == 1 and isinstance(new_shape[0], (tuple, list))
        else new_shape
    )
    if any(operator.index(n) < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    if int(np.prod(shape, dtype=object)) != self.size or not self._layout[0]:
        raise ValueError(
            f"cannot resize an array of shape {self.shape} to {tuple(shape)} in place: "
            "device memory is not reallocated; "
            "use pyasc.resize(x, shape)"
        )
    self.shape = tuple(shape)


@_method
def byteswap(self, inplace=False):
    """The array with the bytes of each number reversed."""
    width = self.itemsize // (2 if self.dtype.kind == "c" else 1)
    x = self.copy(order="C")
    if width > 1:
        number = np.dtype(f"u{width}")
        parts = strided_view(x, (x.nbytes // width,), (1,), 0, number)
        raw = strided_view(parts, (x.nbytes // width, width), (width, 1), 0, np.uint8)
        swapped = raw[:, ::-1].copy(order="C")
        _array.copy_values(raw, swapped)
    if not inplace:
        return x
    self[...] = x
    return self


@_method
def getfield(self, dtype, offset=0):
    """View of a part of each element as another dtype; ``offset`` in bytes, a multiple of its size."""
    dtype = np.dtype(dtype)
    if offset < 0 or offset + dtype.itemsize > self.itemsize:
        raise ValueError(
            f"Need 0 <= offset <= {self.itemsize - dtype.itemsize} for requested type but received offset = {offset}"
        )
    if self.itemsize % dtype.itemsize or offset % dtype.itemsize:
        raise ValueError(f"offset {offset} is no multiple of the {dtype.itemsize} bytes of {dtype}")
    ratio = self.itemsize // dtype.itemsize
    return strided_view(
        self, self.shape, [s * ratio for s in element_steps(self)], offset // dtype.itemsize, dtype
    )


@_method
def setfield(self, val, dtype, offset=0):
    """Set a part of each element, see `getfield`."""
    getfield(self, dtype, offset)[...] = val


@_method
def tofile(self, fid, sep="", format="%s"):
    """Write the elements in C order to a file: bytes, or text if ``sep`` is given."""
    self.numpy().tofile(fid, sep, format)


@_method
def dumps(self):
    """The array as a pickle."""
    return pickle.dumps(self)


@_method
def dump(self, file):
    """Write the array to a file as a pickle."""
    data = pickle.dumps(self)
    if hasattr(file, "write"):
        file.write(data)
        return
    with open(file, "wb") as target:
        target.write(data)


@_method
def to_device(self, device, /, *, stream=None):
    """The array on another device; ``"cpu"`` gives a NumPy array."""
    return self.numpy() if device == "cpu" else self.to(device=device)


@_method
def __array_namespace__(self, *, api_version=None):
    """The package."""
    import pyasc

    return pyasc


# ---- flat


class FlatIterator:
    """The elements of an array in C order, as one dimension: ``x.flat``.

    Attributes
    ----------
    base : ndarray
        The array.
    index : int
        Position of the iteration.
    """

    __slots__ = ("base", "index")

    def __init__(self, base):
        self.base, self.index = base, 0

    @property
    def coords(self):
        """Position of the iteration in the array."""
        shape = self.base.shape
        if self.index >= self.base.size:
            raise ValueError("the iteration has ended")
        return tuple(int(i) for i in np.unravel_index(self.index, shape))

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return self

    def __next__(self):
        if self.index >= self.base.size:
            raise StopIteration
        key = tuple(int(i) for i in np.unravel_index(self.index, self.base.shape))
        self.index += 1
        return self.base[key].copy()

    def copy(self):
        """The elements as a new array."""
        return self.base.flatten()

    def __array__(self, dtype=None, copy=None):
        return self.base.reshape(-1).__array__(dtype, copy=copy)

    @staticmethod
    def _key(key):
        if isinstance(key, tuple):
            if len(key) != 1:
                raise IndexError("unsupported iterator index")
            (key,) = key
        if key is Ellipsis:
            return slice(None)
        if key is None or (isinstance(key, (float, np.floating, str))):
            raise IndexError("unsupported iterator index")
        if isinstance(key, (bool, np.bool_)):
            return slice(None) if key else slice(0)
        return np.asarray(key) if isinstance(key, list) else key

    def __getitem__(self, key):
        return self.base.reshape(-1)[self._key(key)].copy()

    def __setitem__(self, key, value):
        key, base = self._key(key), self.base
        if base._layout[2]:
            raise ValueError("assignment destination is read-only")
        flat = base.reshape(-1)
        places = flat[key].size if not isinstance(key, (int, np.integer)) else 1
        if places == 0:
            return
        value = asarray(value).astype(base.dtype, copy=False).to(device=base.device).reshape(-1)
        if value.size == 0:
            raise ValueError("Error setting single item of array.")
        if isinstance(key, (int, np.integer)):
            if value.size != 1:
                raise ValueError("Error setting single item of array.")
            flat[key] = value[0]
        else:
            flat[key] = rearrange.cycled(value, places)
        if not _array.arrays_overlap(flat, base):
            _array.copy_values(base, flat.reshape(base.shape))

    def _compare(self, other, name):
        return getattr(self.base.reshape(-1), name)(
            other.copy() if isinstance(other, FlatIterator) else other
        )

    def __eq__(self, other):
        return self._compare(other, "__eq__")

    def __ne__(self, other):
        return self._compare(other, "__ne__")

    __hash__ = None


def _set_flat(x, value):
    FlatIterator(x)[:] = value


METHODS["flat"] = property(
    FlatIterator,
    _set_flat,
    doc="FlatIterator: The elements in C order; assignment repeats the values.",
)

METHODS["__class_getitem__"] = classmethod(
    types.GenericAlias
)  # ndarray[shape, dtype] in annotations

bind_methods(METHODS)

"""Methods and properties of ``ndarray`` that are functions of the package."""

import numpy as np

from pyasc import _views, formats, logic, manipulation, products, statistics
from pyasc._core import array as _array
from pyasc._core import device as _device
from pyasc._core.array import bind_methods, ndarray
from pyasc.ops import F

METHODS = {}


def _method(function):
    METHODS[function.__name__] = function
    return function


# ---- NumPy


@_method
def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """The values as another dtype.

    Parameters
    ----------
    dtype : dtype
    order : {"K", "A", "C", "F"}, optional
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
    copy : bool, optional
        False returns the array itself if nothing has to change.

    Raises
    ------
    TypeError
        If ``casting`` forbids the conversion.
    """
    dtype = np.dtype(dtype)
    same = dtype == self.dtype
    if not same and casting != "unsafe" and not np.can_cast(self.dtype, dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {self.dtype!r} to {dtype!r} according to the rule '{casting}'"
        )
    if same and not copy and (order in "KA" or self._layout[0]):
        return self
    if same:
        return self.copy(order=order)
    fortran = order == "F" or (
        order == "A" and _array.is_f_contiguous(self) and not self._layout[0]
    )
    if order == "K":
        out = _array.empty_like(self, dtype)
    else:
        out = ndarray(self.shape, dtype, order="F" if fortran else "C", device=self.device)
    if self.size:
        _array.copy_values(out, self)
    return out


def _shape_argument(shape):
    return shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape


@_method
def reshape(self, *shape, order="C", copy=None):
    """See `pyasc.reshape`."""
    if not shape:
        raise TypeError("reshape() takes the new shape; () is an array of no dimensions")
    return manipulation.reshape_array(self, _shape_argument(shape), order, copy)


@_method
def ravel(self, order="C"):
    """See `pyasc.ravel`."""
    return manipulation.ravel(self, order)


@_method
def flatten(self, order="C"):
    """A one-dimensional copy."""
    out = manipulation.ravel(self, order)
    return out.copy() if _array.arrays_overlap(out, self) or out is self else out


@_method
def transpose(self, *axes):
    """View with the dimensions in another order.

    All dimensions (or none, or a tuple) permute them, as NumPy. Two integers on an array that does not have two
    dimensions exchange those two, as torch.
    """
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        return manipulation.transpose(self, axes[0])
    if len(axes) == 2 and self.ndim != 2:
        return manipulation.swapaxes(self, *axes)
    return manipulation.transpose(self, axes or None)


@_method
def squeeze(self, axis=None, *, dim=None):
    """View without dimensions of length 1; with ``dim=`` a longer dimension stays, as torch."""
    if dim is None:
        return manipulation.squeeze(self, axis)
    if axis is not None:
        raise TypeError("squeeze() got 'axis' (NumPy's word) and 'dim' (torch's); use one of them")
    axes = _views.normalize_axes(dim, self.ndim)
    return _views.drop_axes(self, [d for d in axes if self.shape[d] == 1])


@_method
def swapaxes(self, axis1, axis2):
    """View with two dimensions exchanged."""
    return manipulation.swapaxes(self, axis1, axis2)


@_method
def fill(self, value):
    """Set all elements to ``value``."""
    self[...] = value


@_method
def tolist(self):
    """The values as nested lists of Python scalars."""
    return self.numpy().tolist()


@_method
def nonzero(self):
    """See `pyasc.nonzero`."""
    return logic.nonzero(self)


@_method
def dot(self, b, out=None):
    """See `pyasc.dot`."""
    return products.dot(self, b, out)


@_method
def clip(self, min=None, max=None, out=None, **kwargs):
    """See `pyasc.clip`."""
    return logic.clip(self, min, max, out, **kwargs)


@_method
def conj(self):
    """The complex conjugate."""
    return F.conjugate(self) if self.dtype.kind == "c" else self


METHODS["conjugate"] = conj


def _from_statistics(name):
    function = getattr(statistics, name)

    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs)

    method.__name__, method.__doc__ = name, function.__doc__
    METHODS[name] = method


for _name in ("sum", "prod", "max", "min", "mean", "all", "any", "argmax", "argmin"):
    _from_statistics(_name)


def _property(name, doc, get, set=None):
    METHODS[name] = property(get, set, doc=doc)


def _real(x):
    return _array.real_view(x) if x.dtype.kind == "c" else x


def _imag(x):
    if x.dtype.kind == "c":
        return _array.imaginary_view(x)
    out = _array.empty_like(x)
    out[...] = 0
    out._set_readonly(True)
    return out


def _set_real(x, value):
    _real(x)[...] = value


def _set_imag(x, value):
    if x.dtype.kind != "c":
        raise TypeError("array does not have imaginary part to set")
    _array.imaginary_view(x)[...] = value


_property("real", "ndarray: View of the real parts.", _real, _set_real)
_property("imag", "ndarray: View of the imaginary parts.", _imag, _set_imag)
_property(
    "mT", "ndarray: View with the last two dimensions exchanged.", manipulation.matrix_transpose
)


def _no_ctypes(x):
    raise AttributeError(
        "a device array has no address that C code on the host can use: x.numpy().ctypes is that of a copy, and "
        "x.data_ptr() the address on the device, for CANN"
    )


_property("ctypes", "Refused: host code cannot read device memory.", _no_ctypes)


class Flags:
    """Memory layout of an array, by attribute or by NumPy's upper-case key."""

    __slots__ = ("_array",)

    def __init__(self, array):
        self._array = array

    @property
    def c_contiguous(self):
        return self._array._layout[0]

    @property
    def f_contiguous(self):
        return _array.is_f_contiguous(self._array)

    @property
    def owndata(self):
        return self._array.base is None

    @property
    def writeable(self):
        return not self._array._layout[2]

    @writeable.setter
    def writeable(self, value):
        if value and not self.writeable and self._array.base is not None:
            raise ValueError("cannot set WRITEABLE flag to True of this array")
        self._array._set_readonly(not value)

    contiguous = c_contiguous
    aligned = property(lambda self: True)
    fnc = property(lambda self: self.f_contiguous and not self.c_contiguous)
    forc = property(lambda self: self.f_contiguous or self.c_contiguous)

    def __getitem__(self, key):
        short = {
            "C": "c_contiguous",
            "F": "f_contiguous",
            "O": "owndata",
            "W": "writeable",
            "A": "aligned",
        }
        return getattr(self, short.get(key, key.lower()))

    def __repr__(self):
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED")
        return "\n".join(f"  {n} : {self[n]}" for n in names)


_property("flags", "Flags: Memory layout.", Flags)


@_method
def setflags(self, write=None, align=None, uic=None):
    """Set whether the array may be written to."""
    if write is not None:
        Flags(self).writeable = write


# ---- torch


@_method
def dim(self):
    """Number of dimensions."""
    return self.ndim


@_method
def numel(self):
    """Number of elements."""
    return self.size


@_method
def unsqueeze(self, dim):
    """View with a new dimension of length 1 at ``dim``."""
    return manipulation.expand_dims(self, dim)


@_method
def permute(self, *dims):
    """View with all dimensions in the given order."""
    return manipulation.transpose(self, _shape_argument(dims))


@_method
def view(self, *shape):
    """The same memory, with another shape or another dtype.

    ``view(2, 3)`` refuses to copy, as torch; ``view(dtype)`` reinterprets the bytes along the last dimension, as NumPy.

    Raises
    ------
    ValueError
        If the memory order does not allow it.
    """
    if len(shape) == 1 and not isinstance(shape[0], (int, np.integer, tuple, list)):
        return _reinterpret(self, np.dtype(shape[0]))
    if not shape:
        return _views.permute(self, range(self.ndim))
    try:
        return _views.reshape_view(self, _shape_argument(shape))
    except AttributeError as error:
        raise ValueError(
            f"view of shape {shape} of an array of shape {self.shape} and strides {self.strides} needs a copy; "
            "use reshape()"
        ) from error


def _reinterpret(x, dtype):
    steps, shape = _array.element_steps(x), list(x.shape)
    old, new = x.itemsize, dtype.itemsize
    if old == new:
        return _array.strided_view(x, shape, steps, 0, dtype)
    if not shape:
        raise ValueError(
            "Changing the dtype of a 0d array is only supported if the itemsize is unchanged"
        )
    if steps[-1] != 1 and shape[-1] != 1:
        raise ValueError(
            "To change to a dtype of a different size, the last axis must be contiguous"
        )
    if (shape[-1] * old) % new or x.data_ptr() % new:
        raise ValueError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis "
            "of the array."
        )
    shape[-1] = shape[-1] * old // new
    if any(s * old % new for s in steps[:-1]):
        raise ValueError("the strides of the array are no multiples of the new dtype's size")
    return _array.strided_view(x, shape, [*(s * old // new for s in steps[:-1]), 1], 0, dtype)


@_method
def expand(self, *sizes):
    """View stretched to ``sizes``; -1 keeps a dimension."""
    sizes = list(_shape_argument(sizes))
    lead = len(sizes) - self.ndim
    if lead < 0:
        raise ValueError(
            f"expand to {tuple(sizes)}: an array of shape {self.shape} has more dimensions"
        )
    sizes = [self.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(sizes)]
    return _views.broadcast_to(self, tuple(sizes))


@_method
def contiguous(self):
    """The array itself if it is in C order, else a copy that is."""
    return self if self._layout[0] else self.copy()


@_method
def to(self, *args, device=None, dtype=None, non_blocking=False, copy=False):
    """The array on another device, as another dtype, or both.

    Parameters
    ----------
    *args
        A device (``"npu:1"``) or a dtype.
    copy : bool, optional
        Whether to copy even if nothing changes.

    Returns
    -------
    ndarray
    """
    for arg in args:
        if isinstance(arg, (str, _device.Device)) and (
            isinstance(arg, _device.Device) or arg.startswith("npu")
        ):
            device = arg
        elif isinstance(arg, int) and not isinstance(arg, bool):
            device = arg
        elif arg is not None:
            dtype = arg
    out = self
    if dtype is not None and np.dtype(dtype) != self.dtype:
        out = out.astype(dtype)
    if device is not None and _device.Device(device) != out.device:
        moved = ndarray(out.shape, out.dtype, device=device)
        _array.copy_between_devices(moved, out)
        moved._format = out._format
        out = moved
    return out.copy() if copy and out is self else out


@_method
def npu(self, device=None, non_blocking=False):
    """The array on a device, the current one by default."""
    return self.to(device=_device.current_device() if device is None else device)


@_method
def cpu(self):
    """The values as a NumPy array (waits for the device)."""
    return self.numpy()


@_method
def get(self):
    """The values as a NumPy array (waits for the device)."""
    return self.numpy()


@_method
def copy_(self, src, non_blocking=False):
    """Copy the values of ``src`` (an array of ours or NumPy's, of one shape after broadcasting) into this array."""
    if isinstance(src, np.ndarray):
        src = _array.from_numpy(src, self.device, non_blocking)
    if src.device != self.device:
        return copy_to_device(self, src)
    self[...] = src
    return self


def copy_to_device(dst, src):
    """Copy ``src`` into ``dst``, directly from device to device.

    Parameters
    ----------
    dst, src : ndarray
        Of one shape and dtype, on any devices.

    Returns
    -------
    ndarray
        ``dst``.

    Raises
    ------
    ValueError, TypeError
        If shapes or dtypes differ; nothing is written then.
    """
    for x in (dst, src):
        if not isinstance(x, ndarray):
            raise TypeError(f"copy_to_device takes two pyasc arrays, not {type(x).__name__}")
    if dst.shape != src.shape:
        raise ValueError(f"copy_to_device: the shapes differ, {dst.shape} and {src.shape}")
    if dst.dtype != src.dtype:
        raise TypeError(f"copy_to_device: the dtypes differ, {dst.dtype} and {src.dtype}")
    if dst._layout[2]:
        raise ValueError("assignment destination is read-only")
    if dst.device == src.device:
        dst[...] = src
    elif dst._layout[1]:
        dst[...] = src.to(dst.device)
    else:
        _array.copy_between_devices(dst, src)
    return dst


@_method
def to_format(self, name, shape=None):
    return formats.to_format(self, name, shape)


to_format.__doc__ = formats.to_format.__doc__


@_method
def set_format(self, name):
    """Tag the array with a public format such as ``"NCHW"``; its elements stay as they are."""
    formats.set_format(self, name)


_property(
    "format",
    "str: What the dimensions stand for, such as 'NCHW'; 'ND' if nobody said.",
    formats.format_of,
)


@_method
def tobytes(self, order="C"):
    """The bytes of the values, in C or Fortran order."""
    return self.numpy().tobytes(order)


bind_methods(METHODS)


def rebuild(host, format_number):
    """What unpickling calls."""
    out = _array.from_numpy(host)
    if format_number != out._format:
        out._format = format_number
    return out


_array.bind(rebuild=rebuild)

"""Making arrays: from other data, filled, ranges."""

import math
import operator

import numpy as np

from pyasc import _config, _promotion
from pyasc._config import lower
from pyasc._core import array as _array
from pyasc._core import device as _device
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements

__all__ = [
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "copy", "empty", "empty_like",
    "eye", "from_numpy", "full", "full_like", "identity", "ones", "ones_like", "pinned", "tensor", "zeros",
    "zeros_like",
]  # fmt: skip


def from_numpy(host, device=None, non_blocking=False):
    return _array.from_numpy(host, device, non_blocking)


from_numpy.__doc__ = _array.from_numpy.__doc__


def pinned(shape, dtype=None):
    """A NumPy array in pinned host memory: copies from and to a device can run beside the host.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
        The default float by default.

    Returns
    -------
    numpy.ndarray
        Its elements are uninitialised.
    """
    from pyasc._core.memory import PinnedMemory

    dtype = np.dtype(_config.get_default_dtype() if dtype is None else dtype)
    shape = (shape,) if not isinstance(shape, (tuple, list)) else tuple(shape)
    memory = PinnedMemory(math.prod(shape) * dtype.itemsize)
    return np.frombuffer(memory, np.uint8)[: memory.nbytes].view(dtype).reshape(shape)


def _host_of(data):
    """Nested lists and scalars as a NumPy array; arrays of ours inside are read."""
    if isinstance(data, (list, tuple)) and _holds_arrays(data):
        return None
    host = np.asarray(data)
    if host.dtype == object:
        raise TypeError(
            f"cannot make a device array of {type(data).__name__}: its elements are Python objects, not numbers"
        )
    return host


def _holds_arrays(data):
    return any(
        isinstance(d, ndarray) or (isinstance(d, (list, tuple)) and _holds_arrays(d)) for d in data
    )


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None,
          device=None):  # fmt: skip
    """An array in device memory.

    Parameters
    ----------
    object : array_like
        Numbers, nested sequences of numbers, NumPy arrays, pyasc arrays.
    dtype : dtype, optional
        That of the data by default; numbers without one become the default float, int64, bool or the default complex.
    copy : bool or None, optional
        Whether data that is already on the device is copied. ``False`` refuses to copy.
    order : {"K", "A", "C", "F"}, optional
        Order of the elements in memory.
    ndmin, ndmax : int, optional
        Least and largest number of dimensions; lists nested deeper than ``ndmax`` are refused.
    device : Device, str or int, optional
        The current device by default.

    Returns
    -------
    ndarray

    Raises
    ------
    TypeError
        If the data are not numbers.
    """
    out = _from_anything(object, dtype, copy, order, device)
    if 0 < ndmax < out.ndim:
        raise TypeError(
            f"data of {out.ndim} dimensions with ndmax={ndmax} would be Python objects, which a device array cannot "
            "hold"
        )
    if out.ndim < ndmin:
        out = out.reshape((1,) * (ndmin - out.ndim) + out.shape)
    return out


def _from_anything(data, dtype, copy, order, device):
    if isinstance(data, ndarray):
        return _from_device(data, dtype, copy, order, device)
    if (
        hasattr(data, "__dlpack__")
        and not isinstance(data, np.ndarray)
        and not hasattr(data, "__array__")
    ):
        from pyasc._dlpack import from_dlpack

        return _from_device(from_dlpack(data), dtype, copy, order, device)
    if copy is False:
        raise ValueError(
            "Unable to avoid copy while creating an array as requested: the data is on the host. Use copy=None."
        )
    host = _host_of(data)
    if host is None:
        from pyasc.manipulation import stack

        if dtype is None and device is None:
            return stack(data)
        parts = [_from_anything(d, dtype, None, "K", device) for d in data]
        return stack(parts)
    typed = (
        isinstance(data, (np.ndarray, np.generic))
        or hasattr(data, "__array__")
        or hasattr(data, "dtype")
    )
    if dtype is None:
        dtype = _own_dtype(data, host, typed)
    host = (
        host.astype(dtype, order=order, copy=False) if order != "K" or host.dtype != dtype else host
    )
    return _array.from_numpy(np.asarray(host, order=None if order == "K" else order), device)


def _own_dtype(data, host, typed):
    """An array keeps its type; numbers and lists of them get the default."""
    if isinstance(data, np.generic):
        return lower(host.dtype)
    return host.dtype if typed else lower(host.dtype)


def _from_device(x, dtype, copy, order, device):
    dtype = x.dtype if dtype is None else np.dtype(dtype)
    elsewhere = device is not None and _device.Device(device) != x.device
    same = dtype == x.dtype and not elsewhere and _has_order(x, order)
    if same and not copy:
        return x
    if copy is False:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    out = x.astype(dtype, order=order) if dtype != x.dtype else x.copy(order=order)
    return out.to(device) if elsewhere else out


def _has_order(x, order):
    if order == "C":
        return x._layout[0]
    if order == "F":
        return _array.is_f_contiguous(x)
    return True


@implements("asarray")
def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """As `array`, but data that is already a device array of that dtype is returned as it is."""
    if type(a) is ndarray and dtype is None and order is None and device is None and not copy:
        return a
    return array(a, dtype, copy=copy, order=order or "K", device=device)


def as_arrays(*values):
    """Operands of one function as device arrays: lists and scalars beside a float64 array keep all their digits."""
    if not any(_promotion.is_wide(v) for v in values):
        return [asarray(v) for v in values]
    device = next((v.device for v in values if isinstance(v, ndarray)), None)
    found = []
    for v in values:
        host = None if isinstance(v, ndarray) else _host_of(v)
        found.append(asarray(v) if host is None else _array.from_numpy(host, device=device))
    return found


def as_array_beside(a, value):
    """A value that is to go into the array ``a`` (or None), or to meet it, as a device array."""
    return as_arrays(a, value)[1] if _promotion.is_wide(a) else asarray(value)


@implements("asanyarray")
def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """The same as `asarray`."""
    return asarray(a, dtype, order, device=device, copy=copy)


@implements("ascontiguousarray")
def ascontiguousarray(a, dtype=None, *, like=None):
    """An array in C order, with at least one dimension."""
    return array(a, dtype, copy=None, order="C", ndmin=1)


@implements("asfortranarray")
def asfortranarray(a, dtype=None, *, like=None):
    """An array in Fortran order, with at least one dimension."""
    return array(a, dtype, copy=None, order="F", ndmin=1)


@implements("copy")
def copy(a, order="K", subok=False):
    """A copy in device memory."""
    return array(a, copy=True, order=order)


implements("array")(array)


def tensor(data, *, dtype=None, device=None, requires_grad=False):
    """A new array from numbers, nested lists or arrays; always a copy.

    Parameters
    ----------
    data : array_like
    dtype : dtype, optional
    device : Device, str or int, optional

    Returns
    -------
    ndarray
    """
    if requires_grad:
        raise NotImplementedError("requires_grad: autograd is not part of this release")
    return array(data, dtype, device=device)


# ---- filled


@implements("empty")
def empty(shape, dtype=None, order="C", *, device=None, like=None, format=None):
    """An array whose elements are not set.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
        The default float by default.
    order : {"C", "F"}, optional
    device : Device, str or int, optional
        The current device by default.
    format : str, optional
        A format tag such as ``"NCHW"``; ``"ND"`` by default.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        Negative or too large dimensions.
    DeviceMemoryError
        The device has no room.
    """
    dtype = np.dtype(_config.get_default_dtype() if dtype is None else dtype)
    out = ndarray(shape, dtype, order=order, device=device)
    if format is not None:
        out.set_format(format)
    return out


def _filled(out, value):
    if out.size:
        if value == 0 and isinstance(value, int):
            call("aclnnInplaceZero", out)
        else:
            _array.fill_value(out, value)
    return out


@implements("zeros")
def zeros(shape, dtype=None, order="C", *, device=None, like=None, format=None):
    """An array of zeros; the arguments are those of `empty`."""
    return _filled(empty(shape, dtype, order, device=device, format=format), 0)


@implements("ones")
def ones(shape, dtype=None, order="C", *, device=None, like=None, format=None):
    """An array of ones; the arguments are those of `empty`."""
    return _filled(empty(shape, dtype, order, device=device, format=format), 1)


@implements("full")
def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None, format=None):
    """An array whose elements are all ``fill_value``.

    Parameters
    ----------
    shape : int or tuple of int
    fill_value : scalar or array_like
        Broadcast to the shape.
    dtype : dtype, optional
        That of the fill value by default.

    Returns
    -------
    ndarray
    """
    if dtype is None:
        dtype = fill_value.dtype if hasattr(fill_value, "dtype") else np.asarray(fill_value).dtype
        dtype = dtype if isinstance(fill_value, (ndarray, np.ndarray)) else lower(dtype)
    out = empty(shape, dtype, order, device=device, format=format)
    if isinstance(fill_value, (bool, int, float, complex, np.generic)):
        return _filled(out, fill_value)
    out[...] = fill_value
    return out


def _like(a, dtype, order, shape, device):
    a = a if isinstance(a, ndarray) else asarray(a)
    dtype = a.dtype if dtype is None else np.dtype(dtype)
    device = a.device if device is None else device
    if shape is None and order == "K" and _device.Device(device) == a.device:
        return _array.empty_like(a, dtype)
    target = a.shape if shape is None else shape
    fortran = order == "F" or (order in "KA" and _array.is_f_contiguous(a) and not a._layout[0])
    return ndarray(target, dtype, order="F" if fortran else "C", device=device)


@implements("empty_like")
def empty_like(prototype, /, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """An array like ``prototype`` whose elements are not set.

    Parameters
    ----------
    prototype : array_like
        Gives shape, dtype, memory order and device.
    dtype, shape, device : optional
        Something else instead.
    order : {"K", "A", "C", "F"}, optional

    Returns
    -------
    ndarray
    """
    return _like(prototype, dtype, order, shape, device)


@implements("zeros_like")
def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """Zeros; the arguments are those of `empty_like`."""
    return _filled(_like(a, dtype, order, shape, device), 0)


@implements("ones_like")
def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """Ones; the arguments are those of `empty_like`."""
    return _filled(_like(a, dtype, order, shape, device), 1)


@implements("full_like")
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """All elements ``fill_value``; the other arguments are those of `empty_like`."""
    out = _like(a, dtype, order, shape, device)
    if isinstance(fill_value, (bool, int, float, complex, np.generic)):
        return _filled(out, fill_value)
    out[...] = fill_value
    return out


# ---- ranges


@implements("arange")
def arange(start, stop=None, step=1, dtype=None, *, device=None, like=None):
    """Evenly spaced values in the half-open interval [start, stop).

    Parameters
    ----------
    start, stop, step : number
        With one argument it is ``stop``, and the values start at 0.
    dtype : dtype, optional
        int64 for integers, else the default float.

    Returns
    -------
    ndarray

    Raises
    ------
    ZeroDivisionError, ValueError
        As NumPy: a step of 0, more values than fit.
    """
    if stop is None:
        start, stop = 0, start
    start, stop, step = (
        v.item() if isinstance(v, (ndarray, np.generic)) else v for v in (start, stop, step)
    )
    if dtype is None:
        dtype = lower(np.result_type(*(np.asarray(v).dtype for v in (start, stop, step))))
        dtype = np.dtype(np.int64) if dtype.kind in "bui" else dtype
    dtype = np.dtype(dtype)
    if step == 0:
        raise ZeroDivisionError("division by zero")
    if any(isinstance(v, float) and not math.isfinite(v) for v in (start, stop, step)):
        raise ValueError("arange: cannot compute length")
    length = (
        max(0, math.ceil((stop - start) / step)) if not isinstance(stop - start, complex) else 0
    )
    if dtype == bool and length > 2:
        raise TypeError(
            "arange() is only supported for booleans when the result has at most length 2."
        )
    kernel = dtype
    if dtype.kind not in "if" or dtype.itemsize < 4:
        kernel = np.dtype(np.int64 if dtype.kind in "bui" else np.float32)
    out = empty(length, kernel, device=device)
    if length:
        if kernel.kind == "i":
            # NumPy takes the first value and the difference to the second, both as integers
            first = int(start)
            step = int(start + step) - first
            start, stop = first, first + step * length if step else first + length
            if step == 0:
                return _filled(out, first).astype(dtype, copy=False)
        call("aclnnArange", start, start + step * length if kernel.kind == "i" else stop, step, out)
    return out if kernel == dtype else out.astype(dtype)


@implements("eye")
def eye(N, M=None, k=0, dtype=None, order="C", *, device=None, like=None):
    """Ones on a diagonal, zeros elsewhere.

    Parameters
    ----------
    N, M : int
        Rows and columns; as many columns as rows by default.
    k : int, optional
        0 for the main diagonal, positive above it.
    dtype : dtype, optional
        The default float by default.

    Returns
    -------
    ndarray
    """
    N = operator.index(N)
    M = N if M is None else operator.index(M)
    k = operator.index(k)
    out = zeros((N, M), dtype, order, device=device)
    length = min(N + min(k, 0), M - max(k, 0), N, M)
    if length > 0:
        steps = _array.element_steps(out)
        start = k * steps[1] if k > 0 else -k * steps[0]
        _filled(_array.strided_view(out, (length,), (steps[0] + steps[1],), start), 1)
    return out


@implements("identity")
def identity(n, dtype=None, *, like=None):
    """The square array with ones on the main diagonal."""
    return eye(n, dtype=dtype)

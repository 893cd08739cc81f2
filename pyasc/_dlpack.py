"""Exchange of arrays through DLPack.

To the host with ``dl_device=(1, 0)`` (kDLCPU), a counted copy; within the device as (12, i), kDLExtDev, which is how
Ascend arrays are marked, without a copy. From the host: any CPU producer, copied to the device. The structures are
those of dlpack.h, version 1.0.
"""

import ctypes
import itertools

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core import device as _device
from pyasc._core.array import element_steps, ndarray
from pyasc._promotion import BFLOAT16

__all__ = ["from_dlpack"]

CPU, EXTENSION = 1, 12  # kDLCPU, kDLExtDev
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}  # kDLInt, kDLUInt, kDLFloat, kDLComplex, kDLBool
_BFLOAT = 4
_READ_ONLY = 1


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    ]  # fmt: skip


_alive = {}  # number -> (array, structure, lengths, steps), until the consumer calls the deleter
_numbers = itertools.count(1)
_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_DESTRUCTOR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
# prototypes of our own: the capsule is being destroyed when they are called, so no reference may be taken
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _python))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))
_NAMES = {_Managed: b"dltensor", _Versioned: b"dltensor_versioned"}


def _deleter_of(kind):
    def delete(address):
        _alive.pop(kind.from_address(address).context, None)

    return _DELETER(delete)


_DELETERS = {kind: _deleter_of(kind) for kind in _NAMES}


@_DESTRUCTOR
def _destroy(capsule):
    """A capsule that nobody consumed (a consumer renames it) still owns the array."""
    for kind, name in _NAMES.items():
        if _is_valid(capsule, name):
            _alive.pop(kind.from_address(_pointer(capsule, name)).context, None)


def _capsule(x, versioned):
    kind = _Versioned if versioned else _Managed
    lengths = (ctypes.c_int64 * x.ndim)(*x.shape)
    steps = (ctypes.c_int64 * x.ndim)(*element_steps(x))
    made = kind()
    number = next(_numbers)
    made.context = number
    made.deleter = ctypes.cast(_DELETERS[kind], ctypes.c_void_p)
    if versioned:
        made.major, made.minor, made.flags = 1, 0, _READ_ONLY * x._layout[2]
    code = _BFLOAT if x.dtype == BFLOAT16 else _CODES[x.dtype.kind]
    made.tensor = _Tensor(
        x.data_ptr(), EXTENSION, x.device.index, x.ndim, code, 8 * x.itemsize, 1,
        ctypes.cast(lengths, ctypes.POINTER(ctypes.c_int64)), ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64)), 0,
    )  # fmt: skip
    _alive[number] = (x, made, lengths, steps)
    return _python.PyCapsule_New(
        ctypes.addressof(made), _NAMES[kind], ctypes.cast(_destroy, ctypes.c_void_p)
    )


def dlpack_device(self):
    """(kDLExtDev, number of the device)"""
    return EXTENSION, self.device.index


def dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """A DLPack capsule.

    Parameters
    ----------
    stream : optional
        None: the device is waited for, so that any stream may use the memory.
    max_version : tuple of int, optional
        The newest version the consumer takes.
    dl_device : tuple of int, optional
        Where the consumer wants the data: the array's own device, or ``(1, 0)`` for a copy on the host.
    copy : bool, optional

    Raises
    ------
    BufferError
        If the request cannot be met.
    """
    if dl_device is not None and tuple(dl_device) == (CPU, 0):
        if copy is False:
            raise BufferError("the data is on a device; a host consumer needs a copy, and copy=False forbids it")
        _config.implicit_to_host(self)
        host = self._to_host(True)
        if host.dtype == BFLOAT16:
            raise BufferError("NumPy cannot hand on bfloat16 through DLPack; use x.astype('float32')")
        words = {} if max_version is None else {"max_version": max_version}
        return host.__dlpack__(**words)
    if dl_device is not None and tuple(dl_device) != dlpack_device(self):
        raise BufferError(f"the array is on DLPack device {dlpack_device(self)}; it cannot go to {tuple(dl_device)}")
    versioned = max_version is not None and max_version[0] >= 1
    x = self.copy(order="K") if copy else self
    if x._layout[2] and not versioned:
        raise BufferError("a read-only array needs a consumer of DLPack 1.0 or later (max_version)")
    _device.synchronize(x.device)
    return _capsule(x, versioned)


def from_dlpack(x, /, *, device=None, copy=None):
    """A device array from an object with ``__dlpack__``.

    Parameters
    ----------
    x : object
        A pyasc array (returned as it is unless ``copy`` or ``device`` asks for more), or a producer in host memory
        such as a NumPy array or a CPU tensor of PyTorch, which is copied to the device.
    device : Device, str or int, optional
    copy : bool or None, optional
        ``False`` refuses to copy.

    Returns
    -------
    ndarray

    Raises
    ------
    BufferError
        If the memory is of another kind, or a copy is needed and forbidden.
    """
    if isinstance(x, ndarray):
        out = x if device is None else x.to(device=device)
        if copy is False and out is not x:
            raise BufferError(f"{x.device} is not {device}: a copy is needed, and copy=False forbids it")
        return out.copy(order="K") if copy and out is x else out
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise AttributeError(f"'{type(x).__name__}' object has no attribute '__dlpack__'")
    kind, number = x.__dlpack_device__()
    if int(kind) != CPU:
        raise BufferError(
            f"cannot take memory of DLPack device ({int(kind)}, {number}): only host memory (1, 0) and pyasc's own "
            "arrays are; copy it to the host first"
        )
    if copy is False:
        raise BufferError("the data is in host memory: a copy to the device is needed, and copy=False forbids it")
    return _array.from_numpy(np.from_dlpack(x), device=device)

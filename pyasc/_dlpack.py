"""Exchange of arrays through DLPack.

To the host with ``dl_device=(1, 0)`` (kDLCPU), a counted copy; within the device as (12, i), kDLExtDev, which is how
Ascend arrays are marked, without a copy. From the host: any CPU producer, copied to the device. The structures are
those of dlpack.h, version 1.0.
"""

import ctypes

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core import device as _device
from pyasc._core.array import ndarray
from pyasc._promotion import BFLOAT16

__all__ = ["from_dlpack"]

CPU, EXTENSION = 1, 12  # kDLCPU, kDLExtDev
_BFLOAT = 4  # kDLBfloat
_VERSIONED = (
    np.lib.NumpyVersion(np.__version__) >= "2.1.0"
)  # whether NumPy makes capsules of DLPack 1.0


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


# Where the tensor is in the structures of a capsule: first, or behind version, context, deleter and flags.
_OFFSETS = {b"dltensor": 0, b"dltensor_versioned": 32}
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class Footprint:
    """Address, shape and strides of a device array, for code of NumPy that reads no element."""

    def __init__(self, x, kind=None):
        self._keeps = x
        self.__array_interface__ = {
            "data": (x.data_ptr(), x._layout[2]), "shape": x.shape, "strides": x.strides,
            "typestr": kind or f"|V{x.itemsize}", "version": 3,
        }  # fmt: skip


def _capsule(x, versioned):
    """A capsule of NumPy's for the footprint, told that the memory is on a device; NumPy's deleter lets go of ``x``."""
    shell = np.asarray(Footprint(x, "<u2" if x.dtype == BFLOAT16 else x.dtype.str))
    name = b"dltensor_versioned" if versioned else b"dltensor"
    capsule = shell.__dlpack__(max_version=(1, 0)) if versioned else shell.__dlpack__()
    tensor = tensor_of(capsule, name)
    tensor.device_type, tensor.device_id = dlpack_device(x)
    if x.dtype == BFLOAT16:
        tensor.code = _BFLOAT
    return capsule


def tensor_of(capsule, name):
    """The DLTensor of a capsule of that name."""
    return _Tensor.from_address(_pointer(capsule, name) + _OFFSETS[name])


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
            raise BufferError(
                "the data is on a device; a host consumer needs a copy, and copy=False forbids it"
            )
        _config.implicit_to_host(self)
        host = self._to_host(True)
        if host.dtype == BFLOAT16:
            raise BufferError(
                "NumPy cannot hand on bfloat16 through DLPack; use x.astype('float32')"
            )
        words = {} if max_version is None or not _VERSIONED else {"max_version": max_version}
        return host.__dlpack__(**words)
    if dl_device is not None and tuple(dl_device) != dlpack_device(self):
        raise BufferError(
            f"the array is on DLPack device {dlpack_device(self)}; it cannot go to {tuple(dl_device)}"
        )
    versioned = _VERSIONED and max_version is not None and max_version[0] >= 1
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
            raise BufferError(
                f"{x.device} is not {device}: a copy is needed, and copy=False forbids it"
            )
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
        raise BufferError(
            "the data is in host memory: a copy to the device is needed, and copy=False forbids it"
        )
    return _array.from_numpy(np.from_dlpack(x), device=device)

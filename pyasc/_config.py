"""Settings a program may change while it runs."""

import os
import warnings

import numpy as np

from pyasc._core import array as _array
from pyasc._core import op as _op


class TransferWarning(UserWarning):
    """An array went to the host without being asked to by name."""


class HostPathWarning(UserWarning):
    """A function ran on the host because the device has no operator for it."""


_POLICIES = ("allow", "warn", "error")


class Config:
    """Validated settings; ``pyasc.config`` is the one object.

    Attributes
    ----------
    implicit_transfer : {"allow", "warn", "error"}
        What happens when an array is copied to the host, or a NumPy array to the device, without being asked by name
        (``np.asarray(x)`` inside a library, ``numpy_array + x``). Counted in any case, see `transfers`.
    host_path : {"allow", "warn", "error"}
        What happens when a function must run on the host. ``"warn"`` warns once per function.
    check_indices : bool
        Whether index arrays that lie on the device are checked against the bounds (waits for the device).
    """

    __slots__ = ("_check_indices", "_host_path", "_implicit_transfer")

    def __init__(self):
        self._implicit_transfer = "allow"
        self._host_path = "warn"
        self._check_indices = True

    def __repr__(self):
        names = ("implicit_transfer", "host_path", "check_indices")
        return "Config(" + ", ".join(f"{n}={getattr(self, n)!r}" for n in names) + ")"

    @staticmethod
    def _policy(name, value):
        if value not in _POLICIES:
            raise ValueError(f"config.{name} must be one of {', '.join(_POLICIES)}, got {value!r}")
        return value

    @property
    def implicit_transfer(self):
        return self._implicit_transfer

    @implicit_transfer.setter
    def implicit_transfer(self, value):
        self._implicit_transfer = self._policy("implicit_transfer", value)

    @property
    def host_path(self):
        return self._host_path

    @host_path.setter
    def host_path(self, value):
        self._host_path = self._policy("host_path", value)

    @property
    def check_indices(self):
        return self._check_indices

    @check_indices.setter
    def check_indices(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"config.check_indices must be a bool, got {value!r}")
        self._check_indices = value


config = Config()

_default = {"float": np.dtype(np.float32), "complex": np.dtype(np.complex64)}


def set_default_dtype(dtype):
    """Set the type that Python floats and float results of integers get.

    Parameters
    ----------
    dtype : dtype
        float32 (the default: Ascend chips have no float64 vector unit) or float64 (exactly NumPy).
    """
    dtype = np.dtype(dtype)
    if dtype not in (np.float32, np.float64):
        raise ValueError(f"the default dtype is float32 or float64, not {dtype}")
    if dtype != _default["float"]:
        _default["float"] = dtype
        _default["complex"] = np.result_type(dtype, np.complex64)
        _op.forget_types()


def get_default_dtype():
    """The type that Python floats and float results of integers get.

    Returns
    -------
    numpy.dtype
    """
    return _default["float"]


def lower(dtype):
    """The default-float rule for a type that no float64 array and no ``dtype=`` asked for."""
    if dtype == np.float64:
        return _default["float"]
    if dtype == np.complex128:
        return _default["complex"]
    return dtype


def implicit(what):
    """Apply ``config.implicit_transfer`` to a transfer that is about to happen; ``what`` says which."""
    if config._implicit_transfer == "allow":
        return
    text = (
        f"implicit transfer: {what}. Ask for it by name (x.numpy(), pyasc.asarray(...)), or set "
        "pyasc.config.implicit_transfer = 'allow'"
    )
    if config._implicit_transfer == "error":
        raise RuntimeError(text)
    warnings.warn(text, TransferWarning, stacklevel=4)


_warned = set()


checking_contexts = 0  # open `pyasc.errstate(check=True)`, in all threads
host_calls = 0  # how often a function was about to run on the host


def host_path(function):
    """Apply ``config.host_path`` to a function that is about to run on the host."""
    global host_calls
    host_calls += 1
    if config._host_path == "allow":
        return
    if config._host_path == "error":
        raise RuntimeError(
            f"{function} has no route on this device and would run on the host; "
            "set pyasc.config.host_path = 'allow' to let it"
        )
    if function not in _warned:
        _warned.add(function)
        warnings.warn(f"{function} runs on the host", HostPathWarning, stacklevel=4)


def implicit_to_host(x):
    """The array ``x`` is about to be copied to the host by code that did not say so."""
    implicit(f"a pyasc array of shape {x.shape} and dtype {x.dtype} is copied to the host")


_array.bind(implicit=implicit_to_host, default_dtype=get_default_dtype)

if os.environ.get("PYASC_DEFAULT_DTYPE"):
    set_default_dtype(os.environ["PYASC_DEFAULT_DTYPE"])

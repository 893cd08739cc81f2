"""Random numbers by counter: a seed and an offset say what every element is, whatever the number of threads."""

import operator
import os

import numpy as np

from pyasc import _config
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._philox import Philox, signed

__all__ = ["manual_seed", "rand", "randn"]


# What everybody shares who makes no generator of their own; `pyasc.random` draws from it too.
stream = Philox(key=int.from_bytes(os.urandom(8), "little"))


def manual_seed(seed):
    """Start the random numbers of `rand`, `randn` and the functions of ``pyasc.random`` again from ``seed``."""
    stream.restart(operator.index(seed) & 0xFFFFFFFFFFFFFFFF)


def _shape_of(shape):
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    return tuple(operator.index(n) for n in shape)


def _float_array(shape, dtype, device, name):
    dtype = np.dtype(_config.get_default_dtype() if dtype is None else dtype)
    out = ndarray(_shape_of(shape), dtype, device=device)
    if dtype.kind not in "fV":
        raise TypeError(f"{name} makes floating point numbers, not {dtype}")
    return out


def rand(*shape, dtype=None, device=None):
    """Uniform random numbers in [0, 1).

    Parameters
    ----------
    *shape : int, or one tuple of int
    dtype : dtype, optional
        The default float by default.

    Returns
    -------
    ndarray
    """
    out = _float_array(shape, dtype, device, "rand")
    if out.size:
        call("aclnnInplaceUniform", out, 0.0, 1.0, *stream.take(out.size))
    return out


def randn(*shape, dtype=None, device=None):
    """Standard normal random numbers; the arguments are those of `rand`."""
    out = _float_array(shape, dtype, device, "randn")
    if out.size:
        key, position = stream.take(out.size)
        call("aclnnInplaceNormal", out, 0.0, 1.0, signed(key), signed(position))
    return out

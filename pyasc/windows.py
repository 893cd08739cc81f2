"""Window functions: small arrays, computed in float64 on the host and copied to the device once."""

import numpy as np

from pyasc._config import lower
from pyasc._core import array as _array
from pyasc._core.array import ndarray

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _window(values):
    return _array.from_numpy(values.astype(lower(values.dtype)))


def _number(value):
    return value.item() if isinstance(value, ndarray) else value


def bartlett(M):
    """The triangular window of M points: 1 - |2 n / (M - 1) - 1|."""
    return _window(np.bartlett(_number(M)))


def blackman(M):
    """The Blackman window of M points: 0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1))."""
    return _window(np.blackman(_number(M)))


def hamming(M):
    """The Hamming window of M points: 0.54 - 0.46 cos(2 pi n / (M - 1))."""
    return _window(np.hamming(_number(M)))


def hanning(M):
    """The Hann window of M points: 0.5 - 0.5 cos(2 pi n / (M - 1))."""
    return _window(np.hanning(_number(M)))


def kaiser(M, beta):
    """The Kaiser window of M points: I0(beta sqrt(1 - (2 n / (M - 1) - 1)^2)) / I0(beta)."""
    return _window(np.kaiser(_number(M), _number(beta)))

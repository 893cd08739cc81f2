"""Frequencies of the results of transforms, and the order that has frequency zero in the middle."""

import operator

import numpy as np

from pyasc._config import get_default_dtype
from pyasc._dispatch import implements
from pyasc.creation import arange, asarray
from pyasc.manipulation import concatenate
from pyasc.ops import F
from pyasc.rearrange import roll


def _length(n):
    if not isinstance(n, (int, np.integer)):
        raise ValueError("n should be an integer")
    return int(n)


def fftfreq(n, d=1.0, device=None):
    """Frequencies of the elements of an `fft`: 0, 1, ..., -2, -1, divided by ``n * d``.

    Parameters
    ----------
    n : int
        Length of the transform.
    d : float
        Distance of the samples, in units of time.
    device : optional

    Returns
    -------
    (n,) ndarray
        Of the default float, in cycles per unit of time.
    """
    n = _length(n)
    step, positive = 1.0 / (n * d), (n - 1) // 2 + 1
    dtype = get_default_dtype()
    parts = [
        arange(0, positive, dtype=dtype, device=device),
        arange(-(n // 2), 0, dtype=dtype, device=device),
    ]
    return F.multiply(concatenate(parts), step)


def rfftfreq(n, d=1.0, device=None):
    """Frequencies of the elements of an `rfft`: 0, 1, ..., ``n // 2``, divided by ``n * d``.

    Parameters
    ----------
    n : int
        Length of the transform.
    d : float
        Distance of the samples, in units of time.
    device : optional

    Returns
    -------
    (n // 2 + 1,) ndarray
        Of the default float, in cycles per unit of time.
    """
    n = _length(n)
    step = 1.0 / (n * d)
    return F.multiply(arange(0, n // 2 + 1, dtype=get_default_dtype(), device=device), step)


def _shifted(x, axes, sign):
    x = asarray(x)
    if axes is None:
        axes = tuple(range(x.ndim))
    elif isinstance(axes, (int, np.integer)):
        axes = (operator.index(axes),)
    return roll(x, [sign * (x.shape[d] // 2) for d in axes], tuple(axes))


@implements("fftshift", module=np.fft)
def fftshift(x, axes=None):
    """Move frequency zero to the middle.

    Parameters
    ----------
    x : array_like
    axes : int or tuple of int, optional
        All by default.

    Returns
    -------
    ndarray
    """
    return _shifted(x, axes, 1)


@implements("ifftshift", module=np.fft)
def ifftshift(x, axes=None):
    """Move frequency zero from the middle to the front: undoes `fftshift`.

    Parameters
    ----------
    x : array_like
    axes : int or tuple of int, optional
        All by default.

    Returns
    -------
    ndarray
    """
    return _shifted(x, axes, -1)

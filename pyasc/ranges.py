"""Evenly spaced values: linearly, by powers, and geometrically."""

import operator

import numpy as np

from pyasc import _promotion
from pyasc._config import lower
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc.creation import arange, asarray
from pyasc.manipulation import moveaxis
from pyasc.ops import F

__all__ = ["geomspace", "linspace", "logspace"]


_WIDE = (np.dtype(np.float64), np.dtype(np.complex128))


def _checked_count(num):
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    return num


def _is_array(value):
    """Whether a bound is an array with dimensions; a scalar on the device is read (waits for it)."""
    return isinstance(value, (ndarray, np.ndarray, list, tuple)) and np.ndim(value) > 0


def _scalar(value):
    return value.item() if isinstance(value, (ndarray, np.ndarray, np.generic)) else value


def _result(values, dtype):
    """The dtype of values between bounds: at least a float."""
    if dtype is not None:
        return np.dtype(dtype)
    wide = np.result_type(*(np.asarray(v).dtype for v in values), np.float64)
    return lower(wide)


@implements("linspace")
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """``num`` evenly spaced values from start to stop.

    Parameters
    ----------
    start, stop : number or array_like
    num : int, optional
    endpoint : bool, optional
        Whether ``stop`` is the last value.
    retstep : bool, optional
        Whether to return (values, step).
    dtype : dtype, optional
        The default float by default (float64 for float64 arrays); integers are rounded down.
    axis : int, optional
        Where the values are in the result, for arrays.

    Returns
    -------
    ndarray, or (ndarray, step)
    """
    num = _checked_count(num)
    if _is_array(start) or _is_array(stop):
        return _between_arrays(start, stop, num, endpoint, retstep, dtype, axis)
    start, stop = _scalar(start), _scalar(stop)
    # computed in float64 on the host, so that the first and last values are exact, and copied once
    host, step = np.linspace(start, stop, num, endpoint, True)
    result = _result((start, stop), dtype)
    host = np.floor(host) if result.kind in "iu" else host
    out = _array.from_numpy(host.astype(result), device=device)
    return (out, step) if retstep else out


def _float_type(*values):
    """The float or complex type of values between bounds, of which Python's numbers are weak."""
    weak = [v for v in values if isinstance(v, (bool, int, float, complex))]
    dtypes = [
        v.dtype if hasattr(v, "dtype") else asarray(v).dtype
        for v in values
        if not any(v is w for w in weak)
    ]
    dtype = _promotion.result_type(*dtypes)
    if dtype == _promotion.BFLOAT16:
        return dtype
    dtype = np.result_type(dtype, 1.0, *weak)
    return dtype if any(t in _WIDE for t in dtypes) else lower(dtype)


def _between_arrays(start, stop, num, endpoint, retstep, dtype, axis):
    natural = _float_type(start, stop)
    result = natural if dtype is None else np.dtype(dtype)
    # two bytes are too few to count in, and integers and float64 are asked for exactly
    common = np.dtype(np.float32) if natural.itemsize == 2 else natural
    if dtype is not None and (result in _WIDE or result.kind in "iu"):
        common = np.result_type(common, np.float64)
    start, stop = (asarray(v).astype(common, copy=False) for v in (start, stop))
    div = num - 1 if endpoint else num
    delta = F.subtract(stop, start)
    step = F.divide(delta, div) if div > 0 else F.multiply(delta, np.nan)
    index = arange(num, dtype=np.int64).astype(common.type(0).real.dtype)
    index = index.reshape((num,) + (1,) * delta.ndim)
    out = F.add(F.multiply(index, step if div > 0 else delta), start)
    if endpoint and num > 1:
        out[-1] = stop
    if result.kind in "iu":
        out = F.floor(out)
    out = moveaxis(out, 0, axis).astype(result, copy=False)
    return (out, step) if retstep else out


@implements("logspace")
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """``base`` to the power of evenly spaced values.

    Parameters
    ----------
    start, stop : number or array_like
        The first and the last exponent.
    base : number or array_like, optional
    num, endpoint, dtype, axis : optional
        As for `linspace`.

    Returns
    -------
    ndarray
    """
    num = _checked_count(num)
    if not any(map(_is_array, (start, stop, base))):
        host = np.logspace(_scalar(start), _scalar(stop), num, endpoint, _scalar(base))
        return _array.from_numpy(
            host.astype(_result((_scalar(start), _scalar(stop), _scalar(base)), dtype))
        )
    if _is_array(base):
        start, stop, base = (asarray(v) for v in (start, stop, base))
        most = max(v.ndim for v in (start, stop, base))
        start, stop, base = (
            v.reshape((1,) * (most - v.ndim) + v.shape) for v in (start, stop, base)
        )
        base = base[None] if axis == 0 else moveaxis(base[None], 0, axis)
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    out = F.power(base, exponents)
    return out if dtype is None else out.astype(dtype, copy=False)


@implements("geomspace")
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Values that each are the same multiple of the one before.

    Parameters
    ----------
    start, stop : number or array_like
        Not zero; the results of complex bounds lie on a spiral.
    num, endpoint, dtype, axis : optional
        As for `linspace`.

    Returns
    -------
    ndarray
    """
    num = _checked_count(num)
    if not (_is_array(start) or _is_array(stop)):
        start, stop = _scalar(start), _scalar(stop)
        host = np.geomspace(start, stop, num, endpoint)
        return _array.from_numpy(host.astype(_result((start, stop), dtype)))
    common = _float_type(start, stop)
    if common not in _WIDE:
        common = lower(
            _promotion.result_type(common, np.float64)
        )  # as NumPy, whatever the bounds are
    start, stop = asarray(start), asarray(stop)
    if bool(F.equal(start, 0).any()) or bool(F.equal(stop, 0).any()):
        raise ValueError("Geometric sequence cannot include zero")
    start, stop = start.astype(common), stop.astype(common)
    # a sign (a direction, for complex numbers) times positive values
    sign = F.sign(start) if common.kind == "f" else F.divide(start, F.absolute(start))
    first, last = F.divide(start, sign), F.divide(stop, sign)
    exponents = linspace(F.log10(first), F.log10(last), num, endpoint)
    out = F.power(np.float64(10) if common in (np.float64, np.complex128) else 10.0, exponents)
    if num > 0:
        out[0] = first
        if num > 1 and endpoint:
            out[-1] = last
    out = moveaxis(F.multiply(out, sign), 0, axis)
    return out if dtype is None else out.astype(dtype, copy=False)

"""Functions of each element that are not ufuncs of NumPy's."""

import functools

import numpy as np
from ml_dtypes import finfo

from pyasc import _config, statistics
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc._views import normalize_axis
from pyasc.creation import arange, asarray, full, zeros
from pyasc.manipulation import concatenate
from pyasc.ops import F
from pyasc.rearrange import select_axis
from pyasc.sorting import argsort, search
from pyasc.spread import float_dtype

__all__ = [
    "angle",
    "around",
    "fix",
    "i0",
    "imag",
    "interp",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "nan_to_num",
    "packbits",
    "real",
    "real_if_close",
    "round",
    "sinc",
    "unpackbits",
]


def _scalar(x, value):
    return full((), value, x.dtype, device=x.device)


# ---- complex numbers


@implements("real")
def real(val):
    """The real part, a view; the array itself if it is real."""
    return asarray(val).real


@implements("imag")
def imag(val):
    """The imaginary part, a view; zeros if the array is real."""
    return asarray(val).imag


@implements("angle")
def angle(z, deg=False):
    """The angle of complex numbers, between -pi and pi (in radians; in degrees with ``deg``)."""
    z = asarray(z)
    found = F.arctan2(z.imag, z.real) if z.dtype.kind == "c" else F.arctan2(0, z)
    return F.multiply(found, 180 / np.pi) if deg else found


@implements("real_if_close")
def real_if_close(a, tol=100):
    """The real part, if all imaginary parts are close to zero (waits for the device to see that).

    Parameters
    ----------
    a : array_like
    tol : float, optional
        Limit of the imaginary parts: in units of the dtype's spacing at 1 if more than 1, else absolute.
    """
    a = asarray(a)
    if a.dtype.kind != "c":
        return a
    limit = tol * np.finfo(a.dtype).eps if tol > 1 else tol
    return a.real if bool(F.less(F.absolute(a.imag), limit).all()) else a


@implements("iscomplex")
def iscomplex(x):
    """Which elements have an imaginary part that is not zero."""
    x = asarray(x)
    return (
        F.not_equal(x.imag, 0)
        if x.dtype.kind == "c"
        else full(x.shape, False, bool, device=x.device)
    )


@implements("isreal")
def isreal(x):
    """Which elements have an imaginary part of zero."""
    x = asarray(x)
    return F.equal(x.imag, 0) if x.dtype.kind == "c" else full(x.shape, True, bool, device=x.device)


@implements("iscomplexobj")
def iscomplexobj(x):
    """Whether the dtype is complex."""
    dtype = x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype
    return np.dtype(dtype).kind == "c"


@implements("isrealobj")
def isrealobj(x):
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)


# ---- special values and rounding


def _is_infinite(name, x, out, negative):
    x = asarray(x)
    if x.dtype.kind == "c":
        raise TypeError(
            f"This operation is not supported for {x.dtype} values because it would be ambiguous."
        )
    sign = F.signbit(x) if negative else F.logical_not(F.signbit(x))
    if x.dtype == bool:
        sign = full(x.shape, False, bool, device=x.device)
    return F.logical_and(F.isinf(x), sign, out=out)


@implements("isneginf")
def isneginf(x, out=None):
    """Which elements are minus infinity."""
    return _is_infinite("isneginf", x, out, True)


@implements("isposinf")
def isposinf(x, out=None):
    """Which elements are plus infinity."""
    return _is_infinite("isposinf", x, out, False)


@implements("nan_to_num")
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Numbers in place of nan and the infinities.

    Parameters
    ----------
    x : array_like
        Complex numbers part by part.
    copy : bool, optional
        False: replace in the array itself.
    nan : scalar or array_like, optional
    posinf, neginf : scalar or array_like, optional
        The largest and smallest finite number of the dtype by default.

    Returns
    -------
    ndarray
    """
    x = asarray(x)
    found = x.copy(order="K") if copy or not isinstance(x, ndarray) else x
    if x.dtype.kind in "biu":
        return found
    parts = (
        [found] if x.dtype.kind != "c" else [_array.real_view(found), _array.imaginary_view(found)]
    )
    for part in parts:
        limits = finfo(part.dtype)
        for mask, value in (
            (F.isnan(part), nan),
            (isposinf(part), limits.max if posinf is None else posinf),
            (isneginf(part), limits.min if neginf is None else neginf),
        ):
            if isinstance(value, (float, int, np.generic)):
                value = _scalar(part, value)
            value = asarray(value).astype(part.dtype, copy=False)
            _array.copy_values(part, F.where(mask, value, part))
    return found


@implements("round")
def round(a, decimals=0, out=None):
    """Rounded to a number of decimals, halves to the even digit.

    Parameters
    ----------
    a : array_like
    decimals : int, optional
        Negative: digits left of the point.
    out : ndarray, optional

    Returns
    -------
    ndarray

    Notes
    -----
    As NumPy: multiplied by a power of ten, rounded, divided by it.
    """
    x = asarray(a)
    words = {} if out is None else {"out": out}
    if x.dtype == bool:
        if decimals == 0:
            return F.rint(x.astype(np.float16), **words)
        raise TypeError(f"truth values cannot be rounded to {decimals} decimals, only to 0")
    if x.dtype.kind in "iu":
        return _round_whole(x, decimals, words)
    if decimals == 0:
        return F.rint(x, **words)
    # the power in the array's own dtype: weak, as NumPy's is
    power = 10.0 ** abs(decimals)
    if decimals > 0:
        return F.divide(F.rint(F.multiply(x, power)), power, **words)
    return F.multiply(F.rint(F.divide(x, power)), power, **words)


def _round_whole(x, decimals, words):
    if decimals >= 0:
        return F.positive(x, **words)
    power = 10.0**-decimals
    wide = x.astype(np.float64)
    found = F.multiply(F.rint(F.divide(wide, power)), power).astype(x.dtype)
    return F.positive(found, **words)


around = implements("around")(round)


@implements("fix")
def fix(x, out=None):
    """Rounded towards zero."""
    return F.trunc(asarray(x)) if out is None else F.trunc(asarray(x), out=out)


@implements("sinc")
def sinc(x):
    """sin(pi x) / (pi x), 1 at zero.

    Parameters
    ----------
    x : array_like
        Real or complex numbers.
    """
    x = asarray(x)
    if x.dtype.kind != "c":
        return F.sinc(x)
    y = F.multiply(x, np.pi)
    y = F.where(F.equal(x, 0), _scalar(y, np.finfo(y.dtype).eps), y)
    return F.divide(F.sin(y), y)


# ---- the modified Bessel function


@functools.cache
def _bessel_series():
    """Chebyshev coefficients of exp(-x) I0(x): of x / 4 - 1 up to 8, and times sqrt(x) of 16 / x - 1 beyond.

    The intervals are those of Clenshaw, Chebyshev Series for Mathematical Functions (1962); the coefficients are those
    of the polynomials through NumPy's values at Chebyshev's points.
    """
    fit = np.polynomial.chebyshev.chebinterpolate

    def near(t):
        x = 4 * (t + 1)
        return np.exp(-x) * np.i0(x)

    def far(t):
        x = 16 / np.maximum(t + 1, 1e-9)
        near_500 = np.minimum(x, 500)
        direct = np.exp(-near_500) * np.i0(near_500) * np.sqrt(near_500)
        # Hankel's expansion, Abramowitz and Stegun 9.7.1
        z = 1 / (8 * x)
        series = (1 + z * (1 + z * (9 / 2 + z * (75 / 2 + z * 3675 / 8)))) / np.sqrt(2 * np.pi)
        return np.where(x > 500, series, direct)

    return fit(near, 28), fit(far, 24)


def _clenshaw(t, coefficients):
    twice = F.multiply(t, 2)
    last = second = zeros((), t.dtype, device=t.device)
    for c in coefficients[:0:-1]:
        last, second = F.add(F.subtract(F.multiply(twice, last), second), float(c)), last
    return F.add(F.subtract(F.multiply(t, last), second), float(coefficients[0]))


@implements("i0")
def i0(x):
    """Modified Bessel function of the first kind, order 0.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    ndarray
    """
    x = asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    x = F.absolute(x.astype(float_dtype(x.dtype), copy=False))
    near, far = _bessel_series()
    small = _clenshaw(F.subtract(F.divide(F.minimum(x, 8), 4), 1), near)
    at_least = F.maximum(x, 8)
    large = F.divide(_clenshaw(F.subtract(F.divide(16.0, at_least), 1), far), F.sqrt(at_least))
    return F.multiply(F.exp(x), F.where(F.less_equal(x, 8), small, large))


# ---- interpolation


def _periodic(x, xp, fp, period):
    """Everything within one period, with a sample beyond each end."""
    if period == 0:
        raise ValueError("period must be a non-zero value")
    period = abs(period)
    x, xp = F.remainder(x, period), F.remainder(xp, period)
    order = argsort(xp, 0)
    xp, fp = select_axis(xp, 0, order), select_axis(fp, 0, order)
    xp = concatenate([F.subtract(xp[-1:], period), xp, F.add(xp[:1], period)])
    return x, xp, concatenate([fp[-1:], fp, fp[:1]])


@implements("interp")
def interp(x, xp, fp, left=None, right=None, period=None):
    """Piecewise linear interpolation.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    xp : array_like
        Sample points, one dimension, ascending (with ``period`` in any order).
    fp : array_like
        Values there, real or complex.
    left, right : scalar, optional
        Values before the first and behind the last sample point; the first and the last value by default.
    period : float, optional
        Period of ``x``; ``left`` and ``right`` are then ignored.

    Returns
    -------
    ndarray
        Of the shape of ``x``.
    """
    x, xp, fp = asarray(x), asarray(xp), asarray(fp)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError(
            "Data points must be 1-D sequences"
            if period is not None
            else "object too deep for desired array"
        )
    if xp.shape != fp.shape:
        raise ValueError(f"fp and xp are not of the same length: {fp.size} and {xp.size}")
    if xp.size == 0:
        raise ValueError("array of sample points is empty")
    for given in (x, xp):
        if given.dtype.kind == "c":
            raise TypeError(
                f"Cannot cast array data from {given.dtype!r} to dtype('float64') according to the rule 'safe'"
            )
    wide = np.float64 in (x.dtype, xp.dtype) or fp.dtype in (np.float64, np.complex128)
    dtype = np.dtype(np.float64) if wide else _config.lower(np.dtype(np.float64))
    value_dtype = np.result_type(dtype, np.complex64) if fp.dtype.kind == "c" else dtype
    x, xp, fp = (
        x.astype(dtype, copy=False),
        xp.astype(dtype, copy=False),
        fp.astype(value_dtype, copy=False),
    )
    if period is not None:
        x, xp, fp = _periodic(x, xp, fp, period)
        left = right = None
    left = fp[0] if left is None else asarray(left).astype(value_dtype)
    right = fp[-1] if right is None else asarray(right).astype(value_dtype)
    found = _between_samples(x, xp, fp)
    found = F.where(F.less(x, xp[0]), left, found)
    return F.where(F.greater(x, xp[-1]), right, found)


def _between_samples(x, xp, fp):
    if xp.size == 1:
        nan = full((), float("nan"), fp.dtype, device=x.device)
        return F.where(F.isnan(x), nan, fp[0])
    place = F.subtract(search(xp, x, "right"), 1)
    place = F.minimum(F.maximum(place, 0), xp.size - 2).reshape(-1)

    def taken(values):
        return select_axis(values, 0, place).reshape(x.shape)

    x0, y0 = taken(xp[:-1]), taken(fp[:-1])
    x1, y1 = taken(xp[1:]), taken(fp[1:])
    slope = F.divide(F.subtract(y1, y0), F.subtract(x1, x0))
    found = F.add(F.multiply(slope, F.subtract(x, x0)), y0)
    # beside an infinite sample: from the other end, or what both are
    other = F.add(F.multiply(slope, F.subtract(x, x1)), y1)
    other = F.where(F.logical_and(F.isnan(other), F.equal(y0, y1)), y0, other)
    found = F.where(F.isnan(found), other, found)
    # exactly the samples
    found = F.where(F.equal(x, x0), y0, found)
    return F.where(F.equal(x, x1), y1, found)


# ---- bits


def _bit_order(bitorder):
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    shifts = arange(8, dtype=np.uint8)
    return shifts if bitorder == "little" else F.subtract(np.uint8(7), shifts)


@implements("packbits")
def packbits(a, /, axis=None, bitorder="big"):
    """Truth values packed eight to a byte, the last byte filled up with zeros.

    Parameters
    ----------
    a : array_like of bool or int
    axis : int, optional
        The flattened array by default.
    bitorder : {"big", "little"}, optional
        Whether the first value is the highest or the lowest bit.

    Returns
    -------
    ndarray of uint8
    """
    x = asarray(a)
    shifts = _bit_order(bitorder)
    if x.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    x, axis = (
        (x.reshape(-1), 0) if axis is None or x.ndim == 0 else (x, normalize_axis(axis, x.ndim))
    )
    bits = F.not_equal(x, 0).swapaxes(axis, -1)
    rest = -bits.shape[-1] % 8
    if rest:
        fill = zeros((*bits.shape[:-1], rest), bool, device=x.device)
        bits = concatenate([bits, fill], axis=-1)
    bits = bits.reshape((*bits.shape[:-1], bits.shape[-1] // 8, 8)).astype(np.int32)
    weights = F.left_shift(1, shifts.astype(np.int32))
    found = statistics.sum(F.multiply(bits, weights), axis=-1).astype(np.uint8)
    return found.swapaxes(axis, -1).copy()


@implements("unpackbits")
def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of bytes, each as a byte.

    Parameters
    ----------
    a : array_like of uint8
    axis : int, optional
        The flattened array by default.
    count : int, optional
        How many bits to deliver: more are zeros, a negative number leaves as many out.
    bitorder : {"big", "little"}, optional
        Whether the first value is the highest or the lowest bit.

    Returns
    -------
    ndarray of uint8
    """
    x = asarray(a)
    shifts = _bit_order(bitorder)
    if x.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    x, axis = (
        (x.reshape(-1), 0) if axis is None or x.ndim == 0 else (x, normalize_axis(axis, x.ndim))
    )
    moved = x.swapaxes(axis, -1)
    bits = F.bitwise_and(F.right_shift(moved[..., None], shifts), np.uint8(1))
    bits = bits.reshape((*moved.shape[:-1], moved.shape[-1] * 8))
    if count is not None:
        length = bits.shape[-1]
        if count < -length:
            raise ValueError(
                f"-ve count should be greater than the number of elements: {count}, {length}"
            )
        want = count + length if count < 0 else count
        if want > length:
            fill = zeros((*bits.shape[:-1], want - length), np.uint8, device=x.device)
            bits = concatenate([bits, fill], axis=-1)
        bits = bits[..., :want]
    return bits.swapaxes(axis, -1).copy()

"""The transforms of `pyasc.fft`: checks, types and scales; one call along each axis."""

import operator
import warnings

import numpy as np

from pyasc import _dispatch
from pyasc._config import lower
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.call import call, has_operator
from pyasc._promotion import BFLOAT16
from pyasc._views import normalize_axis
from pyasc.creation import asarray, ascontiguousarray
from pyasc.fft import _composed
from pyasc.ops import F

_COMPLEX = {np.dtype(c): np.dtype(c.upper()) for c in "fdFD"}
_REAL = {np.dtype(c): np.dtype(c.lower()) for c in "fdFD"}

# name -> kind of transform, whether the exponent is negative
_KINDS = {
    "fft": ("c2c", True),
    "ifft": ("c2c", False),
    "rfft": ("r2c", True),
    "irfft": ("c2r", False),
    "hfft": ("c2r", True),
    "ihfft": ("r2c", False),
}
_OPPOSITE = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def implements(name):
    """Decorator: the function is ours for ``numpy.fft.<name>``."""
    return _dispatch.implements(name, module=np.fft)


def _computed_type(dtype, kind):
    """The type of the operand of a transform.

    Raises
    ------
    TypeError
        For a transform of real numbers, a complex type.
    """
    if dtype.kind == "c" and kind == "r2c":
        raise TypeError(
            f"a transform of real numbers does not take {dtype}; use fft, or the real part"
        )
    if dtype in (np.float16, BFLOAT16):
        dtype = np.dtype(np.float32)
    elif dtype not in _COMPLEX:
        dtype = lower(np.dtype(np.float64))
    return _COMPLEX[dtype] if kind == "c2r" else dtype


def _scale(norm, n, forward):
    """What the unscaled transform is multiplied with."""
    try:
        divided = norm if forward else _OPPOSITE[norm]
        return {None: 1.0, "backward": 1.0, "ortho": n**-0.5, "forward": 1.0 / n}[divided]
    except (KeyError, TypeError):
        raise ValueError(
            f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".'
        ) from None


def _transform(name, a, n, axis, norm, out):
    """One transform along one axis."""
    kind, forward = _KINDS[name]
    a = asarray(a)
    if n is None:
        n = a.shape[axis] if kind != "c2r" else (a.shape[axis] - 1) * 2
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    scale = _scale(norm, n, forward)
    axis = normalize_axis(axis, a.ndim)
    computed = _computed_type(a.dtype, kind)
    shape = list(a.shape)
    shape[axis] = n // 2 + 1 if kind == "r2c" else n
    dtype = _REAL[computed] if kind == "c2r" else _COMPLEX[computed]
    if out is not None:
        _check_out(out, a, axis, tuple(shape), dtype, name)
    narrow = kind == "c2r" and a.dtype == np.float16  # NumPy's result is as narrow
    direct = out is not None and out.dtype == dtype and out.shape == tuple(shape)
    direct = direct and not (out._layout[1] or _array.arrays_overlap(out, a))
    found = out if direct else ndarray(tuple(shape), dtype, device=a.device)
    if found.size:
        a = a if a.dtype == computed else a.astype(computed)
        run = _by_operator if has_operator("pyascFft") else _compose
        run(a, n, axis, forward, kind, scale, found)
    if out is None:
        return found.astype(np.float16) if narrow else found
    if not direct:
        out[...] = found
    return out


def _by_operator(a, n, axis, forward, kind, scale, out):
    """The transform by the operator beside CANN's, which takes complex numbers of the length of the result."""
    if kind == "c2r":
        a = _both_halves(a, n, axis)
    elif a.shape[axis] != n or a.dtype.kind != "c":
        whole = ndarray(
            (*a.shape[:axis], n, *a.shape[axis + 1 :]), _COMPLEX[a.dtype], device=a.device
        )
        kept = min(n, a.shape[axis])
        _part(whole, axis, 0, kept)[...] = _part(a, axis, 0, kept)
        if kept < n:
            _part(whole, axis, kept, n)[...] = 0
        a = whole
    if kind == "c2c":
        call("pyascFft", a, axis, forward, scale, out)
        return
    found = ndarray(a.shape, a.dtype, device=a.device)
    call("pyascFft", a, axis, forward, scale, found)
    out[...] = found.real if kind == "c2r" else _part(found, axis, 0, n // 2 + 1)


def _part(x, axis, start, stop, step=1):
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


def _both_halves(a, n, axis):
    """All n elements of which ``a`` holds the first half: the others are conjugates, from the end."""
    whole = ndarray((*a.shape[:axis], n, *a.shape[axis + 1 :]), a.dtype, device=a.device)
    half = n // 2 + 1
    kept = min(half, a.shape[axis])
    _part(whole, axis, 0, kept)[...] = _part(a, axis, 0, kept)
    if kept < half:
        _part(whole, axis, kept, half)[...] = 0
    _part(whole, axis, 0, 1).imag[...] = 0  # of a real result they are real
    if n % 2 == 0:
        _part(whole, axis, half - 1, half).imag[...] = 0
    if n > 2:
        mirrored = _part(whole, axis, 1, (n + 1) // 2)
        _part(whole, axis, half, n)[...] = F.conjugate(mirrored)[
            (slice(None),) * axis + (slice(None, None, -1),)
        ]
    return whole


def _compose(a, n, axis, forward, kind, scale, out):
    """The transform as matrix products, written to ``out``."""
    rows = a if a.dtype.kind == "c" else a.astype(_COMPLEX[a.dtype])
    rows = rows.swapaxes(axis, -1)
    lead = rows.shape[:-1]
    count = 1
    for m in lead:
        count *= m
    rows = ascontiguousarray(rows).reshape((count, rows.shape[-1]))
    found = _composed.transform(rows, n, forward, kind)
    found = found.reshape((*lead, found.shape[-1])).swapaxes(axis, -1)
    if scale == 1.0:
        out[...] = found
    else:
        F.multiply(found, scale, out=out)


def _check_out(out, a, axis, shape, dtype, name):
    """Refuse an output that the result does not fit."""
    if not isinstance(out, ndarray):
        raise TypeError(f"return arrays must be of ArrayType: out is {type(out).__name__}")
    if out.ndim != len(shape) or out.shape[axis] != shape[axis]:
        raise ValueError(f"output array has wrong shape: {out.shape}, the result has {shape}.")
    if any(m not in (1, o) for m, o in zip(shape, out.shape, strict=True)):
        raise ValueError(f"non-broadcastable output operand with shape {out.shape} for {shape}")
    if not np.can_cast(dtype, out.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast the result of {name} from {dtype!r} to {out.dtype!r} with casting rule 'same_kind'"
        )


def _lengths(a, s, axes, halved):
    """The lengths and the axes of a transform along several axes (``halved``: the last one gives n // 2 + 1)."""
    given = s is not None
    if axes is None:
        if given:
            warnings.warn(
                "`axes` should not be `None` if `s` is not `None` (deprecated in NumPy 2.0); pass the axes, such as "
                "[0, ..., k-1] for an array of dimension k",
                DeprecationWarning,
                stacklevel=4,
            )
        axes = range(-len(s), 0) if given else range(-a.ndim, 0)
    axes = [operator.index(d) for d in axes]
    s = list(s) if given else [a.shape[d] for d in axes]
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if halved and not given:
        s[-1] = (a.shape[axes[-1]] - 1) * 2
    if None in s:
        warnings.warn(
            "`None` in `s` is deprecated in NumPy 2.0; pass the length of the axis, or -1 for the whole axis",
            DeprecationWarning,
            stacklevel=4,
        )
    return [a.shape[d] if n == -1 else n for n, d in zip(s, axes, strict=True)], axes


def _several(names, a, s, axes, norm, out):
    """Transforms along several axes: ``names`` are those of the last axis and of the others."""
    a = asarray(a)
    last, other = names
    s, axes = _lengths(a, s, axes, last == "irfft")
    order = list(range(len(axes)))
    if last == "irfft":
        steps = [(other, i) for i in order[:-1]] + [(last, order[-1])]
    else:
        steps = [(last if i == order[-1] else other, i) for i in reversed(order)]
    for place, (name, i) in enumerate(steps):
        a = _transform(name, a, s[i], axes[i], norm, out if place == len(steps) - 1 else None)
    return a


@implements("fft")
def fft(a, n=None, axis=-1, norm=None, out=None):
    """Discrete Fourier transform along an axis.

    y[k] = sum over j of a[j] exp(-2 pi i j k / n).

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axis.
    n : int, optional
        Length of the transform. Length of the axis by default.
    axis : int
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by n, or both by its root.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _transform("fft", a, n, axis, norm, out)


@implements("ifft")
def ifft(a, n=None, axis=-1, norm=None, out=None):
    """Inverse of `fft`.

    y[k] = 1/n times the sum over j of a[j] exp(2 pi i j k / n).

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axis.
    n : int, optional
        Length of the transform. Length of the axis by default.
    axis : int
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by n, or both by its root.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _transform("ifft", a, n, axis, norm, out)


@implements("rfft")
def rfft(a, n=None, axis=-1, norm=None, out=None):
    """The first ``n // 2 + 1`` elements of `fft` of real numbers; the others are their conjugates.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axis.
    n : int, optional
        Length of the transform. Length of the axis by default.
    axis : int
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by n, or both by its root.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _transform("rfft", a, n, axis, norm, out)


@implements("irfft")
def irfft(a, n=None, axis=-1, norm=None, out=None):
    """Inverse of `rfft`: real numbers, of which ``a`` holds the first ``n // 2 + 1`` elements of the transform.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axis.
    n : int, optional
        Length of the transform. ``2 * (m - 1)`` by default, where m is the length of the axis.
    axis : int
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by n, or both by its root.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Real.
    """
    return _transform("irfft", a, n, axis, norm, out)


@implements("hfft")
def hfft(a, n=None, axis=-1, norm=None, out=None):
    """Transform of a signal that is its own conjugate reversed, of which ``a`` holds the first half: real numbers.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axis.
    n : int, optional
        Length of the transform. ``2 * (m - 1)`` by default, where m is the length of the axis.
    axis : int
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by n, or both by its root.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Real.
    """
    return _transform("hfft", a, n, axis, norm, out)


@implements("ihfft")
def ihfft(a, n=None, axis=-1, norm=None, out=None):
    """Inverse of `hfft`: the first ``n // 2 + 1`` elements.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axis.
    n : int, optional
        Length of the transform. Length of the axis by default.
    axis : int
    norm : {"backward", "ortho", "forward"}, optional
        Which direction is divided by n, or both by its root.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _transform("ihfft", a, n, axis, norm, out)


@implements("fftn")
def fftn(a, s=None, axes=None, norm=None, out=None):
    """Discrete Fourier transform along several axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        All by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `fft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _several(("fft", "fft"), a, s, axes, norm, out)


@implements("fft2")
def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """Discrete Fourier transform along two axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        The last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `fft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _several(("fft", "fft"), a, s, axes, norm, out)


@implements("ifftn")
def ifftn(a, s=None, axes=None, norm=None, out=None):
    """Inverse transform along several axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        All by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `ifft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _several(("ifft", "ifft"), a, s, axes, norm, out)


@implements("ifft2")
def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """Inverse transform along two axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        The last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `ifft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _several(("ifft", "ifft"), a, s, axes, norm, out)


@implements("rfftn")
def rfftn(a, s=None, axes=None, norm=None, out=None):
    """Transform of real numbers, the last axis halved, along several axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        All by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `rfft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _several(("rfft", "fft"), a, s, axes, norm, out)


@implements("rfft2")
def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """Transform of real numbers, the last axis halved, along two axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        The last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `rfft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Complex.
    """
    return _several(("rfft", "fft"), a, s, axes, norm, out)


@implements("irfftn")
def irfftn(a, s=None, axes=None, norm=None, out=None):
    """Inverse of the transform of real numbers along several axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        All by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `irfft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Real.
    """
    return _several(("irfft", "ifft"), a, s, axes, norm, out)


@implements("irfft2")
def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """Inverse of the transform of real numbers along two axes.

    Parameters
    ----------
    a : array_like
        Cropped or filled with zeros at the end of the axes.
    s : sequence of int, optional
        Lengths of the transforms along ``axes``; -1 is the whole axis.
    axes : sequence of int, optional
        The last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        As in `irfft`.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Real.
    """
    return _several(("irfft", "ifft"), a, s, axes, norm, out)

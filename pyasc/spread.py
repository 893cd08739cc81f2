"""How values spread: variances, ranges, weighted means, covariances."""

import numpy as np

from pyasc import _config, _promotion, statistics
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._views import broadcast_to, normalize_axes
from pyasc.creation import asarray, full
from pyasc.ops import F
from pyasc.products import matmul_arrays
from pyasc.statistics import finish_reduction, reduction_axes, reduction_mask

__all__ = ["average", "corrcoef", "cov", "ptp", "std", "var"]

_NO_VALUE = np._NoValue


def _given(value):
    return value is not _NO_VALUE and value is not None


def float_dtype(dtype):
    """The dtype of means: floats as they are, all else the default float."""
    return _config.lower(np.dtype(np.float64)) if dtype.kind in "biu" else dtype


def real_dtype(dtype):
    """The dtype of the parts of a complex number; other dtypes as they are."""
    return np.finfo(dtype).dtype if dtype.kind == "c" else dtype


def _correction(ddof, correction):
    if not _given(correction):
        return ddof
    if ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


def _count(x, axes, where):
    """How many elements go into each result: a number, or an array with ``where``."""
    if where is None:
        count = 1
        for d in axes:
            count *= x.shape[d]
        return count
    mask = broadcast_to(where, x.shape)
    return statistics.sum(mask, axis=axes, keepdims=True)


def _squares(x, axes, where, mean, count, wide):
    """The mean, and the sum of squared distances from it; both with the reduced dimensions kept."""
    words = {} if where is None else {"where": where}
    if mean is None:
        total = statistics.sum(x, axis=axes, dtype=wide, keepdims=True, **words)
        mean = F.divide(total, count)
    distance = F.subtract(x, mean)
    if wide.kind == "c":
        real, imag = _array.real_view(distance), _array.imaginary_view(distance)
        square = F.add(F.multiply(real, real), F.multiply(imag, imag))
    else:
        square = F.multiply(distance, distance)
    return statistics.sum(square, axis=axes, keepdims=True, **words)


def variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction, root, name):
    """What `var` and `std` share."""
    x = asarray(a)
    ddof = _correction(ddof, correction)
    axes = reduction_axes(axis, x.ndim)
    own = float_dtype(x.dtype)
    given_mean = asarray(mean) if _given(mean) else None
    if given_mean is not None and given_mean.dtype.kind in "fc":
        own = _promotion.result_type(own, given_mean.dtype)
    if dtype is not None and np.dtype(dtype) != own and np.dtype(dtype).kind in "biu":
        raise TypeError(f"{name} of dtype {np.dtype(dtype)}: a float or complex dtype is needed")
    wide = own if dtype is None else _promotion.result_type(np.dtype(dtype), own)
    result = real_dtype(own if dtype is None else np.dtype(dtype))
    x = x.astype(_computed(wide), copy=False)
    mask = reduction_mask(x, where) if _given(where) and where is not True else None
    fused = mask is None and given_mean is None and ddof == int(ddof) and wide.kind == "f"
    count = _count(x, axes, mask)
    if fused and isinstance(count, int) and count > ddof >= 0 and axes and x.size:
        found = ndarray(
            tuple(n for d, n in enumerate(x.shape) if d not in axes), x.dtype, device=x.device
        )
        call("aclnnVarCorrection", x, axes, int(ddof), False, found)
    else:
        squares = _squares(x, axes, mask, given_mean, count, x.dtype)
        degrees = (
            F.maximum(F.subtract(count, ddof), 0) if mask is not None else max(count - ddof, 0)
        )
        found = F.divide(squares, degrees)
        found = found.reshape(tuple(n for d, n in enumerate(x.shape) if d not in axes))
    if root:
        found = F.sqrt(found)
    found = found.astype(result, copy=False)
    return finish_reduction(found, x, axes, keepdims, out, name)


def _computed(dtype):
    """Halves are added up in float32."""
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype


@implements("var")
def var(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=_NO_VALUE,
    *,
    where=_NO_VALUE,
    mean=_NO_VALUE,
    correction=_NO_VALUE,
):
    """Variance: the mean of squared distances from the mean.

    Parameters
    ----------
    a : array_like
        Complex numbers: of the squared absolute distances.
    axis : int or tuple of int, optional
        All elements by default.
    dtype : dtype, optional
        To compute in; float32 for integers by default.
    out : ndarray, optional
    ddof : float, optional
        What is taken from the number of elements before dividing by it.
    keepdims : bool, optional
    where : array_like of bool, optional
        Which elements count.
    mean : array_like, optional
        The mean, with the reduced dimensions kept, where it is known already.
    correction : float, optional
        Another name of ``ddof``.

    Returns
    -------
    ndarray
    """
    return variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction, False, "var")


@implements("std")
def std(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=_NO_VALUE,
    *,
    where=_NO_VALUE,
    mean=_NO_VALUE,
    correction=_NO_VALUE,
):
    """Standard deviation: the square root of `var`, with its arguments."""
    return variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction, True, "std")


@implements("ptp")
def ptp(a, axis=None, out=None, keepdims=_NO_VALUE):
    """Largest element minus the smallest; the arguments are those of `pyasc.sum`."""
    x = asarray(a)
    axes = reduction_axes(axis, x.ndim)
    high, low = statistics.max(x, axis=axes), statistics.min(x, axis=axes)
    return finish_reduction(F.subtract(high, low), x, axes, keepdims, out, "ptp")


@implements("average")
def average(a, axis=None, weights=None, returned=False, *, keepdims=_NO_VALUE):
    """Weighted mean.

    Parameters
    ----------
    a : array_like
    axis : int or tuple of int, optional
        All elements by default.
    weights : array_like, optional
        Of the shape of ``a``, or of the averaged axes.
    returned : bool, optional
        Also the sum of weights.
    keepdims : bool, optional

    Returns
    -------
    ndarray or tuple of ndarray

    Raises
    ------
    ZeroDivisionError
        Weights that add to zero (waits for the device to see that).
    """
    x = asarray(a)
    axes = None if axis is None else normalize_axes(axis, x.ndim)
    if weights is None:
        found = statistics.mean(x, axis=axes, keepdims=keepdims)
        count = _count(x, axes if axes is not None else range(x.ndim), None)
        return (
            (found, full(found.shape, count, found.dtype, device=x.device)) if returned else found
        )
    w = _weights_like(x, axes, asarray(weights))
    dtype = _promotion.result_type(x.dtype, w.dtype)
    if x.dtype.kind in "biu":
        dtype = _promotion.result_type(dtype, float_dtype(x.dtype))
        if np.float64 not in (x.dtype, w.dtype):
            dtype = _config.lower(dtype)
    words = {"axis": axes, "keepdims": keepdims, "dtype": dtype}
    total = statistics.sum(w, **words)
    if bool(F.equal(total, 0).any()):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    found = F.divide(statistics.sum(F.multiply(x, w), **words), total)
    return (found, broadcast_to(total, found.shape).copy()) if returned else found


def _weights_like(x, axes, w):
    """Weights as an array that broadcasts to ``x``."""
    if w.shape == x.shape:
        return w
    if axes is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if w.shape != tuple(x.shape[d] for d in axes):
        raise ValueError(
            f"Shape of weights must be consistent with shape of a along specified axis: weights have {w.shape}, a has "
            f"{x.shape} along {axes}"
        )
    order = tuple(int(k) for k in np.argsort(axes))
    w = w.transpose(order)
    shape = iter(w.shape)
    return w.reshape(tuple(next(shape) if d in axes else 1 for d in range(x.ndim)))


# ---- covariances


def _observations(m, y, rowvar, dtype):
    """A matrix with a variable in each row."""
    m = asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    parts = [m] if y is None else [m, asarray(y)]
    if parts[-1].ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    if dtype is None:
        dtype = _promotion.result_type(*(p.dtype for p in parts), np.float64)
        if not any(p.dtype in (np.float64, np.complex128) for p in parts):
            dtype = _config.lower(dtype)
    rows = []
    for part in parts:
        row = part.reshape((1, -1)) if part.ndim < 2 else part
        rows.append(row.T if not rowvar and part.ndim == 2 and row.shape[0] != 1 else row)
    if len(rows) == 1:
        return rows[0].astype(dtype, copy=False)
    from pyasc.manipulation import concatenate

    return concatenate(rows, axis=0, dtype=dtype, casting="unsafe")


def _vector_of_weights(values, count, name, whole):
    w = asarray(values)
    if w.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if w.shape[:1] != (count,):
        raise RuntimeError(f"incompatible numbers of samples and {name}: {count} and {w.shape[0]}")
    if whole and bool(F.not_equal(w, F.rint(w)).any()):
        raise TypeError("fweights must be integer")
    if bool(F.less(w, 0).any()):
        raise ValueError(f"{name} cannot be negative")
    return w


def _degrees(ddof, weights, fweights, aweights, count):
    """What the sums of products are divided by."""
    if weights is None:
        return count - ddof
    total = float(weights.sum())
    if ddof == 0:
        return total
    if aweights is None:
        return total - ddof
    return total - ddof * float(F.multiply(weights, aweights).sum()) / total


@implements("cov")
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """Covariance matrix.

    Parameters
    ----------
    m : array_like
        One or two dimensions: a variable in each row.
    y : array_like, optional
        More variables.
    rowvar : bool, optional
        False: a variable in each column.
    bias : bool, optional
        Divide by the number of observations N and not by N - 1.
    ddof : int, optional
        Divide by N - ddof.
    fweights : array_like of int, optional
        How often each observation counts.
    aweights : array_like, optional
        Weights of observations.
    dtype : dtype, optional
        Of the result.

    Returns
    -------
    ndarray
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    x = _observations(m, y, rowvar, None if dtype is None else np.dtype(dtype))
    if x.shape[0] == 0:
        return ndarray((0, 0), x.dtype, device=x.device)
    if ddof is None:
        ddof = 0 if bias else 1
    f = None if fweights is None else _vector_of_weights(fweights, x.shape[1], "fweights", True)
    a = None if aweights is None else _vector_of_weights(aweights, x.shape[1], "aweights", False)
    f, a = (w if w is None else w.astype(real_dtype(x.dtype), copy=False) for w in (f, a))
    weights = f if a is None else a if f is None else F.multiply(f, a)
    if weights is None:
        mean = statistics.mean(x, axis=1, keepdims=True)
    else:
        mean = average(x, axis=1, weights=weights, keepdims=True)
    degrees = _degrees(ddof, weights, f, a, x.shape[1])
    distance = F.subtract(x, mean)
    other = distance if weights is None else F.multiply(distance, weights)
    found = matmul_arrays(distance, F.conjugate(other.T) if x.dtype.kind == "c" else other.T)
    # no degrees of freedom: NumPy warns and divides by zero
    found = F.divide(found, max(degrees, 0))
    return found.reshape(()) if found.shape == (1, 1) else found


@implements("corrcoef")
def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """Correlation coefficients of variables; the arguments are those of `cov`."""
    found = cov(x, y, rowvar, dtype=dtype)
    if found.ndim == 0:
        return F.divide(found, found)
    deviation = F.sqrt(found.diagonal().real)
    found = F.divide(F.divide(found, deviation[:, None]), deviation[None, :])
    # rounding must not leave [-1, 1]
    parts = [found] if found.dtype.kind != "c" else [found.real, found.imag]
    for part in parts:
        _array.copy_values(part, F.minimum(F.maximum(part, -1), 1))
    return found

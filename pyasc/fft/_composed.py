"""Transforms of the last axis composed of matrix products: CANN has no operator for them.

A row of n complex numbers is a row of 2 n real ones, and its transform one product with a real (2 n, 2 n) matrix.
Longer rows are split by Cooley and Tukey's identity (Math. Comp. 19, 1965) into rows of a divisor of n, and lengths
with a large prime factor become a convolution (Bluestein, IEEE Trans. AU-18, 1970) of a length that is a power of two.
"""

import functools

import numpy as np

from pyasc.creation import ascontiguousarray, from_numpy, zeros
from pyasc.gufuncs import matmul
from pyasc.ops import F

LONGEST = 64  # single precision: rows up to this length are one matrix product
LONGEST_DOUBLE = (
    8  # chips multiply no matrices of doubles: rows up to this length are sums of multiples
)


def transform(x, n, forward, kind):
    """Unscaled transforms of length n of the rows of a two-dimensional array.

    Parameters
    ----------
    x : (rows, m) ndarray
        Complex; cropped or filled with zeros to what a transform of length n needs.
    kind : {"c2c", "r2c", "c2r"}
        Whether only the first ``n // 2 + 1`` elements are wanted, or given.

    Returns
    -------
    ndarray
        (rows, n) or (rows, n // 2 + 1); real for "c2r".
    """
    if kind == "c2r":
        half = _fitted(x, n // 2 + 1)
        x = _fitted(half, n)
        x[:, n // 2 + 1 :] = F.conjugate(half[:, (n - 1) // 2 : 0 : -1])
        return _rows(x, forward).real
    found = _rows(_fitted(x, n), forward)
    return found[:, : n // 2 + 1] if kind == "r2c" else found


def _fitted(x, n):
    """Contiguous rows of length n."""
    if x.shape[1] >= n:
        return ascontiguousarray(x[:, :n])
    out = zeros((x.shape[0], n), x.dtype, device=x.device)
    out[:, : x.shape[1]] = x
    return out


def _rows(x, forward):
    """Transforms of contiguous complex rows."""
    rows, n = x.shape
    if n == 1:
        return x
    if x.dtype == np.complex128 and n <= LONGEST_DOUBLE:
        return _sums(x, forward)
    if x.dtype != np.complex128 and n <= LONGEST:
        real = x.real.dtype
        return matmul(x.view(real), _matrix(n, forward, real, x.device)).view(x.dtype)
    first = _divisor(n, LONGEST_DOUBLE if x.dtype == np.complex128 else LONGEST)
    if first is None:
        return _convolved(x, forward)
    second = n // first
    x = ascontiguousarray(x.reshape((rows, first, second)).swapaxes(1, 2))
    x = _rows(x.reshape((-1, first)), forward).reshape((rows, second, first))
    x = F.multiply(x, _twiddles(first, second, forward, x.dtype, x.device))
    x = ascontiguousarray(x.swapaxes(1, 2))
    x = _rows(x.reshape((-1, second)), forward).reshape((rows, first, second))
    return ascontiguousarray(x.swapaxes(1, 2)).reshape((rows, n))


def _sums(x, forward):
    """Transforms of short rows of doubles."""
    n = x.shape[1]
    roots = _root_rows(n, forward, x.dtype, x.device)
    out = F.multiply(x[:, :1], roots[:1])
    for j in range(1, n):
        F.add(out, F.multiply(x[:, j : j + 1], roots[j : j + 1]), out=out)
    return out


def _divisor(n, longest):
    """The largest divisor up to ``longest``, or None if n has a prime factor above it."""
    rest = n
    for p in range(2, longest + 1):
        while rest % p == 0:
            rest //= p
    return None if rest > 1 else max(d for d in range(2, longest + 1) if n % d == 0)


def _convolved(x, forward):
    """Bluestein: k j = (k^2 + j^2 - (k - j)^2) / 2 makes the transform a convolution with a chirp."""
    n = x.shape[1]
    length = 1 << (2 * n - 2).bit_length()
    chirp, kernel = _chirp(n, length, forward, x.dtype, x.device)
    spread = _rows(_fitted(F.multiply(x, chirp), length), True)
    back = _rows(F.multiply(spread, kernel), False)
    return F.multiply(ascontiguousarray(back[:, :n]), chirp)


def _roots(numerators, n, forward):
    """exp(-2 pi i k / n), or its conjugate, in double precision."""
    angle = np.asarray(numerators, np.float64) * (2 * np.pi / n)
    return np.cos(angle) + (-1j if forward else 1j) * np.sin(angle)


@functools.lru_cache(maxsize=256)
def _matrix(n, forward, dtype, device):
    """The real matrix of the transform of n complex numbers."""
    k = np.arange(n)
    w = _roots(np.outer(k, k) % n, n, forward)
    real = np.empty((n, 2, n, 2))
    real[:, 0, :, 0], real[:, 0, :, 1] = w.real, w.imag
    real[:, 1, :, 0], real[:, 1, :, 1] = -w.imag, w.real
    return from_numpy(real.reshape(2 * n, 2 * n).astype(dtype), device=device)


@functools.lru_cache(maxsize=64)
def _root_rows(n, forward, dtype, device):
    """The complex matrix of the transform of n numbers."""
    k = np.arange(n)
    return from_numpy(_roots(np.outer(k, k) % n, n, forward).astype(dtype), device=device)


@functools.lru_cache(maxsize=16)
def _twiddles(first, second, forward, dtype, device):
    """The factors between the two halves of a split."""
    k = np.outer(np.arange(second), np.arange(first))
    return from_numpy(_roots(k, first * second, forward).astype(dtype), device=device)


@functools.lru_cache(maxsize=16)
def _chirp(n, length, forward, dtype, device):
    """exp(-pi i k^2 / n), and the transform of its conjugate at the places -n < k < n, divided by the length."""
    k = np.arange(n, dtype=np.int64)
    chirp = _roots(k * k % (2 * n), 2 * n, forward)
    kernel = np.zeros(length, complex)
    kernel[:n] = chirp.conj()
    kernel[length - n + 1 :] = chirp[:0:-1].conj()
    kernel = np.fft.fft(kernel) / length
    return tuple(from_numpy(v.astype(dtype), device=device) for v in (chirp, kernel))

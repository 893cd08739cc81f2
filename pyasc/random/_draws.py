"""Arrays of random numbers of the few kinds that everything else is made of, and what rejection needs."""

import math

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._philox import shape_of, signed
from pyasc._views import broadcast_to
from pyasc.creation import asarray
from pyasc.ops import F
from pyasc.rearrange import select_axis

FLOAT64 = np.dtype(np.float64)


def float_dtype(dtype):
    """The dtype of random floats: the default float if none is asked for."""
    dtype = np.dtype(_config.get_default_dtype() if dtype is None else dtype)
    if dtype not in (np.float32, np.float64):
        raise TypeError(f"Unsupported dtype {dtype!r} for random: float32 and float64 are there")
    return dtype


def uniform(bits, shape, dtype):
    """In [0, 1)."""
    out = ndarray(shape, dtype)
    if out.size:
        call("aclnnInplaceUniform", out, 0.0, 1.0, *bits.take(out.size))
    return out


def open_uniform(bits, shape, dtype):
    """In (0, 1], for logarithms."""
    return F.subtract(1, uniform(bits, shape, dtype))


def normal(bits, shape, dtype):
    """Standard normal."""
    out = ndarray(shape, dtype)
    if out.size:
        key, position = bits.take(out.size)
        call("aclnnInplaceNormal", out, 0.0, 1.0, signed(key), signed(position))
    return out


def exponential(bits, shape, dtype):
    """Standard exponential."""
    return F.negative(F.log(open_uniform(bits, shape, dtype)))


def integers(bits, shape, low, high):
    """int64 in [low, high)."""
    out = ndarray(shape, np.int64)
    if out.size:
        key, position = bits.take(2 * out.size)
        call("aclnnInplaceRandom", out, low, high, signed(key), signed(position))
    return out


# ---- parameters


def parameters(size, dtype, **given):
    """Shape of the result, and the parameters as numbers or as arrays of ``dtype``.

    Raises
    ------
    ValueError
        Parameters that do not broadcast to ``size``.
    """
    values = {}
    for name, value in given.items():
        if isinstance(value, (int, float, np.generic)) and not isinstance(value, bool):
            values[name] = float(value)
            continue
        value = asarray(value)
        if value.dtype.kind not in "biufV":
            raise TypeError(f"{name} must be real numbers, not {value.dtype}")
        values[name] = value.astype(dtype, copy=False)
    shapes = [v.shape for v in values.values() if isinstance(v, ndarray)]
    common = np.broadcast_shapes(*shapes) if shapes else ()
    if size is None:
        return (common, *values.values())
    shape = shape_of(size)
    if shapes and np.broadcast_shapes(shape, common) != shape:
        raise ValueError(
            f"Output size {shape} is not compatible with broadcast dimensions of inputs {common}."
        )
    return (shape, *values.values())


def require(value, test, message):
    """Refuse parameters: ``test`` is a ufunc of pyasc's and a bound, such as (F.less, 0). Arrays are waited for."""
    compare, bound = test
    if isinstance(value, ndarray):
        wrong = bool(F.logical_or(compare(value, bound), F.isnan(value)).any())
    else:
        wrong = math.isnan(value) or bool(compare.numpy(value, bound))
    if wrong:
        raise ValueError(message)


def spread(value, shape, dtype):
    """A parameter as an array of the shape of the result."""
    if not isinstance(value, ndarray):
        out = ndarray((), dtype)
        _array.fill_value(out, value)
        value = out
    return broadcast_to(value.astype(dtype, copy=False), shape)


# ---- rejection


def until_accepted(shape, dtype, arguments, propose):
    """Values of the first proposal that is accepted, for each element.

    ``propose(shape, *arguments)`` gives (values, accepted), both of that shape, for arguments of that shape. After the
    first round only what was refused is proposed again; each round waits for the device to see what is left.
    """
    flat = (math.prod(shape),)
    arguments = [a.reshape(-1) if isinstance(a, ndarray) else a for a in arguments]
    if flat[0] == 0:
        return ndarray(shape, dtype)
    values, accepted = propose(flat, *arguments)
    values = values.astype(dtype, copy=False)
    left = F.logical_not(accepted).nonzero()[0]
    while left.size:
        some = [select_axis(a, 0, left) if isinstance(a, ndarray) else a for a in arguments]
        more, accepted = propose(left.shape, *some)
        values[left] = more.astype(dtype, copy=False)
        left = select_axis(left, 0, F.logical_not(accepted).nonzero()[0])
    return values.reshape(shape)


def gamma(bits, shape, alpha, dtype):
    """Standard gamma of an array ``alpha`` of that shape (Marsaglia and Tsang, A Simple Method for Generating Gamma
    Variables, ACM TOMS 26, 2000; below 1 with the power of a uniform, section 6)."""
    return F.exp(log_gamma(bits, shape, alpha, dtype))


def log_gamma(bits, shape, alpha, dtype):
    """Logarithm of `gamma`: of small ``alpha`` the number itself may be too small for its dtype."""
    small = F.less(alpha, 1)
    raised = F.where(small, F.add(alpha, 1), alpha)
    d = F.subtract(raised, 1 / 3)
    c = F.divide(1 / 3, F.sqrt(d))

    def propose(shape, d, c):
        x, u = normal(bits, shape, dtype), open_uniform(bits, shape, dtype)
        v = F.add(F.multiply(c, x), 1)
        positive = F.greater(v, 0)
        v = F.where(positive, F.multiply(F.multiply(v, v), v), F.positive(d))
        bound = F.add(
            F.multiply(F.multiply(x, x), 0.5), F.multiply(d, F.add(F.subtract(1, v), F.log(v)))
        )
        return F.log(F.multiply(d, v)), F.logical_and(positive, F.less(F.log(u), bound))

    found = until_accepted(shape, dtype, (d.copy(), c.copy()), propose)
    u = open_uniform(bits, shape, dtype)
    return F.where(small, F.add(found, F.divide(F.log(u), alpha)), found)


# ---- whole numbers with constant parameters: by a table


def by_table(bits, shape, first, probabilities):
    """first + k with probability ``probabilities[k]``, found in the running sum of a table made on the host."""
    sums = np.cumsum(probabilities)
    from pyasc.sorting import search

    table = asarray(sums / sums[-1])
    place = search(table, uniform(bits, shape, FLOAT64), "right")
    return F.add(F.minimum(place, len(sums) - 1), first)


def log_factorial(n):
    """log(n!) of host numbers."""
    return np.vectorize(math.lgamma, otypes=[float])(np.asarray(n, float) + 1)


def poisson(bits, shape, lam):
    """Of an array ``lam`` (float64) of that shape: up to 10 by adding exponentials, beyond by transformed rejection.

    PTRS of Hörmann, The Transformed Rejection Method for Generating Poisson Random Variables, 1993.
    """
    few = F.less(lam, 10)
    small = _poisson_by_sums(bits, shape, F.where(few, lam, F.multiply(lam, 0)))
    b = F.add(F.multiply(F.sqrt(lam), 2.53), 0.931)
    a = F.add(F.multiply(b, 0.02483), -0.059)

    def propose(shape, lam, a, b, few):
        u = F.subtract(uniform(bits, shape, FLOAT64), 0.5)
        v = open_uniform(bits, shape, FLOAT64)
        us = F.subtract(0.5, F.absolute(u))
        k = F.floor(
            F.add(F.add(F.multiply(F.add(F.divide(F.multiply(a, 2), us), b), u), lam), 0.43)
        )
        inverse_alpha = F.add(F.divide(1.1328, F.subtract(b, 3.4)), 1.1239)
        left = F.add(
            F.log(F.multiply(v, inverse_alpha)),
            F.negative(F.log(F.add(F.divide(a, F.multiply(us, us)), b))),
        )
        right = F.subtract(
            F.subtract(F.multiply(k, F.log(lam)), lam), F.lgamma(F.add(F.maximum(k, 0), 1))
        )
        good = F.logical_and(F.greater_equal(k, 0), F.less_equal(left, right))
        return k, F.logical_or(good, few)

    safe = F.maximum(lam, 10)
    large = until_accepted(shape, FLOAT64, (safe, a, F.maximum(b, 8), few), propose)
    return F.where(few, small, large).astype(np.int64)


def _poisson_by_sums(bits, shape, lam):
    """How many standard exponentials add up to no more than ``lam``: all elements step until none is below."""
    count, total = F.multiply(lam, 0), exponential(bits, shape, FLOAT64)
    below = F.less(total, lam)
    while bool(below.any()):
        for _ in range(8):  # looks only every few steps
            count = F.add(count, below.astype(FLOAT64))
            total = F.add(total, exponential(bits, shape, FLOAT64))
            below = F.less(total, lam)
    return count

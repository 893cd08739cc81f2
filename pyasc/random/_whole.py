"""Whole random numbers, samples, and vectors: what `Generator` does in more than a few lines."""

import math
import operator
import warnings

import numpy as np

from pyasc import _config
from pyasc._core.array import ndarray
from pyasc._philox import shape_of
from pyasc._views import broadcast_to, normalize_axis
from pyasc.creation import asarray
from pyasc.ops import F
from pyasc.random import _draws
from pyasc.random._draws import FLOAT64, parameters, require, spread
from pyasc.rearrange import host_values, select_axis

_TABLE = 1 << 20  # the longest table of probabilities


def _all_numbers(*values):
    return not any(isinstance(v, ndarray) for v in values)


# ---- integers


def integers(bits, low, high, size, dtype, endpoint):
    """See `Generator.integers`."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "biu":
        raise TypeError(f"Unsupported dtype {dtype!r} for integers")
    if high is None:
        low, high = 0, low
    info = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if np.ndim(low) or np.ndim(high):
        return _integers_of_arrays(bits, low, high, size, dtype, endpoint, info)
    low, last = operator.index(host_values(low)), operator.index(host_values(high)) - (not endpoint)
    if low < info[0]:
        raise ValueError(f"low is out of bounds for {dtype}")
    if last > info[1]:
        raise ValueError(f"high is out of bounds for {dtype}")
    if low > last:
        raise ValueError("low > high" if endpoint else "low >= high")
    shape = shape_of(size)
    if last < 2**63 - 1:
        return _draws.integers(bits, shape, low, last + 1).astype(dtype, copy=False)
    # beyond what the operator's bounds can say: the rest of 64 random bits
    words = bits.random_raw(size)
    if last - low < 2**64 - 1:
        words = F.remainder(words, np.uint64(last - low + 1))
    return (
        F.add(words, np.uint64(low % 2**64)).view(np.int64).astype(dtype, copy=False).reshape(shape)
    )


def _integers_of_arrays(bits, low, high, size, dtype, endpoint, info):
    low, high = asarray(low), asarray(high)
    if not {low.dtype.kind, high.dtype.kind} <= set("biu"):
        raise TypeError("low and high must be integers")
    low, last = low.astype(np.int64), high.astype(np.int64)
    if not endpoint:
        last = F.subtract(last, 1)
    if bool(F.less(low, info[0]).any()):
        raise ValueError(f"low is out of bounds for {dtype}")
    if info[1] < 2**63 and bool(F.greater(last, info[1]).any()):
        raise ValueError(f"high is out of bounds for {dtype}")
    if bool(F.greater(low, last).any()):
        raise ValueError("low > high" if endpoint else "low >= high")
    common = np.broadcast_shapes(low.shape, last.shape)
    shape = common if size is None else shape_of(size)
    if np.broadcast_shapes(shape, common) != shape:
        raise ValueError(
            f"Output size {shape} is not compatible with broadcast dimensions of inputs {common}."
        )
    count = F.add(F.subtract(last, low), 1).view(np.uint64)
    words = bits.random_raw(shape)
    # the remainder favours small numbers by at most count / 2**64
    return F.add(F.remainder(words, broadcast_to(count, shape)).view(np.int64), low).astype(
        dtype, copy=False
    )


# ---- counts


def poisson(bits, lam, size):
    """See `Generator.poisson`."""
    shape, lam = parameters(size, FLOAT64, lam=lam)
    require(lam, (F.less, 0), "lam < 0 or lam contains NaNs")
    require(lam, (F.greater, 2.0**62), "lam value too large")
    if _all_numbers(lam) and lam < _TABLE / 30:
        reach = 12 * math.sqrt(lam) + 30
        first = max(0, math.floor(lam - reach))
        k = np.arange(first, math.ceil(lam + reach))
        logs = (
            k * math.log(lam) - lam - _draws.log_factorial(k) if lam else np.where(k, -np.inf, 0.0)
        )
        return _draws.by_table(bits, shape, first, np.exp(logs))
    return _draws.poisson(bits, shape, spread(lam, shape, FLOAT64))


def binomial(bits, n, p, size):
    """See `Generator.binomial`."""
    shape, n, p = parameters(size, FLOAT64, n=n, p=p)
    require(n, (F.less, 0), "n < 0")
    require(p, (F.less, 0), "p < 0, p > 1 or p is NaN")
    require(p, (F.greater, 1), "p < 0, p > 1 or p is NaN")
    if _all_numbers(n, p) and n * p * (1 - p) < (_TABLE / 40) ** 2:
        first, probabilities = _binomial_table(int(n), p)
        return _draws.by_table(bits, shape, first, probabilities)
    return _binomial_arrays(bits, shape, spread(n, shape, FLOAT64), spread(p, shape, FLOAT64))


def _binomial_table(n, p):
    if p in (0, 1):
        return int(n * p), np.ones(1)
    reach = 12 * math.sqrt(n * p * (1 - p)) + 30
    first, last = max(0, math.floor(n * p - reach)), min(n, math.ceil(n * p + reach))
    k = np.arange(first, last + 1)
    choose = _draws.log_factorial(n) - _draws.log_factorial(k) - _draws.log_factorial(n - k)
    return first, np.exp(choose + k * math.log(p) + (n - k) * math.log1p(-p))


def _binomial_arrays(bits, shape, n, p):
    """Step by step for small means, beyond by transformed rejection.

    BTRS of Hörmann, The Generation of Binomial Random Variates, J. of Statistical Computation and Simulation 46, 1993.
    """
    swapped = F.greater(p, 0.5)
    q = F.where(swapped, F.subtract(1, p), p)
    few = F.less(F.multiply(n, q), 10)
    nothing = F.multiply(n, 0)
    small = _binomial_steps(bits, shape, F.where(few, n, nothing), F.where(few, q, nothing))
    n_large, q_large = F.where(few, F.add(nothing, 100), n), F.where(few, F.add(nothing, 0.5), q)
    spread_of = F.sqrt(F.multiply(F.multiply(n_large, q_large), F.subtract(1, q_large)))
    b = F.add(F.multiply(spread_of, 2.53), 1.15)
    a = F.add(F.add(F.multiply(b, 0.0248), F.multiply(q_large, 0.01)), -0.0873)
    odds = F.divide(q_large, F.subtract(1, q_large))
    mode = F.floor(F.multiply(F.add(n_large, 1), q_large))

    def propose(shape, n, p, b, a, odds, mode, few, spread_of):
        u = F.subtract(_draws.uniform(bits, shape, FLOAT64), 0.5)
        v = _draws.open_uniform(bits, shape, FLOAT64)
        us = F.subtract(0.5, F.absolute(u))
        centre = F.add(F.multiply(n, p), 0.5)
        k = F.floor(F.add(F.multiply(F.add(F.divide(F.multiply(a, 2), us), b), u), centre))
        inside = F.logical_and(F.greater_equal(k, 0), F.less_equal(k, n))
        k_in = F.minimum(F.maximum(k, 0), n)
        alpha = F.multiply(F.add(F.divide(5.1, b), 2.83), spread_of)
        left = F.log(F.divide(F.multiply(v, alpha), F.add(F.divide(a, F.multiply(us, us)), b)))
        top = F.add(_log_factorial(mode), _log_factorial(F.subtract(n, mode)))
        right = F.subtract(
            F.subtract(top, _log_factorial(k_in)), _log_factorial(F.subtract(n, k_in))
        )
        right = F.add(right, F.multiply(F.subtract(k_in, mode), F.log(odds)))
        good = F.logical_and(inside, F.less_equal(left, right))
        return k_in, F.logical_or(good, few)

    large = _draws.until_accepted(
        shape, FLOAT64, (n_large, q_large, b, a, odds, mode, few, spread_of), propose
    )
    found = F.where(few, small, large)
    return F.where(swapped, F.subtract(n, found), found).astype(np.int64)


def _log_factorial(x):
    return F.lgamma(F.add(x, 1))


def _binomial_steps(bits, shape, n, p):
    """Steps between successes are geometric: as many as fit into n."""
    count, used = F.multiply(n, 0), F.multiply(n, 0)
    log = F.log1p(F.negative(p))
    running = F.greater(F.multiply(n, p), 0)
    while bool(running.any()):
        for _ in range(8):
            step = F.ceil(F.divide(F.log(_draws.open_uniform(bits, shape, FLOAT64)), log))
            used = F.where(running, F.add(used, F.maximum(step, 1)), used)
            running = F.logical_and(running, F.less_equal(used, n))
            count = F.add(count, running.astype(FLOAT64))
    return count


def hypergeometric(bits, ngood, nbad, nsample, size):
    """See `Generator.hypergeometric`: numbers by a table, arrays by NumPy on the host."""
    values = {"ngood": ngood, "nbad": nbad, "nsample": nsample}
    shape, good, bad, drawn = parameters(size, FLOAT64, **values)
    for value, name in ((good, "ngood"), (bad, "nbad"), (drawn, "nsample")):
        require(value, (F.less, 0), f"{name} < 0")
    total = F.add(good, bad) if not _all_numbers(good, bad) else good + bad
    rest = F.subtract(total, drawn) if not _all_numbers(total, drawn) else total - drawn
    require(rest, (F.less, 0), "ngood + nbad < nsample")
    if not _all_numbers(good, bad, drawn):
        _config.host_path("random.hypergeometric of arrays")
        host = np.random.default_rng(np.random.SeedSequence(list(bits.take(4))))
        found = host.hypergeometric(*(host_values(v) for v in values.values()), size)
        return asarray(np.asarray(found))
    first, probabilities = _hypergeometric_table(int(good), int(bad), int(drawn))
    return _draws.by_table(bits, shape, first, probabilities)


def _hypergeometric_table(good, bad, drawn):
    first, last = max(0, drawn - bad), min(good, drawn)
    if last - first > _TABLE:
        mean = drawn * good / (good + bad)
        reach = 12 * math.sqrt(mean * (1 - good / (good + bad))) + 30
        first, last = max(first, math.floor(mean - reach)), min(last, math.ceil(mean + reach))
    k = np.arange(first, last + 1)
    f = _draws.log_factorial
    logs = -f(k) - f(good - k) - f(drawn - k) - f(bad - drawn + k)
    return first, np.exp(logs - logs.max())


def logseries(bits, p, size):
    """See `Generator.logseries`."""
    shape, p = parameters(size, FLOAT64, p=p)
    require(p, (F.less, 0), "p < 0, p >= 1 or p is NaN")
    require(p, (F.greater_equal, 1), "p < 0, p >= 1 or p is NaN")
    r = F.log1p(F.negative(spread(p, shape, FLOAT64)))
    v, u = (_draws.open_uniform(bits, shape, FLOAT64) for _ in range(2))
    q = F.negative(F.expm1(F.multiply(r, u)))
    many = F.floor(F.add(F.divide(F.log(v), F.log(q)), 1))
    one = F.add(F.multiply(v, 0), 1)
    found = F.where(F.greater_equal(v, q), one, F.multiply(one, 2))
    found = F.where(F.less_equal(v, F.multiply(q, q)), many, found)
    found = F.where(F.greater_equal(v, spread(p, shape, FLOAT64)), one, found)
    return F.minimum(F.maximum(found, 1), 2.0**62).astype(np.int64)


def zipf(bits, a, size):
    """See `Generator.zipf`."""
    shape, a = parameters(size, FLOAT64, a=a)
    require(a, (F.less_equal, 1), "a <= 1 or a is NaN")
    a = spread(a, shape, FLOAT64)
    b = F.power(2.0, F.subtract(a, 1))

    def propose(shape, a, b):
        u, v = (_draws.open_uniform(bits, shape, FLOAT64) for _ in range(2))
        less = F.subtract(a, 1)
        x = F.floor(F.power(u, F.divide(-1.0, less)))
        inside = F.logical_and(F.less(x, 2.0**62), F.greater_equal(x, 1))
        x = F.where(inside, x, F.add(F.multiply(u, 0), 1))
        t = F.power(F.add(F.divide(1.0, x), 1), less)
        good = F.less_equal(
            F.divide(F.multiply(F.multiply(v, x), F.subtract(t, 1)), F.subtract(b, 1)),
            F.divide(t, b),
        )
        return x, F.logical_and(inside, good)

    return _draws.until_accepted(shape, FLOAT64, (a.copy(), b.copy()), propose).astype(np.int64)


def multinomial(bits, n, pvals, size):
    """See `Generator.multinomial`: binomial numbers one after the other, each of what is left."""
    p = asarray(pvals).astype(FLOAT64, copy=False)
    if p.ndim == 0:
        raise ValueError("pvals must have at least one dimension")
    require(p, (F.less, 0), "pvals < 0, pvals > 1 or pvals contains NaNs")
    require(p, (F.greater, 1), "pvals < 0, pvals > 1 or pvals contains NaNs")
    if bool(F.greater(F.add.reduce(p[..., :-1], axis=-1), 1 + 1e-12).any()):
        raise ValueError("sum(pvals[:-1].astype(np.float64)) > 1.0")
    trials = asarray(n).astype(FLOAT64)
    require(trials, (F.less, 0), "n < 0")
    common = np.broadcast_shapes(trials.shape, p.shape[:-1])
    shape = common if size is None else shape_of(size)
    if np.broadcast_shapes(shape, common) != shape:
        raise ValueError(
            f"Output size {shape} is not compatible with broadcast dimensions of inputs {common}."
        )
    left, share = broadcast_to(trials, shape).copy(), 1.0
    out = ndarray((*shape, p.shape[-1]), np.int64)
    for k in range(p.shape[-1] - 1):
        part = F.divide(p[..., k], F.maximum(share, 1e-300))
        part = broadcast_to(F.minimum(F.maximum(part, 0), 1), shape)
        found = _binomial_arrays(bits, shape, left, part)
        out[..., k] = found
        left = F.subtract(left, found.astype(FLOAT64))
        share = F.subtract(share, p[..., k])
    out[..., -1] = left.astype(np.int64)
    return out


def multivariate_hypergeometric(bits, colors, nsample, size, method):
    """See `Generator.multivariate_hypergeometric`: on the host, where its chain of draws is short."""
    if method not in ("count", "marginals"):
        raise ValueError("method must be 'count' or 'marginals'.")
    _config.host_path("random.multivariate_hypergeometric")
    host = np.random.default_rng(np.random.SeedSequence(list(bits.take(4))))
    return asarray(
        host.multivariate_hypergeometric(host_values(colors), nsample, size, method=method)
    )


# ---- samples


def choice(rng, a, size, replace, p, axis):
    """See `Generator.choice`."""
    whole = isinstance(a, (int, np.integer))
    pool = None if whole else asarray(a)
    if not whole:
        axis = normalize_axis(axis, pool.ndim)
    count = operator.index(a) if whole else pool.shape[axis]
    shape = shape_of(size)
    wanted = math.prod(shape)
    if count <= 0 and wanted:
        what = "a must be a positive integer" if whole else "a cannot be empty"
        raise ValueError(f"{what} unless no samples are taken")
    if not replace and wanted > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    places = _places(rng, count, shape, wanted, replace, _probabilities(p, count))
    if whole:
        return places
    found = select_axis(pool, axis, places.reshape(-1))
    return found.reshape(pool.shape[:axis] + shape + pool.shape[axis + 1 :])


def _probabilities(p, count):
    if p is None:
        return None
    p = np.asarray(host_values(p), np.float64)
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if p.size != count:
        raise ValueError(f"a and p must have same size: {count} and {p.size}")
    if np.any(np.isnan(p)):
        raise ValueError("Probabilities contain NaN")
    if np.any(p < 0):
        raise ValueError("Probabilities are not non-negative")
    if abs(math.fsum(p) - 1) > math.sqrt(np.finfo(np.float64).eps) * 10:
        raise ValueError(
            "Probabilities do not sum to 1. See Notes section of docstring for more information."
        )
    return p


def _places(rng, count, shape, wanted, replace, p):
    bits = rng.bit_generator
    if p is not None and replace:
        return _draws.by_table(bits, shape, 0, p)
    if p is not None:
        if np.count_nonzero(p) < wanted:
            raise ValueError("Fewer non-zero entries in p than size")
        # the smallest exponential waiting times are draws without replacement, in their order (Efraimidis, Spirakis)
        from pyasc.sorting import argsort

        rates = asarray(np.where(p > 0, 1 / np.maximum(p, 1e-300), np.inf))
        waits = F.multiply(_draws.exponential(bits, (count,), FLOAT64), rates)
        return argsort(waits, 0)[:wanted].reshape(shape)
    if replace:
        return _draws.integers(bits, shape, 0, max(count, 1))
    return rng.permutation(count)[:wanted].reshape(shape)


# ---- normal vectors


def multivariate_normal(rng, mean, cov, size, check_valid, tol, method, dtype):
    """See `Generator.multivariate_normal`."""
    from pyasc import linalg

    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    dtype = _draws.float_dtype(dtype)
    mean, cov = asarray(mean).astype(dtype, copy=False), asarray(cov).astype(FLOAT64, copy=False)
    if mean.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if mean.size != cov.shape[0]:
        raise ValueError(f"mean and cov must have same length: {mean.size} and {cov.shape[0]}")
    if method == "cholesky":
        root = linalg.cholesky(cov)
    else:
        if method == "eigh":
            values, vectors = linalg.eigh(cov)
        else:
            _, values, right = linalg.svd(cov)
            vectors = right.T
        root = F.multiply(vectors, F.sqrt(F.maximum(values, 0)))
        if check_valid != "ignore":
            again = linalg.matmul(root, root.T)
            off = float(F.maximum.reduce(F.absolute(F.subtract(again, cov)), axis=None))
            scale = float(F.maximum.reduce(F.absolute(cov), axis=None))
            if off > tol * max(1.0, scale):
                text = "covariance is not symmetric positive-semidefinite."
                if check_valid == "raise":
                    raise ValueError(text)
                warnings.warn(text, RuntimeWarning, stacklevel=3)
    shape = shape_of(size)
    x = rng.standard_normal((math.prod(shape), mean.size), dtype)
    found = linalg.matmul(x, root.astype(dtype, copy=False).T)
    return F.add(found, mean).reshape((*shape, mean.size))

"""`Generator`: NumPy's distributions on the device."""

import math
import operator

import numpy as np

from pyasc._core.array import copy_values, ndarray
from pyasc._core.call import call
from pyasc._philox import Philox, shape_of, signed
from pyasc._views import broadcast_to, normalize_axis
from pyasc.creation import asarray
from pyasc.ops import F
from pyasc.random import _draws, _whole
from pyasc.random._draws import FLOAT64, parameters, require, spread
from pyasc.rearrange import select_axis

NEGATIVE, NOT_POSITIVE = (F.less, 0), (F.less_equal, 0)


def _deliver(found, out, size, dtype):
    if out is None:
        return found
    if out.dtype != found.dtype:
        raise TypeError(
            f"Supplied output array has the wrong type. Expected {found.dtype}, got {out.dtype}"
        )
    if size is not None and shape_of(size) != out.shape:
        raise ValueError(f"size {shape_of(size)} does not match the shape of out, {out.shape}")
    copy_values(out, found)
    return out


# Distributions that are a formula of one uniform number in (0, 1]: name, signature, what is refused, formula. Those of
# NumPy's documentation, inverted; parameters beyond loc and scale come first.
def _laplace(u, loc, scale):
    centred = F.subtract(u, 0.5)
    size = F.negative(F.log(F.maximum(F.subtract(1, F.multiply(F.absolute(centred), 2)), 1e-30)))
    return F.add(loc, F.multiply(scale, F.copysign(size, centred)))


def _triangular(u, left, mode, right):
    base = F.subtract(right, left)
    ratio = F.divide(F.subtract(mode, left), base)
    low = F.add(left, F.sqrt(F.multiply(u, F.multiply(base, F.subtract(mode, left)))))
    high = F.subtract(
        right, F.sqrt(F.multiply(F.subtract(1, u), F.multiply(base, F.subtract(right, mode))))
    )
    return F.where(F.less_equal(u, ratio), low, high)


def _logistic(u, loc, scale):
    inside = F.minimum(u, 1 - 2.0**-24)
    return F.add(loc, F.multiply(scale, F.log(F.divide(inside, F.subtract(1, inside)))))


_SCALE = {"scale": (NEGATIVE, "scale < 0")}
INVERTED = {
    "exponential": (("scale",), (1.0,), _SCALE, lambda u, s: F.multiply(F.negative(F.log(u)), s)),
    "laplace": (("loc", "scale"), (0.0, 1.0), _SCALE, _laplace),
    "gumbel": (
        ("loc", "scale"), (0.0, 1.0), _SCALE,
        lambda u, loc, s: F.subtract(loc, F.multiply(s, F.log(F.maximum(F.negative(F.log(u)), 1e-30)))),
    ),
    "logistic": (("loc", "scale"), (0.0, 1.0), _SCALE, _logistic),
    "rayleigh": (("scale",), (1.0,), _SCALE, lambda u, s: F.multiply(s, F.sqrt(F.multiply(F.log(u), -2)))),
    "weibull": (
        ("a",), (None,), {"a": (NEGATIVE, "a < 0")}, lambda u, a: F.power(F.negative(F.log(u)), F.divide(1, a))
    ),
    "pareto": (
        ("a",), (None,), {"a": (NOT_POSITIVE, "a <= 0")}, lambda u, a: F.expm1(F.divide(F.negative(F.log(u)), a))
    ),
    "power": (("a",), (None,), {"a": (NOT_POSITIVE, "a <= 0")}, lambda u, a: F.power(u, F.divide(1, a))),
}  # fmt: skip


def _inverted(name):
    names, defaults, limits, formula = INVERTED[name]

    def method(self, *args, size=None, dtype=None, **kwargs):
        if len(args) == len(names) + 1:
            *args, size = args
        given = dict(zip(names, defaults, strict=True))
        given.update(zip(names, args, strict=False))
        for key in kwargs:
            if key not in names:
                raise TypeError(f"{name}() got an unexpected keyword argument {key!r}")
        given.update(kwargs)
        if None in given.values():
            missing = [k for k, v in given.items() if v is None]
            raise TypeError(f"{name}() missing required argument: {', '.join(missing)}")
        dtype = _draws.float_dtype(dtype)
        shape, *values = parameters(size, dtype, **given)
        for key, value in zip(names, values, strict=True):
            if key in limits:
                require(value, *limits[key])
        return formula(_draws.open_uniform(self.bit_generator, shape, dtype), *values)

    shown = ", ".join(n if d is None else f"{n}={d}" for n, d in zip(names, defaults, strict=True))
    method.__name__ = name
    method.__doc__ = (
        f"{name}({shown}, size=None): as `numpy.random.Generator.{name}`, by inverting its distribution function.\n\n"
        "``dtype``, float32 or float64, is the default float by default."
    )
    return method


class Generator:
    """Random numbers from a bit generator, with the methods of `numpy.random.Generator`; the results are device arrays.

    Floats have the default float, or the ``dtype`` asked for; whole numbers are int64. The numbers are not NumPy's.

    Parameters
    ----------
    bit_generator : Philox
    """

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, Philox):
            raise TypeError(
                f"bit_generator must be pyasc.random.Philox, not {type(bit_generator).__name__}: bits are made on the "
                "device"
            )
        self._bits = bit_generator

    @property
    def bit_generator(self):
        return self._bits

    def __repr__(self):
        return "Generator(Philox)"

    def __reduce__(self):
        return Generator, (self._bits,)

    def spawn(self, n_children):
        """Independent generators."""
        return [Generator(b) for b in self._bits.spawn(n_children)]

    # ---- the plain ones

    def random(self, size=None, dtype=None, out=None):
        """Uniform in [0, 1)."""
        shape = shape_of(size) if size is not None or out is None else out.shape
        dtype = _draws.float_dtype(dtype if dtype is not None or out is None else out.dtype)
        return _deliver(_draws.uniform(self._bits, shape, dtype), out, size, dtype)

    def standard_normal(self, size=None, dtype=None, out=None):
        """Normal with mean 0 and standard deviation 1."""
        shape = shape_of(size) if size is not None or out is None else out.shape
        dtype = _draws.float_dtype(dtype if dtype is not None or out is None else out.dtype)
        return _deliver(_draws.normal(self._bits, shape, dtype), out, size, dtype)

    def standard_exponential(self, size=None, dtype=None, method="zig", out=None):
        """Exponential with mean 1; ``method`` is checked and makes no difference."""
        if method not in ("zig", "inv"):
            raise ValueError(f"method must be 'zig' or 'inv', not {method!r}")
        shape = shape_of(size) if size is not None or out is None else out.shape
        dtype = _draws.float_dtype(dtype if dtype is not None or out is None else out.dtype)
        return _deliver(_draws.exponential(self._bits, shape, dtype), out, size, dtype)

    def standard_cauchy(self, size=None, dtype=None):
        """Cauchy: the tangent of a uniform angle."""
        u = self.random(size, dtype)
        return F.tan(F.multiply(F.subtract(u, 0.5), math.pi))

    def uniform(self, low=0.0, high=1.0, size=None, dtype=None):
        """Uniform in [low, high)."""
        dtype = _draws.float_dtype(dtype)
        shape, low, high = parameters(size, dtype, low=low, high=high)
        reach = (
            F.subtract(high, low)
            if isinstance(high, ndarray) or isinstance(low, ndarray)
            else high - low
        )
        if not isinstance(reach, ndarray):
            if not math.isfinite(reach):
                raise OverflowError("high - low range exceeds valid bounds")
            if reach < 0:
                raise ValueError("low > high")
        else:
            if not bool(F.isfinite(reach).all()):
                raise OverflowError("high - low range exceeds valid bounds")
            require(reach, NEGATIVE, "low > high")
        u = _draws.uniform(self._bits, shape, dtype)
        return F.add(low, F.multiply(u, reach))

    def normal(self, loc=0.0, scale=1.0, size=None, dtype=None):
        """Normal with mean ``loc`` and standard deviation ``scale``."""
        dtype = _draws.float_dtype(dtype)
        shape, loc, scale = parameters(size, dtype, loc=loc, scale=scale)
        require(scale, NEGATIVE, "scale < 0")
        return F.add(loc, F.multiply(_draws.normal(self._bits, shape, dtype), scale))

    def lognormal(self, mean=0.0, sigma=1.0, size=None, dtype=None):
        """The exponential of a normal number."""
        _, _, checked = parameters(None, FLOAT64, mean=mean, sigma=sigma)
        require(checked, NEGATIVE, "sigma < 0")
        return F.exp(self.normal(mean, sigma, size, dtype))

    exponential = _inverted("exponential")
    laplace = _inverted("laplace")
    gumbel = _inverted("gumbel")
    logistic = _inverted("logistic")
    rayleigh = _inverted("rayleigh")
    weibull = _inverted("weibull")
    pareto = _inverted("pareto")
    power = _inverted("power")

    def triangular(self, left, mode, right, size=None, dtype=None):
        """Triangular between ``left`` and ``right`` with its peak at ``mode``."""
        dtype = _draws.float_dtype(dtype)
        shape, left, mode, right = parameters(size, dtype, left=left, mode=mode, right=right)
        for low, high, text in ((left, mode, "left > mode"), (mode, right, "mode > right")):
            require(F.subtract(high, low) if isinstance(high, ndarray) or isinstance(low, ndarray) else high - low,
                    NEGATIVE, text)  # fmt: skip
        reach = (
            F.subtract(right, left)
            if isinstance(right, ndarray) or isinstance(left, ndarray)
            else right - left
        )
        require(reach, (F.equal, 0), "left == right")
        u = _draws.uniform(self._bits, shape, dtype)
        return _triangular(u, *(spread(v, shape, dtype) for v in (left, mode, right)))

    # ---- made of gamma

    def _gamma(self, size, dtype, **given):
        dtype = _draws.float_dtype(dtype)
        shape, *values = parameters(size, dtype, **given)
        return shape, dtype, values

    def standard_gamma(self, shape, size=None, dtype=None, out=None):
        """Gamma with the given shape and scale 1."""
        full, dtype, (alpha,) = self._gamma(size, dtype, shape=shape)
        require(alpha, NEGATIVE, "shape < 0")
        found = _draws.gamma(self._bits, full, spread(alpha, full, dtype), dtype)
        return _deliver(found, out, size, dtype)

    def gamma(self, shape, scale=1.0, size=None, dtype=None):
        """Gamma with the given shape and scale."""
        full, dtype, (alpha, scale) = self._gamma(size, dtype, shape=shape, scale=scale)
        require(alpha, NEGATIVE, "shape < 0")
        require(scale, NEGATIVE, "scale < 0")
        return F.multiply(_draws.gamma(self._bits, full, spread(alpha, full, dtype), dtype), scale)

    def beta(self, a, b, size=None, dtype=None):
        """Beta: X / (X + Y) of two gamma numbers, in logarithms."""
        full, dtype, (a, b) = self._gamma(size, dtype, a=a, b=b)
        require(a, NOT_POSITIVE, "a <= 0")
        require(b, NOT_POSITIVE, "b <= 0")
        x = _draws.log_gamma(self._bits, full, spread(a, full, dtype), dtype)
        y = _draws.log_gamma(self._bits, full, spread(b, full, dtype), dtype)
        return F.divide(1, F.add(F.exp(F.subtract(y, x)), 1))

    def chisquare(self, df, size=None, dtype=None):
        """Chi-square with ``df`` degrees of freedom: twice a gamma number of shape df / 2."""
        full, dtype, (df,) = self._gamma(size, dtype, df=df)
        require(df, NOT_POSITIVE, "df <= 0")
        return self._chisquare(full, df, dtype)

    def _chisquare(self, shape, df, dtype):
        half = F.multiply(spread(df, shape, dtype), 0.5)
        return F.multiply(_draws.gamma(self._bits, shape, half, dtype), 2)

    def f(self, dfnum, dfden, size=None, dtype=None):
        """Fisher's F: the ratio of two chi-square numbers over their degrees of freedom."""
        full, dtype, (m, n) = self._gamma(size, dtype, dfnum=dfnum, dfden=dfden)
        require(m, NOT_POSITIVE, "dfnum <= 0")
        require(n, NOT_POSITIVE, "dfden <= 0")
        top, bottom = self._chisquare(full, m, dtype), self._chisquare(full, n, dtype)
        return F.divide(F.divide(top, m), F.divide(bottom, n))

    def standard_t(self, df, size=None, dtype=None):
        """Student's t: normal over the root of chi-square over its degrees of freedom."""
        full, dtype, (df,) = self._gamma(size, dtype, df=df)
        require(df, NOT_POSITIVE, "df <= 0")
        x = _draws.normal(self._bits, full, dtype)
        return F.divide(x, F.sqrt(F.divide(self._chisquare(full, df, dtype), df)))

    def noncentral_chisquare(self, df, nonc, size=None, dtype=None):
        """Noncentral chi-square: chi-square with twice a Poisson number of degrees of freedom more."""
        full, dtype, (df, nonc) = self._gamma(size, dtype, df=df, nonc=nonc)
        require(df, NOT_POSITIVE, "df <= 0")
        require(nonc, NEGATIVE, "nonc < 0")
        return self._noncentral(full, df, nonc, dtype)

    def _noncentral(self, shape, df, nonc, dtype):
        more = _draws.poisson(self._bits, shape, F.multiply(spread(nonc, shape, FLOAT64), 0.5))
        total = F.add(spread(df, shape, dtype), F.multiply(more.astype(dtype), 2))
        return self._chisquare(shape, total, dtype)

    def noncentral_f(self, dfnum, dfden, nonc, size=None, dtype=None):
        """Noncentral F."""
        full, dtype, (m, n, nonc) = self._gamma(size, dtype, dfnum=dfnum, dfden=dfden, nonc=nonc)
        require(m, NOT_POSITIVE, "dfnum <= 0")
        require(n, NOT_POSITIVE, "dfden <= 0")
        require(nonc, NEGATIVE, "nonc < 0")
        top = self._noncentral(full, m, nonc, dtype)
        return F.divide(F.divide(top, m), F.divide(self._chisquare(full, n, dtype), n))

    def dirichlet(self, alpha, size=None, dtype=None):
        """Dirichlet: gamma numbers over their sum. Shape ``size`` and a last axis of the length of ``alpha``."""
        dtype = _draws.float_dtype(dtype)
        alpha = asarray(alpha).astype(dtype, copy=False)
        if alpha.ndim != 1:
            raise ValueError(f"alpha must be a one-dimensional array, not of shape {alpha.shape}")
        require(alpha, NOT_POSITIVE, "alpha < 0")
        shape = (*shape_of(size), alpha.size)
        logs = _draws.log_gamma(self._bits, shape, broadcast_to(alpha, shape), dtype)
        parts = F.exp(F.subtract(logs, F.maximum.reduce(logs, axis=-1, keepdims=True)))
        return F.divide(parts, F.add.reduce(parts, axis=-1, keepdims=True))

    # ---- the rest of the continuous ones

    def wald(self, mean, scale, size=None, dtype=None):
        """Wald, or inverse Gaussian (Michael, Schucany and Haas, The American Statistician 30, 1976)."""
        dtype = _draws.float_dtype(dtype)
        shape, mean, scale = parameters(size, dtype, mean=mean, scale=scale)
        require(mean, NOT_POSITIVE, "mean <= 0")
        require(scale, NOT_POSITIVE, "scale <= 0")
        y = _draws.normal(self._bits, shape, FLOAT64)
        u = _draws.uniform(self._bits, shape, FLOAT64)
        mean, scale = spread(mean, shape, FLOAT64), spread(scale, shape, FLOAT64)
        w = F.multiply(mean, F.multiply(y, y))
        root = F.sqrt(F.add(F.multiply(F.multiply(scale, 4), w), F.multiply(w, w)))
        # the smaller root of the quadratic, without the difference of two large numbers
        x = F.divide(
            F.multiply(F.multiply(mean, scale), 2), F.add(F.add(F.multiply(scale, 2), w), root)
        )
        first = F.less_equal(u, F.divide(mean, F.add(mean, x)))
        return F.where(first, x, F.divide(F.multiply(mean, mean), x)).astype(dtype, copy=False)

    def vonmises(self, mu, kappa, size=None, dtype=None):
        """Von Mises (Best and Fisher, Efficient Simulation of the von Mises Distribution, Appl. Stat. 28, 1979)."""
        dtype = _draws.float_dtype(dtype)
        shape, mu, kappa = parameters(size, dtype, mu=mu, kappa=kappa)
        require(kappa, NEGATIVE, "kappa < 0")
        wide = F.maximum(spread(kappa, shape, FLOAT64), 1e-6)
        root = F.add(F.sqrt(F.add(F.multiply(F.multiply(wide, wide), 4), 1)), 1)
        rho = F.divide(F.subtract(root, F.sqrt(F.multiply(root, 2))), F.multiply(wide, 2))
        r = F.divide(F.add(F.multiply(rho, rho), 1), F.multiply(rho, 2))

        def propose(shape, kappa, r):
            u, v, sign = (_draws.open_uniform(self._bits, shape, FLOAT64) for _ in range(3))
            z = F.cos(F.multiply(u, math.pi))
            cosine = F.divide(F.add(F.multiply(r, z), 1), F.add(r, z))
            c = F.multiply(kappa, F.subtract(r, cosine))
            quick = F.greater(F.multiply(c, F.subtract(2, c)), v)
            slow = F.greater_equal(F.add(F.log(F.divide(c, v)), 1), c)
            angle = F.arccos(F.minimum(F.maximum(cosine, -1), 1))
            return F.where(F.less(sign, 0.5), F.negative(angle), angle), F.logical_or(quick, slow)

        angle = _draws.until_accepted(shape, FLOAT64, (wide, r), propose)
        turned = F.add(angle, mu)
        turn = 2 * math.pi
        return F.subtract(F.remainder(F.add(turned, math.pi), turn), math.pi).astype(
            dtype, copy=False
        )

    def multivariate_normal(
        self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd", dtype=None
    ):
        """Normal vectors with the given mean and covariance.

        Parameters
        ----------
        mean : (N,) array_like
        cov : (N, N) array_like
        size : int or tuple of int, optional
        check_valid : {"warn", "raise", "ignore"}, optional
            What happens if the covariance is not symmetric and positive semidefinite.
        tol : float, optional
            How far it may be off.
        method : {"svd", "eigh", "cholesky"}, optional
            How its root is taken.
        dtype : dtype, optional

        Returns
        -------
        ndarray
            Shape ``size`` and a last axis of length N.
        """
        return _whole.multivariate_normal(self, mean, cov, size, check_valid, tol, method, dtype)

    # ---- whole numbers

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Whole numbers in [low, high), with ``endpoint`` in [low, high]; with one argument from 0."""
        return _whole.integers(self._bits, low, high, size, dtype, endpoint)

    def bytes(self, length):
        """Random bytes, on the host."""
        count = operator.index(length)
        if count < 0:
            raise ValueError("negative dimensions are not allowed")
        return self._bits.random_raw(-(-count // 8)).numpy().tobytes()[:count]

    def poisson(self, lam=1.0, size=None):
        """Poisson with mean ``lam``."""
        return _whole.poisson(self._bits, lam, size)

    def binomial(self, n, p, size=None):
        """How many of ``n`` trials succeed, each with probability ``p``."""
        return _whole.binomial(self._bits, n, p, size)

    def negative_binomial(self, n, p, size=None):
        """Failures before ``n`` successes: Poisson of a gamma number."""
        shape, n, p = parameters(size, FLOAT64, n=n, p=p)
        require(n, NOT_POSITIVE, "n <= 0")
        require(p, NOT_POSITIVE, "p <= 0 or p > 1")
        require(p, (F.greater, 1), "p <= 0 or p > 1")
        n, p = spread(n, shape, FLOAT64), spread(p, shape, FLOAT64)
        mean = F.multiply(
            _draws.gamma(self._bits, shape, n, FLOAT64), F.divide(F.subtract(1, p), p)
        )
        return _draws.poisson(self._bits, shape, mean)

    def geometric(self, p, size=None):
        """The trial of the first success, each with probability ``p``; from 1."""
        shape, p = parameters(size, FLOAT64, p=p)
        require(p, NOT_POSITIVE, "p <= 0, p > 1 or p contains NaNs")
        require(p, (F.greater, 1), "p <= 0, p > 1 or p contains NaNs")
        u = _draws.open_uniform(self._bits, shape, FLOAT64)
        found = F.ceil(F.divide(F.log(u), F.log1p(F.negative(spread(p, shape, FLOAT64)))))
        return F.minimum(F.maximum(found, 1), 2.0**62).astype(np.int64)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        """How many of ``nsample`` drawn without replacement are good."""
        return _whole.hypergeometric(self._bits, ngood, nbad, nsample, size)

    def logseries(self, p, size=None):
        """Logarithmic series (Kemp, Efficient Generation of Logarithmically Distributed Variables, 1981)."""
        return _whole.logseries(self._bits, p, size)

    def zipf(self, a, size=None):
        """Zipf (Devroye, Non-Uniform Random Variate Generation, 1986, section X.6)."""
        return _whole.zipf(self._bits, a, size)

    def multinomial(self, n, pvals, size=None):
        """How often each outcome occurs in ``n`` trials with probabilities ``pvals``, along a last axis."""
        return _whole.multinomial(self._bits, n, pvals, size)

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        """How many of each color are among ``nsample`` drawn without replacement, along a last axis."""
        return _whole.multivariate_hypergeometric(self._bits, colors, nsample, size, method)

    # ---- orders and samples

    def permutation(self, x, axis=0):
        """A shuffled copy along an axis; of a number, the numbers below it shuffled."""
        if isinstance(x, (int, np.integer)):
            return self._order(operator.index(x))
        x = asarray(x)
        axis = normalize_axis(axis, x.ndim)
        return select_axis(x, axis, self._order(x.shape[axis]))

    def _order(self, n):
        out = ndarray((n,), np.int64)
        if n:
            key, position = self._bits.take(4 * n)
            call("aclnnRandperm", n, signed(key), signed(position), out)
        return out

    def shuffle(self, x, axis=0):
        """Shuffle an array along an axis, in place."""
        if not isinstance(x, ndarray):
            raise TypeError(
                f"shuffle needs an array of pyasc's to change, not {type(x).__name__}; see permutation"
            )
        axis = normalize_axis(axis, x.ndim)
        x[...] = select_axis(x, axis, self._order(x.shape[axis]))

    def permuted(self, x, axis=None, out=None):
        """A copy with the elements along an axis shuffled, each row by itself; all of them by default."""
        from pyasc.sorting import argsort, gather

        x = asarray(x)
        if axis is None:
            found = select_axis(x.reshape(-1), 0, self._order(x.size)).reshape(x.shape)
        else:
            axis = normalize_axis(axis, x.ndim)
            found = gather(x, argsort(_draws.uniform(self._bits, x.shape, FLOAT64), axis), axis)
        if out is None:
            return found
        out[...] = found
        return out

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Random elements of an array, or numbers below ``a``.

        Parameters
        ----------
        a : array_like or int
        size : int or tuple of int, optional
        replace : bool, optional
            Whether an element may be taken more than once.
        p : array_like, optional
            Probability of each element; all the same by default.
        axis : int, optional
            Along which to take.
        shuffle : bool, optional
            Whether the order must be random too when nothing is taken twice; it is.

        Returns
        -------
        ndarray
        """
        return _whole.choice(self, a, size, replace, p, axis)


def default_rng(seed=None):
    """A new `Generator`.

    Parameters
    ----------
    seed : None, int, array_like of int, SeedSequence, Philox or Generator, optional
        None: from the operating system; a generator is returned as it is.
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, Philox) else Philox(seed))

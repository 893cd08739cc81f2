"""The functions that stood in `numpy.random` before generators: `RandomState` and those of one that all share."""

import numpy as np

from pyasc import _random
from pyasc._philox import Philox
from pyasc.creation import asarray
from pyasc.random._generator import Generator


class RandomState(Generator):
    """A generator with NumPy's older names.

    Parameters
    ----------
    seed : None, int, array_like of int, SeedSequence or Philox, optional
    """

    def __init__(self, seed=None):
        super().__init__(seed if isinstance(seed, Philox) else Philox(seed))

    def __reduce__(self):
        return RandomState, (self._bits,)

    def seed(self, seed=None):
        """Start again from a seed."""
        self._bits.restart(seed)

    def get_state(self, legacy=False):
        """The state, as a dict."""
        return self._bits.state

    def set_state(self, state):
        """Go on from a state that `get_state` returned."""
        self._bits.state = state

    def rand(self, *shape):
        """Uniform in [0, 1), of shape ``shape``."""
        return self.random(shape or None)

    def randn(self, *shape):
        """Standard normal, of shape ``shape``."""
        return self.standard_normal(shape or None)

    def randint(self, low, high=None, size=None, dtype=np.int64):
        """Whole numbers in [low, high)."""
        return self.integers(low, high, size, dtype)

    def random_integers(self, low, high=None, size=None):
        """Whole numbers in [low, high], from 1 with one argument."""
        low, high = (1, low) if high is None else (low, high)
        return self.integers(low, high, size, endpoint=True)

    def random_sample(self, size=None):
        """Uniform in [0, 1)."""
        return self.random(size)

    def tomaxint(self, size=None):
        """Whole numbers from 0 to the largest int64."""
        return self.integers(0, 2**63 - 1, size, endpoint=True)

    def choice(self, a, size=None, replace=True, p=None):
        """Random elements of a vector, or numbers below ``a``."""
        if not isinstance(a, (int, np.integer)) and asarray(a).ndim != 1:
            raise ValueError("a must be 1-dimensional or an integer")
        return super().choice(a, size, replace, p)


shared = RandomState(_random.stream)

NAMES = (
    "beta", "binomial", "bytes", "chisquare", "choice", "dirichlet", "exponential", "f", "gamma", "geometric",
    "get_state", "gumbel", "hypergeometric", "laplace", "logistic", "lognormal", "logseries", "multinomial",
    "multivariate_normal", "negative_binomial", "noncentral_chisquare", "noncentral_f", "normal", "pareto",
    "permutation", "poisson", "power", "rand", "randint", "randn", "random", "random_integers", "random_sample",
    "rayleigh", "seed", "set_state", "shuffle", "standard_cauchy", "standard_exponential", "standard_gamma",
    "standard_normal", "standard_t", "triangular", "uniform", "vonmises", "wald", "weibull", "zipf",
)  # fmt: skip
FUNCTIONS = {name: getattr(shared, name) for name in NAMES}
FUNCTIONS["ranf"] = FUNCTIONS["sample"] = shared.random_sample

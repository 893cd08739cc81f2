"""Random numbers on the device: `default_rng`, `Generator`, and NumPy's older functions.

Numbers come from Philox by counter: the same seed gives the same numbers whatever the number of threads and devices and
the layout of arrays. They are not the numbers that NumPy draws from the same seed.
"""

from numpy.random import SeedSequence

from pyasc._philox import Philox
from pyasc.random._generator import Generator, default_rng
from pyasc.random._legacy import FUNCTIONS as _FUNCTIONS
from pyasc.random._legacy import RandomState

globals().update(_FUNCTIONS)
__all__ = ["Generator", "Philox", "RandomState", "SeedSequence", "default_rng", *_FUNCTIONS]

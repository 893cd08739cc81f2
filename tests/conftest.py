"""What all tests share: both settings of the default dtype, comparison with NumPy, no silent transfers."""

import os

os.environ.setdefault("PYASC_BACKEND", "embedded")

import numpy as np
import pytest

import pyasc

pyasc.config.host_path = "allow"


@pytest.fixture
def float64_default():
    """NumPy's own default float for one test."""
    pyasc.set_default_dtype("float64")
    yield
    pyasc.set_default_dtype("float32")


@pytest.fixture
def rng():
    return np.random.default_rng(20261201)

"""What all tests share: both settings of the default dtype, comparison with NumPy, no silent transfers."""

import os

os.environ.setdefault("PYASC_BACKEND", "embedded")

import numpy as np
import pytest
from helpers import CHIP

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


@pytest.fixture
def without_the_host():
    """Whatever would run on the host fails in this test; a chip may: it has no eigenvalues (test_routes says what else)."""
    before, pyasc.config.host_path = pyasc.config.host_path, "allow" if CHIP else "error"
    yield
    pyasc.config.host_path = before


@pytest.fixture(params=["own operators", "CANN's operators"])
def linalg_route(request, monkeypatch):
    """Both routes of `pyasc.linalg`: operators beside CANN's, and what is composed of CANN's."""
    from pyasc.linalg import decompositions, eigen, solving

    if CHIP and request.param == "own operators":
        pytest.skip(f"{CHIP} has CANN's operators only")
    if request.param == "CANN's operators":
        for module in (solving, decompositions, eigen):
            monkeypatch.setattr(module, "has_operator", lambda name: name.startswith("aclnn"))

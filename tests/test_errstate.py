"""Floating-point errors: silent by default, NumPy's warnings and exceptions where a program asks for them."""

import warnings

import numpy as np
import pytest

import pyasc

INF, NAN = np.inf, np.nan
CASES = [
    ("divide", [1.0, 2.0], [0.0, 1.0]),
    ("divide", [0.0, 2.0], [0.0, 1.0]),
    ("divide", [1e30, 2.0], [1e-30, 1.0]),
    ("divide", [INF, NAN], [0.0, 1.0]),
    ("reciprocal", [0.0, 1.0]),
    ("log", [0.0, 1.0]),
    ("log", [-1.0, 1.0]),
    ("log1p", [-1.0, 1.0]),
    ("arctanh", [1.0, 0.5]),
    ("sqrt", [-1.0, NAN]),
    ("sqrt", [1.0, NAN]),
    ("exp", [100.0, 1.0]),
    ("exp", [INF, 1.0]),
    ("add", [3e38, 1.0], [3e38, 1.0]),
    ("subtract", [INF, 1.0], [INF, 1.0]),
    ("multiply", [INF, 1.0], [0.0, 1.0]),
    ("power", [0.0, 2.0], [-1.0, 1.0]),
    ("arcsin", [2.0, 0.0]),
    ("remainder", [1.0, 2.0], [0.0, 1.0]),
]


def told(function, *arrays):
    """Texts of the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arrays)
    return sorted(str(w.message) for w in caught if w.category is RuntimeWarning)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_warnings_are_numpys(case):
    name, *values = case
    host = [np.array(v, np.float32) for v in values]
    device = [pyasc.from_numpy(h) for h in host]
    with pyasc.errstate(all="warn", under="ignore", check=True):
        assert told(getattr(np, name), *device) == told(getattr(np, name), *host)
        assert told(getattr(pyasc, name), *device) == told(getattr(np, name), *host)
    with pyasc.errstate(all="warn"):
        assert told(getattr(pyasc, name), *device) == []


def test_integers_and_operators():
    x = pyasc.array([1, 2])
    with pyasc.errstate(all="warn", under="ignore", check=True):
        assert told(lambda: x // 0) == ["divide by zero encountered in floor_divide"]
        assert told(lambda: x % pyasc.array([0, 1])) == ["divide by zero encountered in remainder"]
        assert told(lambda: x / 0) == ["divide by zero encountered in divide"]
        assert told(lambda: 2.0 / pyasc.array([0.0])) == ["divide by zero encountered in divide"]
        assert told(lambda: x + 1) == []


def test_raise_and_what_follows():
    x = pyasc.array([1.0, 0.0])
    with pyasc.errstate(divide="raise", check=True):
        with pytest.raises(FloatingPointError, match="^divide by zero encountered in log$"):
            pyasc.log(x)
        y = pyasc.array([2.0, 0.0])
        with pytest.raises(FloatingPointError):
            y /= y * 0
        with pyasc.errstate(divide="ignore"):
            assert np.isneginf(float(pyasc.log(x)[1]))
    assert np.isneginf(float(pyasc.log(x)[1]))
    assert (pyasc.array([1.0]) + 1).tolist() == [2.0]


def test_settings_are_numpys():
    with pyasc.errstate(over="raise"):
        assert np.geterr()["over"] == "raise"
        with pytest.raises(FloatingPointError):
            np.exp(np.float32(1000))
    called = []
    with pyasc.errstate(
        divide="call", call=lambda kind, flag: called.append((kind, flag)), check=True
    ):
        pyasc.log(pyasc.zeros(2))
    assert called == [("divide by zero", 1)]


def test_as_decorator():
    @pyasc.errstate(invalid="raise", check=True)
    def root(x):
        return pyasc.sqrt(x)

    with pytest.raises(FloatingPointError, match="invalid value encountered in sqrt"):
        root(pyasc.array([-1.0]))
    assert np.isnan(float(pyasc.sqrt(pyasc.array(-1.0))))

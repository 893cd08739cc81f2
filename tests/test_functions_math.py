"""Functions of each element that are not ufuncs, against NumPy."""

import numpy as np
import pytest
from function_cases import agree
from helpers import DTYPES, FLOATS, layouts, sample, specials

import pyasc


@pytest.fixture(autouse=True)
def on_the_device():
    """None of these may run on the host."""
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    implicit = pyasc.transfers().implicit
    yield
    pyasc.config.host_path = before
    assert pyasc.transfers().implicit == implicit


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_complex_parts(dtype, rng):
    for shape in [(5,), (3, 4), (0,), ()]:
        for name, view in layouts(sample(rng, shape, dtype)):
            for function in (np.real, np.imag, np.iscomplex, np.isreal, np.real_if_close):
                agree(function, [view], context=name)
            agree(np.angle, [view], rtol=8, atol=4, context=name)
            agree(np.angle, [view], {"deg": True}, rtol=8, atol=512, context=name)
    x = pyasc.from_numpy(sample(rng, 4, dtype))
    assert np.iscomplexobj(x) == (dtype.kind == "c") and np.isrealobj(x) != np.iscomplexobj(x)
    agree(np.real_if_close, [np.array([1 + 1e-14j, 2])])
    agree(np.real_if_close, [np.array([1 + 1e-3j, 2])])
    agree(np.real_if_close, [np.array([1 + 1e-3j, 2])], {"tol": 1e-2})


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_infinities_and_nans(dtype):
    x = specials(dtype)
    agree(np.isneginf, [x])
    agree(np.isposinf, [x])
    if dtype.kind == "c":
        x = x.copy()
        x[0], x[1], x[2] = complex(np.nan, 1), complex(np.inf, -np.inf), complex(1, np.nan)
    for words in (
        {},
        {"nan": 2.5},
        {"posinf": 7, "neginf": -7},
        {"nan": 1.0, "posinf": 2.0, "neginf": 3.0},
    ):
        agree(np.nan_to_num, [x], words)
        agree(np.nan_to_num, [x.reshape(-1, 1)[::-1]], words)
    d = pyasc.from_numpy(x)
    assert np.nan_to_num(d, copy=False) is d
    np.testing.assert_array_equal(d.numpy(), np.nan_to_num(x))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_rounding(dtype, rng):
    x = np.concatenate([sample(rng, 50, dtype, (-200, 200)), specials(dtype)[:6]])
    if dtype.kind in "fc":
        x = np.concatenate([x, np.array([0.5, 1.5, -2.5, 0.125, 2.675, 1e3], dtype)])
    for decimals in (0, 1, 2, -1, -2):
        if dtype.kind != "c" or decimals == 0:
            agree(np.round, [x], {"decimals": decimals}, context=str(dtype))
        else:
            agree(np.round, [x], {"decimals": decimals}, rtol=4, context=str(dtype))
        agree(np.around, [x], {"decimals": decimals}, rtol=4, context=str(dtype))
    if dtype.kind != "c":
        agree(np.fix, [x])
    if dtype != bool:
        out = pyasc.zeros(x.shape, dtype)
        assert pyasc.from_numpy(x).round(1, out=out) is out


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind != "c"], ids=str)
def test_sinc_and_bessel(dtype, rng):
    x = sample(rng, (3, 50), dtype, (-20, 20))
    agree(np.sinc, [x], rtol=64 if dtype == np.float16 else 16, atol=16, context=str(dtype))
    agree(np.i0, [x], rtol=64, context=str(dtype))
    agree(
        np.i0,
        [x[:, ::2] * (dtype.type(1) if dtype == bool else dtype.type(3))],
        rtol=128,
        context=str(dtype),
    )


def test_bessel_refuses_complex():
    agree(np.i0, [np.array([1j])])


@pytest.mark.parametrize("dtype", [*FLOATS, np.dtype(np.int32)], ids=str)
def test_interp(dtype, rng):
    xp = np.cumsum(rng.uniform(0.5, 1, 12)).astype(np.float32 if dtype != np.float64 else dtype)
    fp = sample(rng, 12, dtype)
    x = np.concatenate([sample(rng, 30, dtype, (-2, 12)), xp.astype(dtype)])
    for words in ({}, {"left": -9, "right": 9.5}, {"period": 5.5}):
        agree(np.interp, [x, xp, fp], words, rtol=64, atol=64, context=str(dtype))
        agree(
            np.interp,
            [x.reshape(-1, 2), xp, fp + 1j * fp[::-1]],
            words,
            rtol=64,
            atol=64,
            context=str(dtype),
        )
    agree(np.interp, [np.array(3.0), xp, fp], rtol=64, atol=64)
    agree(np.interp, [x, xp[:1], fp[:1]], rtol=64, atol=64)
    if dtype.kind == "f":
        wild = np.array([1, np.inf, 2, np.nan, 3], np.float64)
        agree(
            np.interp, [np.array([0.0, 1, 1.5, 2, 4, 3.0, np.nan]), np.arange(5.0), wild], rtol=64
        )
    agree(np.interp, [x, xp, fp[:3]])
    agree(np.interp, [x, xp[:0], fp[:0]])
    agree(np.interp, [x, xp, fp], {"period": 0})


@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "?bBhIlf"], ids=str)
def test_bits(dtype, rng):
    for shape in [(16,), (13,), (3, 9), (2, 0), ()]:
        x = sample(rng, shape, dtype, (0, 2))
        for bitorder in ("big", "little"):
            for axis in [None, *range(len(shape))]:
                agree(np.packbits, [x], {"axis": axis, "bitorder": bitorder})
    x = rng.integers(0, 256, (3, 5)).astype(np.uint8)
    for bitorder in ("big", "little"):
        for axis in (None, 0, -1):
            for count in (None, 3, 17, 130, -3, 0):
                agree(np.unpackbits, [x], {"axis": axis, "bitorder": bitorder, "count": count})
    agree(np.unpackbits, [x.astype(dtype)])
    agree(np.packbits, [x], {"bitorder": "x"})

"""Polynomials on device arrays, against NumPy."""

import numpy as np
import pytest
from helpers import BFLOAT16, by_default, device_twin, layouts, sample

import pyasc

DTYPES = [np.dtype(c) for c in "bBhqefdFD"]


@pytest.fixture
def on_the_device():
    """None of these may run on the host, or copy without being asked."""
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    implicit = pyasc.transfers().implicit
    yield
    pyasc.config.host_path = before
    assert pyasc.transfers().implicit == implicit


def near(found, expected, operands, context, rounding=32):
    """The same type and shape under the default-float rule; values within the rounding of a few operations."""
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected), context
        for f, e in zip(found, expected, strict=True):
            near(f, e, operands, context, rounding)
        return
    expected = by_default(expected, *operands)
    assert isinstance(found, pyasc.ndarray), f"{context}: {type(found)}"
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), context
    eps = float(np.finfo(expected.dtype).eps) if expected.dtype.kind in "fc" else 0
    finite = expected[np.isfinite(expected)]
    size = float(np.abs(finite).max()) if finite.size else 1
    np.testing.assert_allclose(
        found.numpy(), expected, rounding * eps, rounding * eps * max(size, 1), err_msg=context
    )


def check(call, *arrays, context="", rounding=32):
    """One call on NumPy arrays and on their twins: near results, or one class of exceptions."""
    twins = [device_twin(a) if isinstance(a, np.ndarray) else a for a in arrays]
    try:
        with np.errstate(all="ignore"):
            expected = call(*arrays)
    except Exception as error:
        with pytest.raises(type(error)):
            call(*twins)
        return
    near(call(*twins), expected, arrays, context, rounding)


BINARY = {
    "polyadd": np.polyadd, "polysub": np.polysub, "polymul": np.polymul, "polydiv": np.polydiv, "polyval": np.polyval,
}  # fmt: skip
UNARY = {
    "polyder": np.polyder, "polyder 0": lambda p: np.polyder(p, 0), "polyder 3": lambda p: np.polyder(p, 3),
    "polyder -1": lambda p: np.polyder(p, -1), "polyint": np.polyint, "polyint 0": lambda p: np.polyint(p, 0),
    "polyint 3": lambda p: np.polyint(p, 3), "polyint k": lambda p: np.polyint(p, 2, k=[3, 4]),
    "polyint one k": lambda p: np.polyint(p, 2, 5), "polyint few k": lambda p: np.polyint(p, 3, [1, 2]),
    "polyint -1": lambda p: np.polyint(p, -1), "poly": np.poly,
}  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_arithmetic(dtype, rng, on_the_device):
    rounding = 200 if dtype == np.float16 else 32
    for n, m in ((1, 1), (4, 4), (5, 2), (2, 5), (3, 1)):
        a, b = sample(rng, (n,), dtype, (1, 3)), sample(rng, (m,), dtype, (1, 3))
        for (layout, x), (_, y) in zip(layouts(a), layouts(b), strict=True):
            for name, function in BINARY.items():
                context = f"{name} {n} {m} {layout}"
                if name == "polydiv" and dtype == np.float16:
                    continue  # NumPy's own remainder depends on the last digit of a half
                check(function, x, y, context=context, rounding=rounding)
        for name, function in UNARY.items():
            check(function, a, context=f"{name} {n}", rounding=rounding)
    check(np.polyval, sample(rng, (3,), dtype), sample(rng, (2, 3, 4), dtype), rounding=rounding)
    check(np.polyval, sample(rng, (0,), dtype), sample(rng, (4,), dtype))
    check(np.polyadd, sample(rng, (0,), dtype), sample(rng, (4,), dtype))


def test_leading_zeros_and_special_values(on_the_device):
    for a, b in (
        ([0.0, 0, 1, 2], [1.0, 3]),
        ([0.0, 0], [1.0, 2]),
        ([1.0, 5, 6], [1.0, 2]),
        ([1.0, np.nan], [np.inf, 2]),
        ([2.0, 4, 1], [2.0, 4, 1]),
    ):
        x, y = np.array(a), np.array(b)
        for name, function in BINARY.items():
            check(function, x, y, context=f"{name} {a} {b}")
            if name != "polyval":
                check(function, y, x, context=f"{name} {b} {a}")


def test_operands_that_are_not_arrays(rng, on_the_device):
    x = sample(rng, (5,), "f")
    d = pyasc.from_numpy(x)
    near(np.polyval([1, 2, 3], d), np.polyval([1, 2, 3], x), [x], "list")
    near(np.polyval([1.5, -2], d), np.polyval([1.5, -2], x), [x], "floats")
    wide = x.astype("d")
    near(np.polyval([0.1, 0.2], pyasc.from_numpy(wide)), np.polyval([0.1, 0.2], wide), [wide], "d")
    near(np.polyval(d, 2.0), np.polyval(x, 2.0), [x], "number")
    near(np.polyadd(d, [1, 2]), np.polyadd(x, [1, 2]), [x], "polyadd")
    near(np.polymul([1, 2], d), np.polymul([1, 2], x), [x], "polymul")
    assert pyasc.polyder([3, 2, 1]).tolist() == [6, 2]
    assert pyasc.polyint([3, 2, 1]).tolist() == [1, 1, 1, 0]
    assert np.polyval(d.astype(BFLOAT16), d.astype(BFLOAT16)).dtype == BFLOAT16
    p = np.poly1d([1, 2])
    assert np.polyadd(p, d) == np.polyadd(p, x) and isinstance(pyasc.poly1d([1]), np.poly1d)
    assert pyasc.polyval(p, 3) == 5


def test_numpys_own_types(rng, float64_default, on_the_device):
    """With the default float set to float64, results have NumPy's type, whatever went in."""
    for dtype in "qefd":
        x = sample(rng, (4,), dtype, (1, 4))
        for name, call in {
            **UNARY, "list": lambda a: np.polyval([1, 2], a), "polyadd": lambda a: np.polyadd(a, [1.5]),
            "polymul": lambda a: np.polymul([1, 2], a), "polydiv": lambda a: np.polydiv(a, a[:2])[0],
        }.items():  # fmt: skip
            try:
                expected = call(x)
            except ValueError:
                continue
            found = call(pyasc.from_numpy(x))
            assert found.dtype == expected.dtype, f"{name} {dtype}"


def test_poly(on_the_device):
    for zeros in ([1.0, 2, 3], [1j, -1j, 2], [1j, 2], [2.0], []):
        expected = np.poly(np.array(zeros))
        near(pyasc.poly(pyasc.array(zeros)), np.asarray(expected), [], f"poly {zeros}")
    with pytest.raises(ValueError):
        np.poly(pyasc.ones((2, 3)))
    with pytest.raises(ValueError):
        np.poly(pyasc.ones((0, 0)))


def in_order(values):
    return np.sort_complex(
        np.asarray(values.numpy() if isinstance(values, pyasc.ndarray) else values)
    )


ROOTS = [
    [1.0, -6, 11, -6], [0.0, 0, 1, -3, 2, 0, 0], [1.0, 0, 1], [2.0], [0.0, 0], [], [3.0, 0], [1, -3, 2], [1, 2j, 3],
]  # fmt: skip


def test_roots_and_matrices():
    """The eigenvalues may come from the host."""
    for p in ROOTS:
        found, expected = np.roots(pyasc.array(np.array(p))), np.roots(np.array(p))
        assert found.shape == expected.shape, p
        np.testing.assert_allclose(in_order(found), in_order(expected), 1e-4, 1e-5)
    matrix = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]])
    np.testing.assert_allclose(np.poly(pyasc.from_numpy(matrix)).numpy(), np.poly(matrix), 1e-6)
    with pytest.raises(ValueError, match="rank-1"):
        np.roots(pyasc.ones((2, 2)))


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_polyfit(dtype, rng):
    """The solution of the least-squares problem may come from the host."""
    x = np.linspace(-1, 2, 40).astype(dtype)
    y = (2 * x**3 - x + 0.5 + 0.01 * rng.standard_normal(40)).astype(dtype)
    many = np.stack([y, y * 2 + 1], 1)
    w = rng.uniform(0.5, 2, 40).astype(dtype)
    d, e, m, v = map(pyasc.from_numpy, (x, y, many, w))
    tolerance = 1e-3 if dtype == "f" else 1e-9

    def alike(found, expected):
        if isinstance(expected, tuple):
            assert len(found) == len(expected)
            for f, g in zip(found, expected, strict=True):
                alike(f, g)
            return
        found = found.numpy() if isinstance(found, pyasc.ndarray) else found
        assert np.shape(found) == np.shape(expected)
        np.testing.assert_allclose(found, expected, tolerance, tolerance)

    for words in ({}, {"full": True}, {"cov": True}, {"cov": "unscaled"}):
        alike(np.polyfit(d, e, 3, **words), np.polyfit(x, y, 3, **words))
        alike(np.polyfit(d, m, 3, **words), np.polyfit(x, many, 3, **words))
        alike(np.polyfit(d, e, 3, w=v, **words), np.polyfit(x, y, 3, w=w, **words))
    assert np.polyfit(d, e, 2).dtype == dtype
    with pytest.warns(np.exceptions.RankWarning):
        np.polyfit(pyasc.ones(5), pyasc.ones(5), 3)


def test_polyfit_refuses():
    x = np.ones(4, "f")
    for call in (
        lambda a: np.polyfit(a, a, -1), lambda a: np.polyfit(a[None], a, 1), lambda a: np.polyfit(a[:0], a[:0], 1),
        lambda a: np.polyfit(a, a[None, None], 1), lambda a: np.polyfit(a, a[:2], 1),
        lambda a: np.polyfit(a, a, 1, w=a[None]), lambda a: np.polyfit(a, a, 1, w=a[:2]),
    ):  # fmt: skip
        check(call, x)
    d = pyasc.arange(4)
    with pytest.raises(ValueError, match="number of data points"):
        np.polyfit(d, d, 3, cov=True)

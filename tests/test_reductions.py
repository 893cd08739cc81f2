"""Reductions against NumPy: types, axes, layouts, empty arrays, special values, errors."""

import numpy as np
import pytest
from helpers import DTYPES, device_twin, layouts, same, sample

import pyasc

NAMES = ["sum", "prod", "max", "min", "mean", "all", "any"]
AXES = [None, 0, 1, -1, (0, 1), (0, 2), (), (0, 1, 2)]
LOW = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}


def expected_of(name, x, **kwargs):
    """NumPy's result, in the default float where nobody asked for float64."""
    with np.errstate(all="ignore"):
        found = np.asarray(getattr(np, name)(x, **kwargs))
    if found.dtype in LOW and x.dtype not in LOW and "dtype" not in kwargs:
        found = found.astype(LOW[found.dtype])
    return found


def close_enough(found, expected, context):
    """Sums in another order: as near as the type allows."""
    assert found.dtype == expected.dtype and found.shape == expected.shape, (
        context,
        found.dtype,
        found.shape,
        expected.dtype,
        expected.shape,
    )
    if expected.dtype.kind in "fc":
        eps = np.finfo(expected.dtype).eps
        np.testing.assert_allclose(
            found.numpy(), expected, rtol=60 * eps, atol=60 * eps, err_msg=context
        )
    else:
        same(found, expected, context=context)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_axes(name, dtype, rng):
    x = sample(rng, (3, 4, 5), dtype, (0, 2))
    d = pyasc.from_numpy(x)
    for axis in AXES:
        for keepdims in (False, True):
            expected = expected_of(name, x, axis=axis, keepdims=keepdims)
            close_enough(
                getattr(np, name)(d, axis=axis, keepdims=keepdims),
                expected,
                f"{name} {dtype} {axis}",
            )
    close_enough(getattr(d, name)(), expected_of(name, x), f"{name} method")


@pytest.mark.parametrize("name", [*NAMES, "argmax", "argmin"])
def test_layouts(name, rng):
    for dtype in (np.float32, np.int64, np.int8, bool):
        x = sample(rng, (6, 7), dtype, (0, 3))
        for layout, view in layouts(x):
            for axis in (None, 0, 1):
                found = getattr(pyasc, name)(device_twin(view), axis=axis)
                close_enough(
                    found, expected_of(name, view, axis=axis), f"{name} {dtype} {layout} {axis}"
                )


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_positions(name):
    for values in ([1.0, 3, 3, -1], [np.nan, 1, np.nan], [-np.inf, np.inf], [2, 2, 2]):
        x = np.array(values, np.float32)
        same(getattr(np, name)(pyasc.from_numpy(x)), np.asarray(getattr(np, name)(x)))
    x = np.array([[3, 1], [3, 9], [0, 1]])
    for axis in (0, 1, None):
        for keep in (False, True):
            found = getattr(np, name)(pyasc.from_numpy(x), axis=axis, keepdims=keep)
            same(found, np.asarray(getattr(np, name)(x, axis=axis, keepdims=keep)))


@pytest.mark.parametrize("name", NAMES)
def test_special_values(name):
    for values in ([1, np.nan, 2], [np.inf, -np.inf, 1], [0.0, -0.0], [np.inf, 1, 2]):
        x = np.array(values, np.float32)
        same(
            getattr(pyasc, name)(pyasc.from_numpy(x)),
            expected_of(name, x),
            ulp=1,
            context=f"{name} {values}",
        )


@pytest.mark.parametrize("name", NAMES)
def test_empty(name):
    x = np.zeros((0, 3), np.float32)
    d = pyasc.from_numpy(x)
    for axis in (None, 0, 1):
        try:
            with (
                np.errstate(all="ignore"),
                pytest.warns() if name == "mean" and axis != 1 else np.errstate(),
            ):
                expected = np.asarray(getattr(np, name)(x, axis=axis))
        except ValueError:
            with pytest.raises(ValueError, match="zero-size array"):
                getattr(pyasc, name)(d, axis=axis)
            continue
        same(getattr(pyasc, name)(d, axis=axis), expected)


def test_arguments(rng):
    x, mask = sample(rng, (4, 5), np.float32), sample(rng, (4, 5), bool)
    d, m = pyasc.from_numpy(x), pyasc.from_numpy(mask)
    close_enough(np.sum(d, where=m), np.asarray(np.sum(x, where=mask)), "where")
    close_enough(np.sum(d, initial=3), np.asarray(np.sum(x, initial=np.float32(3))), "initial")
    close_enough(
        np.max(d, axis=0, where=m, initial=-9),
        np.max(x, axis=0, where=mask, initial=-9),
        "max where",
    )
    close_enough(np.mean(d, axis=1, where=m | True), np.mean(x, axis=1), "mean where")
    close_enough(np.sum(d, dtype=np.float64), np.asarray(np.sum(x, dtype=np.float64)), "dtype")
    out = pyasc.zeros(5)
    assert np.sum(d, axis=0, out=out) is out
    close_enough(out, np.sum(x, axis=0), "out")
    with pytest.raises(ValueError, match="wrong shape"):
        np.sum(d, axis=0, out=pyasc.zeros(4))
    with pytest.raises(np.exceptions.AxisError):
        np.sum(d, axis=2)
    with pytest.raises(ValueError):
        np.sum(d, axis=(0, 0))
    with pytest.raises(ValueError, match="initial"):
        np.max(d, where=m)


def test_sums_are_as_good_as_numpys(rng):
    x = rng.uniform(0, 1, 3_000_001).astype(np.float32)
    exact = float(np.sum(x, dtype=np.float64))
    ours, numpys = float(pyasc.sum(pyasc.from_numpy(x))), float(np.sum(x))
    assert abs(ours - exact) <= max(abs(numpys - exact), exact * 2e-7)


def test_float16_accumulates_in_float32():
    x = np.full(5000, 0.1, np.float16)
    assert abs(float(pyasc.mean(pyasc.from_numpy(x))) - 0.1) < 1e-3

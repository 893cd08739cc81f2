"""Samples, layouts and comparisons that the table-driven tests share."""

import os

import ml_dtypes
import numpy as np
import pytest

import pyasc

# pyasc does as the newest NumPy; where an older one differs it cannot be the oracle.
NEWEST = tuple(int(n) for n in np.__version__.split(".")[:2]) >= (2, 4)
newest_numpy = pytest.mark.skipif(
    not NEWEST, reason="pyasc does here as NumPy 2.4, this NumPy does not"
)
# The chip that the device plays (`make test-strict`): it refuses dtypes, and some functions go by way of the host there.
CHIP = os.environ.get("PYASC_EMBEDDED_SOC", "")
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
INTEGERS = [np.dtype(c) for c in "bBhHiIlL"]
FLOATS = [np.dtype(c) for c in "efd"]
COMPLEX = [np.dtype(c) for c in "FD"]
DTYPES = [np.dtype(bool), *INTEGERS, *FLOATS, *COMPLEX]
SHAPES = [(), (0,), (1,), (7,), (3, 4), (2, 0, 3), (2, 3, 5)]


def specials(dtype):
    """Values at the edges of a type."""
    if dtype == bool:
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([0, 1, 2, 3, info.max, info.max - 1, info.min, info.min + 1, 7, 13], dtype)
    info = np.finfo(dtype)
    real = np.array(
        [0.0, -0.0, 1, -1, 0.5, -2.5, 3.75, np.inf, -np.inf, np.nan, info.tiny, -info.tiny, info.smallest_subnormal,
         info.max / 4, info.min / 4, 100.5, -7.25], info.dtype
    )  # fmt: skip
    if dtype.kind == "f":
        return real
    finite = np.array([0, 1, -1, 0.5, -2.5, 3], info.dtype)
    return (finite[:, None] + 1j * finite[None, :]).ravel().astype(dtype)


def sample(rng, shape, dtype, domain=(-3, 3)):
    """Random values of a type within a domain."""
    dtype = np.dtype(dtype)
    low, high = domain
    if dtype == bool:
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind == "u":
        return rng.integers(max(0, int(np.ceil(low))), max(2, int(high) + 1), shape).astype(dtype)
    if dtype.kind == "i":
        return rng.integers(int(np.ceil(low)), int(high) + 1, shape).astype(dtype)
    real = rng.uniform(low, high, shape)
    if dtype.kind == "c":
        real = real + 1j * rng.uniform(low, high, shape)
    return np.asarray(real).astype(dtype)


def layouts(x):
    """The same values as (name, array) in memory orders that kernels treat differently."""
    yield "C", x
    if x.ndim:
        wide = np.zeros((*x.shape[:-1], x.shape[-1] * 2 + 1), x.dtype)
        wide[..., 1::2] = x
        yield "every second, with an offset", wide[..., 1::2]
        yield "reversed", np.ascontiguousarray(x[::-1])[::-1]
        yield "Fortran", np.asfortranarray(x)
    if x.ndim > 1:
        yield "transposed", np.ascontiguousarray(x.T).T
        yield "broadcast", np.broadcast_to(x[:1], x.shape)


def device_twin(view):
    """A device array laid out as the NumPy view: same base, same steps."""
    base = view
    while isinstance(base.base, np.ndarray):
        base = base.base
    flat = base.reshape(-1, order="A") if base.flags.forc else base.ravel(order="K")
    device = pyasc.from_numpy(np.array(flat))
    item = view.itemsize
    offset = (view.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // item
    from pyasc._core.array import strided_view

    return strided_view(device, view.shape, [s // item for s in view.strides], offset)


def same(found, expected, ulp=0, context="", whole=False):
    """Equal dtype, shape and values; floats within ``ulp`` of the larger neighbour, nan equal to nan."""
    assert isinstance(found, pyasc.ndarray), f"{context}: {type(found)}"
    assert found.dtype == np.asarray(expected).dtype, (
        f"{context}: dtype {found.dtype}, NumPy has {expected.dtype}"
    )
    assert found.shape == np.shape(expected), (
        f"{context}: shape {found.shape}, NumPy has {np.shape(expected)}"
    )
    close(found.numpy(), np.asarray(expected), ulp, context, whole)


def by_default(expected, *operands):
    """NumPy's result as the default-float rule has it: 32-bit floats unless an operand is an array of 64-bit ones."""
    expected = np.asarray(expected)
    asked = any(isinstance(x, np.ndarray) and x.dtype.char in "dD" for x in operands)
    lower = {"d": "f", "D": "F"}.get(expected.dtype.char)
    return expected if asked or lower is None else expected.astype(lower)


def close(found, expected, ulp=0, context="", whole=False):
    """Equal values, floats within ``ulp`` units in the last place.

    The parts of complex numbers each by themselves, or with ``whole`` both in units of the number's size: a part of a
    product may cancel.
    """
    if expected.dtype.kind == "c":
        if whole:
            finite = np.isfinite(expected)
            unit = np.spacing(np.abs(expected[finite]))
            assert np.all(np.abs(found[finite] - expected[finite]) <= ulp * unit), context
            found, expected = found[~finite], expected[~finite]
        close(found.real, expected.real, ulp, context)
        close(found.imag, expected.imag, ulp, context)
        return
    if expected.dtype.kind != "f" or ulp == 0:
        np.testing.assert_array_equal(found, expected, err_msg=context)
        return
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(found[~finite], expected[~finite], err_msg=context)
    wide = np.longdouble
    unit = np.spacing(np.abs(expected[finite])).astype(wide)
    error = np.abs(found[finite].astype(wide) - expected[finite].astype(wide)) / unit
    assert np.all(error <= ulp), f"{context}: {np.nanmax(error):.1f} ulp, {ulp} allowed"

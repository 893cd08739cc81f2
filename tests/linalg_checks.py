"""What the tests of linear algebra share: matrices, comparison with NumPy."""

import math

import numpy as np
import pytest

import pyasc

TYPES = [np.dtype(c) for c in "fdFD"]
BATCHES = [(), (3,), (2, 20), (0,), (2, 0)]


def values(rng, shape, dtype):
    """Normally distributed numbers."""
    x = rng.standard_normal(shape)
    if dtype.kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def well_conditioned(rng, shape, dtype):
    """Square matrices whose condition numbers are below 100."""
    n = shape[-1]
    return values(rng, shape, dtype) + (3 * math.sqrt(n) + 1) * np.eye(n, dtype=dtype)


def eps(dtype):
    return float(np.finfo(dtype).eps) if dtype.kind in "fc" else 0.0


def near(found, expected, scale=1.0):
    """Equal shapes, and values within ``scale`` times 100 n spacings of floats."""
    found = found.numpy() if isinstance(found, pyasc.ndarray) else found
    assert found.shape == np.shape(expected)
    if found.size:
        n = max(found.shape[-2:]) if found.ndim > 1 else max(found.size, 1)
        np.testing.assert_allclose(found, expected, rtol=0, atol=100 * n * eps(found.dtype) * scale)


def unit(x):
    """Whether the columns are orthonormal."""
    x = x.numpy()
    near(
        np.swapaxes(x, -1, -2).conj() @ x,
        np.broadcast_to(np.eye(x.shape[-1]), (*x.shape[:-2], *2 * x.shape[-1:])),
    )


def like_numpy(found, expected):
    assert isinstance(found, pyasc.ndarray)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype


def same_error(function, *arrays, **words):
    """NumPy's class of exception, and its words."""
    with pytest.raises(Exception) as numpys:
        function(*(a.numpy() if isinstance(a, pyasc.ndarray) else a for a in arrays), **words)
    with pytest.raises(numpys.type) as ours:
        function(*arrays, **words)
    assert type(ours.value) is numpys.type
    assert str(ours.value) == str(numpys.value)

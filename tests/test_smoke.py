"""The first thing CI runs: seconds, and it touches every layer."""

import numpy as np

import pyasc


def test_introduction_example():
    with pyasc.device(0):
        a = pyasc.ones((1024, 1024), dtype=pyasc.float32)
        b = pyasc.ones((1024, 1024), dtype=pyasc.float32)
        assert float(pyasc.sum(pyasc.add(a, b))) == 2097152.0


def test_numpy_reaches_the_device():
    x = pyasc.array([1.0, 2.0, 3.0])
    y = np.add(x, x[::-1])
    assert type(y) is pyasc.ndarray
    assert y.dtype == np.float32
    assert y.tolist() == [4.0, 4.0, 4.0]


def test_views_write_through():
    x = pyasc.zeros((3, 4))
    x[1:, ::2] = 5
    x.T[0] += 1
    expected = np.zeros((3, 4), np.float32)
    expected[1:, ::2] = 5
    expected.T[0] += 1
    np.testing.assert_array_equal(np.array(x), expected)


def test_matmul_and_reduction():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    d = pyasc.array(x)
    np.testing.assert_allclose((d @ d.T).sum(axis=0).numpy(), (x @ x.T).sum(axis=0))

"""NumPy's functions on device arrays: creation, joining, choosing, products, against NumPy."""

import numpy as np
import pytest
from helpers import DTYPES, by_default, device_twin, layouts, same, sample
from pyasc._core.array import strided_view

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
def test_like_functions(dtype, rng):
    x = sample(rng, (3, 4), dtype)
    for host in (x, x.T, x[::2], np.asfortranarray(x)):
        d = device_twin(host)
        for name, extra in (("zeros_like", ()), ("ones_like", ()), ("full_like", (3,))):
            found, expected = getattr(np, name)(d, *extra), getattr(np, name)(host, *extra)
            same(found, expected, context=name)
            assert found.strides == expected.strides
            same(
                getattr(np, name)(d, *extra, dtype=np.float16),
                getattr(np, name)(host, *extra, dtype=np.float16),
            )
            same(
                getattr(np, name)(d, *extra, shape=(2, 5)),
                getattr(np, name)(host, *extra, shape=(2, 5)),
            )
        same(np.copy(d), np.copy(host))
    d = pyasc.from_numpy(x)
    for made in (
        np.zeros((2, 3), like=d),
        np.ones(3, like=d),
        np.full((2,), 7.0, like=d),
        np.arange(4, like=d),
        np.eye(3, like=d),
        np.empty(2, like=d),
        np.array([1, 2], like=d),
        np.asarray([1.0], like=d),
        np.identity(2, like=d),
    ):
        assert isinstance(made, pyasc.ndarray)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_joining(dtype, rng):
    a, b = sample(rng, (2, 3, 4), dtype), sample(rng, (2, 3, 4), dtype)
    for name, view in layouts(a):
        d, e = device_twin(view), pyasc.from_numpy(b)
        for axis in (0, 1, -1, None):
            same(
                np.concatenate([d, e, d], axis=axis),
                np.concatenate([view, b, view], axis=axis),
                context=name,
            )
        for axis in (0, 2, -1):
            same(np.stack([d, e], axis=axis), np.stack([view, b], axis=axis), context=name)
    same(np.concatenate([d[:0], e]), np.concatenate([view[:0], b]))
    wide = sample(rng, (2, 3, 4), np.float32)
    joined = np.concatenate([pyasc.from_numpy(a), pyasc.from_numpy(wide)])
    same(joined, by_default(np.concatenate([a, wide]), a, wide))
    out = pyasc.zeros((4, 3, 4), dtype)
    assert np.concatenate([pyasc.from_numpy(a), e], out=out) is out
    same(out, np.concatenate([a, b]))


def test_lists_beside_double_arrays_keep_their_digits():
    x = np.array([0.3, 0.7])
    d = pyasc.from_numpy(x)
    for function in (
        lambda a: np.add(a, [0.1, 0.2]),
        lambda a: [0.1, 0.2] * a,
        lambda a: np.subtract(a, (0.1, 1e300)),
        lambda a: a @ [[0.1, 0.2], [0.3, 0.4]],
        lambda a: np.concatenate([a, [0.1]]),
        lambda a: np.stack([a, [0.1, 1e-300]]),
        lambda a: np.where(a > 0.5, a, [0.1, 0.2]),
        lambda a: np.dot(a, [0.1j, 0.2]),
    ):
        same(function(d), np.asarray(function(x)), 1)
    for change in (
        lambda a: np.copyto(a, [0.1, 0.2]), lambda a: np.copyto(a, [0.1, 0.2], where=a > 0.5),
        lambda a: np.putmask(a, a > 0.5, [0.1, 0.2]), lambda a: np.place(a, a > 0.5, [0.1]),
        lambda a: np.put(a, [1], [0.1]), lambda a: a.__setitem__([0, 1], [0.1, 0.2]),
        lambda a: np.fill_diagonal(a.reshape(1, 2), 0.1), lambda a: np.add.at(a, [0, 0], [0.1, 0.2]),
        lambda a: np.insert(a, 1, [0.1, 0.2]), lambda a: np.append(a, 0.1), lambda a: np.hstack([a, [0.1]]),
        lambda a: np.block([a, 0.1]), lambda a: np.outer(a, [0.1, 0.2]), lambda a: np.multiply.outer([0.1], a),
        lambda a: np.select([a > 0.5], [[0.1, 0.2]], a),
    ):  # fmt: skip
        a, b = pyasc.from_numpy(x), x.copy()
        found, expected = change(a), change(b)
        same(a if found is None else found, b if expected is None else expected)
    assert pyasc.array_equal(d, [0.3, 0.7]) and pyasc.r_[d, 0.1, [0.2]].tolist() == [
        0.3,
        0.7,
        0.1,
        0.2,
    ]
    assert pyasc.array([d, [0.1, 0.2]]).tolist() == [[0.3, 0.7], [0.1, 0.2]]
    assert ([0.1, 0.2] * pyasc.ones(2)).dtype == np.float32
    assert pyasc.concatenate([pyasc.arange(2), [0.1]]).dtype == np.float32


def test_joining_refuses():
    x = pyasc.ones((2, 3))
    for bad in ([], [x, pyasc.ones(3)], [x, pyasc.ones((2, 4))], [pyasc.array(1.0)]):
        with pytest.raises(ValueError) as ours:
            pyasc.concatenate(bad)
        with pytest.raises(ValueError) as numpys:
            np.concatenate([b.numpy() for b in bad])
        assert str(ours.value) == str(numpys.value)
    with pytest.raises(np.exceptions.AxisError):
        pyasc.concatenate([x, x], axis=2)
    with pytest.raises(ValueError, match="same shape"):
        pyasc.stack([x, x[:1]])
    with pytest.raises(ValueError, match="at least one"):
        pyasc.stack([])


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind != "c"], ids=str)
def test_where_clip_and_nonzero(dtype, rng):
    x, y = sample(rng, (4, 5), dtype, (0, 9)), sample(rng, (5,), dtype, (0, 9))
    mask = sample(rng, (4, 1), bool)
    for name, view in layouts(x):
        d = device_twin(view)
        same(
            np.where(pyasc.from_numpy(mask), d, pyasc.from_numpy(y)),
            np.where(mask, view, y),
            context=name,
        )
        for ours, numpys in zip(np.nonzero(d), np.nonzero(view), strict=True):
            same(ours, numpys, context=name)
        same(np.argwhere(d), np.argwhere(view))
        same(np.flatnonzero(d), np.flatnonzero(view))
        if dtype != bool:
            same(np.where(d > 3, d, 0), np.where(view > 3, view, 0), context=name)
            same(np.clip(d, 2, 5), np.clip(view, 2, 5), context=name)
            same(np.clip(d, None, 4), np.clip(view, None, 4), context=name)
            same(d.clip(3), view.clip(3), context=name)
    with pytest.raises(ValueError):
        np.where(pyasc.ones(3), pyasc.ones(2), 1)
    with pytest.raises(ValueError, match="0d"):
        np.nonzero(pyasc.array(1.0))


def test_closeness():
    values = [1.0, 1.0 + 1e-7, np.nan, np.inf, -np.inf, 0.0]
    a = np.array(values, np.float32)
    for b in (a, a[::-1].copy(), a * np.float32(1.00001)):
        for equal_nan in (False, True):
            with np.errstate(all="ignore"):
                same(
                    np.isclose(pyasc.from_numpy(a), pyasc.from_numpy(b), equal_nan=equal_nan),
                    np.isclose(a, b, equal_nan=equal_nan),
                )
                assert np.allclose(
                    pyasc.from_numpy(a), pyasc.from_numpy(b), equal_nan=equal_nan
                ) == np.allclose(a, b, equal_nan=equal_nan)
    i = pyasc.arange(3)
    assert (
        np.array_equal(i, pyasc.arange(3))
        and not np.array_equal(i, pyasc.arange(4))
        and not np.array_equal(i, i + 1)
    )
    assert np.isclose(pyasc.array([10**15, 5]), pyasc.array([10**15 + 1, 6])).tolist() == [
        True,
        False,
    ]


PRODUCTS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((2, 0), (0, 3)),
    ((0, 3), (3, 2)),
    ((3,), (5, 3, 2)),
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shapes", PRODUCTS, ids=str)
def test_products(dtype, shapes, rng):
    x, y = (sample(rng, s, dtype, (0, 3)) for s in shapes)
    for function in (np.matmul, np.dot, lambda a, b: a @ b):
        for ax, ay in ((x, y), (np.asfortranarray(x), np.asfortranarray(y))):
            try:
                expected = np.asarray(function(ax, ay))
            except ValueError:
                with pytest.raises(ValueError):
                    function(pyasc.from_numpy(ax), pyasc.from_numpy(ay))
                continue
            found = function(device_twin(ax), device_twin(ay))
            assert found.dtype == expected.dtype and found.shape == expected.shape
            eps = np.finfo(dtype).eps if dtype.kind in "fc" else 0
            np.testing.assert_allclose(found.numpy(), expected, rtol=8 * eps, atol=16 * eps)
    found, expected = np.outer(pyasc.from_numpy(x), pyasc.from_numpy(y)), np.outer(x, y)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    # parts of complex products may cancel: the error is in units of the factors
    size = 9 * np.finfo(dtype).eps if dtype.kind in "fc" else 0
    np.testing.assert_allclose(found.numpy(), expected, rtol=0, atol=2 * size)


@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D", "q"])
def test_products_of_overlapping_rows(dtype, rng):
    # rows that start before the last one ends, in sizes on both sides of every kernel's limits
    values = sample(rng, (20000,), dtype, (0, 3))
    flat = pyasc.from_numpy(values)
    for rows, k, step, n in ((8, 5, 2, 3), (100, 66, 64, 64), (300, 127, 64, 1), (500, 130, 1, 70)):
        host = np.lib.stride_tricks.as_strided(
            values, (rows, k), (step * values.itemsize, values.itemsize)
        )
        weights = sample(rng, (k, n), dtype, (0, 3))
        expected = host.astype("D" if dtype in "FD" else "d") @ weights
        d, w = strided_view(flat, (rows, k), (step, 1)), pyasc.from_numpy(weights)
        eps = np.finfo(dtype).eps if dtype in "efdFD" else 0
        np.testing.assert_allclose((d @ w).numpy(), expected, rtol=8 * eps, atol=2000 * eps)
        np.testing.assert_allclose((w.T @ d.T).numpy(), expected.T, rtol=8 * eps, atol=2000 * eps)


def test_products_of_views_and_their_errors(rng):
    x, y = rng.random((40, 30)).astype(np.float32), rng.random((30, 50)).astype(np.float32)
    for ax in (x, x[::-1], x[::2, ::3], np.broadcast_to(x[:1], x.shape), x.T.copy().T):
        for ay in (y[: ax.shape[1]], y[: ax.shape[1]][:, ::-2]):
            found = device_twin(ax) @ device_twin(ay)
            np.testing.assert_allclose(found.numpy(), ax @ ay, rtol=1e-5)
    d = pyasc.from_numpy(x)
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        d @ d
    with pytest.raises(ValueError, match="enough dimensions"):
        d @ 2
    with pytest.raises(ValueError, match="not aligned"):
        np.dot(d, d)
    d[...] = 1
    d @= pyasc.eye(30)
    assert (d == 1).all()


def test_shapes(rng):
    x = rng.random((2, 1, 3)).astype(np.float32)
    d = pyasc.from_numpy(x)
    for call in (
        lambda a: np.reshape(a, (3, 2)),
        np.ravel,
        np.transpose,
        np.squeeze,
        lambda a: np.expand_dims(a, (0, 2)),
        lambda a: np.broadcast_to(a, (4, 2, 5, 3)),
        lambda a: np.transpose(a, (2, 0, 1)),
        lambda a: np.swapaxes(a, 0, 2),
        lambda a: np.moveaxis(a, 0, -1),
        lambda a: np.squeeze(a, 1),
        lambda a: np.ravel(a, "F"),
    ):
        same(call(d), call(x))
    for call in (
        lambda a: np.squeeze(a, 0),
        lambda a: np.transpose(a, (0, 0, 1)),
        lambda a: np.broadcast_to(a, (2, 2)),
        lambda a: np.reshape(a, 7),
        lambda a: np.expand_dims(a, 9),
        lambda a: np.moveaxis(a, 0, 5),
    ):
        with pytest.raises(ValueError) as numpys:
            call(x)
        with pytest.raises(type(numpys.value)):
            call(d)
    with pytest.raises(ValueError, match="read-only"):
        np.broadcast_to(d, (4, 2, 1, 3))[0] = 1

"""Indexing, get and set, basic and advanced, against NumPy: values, shapes and exceptions."""

import numpy as np
import pytest
from helpers import BFLOAT16, DTYPES, same, sample
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pyasc

X = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
MASK = X % 3 == 0
KEYS = [
    0, -1, (1, 2), (1, 2, 3), (-1, -1, -1), slice(None), slice(1, None), slice(None, None, -1), slice(2, 0, -1),
    slice(5, 1), (slice(None), 1), (Ellipsis, 0), (0, Ellipsis), (None, 0), (Ellipsis, None), (slice(None), None, 1),
    (), Ellipsis, None, (slice(None, None, 2), slice(None, None, -2)), np.int64(1), (np.int8(1), slice(0, 3)),
    [0, 2], [[0, 1], [2, 0]], ([0, 2], [1, 3]), ([0, 2], slice(None), [1, 3]), (slice(None), [0, 2]),
    (slice(None), [0, 2], [1, 3]), ([[0], [2]], [[1, 3]]), (0, [1, 2]), ([1, 2], 0), (0, slice(None), [1, 2]),
    (slice(None), 0, [1, 2]), (None, [0, 1]), ([0, 1], None, [1, 2]), (Ellipsis, [0, 1]), ([-1, -3],), [],
    MASK, MASK[:, 0, 0], (slice(None), MASK[0, :, 0]), (MASK[:, :, 0], 2), (MASK[:, :, 0], slice(1, 3)),
    (MASK[:, 0, 0], [1]), True, False, np.True_, (True, 0), (Ellipsis, True),
    np.array(1), np.array([2, 0], np.uint8), (np.array([0, 1]), 1, slice(None)), np.zeros((0,), np.int64),
    np.zeros((3, 4, 5), bool), np.ones((3, 4, 5), bool), [True, False, True],
]  # fmt: skip
BAD = [
    3, -4, (0, 4), (0, 0, 0, 0), [3], [-4], ([0, 1], [0, 1, 2]), 1.5, "a", [1.5], (Ellipsis, Ellipsis),
    np.zeros((2,), bool), np.zeros((3, 5), bool), (slice(None), [9]), np.array([1.0]), (MASK, 0), 2**70,
    np.zeros((3, 4, 5, 1), bool), slice(None, None, 0), [[0, 1], [2]], {"a": 1},
]  # fmt: skip


def on_device(key):
    """The key with its arrays on the device."""
    if isinstance(key, np.ndarray):
        return pyasc.from_numpy(key)
    if isinstance(key, tuple):
        return tuple(on_device(k) for k in key)
    return key


def show(key):
    return repr(key).replace("\n", "")[:60]


@pytest.mark.parametrize("key", KEYS, ids=show)
def test_get(key):
    x = pyasc.from_numpy(X)
    same(x[key], np.asarray(X[key]), context=show(key))
    same(x[on_device(key)], np.asarray(X[key]), context=f"on device {show(key)}")
    # a view with an offset, steps and a reversed dimension
    view = X[::-1, 1:, ::2]
    if not isinstance(key, np.ndarray) or key.dtype != bool:
        try:
            expected = np.asarray(view[key])
        except IndexError as error:
            with pytest.raises(type(error)):
                x[::-1, 1:, ::2][key]
        else:
            same(x[::-1, 1:, ::2][key], expected, context=f"of a view {show(key)}")


@pytest.mark.parametrize("key", KEYS, ids=show)
@pytest.mark.parametrize("value", ["scalar", "array", "broadcast"])
def test_set(key, value):
    host, device = X.copy(), pyasc.from_numpy(X)
    shape = host[key].shape
    new = {
        "scalar": 7.5,
        "array": np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape),
    }.get(value)
    if new is None:
        new = np.full(shape[-1:], -2.0, np.float32)
    host[key] = new
    device[key] = new
    same(device, host, context=show(key))
    again = pyasc.from_numpy(X)
    again[on_device(key)] = pyasc.from_numpy(new) if isinstance(new, np.ndarray) else new
    same(again, host, context=f"on device {show(key)}")
    # through a reversed view
    turned_host, turned = X.copy(), pyasc.from_numpy(X)
    turned_host[::-1][key] = new
    turned[::-1][key] = new
    same(turned, turned_host, context=f"reversed {show(key)}")


@pytest.mark.parametrize("key", BAD, ids=show)
def test_bad_keys_raise_as_numpy(key):
    x = pyasc.from_numpy(X)
    with pytest.raises((IndexError, ValueError, TypeError)) as numpys:
        X[key]
    for ours in (key, on_device(key)):
        with pytest.raises(type(numpys.value)):
            x[ours]
        with pytest.raises(type(numpys.value)):
            x[ours] = 1
    same(x, X)


def test_out_of_bounds_message():
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 1 with size 4"):
        pyasc.from_numpy(X)[:, pyasc.array([0, 7])]


def test_bad_values():
    x = pyasc.zeros((3, 4))
    with pytest.raises(ValueError, match="could not broadcast input array from shape"):
        x[0] = [1, 2]
    with pytest.raises(ValueError, match="shape mismatch"):
        x[[0, 1]] = np.zeros((3, 4), np.float32)
    with pytest.raises((TypeError, ValueError)):
        x[0] = "text"
    with pytest.raises(TypeError):
        x[0, 0] = 1j
    i = pyasc.zeros(3, np.int8)
    with pytest.raises(OverflowError):
        i[0] = 300
    with pytest.raises(ValueError):
        i[0] = float("nan")
    assert not x.any() and not i.any()


def test_elements_are_copies_so_that_swapping_works():
    x = pyasc.array([1.0, 2.0, 3.0])
    x[0], x[2] = x[2], x[0]
    assert x.tolist() == [3, 2, 1]


def test_duplicates_last_one_wins():
    x = pyasc.zeros(4)
    x[[1, 1, 2, 1]] = pyasc.array([1.0, 2.0, 3.0, 4.0])
    assert x.tolist() == [0, 4, 3, 0]


def test_overlapping_assignment():
    for target, source in (
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None), slice(None, None, -1)),
    ):
        host, device = np.arange(10, dtype=np.float32), pyasc.arange(10, dtype=np.float32)
        host[target] = host[source].copy()
        device[target] = device[source]
        same(device, host)


@pytest.mark.parametrize("dtype", [*DTYPES, BFLOAT16], ids=str)
def test_every_dtype(dtype, rng):
    x = sample(rng, (6, 5), np.float32).astype(dtype)
    d = pyasc.from_numpy(x)
    same(d[[4, 0, 4]], x[[4, 0, 4]])
    same(d[:, [1, 3]], x[:, [1, 3]])
    mask = sample(rng, (6, 5), bool)
    same(d[mask], x[mask])
    x[mask] = x[0, 0]
    d[mask] = d[0, 0]
    same(d, x)
    x[[1, 2], [3, 4]] = x[5, :2]
    d[[1, 2], [3, 4]] = d[5, :2]
    same(d, x)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_basic_indices_like_numpy(data):
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5))
    x = np.arange(np.prod(shape, dtype=int), dtype=np.int32).reshape(shape)
    key = data.draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    same(pyasc.from_numpy(x)[key], np.asarray(x[key]))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_integer_array_indices_like_numpy(data):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=5))
    x = np.arange(np.prod(shape, dtype=int), dtype=np.int32).reshape(shape)
    key = data.draw(hnp.integer_array_indices(shape))
    same(pyasc.from_numpy(x)[key], x[key])
    new = np.arange(x[key].size, dtype=np.int32).reshape(x[key].shape) + 100
    host, device = x.copy(), pyasc.from_numpy(x)
    host[key] = new
    device[key] = new
    same(device, host)


@settings(max_examples=100, deadline=None)
@given(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=4))
def test_broadcast_shapes_like_numpy(shapes):
    a, b = (np.ones(s, np.float32) for s in shapes.input_shapes)
    same(pyasc.from_numpy(a) + pyasc.from_numpy(b), np.asarray(a + b))


def test_too_many_dimensions():
    x = pyasc.zeros((1,) * 32)
    with pytest.raises(IndexError):
        x[None]
    with pytest.raises(ValueError, match="maximum supported dimension"):
        pyasc.zeros((1,) * 33)

"""Norms, condition numbers and products in `pyasc.linalg` against NumPy."""

import numpy as np
import pytest
from helpers import device_twin, layouts, newest_numpy
from linalg_checks import (
    TYPES,
    eps,
    like_numpy,
    near,
    same_error,
    values,
    well_conditioned,
)

import pyasc

pytestmark = pytest.mark.usefixtures("without_the_host")

# ---- norms

VECTOR_ORDERS = [None, 0, 1, 2, 3, 0.5, -1, -2, 2.5, np.inf, -np.inf]
MATRIX_ORDERS = [None, "fro", "f", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


@pytest.mark.parametrize(
    "dtype", [*TYPES, np.dtype(np.float16), np.dtype(np.int32), np.dtype(bool)], ids=str
)
def test_vector_norms(dtype, rng):
    host = (values(rng, (3, 4, 5), TYPES[3 if dtype.kind == "c" else 1]) * 3).astype(dtype)
    host[0, 0, 0] = 0
    for name, view in layouts(host):
        a = device_twin(view)
        for ord in VECTOR_ORDERS:
            for axis in (0, 1, -1, (2,)):
                for keepdims in (False, True):
                    check_norm(a, view, name, ord=ord, axis=axis, keepdims=keepdims)
            line = {"ord": 2 if ord is None else ord}
            for axis in (None, 1, (0, 2), (2, 1, 0)):
                with np.errstate(all="ignore"):
                    expected = np.linalg.vector_norm(wide(view), axis=axis, **line)
                    shape = np.linalg.vector_norm(view, axis=axis, keepdims=True, **line).shape
                found = np.linalg.vector_norm(a, axis=axis, **line)
                assert found.shape == np.shape(expected)
                np.testing.assert_allclose(
                    found.numpy().astype(float), expected, rtol=tolerance(found)
                )
                kept = np.linalg.vector_norm(a, axis=axis, keepdims=True, **line)
                assert kept.shape == shape
        check_norm(a, view, name)
        check_norm(a[0, 0], view[0, 0], name, ord=3)


def wide(x):
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def tolerance(x):
    return 50 * eps(x.dtype)


def check_norm(a, view, name, **words):
    with np.errstate(all="ignore"):
        expected = np.linalg.norm(wide(view), **words)
        dtype = np.linalg.norm(view[:1], **words).dtype if view.ndim > 2 else None
    found = np.linalg.norm(a, **words)
    assert found.shape == np.shape(expected), (name, words)
    if dtype is not None:
        assert found.dtype == (np.float32 if view.dtype.kind in "bui" else dtype), (name, words)
    np.testing.assert_allclose(
        found.numpy().astype(float), expected, rtol=tolerance(found), err_msg=f"{name} {words}"
    )


@pytest.mark.parametrize("dtype", [*TYPES, np.dtype(np.int16)], ids=str)
def test_matrix_norms(dtype, rng):
    host = (values(rng, (3, 4, 5), TYPES[3 if dtype.kind == "c" else 1]) * 3).astype(dtype)
    a = pyasc.from_numpy(host)
    for ord in MATRIX_ORDERS:
        for axis in ((0, 1), (1, 0), (-1, 0), (1, 2)):
            for keepdims in (False, True):
                check_norm(a, host, "", ord=ord, axis=axis, keepdims=keepdims)
        check_norm(a[0], host[0], "", ord=ord)
        check_norm(a[0], host[0], "", ord=ord, keepdims=True)
        if ord is not None:
            found, expected = (np.linalg.matrix_norm(x, ord=ord) for x in (a, wide(host)))
            np.testing.assert_allclose(found.numpy(), expected, rtol=tolerance(found))


@pytest.mark.parametrize("number", [-2.5, 3 - 4j, 0.0])
def test_norms_of_numbers(number):
    a, host = pyasc.array(number), np.array(number, np.result_type(np.float32, number))
    for ord in (0, 1, 2, 3, np.inf):
        expected = np.linalg.vector_norm(host, ord=ord)
        np.testing.assert_allclose(float(np.linalg.vector_norm(a, ord=ord)), expected, rtol=1e-6)


@pytest.mark.parametrize(
    "values_", [[np.nan, 1, 2], [np.inf, 1, -np.inf], [0, 0], [1e30, 1e30], [1e-30, 1e-30]]
)
def test_norms_of_special_values(values_):
    host = np.array(values_, np.float64)
    for ord in VECTOR_ORDERS:
        with np.errstate(all="ignore"):
            expected = np.linalg.norm(host, ord)
        found = np.linalg.norm(pyasc.from_numpy(host), ord)
        np.testing.assert_allclose(found.numpy(), expected, err_msg=str(ord))


def test_norms_of_nothing():
    """0 where NumPy 2.4 has 0 (older ones refuse some), an error where there is no smallest value."""
    nothing = {s: pyasc.ones(s) for s in ((0,), (0, 3), (3, 0))}
    for ord in (None, 0, 1, 2, 3, 0.5, np.inf):
        assert np.linalg.norm(nothing[0,], ord).numpy() == 0
    for ord in (-1, -2):
        assert np.linalg.norm(nothing[0,], ord).numpy() == np.inf
    for shape in ((0, 3), (3, 0)):
        for ord in (None, "fro", "nuc", 1, 2, np.inf):
            assert np.linalg.norm(nothing[shape], ord).numpy() == 0
    for shape, ord in (
        ((0,), -np.inf),
        ((3, 0), -1),
        ((0, 3), -np.inf),
        ((0, 3), -2),
        ((3, 0), -2),
    ):
        with pytest.raises(ValueError, match="zero-size array to reduction operation minimum"):
            np.linalg.norm(nothing[shape], ord)


@pytest.mark.parametrize("words", [
    {"ord": "fro", "axis": 0}, {"ord": "nuc", "axis": (1,)}, {"ord": 3, "axis": (0, 1)}, {"ord": "x", "axis": (0, 1)},
    {"ord": 1}, {"axis": (0, 1, 2)}, {"axis": (1, 1)}, {"axis": 3}, {"axis": (0, 5)}, {"axis": "no"},
])  # fmt: skip
def test_norms_that_do_not_exist(words):
    same_error(np.linalg.norm, pyasc.ones((2, 2, 2)), **words)


@newest_numpy
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_condition_numbers(dtype, rng, linalg_route):
    host = well_conditioned(rng, (3, 4, 4), dtype)
    for p in (None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"):
        found, expected = np.linalg.cond(pyasc.from_numpy(host), p), np.linalg.cond(host, p)
        like_numpy(found, expected)
        np.testing.assert_allclose(found.numpy(), expected, rtol=1000 * eps(dtype))
        one = np.linalg.cond(pyasc.from_numpy(host[0]), p)
        np.testing.assert_allclose(one.numpy(), expected[0], rtol=1000 * eps(dtype))
    tall = values(rng, (5, 3), dtype)
    np.testing.assert_allclose(np.linalg.cond(pyasc.from_numpy(tall)).numpy(), np.linalg.cond(tall),
                               rtol=1e4 * eps(dtype))  # fmt: skip
    singular = pyasc.from_numpy(np.stack([np.zeros((2, 2)), np.eye(2)]).astype(dtype))
    for p in (None, 1, np.inf, "fro"):
        found = np.linalg.cond(singular, p).numpy()
        np.testing.assert_allclose(found, np.linalg.cond(singular.numpy(), p), rtol=1e-5)
    same_error(np.linalg.cond, pyasc.ones((0, 0)))
    same_error(np.linalg.cond, pyasc.ones((2, 3)), p=1)


# ---- products


@pytest.mark.parametrize("dtype", [*TYPES, np.dtype(np.int32)], ids=str)
def test_products(dtype, rng):
    def make(*shape):
        return (values(rng, shape, TYPES[3 if dtype.kind == "c" else 1]) * 4).astype(dtype)

    calls = [
        (np.linalg.matmul, (make(2, 3, 4), make(4, 5)), {}),
        (np.linalg.vecdot, (make(3, 4), make(2, 3, 4)), {}),
        (np.linalg.vecdot, (make(3, 4), make(3, 4)), {"axis": 0}),
        (np.linalg.outer, (make(3), make(4)), {}),
        (np.linalg.cross, (make(4, 3), make(3)), {}),
        (np.linalg.cross, (make(3, 4), make(3, 1)), {"axis": 0}),
        (np.linalg.cross, (make(2, 3, 4), make(2, 3, 4)), {"axis": 1}),
        (np.linalg.cross, (make(0, 3), make(3)), {}),
        (np.linalg.tensordot, (make(3, 4, 5), make(4, 5, 2)), {}),
        (np.linalg.tensordot, (make(3, 4), make(4, 3)), {"axes": 0}),
        (np.linalg.tensordot, (make(3, 4, 5), make(5, 2, 3)), {"axes": ([0, 2], [2, 0])}),
        (np.linalg.tensordot, (make(3, 4, 5), make(5, 2, 3)), {"axes": (-1, 0)}),
        (np.linalg.tensordot, (make(3, 0), make(0, 2)), {"axes": 1}),
        (np.linalg.trace, (make(2, 4, 5),), {}),
        (np.linalg.trace, (make(4, 5),), {"offset": -1, "dtype": np.complex128}),
        (np.linalg.diagonal, (make(2, 4, 5),), {"offset": 1}),
        (np.linalg.matrix_transpose, (make(2, 4, 5),), {}),
        *((np.linalg.matrix_power, (make(2, 3, 3),), {"n": n}) for n in (0, 1, 2, 3, 5, 8)),
    ]  # fmt: skip
    for function, operands, words in calls:
        expected = np.asarray(function(*operands, **words))
        for left in layouts(operands[0]) if operands[0].ndim > 1 else [("C", operands[0])]:
            if left[0] == "broadcast":
                continue
            found = function(device_twin(left[1]), *map(pyasc.from_numpy, operands[1:]), **words)
            like_numpy(found, expected)
            scale = max(1, np.abs(expected).max()) if expected.size else 1
            if dtype.kind == "i":
                np.testing.assert_array_equal(found.numpy(), expected)
            else:
                np.testing.assert_allclose(
                    found.numpy(), expected, atol=200 * eps(dtype) * scale, rtol=0
                )


def test_powers_of_the_inverse(rng, linalg_route):
    host = well_conditioned(rng, (2, 3, 3), TYPES[1])
    for n in (-1, -2, -3):
        near(np.linalg.matrix_power(pyasc.from_numpy(host), n), np.linalg.matrix_power(host, n))
    a = pyasc.array([[1, 2], [3, 5]])
    assert np.linalg.matrix_power(a, -1).dtype == np.float32
    same_error(np.linalg.matrix_power, a, 0.5)
    same_error(np.linalg.matrix_power, pyasc.ones((2, 3)), 2)


@pytest.mark.parametrize("shapes", [
    [(3, 4), (4, 5)], [(3, 4), (4, 2), (2, 6)], [(4,), (4, 2), (2, 6)], [(3, 4), (4, 2), (2,)],
    [(4,), (4, 2), (2,)], [(10, 2), (2, 30), (30, 4), (4, 5), (5, 6)],
])  # fmt: skip
def test_chains(shapes, rng):
    hosts = [values(rng, s, TYPES[1]) for s in shapes]
    found = np.linalg.multi_dot([pyasc.from_numpy(h) for h in hosts])
    expected = np.linalg.multi_dot(hosts)
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found.numpy(), expected)
    if np.ndim(expected) == 2:
        out = pyasc.zeros(expected.shape, np.float64)
        assert np.linalg.multi_dot([pyasc.from_numpy(h) for h in hosts], out=out) is out
        np.testing.assert_allclose(out.numpy(), expected)
        with pytest.raises(ValueError, match="output array|output parameter|shape"):
            np.linalg.multi_dot([pyasc.from_numpy(h) for h in hosts], out=pyasc.zeros((2, 2)))


def test_products_that_do_not_fit():
    a = pyasc.ones((2, 3))
    same_error(np.linalg.cross, a[:, :2], a[:, :2])
    same_error(np.linalg.outer, a, a)
    same_error(np.linalg.diagonal, a[0])
    same_error(np.linalg.multi_dot, [a.numpy()])
    for axes in (1, ([0], [1, 0]), (0, 1)):
        with pytest.raises(ValueError, match="shape-mismatch for sum"):
            np.linalg.tensordot(a, a, axes=axes)
    same_error(np.linalg.tensordot, a, a, axes=(5, 0))
    with pytest.raises(ValueError, match="duplicate"):
        np.linalg.tensordot(a, a, axes=([0, 0], [0, 0]))

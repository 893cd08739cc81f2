"""Sorting, searching, sets and order statistics on the device, against NumPy."""

import warnings

import numpy as np
import pytest
from function_cases import agree
from helpers import BFLOAT16, DTYPES, FLOATS, NEWEST, layouts, newest_numpy, same, sample, specials

import pyasc
from pyasc._config import lower


@pytest.fixture(autouse=True)
def on_the_device():
    """None of these may run on the host."""
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    implicit = pyasc.transfers().implicit
    yield
    pyasc.config.host_path = before
    assert pyasc.transfers().implicit == implicit


def values(dtype, shape, rng):
    """Few different values, so that there are equal ones, with edges among them."""
    x = sample(rng, shape, dtype, (0, 6))
    edges = specials(dtype)
    if x.size > len(edges):
        x.reshape(-1)[: len(edges)] = edges
        rng.shuffle(x.reshape(-1))
    return x


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_sorting(dtype, rng):
    for shape in [(0,), (1,), (40,), (5, 30), (3, 0, 2), (4, 20, 3)]:
        for name, view in layouts(values(dtype, shape, rng)):
            for axis in (-1, 0, None):
                agree(np.sort, [view], {"axis": axis}, context=f"{dtype} {name}")
                agree(
                    np.argsort, [view], {"axis": axis, "kind": "stable"}, context=f"{dtype} {name}"
                )
    x = values(dtype, (6, 7), rng)
    d = pyasc.from_numpy(x)
    d.sort(axis=0)
    same(d, np.sort(x, axis=0))
    view = pyasc.from_numpy(x)[::-1, ::2]
    view.sort()
    same(view, np.sort(x[::-1, ::2]))
    same(pyasc.from_numpy(x).argsort(kind="stable"), x.argsort(kind="stable"))


def test_sorting_of_bfloat16(rng):
    x = rng.uniform(-3, 3, 50).astype(np.float32).astype(BFLOAT16)
    assert np.array_equal(pyasc.sort(pyasc.from_numpy(x)).numpy(), np.sort(x))


@pytest.mark.parametrize(
    ("function", "args", "kwargs"),
    [
        (np.sort, [np.array(5)], {}),
        (np.sort, [np.array(5)], {"axis": None}),
        (np.sort, [np.arange(3)], {"axis": 1}),
        (np.sort, [np.arange(3)], {"kind": "x"}),
        (np.sort, [np.arange(3)], {"kind": "heapsort"}),
        (np.sort, [np.arange(3)], {"kind": "stable", "stable": True}),
        (np.sort, [np.arange(3)], {"order": "f"}),
        (np.argsort, [np.array(5)], {}),
        (np.argpartition, [np.array(5), 0], {}),
        (np.partition, [np.array(5), 0], {}),
        (np.partition, [np.arange(3), 5], {}),
        (np.partition, [np.arange(3), 1.0], {}),
        (np.partition, [np.arange(3), 1], {"kind": "x"}),
        (np.searchsorted, [np.zeros((1, 1)), 2], {}),
        (np.searchsorted, [np.arange(3), 2], {"side": "x"}),
        (np.searchsorted, [np.arange(3), 2], {"sorter": [0, 1]}),
        (np.searchsorted, [np.arange(3), np.array([[1, 9]])], {"side": "right"}),
        (np.searchsorted, [np.array([3, 1, 2]), np.array([2, 0])], {"sorter": np.array([1, 2, 0])}),
        (np.searchsorted, [np.array([1.0, np.nan]), np.array([np.nan, 3.0])], {}),
        (np.searchsorted, [np.array([], np.int8), np.array([1, 2])], {}),
        (np.searchsorted, [np.array([1, 2 + 1j, 3]), np.array([2 + 0.5j, 2 + 1j])], {}),
        (np.digitize, [np.array([1j]), np.arange(3)], {}),
        (np.digitize, [np.arange(3), np.array([1, 3, 2])], {}),
        (np.digitize, [np.arange(3), np.zeros((1, 1))], {}),
        (np.digitize, [np.array([0.5, 1, 9]), np.array([1.0, 2.0, 4.0])], {}),
        (np.digitize, [np.array([0.5, 1, 9]), np.array([1.0, 2.0, 4.0])], {"right": True}),
        (np.digitize, [np.array([0.5, 1, 9]), np.array([4.0, 2.0, 1.0])], {}),
        (np.digitize, [np.array([0.5, 1, 9]), np.array([4.0, 2.0, 1.0])], {"right": True}),
        (np.digitize, [np.array([0.5, 1, 9]), np.array([])], {}),
        (np.unique, [np.arange(3)], {"axis": 3}),
        (np.quantile, [np.array([])], {"q": 0.5}),
        (np.quantile, [np.arange(3)], {"q": 1.5}),
        (np.quantile, [np.arange(3)], {"q": np.nan}),
        (np.percentile, [np.arange(3)], {"q": 101}),
        (np.quantile, [np.arange(3)], {"q": 0.5, "method": "x"}),
        (np.quantile, [np.array([True])], {"q": 0.5}),
        (np.quantile, [np.array([1j])], {"q": 0.5}),
        (np.quantile, [np.arange(3)], {"q": 0.5, "axis": 5}),
        (np.quantile, [np.arange(3)], {"q": 0.5, "weights": np.ones(3)}),
        (np.quantile, [np.arange(3)], {"q": 0.5, "weights": [-1, 1, 1], "method": "inverted_cdf"}),
        (np.isin, [np.arange(3), np.arange(2)], {"kind": "x"}),
        (np.isin, [np.array([1.0]), np.arange(2)], {"kind": "table"}),
    ],
)  # fmt: skip
def test_edges_and_refusals(function, args, kwargs):
    agree(function, args, kwargs)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_partition(dtype, rng):
    x = values(dtype, (4, 30), rng)
    d = pyasc.from_numpy(x)
    for kth in (0, 3, -1, [2, 10]):
        for axis in (-1, 0, None):
            places = np.atleast_1d(kth) if axis != 0 else np.atleast_1d(1)
            found = np.partition(d, places, axis=axis)
            expected = np.sort(x, axis=axis)
            at = -1 if axis is None else axis
            same(found.take(pyasc.asarray(places), axis=at), expected.take(places, axis=at))
            same(np.sort(found, axis=at), expected)
            order = np.argpartition(d, places, axis=axis)
            flat = d.reshape(-1) if axis is None else d
            same(np.take_along_axis(flat, order, at), found.numpy())
    d.partition(3)
    same(d[:, 3], np.sort(x)[:, 3])


def test_lexsort(rng):
    keys = rng.integers(0, 3, (3, 4, 20))
    for given in (keys, tuple(keys[:, 0])):  # NumPy does not look for arrays of others in a list
        many = isinstance(given, tuple)
        device = tuple(map(pyasc.from_numpy, given)) if many else pyasc.from_numpy(given)
        same(np.lexsort(device), np.lexsort(given))
    same(pyasc.lexsort(list(map(pyasc.from_numpy, keys))), np.lexsort(keys))
    same(np.lexsort(pyasc.from_numpy(keys), axis=0), np.lexsort(keys, axis=0))
    for bad, error in (([], TypeError), ([pyasc.ones(2), pyasc.ones(3)], ValueError)):
        with pytest.raises(error):
            pyasc.lexsort(bad)


@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "bhilefdFD"], ids=str)
def test_sort_complex(dtype, rng):
    agree(np.sort_complex, [values(dtype, (3, 20), rng)])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_searchsorted(dtype, rng):
    a, v = np.sort(values(dtype, 50, rng)), values(dtype, (4, 30), rng)
    for side in ("left", "right"):
        agree(np.searchsorted, [a, v], {"side": side}, context=str(dtype))
        agree(np.searchsorted, [a, v[0, 0]], {"side": side}, context=str(dtype))
    shuffled = values(dtype, 50, rng)
    order = np.argsort(shuffled, kind="stable")
    same(
        pyasc.from_numpy(shuffled).searchsorted(
            pyasc.from_numpy(v), sorter=pyasc.from_numpy(order)
        ),
        shuffled.searchsorted(v, sorter=order),
    )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_topk(dtype, rng):
    if dtype.kind == "c" or dtype == bool:
        return
    x = sample(rng, (3, 40, 2), dtype, (0, 30))
    for largest in (True, False):
        found, places = pyasc.topk(pyasc.from_numpy(x), 5, dim=1, largest=largest)
        ordered = np.sort(x, axis=1)
        same(found, ordered[:, :-6:-1] if largest else ordered[:, :5])
        same(found, np.take_along_axis(x, places.numpy(), 1))
    with pytest.raises(ValueError, match="k is 41"):
        pyasc.topk(pyasc.from_numpy(x), 41, dim=1)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_unique(dtype, rng):
    flags = [dict(zip(("return_index", "return_inverse", "return_counts"), bits, strict=True))
             for bits in np.ndindex(2, 2, 2)]  # fmt: skip
    for shape in [(0,), (1,), (60,), (5, 30), ()]:
        x = values(dtype, shape, rng)
        for wanted in flags:
            agree(np.unique, [x], wanted, context=str(dtype))
        agree(np.unique, [x], {"return_counts": True, "equal_nan": False}, context=str(dtype))
        for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
            if name != "unique_values":  # NumPy's own need not be in order
                agree(getattr(np, name), [x], context=str(dtype))
            else:
                same(pyasc.unique_values(pyasc.from_numpy(x)), np.unique(x, equal_nan=False))
    rows = sample(rng, (40, 2, 2), dtype, (0, 2))
    wide = np.repeat(sample(rng, (6, 20), dtype, (0, 2)), 3, axis=0)
    for wanted in flags:
        agree(np.unique, [rows], {"axis": 0, **wanted}, context=str(dtype))
        agree(np.unique, [rows], {"axis": -1, **wanted}, context=str(dtype))
        agree(np.unique, [wide], {"axis": 0, **wanted}, context=str(dtype))
    agree(np.unique, [np.zeros((0, 3), dtype)], {"axis": 0})
    assert pyasc.unique_all(pyasc.from_numpy(rows))._fields == np.unique_all(rows)._fields


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_sets(dtype, rng):
    a, b = values(dtype, 60, rng), values(dtype, (2, 30), rng)[:, ::2]
    few = sample(rng, 3, dtype, (0, 6))
    for function in (np.intersect1d, np.union1d, np.setxor1d, np.setdiff1d):
        for second in (b, few, b[:0]):
            agree(function, [a, second], context=str(dtype))
    agree(np.intersect1d, [a, b], {"return_indices": True}, context=str(dtype))
    first, second = np.unique(a), np.unique(b)
    for function in (np.intersect1d, np.setxor1d, np.setdiff1d):
        agree(function, [first, second], {"assume_unique": True}, context=str(dtype))
    for test in (b, few, b[:0]):
        for invert in (False, True):
            agree(np.isin, [a.reshape(6, 10), test], {"invert": invert}, context=str(dtype))


def test_sets_of_two_dtypes():
    x, y = np.array([3, 1, 2, 2], np.int8), np.array([2.0, 2.5], np.float32)
    for function in (np.union1d, np.intersect1d, np.setdiff1d, np.isin, np.setxor1d):
        agree(function, [x, y])


METHODS = (
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest",
)  # fmt: skip
QUANTILES = [
    0.5,
    *([0, 1, np.float64(0.3)] if NEWEST else []),
    np.array([0.0, 0.1, 0.25, 0.5, 0.7, 0.99, 1.0]),
    np.array([[0.2], [0.5]]),
]


@pytest.mark.parametrize("method", METHODS)
def test_quantiles(method, rng):
    for dtype in (np.dtype("f8"), np.dtype("f4"), np.dtype("f2"), np.dtype("i4"), np.dtype("u1")):
        for n in (1, 2, 5, 12, 31):
            x = sample(rng, (3, n), dtype, (0, 50))
            for q in QUANTILES:
                check_quantile(np.quantile, x, q, {"method": method, "axis": 1})
            check_quantile(np.percentile, x, 35, {"method": method})
        x = sample(rng, (4, 5, 6), dtype, (0, 50))
        check_quantile(
            np.quantile, x, [0.2, 0.6], {"axis": (0, 2), "keepdims": True, "method": method}
        )
        if dtype.kind == "f":
            x[rng.uniform(size=x.shape) < 0.3] = np.nan
            x[0] = np.nan
            check_quantile(np.quantile, x, [0.2, 0.6], {"axis": 1, "method": method})
            for q in (0.5, [0.0, 0.3, 1.0]):
                check_quantile(np.nanquantile, x, q, {"axis": (1, 2), "method": method})
                check_quantile(
                    np.nanpercentile, x, np.multiply(q, 100), {"axis": 0, "method": method}
                )


def check_quantile(function, x, q, kwargs):
    """Values within the rounding of the dtype; the place may be a unit off where it is computed in another order."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = np.asarray(function(x, q, **kwargs))
        found = function(pyasc.from_numpy(x), q, **kwargs)
        if function.__name__.startswith(
            "nan"
        ):  # NumPy's dtype is that of the first slice, which a nan may decide
            whole = getattr(np, function.__name__.removeprefix("nan"))
            expected = expected.astype(np.asarray(whole(x, q, **kwargs)).dtype)
    assert found.shape == expected.shape, (found.shape, expected.shape, kwargs)
    if kwargs["method"] in ("inverted_cdf", "closest_observation", "lower", "higher", "nearest"):
        assert found.dtype == expected.dtype
    else:
        wide = expected.dtype == np.float64 and x.dtype != np.float64
        low = lower(expected.dtype) if wide else expected.dtype
        assert found.dtype == low, (found.dtype, expected.dtype, x.dtype, q)
    # NumPy takes differences of neighbours in the array's own dtype
    eps = max((np.finfo(d).eps for d in (found.dtype, x.dtype) if d.kind == "f"), default=0)
    np.testing.assert_allclose(
        found.numpy(), expected, rtol=4 * eps, atol=200 * eps, err_msg=str((q, kwargs, x.dtype))
    )


@newest_numpy
def test_weighted_quantiles(rng):
    x, w = (
        rng.integers(0, 20, (4, 9)).astype(np.float32),
        rng.integers(0, 4, (4, 9)).astype(np.float32),
    )
    w[:, 0] = 1
    words = {"method": "inverted_cdf", "weights": pyasc.from_numpy(w)}
    for q in (0.0, 0.5, [0.1, 0.9, 1.0]):
        expected = np.quantile(x, q, axis=1, method="inverted_cdf", weights=w)
        found = np.quantile(pyasc.from_numpy(x), q, axis=1, **words)
        np.testing.assert_array_equal(found.numpy(), expected)
    x[0, 3] = np.nan
    np.testing.assert_array_equal(
        np.nanquantile(pyasc.from_numpy(x), 0.5, axis=1, **words).numpy(),
        np.nanquantile(x, 0.5, axis=1, method="inverted_cdf", weights=w),
    )


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind != "c"], ids=str)
def test_medians(dtype, rng):
    for shape in [(7,), (8,), (3, 6), (2, 5, 4), (0,), (0, 3), ()]:
        x = sample(rng, shape, dtype, (0, 60))
        for axis in [None, *range(len(shape))]:
            agree(np.median, [x], {"axis": axis}, context=str(dtype))
            agree(np.median, [x], {"axis": axis, "keepdims": True}, context=str(dtype))
        if dtype in FLOATS and x.size > 3:
            x.reshape(-1)[1::3] = np.nan
            for axis in [None, *range(len(shape))]:
                agree(np.median, [x], {"axis": axis}, context=str(dtype))
                agree(np.nanmedian, [x], {"axis": axis}, context=str(dtype))
        else:
            agree(np.nanmedian, [x], context=str(dtype))
    out = pyasc.zeros(3, np.float32)
    x = rng.uniform(size=(3, 5)).astype(np.float32)
    assert np.median(pyasc.from_numpy(x), axis=1, out=out) is out
    same(out, np.median(x, axis=1))

"""Variances, running sums, differences, nan-ignoring reductions and histograms on the device, against NumPy."""

import numpy as np
import pytest
from function_cases import agree
from helpers import DTYPES, FLOATS, INTEGERS, NEWEST, layouts, sample

import pyasc

REAL = [d for d in DTYPES if d.kind != "c"]
FLOATING = [d for d in DTYPES if d.kind in "fc"]


@pytest.fixture(autouse=True)
def on_the_device():
    """None of these may run on the host."""
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    implicit = pyasc.transfers().implicit
    yield
    pyasc.config.host_path = before
    assert pyasc.transfers().implicit == implicit


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_variances(dtype, rng):
    for shape in [(7,), (3, 5), (2, 3, 4), (0,), (0, 3), ()]:
        for name, view in layouts(sample(rng, shape, dtype, (0, 9))):
            axes = [None, (), *range(len(shape)), *([(0, -1)] if len(shape) > 1 else [])]
            for axis in axes:
                for words in (
                    {},
                    {"ddof": 1},
                    {"ddof": 0.5},
                    {"correction": 2},
                    {"keepdims": True},
                ):
                    for function in (np.var, np.std):
                        agree(
                            function,
                            [view],
                            {"axis": axis, **words},
                            rtol=32,
                            atol=64,
                            context=f"{dtype} {name}",
                        )
    x = sample(rng, (4, 6), dtype, (0, 9))
    mask = rng.uniform(size=(4, 6)) < 0.6
    mask[:, 0] = True
    for function in (np.var, np.std):
        agree(function, [x], {"axis": 1, "where": mask}, rtol=32, atol=64)
        if dtype.kind != "c":
            agree(function, [x], {"dtype": np.float64}, rtol=64, atol=64)
        agree(
            function, [x], {"axis": 0, "mean": np.full((1, 6), 2.0, np.float32)}, rtol=64, atol=64
        )
        agree(function, [x], {"ddof": 1, "correction": 1})
        agree(function, [x], {"axis": 3})
        agree(function, [x], {"dtype": np.int32 if dtype.kind != "c" else np.float32, "axis": 9})


def test_variance_of_large_numbers_close_together():
    x = np.float32(1e6) + np.arange(1000, dtype=np.float32) / 16
    assert abs(float(np.var(pyasc.from_numpy(x))) / np.var(x.astype(np.float64)) - 1) < 1e-5


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_ranges_and_means(dtype, rng):
    x, w = sample(rng, (3, 4, 5), dtype, (1, 9)), rng.uniform(1, 2, (3, 4, 5)).astype(np.float32)
    for axis in (None, 0, 2, (0, 2)):
        if dtype != bool:
            agree(np.ptp, [x], {"axis": axis, "keepdims": True})
        agree(np.average, [x], {"axis": axis}, rtol=16)
        agree(np.average, [x], {"axis": axis, "weights": w, "returned": True}, rtol=16)
    agree(np.average, [x], {"axis": 1, "weights": w[0, :, 0]}, rtol=16)
    agree(np.average, [x], {"axis": (2, 0), "weights": w[:, 0].T.copy(), "keepdims": True}, rtol=16)
    agree(np.average, [x], {"weights": w[0]})
    agree(np.average, [x], {"axis": 0, "weights": w[0]})
    agree(np.average, [x], {"weights": np.zeros_like(w)})


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != bool], ids=str)
def test_covariances(dtype, rng):
    x, y = sample(rng, (3, 40), dtype, (0, 9)), sample(rng, (2, 40), dtype, (0, 9))
    f, a = rng.integers(1, 4, 40), rng.uniform(0.5, 2, 40).astype(np.float32)
    for words in ({}, {"bias": True}, {"ddof": 2}, {"fweights": f}, {"aweights": a}, {"fweights": f, "aweights": a},
                  {"aweights": a, "ddof": 0}, {"dtype": np.float64}):  # fmt: skip
        agree(np.cov, [x], words, rtol=64, atol=256, context=str(dtype))
        agree(np.cov, [x, y], words, rtol=64, atol=256, context=str(dtype))
    agree(np.cov, [x.T.copy()], {"rowvar": False}, rtol=64, atol=256)
    agree(np.cov, [x[0]], {}, rtol=64, atol=256)
    agree(np.corrcoef, [x, y], {}, rtol=64, atol=64)
    agree(np.corrcoef, [x[0]], {}, rtol=64, atol=64)


@pytest.mark.parametrize(
    "words",
    [{"fweights": np.array([1, 2])}, {"fweights": np.array([1.5, 2, 1])}, {"aweights": np.array([-1.0, 1, 1])},
     {"aweights": np.ones((1, 3))}, {"ddof": 0.5}],
    ids=str,
)  # fmt: skip
def test_covariances_refuse(words):
    agree(np.cov, [np.arange(6.0).reshape(2, 3)], words)
    agree(np.cov, [np.zeros((2, 2, 2))], words)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_running_sums(dtype, rng):
    for shape in [(9,), (3, 5), (0, 2), ()]:
        for name, view in layouts(sample(rng, shape, dtype, (0, 3))):
            for axis in [None, *range(-len(shape), len(shape))]:
                for function in (np.cumsum, np.cumprod):
                    agree(function, [view], {"axis": axis}, rtol=16, context=f"{dtype} {name}")
                    agree(
                        function,
                        [view],
                        {"axis": axis, "dtype": np.float64 if dtype.kind != "c" else dtype},
                        rtol=16,
                    )
                for function in (np.cumulative_sum, np.cumulative_prod) if NEWEST else ():
                    agree(
                        function,
                        [view],
                        {"axis": axis, "include_initial": True},
                        rtol=16,
                        context=f"{dtype} {name}",
                    )
    x = sample(rng, (3, 5), dtype, (0, 3))
    out = pyasc.zeros((3, 5), np.cumsum(x, 1).dtype)
    assert np.cumsum(pyasc.from_numpy(x), axis=1, out=out) is out
    np.testing.assert_allclose(out.numpy(), np.cumsum(x, axis=1), rtol=1e-2)
    if NEWEST:
        agree(np.cumulative_sum, [x], {})


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_differences(dtype, rng):
    x = sample(rng, (3, 8), dtype, (0, 9))
    for name, view in layouts(x):
        for axis in (0, -1):
            for n in (0, 1, 2, 5):
                if n:
                    agree(np.diff, [view], {"n": n, "axis": axis}, rtol=8, atol=32, context=name)
    if dtype != bool:
        agree(
            np.diff, [x], {"prepend": x.dtype.type(1), "append": x[:, :2].copy()}, rtol=8, atol=32
        )
        agree(
            np.ediff1d,
            [x],
            {"to_end": x[0, :2].copy(), "to_begin": x.dtype.type(3)},
            rtol=8,
            atol=32,
        )
        agree(np.ediff1d, [x[0, :1]], {})
    agree(np.diff, [x], {"n": -1})
    agree(np.diff, [x], {"axis": 4})
    agree(np.diff, [np.array(1)], {})


@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "ilefdF"], ids=str)
def test_gradients_and_integrals(dtype, rng):
    x = sample(rng, (6, 7), dtype, (-9, 9))
    even, own = 0.5, np.cumsum(rng.uniform(0.5, 1, 7)).astype(np.float32)
    for edge in (1, 2):
        for args, words in [((), {}), ((even,), {}), ((even,), {"axis": 1}), ((2.0, own), {}), ((own,), {"axis": -1}),
                            ((1.0, 0.5), {"axis": (1, 0)})]:  # fmt: skip
            agree(
                np.gradient,
                [x, *args],
                {**words, "edge_order": edge},
                rtol=64,
                atol=256,
                context=str(dtype),
            )
    agree(np.gradient, [x], {"edge_order": 3})
    agree(np.gradient, [x[:1]], {})
    agree(np.gradient, [x, own], {})
    for words in (
        {},
        {"dx": 0.25},
        {"axis": 0},
        {"x": own},
        {"x": np.cumsum(np.abs(x), 1).astype(np.float32), "axis": 1},
    ):
        agree(np.trapezoid, [x], words, rtol=64, atol=256)


@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "ilfd"], ids=str)
def test_unwrap(dtype, rng):
    x = sample(rng, (4, 30), dtype, (-20, 20))
    for words in ({}, {"axis": 0}, {"period": 4}, {"period": 3.5}, {"discont": 5.0}, {"period": 5}):
        agree(np.unwrap, [x], words, rtol=64, atol=256, context=str(dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_without_nans(dtype, rng):
    for shape in [(9,), (3, 6), (2, 3, 4), (0,), ()]:
        x = sample(rng, shape, dtype, (1, 9))
        if dtype.kind in "fc" and x.size > 2:
            x[rng.uniform(size=shape) < 0.4] = np.nan
            x[..., 0] = 2
        for axis in [None, *range(len(shape))]:
            for name in ("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin"):
                for words in ({}, {"keepdims": True}):
                    agree(
                        getattr(np, name),
                        [x],
                        {"axis": axis, **words},
                        rtol=64,
                        atol=64,
                        context=str(dtype),
                    )
            for name in ("nanargmax", "nanargmin", "nancumsum", "nancumprod"):
                if name.startswith("nancum") or dtype.kind != "c":
                    agree(getattr(np, name), [x], {"axis": axis}, rtol=16, context=str(dtype))
            agree(np.nanvar, [x], {"axis": axis, "ddof": 1}, rtol=64, atol=64)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_nothing_but_nans(dtype):
    x = np.array([[np.nan, np.nan], [1, np.nan]], dtype)
    for name in (
        "nansum",
        "nanprod",
        "nanmean",
        "nanvar",
        "nanmax",
        "nanmin",
        "nanargmax",
        "nanargmin",
    ):
        for axis in (None, 0, 1):
            agree(getattr(np, name), [x], {"axis": axis}, rtol=4)
    mask = np.array([[True, False], [True, True]])
    agree(np.nanmax, [x], {"axis": 1, "where": mask, "initial": 0.5})
    agree(np.nansum, [x], {"axis": 1, "where": mask, "initial": 0.5})
    agree(np.nanmean, [x], {"axis": 1, "where": mask})


@pytest.mark.parametrize("dtype", [d for d in INTEGERS if d != np.uint64], ids=str)
def test_bincount(dtype, rng):
    x = rng.integers(0, 20, 200).astype(dtype)
    for words in ({}, {"minlength": 30}, {"weights": rng.uniform(size=200).astype(np.float32)},
                  {"weights": rng.integers(0, 5, 200)}, {"weights": rng.uniform(size=200)}):  # fmt: skip
        agree(np.bincount, [x], words, rtol=32)
    agree(np.bincount, [x[:0]], {"minlength": 3})
    agree(np.bincount, [x], {"minlength": -1})
    agree(np.bincount, [x], {"weights": np.ones(3)})
    agree(np.bincount, [x.reshape(2, 100)], {})
    agree(np.bincount, [np.array([-1, 2])], {})
    agree(np.bincount, [x.astype(np.float32)], {})
    if NEWEST:
        agree(np.bincount, [x.astype(np.uint64)], {})


@pytest.mark.parametrize("dtype", REAL, ids=str)
def test_histograms(dtype, rng):
    x = sample(rng, (4, 100), dtype, (0, 50))
    w = rng.uniform(size=x.shape).astype(np.float32)
    uneven = np.array([0.0, 1.0, 5.0, 20.0, 49.0])
    for bins in (10, 7, uneven, uneven.astype(np.int64), [0, 3, 3, 9]):
        for words in ({}, {"density": True}, {"weights": w}, {"weights": w.astype(np.complex64)},
                      {"weights": np.ones(x.shape, np.int32)}, {"range": (3, 20)}):  # fmt: skip
            if dtype == bool and bins is not uneven:
                continue
            agree(np.histogram, [x], {"bins": bins, **words}, rtol=32, atol=8, context=str(dtype))
    agree(np.histogram_bin_edges, [x], {"bins": 5})
    agree(np.histogram, [x[:0]], {})


@pytest.mark.parametrize(
    "words",
    [{"bins": 0}, {"bins": 1.5}, {"bins": [3, 2, 1]}, {"bins": [[1]]}, {"range": (2, 1)}, {"range": (0, np.inf)},
     {"weights": np.ones(2)}],
    ids=str,
)  # fmt: skip
def test_histograms_refuse(words):
    agree(np.histogram, [np.arange(5.0)], words)
    agree(np.histogram, [np.array([np.nan, 1.0])], {})


def test_histograms_of_several_dimensions(rng):
    for dtype in (np.float32, np.float64, np.int32):
        points = sample(rng, (300, 3), dtype, (0, 20))
        w = rng.uniform(size=300).astype(np.float32)
        edges = np.array([0.0, 4.0, 6.0, 19.0])
        for words in ({}, {"bins": 4}, {"bins": [3, edges, 5]}, {"weights": w}, {"density": True},
                      {"bins": 3, "range": [(0, 10), None, (5, 20)]}):  # fmt: skip
            agree(np.histogramdd, [points], words, rtol=32, atol=8)
        x, y = points[:, 0].copy(), points[:, 1].copy()
        for words in (
            {},
            {"bins": 4},
            {"bins": [3, 6]},
            {"bins": edges},
            {"bins": [edges, 2]},
            {"weights": w, "density": True},
        ):
            agree(np.histogram2d, [x, y], words, rtol=32, atol=8)
    agree(np.histogram2d, [x, y[:2].copy()], {})
    agree(np.histogramdd, [points], {"bins": [2, 3]})

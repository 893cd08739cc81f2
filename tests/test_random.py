"""Random numbers: the published vectors of Philox, distributions against NumPy's, states, errors, reproducibility."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import pyasc
from pyasc import random
from pyasc.random import Philox, RandomState, default_rng

N = 100_000
# Two samples of N numbers of one distribution differ by more than this once in 10^6 times: 2 exp(-N d^2) = 1e-6 (Massart).
FARTHEST = np.sqrt(np.log(2 / 1e-6) / N)
DISTRIBUTIONS = [
    ("random",), ("standard_normal",), ("standard_exponential",), ("standard_cauchy",), ("uniform", 2, 5), ("normal", 1, 2),
    ("lognormal", 0, 0.5), ("exponential", 2), ("laplace", 1, 2), ("gumbel", 1, 2), ("logistic", 1, 2), ("rayleigh", 2),
    ("weibull", 1.5), ("pareto", 3), ("power", 2), ("triangular", 0, 1, 3), ("standard_gamma", 0.5), ("gamma", 3, 2),
    ("gamma", 0.05, 1), ("beta", 0.5, 2), ("beta", 0.1, 0.1), ("chisquare", 3), ("f", 5, 9), ("standard_t", 4),
    ("noncentral_chisquare", 3, 2), ("noncentral_f", 5, 9, 2), ("wald", 1, 2), ("vonmises", 1, 2), ("vonmises", -2, 0.1),
    ("integers", 0, 10), ("integers", -5, 2**40), ("poisson", 0.3), ("poisson", 9), ("poisson", 1e5), ("binomial", 20, 0.3),
    ("binomial", 10**6, 0.999), ("negative_binomial", 5, 0.4), ("geometric", 0.2), ("geometric", 1.0),
    ("hypergeometric", 10, 20, 8), ("hypergeometric", 10**5, 10**6, 10**4), ("logseries", 0.7), ("logseries", 0.99),
    ("zipf", 1.5), ("zipf", 4),
]  # fmt: skip


def distance(x, y):
    """The largest difference of two empirical distribution functions (Kolmogorov and Smirnov)."""
    x, y = np.sort(x.astype(np.float64)), np.sort(y.astype(np.float64))
    both = np.concatenate([x, y])
    found, expected = (np.searchsorted(v, both, "right") / v.size for v in (x, y))
    return np.max(np.abs(found - expected))


@pytest.mark.parametrize("case", DISTRIBUTIONS, ids=str)
def test_distributions(case):
    name, *parameters = case
    expected = getattr(np.random.default_rng(1), name)(*parameters, size=N)
    found = getattr(default_rng(20261201), name)(*parameters, size=(N // 10, 10))
    assert found.shape == (N // 10, 10)
    assert found.dtype == (np.int64 if expected.dtype.kind == "i" else pyasc.get_default_dtype())
    # rounded alike: near 1 there are few float32
    assert distance(found.numpy().ravel(), expected.astype(found.dtype)) < FARTHEST
    if expected.dtype.kind == "f":
        wide = getattr(default_rng(20261201), name)(*parameters, size=1000, dtype=np.float64)
        assert wide.dtype == np.float64 and np.unique(wide.numpy()).size > 950


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("normal", [0, 10, -3], [1, 2, 0.5]), ("gamma", [0.5, 3, 20], [1, 2, 3]), ("poisson", [0, 0.5, 9, 12, 500], None),
     ("binomial", [0, 10, 100, 1000, 50], [0.5, 0.1, 0.7, 0.01, 1]), ("geometric", [0.1, 0.5, 1], None),
     ("integers", [0, -5, 100], [7, 5, 10**9]), ("beta", [1, 2], [3, 0.5]), ("exponential", [1, 5], None),
     ("hypergeometric", [5, 50], [10, 20])],
)  # fmt: skip
def test_arrays_of_parameters(name, first, second):
    count, rows = len(first), 20_000
    given = [np.array(v) for v in (first, second) if v is not None]
    given += [np.int64(4)] if name == "hypergeometric" else []
    expected = getattr(np.random.default_rng(2), name)(*given, size=(rows, count))
    device = [pyasc.asarray(g) for g in given]
    found = getattr(default_rng(3), name)(*device, size=(rows, count)).numpy()
    for k in range(count):
        assert distance(found[:, k], expected[:, k]) < np.sqrt(np.log(2 / 1e-6) / rows), (name, k)
    alone = getattr(default_rng(3), name)(*device)
    assert alone.shape == (count,)


def test_vectors(rng):
    r = default_rng(7)
    mean, cov = np.array([1.0, -2, 0]), np.array([[2.0, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 0.5]])
    for method in ("svd", "eigh", "cholesky"):
        x = r.multivariate_normal(mean, cov, size=50_000, method=method).numpy()
        np.testing.assert_allclose(x.mean(axis=0), mean, atol=6 * np.sqrt(2 / 50_000))
        np.testing.assert_allclose(np.cov(x.T), cov, atol=0.06)
    with pytest.warns(RuntimeWarning, match="positive-semidefinite"):
        r.multivariate_normal([0, 0], [[1, 2], [2, 1]])
    with pytest.raises(ValueError, match="positive-semidefinite"):
        r.multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid="raise")
    x = r.dirichlet([1.0, 2, 5], size=50_000).numpy()
    np.testing.assert_allclose(x.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(x.mean(axis=0), [0.125, 0.25, 0.625], atol=0.01)
    x = r.multinomial(20, [0.2, 0.3, 0.5], size=50_000).numpy()
    assert (x.sum(axis=1) == 20).all()
    np.testing.assert_allclose(x.mean(axis=0), [4, 6, 10], atol=0.06)
    x = r.multivariate_hypergeometric([5, 10, 15], 6, size=1000).numpy()
    assert (x.sum(axis=1) == 6).all() and (x.max(axis=0) <= [5, 10, 15]).all()


def test_philox_gives_the_published_numbers():
    """The known answer for counter 0 and key 0 (Random123): the bits behind uniform numbers of the first block."""
    words = np.array([0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8], np.uint64)
    out = pyasc.empty(4, np.float32)
    pyasc._core.call.call("aclnnInplaceUniform", out, 0.0, 1.0, 0, 0)
    np.testing.assert_array_equal(out.numpy(), ((words >> 8) / 2.0**24).astype(np.float32))


def test_the_same_seed_gives_the_same_numbers():
    code = """
import hashlib, numpy as np, pyasc
r = pyasc.random.default_rng(5)
parts = [r.random(100_001), r.normal(size=70_000), r.gamma(0.7, size=30_000), r.integers(0, 99, 50_000), r.permutation(10_000),
         r.poisson(pyasc.asarray([0.5, 30.0]), size=(5_000, 2)), r.random(2000, dtype=np.float64)]
print(hashlib.sha1(b"".join(p.tobytes() for p in parts)).hexdigest())
"""
    seen = set()
    for threads in ("1", "2", "5"):
        env = {**os.environ, "PYASC_EMBEDDED_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        seen.add(done.stdout)
    assert len(seen) == 1
    a, b = default_rng(3), default_rng(3)
    whole = a.random(1000).numpy()
    np.testing.assert_array_equal(
        np.concatenate([b.random(400).numpy(), b.random(600).numpy()]), whole
    )
    if pyasc.get_device_count() > 1:
        with pyasc.device(1):
            np.testing.assert_array_equal(default_rng(3).random(1000).numpy(), whole)
    assert not np.array_equal(default_rng(4).random(1000).numpy(), whole)


def test_states():
    r = default_rng(11)
    r.random(13)
    state = r.bit_generator.state
    first = r.normal(size=50).numpy()
    r.bit_generator.state = state
    np.testing.assert_array_equal(r.normal(size=50).numpy(), first)
    copied = pickle.loads(pickle.dumps(r))
    np.testing.assert_array_equal(copied.random(9).numpy(), r.random(9).numpy())
    jumped = Philox(11).jumped()
    assert (
        jumped.state["state"]["counter"] == 2**48
        and jumped.state["state"]["key"] == Philox(11).state["state"]["key"]
    )
    good = r.bit_generator.state
    for bad, error in (
        ({"bit_generator": "MT19937", "state": {}}, ValueError), ({"bit_generator": "Philox"}, ValueError),
        ({"bit_generator": "Philox", "state": {"key": 1}}, ValueError), ("Philox", TypeError),
        ({"bit_generator": "Philox", "state": {"key": 1, "counter": -1}}, ValueError),
        (np.random.default_rng(1).bit_generator.state, ValueError),
    ):  # fmt: skip
        with pytest.raises(error):
            r.bit_generator.state = bad
        assert r.bit_generator.state == good  # nothing half-loaded


def test_spawned_generators_are_independent():
    children = default_rng(5).spawn(3)
    again = default_rng(5).spawn(3)
    drawn = [c.standard_normal(20_000).numpy() for c in children]
    np.testing.assert_array_equal(drawn[1], again[1].standard_normal(20_000).numpy())
    for a, b in ((0, 1), (1, 2), (0, 2)):
        assert abs(np.corrcoef(drawn[a], drawn[b])[0, 1]) < 6 / np.sqrt(20_000)
    assert (
        isinstance(default_rng(children[0]), random.Generator)
        and default_rng(children[0]) is children[0]
    )


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("normal", (0, -1)), ("exponential", (-1,)), ("gamma", (-1,)), ("gamma", (1, -1)), ("beta", (0, 1)), ("chisquare", (0,)),
     ("f", (1, 0)), ("standard_t", (-1,)), ("wald", (0, 1)), ("vonmises", (0, -1)), ("pareto", (0,)), ("power", (0,)),
     ("weibull", (-1,)), ("triangular", (1, 0, 2)), ("triangular", (0, 0, 0)), ("uniform", (0, np.inf)), ("laplace", (0, -1)),
     ("poisson", (-1,)), ("poisson", (np.nan,)), ("binomial", (-1, 0.5)), ("binomial", (5, 1.5)), ("geometric", (0,)),
     ("negative_binomial", (0, 0.5)), ("negative_binomial", (5, 0)), ("hypergeometric", (-1, 2, 1)),
     ("hypergeometric", (1, 2, 9)), ("logseries", (1,)), ("zipf", (1,)), ("multinomial", (5, [0.9, 0.9, 0.1])),
     ("multinomial", (-5, [0.5, 0.5])), ("dirichlet", ([0.0, -1],)), ("integers", (5, 5)), ("integers", (0, 300, None, "u1")),
     ("integers", (-1, 3, None, "u1")), ("choice", (0,)), ("choice", ([],)), ("choice", (3, 5, False)),
     ("choice", (3, 2, True, [0.5, 0.6, -0.1])), ("choice", (3, 2, True, [0.5, 0.2])), ("choice", (3, 2, True, [0.5, 0.2, 0.1])),
     ("multivariate_normal", ([0, 1], [[1.0]])), ("multivariate_normal", ([[0]], [[1.0]])), ("random", (-1,)),
     ("multivariate_hypergeometric", ([1, 2], 9)), ("normal", ([0, 0], 1, (3,)))],
    ids=str,
)  # fmt: skip
def test_parameters_are_refused_as_numpy_refuses_them(name, arguments):
    with pytest.raises((ValueError, OverflowError, TypeError)) as numpys:
        getattr(np.random.default_rng(1), name)(*arguments)
    with pytest.raises(numpys.type):
        getattr(default_rng(1), name)(*arguments)
    device = [pyasc.asarray(a) if isinstance(a, (list, float)) else a for a in arguments]
    with pytest.raises(numpys.type):
        getattr(default_rng(1), name)(*device)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_integers_of_every_dtype(dtype):
    dtype, r = np.dtype(dtype), default_rng(1)
    low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    x = r.integers(low, high, 50_000, dtype=dtype, endpoint=True).numpy()
    assert x.dtype == dtype
    assert abs(float(x.astype(np.float64).mean()) / 2 - (low + high) / 4) < 6 * (
        high - low
    ) / np.sqrt(12 * 50_000)
    assert set(
        r.integers(2, 4, 200, dtype=dtype if dtype.kind != "b" else "i1").numpy().tolist()
    ) == {2, 3}
    for bound in (low - 1, high + 2):
        with pytest.raises(ValueError):
            r.integers(min(bound, 0), bound, dtype=dtype)


def test_orders_and_samples():
    r = default_rng(9)
    assert sorted(r.permutation(1000).tolist()) == list(range(1000))
    x = pyasc.from_numpy(np.arange(60).reshape(6, 10))
    assert sorted(map(tuple, r.permutation(x).tolist())) == sorted(map(tuple, x.tolist()))
    columns = r.permutation(x, axis=1)
    assert sorted(map(tuple, columns.T.tolist())) == sorted(map(tuple, x.T.tolist()))
    rows = r.permuted(x, axis=1).numpy()
    np.testing.assert_array_equal(np.sort(rows), x.numpy())
    assert len({tuple(np.argsort(row)) for row in rows}) > 1
    y = x.copy()
    r.shuffle(y)
    assert sorted(map(tuple, y.tolist())) == sorted(map(tuple, x.tolist()))
    with pytest.raises(TypeError, match="permutation"):
        r.shuffle([1, 2, 3])
    counts = np.bincount(r.choice(4, 40_000, p=[0.1, 0.2, 0.3, 0.4]).numpy(), minlength=4) / 40_000
    np.testing.assert_allclose(counts, [0.1, 0.2, 0.3, 0.4], atol=0.015)
    assert len(set(r.choice(50, 50, replace=False).tolist())) == 50
    drawn = [tuple(r.choice(3, 2, replace=False, p=[0.6, 0.3, 0.1]).tolist()) for _ in range(300)]
    assert all(a != b for a, b in drawn) and drawn.count((0, 1)) > drawn.count((2, 1))
    assert r.choice(x, 3, axis=1).shape == (6, 3) and r.choice(5).shape == ()
    # all orders of three are as likely: chi-square with 5 degrees of freedom passes 32 once in 10^5 times
    orders = np.array([default_rng(k).permutation(3).numpy() for k in range(1200)]) @ [9, 3, 1]
    counts = np.unique(orders, return_counts=True)[1]
    assert len(counts) == 6 and ((counts - 200) ** 2 / 200).sum() < 32


def test_out_and_shapes():
    r = default_rng(2)
    out = pyasc.empty((3, 4), np.float32)
    for method in (r.random, r.standard_normal, r.standard_exponential):
        assert method(out=out) is out and method(size=(3, 4), out=out) is out
        with pytest.raises(ValueError):
            method(size=5, out=out)
    assert (
        r.random().shape == ()
        and r.random(3).shape == (3,)
        and r.normal(size=(2, 0)).shape == (2, 0)
    )
    assert isinstance(r.bytes(5), bytes) and len(r.bytes(5)) == 5
    with pytest.raises(TypeError, match="float16"):
        r.random(3, dtype=np.float16)
    with pytest.raises(TypeError, match="Philox"):
        random.Generator(np.random.PCG64(1))


def test_older_functions():
    random.seed(5)
    first = [
        random.rand(2, 3),
        random.randn(4),
        random.randint(0, 9, 5),
        random.normal(1, 2, 3),
        random.random_sample(),
    ]
    state = random.get_state()
    random.seed(5)
    second = [
        random.rand(2, 3),
        random.randn(4),
        random.randint(0, 9, 5),
        random.normal(1, 2, 3),
        random.random_sample(),
    ]
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    after = random.uniform(size=3).numpy()
    random.set_state(state)
    np.testing.assert_array_equal(random.uniform(size=3).numpy(), after)
    pyasc.manual_seed(5)
    np.testing.assert_array_equal(random.rand(2, 3).numpy(), first[0].numpy())
    mine = RandomState(5)
    np.testing.assert_array_equal(mine.rand(2, 3).numpy(), first[0].numpy())
    assert 1 <= int(mine.random_integers(6)) <= 6 and mine.tomaxint(3).dtype == np.int64
    with pytest.raises(ValueError):
        mine.choice(pyasc.ones((2, 2)))


def test_names_are_numpys():
    ours = {n for n in dir(random.Generator) if not n.startswith("_")}
    theirs = {n for n in dir(np.random.Generator) if not n.startswith("_")}
    assert theirs - ours == set()
    missing = {n for n in np.random.__all__ if not hasattr(random, n)}
    # bit generators that are not by counter, and what belongs to them
    assert missing == {"BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "SFC64"}

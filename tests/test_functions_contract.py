"""einsum and its kin, cross products, convolution: on device arrays, against NumPy."""

import numpy as np
import pytest
from helpers import BFLOAT16, DTYPES, by_default, device_twin, layouts, newest_numpy, same, sample

import pyasc


@pytest.fixture(autouse=True)
def on_the_device():
    """None of these may run on the host, or copy without being asked."""
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    implicit = pyasc.transfers().implicit
    yield
    pyasc.config.host_path = before
    assert pyasc.transfers().implicit == implicit


def near(found, expected, size, context):
    """Equal type and shape; values within the rounding of sums of products of that size."""
    expected = np.asarray(expected)
    assert isinstance(found, pyasc.ndarray), f"{context}: {type(found)}"
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), context
    eps = np.finfo(expected.dtype).eps if expected.dtype.kind in "fc" else 0
    error = size * float(eps)
    np.testing.assert_allclose(found.numpy(), expected, 8 * float(eps), error, err_msg=context)


def refuses_alike(call, *arrays):
    """NumPy and the device raise one class for the same arguments."""
    with pytest.raises(Exception) as numpys:
        call(*arrays)
    with pytest.raises(type(numpys.value)):
        call(*(device_twin(a) if isinstance(a, np.ndarray) else a for a in arrays))


EQUATIONS = [
    ("i->", [(5,)]), ("i->i", [(5,)]), ("ii", [(4, 4)]), ("ii->i", [(4, 4)]), ("ij->ji", [(2, 3)]), ("ij->", [(2, 3)]),
    ("ij->j", [(2, 3)]), ("bA", [(2, 3)]), ("iij->j", [(3, 3, 2)]), ("...", [(2, 3)]), ("i...->...i", [(2, 3, 4)]),
    ("...ii->...", [(2, 3, 3)]), ("->", [()]), ("ij->i", [(0, 3)]), ("ij->i", [(3, 0)]), ("iii->", [(2, 2, 2)]),
    ("i,i", [(5,), (5,)]), ("i,i->i", [(5,), (5,)]), ("i,j", [(3,), (4,)]), ("i,j->ji", [(3,), (4,)]),
    ("i,i->", [(0,), (0,)]), (",ij", [(), (2, 3)]), ("i,->i", [(3,), ()]), ("ij,j", [(2, 3), (3,)]),
    ("i,ij", [(2,), (2, 3)]), ("ij,jk", [(2, 3), (3, 4)]), ("ij,jk->ki", [(2, 3), (3, 4)]),
    ("ji,kj->ik", [(3, 2), (4, 3)]), ("ij,ij", [(2, 3), (2, 3)]), ("ij,ji->", [(2, 3), (3, 2)]),
    ("ij,kj->", [(2, 3), (4, 3)]), ("ii,i->i", [(3, 3), (3,)]), ("ij,jj->i", [(2, 3), (3, 3)]),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]), ("bij,bjk->ikb", [(2, 3, 4), (2, 4, 5)]), ("bi,bi->b", [(6, 3), (6, 3)]),
    ("bij,bj->bi", [(2, 3, 4), (2, 4)]), ("bj,bjk->bk", [(2, 4), (2, 4, 5)]), ("ijk,jki->", [(2, 3, 4), (3, 4, 2)]),
    ("abcd,cdef->abef", [(2, 1, 3, 2), (3, 2, 2, 2)]), ("abcd,efcd->fb", [(2, 1, 3, 2), (2, 4, 3, 2)]),
    ("...ij,...jk->...ik", [(5, 2, 3), (3, 4)]), ("...ij,...jk", [(1, 2, 3), (5, 3, 4)]), ("i...,i...->...", [(3, 2), (3,)]),
    ("...,...", [(2, 3), (3,)]), ("ij,jk", [(2, 1), (3, 4)]), ("ij,ij->ij", [(2, 1), (1, 3)]), ("ij,j->i", [(2, 0), (0,)]),
    ("ij,jk,kl", [(2, 3), (3, 4), (4, 2)]), ("i,j,k->kij", [(2,), (3,), (4,)]), ("ij,jk,ki->", [(2, 3), (3, 4), (4, 2)]),
    ("bi,i,bi->b", [(4, 3), (3,), (4, 3)]), ("ij,j,jk->ik", [(2, 1), (3,), (3, 2)]), ("i,i,i->", [(4,), (4,), (1,)]),
    ("ij,kl,jk,lm->im", [(2, 3), (4, 2), (3, 4), (2, 3)]), ("a b , b c -> a c", [(2, 3), (3, 2)]),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_einsum(dtype, rng):
    for equation, shapes in EQUATIONS:
        arrays = [sample(rng, s, dtype, (0, 2)) for s in shapes]
        expected = np.einsum(equation, *arrays)
        size = 200 * len(shapes) ** 2
        twins = [device_twin(a) for a in arrays]
        near(np.einsum(equation, *twins), expected, size, equation)
        near(pyasc.einsum(equation, *twins, optimize="optimal"), expected, size, equation)


def test_einsum_layouts(rng):
    for equation, shapes in EQUATIONS:
        hosts = [sample(rng, s, "f", (0, 2)) for s in shapes]
        for kinds in zip(*map(layouts, hosts), strict=False):
            views = [view for _, view in kinds]
            context = f"{equation} {kinds[0][0]}"
            expected = np.einsum(equation, *views)
            near(np.einsum(equation, *map(device_twin, views)), expected, 100, context)


def test_einsum_words(rng):
    a, b, c = (sample(rng, s, "f") for s in ((4, 5), (5, 6), (6, 3)))
    d, e, f = map(pyasc.from_numpy, (a, b, c))
    path = np.einsum_path("ij,jk,kl", a, b, c, optimize="optimal")[0]
    assert np.einsum_path("ij,jk,kl", d, e, f, optimize="optimal")[0] == path
    assert pyasc.einsum_path(d, [0, 1], e, [1, 2], f, [2, 3])[0][0] == "einsum_path"
    for optimize in (
        True,
        False,
        "greedy",
        "optimal",
        path,
        ["einsum_path", (0, 1, 2)],
        ("greedy", 10),
    ):
        near(
            np.einsum("ij,jk,kl", d, e, f, optimize=optimize), np.einsum("ij,jk,kl", a, b, c), 400,
            str(optimize),
        )  # fmt: skip
    # the interleaved form
    near(np.einsum(d, [0, 1], e, [1, 2], [2, 0]), np.einsum(a, [0, 1], b, [1, 2], [2, 0]), 40, "[]")
    near(np.einsum(d, [0, ...], [..., 0]), a.T, 0, "...")
    # types
    for dtype in ("d", "D", "f"):
        near(
            np.einsum("ij,jk", d, e, dtype=dtype), np.einsum("ij,jk", a, b, dtype=dtype), 40, dtype
        )
    i = rng.integers(0, 9, (4, 5))
    near(
        np.einsum("ij,ij", pyasc.from_numpy(i), d), np.float32(np.einsum("ij,ij", i, a)), 200, "int"
    )
    wide = a.astype("d")
    near(np.einsum("ij,ij", pyasc.from_numpy(wide), d), np.einsum("ij,ij", wide, a), 200, "float64")
    same(
        np.einsum("ij,j", pyasc.from_numpy(wide), [0.1, 0, 0, 0, 0]),
        np.einsum("ij,j", wide, [0.1, 0, 0, 0, 0]),
    )
    half = d.astype(BFLOAT16)
    assert np.einsum("ij,ij->i", half, half).dtype == BFLOAT16
    # order and out
    assert np.einsum("ij,jk", d, e, order="F").flags.f_contiguous
    out = pyasc.zeros((4, 6), "d")
    assert np.einsum("ij,jk", d, e, out=out) is out
    near(out.astype("f"), np.einsum("ij,jk", a, b), 40, "out")
    host = np.zeros((4, 6), "f")
    assert np.einsum("ij,jk->ik", a, b, out=host) is host
    near(pyasc.from_numpy(host), a @ b, 40, "host out")


def test_einsum_returns_views(rng):
    x = pyasc.zeros((3, 3), "f")
    np.einsum("ii->i", x)[...] = 7
    np.einsum("ij->ji", x)[0, 1] = 3
    assert x.tolist() == [[7, 0, 0], [3, 7, 0], [0, 0, 7]]


def test_einsum_refuses():
    a = np.ones((2, 3), "f")
    for call in (
        lambda x: np.einsum("ij->k", x), lambda x: np.einsum("ij->ii", x), lambda x: np.einsum("i", x),
        lambda x: np.einsum("ijk", x), lambda x: np.einsum("i1", x), lambda x: np.einsum("i..", x),
        lambda x: np.einsum("ij,ij", x), lambda x: np.einsum("ij", x, x), lambda x: np.einsum("ii", x),
        lambda x: np.einsum("...i->i", x), lambda x: np.einsum("ij,jk", x, x), lambda x: np.einsum(x),
        lambda x: np.einsum(x, [0, 77]), lambda x: np.einsum(x, [0, 1.5]), lambda x: np.einsum("ij->ij->i", x),
        lambda x: np.einsum("ij", x, order="Z"), lambda x: np.einsum("ij", x, casting="no way"),
        lambda x: np.einsum("ij->", x, dtype="i1"), lambda x: np.einsum("ij,ij->", x, x, dtype="e"),
        lambda x: np.einsum("ij", x, foo=1), lambda x: np.einsum("i j - > i", x),
        lambda x: np.einsum("ij,ij,ij->", x, x, x, optimize=["einsum_path", (0, 1)]),
        lambda x: np.einsum("ij,ij,ij->", x, x, x, optimize=["einsum_path", (0, 5), (0, 1)]),
    ):  # fmt: skip
        refuses_alike(call, a)
    d = pyasc.from_numpy(a)
    for out in (pyasc.zeros(3), pyasc.zeros((1, 2)), np.zeros(3, "f")):
        with pytest.raises(ValueError):
            pyasc.einsum("ij->i", d, out=out)
    with pytest.raises(TypeError):
        pyasc.einsum("ij->i", d, out=pyasc.zeros(2, int))
    with pytest.raises(ValueError):
        pyasc.einsum("ij")


TENSORDOT = [
    ((2, 3), (3, 4), 1), ((2, 3), (2, 3), 2), ((2, 3), (4,), 0), ((2, 3, 4), (4, 3, 5), ((1, 2), (1, 0))),
    ((2, 3, 4), (4, 3, 5), ([-1], [0])), ((2, 3), (5, 2), (0, 1)), ((0, 3), (3, 4), 1), ((2, 0), (0, 4), 1), ((), (), 0),
    ((2, 3), (2, 3), -1), ((2, 3), (2, 3), 1), ((2, 3), (2, 3), 3), ((2, 3), (2, 3), ((0,), (0, 1))),
    ((2, 2), (2, 2), ((0, 0), (0, 0))), ((2, 3), (2, 3), ((5,), (0,))), ((2, 3), (2, 3), 1.5),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_tensordot_and_kron(dtype, rng):
    for first, second, axes in TENSORDOT:
        a, b = sample(rng, first, dtype, (0, 3)), sample(rng, second, dtype, (0, 3))
        d, e = device_twin(a), device_twin(b)
        try:
            expected = np.tensordot(a, b, axes)
        except Exception as error:
            with pytest.raises(type(error)):
                np.tensordot(d, e, axes)
        else:
            near(np.tensordot(d, e, axes), expected, 200, f"tensordot {first} {second} {axes}")
        for x, y in ((a, b), (a.T, b), (b, a)):
            near(np.kron(device_twin(x), device_twin(y)), np.kron(x, y), 20, f"kron {x.shape} {y.shape}")  # fmt: skip


def test_mixed_types(rng):
    a, f = rng.integers(0, 9, (3, 3)), sample(rng, (3, 3), "f")
    for name, call in {
        "tensordot": np.tensordot, "kron": np.kron, "cross": np.cross, "einsum": lambda x, y: np.einsum("ij,jk", x, y),
        "convolve": lambda x, y: np.convolve(x[0], y[0]), "correlate": lambda x, y: np.correlate(x[0], y[0], "full"),
    }.items():  # fmt: skip
        for x, y in ((a, f), (f, a), (a, f.astype("d")), (f.astype("F"), a), (a > 4, f)):
            expected = by_default(call(x, y), x, y)
            near(call(device_twin(x), device_twin(y)), expected, 300, f"{name} {x.dtype} {y.dtype}")


def test_numpys_own_types(rng, float64_default):
    """With the default float set to float64, results have NumPy's type, whatever went in."""
    i, h, f = rng.integers(0, 9, (3, 3)), sample(rng, (3, 3), "e"), sample(rng, (3, 3), "f")
    d = sample(rng, (3, 3), "d")
    for call in (
        np.tensordot, np.kron, np.cross, lambda x, y: np.einsum("ij,jk", x, y), lambda x, y: np.convolve(x[0], y[0]),
        lambda x, y: np.concatenate([x, y]), lambda x, y: np.stack([x, y[:, ::-1]]), np.vecdot,
    ):  # fmt: skip
        for x, y in ((i, h), (i, f), (h, f), (f, d), (i, d), (f, f), (i, i)):
            near(call(device_twin(x), device_twin(y)), call(x, y), 200, f"{x.dtype} {y.dtype}")


CROSS = [((3,), (3,)), ((4, 3), (3,)), ((5, 1, 3), (4, 3)), ((0, 3), (3,)), ((4, 3), (4, 3))]


@pytest.mark.parametrize("dtype", DTYPES[1:], ids=str)
def test_cross(dtype, rng):
    for first, second in CROSS:
        a, b = sample(rng, first, dtype, (0, 4)), sample(rng, second, dtype, (0, 4))
        for (name, x), (_, y) in zip(layouts(a), layouts(b), strict=False):
            near(np.cross(device_twin(x), device_twin(y)), np.cross(x, y), 100, name)
    a, b = sample(rng, (3, 2, 4), dtype, (0, 4)), sample(rng, (4, 3, 2), dtype, (0, 4))
    d, e = pyasc.from_numpy(a), pyasc.from_numpy(b)
    near(np.cross(d, d[::-1], axis=0), np.cross(a, a[::-1], axis=0), 100, "axis")
    near(np.cross(d, e.T, 0, 1, 0), np.cross(a, b.T, 0, 1, 0), 100, "axes")
    with pytest.warns(DeprecationWarning):
        expected = [np.cross(a[0], a[1], axis=0), np.cross(a[0].T[:, :2], a[0, 0, :3]), np.cross(a[0, 0, :3], a[0].T[:, :2])]  # fmt: skip
    with pytest.warns(DeprecationWarning, match="2-dimensional vectors"):
        found = [np.cross(d[0], d[1], axis=0), np.cross(d[0].T[:, :2], d[0, 0, :3]), np.cross(d[0, 0, :3], d[0].T[:, :2])]  # fmt: skip
    for x, y in zip(found, expected, strict=True):
        near(x, y, 100, "in the plane")


def test_cross_refuses():
    a = np.ones((2, 3), "f")
    refuses_alike(lambda x: np.cross(x, 1), a)
    refuses_alike(lambda x: np.cross(x, x, axis=5), a)
    refuses_alike(lambda x: np.cross(x, x, -1, -1, 7), a)
    refuses_alike(lambda x: np.cross(x, np.ones(4)), a)
    refuses_alike(lambda x: np.cross(x > 0, x > 0), a)
    refuses_alike(lambda x: np.cross(x, np.ones((4, 5, 3))), a)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_convolve_and_correlate(dtype, rng):
    for n, m in (
        (1, 1),
        (5, 1),
        (5, 2),
        (2, 5),
        (7, 3),
        (6, 6),
        (300, 65),
        (64, 300),
        (1500, 1030),
    ):
        a, b = sample(rng, (n,), dtype, (0, 2)), sample(rng, (m,), dtype, (0, 2))
        for (name, x), (_, y) in zip(layouts(a), layouts(b), strict=True):
            d, e = device_twin(x), device_twin(y)
            for function in (np.convolve, np.correlate):
                for mode in ("full", "same", "valid"):
                    context = f"{function.__name__} {mode} {n} {m} {name}"
                    expected = function(x, y, mode)
                    if dtype == np.float16:  # NumPy adds halves as halves
                        expected = function(x.astype("f"), y.astype("f"), mode).astype("e")
                    size = 8 if dtype == np.float16 else 20 * min(n, m)
                    near(function(d, e, mode), expected, size, context)


@pytest.mark.parametrize("dtype", ["f", "d", "F"])
def test_convolution_of_special_values(dtype, rng):
    a, b = sample(rng, (9,), dtype), sample(rng, (4,), dtype)
    for place in range(4):
        for value in (np.nan, np.inf, -np.inf):
            x, y = a.copy(), b.copy()
            x[place * 2], y[place] = value, value
            for first, second in ((x, b), (a, y), (x, y), (b, x)):
                for function in (np.convolve, np.correlate):
                    for mode in ("full", "same", "valid"):
                        with np.errstate(all="ignore"):
                            expected = function(first, second, mode)
                        found = function(device_twin(first), device_twin(second), mode)
                        found = found.numpy()
                        if (
                            dtype == "F"
                        ):  # which part of an infinite product is nan, BLAS has its own idea
                            finite = np.isfinite(expected)
                            np.testing.assert_array_equal(np.isfinite(found), finite)
                            found, expected = found[finite], expected[finite]
                        np.testing.assert_allclose(found, expected, 1e-5, 1e-5)
    long, kernel = sample(rng, (1300,), dtype), sample(rng, (700,), dtype)
    kernel[650] = np.inf
    with np.errstate(all="ignore"):
        expected = np.convolve(long, kernel, "same")
    found = np.convolve(pyasc.from_numpy(long), pyasc.from_numpy(kernel), "same").numpy()
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))


@newest_numpy
def test_convolution_refuses():
    a = np.ones(3, "f")
    for function in (np.convolve, np.correlate):
        for call in (
            lambda x, f=function: f(x, x[:0]), lambda x, f=function: f(x[:0], x), lambda x, f=function: f(x, x, "most"),
            lambda x, f=function: f(x, x, 7), lambda x, f=function: f(x[None], x), lambda x, f=function: f(x, x, "f"),
        ):  # fmt: skip
            refuses_alike(call, a)
    refuses_alike(lambda x: np.correlate(x, 1.0), a)
    d = pyasc.from_numpy(a)
    same(np.convolve(d, 2.0), np.float32([2, 2, 2]))
    same(np.convolve(d, d, 0), np.float32([3]))
    same(pyasc.convolve([1, 2], [0, 1]), np.array([0, 1, 2]))

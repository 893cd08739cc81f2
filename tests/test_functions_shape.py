"""Rearranging, joining, splitting, padding, diagonals and spacing on device arrays, against NumPy."""

import itertools

import numpy as np
import pytest
from helpers import NEWEST, by_default, device_twin, layouts, same, sample

import pyasc

DTYPES = [np.dtype(t) for t in ("?", "b", "q", "f", "d", "F")]


@pytest.fixture(autouse=True)
def on_the_device():
    """None of these may run on the host, or copy without being asked."""
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    implicit = pyasc.transfers().implicit
    yield
    pyasc.config.host_path = before
    assert pyasc.transfers().implicit == implicit


def check(function, *arrays, context="", ulp=0, order=False, near=0):
    """One function on NumPy arrays and on their device twins: same results, or the same kind of error."""
    twins = [device_twin(a) if isinstance(a, np.ndarray) else a for a in arrays]
    try:
        expected = function(*arrays)
    except Exception as error:
        with pytest.raises(type(error)):
            function(*twins)
        return
    found = function(*twins)
    if near:
        assert found.dtype == expected.dtype, context
        np.testing.assert_allclose(found.numpy(), expected, near, near, err_msg=context)
    else:
        compare(found, expected, context, ulp)
    if order:
        assert found.strides == expected.strides, context


def compare(found, expected, context="", ulp=0):
    if isinstance(expected, (tuple, list)):
        assert type(found) is type(expected) and len(found) == len(expected), context
        for f, e in zip(found, expected, strict=True):
            compare(f, e, context, ulp)
    else:
        same(found, np.asarray(expected), ulp, context)


REARRANGED = {
    "flip": lambda a: np.flip(a),
    "flip 0": lambda a: np.flip(a, 0),
    "flip (0, -1)": lambda a: np.flip(a, (0, -1)),
    "flip out of range": lambda a: np.flip(a, 5),
    "fliplr": np.fliplr,
    "flipud": np.flipud,
    **{f"rot90 {k}": lambda a, k=k: np.rot90(a, k) for k in (-1, 0, 1, 2, 3, 5)},
    "rot90 axes": lambda a: np.rot90(a, 1, (1, 0)),
    "rot90 same axes": lambda a: np.rot90(a, 1, (0, 0)),
    **{f"roll {s}": lambda a, s=s: np.roll(a, s) for s in (-7, -1, 0, 1, 3, 100)},
    "roll axis": lambda a: np.roll(a, 1, 0),
    "roll axes": lambda a: np.roll(a, (1, -2), (0, 1)),
    "roll one by axes": lambda a: np.roll(a, 2, (0, -1)),
    "roll same axis twice": lambda a: np.roll(a, (1, 1), (0, 0)),
    "roll out of range": lambda a: np.roll(a, 1, 4),
    "rollaxis": lambda a: np.rollaxis(a, 1),
    "rollaxis -1 to 1": lambda a: np.rollaxis(a, -1, 1),
    "rollaxis out of range": lambda a: np.rollaxis(a, 0, 9),
    "tile 2": lambda a: np.tile(a, 2),
    "tile (2, 3)": lambda a: np.tile(a, (2, 3)),
    "tile (2, 1, 2, 1)": lambda a: np.tile(a, (2, 1, 2, 1)),
    "tile 0": lambda a: np.tile(a, 0),
    "tile 1": lambda a: np.tile(a, 1),
    "tile negative": lambda a: np.tile(a, -1),
    "repeat": lambda a: np.repeat(a, 3),
    "repeat 0": lambda a: np.repeat(a, 0),
    "repeat axis": lambda a: np.repeat(a, 2, 0),
    "repeat last": lambda a: np.repeat(a, 2, -1),
    "repeat each": lambda a: np.repeat(a, np.arange(a.shape[0]), 0),
    "repeat wrong": lambda a: np.repeat(a, [1, 2], 0),
    "repeat negative": lambda a: np.repeat(a, -1),
    "repeat float": lambda a: np.repeat(a, 1.5),
    "resize": lambda a: np.resize(a, (3, 5)),
    "resize small": lambda a: np.resize(a, 2),
    "resize negative": lambda a: np.resize(a, (2, -1)),
    "append": lambda a: np.append(a, a),
    "append axis": lambda a: np.append(a, a, -1),
    "append other": lambda a: np.append(a, a[0], 0),
    "delete 0": lambda a: np.delete(a, 0),
    "delete axis": lambda a: np.delete(a, -1, 0),
    "delete slice": lambda a: np.delete(a, slice(0, 9, 2), -1),
    "delete list": lambda a: np.delete(a, [0, 1, 1], 0),
    "delete mask": lambda a: np.delete(a, [True] + [False] * (a.shape[0] - 1), 0),
    "delete nothing": lambda a: np.delete(a, [], 0),
    "delete out of range": lambda a: np.delete(a, 99, 0),
    "insert": lambda a: np.insert(a, 1, 7),
    "insert axis": lambda a: np.insert(a, 1, 1, 0),
    "insert last": lambda a: np.insert(a, -1, 1, -1),
    "insert several at one": lambda a: np.insert(a, 1, [1, 0, 1]),
    "insert list": lambda a: np.insert(a, [0, 1, 1], [1, 0, 1]),
    "insert [1]": lambda a: np.insert(a, [1], a[0], 0),
    "insert slice": lambda a: np.insert(a, slice(0, 2), 1, 0),
    "insert out of range": lambda a: np.insert(a, 99, 1),
    "insert rows": lambda a: np.insert(a, 1, a[0], 0),
    "atleast_1d": np.atleast_1d,
    "atleast_2d": np.atleast_2d,
    "atleast_3d": np.atleast_3d,
    "atleast two": lambda a: np.atleast_2d(a, a),
    "hstack": lambda a: np.hstack([a, a]),
    "vstack": lambda a: np.vstack((a, a)),
    "dstack": lambda a: np.dstack((a, a)),
    "column_stack": lambda a: np.column_stack((a, a)),
    "vstack of rows": lambda a: np.vstack(a),
    "hstack dtype": lambda a: np.hstack([a, a], dtype=np.complex128),
    "block": lambda a: np.block([[a, a], [a, a]]),
    "block 1": lambda a: np.block([a, a]),
    "block of one": lambda a: np.block(a),
    "block uneven": lambda a: np.block([[a], a]),
    "block empty": lambda a: np.block([[a], []]),
    "block tuple": lambda a: np.block([(a, a)]),
    "array_split": lambda a: np.array_split(a, 3),
    "array_split cuts": lambda a: np.array_split(a, [1, 2], -1),
    "array_split 0": lambda a: np.array_split(a, 0),
    "split": lambda a: np.split(a, 2, -1),
    "split 1": lambda a: np.split(a, 1),
    "split cuts": lambda a: np.split(a, [1, 5, 2]),
    "hsplit": lambda a: np.hsplit(a, 2),
    "vsplit": lambda a: np.vsplit(a, 1),
    "dsplit": lambda a: np.dsplit(a, [1]),
    "unstack": lambda a: np.unstack(a),  # NumPy 2.1
    "unstack -1": lambda a: np.unstack(a, axis=-1),
    **{f"tril {k}": lambda a, k=k: np.tril(a, k) for k in (-1, 0, 2, 50)},
    **{f"triu {k}": lambda a, k=k: np.triu(a, k) for k in (-50, -1, 0, 1)},
    "vander": np.vander,
    "vander N": lambda a: np.vander(a, 3, increasing=True),
    "vander 0": lambda a: np.vander(a, 0),
    **{f"diag {k}": lambda a, k=k: np.diag(a, k) for k in (-2, 0, 1, 9)},
    **{f"diagflat {k}": lambda a, k=k: np.diagflat(a, k) for k in (-1, 0)},
    **{f"diagonal {k}": lambda a, k=k: np.diagonal(a, k) for k in (-9, -1, 0, 2)},
    "diagonal axes": lambda a: np.diagonal(a, 1, -1, 0),
    "diagonal same axes": lambda a: a.diagonal(0, 1, 1),
    "repeat method": lambda a: a.repeat(2, axis=0),
    "byteswap": lambda a: a.byteswap(),
    "astype": lambda a: np.astype(a, np.complex64),
    "method resize": lambda a: (lambda b: (b.resize((b.size, 1)), b)[1])(a.copy()),
    "method resize negative": lambda a: a.copy().resize((-1, 2)),
}
if NEWEST:  # one dimension only before
    REARRANGED |= {
        "trim_zeros": np.trim_zeros,
        "trim_zeros f": lambda a: np.trim_zeros(a, "f"),
        "trim_zeros b": lambda a: np.trim_zeros(a, "B"),
        "trim_zeros axis": lambda a: np.trim_zeros(a, axis=0),
        "trim_zeros wrong": lambda a: np.trim_zeros(a, "x"),
    }

KEEPS_ORDER = ("roll", "delete", "insert", "tile", "repeat", "tril", "triu")


@pytest.mark.parametrize("name", REARRANGED)
def test_rearranging(name, rng, float64_default):
    for dtype, shape in itertools.product(DTYPES, [(), (0,), (4,), (4, 6), (3, 0), (2, 3, 4)]):
        x = sample(rng, shape, dtype)
        if name == "byteswap" and dtype.kind in "fc":
            x = np.asarray(np.abs(x)).astype(dtype)
        for layout, view in layouts(x):
            check(
                REARRANGED[name],
                view,
                context=f"{name} {dtype} {shape} {layout}",
                ulp=2 * (name == "vander"),
            )


@pytest.mark.parametrize(
    "name", [n for n in REARRANGED if n.startswith(("roll ", "delete ", "insert "))]
)
def test_memory_order(name, rng):
    for view in (sample(rng, (4, 6), np.int64), np.asfortranarray(sample(rng, (4, 6), np.int64))):
        check(
            REARRANGED[name],
            view,
            context=name,
            order=name.startswith(("roll", "delete axis", "insert axis")),
        )


def test_views_stay_views():
    x = pyasc.arange(12).reshape(3, 4)
    for view in (
        np.flip(x),
        np.rot90(x),
        np.split(x, 3)[1],
        np.diagonal(x),
        np.diag(x),
        np.atleast_3d(x),
        pyasc.unstack(x)[0],
    ):
        assert np.shares_memory(view, x)
    with pytest.raises(ValueError, match="read-only"):
        np.diagonal(x)[0] = 1
    np.flip(x, 0)[0] = 0
    assert x.tolist()[2] == [0, 0, 0, 0]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_in_place(dtype, rng):
    for shape, val, wrap in itertools.product(
        [(4, 4), (6, 2), (2, 5), (3, 3, 3), (0, 0)], (1, [1, 0], range(40)), (False, True)
    ):
        host = sample(rng, shape, dtype)
        for layout, view in layouts(host):
            if layout != "broadcast":
                host_copy = view.copy(order="K")
                twin = device_twin(host_copy)
                np.fill_diagonal(twin, pyasc.array(val), wrap)
                np.fill_diagonal(host_copy, val, wrap)
                same(twin, host_copy, context=f"{shape} {val} {wrap} {layout}")
    for bad in (np.ones(3), np.ones((2, 2, 3))):
        with pytest.raises(ValueError):
            np.fill_diagonal(device_twin(bad), 1)
    a, b, mask = sample(rng, (3, 4), dtype), sample(rng, (4,), dtype), sample(rng, (3, 1), bool)
    d = device_twin(a.copy())
    np.copyto(d, device_twin(b), where=device_twin(mask))
    np.copyto(a, b, where=mask)
    same(d, a)
    np.copyto(d, True)
    assert (d == 1).all()
    for bad, error in ((300, OverflowError), (1.5, TypeError))[not NEWEST :]:
        with pytest.raises(error):
            pyasc.copyto(pyasc.ones(3, "int8"), bad)
    with pytest.raises(TypeError):
        np.copyto(pyasc.ones(3, bool), d[0].astype(np.complex64))
    with pytest.raises(ValueError):
        np.copyto(d, pyasc.ones(3, dtype))


PADDED = [
    ("constant", {}), ("constant", {"constant_values": 3}), ("constant", {"constant_values": (1, 2)}), ("edge", {}),
    ("reflect", {}), ("reflect", {"reflect_type": "odd"}), ("symmetric", {}), ("symmetric", {"reflect_type": "odd"}),
    ("wrap", {}), ("linear_ramp", {}), ("linear_ramp", {"end_values": (2, -3)}), ("maximum", {}), ("minimum", {}),
    ("maximum", {"stat_length": 2}), ("minimum", {"stat_length": (1, 3)}), ("mean", {}), ("mean", {"stat_length": 2}),
    ("nothing", {}), ("edge", {"constant_values": 1}),
]  # fmt: skip
WIDTHS = [0, 2, (1, 3), ((2, 0),), 9, -1, 1.5, ((1, 2), (3, 0))]


@pytest.mark.parametrize("mode,words", PADDED, ids=str)
def test_pad(mode, words, rng):
    for dtype, shape, width in itertools.product(
        [np.dtype(t) for t in "bqfd"], [(1,), (5,), (3, 4), (2, 1, 3), (0,), (2, 0)], WIDTHS
    ):
        x = sample(rng, shape, dtype)
        for layout, view in itertools.islice(layouts(x), 2, 4):
            check(
                lambda a: np.pad(a, width, mode, **words), view, context=f"{mode} {words} {dtype} {shape} {width} {layout}",
                near=8 * np.finfo(dtype).eps if mode in ("mean", "linear_ramp") and dtype.kind == "f" else 0,
            )  # fmt: skip
    x = sample(rng, (3, 4), np.complex64)
    if mode not in ("maximum", "minimum"):
        check(lambda a: np.pad(a, 2, mode, **words), x, near=1e-6)


def test_pad_empty_and_callable():
    x = pyasc.arange(6).reshape(2, 3)
    same(np.pad(x, ((1, 0), (2, 1)), "empty")[1:, 2:-1], np.arange(6).reshape(2, 3))
    same(np.pad(x, {1: (1, 2)}), np.pad(np.arange(6).reshape(2, 3), ((0, 0), (1, 2))))

    def border(vector, widths, axis, words):
        vector[: widths[0]] = words["value"]

    with pytest.raises(RuntimeError, match="host"):
        np.pad(x, 1, border, value=4)
    pyasc.config.host_path = "allow"
    before = pyasc.transfers().implicit
    found = np.pad(x, 1, border, value=4).numpy()
    np.testing.assert_array_equal(found[0], 4)
    assert pyasc.transfers().implicit == before
    same(np.pad(x, 1, "median"), np.pad(x.numpy(), 1, "median"))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_joining_different_types(dtype, rng):
    a, b = sample(rng, (2, 3), dtype), sample(rng, (2, 3), np.float32)
    da, db = pyasc.from_numpy(a), pyasc.from_numpy(b)
    for function in (np.hstack, np.vstack, np.dstack, np.column_stack, lambda p: np.block([p])):
        same(function([da, db]), by_default(function([a, b]), a, b))
        check(lambda x, y, f=function: f([x, y]), b, b[:1])
    same(np.append(da, db[:1], 0), by_default(np.append(a, b[:1], 0), a, b))
    check(lambda x, y: np.append(x, y, 0), a, b[0])


def test_made_on_the_device(float64_default):
    table = [
        ("tri", (3,)), ("tri", (3, 5, 1)), ("tri", (4, 2, -1, int)), ("bartlett", (7,)), ("blackman", (8,)),
        ("hamming", (1,)), ("hanning", (0,)), ("kaiser", (9, 3.5)), ("linspace", (0, 1, 7)), ("linspace", (3, -2, 0)),
        ("linspace", (0, 9, 4, False)), ("linspace", (0, 5, 4, True, False, int)), ("linspace", (0, 1j, 3)),
        ("logspace", (0, 2, 5)), ("logspace", (0, 2, 5, False, 2)), ("geomspace", (1, 256, 9)),
        ("geomspace", (-1, -1000, 4)), ("geomspace", (1, 8, 3, False)), ("geomspace", (1j, 16j, 5)),
    ]  # fmt: skip
    for name, args in table:
        compare(getattr(pyasc, name)(*args), getattr(np, name)(*args), f"{name}{args}", 2)
    for name, args in (
        ("linspace", (0, 1, -1)),
        ("geomspace", (0, 1)),
        ("logspace", (0, 1, -1)),
        ("linspace", (0, 1, 2.5)),
    ):
        with pytest.raises(Exception) as numpys:
            getattr(np, name)(*args)
        with pytest.raises(type(numpys.value)):
            getattr(pyasc, name)(*args)
    start, stop = np.array([1.0, 2.0, -3.0]), np.array([[4.0], [8.0]])
    for axis, endpoint, num in itertools.product((0, 1, -1), (True, False), (0, 1, 5)):
        for name in ("linspace", "logspace"):
            check(
                lambda a, b, n=name: getattr(np, n)(a, b, num, endpoint, axis=axis),
                start,
                stop,
                ulp=8,
            )
        positive = np.abs(start)
        check(lambda a, b: np.geomspace(a, b, num, endpoint, axis=axis), positive, stop, ulp=32)
    check(lambda a, b: np.linspace(a, b, 5, retstep=True), start, stop, ulp=2)
    check(
        lambda a: np.logspace(
            a,
            2,
            4,
            base=np.array([2.0, 10.0]) if isinstance(a, np.ndarray) else pyasc.array([2.0, 10.0]),
        ),
        np.array([0.0, 1.0]),
        ulp=8,
    )
    with pytest.raises(ValueError):
        np.geomspace(pyasc.array([0.0, 1]), 2)


def test_default_float():
    for made in (
        pyasc.tri(3), pyasc.hanning(5), pyasc.linspace(0, 1), pyasc.logspace(0, 1), pyasc.geomspace(1, 9),
        pyasc.linspace(pyasc.arange(3), 5), pyasc.mgrid[0:1:3j],
    ):  # fmt: skip
        assert made.dtype == np.float32
    assert pyasc.linspace(pyasc.ones(2, "float64"), 2).dtype == np.float64
    assert pyasc.shape(pyasc.ones((2, 3))) == (2, 3) and pyasc.ndim([[1]]) == 2
    assert np.size(pyasc.ones((2, 3)), 1) == 3 and np.shape(pyasc.ones(4)) == (4,)


def test_windows_of_arrays(rng):
    view = np.lib.stride_tricks.sliding_window_view
    for layout, x in layouts(sample(rng, (4, 5), np.float32)):
        for window, axis in (
            ((2, 3), None),
            (2, 0),
            ((2, 2), (0, 1)),
            ((2, 2), (1, 1)),
            ((), ()),
            (9, 0),
            (-1, 0),
            (2, None),
            (1, 7),
        ):
            check(lambda a, w=window, k=axis: view(a, w, k), x, context=f"{layout} {window} {axis}")
    d = pyasc.arange(5)
    with pytest.raises(ValueError, match="read-only"):
        view(d, 2)[0] = 1
    view(d, 2, writeable=True)[0] = 7
    assert d.tolist() == [7, 7, 2, 3, 4]


def test_types():
    f, i, b = pyasc.ones(2, "float32"), pyasc.ones(2, "int64"), pyasc.ones(2, pyasc.bfloat16)
    host = [np.ones(2, np.float32), np.ones(2, np.int64)]
    assert np.result_type(f, i) == np.result_type(*host) and np.result_type(f, 1.5) == np.float32
    assert pyasc.result_type(b, f) == np.float32 and pyasc.result_type(b, 1.5) == pyasc.bfloat16
    assert (
        pyasc.promote_types("float16", pyasc.bfloat16) == np.float32
        and pyasc.promote_types("i1", "u1") == np.int16
    )
    assert (
        np.can_cast(f, "float64")
        and not np.can_cast(i, "int32")
        and np.can_cast(i, "float32", "same_kind")
    )
    assert np.min_scalar_type(f) == np.float32 and np.min_scalar_type(pyasc.array(7)) == np.uint8
    assert np.common_type(f, i) == np.common_type(*host)
    for requirement in ("C", "F", ["W", "O"], "A", None, ["C", "F"], "X"):
        try:
            expected = np.require(host[0][::2], np.float64, requirement)
        except Exception as error:
            with pytest.raises(type(error)):
                pyasc.require(f[::2], np.float64, requirement)
            continue
        found = pyasc.require(f[::2], np.float64, requirement)
        same(found, expected)
    assert pyasc.require(f) is f and not np.shares_memory(pyasc.require(f[:1], requirements="O"), f)
    assert pyasc.require(pyasc.broadcast_to(f, (2, 2)), requirements="W").flags.writeable
    assert pyasc.require(pyasc.ones((2, 3)), requirements="F").flags.f_contiguous


@pytest.mark.parametrize("mode", ["float32", "float64"])
def test_types_of_linspace(mode):
    pyasc.set_default_dtype(mode)
    try:
        for dtype in (np.int8, np.float16, np.float32, np.float64, np.complex64):
            for other in (2, 2.0, np.float32(2), np.ones(2, np.float32), np.ones(2, np.int64)):
                for name in ("linspace", "logspace", "geomspace"):
                    expected = getattr(np, name)(np.ones(2, dtype), other, 3).dtype
                    if mode == "float32" and np.float64 not in (
                        dtype,
                        getattr(other, "dtype", None),
                    ):
                        expected = {"d": np.dtype("f"), "D": np.dtype("F")}.get(
                            expected.char, expected
                        )
                    bounds = [
                        device_twin(np.ones(2, dtype)),
                        device_twin(other) if np.ndim(other) else other,
                    ]
                    assert getattr(np, name)(*bounds, 3).dtype == expected, (name, dtype, other)
    finally:
        pyasc.set_default_dtype("float32")
    assert pyasc.linspace(pyasc.ones(2, pyasc.bfloat16), 2, 3).dtype == pyasc.bfloat16


BFLOAT16_CASES = {
    "roll": lambda a: np.roll(a, 3, 1),
    "tile": lambda a: np.tile(a, (2, 2)),
    "repeat": lambda a: np.repeat(a, 2, 1),
    "take": lambda a: np.take(a, [0, 1], 0),
    "take_along_axis": lambda a: np.take_along_axis(a, pyasc.zeros((3, 2), int), 1),
    "pad": lambda a: np.pad(a, 2, "reflect"),
    "pad mean": lambda a: np.pad(a, 2, "mean"),
    "pad ramp": lambda a: np.pad(a, 2, "linear_ramp"),
    "tril": np.tril,
    "insert": lambda a: np.insert(a, 1, 1, 0),
    "delete": lambda a: np.delete(a, 1, 0),
    "append": lambda a: np.append(a, a),
    "diag": lambda a: np.diag(a[0]),
    "vander": lambda a: np.vander(a[0], 3),
    "select": lambda a: np.select([a < 3, a < 6], [a, -a], 0),
    "piecewise": lambda a: np.piecewise(a, [a > 2], [lambda v: v * 2, 1]),
    "extract": lambda a: np.extract(a > 5, a),
    "trim_zeros": np.trim_zeros,
    "linspace": lambda a: np.linspace(a, 1, 3),
    "byteswap": lambda a: a.byteswap().byteswap(),
}


@pytest.mark.parametrize("name", BFLOAT16_CASES)
def test_bfloat16(name):
    x = pyasc.arange(12, dtype="float32").reshape(3, 4)
    found, expected = BFLOAT16_CASES[name](x.astype(pyasc.bfloat16)), BFLOAT16_CASES[name](x)
    assert found.dtype == pyasc.bfloat16
    np.testing.assert_allclose(found.astype("float32").numpy(), expected.numpy(), rtol=2**-7)

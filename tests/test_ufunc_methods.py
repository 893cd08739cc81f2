"""reduce, accumulate, reduceat, outer and at against NumPy; what operators say about themselves; promotion; bits."""

import itertools
import warnings

import numpy as np
import pytest
from helpers import BFLOAT16, DTYPES, device_twin, layouts, same, sample, specials

import pyasc
from pyasc import _promotion
from pyasc.table import TABLE

ROWS = [r for r in TABLE if isinstance(getattr(np, r.name, None), np.ufunc)]
BINARY = [r.name for r in ROWS if r.nin == 2 and r.nout == 1]
DOUBLE = {
    np.dtype(np.float64): np.dtype(np.float32),
    np.dtype(np.complex128): np.dtype(np.complex64),
}
AXES = [0, 1, -1, None, (0, 2), ()]
SLICES = [[0, 2, 1], [0, 1, 2], [2, 1, 0], [0], [0, 2], [1, 1]]
SIGNED = np.array([1, -1, 5, -(2**63), 2**63 - 1, 0])
UNSIGNED = np.array([1, 2**64 - 1, 2**63, 2**63 - 1, 0, 5], np.uint64)


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def values(rng, name, dtype, shape):
    """Numbers that neither overflow nor divide by zero too often."""
    if dtype.kind in "biu":
        low = (
            1
            if name in ("divide", "floor_divide", "remainder", "fmod", "float_power", "arctan2")
            else 0
        )
        return rng.integers(low, 4, shape).astype(dtype)
    return sample(rng, shape, dtype, (0.5, 2))


def outcome(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def agree(found, expected, context):
    """The same error class, or the same dtype, shape and values up to the rounding of another order."""
    if isinstance(expected, Exception):
        kinds = [
            k for k in (TypeError, IndexError, ValueError, RuntimeError) if isinstance(expected, k)
        ]
        assert isinstance(found, kinds[0]), f"{context}: {found!r}, NumPy has {expected!r}"
        return
    assert isinstance(found, pyasc.ndarray), f"{context}: {found!r}, NumPy has {expected!r}"
    expected = np.asarray(expected)
    assert found.shape == expected.shape, (
        f"{context}: shape {found.shape}, NumPy has {expected.shape}"
    )
    assert found.dtype in (expected.dtype, DOUBLE.get(expected.dtype)), (
        f"{context}: {found.dtype}, {expected.dtype}"
    )
    if expected.dtype.kind in "fc":
        eps = np.finfo(found.dtype).eps
        expected = expected.astype(found.dtype)
        np.testing.assert_allclose(
            found.numpy(), expected, rtol=40 * eps, atol=40 * eps, err_msg=context
        )
    else:
        np.testing.assert_array_equal(found.numpy(), expected, err_msg=context)


def of_default_float(expected, *operands, dtype=None):
    """The dtype that NumPy's result has under the default-float rule."""
    if dtype is not None or any(o.dtype in DOUBLE for o in operands):
        return expected
    return DOUBLE.get(expected, expected)


@pytest.mark.parametrize("name", BINARY)
def test_reduce(name, rng):
    theirs, ours = getattr(np, name), getattr(pyasc, name)
    for dtype in DTYPES:
        x = values(rng, name, dtype, (3, 5, 4))
        d = pyasc.from_numpy(x)
        for axis in AXES:
            for words in (
                {},
                {"keepdims": True},
                {"initial": 1},
                {"initial": 1, "where": x > 1},
                {"where": x > 1},
            ):
                here = {k: pyasc.from_numpy(v) if k == "where" else v for k, v in words.items()}
                expected = outcome(theirs.reduce, x, axis=axis, **words)
                context = f"{name}.reduce {dtype} axis={axis} {list(words)}"
                found = outcome(ours.reduce, d, axis=axis, **here)
                agree(found, expected, context)
                if not isinstance(expected, Exception):
                    assert found.dtype == of_default_float(np.asarray(expected).dtype, x), context
        agree(outcome(theirs.reduce, d), outcome(theirs.reduce, x), f"np.{name}.reduce {dtype}")


@pytest.mark.parametrize("name", BINARY)
def test_accumulate_and_reduceat(name, rng):
    theirs, ours = getattr(np, name), getattr(pyasc, name)
    for dtype in DTYPES:
        x = values(rng, name, dtype, (3, 5, 4))
        d = pyasc.from_numpy(x)
        for axis in (0, 1, -1):
            agree(
                outcome(ours.accumulate, d, axis),
                outcome(theirs.accumulate, x, axis),
                f"{name} {dtype} {axis}",
            )
            for starts in SLICES:
                found, expected = (
                    outcome(f.reduceat, v, starts, axis) for f, v in ((ours, d), (theirs, x))
                )
                agree(found, expected, f"{name}.reduceat {dtype} {starts} axis={axis}")


@pytest.mark.parametrize(
    "name", ["add", "multiply", "maximum", "subtract", "divide", "bitwise_xor", "logaddexp"]
)
def test_layouts_and_lengths(name, rng):
    theirs, ours = getattr(np, name), getattr(pyasc, name)
    dtype = np.dtype(np.int32 if name.startswith("bitwise") else np.float32)
    for layout, view in layouts(values(rng, name, dtype, (6, 7))):
        d = device_twin(view)
        for axis in (0, 1):
            context = f"{name} {layout} axis={axis}"
            agree(ours.reduce(d, axis), theirs.reduce(view, axis), context)
            agree(ours.accumulate(d, axis), theirs.accumulate(view, axis), context)
            agree(
                ours.reduceat(d, [0, 3, 1], axis), theirs.reduceat(view, [0, 3, 1], axis), context
            )
    for n in (0, 1, 2, 3, 17, 64, 100, 1000):
        x = values(rng, name, dtype, (n,))
        d = pyasc.from_numpy(x)
        agree(outcome(ours.reduce, d), outcome(theirs.reduce, x), f"{name}.reduce of {n}")
        agree(ours.accumulate(d), theirs.accumulate(x), f"{name}.accumulate of {n}")
        starts = (
            rng.integers(0, max(n, 1), 2 * n) if n < 1000 else np.array([0, 130, 300, 299, 700])
        )
        agree(ours.reduceat(d, starts), theirs.reduceat(x, starts), f"{name}.reduceat of {n}")
        agree(
            ours.reduceat(d, pyasc.from_numpy(starts)),
            theirs.reduceat(x, starts),
            f"{name}.reduceat of {n}",
        )


@pytest.mark.parametrize("name", ["subtract", "divide", "power", "floor_divide", "arctan2", "fmod"])
def test_operators_that_go_from_left_to_right_give_numpys_bits(name, rng):
    x = sample(rng, (40, 3), np.float32, (0.9, 1.1))
    d = pyasc.from_numpy(x)
    ulp = {"power": 8, "arctan2": 8}.get(name, 0)
    same(getattr(pyasc, name).reduce(d), getattr(np, name).reduce(x), ulp)
    same(getattr(pyasc, name).accumulate(d), getattr(np, name).accumulate(x), ulp)


def test_edges_of_reductions():
    for name, x in (
        ("hypot", [-3.0]), ("gcd", [-4]), ("lcm", [-4]), ("add", [-0.0]), ("maximum", [np.nan, 1]), ("fmax", [np.nan, 1]),
        ("minimum", [1, np.nan, 2]), ("logaddexp", [-np.inf, -np.inf]), ("bitwise_and", np.array([7, 3], np.uint8)),
    ):  # fmt: skip
        x = np.asarray(x)
        d = pyasc.from_numpy(x)
        for initial in (np._NoValue, None):
            expected = np.asarray(getattr(np, name).reduce(x, initial=initial))
            same(
                getattr(pyasc, name).reduce(d, initial=initial),
                expected,
                2,
                f"{name} initial={initial}",
            )
    for name in BINARY:
        for dtype in (np.float64, np.int16, bool, np.uint8):
            x = np.zeros((0, 3), dtype)
            for axis in (0, 1, None):
                agree(outcome(getattr(np, name).reduce, pyasc.from_numpy(x), axis=axis),
                      outcome(getattr(np, name).reduce, x, axis=axis), f"empty {name} {dtype} {axis}")  # fmt: skip
        x = np.asarray(3, np.int32)
        agree(
            outcome(getattr(np, name).reduce, pyasc.from_numpy(x)),
            outcome(getattr(np, name).reduce, x),
            f"0-d {name}",
        )


def test_types_of_reductions():
    """Every operator × type × dtype= × type of out=: the dtype of the result or the refusal."""
    for name in BINARY:
        op = getattr(pyasc, name)
        for dtype, wanted, out in itertools.product(DTYPES, [None, *"?biLefdF"], [None, *"?iLdF"]):
            x = np.ones(2, dtype)
            holder = None if out is None else np.zeros((), out)
            expected = outcome(getattr(np, name).reduce, x, dtype=wanted, out=holder)
            types = [None if t is None else np.dtype(t) for t in (wanted, out)]
            found = outcome(_promotion.reduction, op, x.dtype, *types)
            context = f"{name} {dtype} dtype={wanted} out={out}: {found!r}, NumPy {expected!r}"
            assert isinstance(found, TypeError) == isinstance(expected, TypeError), context
            if out is None and not isinstance(expected, Exception):
                assert found[0] == of_default_float(np.asarray(expected).dtype, x, dtype=wanted), (
                    context
                )


def test_outputs_and_initial_values():
    x = np.arange(6.0).reshape(2, 3)
    d = pyasc.from_numpy(x)
    small = np.array([100, 100], np.int8)
    for function, args in (("reduce", ()), ("accumulate", ()), ("reduceat", ([0, 1],))):
        for dtype in (np.float64, np.int32, bool):
            shape = np.shape(getattr(np.add, function)(x, *args))
            here, there = pyasc.zeros(shape, dtype), np.zeros(shape, dtype)
            getattr(np.add, function)(x, *args, out=there)
            assert getattr(np.add, function)(d, *args, out=here) is here
            same(here, there, context=f"{function} {dtype}")
            out = np.zeros(shape, dtype)
            assert getattr(np.add, function)(d, *args, out=out) is out
            np.testing.assert_array_equal(out, there)
    same(
        np.add.reduce(pyasc.from_numpy(small), out=pyasc.zeros((), np.int8)),
        np.asarray(-56, np.int8),
    )
    same(np.add.reduce(pyasc.from_numpy(small), initial=1.5), np.asarray(201))
    same(np.subtract.reduce(d, initial=10), np.subtract.reduce(x, initial=10))
    same(
        np.subtract.reduce(d, initial=10, where=d > 1),
        np.subtract.reduce(x, initial=10, where=x > 1),
    )
    same(np.add.reduce(d, where=[1, 0, 1]), np.add.reduce(x, where=[1, 0, 1]))


BAD = [
    lambda m, x: m.subtract.reduce(x, axis=None),
    lambda m, x: m.add.reduce(x, axis=5),
    lambda m, x: m.add.reduce(x, axis=(0, 0)),
    lambda m, x: m.add.reduce(x, axis=[0, 1]),
    lambda m, x: m.add.reduce(x, axis=1.5),
    lambda m, x: m.add.reduce(x, keepdims="a"),
    lambda m, x: m.add.reduce(x, out=3),
    lambda m, x: m.add.reduce(x, foo=1),
    lambda m, x: m.add.reduce(),
    lambda m, x: m.add.reduce(x, initial=1j),
    lambda m, x: m.add.reduce(x, where=np.ones(5, bool)),
    lambda m, x: m.add.reduce(x, where=np.ones((4, 2, 3), bool)),
    lambda m, x: m.add.reduce(x[:, :1], axis=1, where=np.ones((2, 3), bool)),
    lambda m, x: m.maximum.reduce(x, where=x > 1),
    lambda m, x: m.subtract.reduce(x, where=x > 1),
    lambda m, x: m.subtract.reduce(x[:0]),
    lambda m, x: m.add.reduce(x[:0], initial=None),
    lambda m, x: m.less.reduce(x),
    lambda m, x: m.sin.reduce(x),
    lambda m, x: m.divmod.reduce(x),
    lambda m, x: m.matmul.reduce(x),
    lambda m, x: m.add.accumulate(x, axis=None),
    lambda m, x: m.add.accumulate(x, axis=(0, 1)),
    lambda m, x: m.add.accumulate(x[0, 0]),
    lambda m, x: m.add.accumulate(x, keepdims=True),
    lambda m, x: m.sin.accumulate(x),
    lambda m, x: m.less.accumulate(x),
    lambda m, x: m.add.reduceat(x, [0, 2]),
    lambda m, x: m.add.reduceat(x, [-1]),
    lambda m, x: m.add.reduceat(x, [[0]]),
    lambda m, x: m.add.reduceat(x, 0),
    lambda m, x: m.add.reduceat(x),
    lambda m, x: m.add.reduceat(x, [0], axis=None),
    lambda m, x: m.sin.reduceat(x, [0]),
    lambda m, x: m.sin.outer(x, x),
    lambda m, x: m.add.outer(x),
    lambda m, x: m.add.outer(x, x, x),
    lambda m, x: m.matmul.outer(x, x),
    lambda m, x: m.add.at(x, [5], 1),
    lambda m, x: m.add.at(x, [0.5], 1),
    lambda m, x: m.add.at(x, [0]),
    lambda m, x: m.negative.at(x, [0], 2),
    lambda m, x: m.divmod.at(x, [0], 2),
    lambda m, x: m.modf.at(x, [0]),
    lambda m, x: m.matmul.at(x, [0], 2),
    lambda m, x: m.add.at(x, [0, 0], np.ones((5, 3))),
    lambda m, x: m.maximum.at(x, [0, 0], np.ones((5, 3))),
    lambda m, x: m.add.at([1, 2], [0], 1),
    lambda m, x: m.add.at(x, [0], "a"),
    lambda m, x: m.subtract.at(x > 1, [0], True),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_numpy_refuses(number):
    x = np.arange(6.0).reshape(2, 3)
    d = pyasc.from_numpy(x)
    expected = outcome(BAD[number], np, x)
    assert isinstance(expected, Exception)
    agree(outcome(BAD[number], pyasc, d), expected, f"case {number}")
    same(d, x)


def test_outer(rng):
    for name in BINARY:
        for dtype in (np.dtype(np.float32), np.dtype(np.int64), np.dtype(bool)):
            x, y = values(rng, name, dtype, (2, 3)), values(rng, name, dtype, (4,))
            found = outcome(getattr(np, name).outer, pyasc.from_numpy(x), pyasc.from_numpy(y))
            agree(found, outcome(getattr(np, name).outer, x, y), f"{name}.outer {dtype}")
    x = np.arange(3, dtype=np.int32)
    d = pyasc.from_numpy(x)
    for found, expected in zip(np.divmod.outer(d, d + 1), np.divmod.outer(x, x + 1), strict=True):
        same(found, expected)
    out = pyasc.zeros((3, 3), np.int64)
    assert np.add.outer(d, d, out=out) is out
    same(out, np.add.outer(x, x).astype(np.int64))
    same(np.multiply.outer(d, 2), np.multiply.outer(x, 2).astype(np.int32))


def test_at(rng):
    mask = rng.integers(0, 2, (3, 5)).astype(bool)
    row = np.array([0, 1, 0, 2, 0])
    keys = [
        row,
        (slice(None), [0, 0, 1]),
        (1, 2),
        mask,
        ([0, 1, 0], [1, 1, 1]),
        slice(0, 2),
        ...,
        [],
        (row, row),
    ]
    for name in BINARY:
        for dtype in DTYPES:
            x = values(rng, name, dtype, (3, 5, 4))
            for key in keys:
                if name in ("divide", "float_power") and dtype.kind in "biu":
                    continue  # infinity as an integer is whatever the processor makes of it
                operand = values(rng, name, dtype, x[key].shape)
                here = pyasc.from_numpy(x)
                there = x.copy()
                error = outcome(getattr(np, name).at, there, key, operand)
                found = outcome(getattr(np, name).at, here, key, pyasc.from_numpy(operand))
                assert isinstance(found, TypeError) == isinstance(error, TypeError), (
                    f"{name} {dtype} {found!r} {error!r}"
                )
                assert (found is None) == (error is None), (
                    f"{name} {dtype} {key} {found!r} {error!r}"
                )
                agree(here, there, f"{name}.at {dtype} {key}")


def test_at_in_detail(rng):
    index = rng.integers(0, 20, 500)
    operand = rng.integers(0, 9, 500)
    for name in (
        "add",
        "subtract",
        "multiply",
        "maximum",
        "bitwise_xor",
        "gcd",
        "power",
        "left_shift",
    ):
        there = np.arange(20) + 1
        here = pyasc.from_numpy(there)
        getattr(np, name).at(there, index, operand)
        getattr(np, name).at(here, pyasc.from_numpy(index), operand)
        same(here, there, context=name)
    for name in ("negative", "sqrt", "logical_not"):
        there = np.arange(20.0)
        here = pyasc.from_numpy(there)
        getattr(np, name).at(there, index % 7)
        getattr(np, name).at(here, index % 7)
        same(here, there, context=name)
    often = np.where(index < 3, index, 3)
    for name in (
        "multiply",
        "maximum",
        "bitwise_xor",
        "logical_and",
        "gcd",
        "fmin",
    ):  # combined before
        there = np.arange(20) + 1
        here = pyasc.from_numpy(there)
        getattr(np, name).at(there, often, operand)
        getattr(np, name).at(here, often, operand)
        same(here, there, context=name)
    for view in (lambda v: v[::2], lambda v: v[::-1], lambda v: v.reshape(4, 5).T):
        for name in ("add", "multiply", "divide"):
            there = np.arange(20.0)
            here = pyasc.from_numpy(there)
            getattr(np, name).at(view(there), [0, 1, 0], 3.3)
            getattr(np, name).at(view(here), [0, 1, 0], 3.3)
            same(here, there, context=name)
    there = np.ones(3, int)
    here = pyasc.from_numpy(there)
    np.add.at(there, [0, 0, 1], 1.5)  # rounded at every step
    np.add.at(here, [0, 0, 1], 1.5)
    same(here, there)
    host = np.zeros(3)
    np.add.at(host, pyasc.from_numpy(np.array([0, 0, 2])), 1)
    np.testing.assert_array_equal(host, [2, 0, 1])


def test_nothing_runs_on_the_host(rng):
    d = pyasc.from_numpy(rng.integers(1, 4, (6, 5)))
    index = pyasc.from_numpy(np.array([0, 1, 0, 3]))
    pyasc.config.host_path = "error"
    before = pyasc.transfers()
    try:
        for name in BINARY:
            op = getattr(np, name)
            for call in (lambda op=op: op.reduce(d), lambda op=op: op.accumulate(d), lambda op=op: op.outer(d, d),
                         lambda op=op: op.reduceat(d, [0, 3, 1]), lambda op=op: op.at(d.copy(), index, d[:4])):  # fmt: skip
                error = outcome(call)
                assert not isinstance(error, Exception) or isinstance(error, TypeError), error
    finally:
        pyasc.config.host_path = "allow"
    assert pyasc.transfers().implicit == before.implicit


def test_bfloat16_reductions():
    x = np.arange(1, 9, dtype=np.float32)
    d = pyasc.from_numpy(x.astype(BFLOAT16))
    for name in ("add", "multiply", "subtract", "maximum", "fmin", "divide"):
        found = getattr(pyasc, name).reduce(d)
        assert found.dtype == BFLOAT16
        wanted = float(getattr(np, name).reduce(x))
        assert abs(float(found) - wanted) <= abs(wanted) * 2**-5, name
        assert getattr(pyasc, name).accumulate(d).dtype == BFLOAT16
    assert pyasc.add.reduce(d, dtype=np.float32).dtype == np.float32


# ---- what operators say about themselves


def test_attributes():
    for row in ROWS:
        ours, theirs = getattr(pyasc, row.name), getattr(np, row.name)
        for name in ("nin", "nout", "nargs", "signature", "identity"):
            assert getattr(ours, name) == getattr(theirs, name), (row.name, name)
        assert ours.types == [t for t in theirs.types if not set(t) & set("gGOmM")], row.name
        assert ours.ntypes == len(ours.types)
    for name in ("matmul", "vecdot", "matvec", "vecmat"):
        theirs = getattr(np, name, None)
        if theirs is not None:
            for attribute in ("nin", "nout", "nargs", "signature", "identity"):
                assert getattr(getattr(pyasc, name), attribute) == getattr(theirs, attribute), (
                    name,
                    attribute,
                )


def test_resolve_dtypes():
    i, d, f = np.dtype(np.int32), np.dtype(np.float64), np.dtype(np.float32)
    assert pyasc.add.resolve_dtypes((i, d, None)) == np.add.resolve_dtypes((i, d, None))
    assert pyasc.add.resolve_dtypes((f, int, None)) == np.add.resolve_dtypes((f, int, None))
    assert pyasc.add.resolve_dtypes((None, i, None), reduction=True) == np.add.resolve_dtypes(
        (None, i, None), reduction=True
    )
    assert pyasc.sin.resolve_dtypes((i, None)) == (f, f)  # the default float
    assert pyasc.less.resolve_dtypes((f, f, None))[2] == bool
    with pytest.raises(TypeError):
        pyasc.add.resolve_dtypes((i, i))
    with pytest.raises(TypeError):
        pyasc.bitwise_and.resolve_dtypes((f, f, None))


# ---- promotion


SCALARS = {bool: True, int: 1, float: 1.5, complex: 1j}
OPERANDS = (
    [("array", t) for t in DTYPES]
    + [("scalar", t) for t in DTYPES]
    + [("weak", t) for t in SCALARS]
)


def operand(kind, dtype):
    if kind == "weak":
        return SCALARS[dtype]
    return np.ones(1, dtype) if kind == "array" else dtype.type(1)


@pytest.mark.parametrize("mode", ["float32", "float64"])
def test_promotion_of_every_operator_and_all_operands(mode):
    pyasc.set_default_dtype(mode)
    try:
        for row in ROWS:
            for given in itertools.product(OPERANDS, repeat=row.nin):
                if any(kind == "array" for kind, _ in given):
                    check_promotion(row, given, mode)
    finally:
        pyasc.set_default_dtype("float32")


def check_promotion(row, given, mode):
    op = getattr(pyasc, row.name)
    expected = outcome(getattr(np, row.name), *(operand(*g) for g in given))
    found = outcome(_promotion.loop, op, given)
    context = f"{row.name} {given} {mode}: {found!r}, NumPy {expected!r}"
    if isinstance(expected, Exception):
        assert isinstance(expected, TypeError) and isinstance(found, TypeError), context
        return
    many = expected if isinstance(expected, tuple) else (expected,)
    expected = [e.dtype for e in many]
    if mode == "float32" and not any(k == "array" and t in DOUBLE for k, t in given):
        expected = [DOUBLE.get(t, t) for t in expected]
    assert list(found[1]) == expected, context


@pytest.mark.parametrize(
    "name", ["add", "less", "divide", "sqrt", "ldexp", "power", "bitwise_or", "frexp"]
)
def test_calls_have_the_types_that_were_promised(name):
    row = next(r for r in ROWS if r.name == name)
    for given in itertools.product(OPERANDS, repeat=row.nin):
        if not any(kind == "array" for kind, _ in given):
            continue
        args = [pyasc.from_numpy(operand(*g)) if g[0] == "array" else operand(*g) for g in given]
        promised = outcome(_promotion.loop, getattr(pyasc, name), given)
        found = outcome(getattr(np, name), *args)
        if isinstance(promised, Exception):
            assert isinstance(found, TypeError), (name, given, found)
            continue
        many = found if isinstance(found, tuple) else (found,)
        assert [f.dtype for f in many] == list(promised[1]), (name, given)


@pytest.mark.parametrize(
    "name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
)
def test_int64_with_uint64_is_exact(name):
    function = getattr(np, name)
    a, b = np.meshgrid(SIGNED, UNSIGNED)
    same(function(pyasc.from_numpy(a), pyasc.from_numpy(b)), function(a, b))
    same(function(pyasc.from_numpy(b), pyasc.from_numpy(a)), function(b, a))
    for value in UNSIGNED:
        same(function(pyasc.from_numpy(a), value), function(a, value))
        same(function(value, pyasc.from_numpy(a)), function(value, a))
    for value in SIGNED:
        same(function(pyasc.from_numpy(b), value), function(b, value))


# ---- what floats are made of


def bit_patterns(rng, dtype):
    size = dtype.itemsize
    some = rng.integers(0, 2 ** (8 * size) - 1, 5000, dtype=f"u{size}", endpoint=True).view(dtype)
    info = np.finfo(dtype)
    return np.concatenate(
        [some, specials(dtype), np.array([info.max, info.min, -1, 2, 4, -4, info.eps], dtype)]
    )


def same_with_signs(function, *args):
    found, expected = function(*(pyasc.from_numpy(a) for a in args)), function(*args)
    for f, e in zip(*(v if isinstance(v, tuple) else (v,) for v in (found, expected)), strict=True):
        same(f, e, 0, function.__name__)
        if e.dtype.kind == "f":
            number = ~np.isnan(e)
            np.testing.assert_array_equal(np.signbit(f.numpy())[number], np.signbit(e)[number])


@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "efd"], ids=str)
def test_parts_of_floats(dtype, rng):
    x = bit_patterns(rng, dtype)
    edges = specials(dtype)
    same_with_signs(np.frexp, x)
    same_with_signs(np.spacing, x)
    same_with_signs(np.nextafter, x, rng.permutation(x))
    same_with_signs(np.nextafter, *(m.ravel() for m in np.meshgrid(edges, edges)))
    for integer in (np.int8, np.int32, np.int64):
        same_with_signs(np.ldexp, x, rng.integers(-120, 120, x.size).astype(integer))
    for integer in (np.int32, np.int64):
        info = np.iinfo(integer)
        same_with_signs(np.ldexp, x, rng.integers(-2300, 2300, x.size).astype(integer))
        steps = np.array([info.max, info.min, 0, -1074, -1022, 1023, 1024, -149, -24, -126, 127])
        same_with_signs(np.ldexp, x, np.resize(steps, x.size).astype(integer))


def test_parts_of_bfloat16():
    x = pyasc.from_numpy(
        np.array([1.5, 3, 0, -0.0, np.inf, 1e-40, 3.3e38], np.float32).astype(BFLOAT16)
    )
    part, exponent = pyasc.frexp(x)
    assert part.dtype == BFLOAT16 and exponent.dtype == np.int32
    back = pyasc.ldexp(part, exponent)
    assert back.dtype == BFLOAT16
    np.testing.assert_array_equal(back.numpy().view(np.uint16), x.numpy().view(np.uint16))
    assert pyasc.spacing(x).tolist()[:2] == [2**-7, 2**-6]
    assert pyasc.nextafter(x[:1], x[1:2]).tolist() == [1.5 + 2**-7]


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind in "biu"], ids=str)
def test_bitwise_count(dtype, rng):
    x = np.concatenate([specials(dtype), rng.integers(0, 2**62, 200).astype(dtype)])
    same(np.bitwise_count(pyasc.from_numpy(x)), np.bitwise_count(x))
    with pytest.raises(TypeError):
        pyasc.bitwise_count(pyasc.ones(2))


def test_isnat_is_refused():
    for function in (np.isnat, pyasc.isnat):
        with pytest.raises(TypeError, match="only defined for np.datetime64"):
            function(pyasc.ones(2))


# ---- vectors and matrices


def has(name):
    return pytest.param(
        name, marks=pytest.mark.skipif(not hasattr(np, name), reason="not in this NumPy")
    )


SHAPES_OF = {
    "vecdot": [((3,), (3,)), ((2, 3), (3,)), ((4, 1, 3), (2, 3)), ((0,), (0,)), ((2, 0), (0,)), ((0, 3), (3,)),
               ((2, 3), (2,)), ((), (3,)), ((2, 3), (4, 3))],
    "matvec": [((2, 3), (3,)), ((4, 2, 3), (3,)), ((4, 2, 3), (4, 3)), ((2, 0), (0,)), ((2, 3), (2,)), ((3,), (3,)),
               ((2, 2, 3), (4, 3))],
    "vecmat": [((2,), (2, 3)), ((4, 2), (2, 3)), ((4, 2), (4, 2, 3)), ((0,), (0, 2)), ((3,), (2, 3)), ((2,), (2,))],
    "matmul": [((2, 3), (3, 2)), ((3,), (3, 2)), ((2, 3), (3,)), ((3,), (3,)), ((4, 2, 3), (3, 5)), ((2, 0), (0, 3)),
               ((2, 3), (2, 3)), ((), (3,))],
}  # fmt: skip


@pytest.mark.parametrize("name", [has(n) for n in SHAPES_OF])
def test_products(name, rng):
    function = getattr(np, name)
    for dtype in [d for d in DTYPES if d != np.float16]:
        for shapes in SHAPES_OF[name]:
            args = [sample(rng, s, dtype, (0, 3)) for s in shapes]
            found = outcome(function, *(pyasc.from_numpy(a) for a in args))
            agree(found, outcome(function, *args), f"{name} {dtype} {shapes}")


PLACES = [
    ("vecdot", (2, 3), (2, 3), {"axis": 0}),
    ("vecdot", (2, 3), (2, 3), {"axis": 0, "keepdims": True}),
    ("vecdot", (2, 3, 4), (2, 3, 4), {"axis": 1, "keepdims": True}),
    ("vecdot", (2, 3), (2, 3), {"axes": [0, 0]}),
    ("vecdot", (2, 3), (2, 3), {"axes": [0, 0], "keepdims": True}),
    ("vecdot", (2, 3), (2, 3), {"axes": [0, 0, 1], "keepdims": True}),
    ("vecdot", (2, 3), (2, 3), {"axes": [(0,), (0,), ()]}),
    ("vecdot", (2, 3), (2, 3), {"axes": [0, 0, 0]}),
    ("vecdot", (2, 3), (2, 3), {"axes": [0, 0], "axis": 0}),
    ("vecdot", (2, 3), (2, 3), {"axes": [1.5, 0]}),
    ("vecdot", (2, 3), (2, 3), {"axis": 5}),
    ("vecdot", (2, 3), (2, 3), {"where": True}),
    ("vecdot", (2, 3), (2, 3), {"dtype": np.float32}),
    ("vecdot", (2, 3), (2, 3), {"dtype": np.float32, "casting": "safe"}),
    ("matvec", (2, 3), (2,), {"axes": [(1, 0), 0, 0]}),
    ("matvec", (4, 2, 3), (3,), {"axes": [(1, 2), 0, 0]}),
    ("matvec", (2, 3), (2,), {"axes": [(1, 0), 0]}),
    ("matvec", (2, 3), (3,), {"axis": 0}),
    ("matvec", (2, 3), (3,), {"keepdims": True}),
    ("vecmat", (3, 4), (3, 2), {"axes": [0, (0, 1), 0]}),
    ("matmul", (2, 3), (3, 2), {"axes": [(0, 1), (0, 1), (1, 0)]}),
    ("matmul", (3, 2, 5), (3, 4), {"axes": [(1, 0), (0, 1), (2, 0)]}),
    ("matmul", (2, 3), (3,), {"axes": [(0, 1), 0, 0]}),
    ("matmul", (2, 3), (3,), {"axes": [(0, 1), (0, 1), (0,)]}),
    ("matmul", (3,), (3,), {"axes": [0, 0]}),
    ("matmul", (3,), (3,), {"axes": [0, 0, ()]}),
    ("matmul", (2, 3), (3, 2), {"axes": [(0, 0), (0, 1), (0, 1)]}),
    ("matmul", (2, 3), (3, 2), {"axes": [(0, 5), (0, 1), (0, 1)]}),
    ("matmul", (2, 3), (3, 2), {"axes": ((0, 1), (0, 1), (0, 1))}),
    ("matmul", (2, 3), (3, 2), {"axis": 0}),
    ("matmul", (2, 3), (3, 2), {"keepdims": True}),
    ("matmul", (2, 3), (3, 2), {"dtype": np.int64}),
    ("matmul", (2, 3), (3, 2), {"signature": "ff->f"}),
]


@pytest.mark.parametrize(
    "name, first, second, words", PLACES, ids=lambda v: str(v).replace(" ", "")
)
def test_places_of_core_dimensions(name, first, second, words, rng):
    if not hasattr(np, name):
        pytest.skip("not in this NumPy")
    args = [sample(rng, s, np.float64) for s in (first, second)]
    found = outcome(getattr(np, name), *(pyasc.from_numpy(a) for a in args), **words)
    agree(found, outcome(getattr(np, name), *args, **words), f"{name} {first} {second} {words}")


def test_outputs_of_products(rng):
    x, y = sample(rng, (2, 3), np.float32), sample(rng, (3,), np.float32)
    a, b = pyasc.from_numpy(x), pyasc.from_numpy(y)
    for shape, dtype in (((2,), np.float32), ((2,), np.float64), ((4, 2), np.float32)):
        out = pyasc.zeros(shape, dtype)
        assert pyasc.vecdot(a, b, out=out) is out
        agree(out, np.vecdot(x, y, out=np.zeros(shape, dtype)), f"{shape} {dtype}")
    with pytest.raises(TypeError, match="output from dtype"):
        pyasc.vecdot(a, b, out=pyasc.zeros(2, np.int32))
    with pytest.raises(ValueError):
        pyasc.vecdot(a, b, out=pyasc.zeros(3))

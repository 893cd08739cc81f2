"""Every operator of the table against NumPy: types × layouts × special values."""

import warnings

import numpy as np
import pytest
from helpers import BFLOAT16, DTYPES, FLOATS, SHAPES, device_twin, layouts, same, sample, specials

import pyasc
from pyasc.table import TABLE

# ldexp takes integers beside floats: test_ufunc_methods.py
NUMPY_ROWS = [
    r for r in TABLE if isinstance(getattr(np, r.name, None), np.ufunc) and r.name != "ldexp"
]
UNARY = [r for r in NUMPY_ROWS if r.nin == 1]
BINARY = [r for r in NUMPY_ROWS if r.nin == 2]

# Largest error against NumPy's own result, in units in the last place; 0 means the same bits. NumPy itself is up to
# 4 off in its vectorised functions, so twice the table's bound is what two honest results may differ by.
EXACT = {
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "negative", "positive", "absolute",
    "fabs", "sign", "signbit", "copysign", "square", "sqrt", "maximum", "minimum", "fmax", "fmin", "heaviside", "gcd",
    "lcm", "conjugate", "floor", "ceil", "trunc", "rint", "modf", "isnan", "isinf", "isfinite", "equal", "not_equal",
    "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor", "logical_not",
    "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift", "reciprocal", "divmod",
    "frexp", "nextafter", "spacing", "bitwise_count",
}  # fmt: skip


def tolerance(row, dtype):
    if row.name.startswith("logaddexp"):  # NumPy's own loses digits where x and log1p(...) cancel
        return 64
    if row.name in EXACT:
        return 4 if np.dtype(dtype).kind == "c" else 0
    return 64 if np.dtype(dtype).kind == "c" else 2 * row.ulp


def expected_of(row, *args):
    """NumPy's result, with the default float applied: None where NumPy has no loop."""
    wide = any(isinstance(a, np.ndarray) and a.dtype in (np.float64, np.complex128) for a in args)
    function = getattr(np, row.name)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(*args)
        except TypeError:
            return None
        if not wide:
            # the device computes in float32 where NumPy would take float64
            low = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}
            many = found if isinstance(found, tuple) else (found,)
            if any(np.asarray(f).dtype in low for f in many):
                target = low[next(np.asarray(f).dtype for f in many if np.asarray(f).dtype in low)]
                found = function(*(np.asarray(a).astype(target) for a in args))
                if row.name == "float_power":  # has float64 loops only
                    found = found.astype(target)
    return found


def check(row, device_args, expected, ulp, context):
    function = getattr(pyasc, row.name)
    if expected is None:
        with pytest.raises(TypeError):
            function(*device_args)
        return
    found = function(*device_args)
    for f, e in zip(*(v if isinstance(v, tuple) else (v,) for v in (found, expected)), strict=True):
        same(f, e, ulp, context, whole=row.name in ("multiply", "square"))


@pytest.mark.parametrize("row", UNARY, ids=lambda r: r.name)
def test_unary_types_and_shapes(row, rng):
    for dtype in DTYPES:
        for shape in SHAPES:
            x = sample(rng, shape, dtype, row.domain)
            check(
                row,
                [pyasc.from_numpy(x)],
                expected_of(row, x),
                tolerance(row, dtype),
                f"{row.name} {dtype} {shape}",
            )


@pytest.mark.parametrize("row", BINARY, ids=lambda r: r.name)
def test_binary_types(row, rng):
    for dtype in DTYPES:
        low, high = row.domain
        x = sample(rng, (4, 5), dtype, (low, high) if dtype.kind in "fc" else (0, 3))
        y = sample(rng, (4, 5), dtype, (low, high) if dtype.kind in "fc" else (0, 3))
        with_zero = expected_of(row, x, y)
        context = f"{row.name} {dtype}"
        check(
            row,
            [pyasc.from_numpy(x), pyasc.from_numpy(y)],
            with_zero,
            tolerance(row, dtype),
            context,
        )


@pytest.mark.parametrize("row", NUMPY_ROWS, ids=lambda r: r.name)
def test_layouts(row, rng):
    for dtype in (
        np.dtype(np.float32),
        np.dtype(np.int32),
        np.dtype(np.complex64),
        np.dtype(np.int8),
    ):
        args = [
            sample(rng, (3, 4), dtype, row.domain if dtype.kind in "fc" else (0, 3))
            for _ in range(row.nin)
        ]
        for name, view in layouts(args[0]):
            host = [view, *args[1:]]
            device = [device_twin(view), *(pyasc.from_numpy(a) for a in args[1:])]
            check(
                row,
                device,
                expected_of(row, *host),
                tolerance(row, dtype),
                f"{row.name} {dtype} {name}",
            )
            if row.nin == 2:
                host, device = host[::-1], device[::-1]
                check(
                    row,
                    device,
                    expected_of(row, *host),
                    tolerance(row, dtype),
                    f"{row.name} {dtype} second {name}",
                )


# C99 leaves results of complex functions at infinities to the implementation; NumPy takes the platform's libm.
@pytest.mark.parametrize("row", NUMPY_ROWS, ids=lambda r: r.name)
def test_special_values(row):
    for dtype in [d for d in DTYPES if d.kind != "c"]:
        values = specials(dtype)
        if row.name in ("left_shift", "right_shift") and dtype.kind in "iu":
            pairs = [values, np.arange(values.size).astype(dtype) * 7]
        elif row.name == "power" and dtype.kind in "iu":
            pairs = [values, np.abs(values.astype(np.int16) % 5).astype(dtype)]
        else:
            pairs = list(np.meshgrid(values, values)) if row.nin == 2 else [values]
        expected = expected_of(row, *pairs)
        check(row, [pyasc.from_numpy(np.ascontiguousarray(p)) for p in pairs], expected, tolerance(row, dtype),
              f"{row.name} {dtype} specials")  # fmt: skip


@pytest.mark.parametrize(
    "row", [r for r in NUMPY_ROWS if r.name not in ("nextafter", "spacing")], ids=lambda r: r.name
)
def test_bfloat16_is_float32_rounded_once(row, rng):
    args = [sample(rng, (50,), np.float32, row.domain).astype(BFLOAT16) for _ in range(row.nin)]
    expected = expected_of(row, *(a.astype(np.float32) for a in args))
    device = [pyasc.from_numpy(a) for a in args]
    if expected is None:
        with pytest.raises(TypeError):
            getattr(pyasc, row.name)(*device)
        return
    found = getattr(pyasc, row.name)(*device)
    for f, e in zip(*(v if isinstance(v, tuple) else (v,) for v in (found, expected)), strict=True):
        if e.dtype not in (np.float32, np.float64):
            same(f, e, 0, row.name)
            continue
        assert f.dtype == BFLOAT16
        got, want = f.numpy().astype(np.float32), e.astype(BFLOAT16).astype(np.float32)
        # composed operators round at every step
        unit = np.spacing(np.abs(want)) * 2**16
        assert np.all(np.abs(got - want) <= unit * (1 if row.call else 3)), row.name


@pytest.mark.parametrize("row", BINARY, ids=lambda r: r.name)
@pytest.mark.parametrize("scalar", [2, 1.5, True], ids=str)
def test_python_scalars_are_weak(row, scalar, rng):
    for dtype in [
        np.dtype(bool),
        np.dtype(np.int8),
        np.dtype(np.uint32),
        np.dtype(np.int64),
        *FLOATS,
    ]:
        x = sample(rng, (6,), dtype, row.domain if dtype.kind == "f" else (1, 3))
        for args, device in (
            ((x, scalar), lambda d: (d, scalar)),
            ((scalar, x), lambda d: (scalar, d)),
        ):
            expected = expected_of(row, *args)
            context = f"{row.name} {[getattr(a, 'dtype', a) for a in args]}"
            check(row, device(pyasc.from_numpy(x)), expected, tolerance(row, dtype), context)


def test_broadcasting_and_its_error():
    a, b = np.ones((3, 1, 4), np.float32), np.arange(6, dtype=np.float32).reshape(6, 1)
    same(pyasc.add(pyasc.from_numpy(a), pyasc.from_numpy(b)), a + b)
    with pytest.raises(
        ValueError, match=r"operands could not be broadcast together with shapes \(2,\) \(3,\)"
    ):
        pyasc.add(pyasc.ones(2), pyasc.ones(3))


def test_out_of_range_python_integers():
    x = pyasc.arange(3, dtype=np.uint8)
    with pytest.raises(OverflowError, match="Python integer 300 out of bounds for uint8"):
        x + 300
    assert (x < 300).all()
    assert not (x == -1).any()
    assert (x > -1).all()


def test_negative_powers_of_integers():
    x = pyasc.arange(1, 4)
    for exponent in (-1, np.int64(-2)):
        with pytest.raises(ValueError, match="negative integer powers"):
            x**exponent
    bad, good = pyasc.array([1, -1, 2]), pyasc.array([1, 0, 2])
    for call in (
        lambda: x**bad,
        lambda: x.astype("i1") ** bad.astype("i2"),
        lambda: np.power(x, bad, out=pyasc.empty(3, int)),
        lambda: np.power(x, [1, -1, 2]),
        lambda: np.power(x, -1, out=pyasc.empty(3, int)),
        lambda: np.power.outer(x, bad),
        lambda: np.power(x, bad, where=bad < 2),
        lambda: x.copy().__ipow__(bad),
    ):
        with pytest.raises(ValueError, match="negative integer powers"):
            call()
    waited = pyasc.transfers().synchronizations
    assert (x**good).tolist() == [1, 1, 9]
    assert pyasc.transfers().synchronizations <= waited + 2  # the smallest exponent, and tolist()
    waited = pyasc.transfers().synchronizations
    x ** good.astype("u1"), x.astype("f4") ** bad, np.power(x, bad[:0, None])
    assert pyasc.transfers().synchronizations == waited
    assert np.power(x, bad, where=bad > 0, out=pyasc.zeros(3, int)).tolist() == [1, 0, 9]
    assert (x**-1.0).tolist() == pytest.approx([1, 0.5, 1 / 3])
    assert (2.0**-x).tolist() == [0.5, 0.25, 0.125]


@pytest.mark.parametrize("casting", ["no", "safe", "same_kind", "unsafe"])
def test_out_and_casting(casting, rng):
    x, y = sample(rng, (3, 4), np.float32), sample(rng, (3, 4), np.float32)
    for target in (np.float16, np.float32, np.float64, np.int32):
        out = np.zeros((3, 4), target)
        device = pyasc.zeros((3, 4), target)
        try:
            expected = np.add(x, y, out=out, casting=casting)
        except TypeError:
            with pytest.raises(TypeError):
                pyasc.add(pyasc.from_numpy(x), pyasc.from_numpy(y), out=device, casting=casting)
            continue
        found = np.add(pyasc.from_numpy(x), pyasc.from_numpy(y), out=device, casting=casting)
        assert found is device
        same(found, expected)


def test_where_leaves_the_rest(rng):
    x, y, mask = (
        sample(rng, (3, 4), np.float32),
        sample(rng, (4,), np.float32),
        sample(rng, (3, 1), bool),
    )
    out = np.full((3, 4), 9, np.float32)
    device = pyasc.from_numpy(out)
    np.multiply(x, y, out=out, where=mask)
    np.multiply(pyasc.from_numpy(x), pyasc.from_numpy(y), out=device, where=pyasc.from_numpy(mask))
    same(device, out)


def test_overlapping_out_gives_numpys_result():
    for shift in (1, -1):
        host = np.arange(10.0, dtype=np.float32)
        device = pyasc.from_numpy(host)
        a, b = (slice(1, None), slice(None, -1)) if shift > 0 else (slice(None, -1), slice(1, None))
        np.add(host[a], host[b], out=host[b])
        np.add(device[a], device[b], out=device[b])
        same(device, host)
        host[a] += host[b]
        device[a] += device[b]
        same(device, host)


def test_dtype_and_signature():
    x = np.arange(4, dtype=np.int32)
    d = pyasc.from_numpy(x)
    same(np.add(d, d, dtype=np.float64), np.add(x, x, dtype=np.float64))
    same(np.add(d, d, signature="dd->d"), np.add(x, x, signature="dd->d"))
    with pytest.raises(TypeError):
        np.add(pyasc.ones(2), pyasc.ones(2), dtype=np.int32)


def test_bad_calls():
    x = pyasc.ones(3)
    with pytest.raises(TypeError):
        pyasc.add(x)
    with pytest.raises(TypeError):
        pyasc.add(x, x, nonsense=1)
    with pytest.raises(TypeError):
        pyasc.add(x, object())
    with pytest.raises(ValueError, match="non-broadcastable output"):
        pyasc.add(x, x, out=pyasc.zeros(2))
    with pytest.raises(TypeError):
        pyasc.add(x, x, out=[1, 2, 3])
    with pytest.raises(TypeError):
        x + "text"
    assert (x + x).tolist() == [2, 2, 2]

"""`pyasc.fft` against NumPy's transforms in double precision: lengths, axes, layouts, types, norms, outputs, errors."""

import math

import ml_dtypes
import numpy as np
import pytest
from helpers import CHIP, DTYPES, device_twin, layouts, same, sample

import pyasc
from pyasc.fft import transforms

pytestmark = pytest.mark.usefixtures("without_the_host", "route")


@pytest.fixture(params=["own operator", "CANN's operators"])
def route(request, monkeypatch):
    """Both routes: the operator beside CANN's, and matrix products."""
    if request.param == "CANN's operators":
        monkeypatch.setattr(transforms, "has_operator", lambda name: False)
    elif CHIP:
        pytest.skip(f"{CHIP} has CANN's operators only")


ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "irfft2", "rfftn", "irfftn")
REAL = ("rfft", "ihfft", "rfft2", "rfftn")
LENGTHS = [
    *range(1, 65),
    97,
    101,
    105,
    128,
    210,
    243,
    256,
    343,
    360,
    509,
    512,
    625,
    1000,
    1024,
    1155,
    2187,
    4099,
    4096,
    8192,
    14000,
    65536,
]
NORMS = (None, "backward", "ortho", "forward")
PRECISIONS = [np.complex64, np.complex128]


def near(found, expected, precision, context=""):
    """Relative error in the 2-norm, which grows with the logarithm of the length."""
    expected = np.asarray(expected)
    assert isinstance(found, pyasc.ndarray)
    assert found.shape == expected.shape, f"{context}: {found.shape}, NumPy has {expected.shape}"
    eps = np.finfo(precision).eps
    error = np.linalg.norm((found.numpy().astype(expected.dtype) - expected).ravel())
    bound = 2 * eps * (1 + math.log2(max(2, expected.size))) * np.linalg.norm(expected.ravel())
    assert error <= bound + np.finfo(precision).tiny, f"{context}: error {error}, at most {bound}"


def operand(rng, name, shape, precision):
    dtype = np.empty(0, precision).real.dtype if name in REAL else precision
    return sample(rng, shape, dtype)


def wide(x):
    return np.asarray(x).astype(np.result_type(x.dtype, np.float64))


@pytest.mark.parametrize("precision", PRECISIONS, ids=["single", "double"])
@pytest.mark.parametrize("name", ONE)
def test_lengths(name, precision, rng):
    for n in LENGTHS:
        x = operand(rng, name, (2, n), precision)
        length = {"n": n} if name in ("irfft", "hfft") else {}
        found = getattr(np.fft, name)(pyasc.from_numpy(x), **length)
        expected = getattr(np.fft, name)(wide(x), **length)
        near(found, expected, precision, f"{name} of {n}")
        assert found.dtype == getattr(np.fft, name)(x, **length).dtype


@pytest.mark.parametrize("name", ONE)
def test_long(name, rng):
    for n in (1 << 14, 10007, 3 * 5 * 7 * 11 * 13, 1 << 17, 139968, 3 << 16):
        x = operand(rng, name, (n,), np.complex64)
        near(
            getattr(pyasc.fft, name)(pyasc.from_numpy(x)),
            getattr(np.fft, name)(wide(x)),
            np.float32,
            f"{name} {n}",
        )


def test_impulses(rng):
    """One element of the operand is one row of the matrix, whose elements are roots of unity."""
    for n in (1, 7, 8, 30, 64, 67, 256):
        eye = np.eye(n, dtype=np.complex64)
        near(pyasc.fft.fft(pyasc.from_numpy(eye)), np.fft.fft(wide(eye)), np.float32)
        near(
            pyasc.fft.ifft(pyasc.from_numpy(eye), axis=0),
            np.fft.ifft(wide(eye), axis=0),
            np.float32,
        )


@pytest.mark.parametrize("name", ONE)
def test_layouts_and_axes(name, rng):
    x = operand(rng, name, (3, 12, 5), np.complex64)
    for layout, view in layouts(x):
        for axis in (0, 1, 2, -1, -3):
            found = getattr(np.fft, name)(device_twin(view), axis=axis)
            near(
                found,
                getattr(np.fft, name)(wide(view), axis=axis),
                np.float32,
                f"{layout}, axis {axis}",
            )


@pytest.mark.parametrize("name", ONE)
def test_many_columns(name, rng):
    x = operand(rng, name, (6, 20, 37), np.complex64)
    for axis in (0, 1):
        found = getattr(pyasc.fft, name)(pyasc.from_numpy(x), axis=axis)
        near(found, getattr(np.fft, name)(wide(x), axis=axis), np.float32, f"axis {axis}")


@pytest.mark.parametrize("name", ONE)
def test_cropped_and_filled(name, rng):
    x = operand(rng, name, (4, 9), np.complex64)
    for axis in (0, 1):
        for n in (1, 2, 3, 4, 8, 9, 10, 16, 17, 31):
            for norm in NORMS:
                found = getattr(np.fft, name)(pyasc.from_numpy(x), n, axis, norm)
                near(
                    found,
                    getattr(np.fft, name)(wide(x), n, axis, norm),
                    np.float32,
                    f"{n} {axis} {norm}",
                )
    empty = pyasc.from_numpy(x[:, :0])
    near(getattr(pyasc.fft, name)(empty, 4), getattr(np.fft, name)(wide(x[:, :0]), 4), np.float32)
    near(
        getattr(pyasc.fft, name)(empty, 4, axis=0),
        getattr(np.fft, name)(wide(x[:, :0]), 4, axis=0),
        np.float32,
    )


@pytest.mark.parametrize("name", SEVERAL)
def test_several_axes(name, rng):
    x = operand(rng, name, (3, 8, 5, 6), np.complex64)
    calls = [{}, {"axes": (0, 1)}, {"axes": (2, -3)}, {"axes": (1, 1)}, {"s": (4, 9), "axes": (1, 3)},
             {"s": (-1, 2), "axes": (0, 2)}, {"axes": (1,)}, {"norm": "ortho"}, {"axes": (0, 2), "norm": "forward"}]  # fmt: skip
    for words in calls:
        for layout, view in layouts(x):
            found = getattr(np.fft, name)(device_twin(view), **words)
            near(found, getattr(np.fft, name)(wide(view), **words), np.float32, f"{layout} {words}")


def test_deprecated_forms_warn(rng):
    x = sample(rng, (4, 6), np.complex64)
    for words in ({"s": (3, 4)}, {"s": (3, None), "axes": (0, 1)}):
        with pytest.warns(DeprecationWarning):
            expected = np.fft.fftn(wide(x), **words)
        with pytest.warns(DeprecationWarning):
            near(pyasc.fft.fftn(pyasc.from_numpy(x), **words), expected, np.float32)


@pytest.mark.parametrize("dtype", [*DTYPES, np.dtype(ml_dtypes.bfloat16)], ids=str)
def test_types(dtype, rng):
    x = sample(rng, (3, 10), dtype)
    host = x.astype(np.float32) if dtype == ml_dtypes.bfloat16 else x
    for name in ONE + SEVERAL:
        d = pyasc.from_numpy(x)
        if name in REAL and dtype.kind == "c":
            for module in (pyasc.fft, np.fft):
                with pytest.raises(TypeError):
                    getattr(module, name)(d)
            continue
        numpys = getattr(np.fft, name)(host)
        found = getattr(np.fft, name)(d)
        single = dtype not in (np.float64, np.complex128)
        narrow = {np.dtype(np.complex128): np.complex64, np.dtype(np.float64): np.float32}
        expected = narrow[numpys.dtype] if single and numpys.dtype in narrow else numpys.dtype
        assert found.dtype == expected, name
        near(found, getattr(np.fft, name)(wide(host)), found.dtype, name)


def test_default_float(rng):
    before = pyasc.get_default_dtype()
    pyasc.set_default_dtype("float64")
    try:
        assert pyasc.fft.fft(pyasc.arange(4)).dtype == np.complex128
        same(pyasc.fft.fftfreq(5, 0.1), np.fft.fftfreq(5, 0.1))
    finally:
        pyasc.set_default_dtype(before)


@pytest.mark.parametrize("name", ONE + SEVERAL)
def test_out(name, rng):
    x = operand(rng, name, (4, 6, 8), np.complex64)
    expected = getattr(np.fft, name)(x)
    for dtype in (expected.dtype, np.result_type(expected.dtype, np.float64)):
        for order in "CF":
            out = pyasc.zeros(expected.shape, dtype, order=order)
            assert getattr(np.fft, name)(pyasc.from_numpy(x), out=out) is out
            near(out, getattr(np.fft, name)(wide(x)), np.float32, f"{dtype} {order}")


def test_out_is_the_operand(rng):
    x = sample(rng, (5, 8), np.complex64)
    for axis in (0, 1):
        d = pyasc.from_numpy(x)
        assert pyasc.fft.fft(d, axis=axis, out=d) is d
        near(d, np.fft.fft(wide(x), axis=axis), np.float32)
    d = pyasc.from_numpy(x)
    pyasc.fft.fft(d, out=d[:, ::-1])
    near(d, np.fft.fft(wide(x))[:, ::-1], np.float32)


@pytest.mark.parametrize("bad", [
    ("fft", {"n": 0}), ("fft", {"n": -1}), ("fft", {"n": 4, "axis": 2}), ("fft", {"axis": 2}), ("fft", {"norm": "other"}),
    ("ifft", {"norm": "other"}), ("hfft", {"norm": 3}), ("fft", {"n": 2.5}), ("fftn", {"axes": (0, 5)}),
    ("fftn", {"s": (1, 2), "axes": (0,)}), ("irfft", {"n": 0}), ("rfft", {"n": 4, "axis": -3}), ("fft", {"out": 3}),
], ids=str)  # fmt: skip
def test_refuses(bad):
    name, words = bad
    x = np.ones((3, 4), np.float32)
    with pytest.raises(Exception) as numpys:
        getattr(np.fft, name)(x, **words)
    with pytest.raises(numpys.type):
        getattr(pyasc.fft, name)(pyasc.from_numpy(x), **words)


def test_refuses_shapes():
    for name in ONE:
        for x in (np.float32(1), np.ones((2, 0), np.float32)):
            with pytest.raises((IndexError, ValueError)) as numpys:
                getattr(np.fft, name)(x)
            with pytest.raises(numpys.type):
                getattr(pyasc.fft, name)(pyasc.from_numpy(np.asarray(x)))
    x = pyasc.ones((3, 4), "complex64")
    for shape, dtype, error in (
        ((4,), "complex64", ValueError), ((3, 5), "complex64", ValueError), ((2, 4), "complex64", ValueError),
        ((3, 4), "float32", TypeError), ((3, 4), "int32", TypeError),
    ):  # fmt: skip
        for module in (np.fft, pyasc.fft):
            with pytest.raises(error):
                module.fft(x, out=pyasc.zeros(shape, dtype))


def test_frequencies():
    for n in (1, 2, 3, 8, 9, 1000):
        for d in (1.0, 0.1, 3):
            for name in ("fftfreq", "rfftfreq"):
                expected = getattr(np.fft, name)(n, d).astype(np.float32)
                same(getattr(pyasc.fft, name)(n, d), expected, ulp=1)
    for name in ("fftfreq", "rfftfreq"):
        with pytest.raises(ValueError, match="integer"):
            getattr(pyasc.fft, name)(2.5)
        with pytest.raises(ZeroDivisionError):
            getattr(pyasc.fft, name)(0)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_shifts(dtype, rng):
    x = sample(rng, (3, 4, 5), dtype)
    for layout, view in layouts(x):
        for axes in (None, 0, -1, (0, 2), (1, 1), ()):
            for name in ("fftshift", "ifftshift"):
                found = getattr(np.fft, name)(device_twin(view), axes)
                same(found, getattr(np.fft, name)(view, axes), context=f"{layout} {axes}")
    with pytest.raises(IndexError):
        pyasc.fft.fftshift(pyasc.from_numpy(x), 5)


def test_special_values():
    x = np.array([[1, np.inf, 2, 3], [np.nan, 1, 2, 3], [0, 0, 0, 0]], np.float32)
    found = pyasc.fft.fft(pyasc.from_numpy(x)).numpy()
    assert not np.isfinite(found[0]).any() and np.isnan(found[1]).all()
    assert (found[2] == 0).all()


@pytest.mark.parametrize("n", [2**20, 3 * 5 * 7 * 11 * 13 * 8, 100_003, 2**9 * 4099], ids=str)
def test_long_lengths(n, rng):
    """Long ones are split into a grid; with a large prime factor they are a convolution."""
    x = (rng.normal(size=n) + 1j * rng.normal(size=n)).astype(np.complex64)
    near(np.fft.fft(pyasc.from_numpy(x)), np.fft.fft(x.astype(np.complex128)), np.complex64)
    y = x.astype(np.complex128)
    near(np.fft.ifft(pyasc.from_numpy(y)), np.fft.ifft(y), np.complex128)

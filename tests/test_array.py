"""The array: conversions, views, order, printing, copies, pickling, and the promises of the introduction."""

import copy
import pickle
import warnings

import ml_dtypes
import numpy as np
import pytest
from helpers import BFLOAT16, DTYPES, NEWEST, device_twin, layouts, same, sample

import pyasc


@pytest.mark.parametrize("dtype", [*DTYPES, BFLOAT16], ids=str)
def test_there_and_back(dtype, rng):
    for shape in [(), (0,), (3,), (2, 3), (2, 0, 4)]:
        x = sample(rng, shape, np.float32, (0, 5)).astype(dtype)
        for name, view in layouts(x):
            d = pyasc.from_numpy(view)
            for back in (np.array(d), d.numpy(), pyasc.to_numpy(d), d.get(), d.cpu()):
                assert back.dtype == x.dtype, name
                np.testing.assert_array_equal(back, view)
            assert device_twin(view).tolist() == view.tolist()
    assert pyasc.bfloat16 is ml_dtypes.bfloat16


def test_casts_like_numpy(rng):
    for source in DTYPES:
        x = sample(rng, (5, 3), source, (0, 100))
        for target in DTYPES:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = x.astype(target)
            same(pyasc.from_numpy(x).astype(target), expected, context=f"{source} -> {target}")
            same(
                pyasc.from_numpy(x.T).astype(target),
                expected.T,
                context=f"{source} -> {target} transposed",
            )


def test_attributes(rng):
    x = rng.random((2, 3, 4)).astype(np.float32)
    d = pyasc.from_numpy(x)
    for name in ("shape", "ndim", "size", "itemsize", "nbytes", "strides", "dtype"):
        assert getattr(d, name) == getattr(x, name), name
    view, dview = x[:, ::-1, 1:], d[:, ::-1, 1:]
    assert (view.shape, view.strides) == (dview.shape, dview.strides)
    same(d.T, x.T)
    same(d.mT, x.mT)
    same(d.real, x)
    assert len(d) == 2 and [r.tolist() for r in d] == x.tolist()
    assert d.flags.c_contiguous and d.T.flags["F_CONTIGUOUS"] and not dview.flags.forc
    assert dview.base is not None and d.base is None
    assert isinstance(d.data_ptr(), int) and d[1:].data_ptr() == d.data_ptr() + 48


def test_complex_parts_are_views():
    d = pyasc.array([1 + 2j, 3 - 4j])
    d.real[0] = 9
    d.imag *= 2
    assert d.tolist() == [9 + 4j, 3 - 8j]
    d.real = 0
    assert d.tolist() == [4j, -8j]
    same(d.conj(), np.array([-4j, 8j], np.complex64))
    with pytest.raises(TypeError):
        pyasc.ones(2).imag = 1


def test_scalar_protocol():
    for value in (2.5, 3, True, 1 + 2j):
        d = pyasc.array(value)
        assert d.shape == () and d.item() == value and hash(d) == hash(value) and bool(d)
        assert complex(d) == value
    assert int(pyasc.array(7)) == 7 and float(pyasc.array(7)) == 7.0
    assert list(range(5))[pyasc.array(2)] == 2
    assert f"{pyasc.array(2.5):.2f}" == "2.50"
    with pytest.raises(TypeError, match="scalar"):
        float(pyasc.ones(3))
    with pytest.raises(TypeError, match="unhashable"):
        hash(pyasc.ones(3))
    with pytest.raises(TypeError):
        [1][pyasc.array(0.0)]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(pyasc.ones(2))
    with pytest.raises(TypeError, match="len"):
        len(pyasc.array(1))


@pytest.mark.parametrize(
    "x",
    [
        np.arange(3),
        np.float32(1.5),
        np.ones((2, 0)),
        np.arange(6.0).reshape(2, 3) / 7,
        np.array([1 + 2j]),
        np.array([True]),
        np.arange(5000),
        np.ones((100, 100), np.float32),
    ],
    ids=lambda x: str(np.shape(x)),
)
def test_prints_like_numpy(x):
    x = np.asarray(x)
    d = pyasc.from_numpy(x)
    assert str(d) == str(x)
    assert repr(d) == repr(x)


def test_copies_and_pickles(rng):
    x = rng.random((3, 4)).astype(np.float32)
    for twin in (
        pyasc.from_numpy(x),
        pyasc.from_numpy(x)[::-1, ::2],
        pyasc.from_numpy(np.asfortranarray(x)),
        pyasc.array(1.0),
    ):
        for other in (
            twin.copy(),
            copy.copy(twin),
            copy.deepcopy(twin),
            pickle.loads(pickle.dumps(twin)),
        ):
            np.testing.assert_array_equal(other.numpy(), twin.numpy())
            assert other.dtype == twin.dtype
            other[...] = 9
            assert not (twin == 9).any()


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_memory_order_is_numpys(order):
    base = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for x in (base, base.T, base.transpose(1, 0, 2), base[:, ::2], np.asfortranarray(base)):
        d = device_twin(x)
        assert d.copy(order=order).strides == x.copy(order=order).strides
        assert d.astype(np.int64, order=order).strides == x.astype(np.int64, order=order).strides
        assert pyasc.empty_like(d, order=order).strides == np.empty_like(x, order=order).strides
        assert (d + d).strides == (x + x).strides
        assert (d + 1).strides == (x + np.float32(1)).strides
        assert np.sin(d).strides == np.sin(x).strides
        assert (
            d + device_twin(base.T.T)[: x.shape[0], : x.shape[1], : x.shape[2]]
            if d.shape == base.shape
            else d
        ).shape == x.shape


def test_reshape_views_where_numpy_does(rng):
    base = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for x in (
        base,
        base.T,
        base[:, ::-1],
        base[:, :, ::2],
        base[:, 1:2],
        np.broadcast_to(base[:1], (2, 3, 4)),
    ):
        d = device_twin(x)
        for shape in ((-1,), (x.size,), (2, -1), (1, *x.shape, 1), x.shape[::-1], (4, x.size // 4)):
            for order in "CFA":
                expected = x.reshape(shape, order=order)
                found = d.reshape(shape, order=order)
                same(found, expected)
                if not np.shares_memory(expected, x):
                    assert not np.array_equal(found.data_ptr(), d.data_ptr()) or x.size == 0
                else:
                    steps = [
                        (a, b)
                        for n, a, b in zip(
                            shape if -1 not in shape else expected.shape,
                            found.strides,
                            expected.strides,
                            strict=True,
                        )
                        if n > 1
                    ]
                    assert found.base is not None and all(a == b for a, b in steps)
    with pytest.raises(ValueError, match="cannot reshape array of size 24 into shape"):
        pyasc.from_numpy(base).reshape(5, 5)
    with pytest.raises(ValueError, match="one unknown"):
        pyasc.from_numpy(base).reshape(-1, -1)
    d = pyasc.zeros(6)
    d.shape = (2, 3)
    assert d.shape == (2, 3)
    with pytest.raises(AttributeError):
        d.T.shape = (6,)


def test_sequences_and_scalars_get_the_default_float():
    assert pyasc.array([1.0]).dtype == np.float32
    assert pyasc.array([1]).dtype == np.int64
    assert pyasc.array(np.float64(1)).dtype == np.float32
    assert pyasc.array(np.ones(2)).dtype == np.float64
    assert (pyasc.arange(3) / 2).dtype == np.float32
    assert (pyasc.array(np.ones(2)) * 2.0).dtype == np.float64
    assert pyasc.array([pyasc.array(1.0), pyasc.array(2.0)]).tolist() == [1, 2]
    assert pyasc.tensor([[1, 2], [3, 4]]).shape == (2, 2)


def test_the_whole_rule_can_be_numpys(float64_default):
    assert pyasc.array([1.0]).dtype == np.float64
    assert (pyasc.arange(3) / 2).dtype == np.float64
    assert pyasc.zeros(2).dtype == np.float64
    assert np.sin(pyasc.arange(3)).dtype == np.float64


@pytest.mark.parametrize(
    "bad",
    [
        ["a"],
        [object()],
        np.array(["a"]),
        np.array([1], "datetime64[s]"),
        np.ones(2, np.longdouble),
        np.zeros(2, [("a", int)]),
        [[1], [1, 2]],
    ],
    ids=lambda b: str(type(b)),
)
def test_refused_data(bad):
    with pytest.raises((TypeError, ValueError)) as error:
        pyasc.array(bad)
    assert len(str(error.value)) > 20


@pytest.mark.parametrize(
    "shape", [-1, (2, -3), (2**40, 2**40), 2**62, (1,) * 40, "ab", 1.5, (1.5,)], ids=repr
)
def test_refused_shapes(shape):
    for make in (pyasc.empty, pyasc.zeros, lambda s: pyasc.ndarray(s)):
        with pytest.raises((TypeError, ValueError, MemoryError)):
            make(shape)


def test_numpy_arrays_mix_in_and_are_counted():
    before = pyasc.transfers()
    d = pyasc.ones(3)
    found = np.ones(3, np.float32) + d
    assert type(found) is pyasc.ndarray
    assert pyasc.transfers().implicit == before.implicit + 1
    np.asarray(d)
    assert pyasc.transfers().implicit == before.implicit + 2
    d.numpy(), float(d[0])
    if NEWEST:  # NumPy 2.0 does not say that it was asked for a copy
        np.array(d)
    assert pyasc.transfers().implicit == before.implicit + 2
    host = np.zeros(3, np.float32)
    host += d
    assert host.tolist() == [1, 1, 1]
    assert pyasc.transfers().implicit > before.implicit + 2


def test_transfer_policy():
    d = pyasc.ones(3)
    try:
        pyasc.config.implicit_transfer = "error"
        with pytest.raises(RuntimeError, match="implicit transfer"):
            np.asarray(d)
        with pytest.raises(RuntimeError, match="implicit transfer"):
            d + np.ones(3, np.float32)
        if NEWEST:
            assert np.array(d).tolist() == [1, 1, 1]
        pyasc.config.implicit_transfer = "warn"
        with pytest.warns(pyasc.TransferWarning):
            np.asarray(d)
    finally:
        pyasc.config.implicit_transfer = "allow"
    with pytest.raises(ValueError, match="allow, warn, error"):
        pyasc.config.implicit_transfer = "perhaps"


# ---- the lines of the introduction: environment and tensors


def test_environment():
    assert pyasc.__version__ and pyasc.cann_version().endswith("(embedded)")
    assert pyasc.get_device_count() == 2
    assert str(pyasc.current_device()) == "npu:0"
    with pyasc.device(1):
        assert str(pyasc.current_device()) == "npu:1" and str(pyasc.ones(2).device) == "npu:1"
        with pyasc.device("npu:0"):
            assert str(pyasc.current_device()) == "npu:0"
        assert str(pyasc.current_device()) == "npu:1"
    assert str(pyasc.current_device()) == "npu:0"
    with pytest.raises(ValueError, match=r"there are 2 devices.*PYASC_EMBEDDED_DEVICES"):
        pyasc.device(7)
    pyasc.synchronize()


def test_creation_in_the_introduction():
    for made in (
        pyasc.zeros((2, 3), dtype=pyasc.float16), pyasc.ones((2, 3), dtype=pyasc.int8),
        pyasc.empty((2, 3), dtype=pyasc.uint64), pyasc.full((2, 3), 7, dtype=pyasc.bfloat16),
        pyasc.eye(3, dtype=pyasc.float32), pyasc.arange(5), pyasc.linspace(0, 1, 5), pyasc.rand(2, 3),
        pyasc.randn((2, 3)), pyasc.randn(2, 3, dtype=pyasc.float16), pyasc.zeros_like(pyasc.ones(2)),
        pyasc.from_numpy(np.ones(3)), pyasc.tensor([1, 2]), pyasc.asarray([1.0]),
    ):  # fmt: skip
        assert isinstance(made, pyasc.ndarray) and str(made.device) == "npu:0"
    source = np.ones(3)
    copied = pyasc.from_numpy(source)
    source[0] = 5
    assert copied.tolist() == [1, 1, 1]
    same(pyasc.eye(3, 4, 1), np.eye(3, 4, 1, dtype=np.float32))
    same(pyasc.linspace(0, 1, 7), np.linspace(0, 1, 7, dtype=np.float32))
    for args in ((5,), (1, 10, 3), (0, 1, 0.1), (5, 0, -2), (0.5, 3.2)):
        found, expected = pyasc.arange(*args), np.arange(*args)
        same(
            found, expected.astype(np.float32) if expected.dtype == np.float64 else expected, ulp=2
        )


def test_formats():
    x = pyasc.ones((16, 32, 32), pyasc.float32, format="NCHW")
    assert (x.shape, x.format, x.nbytes, str(x.device)) == ((16, 32, 32), "NCHW", 65536, "npu:0")
    host = np.random.default_rng(1).random((2, 5, 3, 4)).astype(np.float32)
    d = pyasc.from_numpy(host)
    for name in ("NC1HWC0", "FRACTAL_Z", "FRACTAL_NZ"):
        for dtype in (np.float32, np.float16):
            private = d.astype(dtype).to_format(name)
            assert private.format == name
            same(private.to_format("ND"), host.astype(dtype))
            with pytest.raises(TypeError, match="private layout"):
                private + 1
    assert d.to_format("NC1HWC0").shape == (2, 1, 3, 4, 8)
    five = pyasc.from_numpy(host[:, :, None])
    same(five.to_format("NDC1HWC0").to_format("NCDHW"), host[:, :, None])
    d.set_format("NCHW")
    same(d.to_format("NHWC"), host.transpose(0, 2, 3, 1))
    with pytest.raises(ValueError, match="format"):
        d.to_format("XYZ")


def test_views_of_the_torch_half():
    d = pyasc.arange(24).reshape(2, 3, 4)
    x = d.numpy()
    same(d.transpose(0, 2), x.swapaxes(0, 2))
    same(d.permute(2, 0, 1), x.transpose(2, 0, 1))
    same(d.unsqueeze(0).squeeze(0), x)
    same(d.view(6, 4), x.reshape(6, 4))
    same(d[:1].expand(5, -1, -1), np.broadcast_to(x[:1], (5, 3, 4)))
    assert d.contiguous() is d and d.T.contiguous().flags.c_contiguous
    with pytest.raises(ValueError, match="needs a copy"):
        d.T.view(24)
    d.permute(2, 0, 1)[0] = -1
    assert (d[:, :, 0] == -1).all()
    same(d.view(np.int32), d.numpy().view(np.int32))
    same(d.squeeze(dim=0), d.numpy())
    assert pyasc.arange(4).reshape(2, 2).transpose(0, 1).tolist() == [[0, 1], [2, 3]]


def test_copies_between_devices():
    a = pyasc.arange(6, dtype=np.float32).reshape(2, 3)
    before = pyasc.transfers()
    b = a.to("npu:1")
    assert str(b.device) == "npu:1" and str(a.npu(1).device) == "npu:1" and a.to("npu:0") is a
    assert pyasc.transfers()[:2] == before[:2]
    same(b, a.numpy())
    c = pyasc.zeros((2, 3), device=1)
    assert pyasc.copy_to_device(c, a) is c
    same(c, a.numpy())
    same(c.copy_(a * 2), a.numpy() * 2)
    pyasc.copy_to_device(c.T, a.T * 3)
    same(c, a.numpy() * 3)
    for bad in (pyasc.zeros(3, device=1), pyasc.zeros((2, 3), np.int32, device=1)):
        with pytest.raises((ValueError, TypeError), match="differ"):
            pyasc.copy_to_device(bad, a)
        assert not bad.any()
    with pytest.raises(ValueError, match="different devices"):
        a + b
    same(a + a, a.numpy() * 2)


def test_streams_events_and_pinned_memory():
    host = pyasc.pinned((1000, 100), np.float32)
    host[...] = 3
    stream, start, end = pyasc.Stream(), pyasc.Event(), pyasc.Event()
    with stream:
        start.record()
        d = pyasc.from_numpy(host, non_blocking=True)
        total = (d * 2).sum()
        end.record()
    end.synchronize()
    assert end.query() and start.elapsed_time(end) > 0
    other = pyasc.Stream()
    other.wait_event(end)
    other.wait_stream(stream)
    with other:
        assert float(total + 1) == 600001
    stream.synchronize()
    assert stream.query()
    with pytest.raises(ValueError):
        pyasc.Event().elapsed_time(end)


def test_items():
    d = pyasc.arange(6).reshape(2, 3)
    assert d.item(4) == 4 and d.item(1, 2) == 5 and d.item((0, 1)) == 1
    assert d.tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(ValueError):
        d.item()
    with pytest.raises(IndexError):
        d.item(6)
    assert 4 in d and 9 not in d

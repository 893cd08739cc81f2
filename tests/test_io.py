"""Files, buffers, text and DLPack."""

import gc
import io
import itertools
import pickle
import sys
import zipfile

import numpy as np
import pytest
from helpers import BFLOAT16, DTYPES, device_twin, layouts, newest_numpy, same, sample

import pyasc


@pytest.fixture(autouse=True)
def on_the_device():
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    yield
    pyasc.config.host_path = before


@pytest.mark.parametrize("dtype", [*DTYPES, BFLOAT16], ids=str)
def test_files_of_arrays(dtype, rng, tmp_path):
    x = (
        sample(rng, (3, 4), np.float32).astype(dtype)
        if dtype == BFLOAT16
        else sample(rng, (3, 4), dtype)
    )
    for _, view in layouts(x):
        d = device_twin(view)
        np.save(tmp_path / "a.npy", d)
        same(pyasc.load(tmp_path / "a.npy"), view)
        if dtype != BFLOAT16:
            np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), view)
        pyasc.savez(tmp_path / "b.npz", d, named=d[0])
        pyasc.savez_compressed(tmp_path / "c.npz", d, named=d[0])
        for name in ("b.npz", "c.npz"):
            with pyasc.load(tmp_path / name) as stored:
                assert (
                    sorted(stored) == ["arr_0", "named"] and len(stored) == 2 and "named" in stored
                )
                same(stored["arr_0"], view)
                same(stored["named"], view[0])
                with pytest.raises(KeyError):
                    stored["other"]
        if dtype != BFLOAT16:
            d.tofile(tmp_path / "raw")
            same(pyasc.fromfile(tmp_path / "raw", dtype), view.reshape(-1))
            same(
                pyasc.fromfile(tmp_path / "raw", dtype, 3, offset=dtype.itemsize),
                view.reshape(-1)[1:4],
            )
            same(
                pyasc.frombuffer(view.tobytes(), dtype, offset=dtype.itemsize), view.reshape(-1)[1:]
            )
        same(pickle.loads(d.dumps()), view)
        d.dump(tmp_path / "p")
        same(pyasc.load(tmp_path / "p", allow_pickle=True), view)
    stream = io.BytesIO()
    pyasc.save(stream, d)
    stream.seek(0)
    same(pyasc.load(stream), view)


def test_orders_and_bytes(tmp_path):
    np.save(tmp_path / "f.npy", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    found = pyasc.load(tmp_path / "f.npy")
    assert found.flags.f_contiguous and found.dtype == np.float64
    np.save(tmp_path / "big.npy", np.arange(3, dtype=">i4"))
    same(pyasc.load(tmp_path / "big.npy"), np.arange(3, dtype=np.int32))
    same(pyasc.load(tmp_path / "big.npy", mmap_mode="r"), np.arange(3, dtype=np.int32))


def test_bad_files(tmp_path):
    np.save(tmp_path / "good.npy", np.arange(1000))
    good = (tmp_path / "good.npy").read_bytes()
    bad = {
        "short": good[:-100], "header": good[:40], "empty": b"", "text": b"hello, this is no array", "magic": b"\x93NUMPZ" + good[6:],
        "version": good[:6] + b"\x09\x00" + good[8:], "zip": b"PK\x03\x04 not a zip",
    }  # fmt: skip
    for name, data in bad.items():
        path = tmp_path / f"{name}.npy"
        path.write_bytes(data)
        with pytest.raises(Exception) as numpys:
            np.load(path)
        before = pyasc.memory_stats()["allocated"] if "allocated" in pyasc.memory_stats() else None
        with pytest.raises(type(numpys.value)):
            pyasc.load(path)
        gc.collect()
        assert before is None or pyasc.memory_stats()["allocated"] <= before
    with pytest.raises(FileNotFoundError):
        pyasc.load(tmp_path / "nothing.npy")
    np.savez(tmp_path / "z.npz", a=np.arange(4), b=np.arange(5))
    whole = (tmp_path / "z.npz").read_bytes()
    (tmp_path / "z.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(zipfile.BadZipFile):
        pyasc.load(tmp_path / "z.npz")
    for refused in (np.array(["a"]), np.array(["2020-01-01"], "M8[D]"), np.zeros(2, [("a", int)])):
        np.save(tmp_path / "r.npy", refused)
        with pytest.raises(TypeError, match="device arrays hold"):
            pyasc.load(tmp_path / "r.npy")
    np.save(tmp_path / "o.npy", np.array([None, {}]), allow_pickle=True)
    with pytest.raises(ValueError):
        pyasc.load(tmp_path / "o.npy")


def test_text_files(tmp_path, rng):
    x = rng.random((3, 4)).astype(np.float32)
    path = tmp_path / "t.txt"
    np.savetxt(path, device_twin(x), delimiter=",", comments="#")
    assert pyasc.loadtxt(path, delimiter=",").dtype == np.float32
    for words in (
        {}, {"dtype": np.float64}, {"usecols": (0, 2)}, {"skiprows": 2}, {"max_rows": 2}, {"ndmin": 2}, {"unpack": True},
    ):  # fmt: skip
        expected = np.loadtxt(path, delimiter=",", **{"dtype": np.float32, **words})
        found = pyasc.loadtxt(path, delimiter=",", **words)
        same(found, expected)
    same(pyasc.loadtxt(["1 2", "3 4"], dtype=int), np.array([[1, 2], [3, 4]]))
    same(
        pyasc.genfromtxt(["1,,3", "4,5,"], delimiter=",", filling_values=-1),
        np.array([[1, -1, 3], [4, 5, -1]], np.float32),
    )
    same(np.loadtxt(["1 2"], like=pyasc.ones(1)), np.array([1, 2], np.float32))
    same(pyasc.fromstring("1 2 3", sep=" "), np.array([1, 2, 3], np.float32))
    same(pyasc.fromstring("1,2", int, sep=","), np.array([1, 2]))
    same(pyasc.fromiter((i * i for i in range(4)), int), np.array([0, 1, 4, 9]))
    same(np.fromiter(range(3), np.int8, like=pyasc.ones(1)), np.arange(3, dtype=np.int8))
    pyasc.arange(4).tofile(tmp_path / "s.txt", sep=" ")
    same(pyasc.fromfile(tmp_path / "s.txt", int, sep=" "), np.arange(4))
    for name, args in (
        ("loadtxt", (["1 2", "3"],)), ("loadtxt", (["a"],)), ("frombuffer", (b"123", np.int32)),
        ("loadtxt", (tmp_path / "none",)), ("fromiter", (["a"], int)),
    ):  # fmt: skip
        with pytest.raises(Exception) as numpys:
            getattr(np, name)(*args)
        with pytest.raises(type(numpys.value)):
            getattr(pyasc, name)(*args)
    with pytest.raises(TypeError, match="device arrays hold"):
        pyasc.genfromtxt(["a 1", "b 2"], dtype=None, encoding="utf-8")


def test_text_of_arrays(rng):
    big = np.arange(5000).reshape(50, 100)
    for x in (
        np.array([1.5, -2.25, 1e-9], np.float32),
        np.arange(6).reshape(2, 3),
        np.array(3),
        big,
        np.zeros((0, 3)),
    ):
        d = device_twin(x) if x.ndim else pyasc.array(x)
        assert np.array_str(d) == np.array_str(x) and np.array_repr(d) == np.array_repr(x)
        assert np.array_str(d, precision=1, suppress_small=True) == np.array_str(
            x, precision=1, suppress_small=True
        )
        for words in (
            {},
            {"separator": ", "},
            {"threshold": 4, "edgeitems": 1},
            {"precision": 2, "prefix": "x = "},
        ):
            assert np.array2string(d, **words) == np.array2string(x, **words), words
        with pyasc.printoptions(precision=1, threshold=5):
            assert str(d) == str(x)
    assert pyasc.get_printoptions() == np.get_printoptions()


# ---- DLPack


@newest_numpy
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dlpack_and_the_host(dtype, rng):
    for layout, view in layouts(sample(rng, (3, 4), dtype)):
        before = pyasc.transfers().implicit
        found = np.from_dlpack(device_twin(view), device="cpu")
        np.testing.assert_array_equal(found, view, err_msg=layout)
        assert found.dtype == dtype and pyasc.transfers().implicit == before + 1
        same(pyasc.from_dlpack(view if view.flags.writeable else view.copy()), view)
    d = device_twin(view)
    assert pyasc.from_dlpack(d) is d and pyasc.from_dlpack(d, copy=True) is not d
    assert d.__dlpack_device__() == (12, d.device.index)
    pyasc.config.implicit_transfer = "error"
    try:
        with pytest.raises(RuntimeError, match="implicit transfer"):
            np.from_dlpack(d, device="cpu")
    finally:
        pyasc.config.implicit_transfer = "allow"


@newest_numpy
def test_dlpack_capsules():
    from pyasc import _dlpack

    for dtype, code, bits in (
        (np.int16, 0, 16),
        (np.float64, 2, 64),
        (bool, 6, 8),
        (np.complex64, 5, 64),
        (BFLOAT16, 4, 16),
    ):
        whole = pyasc.ones((3, 4), dtype)
        x = whole[:, ::2]
        for version, name in (
            (None, b"dltensor"),
            ((0, 8), b"dltensor"),
            ((1, 0), b"dltensor_versioned"),
        ):
            before = sys.getrefcount(x)
            capsule = x.__dlpack__(max_version=version)
            t = _dlpack.tensor_of(capsule, name)
            assert (t.device_type, t.device_id, t.ndim, t.code, t.bits, t.lanes) == (
                12,
                0,
                2,
                code,
                bits,
                1,
            )
            assert t.data == x.data_ptr() and t.shape[:2] == [3, 2] and t.strides[:2] == [4, 2]
            assert sys.getrefcount(x) == before + 1  # the capsule keeps the array
            del capsule
            assert sys.getrefcount(x) == before
    assert "dltensor" in repr(pyasc.ones((0, 3)).__dlpack__())
    readonly = pyasc.broadcast_to(pyasc.ones(3), (2, 3))
    t = _dlpack.tensor_of(readonly.__dlpack__(max_version=(1, 0)), b"dltensor_versioned")
    assert t.strides[:2] == [0, 1]


def test_dlpack_refuses():
    x = pyasc.ones(3)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(BufferError):
        pyasc.from_dlpack(np.ones(3), copy=False)
    with pytest.raises(BufferError):
        pyasc.broadcast_to(x, (2, 3)).__dlpack__()
    with pytest.raises(AttributeError):
        pyasc.from_dlpack([1, 2])
    with pytest.raises((BufferError, RuntimeError), match="device"):
        np.from_dlpack(x)

    class Elsewhere:
        def __dlpack_device__(self):
            return 2, 0

        def __dlpack__(self, **words):
            raise AssertionError("never asked")

    with pytest.raises(BufferError, match="host"):
        pyasc.from_dlpack(Elsewhere())


def test_dlpack_from_torch():
    torch = pytest.importorskip("torch")
    for dtype, shape in itertools.product((torch.float32, torch.int64, torch.bool), ((3,), (2, 3))):
        t = torch.ones(shape, dtype=dtype)
        same(pyasc.from_dlpack(t), t.numpy())
        same(pyasc.asarray(t), t.numpy())

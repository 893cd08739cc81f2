"""Routes: what `pyasc.routes` says, what a device that plays the chip does, and that results stay NumPy's."""

import os
import subprocess
import sys

import numpy as np
import pytest
from helpers import BFLOAT16, DTYPES

import pyasc
from pyasc import _facts
from pyasc.table import TABLE

UFUNCS = [r.name for r in TABLE if isinstance(getattr(np, r.name, None), np.ufunc)]


@pytest.mark.parametrize(
    ("name", "dtype", "route"),
    [
        ("add", "float32", "native"),
        ("add", "uint32", "cast"),
        ("add", "complex64", "native"),
        ("tanh", "float64", "composed"),
        ("tanh", "complex64", "host"),
        ("matmul", "float32", "native"),
        ("matmul", "float64", "composed"),
        ("matmul", "complex64", "composed"),
        ("sort", "int64", "native"),
        ("sort", "uint16", "cast"),
        ("sort", "float64", "composed"),
        ("maximum", "uint64", "composed"),
        ("reshape", "float64", "native"),
        ("concatenate", "uint32", "cast"),
        ("linalg.eigh", "float32", "host"),
        ("linalg.inv", "float32", "composed"),
        ("subtract", "bool", "none"),
    ],
)
def test_routes(name, dtype, route):
    found = pyasc.routes(name, dtype)
    assert found.route == route, found
    assert pyasc.routes(name, dtype, soc="Ascend910B1") == found
    if route in ("cast", "composed") and name not in ("linalg.inv",):
        assert "aclnn" in found.reason or len(found.operators) > 1


def test_routes_of_every_dtype_and_bad_names():
    found = pyasc.routes("add")
    assert set(found) == {str(t) for t in [*DTYPES, BFLOAT16]}
    assert found["uint32"].operators == ("aclnnAdd",)
    assert pyasc.routes("add", "uint32", soc="embedded").route == "native"
    assert pyasc.routes("linalg.eigh", "float32", soc="embedded").operators == ("pyascLinalgEigh",)
    with pytest.raises(ValueError, match="no function 'ad'"):
        pyasc.routes("ad")
    with pytest.raises(ValueError, match="known are Ascend910B"):
        pyasc.routes("add", soc="Ascend310")


def test_asking_leaves_everything_as_it_was():
    x = pyasc.array([1, 2], dtype=np.uint32)
    policy, before = pyasc.config.host_path, pyasc.routes("sort", "uint32", soc="embedded")
    pyasc.routes("linalg.eigh", "float32")
    assert pyasc.config.host_path == policy
    assert pyasc.routes("sort", "uint32", soc="embedded") == before
    assert (x + x).tolist() == [2, 4]


def test_most_functions_need_no_host():
    for dtype in ("float32", "int32", "int64", "bool"):
        found = [pyasc.routes(name, dtype).route for name in UFUNCS]
        known = [r for r in found if r != "none"]
        assert len(known) > 40 and sum(r != "host" for r in known) >= 0.9 * len(known)


def test_facts_are_the_tables():
    add = _facts.operators()["aclnnAdd"]
    assert [p.name for p in add.parameters] == ["self", "other", "alpha", "out"]
    assert [p.output for p in add.parameters] == [False, False, False, True]
    uint32, float32 = np.dtype(np.uint32), np.dtype(np.float32)
    assert _facts.refused("aclnnAdd", (uint32, uint32, None, uint32)) == (0, 1, 3)
    assert _facts.refused("aclnnAdd", (float32, float32, None, float32)) == ()


# What the device refuses when it plays the chip is what the table refuses: each unary and binary operator, each dtype.
REFUSALS = """
import numpy as np, pyasc
from pyasc import _facts
from pyasc._core import call as _call
from pyasc.table import TABLE

_call.set_route_chooser(lambda profile: None)  # no way around
count = 0
for row in TABLE:
    name, *letters = row.call.split() or [""]
    if letters != [*"ab"[: row.nin], "o"]:
        continue
    for dtype in _facts.DTYPES.values():
        x = pyasc.ones((2,), dtype)
        for out in dict.fromkeys([dtype, np.dtype(bool)]):
            dtypes = (dtype,) * row.nin + (out,)
            refused = bool(_facts.refused(name, dtypes))
            try:
                _call.call(name, *(x,) * row.nin, pyasc.empty((2,), out))
                taken = True
            except Exception:
                taken = False
            assert not (refused and taken), (name, dtypes)
            count += refused
print(count)
"""


def strict(code):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYASC_EMBEDDED_SOC": "Ascend910B"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_device_refuses_what_the_table_refuses():
    assert int(strict(REFUSALS)) > 500


RESULTS = """
import numpy as np, pyasc, warnings
warnings.simplefilter("ignore")
pyasc.config.host_path = "error"
rng = np.random.default_rng(1)
count = 0
for char in "?bBhHiIlLefdFD":
    dtype = np.dtype(char)
    real = rng.integers(0, 7, (6, 6)).astype(dtype if dtype.kind != "c" else dtype.char.lower())
    x = (real + 1j * real[::-1]).astype(dtype) if dtype.kind == "c" else real
    if dtype.kind == "u" and dtype.itemsize == 8:
        x[0] = 2**64 - 5
    calls = {
        "add": lambda p, v: p.add(v, v), "sort": lambda p, v: p.sort(v, axis=0), "reversed": lambda p, v: p.copy(v[::-1, ::2]),
        "fancy": lambda p, v: v[[0, 3, 3]], "mask": lambda p, v: v[v == v[0]], "sum": lambda p, v: p.sum(v, axis=1),
        "prod": lambda p, v: p.prod(v[:2] + v[:2], axis=0), "max": lambda p, v: p.max(v, axis=0), "argmax": lambda p, v: p.argmax(v, axis=1),
        "matmul": lambda p, v: p.matmul(v, v), "concatenate": lambda p, v: p.concatenate([v, v]), "unique": lambda p, v: p.unique(v),
        "cumsum": lambda p, v: p.cumsum(v, axis=1), "less": lambda p, v: v < v.T, "maximum": lambda p, v: p.maximum(v, v.T),
        "where": lambda p, v: p.where(v == v.T, v, v[0]), "any": lambda p, v: p.any(v, axis=0), "nonzero": lambda p, v: p.nonzero(v)[0],
        "tril": lambda p, v: p.tril(v), "argsort": lambda p, v: p.argsort(v, axis=1, kind="stable"),
    }
    if dtype.kind in "iu":
        calls.update({
            "floor_divide": lambda p, v: v // (v.T + 1), "remainder": lambda p, v: v % (v.T + 1), "gcd": lambda p, v: p.gcd(v, v.T),
            "shift": lambda p, v: (v << 2) >> 1, "and": lambda p, v: v & v.T,
        })
    if dtype.char == "d":
        calls.update({"tanh": lambda p, v: p.tanh(v - 3), "expm1": lambda p, v: p.expm1(v), "trunc": lambda p, v: p.trunc(v / 3), "log10": lambda p, v: p.log10(v + 1), "var": lambda p, v: p.var(v, axis=0)})
    for name, call in calls.items():
        expected = np.asarray(call(np, x))
        found = call(pyasc, pyasc.from_numpy(x)).numpy()
        where = (char, name)
        if expected.dtype.kind in "fc":
            eps = np.finfo(found.dtype).eps
            np.testing.assert_allclose(found, expected, rtol=32 * eps, atol=32 * eps, err_msg=str(where))
        else:
            np.testing.assert_array_equal(found, expected, err_msg=str(where))
        assert found.shape == expected.shape, where
        count += 1
print(count)
"""  # fmt: skip


def test_results_on_the_chip_are_numpys():
    assert int(strict(RESULTS)) > 300


def test_without_a_way_the_error_says_so():
    code = """
import pyasc
from pyasc._core.call import call
x = pyasc.ones((2, 2), "complex64")
try:
    call("aclnnHardswish", x, pyasc.empty((2, 2), "complex64"))
except pyasc.UnsupportedError as error:
    print(error)
"""
    assert "aclnnHardswish of Ascend910B does not take self of complex64" in strict(code)

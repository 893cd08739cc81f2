"""Completeness: every function, ufunc and name of NumPy's is here with NumPy's words, or left out for a stated reason."""

import inspect
import warnings

import numpy as np
import pytest
from numpy.testing.overrides import get_overridable_numpy_array_functions

import pyasc
from pyasc import _dispatch, _namespace

HERE = vars(pyasc)
OVERRIDABLE = get_overridable_numpy_array_functions()
UFUNCS = sorted(n for n in dir(np) if isinstance(getattr(np, n), np.ufunc))
FUNCTIONS = sorted(n for n in dir(np) if _namespace.is_array_function(getattr(np, n)))
# Functions outside of the top level that NumPy lets arrays override, by module.
ELSEWHERE = {
    "numpy.linalg": "a module of its own",
    "numpy.lib.recfunctions": "structured dtypes, which a device has not",
}
# What NumPy's own text of the signature leaves out, or ours has more of.
OTHER_SIGNATURES = {
    "arange": "NumPy takes start= by name and dtype by position, its text says otherwise",
    "sinc": "an operator here, with out= and where=",
    "isnat": "dates: there to refuse",
}


def test_every_overridable_function_is_accounted_for():
    for function in OVERRIDABLE:
        if function.__module__ in ELSEWHERE or function in _dispatch.FUNCTIONS:
            continue
        name = function.__name__
        # those that take like= are another object than the public one
        assert hasattr(np, name), f"{function.__module__}.{name} has no route"
        assert name in HERE or name in _namespace.LEFT_OUT, f"pyasc.{name} is missing"


def test_every_ufunc_is_here():
    assert len({getattr(np, n) for n in UFUNCS}) >= 88
    for name in UFUNCS:
        assert name in HERE, f"pyasc.{name} is missing"
        ours, numpys = HERE[name], getattr(np, name)
        if isinstance(ours, pyasc.ufunc):
            assert ours.numpy is numpys, name
        assert (ours.nin, ours.nout) == (numpys.nin, numpys.nout) if name != "isnat" else True


def test_every_public_name_is_here_or_left_out_for_a_reason():
    missing = [n for n in _namespace.public_names() if _namespace.how(n, HERE) is None]
    assert missing == []
    for name, reason in _namespace.LEFT_OUT.items():
        assert len(reason) > 10, name


def parameters(function):
    """(positional ones: name and kind; keyword-only names, whether any keyword is taken), or None."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None  # written in C, without a text
    keyword = inspect.Parameter.KEYWORD_ONLY
    other = inspect.Parameter.VAR_KEYWORD
    return [(p.name, p.kind) for p in found if p.kind not in (keyword, other)], {
        p.name for p in found if p.kind == keyword
    }


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="the signatures are those of NumPy 2.4"
)
def test_signatures_are_numpys():
    with_text = 0
    callables = [n for n in _namespace.public_names() if inspect.isroutine(getattr(np, n))]
    for name in dict.fromkeys([*UFUNCS, *FUNCTIONS, *callables]):
        expected = parameters(getattr(np, name))
        if expected is None or name not in HERE or name in OTHER_SIGNATURES:
            continue
        with_text += 1
        found = parameters(HERE[name])
        assert found is not None, f"pyasc.{name} has no signature"
        assert found[0] == expected[0], name
        assert found[1] >= expected[1], f"{name}: without {expected[1] - found[1]}"
    assert with_text > 330


def test_host_functions_give_way():
    space = {"sort": "somebody's own"}
    _namespace.complete(space)
    assert space["sort"] == "somebody's own"
    assert space["concatenate"].on_host  # nobody's own in this namespace
    assert "busday_count" not in space and "linalg" not in space
    assert space["seterr"] is np.seterr
    assert not getattr(pyasc.concatenate, "on_host", False)


def test_the_host_path_of_functions():
    table = {
        "ediff1d": ([1, 4, 9],), "trapezoid": ([1.0, 2, 4],), "unwrap": ([0.0, 7.0],), "lexsort": (([2, 1], [0, 0]),),
        "histogram": ([1, 2, 2, 5], 2), "interp": ([1.5], [1, 2], [3, 4]), "cumulative_sum": ([1, 2, 3],),
    }  # fmt: skip
    space = {}
    _namespace.complete(space)
    table = {name: args for name, args in table.items() if hasattr(np, name)}
    for name, args in table.items():
        device_args = [pyasc.array(a) if isinstance(a, list) else a for a in args]
        for given in (args, device_args):
            found, expected = space[name](*given), getattr(np, name)(*args)
            several = isinstance(expected, tuple)
            for f, e in zip(
                found if several else [found], expected if several else [expected], strict=True
            ):
                assert isinstance(f, pyasc.ndarray), name
                np.testing.assert_allclose(f.numpy(), e, 1e-6, err_msg=name)
    # outputs by name and by place
    x, out = pyasc.array([[1, 2], [3, 4]]), pyasc.zeros(2, int)
    assert space["sum"](x, 0, None, out) is out and out.tolist() == [4, 6]
    assert space["sum"](x, axis=1, out=out) is out and out.tolist() == [3, 7]
    assert "host" in space["sum"].__doc__ and space["sum"].__name__ == "sum"


def test_the_host_path_can_be_refused():
    space = {}
    _namespace.complete(space)
    before, pyasc.config.host_path = pyasc.config.host_path, "error"
    try:
        with pytest.raises(RuntimeError, match=r"numpy.ediff1d"):
            space["ediff1d"](pyasc.ones(3))
    finally:
        pyasc.config.host_path = before


def test_names_that_are_numpys():
    for name in (
        "pi", "e", "inf", "nan", "newaxis", "float32", "dtype", "finfo", "iinfo", "generic", "number", "integer", "floating",
        "complexfloating", "s_", "issubdtype", "intp", "uintp", "single", "double", "exceptions", "bool_",
        "printoptions", "ScalarType", "longdouble", "poly1d",
    ):  # fmt: skip
        assert HERE[name] is getattr(np, name) or HERE[name] == getattr(np, name), name
    assert pyasc.result_type(np.int8, 3) == np.int8 and pyasc.can_cast("i4", "i8")
    assert pyasc.dtype("f4") == pyasc.float32 and pyasc.bool == np.bool_


def test_iterators():
    x = pyasc.array([[1, 2], [3, 4]])
    both = pyasc.broadcast(x, pyasc.array([10, 20]))
    waited = pyasc.transfers()
    assert (both.shape, both.size, both.ndim, both.nd, both.numiter) == ((2, 2), 4, 2, 2, 2)
    assert pyasc.transfers() == waited
    assert [(int(a), int(b)) for a, b in both] == [(1, 10), (2, 20), (3, 10), (4, 20)]
    with pytest.raises(ValueError):
        pyasc.broadcast(x, pyasc.ones(3))
    assert [int(v) for v in pyasc.nditer(x)] == [1, 2, 3, 4]
    assert [(int(a), int(b)) for a, b in pyasc.nditer([x, [5, 6]])][-1] == (4, 6)
    for flags in (["readwrite"], [["writeonly"]]):
        with pytest.raises(TypeError, match="cannot write"):
            pyasc.nditer(x, op_flags=flags)
    assert dict(pyasc.ndenumerate(x))[1, 0] == 3 and list(pyasc.ndindex(1, 2)) == [(0, 0), (0, 1)]
    with pytest.raises(AttributeError, match="data_ptr"):
        _ = x.ctypes


def test_checked_arrays():
    x = pyasc.ones(3)
    assert pyasc.asarray_chkfinite(x) is x and pyasc.asarray_chkfinite([1, 2]).tolist() == [1, 2]
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="infs or NaNs"):
            pyasc.asarray_chkfinite([1.0, bad])
    assert pyasc.array([[1, 2]], ndmax=2).shape == (1, 2)


def test_stride_tricks():
    as_strided = pyasc.lib.stride_tricks.as_strided
    host = np.arange(10)
    x = pyasc.from_numpy(host)
    for shape, strides in (
        ((4, 3), (16, 8)),
        ((3,), (24,)),
        ((2, 5), (0, 8)),
        (None, None),
        ((0,), (8,)),
        ((), ()),
    ):
        expected = np.lib.stride_tricks.as_strided(host, shape, strides)
        assert as_strided(x, shape, strides).tolist() == expected.tolist()
    as_strided(x, (2,), (16,))[...] = 7
    assert x.tolist()[:3] == [7, 1, 7]
    with pytest.raises(ValueError, match="read-only"):
        as_strided(x, (2,), (8,), writeable=False)[0] = 1
    for shape, strides in (
        ((11,), (8,)),
        ((5,), (24,)),
        ((2,), (-8,)),
        ((2,), (4,)),
        ((2, 2), (8,)),
        ((-1,), (8,)),
    ):
        with pytest.raises(ValueError):
            as_strided(x, shape, strides)
    windows = np.lib.stride_tricks.sliding_window_view(x, 4)
    assert windows.tolist() == np.lib.stride_tricks.sliding_window_view(x.numpy(), 4).tolist()


def test_scimath():
    for dtype in ("i4", "f4", "f8", "c8"):
        for values in ([1, 2, 3], [-1, 2, 0], [4, 0, 1], []):
            host = np.array(values, dtype)
            x = pyasc.from_numpy(host)
            for name in ("sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh"):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = getattr(np.emath, name)(host)
                for function in (getattr(np.emath, name), getattr(pyasc.emath, name)):
                    found = function(x)
                    assert (
                        isinstance(found, pyasc.ndarray) and found.dtype.kind == expected.dtype.kind
                    )
                    if np.isfinite(expected).all():
                        np.testing.assert_allclose(
                            found.numpy(), expected, 1e-5, 1e-6, err_msg=name
                        )
    x = pyasc.array([-2.0, 4])
    np.testing.assert_allclose(
        np.emath.power(x, 0.5).numpy(), np.emath.power([-2.0, 4], 0.5), 1e-5, 1e-6
    )
    np.testing.assert_allclose(np.emath.power(pyasc.array([2, 4]), -1).numpy(), [0.5, 0.25])
    np.testing.assert_allclose(np.emath.logn(2, x).numpy(), np.emath.logn(2, [-2.0, 4]), 1e-5)


def test_report(capsys):
    """Print what the documentation's page of NumPy's names lists."""
    counts = {}
    for name in _namespace.public_names():
        how = _namespace.how(name, HERE)
        kind = how if how in ("device", "host", "numpy") else "left out"
        counts[kind] = counts.get(kind, 0) + 1
    with capsys.disabled():
        print(
            f"\nNumPy's public names: {counts}; {len(UFUNCS)} names of ufuncs, {len(FUNCTIONS)} array functions"
        )
    assert counts["device"] > 200
    assert counts["left out"] <= len(_namespace.LEFT_OUT)

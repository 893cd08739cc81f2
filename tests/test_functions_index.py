"""Taking, putting, choosing and making positions on device arrays, against NumPy."""

import itertools

import numpy as np
import pytest
from helpers import NEWEST, device_twin, layouts, same, sample

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


def twin(value):
    """The arguments of a call with device arrays for NumPy's."""
    if isinstance(value, np.ndarray):
        return device_twin(value)
    if isinstance(value, (list, tuple)):
        return type(value)(twin(v) for v in value)
    return value


def compare(found, expected, context=""):
    if isinstance(expected, (tuple, list)):
        assert isinstance(found, (tuple, list)) and len(found) == len(expected), context
        for f, e in zip(found, expected, strict=True):
            compare(f, e, context)
    else:
        same(found, np.asarray(expected), context=context)


def check(function, *args, context=""):
    """One function on NumPy arrays and on their device twins: same results, or the same kind of error."""
    ours = [twin(a) for a in args]
    try:
        expected = function(*args)
    except Exception as error:
        with pytest.raises(type(error)):
            function(*ours)
        return
    compare(function(*ours), expected, context)


INDICES = [
    0, -1, [0, 2, -1], [[1, 0], [-2, 1]], [], [99], [-99], 7, [1.5], np.array([0, 1]), np.array([2, -1], np.int8),
    np.array([], np.int64), np.array([[0], [5]]), *([np.array([0], np.uint64)] if NEWEST else []), np.array([True, False]), np.array(1),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_take_and_compress(dtype, rng):
    for shape in [(), (4,), (3, 4), (2, 0, 3), (0,)]:
        for layout, view in layouts(sample(rng, shape, dtype)):
            for index, axis, mode in itertools.product(
                INDICES, (None, 0, -1, 1), ("raise", "wrap", "clip")
            ):
                check(
                    lambda a, i: np.take(a, i, axis, mode=mode), view, index,
                    context=f"{shape} {layout} {index} {axis} {mode}",
                )  # fmt: skip
            for condition, axis in itertools.product(
                (np.array([True, False, True]), [1, 0], np.array([0, 0, 0, 0, 0, 1]), [[True]]),
                (None, 0, 1),
            ):
                check(
                    lambda c, a: np.compress(c, a, axis),
                    condition,
                    view,
                    context=f"{shape} {layout}",
                )
                check(lambda c, a: a.compress(c, axis), condition, view)
            check(lambda a: np.extract(a, a), view)
            check(np.count_nonzero, view)
            for axis, keep in itertools.product((0, -1, (0, 1), 3), (False, True)):
                check(lambda a: np.count_nonzero(a, axis, keepdims=keep), view)
    x = sample(rng, (3, 4), dtype)
    out = pyasc.zeros((2, 4), dtype)
    assert np.take(device_twin(x), [0, 2], 0, out=out) is out
    same(out, x[[0, 2]])
    same(device_twin(x).take([1, 5]), x.take([1, 5]))
    with pytest.raises(ValueError):
        np.take(device_twin(x), [0], 0, out=out)
    with pytest.raises(ValueError):
        np.take(device_twin(x), [0], 0, mode="other")


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_along_axis(dtype, rng):
    x = sample(rng, (3, 4, 2), dtype)
    for layout, view in layouts(x):
        for axis, shape in (
            (0, (2, 4, 2)),
            (1, (3, 5, 2)),
            (-1, (3, 4, 1)),
            (1, (1, 2, 2)),
            (1, (3, 2, 1)),
            (None, (7,)),
        ):
            length = view.size if axis is None else view.shape[axis]
            index = rng.integers(-length, length, shape)
            check(
                lambda a, i: np.take_along_axis(a, i, axis),
                view,
                index,
                context=f"{layout} {axis} {shape}",
            )
            if layout == "broadcast" or (axis is None and not view.flags.c_contiguous):
                continue  # NumPy itself cannot put into the latter
            index = np.zeros(shape, int) + np.arange(np.prod(shape)).reshape(shape) % length
            if axis is not None:  # without duplicates the order of writing is not seen
                index = np.minimum(np.indices(shape)[axis], length - 1)
            values = np.asarray(sample(rng, shape if axis is None else (), dtype))
            host, device = view.copy(order="K"), device_twin(view).copy(order="K")
            np.put_along_axis(host, index, values, axis)
            np.put_along_axis(device, device_twin(index), device_twin(values), axis)
            same(device, host, context=f"put {layout} {axis} {shape}")
    for index, axis in (
        (np.zeros((3, 4), int), 0), (np.zeros((3, 4, 2)), 0), (np.full((3, 4, 2), 9), 1), (np.zeros((2, 9, 2), int), 0),
        (np.zeros((3, 4, 2), int), 5), (np.zeros((3, 4, 2), int), None),
    ):  # fmt: skip
        check(lambda a, i: np.take_along_axis(a, i, axis), x, index)
        check(lambda a, i: (np.put_along_axis(a, i, a[:1, :1, :1], axis), a)[1], x.copy(), index)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_put_place_putmask(dtype, rng):
    x = sample(rng, (3, 4), dtype)
    values = sample(rng, (5,), dtype)
    for layout, view in layouts(x):
        if layout == "broadcast":
            continue
        for function, args in (
            (np.put, ([0, -1, 5], values)), (np.put, ([0, 7, 8, 2, 3, 4, 9], values[:2])), (np.put, (3, values[0:1])),
            (np.put, ([13, -14], values, "wrap")), (np.put, ([13, -14], values, "clip")), (np.put, ([12], values)),
            (np.put, ([], values)), (np.put, ([1], values[:0])), (np.put, (np.array([[1, 2], [3, 4]]), values)),
            (np.place, (view != 0, values)), (np.place, (view != 0, values[:1])), (np.place, (view != 0, values[:0])),
            (np.place, (view[0] != 0, values)), (np.putmask, (view != 0, values)), (np.putmask, (view != 0, x)),
            (np.putmask, (view != 0, values[:1])), (np.putmask, (view[0] != 0, values)),
            (np.putmask, (view != 0, values[:0])),
        ):  # fmt: skip
            host, device = view.copy(order="K"), device_twin(view)
            context = f"{function.__name__} {layout} {args}"
            args = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
            try:
                function(host, *args)
            except Exception as error:
                with pytest.raises(type(error)):
                    function(device, *twin(args))
                continue
            function(device, *twin(args))
            same(device, host, context=context)
    readonly = np.broadcast_to(device_twin(x), (2, 3, 4))
    for call in (
        lambda a: np.put(a, 0, 1),
        lambda a: np.place(a, a, [1]),
        lambda a: np.putmask(a, a, 1),
    ):
        with pytest.raises(ValueError, match="read-only"):
            call(readonly)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_choose_select_piecewise(dtype, rng):
    choices = [sample(rng, (3, 4), dtype), sample(rng, (4,), dtype), sample(rng, (3, 1), dtype)]
    number = rng.integers(0, 3, (3, 4))
    for index, mode in itertools.product(
        (number, number[:1], number * 3 - 2, np.array(1), number * 1.0), ("raise", "wrap", "clip")
    ):
        check(lambda i, c: np.choose(i, c, mode=mode), index, choices, context=mode)
        check(lambda i, c: i.choose(c, mode=mode), index, choices)
    check(np.choose, number, choices[0])
    a = choices[0]
    for layout, view in layouts(a):
        check(lambda x: np.select([x != 0, x == 0], [x, x]), view, context=layout)
        check(lambda x: np.select([x == 1, x != 0], [x, x], x[:1]), view, context=layout)
        if dtype != bool:
            check(
                lambda x: np.piecewise(x, [x == 1, x == 2], [lambda v: v * 2, 5]),
                view,
                context=layout,
            )
            check(
                lambda x: np.piecewise(x, [x == 1], [lambda v, k: v * k, lambda v, k: -v * k], 3),
                view,
            )
            check(lambda x: np.piecewise(x, x == 1, [1, 2]), view)
            check(lambda x: np.piecewise(x, [x == 1], [1, 2, 3]), view)
    check(lambda x: np.select([], []), a)
    check(lambda x: np.select([x], [x, x]), a)
    check(lambda x: np.select([x], [x]), a.real.astype("int8"))


def test_positions(float64_default):
    table = [
        ("diag_indices", (4,)), ("diag_indices", (2, 3)), ("tril_indices", (4,)), ("tril_indices", (3, 1, 5)),
        ("triu_indices", (4, -1)), ("triu_indices", (3, 1, 5)), ("indices", ((2, 3),)), ("indices", ((2, 0),)),
        ("indices", ((2, 3), float)), ("indices", ((2, 3), int, True)), ("indices", ((),)),
        ("unravel_index", (5, (2, 3))), ("unravel_index", ([[1, 2], [5, 0]], (2, 3), "F")), ("unravel_index", (9, (2, 3))),
        ("ravel_multi_index", (([1, 0], [2, 1]), (2, 3))), ("ravel_multi_index", ((4, 1), (2, 3))),
        ("ix_", ([0, 2], [1])), ("ix_", ([True, False, True], [1, 2])), ("ix_", ([[1]],)), ("ix_", ([], [1])),
        ("meshgrid", ([1, 2], [3, 4, 5])), ("meshgrid", ()), ("tril_indices", (0,)),
    ]  # fmt: skip
    for name, args in table:
        check_made(lambda m, n=name, a=args: getattr(m, n)(*a), f"{name}{args}")
    for key in (
        np.s_[0:3],
        np.s_[0:3, 0:2],
        np.s_[0:1:5j],
        np.s_[0:1:5j, 1:4],
        np.s_[3:0:-1, 0:2:0.5],
        np.s_[0:0, 0:2],
    ):
        check_made(lambda m, k=key: m.mgrid[k], str(key))
        check_made(lambda m, k=key: m.ogrid[k], str(key))
    check_made(lambda m: m.mask_indices(3, m.triu, 1), "mask_indices")
    check_made(lambda m: m.fromfunction(lambda i, j: i * 2 + j, (3, 4)), "fromfunction")
    check_made(lambda m: m.fromfunction(lambda i, j: i == j, (3, 3), dtype=int), "fromfunction int")


def check_made(function, context):
    try:
        expected = function(np)
    except Exception as error:
        with pytest.raises(type(error)):
            function(pyasc)
        return
    compare(function(pyasc), expected, context)


def test_positions_of_arrays(rng):
    flat = rng.integers(0, 24, (3, 5))
    for order in "CF":
        check(lambda i, o=order: np.unravel_index(i, (2, 3, 4), o), flat)
        parts = np.unravel_index(flat, (2, 3, 4), order)
        check(lambda *p, o=order: np.ravel_multi_index(p, (2, 3, 4), order=o), *parts)
        for mode in ("raise", "wrap", "clip", ("clip", "wrap", "raise"), "other"):
            check(
                lambda *p, o=order, m=mode: np.ravel_multi_index(
                    [q + 1 for q in p], (2, 3, 4), m, o
                ),
                *parts,
            )
            check(
                lambda *p, o=order, m=mode: np.ravel_multi_index(
                    [q - 1 for q in p], (2, 3, 4), m, o
                ),
                *parts,
            )
    for bad in (flat + 20, flat - 24, flat * 1.0):
        check(lambda i: np.unravel_index(i, (2, 3, 4)), bad)
    check(lambda i: np.unravel_index(i, (2, 3, 4), "K"), flat)
    check(lambda a, b: np.ravel_multi_index((a, b), (2, 3, 4)), flat, flat)
    a, b = rng.random(3), rng.integers(0, 9, 4)
    for words in (
        {},
        {"indexing": "ij"},
        {"sparse": True},
        {"indexing": "ij", "sparse": True, "copy": False},
        {"indexing": "x"},
    ):
        for args in ((a,), (a, b), (a, b, a[:2])):
            check(lambda *x, w=words: np.meshgrid(*x, **w), *args)
    check(np.ix_, np.array([0, 2]), np.array([True, False, True]))
    check(np.ix_, np.ones((2, 2), int))
    for shape in ((3, 3), (2, 4), (3,), (2, 2, 2), (2, 3, 2)):
        x = np.ones(shape)
        check(np.diag_indices_from, x)
        check(lambda m: np.tril_indices_from(m, 1), x)
        check(np.triu_indices_from, x)


def test_functions_of_functions(rng):
    x = rng.random((2, 3, 4))
    for layout, view in layouts(x):
        for axis in (0, 1, -1, 5):
            check(
                lambda a, k=axis: np.apply_along_axis(lambda v: v[::-1], k, a), view, context=layout
            )
            check(
                lambda a, k=axis: np.apply_along_axis(lambda v: v.max(), k, a), view, context=layout
            )
            check(
                lambda a, k=axis: np.apply_along_axis(lambda v, n: np.stack([v] * n), k, a, 2),
                view,
                context=layout,
            )
        check(lambda a: np.apply_over_axes(np.max, a, [0, -1]), view)
        check(lambda a: np.apply_over_axes(np.max, a, 1), view)
        check(lambda a: np.apply_over_axes(lambda v, k: v.reshape(-1), a, 1), view)
    check(lambda a: np.apply_along_axis(np.max, 0, a), np.ones((3, 0)))
    with pytest.raises(RuntimeError, match="host"):
        pyasc.vectorize(lambda a: a + 1)(pyasc.ones(3))
    pyasc.config.host_path = "allow"
    same(pyasc.vectorize(lambda a, b: a if a > b else b)(pyasc.array([1, 5]), 3), np.array([3, 5]))

    @pyasc.vectorize(otypes=[np.float32], excluded={1})
    def scaled(a, by):
        """Doc."""
        return a * by[0]

    same(scaled(pyasc.array([1, 2]), [3]), np.array([3, 6], np.float32))
    assert scaled.__doc__ == "Doc." and scaled.__name__ == "scaled"
    objects = pyasc.frompyfunc(lambda a, b: (a, b), 2, 1)(pyasc.array([1, 2]), 3)
    assert isinstance(objects, np.ndarray) and objects.tolist() == [(1, 3), (2, 3)]


def test_memory_shared():
    host = np.arange(24).reshape(4, 6)
    device = pyasc.from_numpy(host)
    views = [
        lambda a: a, lambda a: a[:2], lambda a: a[2:], lambda a: a[:, ::2], lambda a: a[:, 1::2], lambda a: a[::-1],
        lambda a: a[:0], lambda a: a.T[1], lambda a: a.copy(),
    ]  # fmt: skip
    for f, g in itertools.product(views, views):
        assert np.shares_memory(f(device), g(device)) == np.shares_memory(f(host), g(host))
        assert np.may_share_memory(f(device), g(device)) == np.may_share_memory(f(host), g(host))
    assert not np.shares_memory(device, host)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_flat(dtype, rng):
    for shape in ((3, 4), (5,), ()):
        x = sample(rng, shape, dtype)
        for layout, view in layouts(np.asarray(x)):
            device = device_twin(view) if shape else pyasc.array(view)
            for key in (
                0,
                -1,
                99,
                slice(1, 5, 2),
                slice(None, None, -1),
                [0, -1],
                ...,
                np.array([0, 1]),
                None,
                (0, 0),
            ):
                context = f"{shape} {layout} {key}"
                try:
                    expected = view.flat[key]
                except Exception as error:
                    with pytest.raises(type(error)):
                        device.flat[key]
                    continue
                same(device.flat[key], np.asarray(expected), context=context)
                if layout == "broadcast":
                    continue
                host, target = view.copy(order="K"), device.copy(order="K")
                for value in (1,) if isinstance(key, int) else (1, [1, 0], [1, 0, 1, 1, 0, 1, 1]):
                    try:
                        host.flat[key] = value
                    except Exception as error:
                        with pytest.raises(type(error)):
                            target.flat[key] = value
                        continue
                    target.flat[key] = value
                    same(target, host, context=f"set {context}")
            assert (
                len(device.flat) == view.size
                and [v.item() for v in device.flat] == view.ravel().tolist()
            )
    d = pyasc.arange(6).reshape(2, 3)
    d.T.flat = [7, 8]
    assert d.tolist() == [[7, 7, 7], [8, 8, 8]]
    it = d.flat
    next(it), next(it), next(it), next(it)
    assert it.index == 4 and it.coords == (1, 1) and it.base is d


def test_parts_of_elements(rng):
    x = sample(rng, (3, 4), np.int32)
    for layout, view in layouts(x):
        check(lambda a: a.getfield("int16", 2), view, context=layout)
        check(lambda a: a.getfield("int64"), view, context=layout)
    host, device = x.copy(), device_twin(x)
    host.setfield(5, "int8", 1)
    device.setfield(5, "int8", 1)
    same(device, host)
    with pytest.raises(ValueError, match="in place"):
        device.resize((3, 9))


def test_joining_by_brackets(float64_default, rng):
    v, m = rng.random(3), rng.random((2, 3))
    for key in (
        lambda a, b: np.s_[a, 1, 2:5], lambda a, b: np.s_[0:1:5j, a], lambda a, b: np.s_["0,2", a, a], lambda a, b: np.s_[b, b],
        lambda a, b: np.s_["-1", b, b], lambda a, b: np.s_["0,2,0", a, a], lambda a, b: np.s_["1,3,0", b, b],
        lambda a, b: np.s_["0,3,-1", a, 1:4], lambda a, b: np.s_["what", a], lambda a, b: np.s_[a, b], lambda a, b: np.s_[1, 2.5],
        lambda a, b: np.s_[a, [1, 2]], lambda a, b: np.s_[5],
    ):  # fmt: skip
        for name in ("r_", "c_"):
            try:
                expected = getattr(np, name)[key(v, m)]
            except Exception as error:
                with pytest.raises(type(error)):
                    getattr(pyasc, name)[key(device_twin(v), device_twin(m))]
                continue
            compare(getattr(pyasc, name)[key(device_twin(v), device_twin(m))], expected, name)
    assert list(pyasc.ndenumerate(device_twin(m))) == list(np.ndenumerate(m))
    assert pyasc.isfortran(device_twin(m.T)) and not pyasc.isfortran(device_twin(m))
    assert pyasc.int_ is np.int_ and pyasc.isscalar(3)

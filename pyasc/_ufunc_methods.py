"""reduce, accumulate, reduceat, outer and at of every operator, and what an operator says about itself.

Three ways through a dimension, all on the device: the operator CANN has for the whole (`Reduction`, running sums); in
pairs, for operators that may be grouped as one likes; from the left to the right, one launch a step, for the others.
"""

import functools
import operator

import numpy as np

from pyasc import _promotion, _ufunc, indexing, statistics
from pyasc._config import lower
from pyasc._core import array as _array
from pyasc._core import op as _op
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._views import broadcast_to, normalize_axis, permute
from pyasc.creation import arange, as_array_beside, asarray
from pyasc.ops import F
from pyasc.statistics import ALL, ANY, MAX, MIN, PROD, SUM, Reduction, reduce_typed

_NO_VALUE = np._NoValue
_NATIVE = {
    "add": SUM,
    "multiply": PROD,
    "maximum": MAX,
    "minimum": MIN,
    "logical_and": ALL,
    "logical_or": ANY,
}
# of truth values, many operators are one of two
_TRUTH = {"add": ANY, "maximum": ANY, "fmax": ANY, "bitwise_or": ANY,
          "multiply": ALL, "minimum": ALL, "fmin": ALL, "bitwise_and": ALL}  # fmt: skip
# operators that give the same (up to rounding) however their operands are grouped
_ASSOCIATIVE = {"add", "multiply", "maximum", "minimum", "fmax", "fmin", "hypot", "gcd", "logaddexp", "logaddexp2",
                "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"}  # fmt: skip
_ROUNDED = {
    "add",
    "multiply",
    "hypot",
    "logaddexp",
    "logaddexp2",
}  # exactly the same for integers only
# mean length from which a launch for each slice is cheaper than combining all in pairs
_LONG_SLICES = 128
# how often an element may be named before its operands are combined first
_FEW_TIMES = 32
_RUNNING = {"maximum": "aclnnCummax", "minimum": "aclnnCummin"}


def _check_method(op, method):
    if op.nin != 2:
        raise ValueError(f"{method} only supported for binary functions")
    if op.nout != 1:
        raise ValueError(f"{method} only supported for functions returning a single value")


def _dtype_of(out):
    """(output or None, its dtype or None)"""
    if isinstance(out, tuple):
        if len(out) != 1:
            raise ValueError("The 'out' tuple must have exactly one entry")
        out = out[0]
    if out is None:
        return None, None
    if not isinstance(out, (ndarray, np.ndarray)):
        raise TypeError("return arrays must be of ArrayType")
    return out, out.dtype


def _types(op, x, dtype, out):
    return _promotion.reduction(op, x.dtype, None if dtype is None else np.dtype(dtype), out)


def _identity(op, dtype):
    """NumPy's identity of the operator, as a value of the type."""
    value = op.numpy.identity
    if value == -1:  # all bits
        return True if dtype.kind == "b" else np.iinfo(dtype).max if dtype.kind == "u" else -1
    return value


@functools.lru_cache(maxsize=1024)
def _reduction_of(op, dtype):
    """How the operator repeats itself over a dimension of that type; None if only from the left to the right."""
    name = op.__name__
    found = _TRUTH.get(name) if dtype.kind == "b" else None
    found = found or _NATIVE.get(name)
    if found is not None:
        return Reduction(name, found.launch, _identity(op, dtype))
    if name in _ASSOCIATIVE:
        return Reduction(name, lambda x, axes, out: _halve(op, x, axes, out), _identity(op, dtype))
    return None


# ---- reduce


def reduce(
    self, array, axis=0, dtype=None, out=None, keepdims=False, initial=_NO_VALUE, where=True
):
    """One value along dimensions: ``op(op(op(x0, x1), x2), ...)``.

    Parameters
    ----------
    array : array_like
    axis : int, tuple of int or None, optional
        The first by default; None is all. Operators such as `subtract` take one axis only.
    dtype : dtype, optional
        Type to compute in.
    out : ndarray, optional
    keepdims : bool, optional
        Whether the reduced dimensions stay, with length 1.
    initial : scalar, optional
        What to start from; None is the first element even of an operator with an identity.
    where : array_like of bool, optional
        Which elements take part.

    Returns
    -------
    ndarray
    """
    _check_method(self, "reduce")
    out, out_dtype = _dtype_of(out)
    if isinstance(axis, list):
        raise TypeError(f"axis must be an integer or a tuple of integers, not {axis}")
    keepdims = bool(operator.index(keepdims))
    x = asarray(array)
    statistics.reduction_axes(axis, x.ndim)  # a wrong axis is the first thing that NumPy refuses
    first, second = _types(self, x, dtype, out_dtype)
    kind = _reduction_of(self, first) if first == second else None
    if kind is None:
        return _reduce_in_order(self, x, axis, (first, second), out, keepdims, initial, where)
    if initial is _NO_VALUE and self.__name__ in ("hypot", "gcd"):
        initial = kind.identity  # which makes the sign of a single element positive
    return reduce_typed(kind, _in_type(x, first), axis, first, out, keepdims, initial, where)


def _in_type(x, dtype):
    return x if x.dtype == dtype else x.astype(dtype)


def _part(x, axis, start, stop):
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _halve(op, x, axes, out):
    """Combine the first half of a dimension with the second until one is left."""
    if len(axes) == x.ndim and x._layout[0]:
        x, axes = x.reshape(-1), (0,)
    for axis in sorted(axes, reverse=True):
        n, ours = x.shape[axis], False
        while n > 1:
            half = (n + 1) // 2
            low, high = _part(x, axis, 0, n - half), _part(x, axis, half, n)
            if n % 2 == 0:
                x = op(low, high)
            else:  # the element in the middle waits
                x = _part(x, axis, 0, half) if ours else _part(x, axis, 0, half).copy()
                op(low, high, out=_part(x, axis, 0, n - half))
            n, ours = half, True
        x = x[(slice(None),) * axis + (0, Ellipsis)]
    _array.copy_values(out, x)


def _reduce_in_order(op, x, axis, types, out, keepdims, initial, where):
    axes = statistics.reduction_axes(axis, x.ndim)
    name = op.__name__
    if len(axes) > 1:
        raise ValueError(
            f"reduction operation '{name}' is not reorderable, so at most one axis may be specified"
        )
    start = (
        None
        if initial is _NO_VALUE or initial is None
        else statistics.as_initial(initial, types[0], x.device)
    )
    mask = None
    if where is not True and where is not None:
        mask = broadcast_to(statistics.reduction_mask(x, where), x.shape)
        if start is None:
            raise ValueError(
                f"reduction operation '{name}' does not have an identity, so to use a where mask one has to specify "
                "'initial'"
            )
    if start is None and statistics.any_empty(x, axes):
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    rows, masks = _rows(x, axes), None if mask is None else _rows(mask, axes)
    found = _fold(op, rows, types, start, masks)
    return statistics.finish_reduction(found, x, axes, keepdims, out, name)


def _rows(x, axes):
    """The array with the dimension to go through first; with none, as its only row."""
    if not axes:
        return x[None]
    return permute(x, [axes[0], *(d for d in range(x.ndim) if d != axes[0])])


def _fold(op, rows, types, start, masks):
    """op(op(start, rows[0]), rows[1]) ..., or from the first row."""
    first, second = types
    if (
        op.__name__ == "subtract" and first.kind in "iu" and masks is None
    ):  # modulo 2**n the order does not matter
        if start is None:
            start, rows = rows[0, ...], rows[1:]
        return F.subtract(
            _in_type(start, first), reduce_typed(SUM, _in_type(rows, first), 0, first)
        )
    if start is None:
        value, begin = rows[0, ...].astype(first), 1
    else:
        value, begin = broadcast_to(start, rows.shape[1:]).copy(), 0
    rows = _in_type(rows, second)
    for i in range(begin, rows.shape[0]):
        new = _in_type(op(value, rows[i, ...]), first)
        value = new if masks is None else F.where(masks[i, ...], new, value)
    return value


# ---- accumulate


def _one_axis(axis, ndim, method):
    if axis is None or (isinstance(axis, tuple) and len(axis) != 1):
        if axis is not None or ndim != 1:
            raise ValueError(f"{method} does not allow multiple axes")
        axis = 0
    if ndim == 0:
        raise TypeError(f"cannot {method} on a scalar")
    return normalize_axis(axis[0] if isinstance(axis, tuple) else axis, ndim)


def _uniform_type(op, x, dtype, out, method):
    first, second = _types(op, x, dtype, out)
    if first != second:
        raise _promotion.NoLoopError(
            f"the types of {op.__name__} are not compatible with {op.__name__}.{method}: ({first}, {second}) -> {first}"
        )
    return first


def accumulate(self, array, axis=0, dtype=None, out=None):
    """All intermediate results of `reduce` along one dimension.

    Parameters
    ----------
    array : array_like
    axis : int, optional
        The first by default.
    dtype : dtype, optional
        Type to compute in.
    out : ndarray, optional

    Returns
    -------
    ndarray
        Of the shape of the array.
    """
    _check_method(self, "accumulate")
    out, out_dtype = _dtype_of(out)
    x = asarray(array)
    axis = _one_axis(axis, x.ndim, "accumulate")
    dtype = _uniform_type(self, x, dtype, out_dtype, "accumulate")
    x = _in_type(x, dtype)
    found = _array.empty(x.shape, dtype, device=x.device)
    if x.size:
        _scan(self, x, axis, found)
    return statistics._to_out(found, out, self.__name__)


def _scan(op, x, axis, out):
    name, dtype = op.__name__, x.dtype
    numbers = dtype.kind != "b"
    if name == "add" and numbers:
        call("aclnnCumsum", x, axis, dtype, out)
    elif name == "multiply" and numbers:
        call("aclnnCumprod", x, axis, dtype, out)
    elif name in _RUNNING:
        call(_RUNNING[name], x, axis, out, _array.empty(x.shape, np.int64, device=x.device))
    elif name == "subtract" and dtype.kind in "iu":
        steps = F.negative(x)
        _array.copy_values(_part(steps, axis, 0, 1), _part(x, axis, 0, 1))
        call("aclnnCumsum", steps, axis, dtype, out)
    elif name in _ASSOCIATIVE:
        _scan_doubling(op, x, axis, out)
    else:
        rows, results = _rows(x, (axis,)), _rows(out, (axis,))
        value = rows[0, ...]
        _array.copy_values(results[0, ...], value)
        for i in range(1, rows.shape[0]):
            value = op(value, rows[i, ...])
            _array.copy_values(results[i, ...], value)


def _scan_doubling(op, x, axis, out):
    """Each element with the one 1, 2, 4, ... before it."""
    _array.copy_values(out, x)
    n, step = x.shape[axis], 1
    while step < n:
        tail = op(_part(out, axis, 0, n - step), _part(out, axis, step, n))
        _array.copy_values(_part(out, axis, step, n), tail)
        step *= 2


# ---- segments: what reduceat and at are made of


def _take(x, rows):
    out = _array.empty((rows.size, *x.shape[1:]), x.dtype, device=x.device)
    if out.size:
        call("aclnnIndexSelect", x, 0, rows, out)
    return out


def _put_rows(x, rows, values):
    if values.size:
        call("aclnnIndexPutImpl", x, [rows], values, False, False)


def _true_places(mask):
    return indexing.nonzero_indices(mask)[0]


def _combine_segments(op, values, rank, length):
    """One value for each run of rows, combining neighbours until one is left.

    Parameters
    ----------
    values : ndarray
        The rows.
    rank, length : ndarray of int64
        Of each row: its place in its run, and how many rows the run has.
    """
    while True:
        keep = _true_places(F.equal(F.bitwise_and(rank, 1), 0))
        if keep.size == rank.size:
            return values
        rank, length = _take(rank, keep), _take(length, keep)
        left = _take(values, keep)
        pairs = _true_places(F.less(F.add(rank, 1), length))
        both = op(_take(left, pairs), _take(values, F.add(_take(keep, pairs), 1)))
        _put_rows(left, pairs, both)
        values, rank, length = left, F.right_shift(rank, 1), F.right_shift(F.add(length, 1), 1)


def _fold_segments(step, results, values, first, count):
    """results[i] = step(results[i], row) for the rows first[i], first[i] + 1, ... of ``values``, count[i] of them.

    All runs go one row at a time, side by side; ``values`` None is for functions of one argument.
    """
    group = arange(results.shape[0], device=results.device)
    while True:
        alive = _true_places(F.greater(count, 0))
        if alive.size == 0:
            return results
        if alive.size < count.size:
            group, first, count = (_take(v, alive) for v in (group, first, count))
        old = _take(results, group)
        new = step(old) if values is None else step(old, _take(values, first))
        _put_rows(results, group, _in_type(new, results.dtype))
        first, count = F.add(first, 1), F.subtract(count, 1)


# ---- reduceat


def reduceat(self, array, indices, axis=0, dtype=None, out=None):
    """`reduce` over slices: from each index to the next, or the one element where the next is not larger.

    Parameters
    ----------
    array : array_like
    indices : array_like of int
        Where the slices begin; read by the host.
    axis : int, optional
        The first by default.
    dtype : dtype, optional
        Type to compute in.
    out : ndarray, optional

    Returns
    -------
    ndarray
        As long along ``axis`` as there are indices.

    Raises
    ------
    IndexError
        For an index that is negative or not below the length.
    """
    _check_method(self, "reduceat")
    out, out_dtype = _dtype_of(out)
    x = asarray(array)
    axis = _one_axis(axis, x.ndim, "reduceat")
    starts = _slice_starts(self, indices, x.shape[axis])
    dtype = _uniform_type(self, x, dtype, out_dtype, "reduceat")
    rows = _rows(_in_type(x, dtype), (axis,))
    found = _reduce_slices(self, rows, starts)
    order = [*range(1, axis + 1), 0, *range(axis + 1, x.ndim)]
    found = permute(found, order).copy() if axis else found
    return statistics._to_out(found, out, self.__name__)


def _slice_starts(op, indices, n):
    host = indices.numpy() if isinstance(indices, ndarray) else np.asarray(indices)
    if host.ndim == 0:
        raise ValueError(
            "object of too small depth for desired array: the indices of reduceat are one-dimensional"
        )
    if host.ndim > 1:
        raise ValueError(f"the indices of reduceat are one-dimensional, not of shape {host.shape}")
    host = host.astype(np.int64)
    wrong = host[(host < 0) | (host >= n)]
    if wrong.size:
        raise IndexError(f"index {wrong[0]} out-of-bounds in {op.__name__}.reduceat [0, {n})")
    return host


def _reduce_slices(op, rows, starts):
    length = np.append(starts[1:], rows.shape[0]) - starts
    length[length <= 0] = 1
    shape = (starts.size, *rows.shape[1:])
    if 0 in shape:
        return _array.empty(shape, rows.dtype, device=rows.device)
    even = length[0]
    kind = _reduction_of(op, rows.dtype)
    on_device = [_array.from_numpy(v, device=rows.device) for v in (starts, length)]
    if (length == 1).all():
        return _take(rows, on_device[0])
    if kind is not None and (length == even).all() and (np.diff(starts) == even).all():
        block = rows[starts[0] : starts[0] + even * starts.size].reshape(
            (starts.size, int(even), *rows.shape[1:])
        )
        return reduce_typed(kind, block, 1, rows.dtype)
    if kind is None:
        return _fold_segments(
            op, _take(rows, on_device[0]), rows, F.add(on_device[0], 1), F.subtract(on_device[1], 1)
        )
    if op.__name__ in _NATIVE and length.sum() >= _LONG_SLICES * starts.size:
        out = _array.empty(shape, rows.dtype, device=rows.device)
        for i, (start, n) in enumerate(zip(starts.tolist(), length.tolist(), strict=True)):
            kind.launch(rows[start : start + n], (0,), out[i, ...])
        return out
    rank = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    picked, rank, length = (
        _array.from_numpy(v, device=rows.device)
        for v in (np.repeat(starts, length) + rank, rank, np.repeat(length, length))
    )
    return _combine_segments(op, _take(rows, picked), rank, length)


# ---- outer


def outer(self, A, B, /, *rest, **kwargs):
    """The operator on all pairs of an element of ``A`` and one of ``B``; keywords as in a call."""
    if self.nin != 2:
        raise ValueError("outer product only supported for binary functions")
    if rest:
        raise TypeError("exactly two arguments expected")
    kept = (ndarray, bool, int, float, complex, np.generic)
    a = A if isinstance(A, kept) else as_array_beside(B, A)
    b = B if isinstance(B, kept) else as_array_beside(A, B)
    if isinstance(a, ndarray) and isinstance(b, ndarray) and b.ndim:
        a = a.reshape(a.shape + (1,) * b.ndim)
    return self(a, b, **kwargs)


# ---- at


def at(self, a, indices, /, *b):
    """``a[indices] = op(a[indices], b)``, in place and without buffering: an element named twice is changed twice.

    Parameters
    ----------
    a : ndarray
    indices : anything that indexes ``a``
    b : array_like, optional
        The second operand, of operators that have one.

    Raises
    ------
    IndexError
        For an index out of bounds.
    """
    if self.nout != 1:
        raise ValueError("Only single output ufuncs supported at this time")
    if len(b) > 1:
        raise TypeError(f"at() takes at most 3 arguments ({2 + len(b)} given)")
    if not isinstance(a, (ndarray, np.ndarray)):
        raise TypeError("first operand must be array")
    if len(b) == 1 and self.nin == 1:
        raise ValueError("second operand provided when ufunc is unary")
    if not b and self.nin == 2:
        raise ValueError("second operand needed for ufunc")
    if isinstance(a, np.ndarray):
        target = _ufunc.adopt(a)[0]
        at(self, target, indices, *b)
        _ufunc._place(target, a, True, "K")
        return
    if a._layout[2]:
        raise ValueError("assignment destination is read-only")
    value = _second_operand(a, b[0]) if b else None
    if not indexing.has_arrays(a, indices):
        key = indices if isinstance(indices, tuple) else (indices,)
        part = a[key] if any(k is Ellipsis for k in key) else a[(*key, Ellipsis)]
        _at_view(self, part, value)
        return
    types = _loop_of(self, a, value)
    name = self.__name__
    commutes = types[-1] == a.dtype or (types[-1].kind in "iu" and a.dtype.kind in "iu")
    if commutes and a.dtype.kind != "b" and (name == "add" or name == "subtract"):
        indexing.add_at(
            a, indices, value if name == "add" else F.negative(_in_type(value, a.dtype))
        )
        return
    _at_elements(self, a, indices, value, types, commutes)


def _second_operand(a, value):
    """The operand of `at` as an array; numbers are as precise as ``a``."""
    if isinstance(value, ndarray):
        return value
    if isinstance(value, np.ndarray):
        return _ufunc.adopt(value)[0]
    host = np.asarray(value)
    wide = a.dtype in (np.float64, np.complex128)
    return asarray(host if wide else host.astype(lower(host.dtype), copy=False), device=a.device)


def _loop_of(op, a, value):
    """(input dtypes ..., output dtype) of one step."""
    operands = [("array", v.dtype) for v in (a, value) if v is not None]
    inputs, results = _promotion.loop(op, operands, None, "unsafe")
    return (*inputs, results[0])


def _at_view(op, part, value):
    if value is None:
        op(part, out=part, casting="unsafe")
    else:
        op(part, _at_values(value, part.shape), out=part, casting="unsafe")


def _at_values(value, shape):
    try:
        return broadcast_to(value, shape)
    except ValueError:
        raise ValueError(
            f"array is not broadcastable to correct shape: the operand has shape {value.shape}, "
            f"the indexed part {shape}"
        ) from None


def _at_elements(op, a, key, value, types, commutes):
    """By element number: those named once in one step, those named more often one after the other."""
    numbers = arange(a.size, device=a.device).reshape(a.shape)[key]
    if value is not None:
        value = _in_type(_at_values(value, numbers.shape), types[1]).reshape(-1)
    numbers = numbers.reshape(-1)
    if numbers.size == 0:
        return
    target = a if a._layout[0] and not a._layout[1] else a.copy()
    flat = target.reshape(-1)

    def step(old, *operand):
        return op(_in_type(old, types[0]), *operand)

    ordered, order = (_array.empty(numbers.shape, np.int64, device=a.device) for _ in range(2))
    call("aclnnSort", numbers, True, 0, False, ordered, order)
    value = None if value is None else _take(value, order)
    first, count = _runs(ordered)
    places = _take(ordered, first)
    results = _take(flat, places)
    often = value is not None and _may_combine(op, types, commutes)
    if often and indexing._extremes(count)[1] > _FEW_TIMES:
        length, rank = _run_of_each(ordered.size, first, count)
        if types[-1].kind == "b":
            value = _in_type(value, types[-1])
        value = _combine_segments(op, value, rank, length)
        results = _in_type(step(results, value), a.dtype)
    else:
        results = _fold_segments(step, results, value, first, count)
    _put_rows(flat, places, results)
    if target is not a:
        _array.copy_values(a, target)


def _may_combine(op, types, commutes):
    """Whether the operands of one element may be combined first, without a different result."""
    if op.__name__.startswith("logical"):
        return True
    exact = op.__name__ not in _ROUNDED or types[-1].kind in "biu"
    return commutes and exact and op.__name__ in _ASSOCIATIVE


def _runs(ordered):
    """(where each run of equal numbers begins, how long it is)"""
    n = ordered.size
    begins = _array.empty((n,), bool, device=ordered.device)
    _array.fill_value(begins, True)
    if n > 1:
        _array.copy_values(begins[1:], F.not_equal(ordered[1:], ordered[:-1]))
    first = _true_places(begins)
    count = _array.empty(first.shape, np.int64, device=ordered.device)
    _array.fill_value(count[-1:], n)
    _array.copy_values(count[:-1], first[1:])
    return first, F.subtract(count, first)


def _run_of_each(n, first, count):
    """(length of its run, place in its run) of each of ``n`` elements."""
    starts = _array.empty((n,), np.int64, device=first.device)
    _array.fill_value(starts, 0)
    _put_rows(starts, first, arange(first.size, device=first.device))
    group = _array.empty((n,), np.int64, device=first.device)
    _scan(F.maximum, starts, 0, group)
    place = F.subtract(arange(n, device=first.device), _take(first, group))
    return _take(count, group), place


# ---- what an operator says about itself


_OURS = set("?bBhHiIlLqQefdFD->")


def _names(op):
    """Loops as NumPy writes them, without those of types that no device has."""
    if op.numpy is None:
        return []
    return [t for t in op.numpy.types if set(t) <= _OURS]


def resolve_dtypes(self, dtypes, *, signature=None, casting=None, reduction=False):
    """The types a call with operands of these types would compute in.

    Parameters
    ----------
    dtypes : tuple
        A dtype for each input (``int``, ``float`` or ``complex`` for Python scalars) and a dtype or None for each
        output.
    signature : tuple or str, optional
    casting : str, optional
    reduction : bool, optional
        Whether the operator would reduce; the first entry is then the type of the output, or None.

    Returns
    -------
    tuple of dtype
    """
    if not isinstance(dtypes, tuple) or len(dtypes) != self.nargs:
        raise TypeError(
            f"resolve_dtypes: the dtypes must be a tuple of {self.nargs} entries (inputs, then outputs)"
        )
    if reduction:
        _check_method(self, "reduce")
        wanted = None if signature is None else _ufunc._signature(self, None, None, signature)[0]
        first, second = _promotion.reduction(self, dtypes[1], wanted, dtypes[0])
        return first, second, first
    operands = [("weak", t) if isinstance(t, type) and t in (int, float, complex) else ("array", np.dtype(t))
                for t in dtypes[: self.nin]]  # fmt: skip
    spec = None if signature is None else _ufunc._signature(self, None, None, signature)
    inputs, results = _promotion.loop(self, operands, spec, casting or "same_kind")
    given = dtypes[self.nin :]
    for have, want in zip(results, given, strict=True):
        if want is not None and not np.can_cast(have, want, casting or "same_kind"):
            raise _ufunc.UFuncTypeError(
                f"Cannot cast ufunc '{self.__name__}' output from {have!r} to {want!r}"
            )
    return (
        *inputs,
        *(want if want is not None else have for have, want in zip(results, given, strict=True)),
    )


_op.bind_ufunc_methods(
    {
        **{f.__name__: f for f in (reduce, accumulate, reduceat, outer, at, resolve_dtypes)},
        "types": property(_names, doc="list of str: Types it computes in, as NumPy writes them."),
        "ntypes": property(lambda op: len(_names(op)), doc="int: How many types it computes in."),
        "identity": property(
            lambda op: op.row.identity if op.numpy is None else op.numpy.identity,
            doc="Value that leaves the other operand as it is, or None.",
        ),
        "signature": property(
            lambda op: None if op.numpy is None else op.numpy.signature,
            doc="str or None: Core dimensions, for functions like `matmul`.",
        ),
    }
)

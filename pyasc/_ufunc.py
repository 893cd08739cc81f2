"""The ufunc protocol beyond the fast way: keywords, foreign operands, composed operators."""

import inspect

import numpy as np

from pyasc import _config, _promotion
from pyasc._config import implicit, lower
from pyasc._core import array as _array
from pyasc._core import op as _op
from pyasc._core.array import ndarray
from pyasc._dispatch import FUNCTIONS, on_host
from pyasc._views import broadcast_to

_SCALARS = (bool, int, float, complex)
_NEGATIVE_POWER = "Integers to negative integer powers are not allowed."


class UFuncTypeError(TypeError):
    """A ufunc cannot cast an operand or its result as asked."""


def adopt(value, exact=False):
    """An operand as (array or scalar, ("array" | "scalar" | "weak", type)); ``exact`` keeps lists in 64 bits."""
    kind = type(value)
    if kind is ndarray:
        return value, ("array", value.dtype)
    if kind in _SCALARS:
        return value, ("weak", kind)
    if isinstance(value, np.generic):
        return value, ("scalar", value.dtype)
    if isinstance(value, ndarray):
        return value, ("array", value.dtype)
    if isinstance(value, np.ndarray):
        implicit(
            f"a NumPy array of shape {value.shape} and dtype {value.dtype} is copied to the device"
        )
        _array.count_transfer(True)
        return _array.from_numpy(value), ("array", value.dtype)
    if hasattr(value, "__array_ufunc__") and type(value).__array_ufunc__ is None:
        raise TypeError(
            f"operand of type {kind.__name__!r} does not take part in ufuncs (__array_ufunc__ is None)"
        )
    host = np.asarray(value)
    if host.dtype == object:
        raise TypeError(f"operand of type {kind.__name__!r} is not a number or an array of numbers")
    # a list of Python numbers is an array, but nobody asked for float64 unless it meets an array that does
    dtype = host.dtype if exact else lower(host.dtype)
    return _array.from_numpy(host.astype(dtype, copy=False)), ("array", dtype)


def defers(x, y):
    """Whether Python's operator should leave the operands to the other one's class."""
    other = y if isinstance(x, ndarray) else x
    if isinstance(other, (ndarray, np.ndarray, np.generic)):
        return False
    kind = type(other)
    if hasattr(kind, "__array_ufunc__"):
        return kind.__array_ufunc__ is None
    if isinstance(other, (list, tuple)):
        return False
    return hasattr(kind, "__array_priority__") or not hasattr(kind, "__len__")


def _outputs(op, args, out):
    """The ``out`` operands as a tuple with a place for each output."""
    if len(args) > op.nin:
        if out is not None:
            raise TypeError("cannot specify 'out' as both a positional and keyword argument")
        given = args[op.nin :]
        if len(given) > op.nout:
            raise TypeError(
                f"{op.__name__}() takes from {op.nin} to {op.nargs} positional arguments but {len(args)} were given"
            )
        return (*given, *[None] * (op.nout - len(given)))
    if out is None:
        return (None,) * op.nout
    if not isinstance(out, tuple):
        if op.nout > 1:
            raise TypeError("'out' must be a tuple of arrays")
        return (out,)
    if len(out) != op.nout:
        raise ValueError(f"The 'out' tuple must have exactly {op.nout} entries")
    return out


def _signature(op, dtype, sig, signature):
    if sig is not None and signature is not None:
        raise TypeError("cannot specify both 'sig' and 'signature'")
    signature = sig if signature is None else signature
    if dtype is not None:
        if signature is not None:
            raise TypeError("cannot specify both 'signature' and 'dtype'")
        return (*[None] * op.nin, *[np.dtype(dtype)] * op.nout)
    if isinstance(signature, str):
        names = signature.replace("->", "")
        if "->" in signature or len(signature) == op.nargs:
            return tuple(None if c == "." else np.dtype(c) for c in names)
        return (*[None] * op.nin, np.dtype(signature))
    return signature


def general(op, args, kwargs):
    """A call with everything NumPy allows.

    Raises
    ------
    TypeError
        No loop for the types, a cast the rule forbids, an unknown keyword.
    ValueError
        Shapes that do not fit.
    """
    if _config.checking_contexts:
        from pyasc import _errstate

        if _errstate.is_checking():
            return _errstate.watched(_call, op, args, kwargs)
    return _call(op, args, **kwargs)


def _call(
    op,
    args,
    /,
    out=None,
    *,
    where=True,
    dtype=None,
    casting="same_kind",
    order="K",
    subok=True,
    sig=None,
    signature=None,
):
    if len(args) < op.nin:
        raise TypeError(
            f"{op.__name__}() takes from {op.nin} to {op.nargs} positional arguments but {len(args)} were given"
        )
    if order not in ("K", "A", "C", "F"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    outs = _outputs(op, args, out)
    for o in outs:
        if o is not None and not isinstance(o, (ndarray, np.ndarray)):
            raise TypeError("return arrays must be of ArrayType")
    exact = any(map(_promotion.is_wide, args[: op.nin]))
    given = [adopt(x, exact) for x in args[: op.nin]]
    spec = _signature(op, dtype, sig, signature)
    inputs, results = _promotion.loop(op, [t for _, t in given], spec, casting)
    _check_casts(op, given, inputs, results, outs, casting)
    if any(isinstance(v, int) and t[0] == "weak" for v, t in given):
        outside = _check_range(op, given, inputs)
        if outside is not None:
            return _deliver(op, (outside,), outs, where, order)
    device = next((x.device for x, _ in given if isinstance(x, ndarray)), None)
    arrays = [as_loop_type(x, t, device) for (x, _), t in zip(given, inputs, strict=True)]
    shape = broadcast_shape(op, arrays, outs)
    if op.__name__ == "power" and inputs[1].kind == "i":
        _check_power(arrays, *given[1], where)
    arrays = _spread(arrays, shape)
    if where is True and order in "KC" and op.nout == 1 and _promotion.is_direct(op, inputs):
        target = outs[0]
        if _direct_target(target, results[0], shape, arrays):
            op._apply(target, *arrays)
            return target
    return _deliver(op, compute(op, arrays, results, shape), outs, where, order)


def _check_power(arrays, exponent, kind, where):
    if isinstance(exponent, ndarray):
        if exponent.dtype.kind == "i":
            check_exponent(*arrays, where)
    elif exponent < 0:
        raise ValueError(_NEGATIVE_POWER)


def check_exponent(base, exponent, where=True):
    """Refuse negative exponents of integers; reads the smallest of a signed array back (waits for the device)."""
    if base.size == 0 or exponent.size == 0:
        return
    from pyasc import logic, statistics

    if where is not True:
        exponent = logic.where(adopt(where)[0], exponent, 0)
    if int(statistics.min(exponent)) < 0:
        raise ValueError(_NEGATIVE_POWER)


def _spread(arrays, shape):
    """Inputs that NumPy would stretch to an output larger than all of them."""
    reached = np.broadcast_shapes(*(a.shape for a in arrays))
    if reached == shape:
        return arrays
    return [broadcast_to(arrays[0], shape), *arrays[1:]]


def _direct_target(target, dtype, shape, arrays):
    if type(target) is not ndarray or target.dtype != dtype or target.shape != shape:
        return False
    _, reverse, readonly = target._layout
    return not (reverse or readonly or any(_array.needs_copy(target, a) for a in arrays))


def compute(op, arrays, results, shape):
    """Results of inputs that have the loop's types and broadcast to ``shape``."""
    row = op.row
    if _promotion.is_direct(op, [a.dtype for a in arrays]):
        out = _array.empty(shape, results[0], device=arrays[0].device)
        if len(shape) > 1:
            set_order(out, [(a.shape, _array.element_steps(a)) for a in arrays])
        op._apply(out, *arrays)
        return (out,)
    function = row.compose
    if row.mixed and arrays[0].dtype != arrays[1].dtype:
        function = row.mixed
    elif row.other and arrays[0].dtype.char in row.other[0]:
        function = row.other[1]
    found = function(*arrays)
    found = found if isinstance(found, tuple) else (found,)
    return tuple(f if f.dtype == t else f.astype(t) for f, t in zip(found, results, strict=True))


def compose(op, args):
    """A call without keywords of an operator, or a loop, that is not one aclnn function."""
    return general(op, args, {})


def _check_casts(op, given, inputs, results, outs, casting):
    for i, ((_, (kind, have)), want) in enumerate(zip(given, inputs, strict=True)):
        if kind != "weak" and have != want and not _can_cast(have, want, casting):
            raise UFuncTypeError(
                f"Cannot cast ufunc '{op.__name__}' input {i} from dtype('{have}') to dtype('{want}') "
                f"with casting rule '{casting}'"
            )
    for out, have in zip(outs, results, strict=True):
        if out is not None and not _can_cast(have, out.dtype, casting):
            raise UFuncTypeError(
                f"Cannot cast ufunc '{op.__name__}' output from dtype('{have}') to dtype('{out.dtype}') "
                f"with casting rule '{casting}'"
            )


def _can_cast(have, want, casting):
    if _promotion.BFLOAT16 not in (have, want):
        # a float64 result that the default-float rule made float32 may go where the float64 could
        return np.can_cast(have, want, casting)
    stand_in = {_promotion.BFLOAT16: np.dtype(np.float16)}
    if have == want or casting == "unsafe":
        return True
    if want == _promotion.BFLOAT16:
        return (
            (casting == "same_kind" and have.kind in "buif")
            or have.kind == "b"
            or have in (np.int8, np.uint8)
        )
    return want.kind in "fc" and want != np.float16 and np.can_cast(stand_in[have], want, casting)


def _check_range(op, given, inputs):
    """NumPy's OverflowError for a Python int outside its loop type; comparisons have an answer instead."""
    for (value, (kind, _)), dtype in zip(given, inputs, strict=True):
        if kind == "weak" and isinstance(value, int) and dtype.kind in "iu":
            info = np.iinfo(dtype)
            if not info.min <= value <= info.max:
                return out_of_range(op, given[0][0], given[1][0] if op.nin > 1 else None, dtype)
    return None


_ANSWERS = {"equal": False, "not_equal": True}


def out_of_range(op, x, y, dtype):
    """``array <op> python_int`` where the int does not fit the array's integer type.

    A comparison still has an answer, the same for all elements; everything else is NumPy's OverflowError.
    """
    array, number = (x, y) if isinstance(x, ndarray) else (y, x)
    name = op.__name__
    if name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        if name in _ANSWERS:
            answer = _ANSWERS[name]
        else:
            array_is_less = number > 0
            answer = (array_is_less == name.startswith("less")) == (array is x)
        out = _array.empty_like(array, bool)
        _array.fill_value(out, answer)
        return out
    raise OverflowError(f"Python integer {number} out of bounds for {dtype}")


def as_loop_type(x, dtype, device):
    """An operand as an array of the loop's type."""
    if isinstance(x, ndarray):
        return x if x.dtype == dtype else x.astype(dtype)
    out = _array.empty((), dtype, device=device)
    if isinstance(x, np.generic) and x.dtype.kind == "V":
        x = float(x)
    elif isinstance(x, complex) and dtype.kind != "c":
        x = x.real
    elif isinstance(x, np.generic):
        x = x.astype(dtype)
    _array.fill_value(out, x)
    return out


def broadcast_shape(op, arrays, outs):
    """The shape of the result, checked against the outputs."""
    try:
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError:
        shapes = " ".join(str(a.shape).replace(" ", "") for a in arrays)
        raise ValueError(f"operands could not be broadcast together with shapes {shapes}") from None
    for o in outs:
        if o is None or o.shape == shape:
            continue
        try:
            fits = np.broadcast_shapes(shape, o.shape) == o.shape
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(
                f"non-broadcastable output operand with shape {str(o.shape).replace(' ', '')} doesn't match "
                f"the broadcast shape {str(shape).replace(' ', '')}"
            )
        shape = o.shape
    return shape


def _deliver(op, found, outs, where, order):
    """Put results where the caller wants them."""
    delivered = tuple(
        _place(value, out, where, order) for value, out in zip(found, outs, strict=True)
    )
    return delivered if op.nout > 1 else delivered[0]


def _place(value, out, where, order):
    if out is None:
        # NumPy leaves the elements that `where` leaves out uninitialised; here they are computed
        return value.copy(order=order) if order in "FA" and value.ndim > 1 else value
    if where is not True:
        mask, (_, dtype) = adopt(where)
        if np.dtype(dtype) != bool:
            raise TypeError(
                f"Cannot cast array data from dtype('{dtype}') to dtype('bool') according to the rule 'safe'"
            )
    if isinstance(out, np.ndarray):
        implicit(f"the result of shape {value.shape} is copied into a NumPy array")
        _array.count_transfer(True)
        host = value.numpy()
        np.copyto(
            out, host, casting="unsafe", where=True if where is True else np.asarray(_to_host(mask))
        )
        return out
    if where is True:
        _array.copy_values(out, value)
    else:
        from pyasc.indexing import masked_copy

        masked_copy(out, value, mask)
    return out


def _to_host(mask):
    return mask.numpy() if isinstance(mask, ndarray) else mask


def set_order(out, models):
    """Lay out a fresh array in the order NumPy's iterator would choose (order="K") for operands of these layouts."""
    ndim = out.ndim
    aligned = []
    for shape, steps in models:
        lead = ndim - len(shape)
        aligned.append(
            [0] * lead + [0 if n == 1 else abs(s) for n, s in zip(shape, steps, strict=True)]
        )
    order = list(range(ndim - 1, -1, -1))  # innermost first
    for i in range(1, ndim):
        axis, place = order[i], i
        for j in range(i - 1, -1, -1):
            swap = _inner_first(aligned, axis, order[j])
            if swap is None:
                continue  # no operand can tell: look further
            if not swap:
                break
            place = j
        order.insert(place, order.pop(i))
    if order != list(range(ndim - 1, -1, -1)):
        out._lay_out(order[::-1])


def _inner_first(aligned, axis, inner):
    """Whether ``axis`` steps less than ``inner`` in the operands that have both; in a conflict C order wins."""
    answer = None
    for steps in aligned:
        if steps[axis] and steps[inner]:
            if steps[inner] <= steps[axis]:
                return False
            answer = True
    return answer


def inplace(op, x, y):
    """``x op= y``"""
    return op(x, y, out=(x,))


def array_ufunc(op, numpy_ufunc, method, inputs, kwargs):
    """What NumPy's hook leaves over: keywords, methods, ufuncs that are not ours."""
    if op is None:
        if (
            method == "__call__" and numpy_ufunc in FUNCTIONS
        ):  # matmul and its kin: functions of ours
            return FUNCTIONS[numpy_ufunc](*inputs, **kwargs)
        if numpy_ufunc.signature is None and any(
            hasattr(x, "__array_ufunc__") and not isinstance(x, (ndarray, np.ndarray, np.generic))
            for x in inputs
        ):
            return NotImplemented
        return on_host(getattr(numpy_ufunc, method), numpy_ufunc.__name__, inputs, kwargs)
    for x in inputs:
        if not isinstance(x, (ndarray, np.ndarray, np.generic)) and hasattr(
            type(x), "__array_ufunc__"
        ):
            return NotImplemented
    if method == "__call__":
        return _call(op, inputs, **kwargs)
    return getattr(op, method)(*inputs, **kwargs)


def signature(op):
    """What `inspect.signature` says of an operator: what NumPy says of its ufuncs."""
    positional = ("x",) if op.nin == 1 else [f"x{i + 1}" for i in range(op.nin)]
    words = {
        "where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True, "signature": None,
    }  # fmt: skip
    kinds = inspect.Parameter
    return inspect.Signature(
        [
            *(kinds(name, kinds.POSITIONAL_ONLY) for name in positional),
            kinds(
                "out",
                kinds.POSITIONAL_OR_KEYWORD,
                default=None if op.nout == 1 else (None,) * op.nout,
            ),
            *(kinds(name, kinds.KEYWORD_ONLY, default=value) for name, value in words.items()),
        ]
    )


_op.setup(
    resolve=_promotion.resolve,
    general=general,
    compose=compose,
    out_of_range=out_of_range,
    defers=defers,
    inplace=inplace,
    array_ufunc=array_ufunc,
    order=set_order,
    check_exponent=check_exponent,
    signature=signature,
)

"""Which way an operator takes where the chip refuses a dtype. Known before the call, from the chip's table.

``native``: as it is. ``cast``: computed in another dtype, with the same result. ``composed``: of several operators.
``host``: by NumPy, on copies. The functions above know nothing of this: whatever calls an operator asks `route` first,
on devices whose profile is a chip's (the embedded device takes every dtype, and is not asked about).

A strategy is a function of an operator's name and arguments that does what the operator would have done.
"""

import functools

import numpy as np

from pyasc import _facts
from pyasc._core import array as _array
from pyasc._core import error as _error
from pyasc._core.array import ndarray, strided_view
from pyasc._core.call import call, call_for_shapes
from pyasc._core.error import UnsupportedError

_SIGNED = {np.dtype(u): np.dtype(i) for u, i in zip("BHIL", "bhil", strict=True)}
_UINT64, _INT64, _BOOL = np.dtype(np.uint64), np.dtype(np.int64), np.dtype(bool)
_TOP = np.int64(-(2**63))

NATIVE = object()
_plans = {}
_recorder = None


def route(name, values, shapes=False):
    """None if the chip takes the arguments; else the operation is done, and what was found is returned."""
    dtypes = tuple(map(_dtype_of, values))
    key = (name, dtypes)
    plan = _plans.get(key)
    if plan is None:
        plan = _plans[key] = _plan(name, dtypes)
    if _recorder is not None:
        _recorder(name, "native" if plan is NATIVE else plan.kind, dtypes)
    if plan is NATIVE:
        return None
    found = plan.run(name, values, shapes)
    return True if found is None else found


def choose(profile):
    """The function that `_core` asks before each call: None for devices that take every dtype."""
    return None if profile == "unlimited" else route


def listen(function):
    """Tell ``function(operator, kind, dtypes)`` of every call asked about, None stops it; returns the one before."""
    global _recorder
    before, _recorder = _recorder, function
    return before


def takes(name, dtypes):
    """Whether the chip takes arguments of these dtypes (None for what is no tensor)."""
    return not _facts.refused(name, dtypes)


def _dtype_of(value):
    if isinstance(value, ndarray):
        return value.dtype
    if isinstance(value, (list, tuple)) and len(value) and isinstance(value[0], ndarray):
        return value[0].dtype
    return None


def _plan(name, dtypes):
    if name not in _facts.operators():  # no chip's: the library says so
        return NATIVE
    places = _facts.refused(name, dtypes)
    if not places:
        return NATIVE
    for strategy in strategies().get(name, ()):
        if strategy.fits(name, dtypes, places):
            return strategy
    parameters = _facts.operators()[name].parameters
    shown = ", ".join(
        f"{p.name} of {t}"
        for i, (p, t) in enumerate(zip(parameters, dtypes, strict=False))
        if i in places and t is not None
    )
    raise UnsupportedError(
        f"{name} of {_error.soc_profile()} does not take {shown or 'any dtype'}, and nothing else computes it there; "
        "cast to a dtype it takes, such as float32 (pyasc.routes shows which)"
    )


# ---- strategies


class Strategy:
    """A way around refused dtypes.

    Parameters
    ----------
    kind : {"cast", "composed", "host"}
    dtypes : callable
        From the dtypes of the tensors, whether this way is one for them.
    run : callable
        Of (name, values, shapes).
    """

    def __init__(self, kind, dtypes, run):
        self.kind, self._dtypes, self.run = kind, dtypes, run

    def fits(self, name, dtypes, places):
        return self._dtypes({dtypes[i] for i in places if dtypes[i] is not None})


class Recast(Strategy):
    """The operator itself, its tensors in other dtypes: ``change`` says which, ``back`` how results return.

    Only tensors with the dtype that is refused somewhere change, so that indices and masks stay what they are.
    """

    def __init__(self, change, into, back=None):
        super().__init__("cast", change.keys().__ge__, self._run)
        self.change, self.into, self.back = change, into, back

    def fits(self, name, dtypes, places):
        kinds = {dtypes[i] for i in places if dtypes[i] is not None}
        if not kinds or not kinds <= self.change.keys():
            return False
        new = [self.change[t] if t in kinds else t for t in dtypes]
        return not _facts.refused(name, new)

    def _run(self, name, values, shapes):
        dtypes = tuple(map(_dtype_of, values))
        kinds = {dtypes[i] for i in _facts.refused(name, dtypes)}
        new, after = [], []
        for value, dtype, parameter in zip(
            values, dtypes, _facts.operators()[name].parameters, strict=True
        ):
            if dtype is None or dtype not in kinds:
                new.append(self.change[np.dtype(value)] if _names(value, kinds) else value)
            elif isinstance(value, ndarray):
                changed = self.into(value, self.change[dtype], parameter)
                new.append(changed)
                if self.back is not None and (parameter.output or parameter.name == "selfRef"):
                    after.append((value, changed))
            else:
                new.append([self.into(v, self.change[dtype], parameter) for v in value])
        found = call_for_shapes(name, *new) if shapes else call(name, *new)
        for target, changed in after:
            self.back(target, changed)
        return found


def _names(value, kinds):
    """Whether an argument that is no tensor is one of the dtypes."""
    return isinstance(value, (np.dtype, type)) and np.dtype(value) in kinds


def _as_bits(x, dtype, parameter):
    """The same bits as another dtype of the same size: a view."""
    return strided_view(x, x.shape, _array.element_steps(x), 0, dtype)


def _as_values(x, dtype, parameter):
    """The same values in a dtype that holds them all; of an output, room for them."""
    if parameter.output:
        return ndarray(x.shape, dtype, device=x.device)
    return x.astype(dtype)


def _as_order(x, dtype, parameter):
    """uint64 as int64 in the same order: with the highest bit turned."""
    bits = _as_bits(x, dtype, parameter)
    if parameter.output:
        return ndarray(x.shape, dtype, device=x.device)
    return _turned(bits)


def _turned(bits):
    out = ndarray(bits.shape, bits.dtype, device=bits.device)
    top = ndarray((), bits.dtype, device=bits.device)
    _array.fill_value(top, _TOP)
    call("aclnnBitwiseXorTensor", bits, top, out)
    return out


def _copy_back(target, changed):
    _array.copy_values(target, changed)


def _order_back(target, changed):
    _array.copy_values(_as_bits(target, changed.dtype, None), _turned(changed))


def _table(text):
    return {
        _facts.DTYPES[a]: _facts.DTYPES[b] for a, b in (pair.split(">") for pair in text.split())
    }


# movement: the same bits under another name
BITS = Recast(_table("b1>u1 u2>i2 u4>i4 u8>i8 f2>i2 bf>i2 f4>i4 f8>i8 c8>i8"), _as_bits)
# two's complement: sums, products and bit operations do not ask for the sign
WRAP = Recast(_table("u1>i1 u2>i2 u4>i4 u8>i8"), _as_bits)
# a wider type holds every value
WIDE = Recast(
    _table("b1>i4 i1>i4 u1>i4 i2>i4 u2>i4 u4>i8 bf>f4 f2>f4 c8>c16"), _as_values, _copy_back
)
BYTE = Recast(_table("b1>i1"), _as_values, _copy_back)
# order of 64-bit numbers without sign
ORDER = Recast(_table("u8>i8"), _as_order, _order_back)


class Parts(Strategy):
    """Movement of complex numbers: the real and the imaginary parts, one after the other."""

    def __init__(self):
        super().__init__(
            "composed", {np.dtype(np.complex64), np.dtype(np.complex128)}.__ge__, self._run
        )

    def _run(self, name, values, shapes):
        found, outputs = None, [p.output for p in _facts.operators()[name].parameters]
        for part in (_array.real_view, _array.imaginary_view):
            new = [_part_of(value, part) for value in values]
            if shapes:  # such outputs must be contiguous
                targets = [(i, v) for i, v in enumerate(new) if outputs[i]]
                for i, v in targets:
                    new[i] = ndarray(v.shape, v.dtype, device=v.device)
                found = call_for_shapes(name, *new)
                for i, v in targets:
                    _array.copy_values(v, new[i])
            else:
                call(name, *new)
        return found


def _part_of(value, part):
    if isinstance(value, ndarray) and value.dtype.kind == "c":
        return part(value)
    if isinstance(value, (list, tuple)) and len(value) and isinstance(value[0], ndarray):
        return [_part_of(v, part) for v in value]
    return value


PARTS = Parts()


def _of_truths(name, values, shapes):
    """What asks only whether a complex number is zero."""
    from pyasc._route_formulas import any_part

    values = (any_part(values[0]), *values[1:])
    return call_for_shapes(name, *values) if shapes else call(name, *values)


_COMPLEX = {np.dtype(np.complex64), np.dtype(np.complex128)}
TRUTHS = Strategy("composed", lambda found: bool(found) and found <= _COMPLEX, _of_truths)


def _composed(dtypes, function, kind="composed"):
    """A strategy that a function carries out, for the dtypes named (such as "f8 c8")."""
    known = {_facts.DTYPES[code] for code in dtypes.split()}

    def run(name, values, shapes):
        return function(name, values)

    return Strategy(kind, lambda found: bool(found) and found <= known, run)


_WAYS = (
    ("Index MaskedSelect Cat Gather Flip InplaceZero Tril Triu", (BITS, PARTS)),
    ("IndexPutImpl InplacePut InplaceScatter", (WRAP, PARTS)),  # these may add
    ("Add Sub Mul Adds Subs Muls Neg InplaceNeg Rsubs ReduceSum ProdDim Cumsum BitwiseNot BitwiseAndTensor "
     "BitwiseAndScalar BitwiseOrTensor BitwiseOrScalar BitwiseXorTensor BitwiseXorScalar LeftShift LinalgCross",
     (WRAP, WIDE)),
    ("EqTensor NeTensor EqScalar NeScalar LogicalAnd LogicalOr LogicalXor", (WRAP, WIDE)),
    ("All Any Nonzero LogicalNot", (WRAP, WIDE, TRUTHS)),
    ("LeTensor LtTensor GeTensor GtTensor Maximum Minimum Amax Amin AminmaxAll ArgMax ArgMin Cummax Cummin Sort "
     "Argsort Topk SearchSorted", (BYTE, WIDE, ORDER)),
    ("Div Divs FloorDivide FloorDivides RemainderTensorTensor RemainderTensorScalar RemainderScalarTensor FmodTensor "
     "FmodScalar PowTensorTensor PowTensorScalar PowScalarTensor Gcd Abs Sign Mean Bincount Signbit", (WIDE,)),
    ("Acos Acosh Asin Asinh Atan Atanh Atan2 Cosh Erf Erfc Lgamma Cumprod Arange Relu Round Floor IsInf", (WIDE,)),
)  # fmt: skip


@functools.cache
def strategies():
    """Ways around refused dtypes, by operator; the first that fits is taken."""
    from pyasc import _route_formulas as formulas

    found = {"aclnn" + name: ways for names, ways in _WAYS for name in names.split()}
    for name, dtypes, kind, function in formulas.TABLE:
        found.setdefault("aclnn" + name, ())
        found["aclnn" + name] += (_composed(dtypes, function, kind),)
    for name, numpys in _ufuncs_by_operator().items():
        way = _composed(
            " ".join(_facts.DTYPES), formulas.on_host(numpys, f"numpy.{numpys.__name__}"), "host"
        )
        found[name] = (*found.get(name, ()), way)
    return found


def _ufuncs_by_operator():
    """NumPy's ufunc for each operator that is called with inputs and an output alone."""
    from pyasc.table import TABLE

    found = {}
    for row in TABLE:
        operator, *arguments = row.call.split() or [""]
        numpys = getattr(np, row.name, None)
        if isinstance(numpys, np.ufunc) and arguments == [*"abc"[: row.nin], "o"]:
            found.setdefault(operator, numpys)
    return found

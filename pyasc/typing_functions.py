"""Questions about types, which need no element: promotion, casting, kinds."""

import numpy as np

from pyasc import _promotion
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc.creation import array, asarray
from pyasc.ops import F
from pyasc.statistics import all as all_true

_SCALARS = (
    "byte", "cdouble", "complexfloating", "csingle", "double", "floating", "generic", "half", "inexact", "int_", "intc",
    "integer", "intp", "long", "longlong", "number", "short", "signedinteger", "single", "ubyte", "uint", "uintc",
    "uintp", "ulong", "ulonglong", "unsignedinteger", "ushort", "True_", "False_", "typecodes", "typename",
)  # fmt: skip
_HELPERS = (
    "base_repr",
    "binary_repr",
    "format_float_positional",
    "format_float_scientific",
    "mintypecode",
    "isscalar",
)
_SHARED = {name: getattr(np, name) for name in (*_SCALARS, *_HELPERS) if hasattr(np, name)}
globals().update(_SHARED)  # NumPy's own: they say nothing about where elements are

__all__ = [
    "asarray_chkfinite", "can_cast", "common_type", "isdtype", "issubdtype", "min_scalar_type", "promote_types",
    "require", "result_type", *_SHARED,
]  # fmt: skip

isdtype = np.isdtype
issubdtype = np.issubdtype


def _typed(value):
    return value.dtype if isinstance(value, ndarray) else value


@implements("result_type")
def result_type(*arrays_and_dtypes):
    """The dtype that NumPy's promotion gives for arrays, dtypes and Python scalars (bfloat16 included)."""
    found = [_typed(v) for v in arrays_and_dtypes]
    if any(isinstance(v, np.dtype) and v == _promotion.BFLOAT16 for v in found):
        return _promotion.result_type(*(v for v in found if not isinstance(v, (int, float))))
    return np.result_type(*found)


def promote_types(type1, type2, /):
    """The smallest dtype that both can be cast to (bfloat16 included)."""
    return (
        _promotion.result_type(type1, type2)
        if _promotion.BFLOAT16 in (np.dtype(type1), np.dtype(type2))
        else np.promote_types(type1, type2)
    )


@implements("can_cast")
def can_cast(from_, to, casting="safe"):
    """Whether a casting rule allows a conversion from a dtype, or the dtype of an array."""
    return np.can_cast(_typed(from_), _typed(to), casting)


@implements("min_scalar_type")
def min_scalar_type(a, /):
    """The smallest dtype that holds a scalar; the dtype of an array. A 0-d array is read (waits for the device)."""
    if isinstance(a, ndarray):
        return a.dtype if a.ndim else np.min_scalar_type(a.numpy())
    return np.min_scalar_type(a)


@implements("common_type")
def common_type(*arrays):
    """The float or complex dtype that holds the values of all arrays; integers count as float64, as NumPy."""
    return np.common_type(
        *(np.empty(0, _typed(a)) if isinstance(a, ndarray) else a for a in arrays)
    )


def asarray_chkfinite(a, dtype=None, order=None):
    """As `asarray`, and refuses nan and infinity (reads one truth value: waits for the device)."""
    a = asarray(a, dtype, order)
    if a.dtype.kind in "fcV" and not bool(all_true(F.isfinite(a))):
        raise ValueError("array must not contain infs or NaNs")
    return a


@implements("require")
def require(a, dtype=None, requirements=None, *, like=None):
    """A device array that meets requirements.

    Parameters
    ----------
    a : array_like
    dtype : dtype, optional
    requirements : str or sequence of str, optional
        ``"C"``, ``"F"`` (memory order), ``"A"`` (aligned, always met), ``"W"`` (writeable), ``"O"`` (owns its memory),
        or the long names.

    Returns
    -------
    ndarray
    """
    names = {
        "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F_CONTIGUOUS": "F", "FORTRAN": "F", "ALIGNED": "A", "WRITEABLE": "W",
        "OWNDATA": "O", "ENSUREARRAY": "E",
    }  # fmt: skip
    wanted = {names.get(r.upper(), r.upper()) for r in requirements or ()}
    unknown = wanted - set(names.values())
    if unknown:
        raise KeyError(sorted(unknown)[0])
    if {"C", "F"} <= wanted:
        raise ValueError("Cannot specify both C and F contiguous")
    order = "F" if "F" in wanted else "C" if "C" in wanted else "K"
    out = array(asarray(a), dtype, copy=None, order=order)
    lacking = ("W" in wanted and out._layout[2]) or ("O" in wanted and out.base is not None)
    return out.copy(order=order) if lacking else out

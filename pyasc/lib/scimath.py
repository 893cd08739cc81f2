"""Square roots, logarithms and inverse functions that answer with complex numbers where real ones have no answer.

Whether an argument has such elements decides the type of the result, so each function reads one truth value back (waits
for the device).
"""

import numpy as np

from pyasc import _promotion
from pyasc._dispatch import implements
from pyasc.creation import as_arrays
from pyasc.ops import F
from pyasc.statistics import any as any_true

__all__ = ["arccos", "arcsin", "arctanh", "log", "log10", "log2", "logn", "power", "sqrt"]


def _negative(x):
    return F.less(x, 0)


def _outside_one(x):
    return F.greater(F.absolute(x), 1)


def _as_needed(x, outside):
    """The array, as complex numbers if some element lies outside of what the real function takes."""
    if x.dtype.kind == "c" or not x.size or not bool(any_true(outside(x))):
        return x
    return x.astype(_promotion.common_type([x.dtype, np.dtype(np.complex64)]))


def _scimath(name, outside, doc):
    def function(x):
        (x,) = as_arrays(x)
        return getattr(F, name)(_as_needed(x, outside))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}; complex if an element needs it."
    return implements(f"lib.scimath.{name}")(function)


sqrt = _scimath("sqrt", _negative, "Square root")
log = _scimath("log", _negative, "Natural logarithm")
log2 = _scimath("log2", _negative, "Logarithm to base 2")
log10 = _scimath("log10", _negative, "Logarithm to base 10")
arccos = _scimath("arccos", _outside_one, "Inverse cosine, in radians")
arcsin = _scimath("arcsin", _outside_one, "Inverse sine, in radians")
arctanh = _scimath("arctanh", _outside_one, "Inverse hyperbolic tangent")


@implements("lib.scimath.logn")
def logn(n, x):
    """Logarithm to base ``n``; complex if an element needs it."""
    n, x = as_arrays(n, x)
    return F.divide(F.log(_as_needed(x, _negative)), F.log(_as_needed(n, _negative)))


@implements("lib.scimath.power")
def power(x, p):
    """``x`` to the power ``p``: complex if an element of ``x`` is negative, float if an integer ``p`` is."""
    x, p = as_arrays(x, p)
    x = _as_needed(x, _negative)
    if p.dtype.kind == "i" and p.size and bool(any_true(_negative(p))):
        p = p.astype(_promotion.lower(np.dtype(np.float64)))
    return F.power(x, p)

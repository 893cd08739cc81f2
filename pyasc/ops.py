"""The operators, built from the table; ``F`` of the table is this module's namespace."""

import numpy as np

from pyasc import _ufunc
from pyasc._core import array as _array
from pyasc._core import op as _op
from pyasc._core.call import call
from pyasc._core.op import ufunc
from pyasc.table import ALIASES, TABLE, F

TORCH = {torch: row.name for row in TABLE for torch in row.torch}
__all__ = list(dict.fromkeys([*(row.name for row in TABLE), *ALIASES, *TORCH]))


def _build():
    for row in TABLE:
        numpy_ufunc = getattr(np, row.name, None)
        if not isinstance(numpy_ufunc, np.ufunc):
            numpy_ufunc = None
        op = ufunc(row, numpy_ufunc)
        op.__doc__ = row.doc
        setattr(F, row.name, op)
    for alias, name in {**TORCH, **ALIASES}.items():
        setattr(F, alias, getattr(F, name))


def fill(like, value, dtype=None):
    """An array of the shape and order of ``like``, all elements ``value``."""
    out = _array.empty_like(like, dtype)
    _array.fill_value(out, value)
    return out


def where(condition, x, y):
    """Elements of ``x`` where the condition holds, else of ``y``; the two have one dtype."""
    x, y = (
        v if isinstance(v, _array.ndarray) else fill(condition, v, w.dtype)
        for v, w in ((x, y), (y, x))
    )
    shape = np.broadcast_shapes(condition.shape, x.shape, y.shape)
    out = _array.empty(shape, x.dtype, device=x.device)
    if len(shape) > 1:
        _ufunc.set_order(out, [(a.shape, _array.element_steps(a)) for a in (condition, x, y)])
    call("aclnnSWhere", condition, x, y, out)
    return out


def launch(name, x, *arguments):
    """An aclnn operator whose output is like its input."""
    out = _array.empty_like(x)
    call(name, x, *arguments, out)
    return out


def conjugate_complex(x):
    """The complex conjugate of a complex array: a copy with the imaginary part negated."""
    out = x.copy(order="K")
    part = _array.imaginary_view(out)
    call("aclnnInplaceNeg", part)
    return out


def round_complex(x):
    """Each part rounded to the nearest integer (loops that are already integers: a copy)."""
    if x.dtype.kind != "c":
        return F.positive(x)
    out = x.copy(order="K")
    for part in (_array.real_view(out), _array.imaginary_view(out)):
        _array.copy_values(part, F.rint(part))
    return out


_build()
F.fill, F.where, F.conjugate_complex, F.round_complex, F.launch = (
    fill,
    where,
    conjugate_complex,
    round_complex,
    launch,
)
globals().update({name: getattr(F, name) for name in __all__})


def find(name):
    """The operator of that name."""
    return getattr(F, name)


_BY_CODE = (
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "left_shift", "right_shift",
    "bitwise_and", "bitwise_or", "bitwise_xor", "less", "less_equal", "equal", "not_equal", "greater", "greater_equal",
    "negative", "positive", "absolute", "invert",
)  # fmt: skip


def bind_matmul(matmul):
    """Complete Python's operators: ``@`` is not a row of the table."""
    _op.bind_operators([*(getattr(F, name) for name in _BY_CODE), matmul, F.divmod])


_op.setup(find=find)

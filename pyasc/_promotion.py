"""Which types an operator computes in: NumPy's rules (NEP 50), a row for bfloat16, and the default float.

Asked once for every combination of an operator and the types of its operands; ``_core.op`` remembers the answers.
"""

import functools

import ml_dtypes
import numpy as np

from pyasc import _config
from pyasc._config import lower
from pyasc._core.call import has_routes

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FLOAT32 = np.dtype(np.float32)
_DOUBLE = (np.dtype(np.float64), np.dtype(np.complex128))
# Python's scalars, weakest first, as the smallest NumPy type of their kind.
_WEAK = {bool: np.dtype(bool), int: int, float: float, complex: complex}


class NoLoopError(TypeError):
    """No loop of the operator takes these types."""


def resolve(op, operands):
    """Types of one call.

    Parameters
    ----------
    op : ufunc
        The operator.
    operands : sequence of (str, type)
        ("array", dtype), ("scalar", dtype) for a NumPy scalar, ("weak", type) for a Python scalar.

    Returns
    -------
    inputs : tuple of dtype
        What each operand is cast to.
    computed, result : dtype
        What the kernel writes, and what the caller gets.
    direct : bool
        Whether one aclnn call does it.
    """
    inputs, results = loop(op, operands)
    direct = is_direct(op, inputs) and _chip_takes(op.row, operands, inputs, results[0])
    if _config.checking_contexts:  # somebody looks at results, which the fast way does not do
        direct = False
    return inputs, results[0], results[0], direct


def _chip_takes(row, operands, inputs, result):
    """Whether the chip takes the loop of these types as it is; what it does not take goes the way of `_routes`."""
    if not has_routes():
        return True
    from pyasc import _routes

    kinds = [kind for kind, _ in operands]
    text = row.call
    if len(kinds) == 2 and "array" in kinds and kinds.count("array") == 1:
        text = (row.right if kinds[0] == "array" else row.left) or text
    dtypes = {"a": inputs[0], "b": inputs[-1], "c": inputs[-1], "o": result}
    name, *letters = text.split()
    return _routes.takes(name, [dtypes.get(letter) for letter in letters])


def is_direct(op, inputs):
    """Whether one aclnn call computes the loop of these types."""
    row = op.row
    if not row.call or (row.mixed and inputs[0] != inputs[1]):
        return False
    return not (row.other and inputs[0].char in row.other[0])


def loop(op, operands, signature=None, casting="same_kind"):
    """(input dtypes, output dtypes) of the loop for these operands, with the default-float rule applied."""
    if any(t == BFLOAT16 for _, t in operands if not isinstance(t, type)):
        return _bfloat16_loop(op, operands, casting)
    wide = signature is not None or any(k == "array" and t in _DOUBLE for k, t in operands)
    found = _numpy_loop(op, [_WEAK.get(t, t) for _, t in operands], signature, casting)
    inputs, outputs = found[: op.nin], found[op.nin :]
    if not wide and any(t in _DOUBLE for t in outputs):
        inputs, outputs = tuple(map(lower, inputs)), tuple(map(lower, outputs))
    return inputs, outputs


def _numpy_loop(op, specs, signature, casting):
    if op.numpy is None:
        return _float_loop(op, specs)
    specs = [np.dtype(bool) if s is bool else s for s in specs]
    if all(isinstance(s, type) for s in specs):
        # resolve_dtypes wants at least one real dtype; alone, a Python scalar has its default type
        specs = [np.dtype(s) for s in specs]
    try:
        words = {} if signature is None else {"signature": signature}
        return op.numpy.resolve_dtypes((*specs, *[None] * op.nout), casting=casting, **words)
    except TypeError as error:
        shown = ", ".join(str(getattr(s, "__name__", s)) for s in specs)
        raise NoLoopError(
            f"ufunc '{op.__name__}' not supported for the input types ({shown}), and the inputs could not be safely "
            f"coerced to any supported types according to the casting rule '{casting}'"
        ) from error


_PLATFORM_INTEGERS = {"b": np.int64, "i": np.int64, "u": np.uint64}


def reduction(op, dtype, wanted=None, out=None):
    """(type of the running result, type of the elements) in which reduce, accumulate and reduceat compute.

    Parameters
    ----------
    dtype : dtype
        Of the array.
    wanted : dtype, optional
        What the caller asked for.
    out : dtype, optional
        Of the output the caller gave.
    """
    dtypes = [t for t in (dtype, out) if t is not None]
    in_bfloat16 = wanted == BFLOAT16 or (
        wanted is None and BFLOAT16 in dtypes and promote_bfloat16(dtypes) == BFLOAT16
    )
    wide = wanted is not None or any(t in _DOUBLE for t in dtypes)
    dtype, wanted, out = (
        FLOAT32 if t == BFLOAT16 and t is not None else t for t in (dtype, wanted, out)
    )
    first, second = _reduction_loop(op, dtype, wanted, out)
    if in_bfloat16:
        return tuple(BFLOAT16 if t == FLOAT32 else t for t in (first, second))
    return (first, second) if wide else (lower(first), lower(second))


@functools.lru_cache(maxsize=4096)
def _reduction_loop(op, dtype, wanted, out):
    """NumPy's answer, without the rules of our own."""
    if (
        wanted is None
        and out is None
        and op.__name__ in ("add", "multiply")
        and dtype.kind in _PLATFORM_INTEGERS
    ):
        # small integers are added and multiplied as wide as the platform's
        if dtype.kind == "b" or dtype.itemsize < 8:
            wanted = np.dtype(_PLATFORM_INTEGERS[dtype.kind])
    words = {} if wanted is None else {"signature": (wanted, None, None)}
    first = dtype if out is None else out
    try:
        first, second, _ = op.numpy.resolve_dtypes(
            (first, dtype, None), casting="unsafe", reduction=True, **words
        )
    except TypeError as error:
        raise NoLoopError(
            f"ufunc '{op.__name__}' has no loop that reduces {dtype}"
            + (f" in {wanted}" if wanted is not None else "")
        ) from error
    return first, second


def _float_loop(op, specs):
    """For operators NumPy does not have: floats as they are, everything else as the default float."""
    dtype = (
        np.result_type(*specs) if any(not isinstance(s, type) for s in specs) else np.dtype(float)
    )
    if dtype.kind in "bui" and not op.row.same:
        dtype = lower(np.dtype(np.float64))
    elif dtype.kind == "c":
        raise NoLoopError(f"{op.__name__} does not take {dtype}; it is defined for real numbers")
    return (dtype,) * (op.nin + op.nout)


def _bfloat16_loop(op, operands, casting):
    """bfloat16 with numbers, bools and integers stays bfloat16; with float16 or float32 it is float32."""
    dtypes = [None if isinstance(t, type) else t for _, t in operands]
    common = promote_bfloat16([t for t in dtypes if t is not None])
    if any(t is complex for _, t in operands) and common.kind != "c":
        common = np.dtype(np.complex64)
    stand_in = FLOAT32 if common == BFLOAT16 else common
    if op.numpy is None:
        return (common,) * op.nin, (common,) * op.nout
    specs = [
        stand_in if t is None or t == BFLOAT16 or (t.kind in "bui" and common == BFLOAT16) else t
        for t in dtypes
    ]
    try:
        found = _numpy_loop(op, specs, None, casting)
    except NoLoopError:
        # an operand that is an integer in every loop, such as the exponent of ldexp
        specs = [_WEAK.get(t, stand_in if t == BFLOAT16 else t) for _, t in operands]
        found = _numpy_loop(op, specs, None, casting)
    if not any(k == "array" and t in _DOUBLE for k, t in operands):
        found = tuple(map(lower, found))
    if common == BFLOAT16:
        found = tuple(BFLOAT16 if t == FLOAT32 else t for t in found)
    return found[: op.nin], found[op.nin :]


def promote_bfloat16(dtypes):
    """The common type of dtypes of which at least one is bfloat16."""
    others = [t for t in dtypes if t != BFLOAT16 and t.kind not in "bui"]
    if not others:
        return BFLOAT16
    return np.result_type(FLOAT32, *others)


def common_type(dtypes, weak=()):
    """The type in which arrays of these types meet, with the default-float rule applied.

    Parameters
    ----------
    dtypes : sequence of dtype
        Of arrays.
    weak : sequence of scalar, optional
        Python numbers among the operands.
    """
    found = result_type(*dtypes)
    if weak and BFLOAT16 not in dtypes:
        found = np.result_type(found, *weak)
    return found if any(t in _DOUBLE for t in dtypes) else lower(found)


def is_wide(value):
    """Whether the operand is an array (not a scalar, not a list) that asks for 64-bit floats."""
    return hasattr(value, "ndim") and not isinstance(value, np.generic) and value.dtype in _DOUBLE


def result_type(*dtypes):
    """As ``numpy.result_type`` of dtypes, with a rule for bfloat16."""
    dtypes = [np.dtype(t) for t in dtypes]
    if any(t == BFLOAT16 for t in dtypes):
        return promote_bfloat16(dtypes)
    return np.result_type(*dtypes)

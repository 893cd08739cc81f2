"""What happens at division by zero, overflow and invalid operations.

The device has no flags of its own that a program could read: to notice, results are looked at after each call, which
waits for the device. So nothing is looked at unless a program asks for it: ``pyasc.errstate(..., check=True)``.
"""

import contextvars
import functools
import warnings

import numpy as np

from pyasc import _config
from pyasc._core import op as _op
from pyasc._core.array import ndarray
from pyasc.creation import asarray
from pyasc.ops import F

_checking = contextvars.ContextVar("pyasc_errstate_check", default=False)

# Operands at which a function has a pole: there a result of infinity is a division by zero, elsewhere an overflow.
_POLES = {
    "divide": lambda x, y: F.equal(y, 0),
    "floor_divide": lambda x, y: F.equal(y, 0),
    "remainder": lambda x, y: F.equal(y, 0),
    "fmod": lambda x, y: F.equal(y, 0),
    "power": lambda x, y: F.equal(x, 0),
    "float_power": lambda x, y: F.equal(x, 0),
    "reciprocal": lambda x: F.equal(x, 0),
    "log": lambda x: F.equal(x, 0),
    "log2": lambda x: F.equal(x, 0),
    "log10": lambda x: F.equal(x, 0),
    "log1p": lambda x: F.equal(x, -1),
    "arctanh": lambda x: F.equal(F.absolute(x), 1),
}
_WHOLE_DIVISIONS = ("floor_divide", "remainder", "fmod", "divmod", "reciprocal")
_TEXTS = {"divide": "divide by zero", "over": "overflow", "invalid": "invalid value"}
_BITS = {"divide": 1, "over": 2, "invalid": 8}  # as NumPy numbers them for error callbacks


class errstate(np.errstate):
    """Context in which floating-point errors of operators are treated as asked.

    Parameters
    ----------
    all, divide, over, under, invalid : {"ignore", "warn", "raise", "call", "print", "log"}, optional
        As in NumPy, whose settings these are: they hold for NumPy arrays too. Underflow is not looked for.
    call : optional
        As in NumPy.
    check : bool, optional
        Look at the results of operators on device arrays, and warn or raise as NumPy would. Each call then waits for
        the device and costs a few more; without it device arrays follow "ignore".

    Raises
    ------
    FloatingPointError
        Within the context, for what is set to "raise".
    """

    def __init__(self, *, check=False, **kwargs):
        super().__init__(**kwargs)
        self._check, self._words, self._looking = check, kwargs, None

    def __enter__(self):
        super().__enter__()
        if self._check:
            self._looking = _checking.set(True)
            _count(1)
        return self

    def __exit__(self, *error):
        if self._looking is not None:
            _checking.reset(self._looking)
            self._looking = None
            _count(-1)
        return super().__exit__(*error)

    def __call__(self, function):
        """Decorator: the function runs in such a context."""

        @functools.wraps(function)
        def inside(*args, **kwargs):
            with type(self)(check=self._check, **self._words):
                return function(*args, **kwargs)

        return inside


def _count(step):
    before = _config.checking_contexts
    _config.checking_contexts += step
    if before == 0 or _config.checking_contexts == 0:
        _op.forget_types()  # the fast way does not look at results


def is_checking():
    """Whether the context of the caller looks at results."""
    return _checking.get()


def watched(call, op, args, kwargs):
    """``call(op, args, **kwargs)``, and a look at what came of it."""
    token = _checking.set(False)  # what a formula is made of is not looked at
    try:
        inputs = [
            _kept(x, kwargs.get("out") is not None or len(args) > op.nin) for x in args[: op.nin]
        ]
        found = call(op, args, **kwargs)
        results = [
            r for r in (found if isinstance(found, tuple) else (found,)) if isinstance(r, ndarray)
        ]
        kinds = _kinds(op.__name__, inputs, results)
    finally:
        _checking.reset(token)
    for kind in kinds:
        _tell(kind, op.__name__)
    return found


def _kept(x, may_change):
    if isinstance(x, ndarray):
        return x.copy() if may_change else x
    return asarray(x)


def _kinds(name, inputs, results):
    settings, found = np.geterr(), []
    if inputs and inputs[0].dtype.kind in "iu" and name in _WHOLE_DIVISIONS:
        if settings["divide"] != "ignore" and bool(F.equal(inputs[-1], 0).any()):
            found.append("divide")
    for result in results:
        if result.dtype.kind not in "fcV":
            continue
        finite = _all(F.isfinite, inputs)
        infinite = F.logical_and(F.isinf(result), finite)
        pole = _POLES.get(name)
        at_pole = F.logical_and(infinite, pole(*inputs)) if pole else None
        if at_pole is not None and settings["divide"] != "ignore" and bool(at_pole.any()):
            found.append("divide")
        beyond = infinite if at_pole is None else F.logical_and(infinite, F.logical_not(at_pole))
        if settings["over"] != "ignore" and bool(beyond.any()):
            found.append("over")
        new_nan = F.logical_and(F.isnan(result), _all(lambda x: F.logical_not(F.isnan(x)), inputs))
        if settings["invalid"] != "ignore" and bool(new_nan.any()):
            found.append("invalid")
    return list(dict.fromkeys(found))


def _all(condition, arrays):
    found = condition(arrays[0])
    for x in arrays[1:]:
        found = F.logical_and(found, condition(x))
    return found


def _tell(kind, name):
    setting, text = np.geterr()[kind], f"{_TEXTS[kind]} encountered in {name}"
    if setting == "raise":
        raise FloatingPointError(text)
    if setting == "warn":
        warnings.warn(text, RuntimeWarning, stacklevel=5)
    elif setting == "print":
        print(f"Warning: {text}")
    elif setting == "call":
        np.geterrcall()(_TEXTS[kind], _BITS[kind])
    elif setting == "log":
        np.geterrcall().write(f"Warning: {text}\n")

"""NumPy's function hook: which of our functions stands for which of NumPy's, and the host path for the rest."""

import functools
import importlib
import inspect

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core.array import ndarray

FUNCTIONS = {}  # NumPy's function -> ours
# Modules of ours that are imported when first needed, by the module of NumPy's whose functions they stand for.
LAZY = {f"numpy.{name}": f"pyasc.{name}" for name in ("fft", "linalg", "random")}


def implements(name, module=np):
    """Decorator: the function is ours for NumPy's ``name`` (names that this NumPy does not have are left out)."""

    def register(function):
        target = module
        for part in name.split("."):
            target = getattr(target, part, None)
        if target is not None:
            FUNCTIONS[target] = function
        return function

    return register


def same_signature(numpys):
    """Decorator: the function takes the words of NumPy's and passes them on; `inspect.signature` may say so."""

    def decorate(function):
        function.__wrapped__ = numpys
        return function

    return decorate


def array_function(function, types, args, kwargs):
    """What NumPy calls when an array of ours is among the arguments of one of its functions."""
    ours = FUNCTIONS.get(function) or _late(function)
    if ours is not None:
        return ours(*args, **kwargs)
    foreign = [t for t in types if not issubclass(t, (ndarray, np.ndarray))]
    if foreign:
        return NotImplemented
    return on_host(function, f"{function.__module__}.{function.__name__}", args, kwargs)


def _late(function):
    """Our function in a module that is not imported yet, or None."""
    module = LAZY.get(function.__module__)
    if module is not None:
        importlib.import_module(module)
    return FUNCTIONS.get(function)


def lazy_module(name):
    """The module ``pyasc.<name>`` for an attribute of the package that is not there yet.

    Raises
    ------
    AttributeError
        If there is none.
    """
    if f"pyasc.{name}" not in LAZY.values():
        raise AttributeError(f"module 'pyasc' has no attribute {name!r}")
    return importlib.import_module(f"pyasc.{name}")


def host_function(name, module=np):
    """A function of NumPy's that has no implementation of ours: the same words, by way of the host.

    One that is written later takes its place by being imported into the package (see `_namespace.complete`).
    """
    numpys = getattr(module, name)

    @functools.wraps(numpys)  # and with it the signature
    def function(*args, **kwargs):
        return on_host(numpys, f"{module.__name__}.{name}", args, kwargs)

    function.__module__ = "pyasc"
    function.__doc__ = (
        f"As `{module.__name__}.{name}`, on the host: arrays are copied there, and results back. "
        "``config.host_path`` decides whether it may."
    )
    function.on_host = True
    return function


@functools.lru_cache(maxsize=512)
def _place_of_out(function):
    """Where among positional arguments ``out`` is; None if nowhere."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None
    return names.index("out") if "out" in names else None


def _by_name(function, args, kwargs):
    """Arguments with an ``out`` among the positional ones taken out of them, and named with those behind it."""
    place = _place_of_out(function)
    if place is None or len(args) <= place:
        return args, kwargs
    names = list(inspect.signature(function).parameters)[place : len(args)]
    return args[:place], {**dict(zip(names, args[place:], strict=False)), **kwargs}


def on_host(function, name, args, kwargs):
    """Run a NumPy function on copies of the arrays, and bring arrays among its results back to the device."""
    _config.host_path(name)
    if not isinstance(function, np.ufunc):
        args, kwargs = _by_name(function, args, kwargs)
    wide = [False]
    device = []

    def down(value):
        if isinstance(value, ndarray):
            wide[0] = wide[0] or value.dtype in (np.float64, np.complex128)
            device.append(value.device)
            return value._to_host(False)
        return value

    outs = []
    out = kwargs.get("out")
    host_args = walk(args, down)
    host_kwargs = {k: walk(v, down) for k, v in kwargs.items()}
    if out is not None:
        outs = list(zip(_flat(out), _flat(host_kwargs["out"]), strict=True))
    found = function(*host_args, **host_kwargs)
    for ours, host in outs:
        if isinstance(ours, ndarray):
            _array.copy_values(ours, _array.from_numpy(host, device=ours.device))
            if host is found:
                return ours

    def up(value):
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype in _array_kinds():
            value = np.asarray(value)
            return _array.from_numpy(
                value if wide[0] else value.astype(_config.lower(value.dtype), copy=False),
                device=device[0] if device else None,
            )
        return value

    return walk(found, up)


def _array_kinds():
    from pyasc._core.memory import supported_dtypes

    return supported_dtypes()


def _flat(value):
    return value if isinstance(value, (tuple, list)) else (value,)


def walk(value, function):
    """Apply ``function`` to the arrays in nested tuples, lists and dicts."""
    if isinstance(value, (ndarray, np.ndarray, np.generic)):
        return function(value)
    if isinstance(value, tuple):
        parts = [walk(v, function) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list):
        return [walk(v, function) for v in value]
    if isinstance(value, dict):
        return {k: walk(v, function) for k, v in value.items()}
    return value


_array.bind(array_function=array_function)

"""`pyasc.routes`: what a function runs as on a chip, found by running it on a few elements while `_routes` listens."""

import threading
from typing import NamedTuple

import numpy as np

from pyasc import _config, _facts, _routes
from pyasc._core import array as _array
from pyasc._core import call as _call
from pyasc._core import error as _error
from pyasc._core import op as _op
from pyasc._core.error import UnsupportedError

_lock = threading.Lock()
_MOVING = {
    "aclnnInplaceCopy",
    "aclnnInplaceFillScalar",
    "aclnnCast",
    "aclnnFlip",
}  # what brings operands into place
_EMBEDDED = "embedded"
_DTYPES = tuple(_facts.DTYPES.values())


class Route(NamedTuple):
    """How a function runs.

    Attributes
    ----------
    route : str
        ``native``: the operator as it is (or no operator at all: a view). ``cast``: in another dtype, with the same
        result. ``composed``: of several operators. ``host``: by NumPy, on copies. ``none``: refused, mostly by NumPy
        too.
    operators : tuple of str
        The operators it runs as.
    reason : str
        What the chip refuses, or why there is no route.
    """

    route: str
    operators: tuple
    reason: str


def routes(name, *dtypes, soc="Ascend910B"):
    """See `pyasc.routes`."""
    chip = _chip(soc)
    if not dtypes:
        return {str(t): _find(name, t, chip) for t in _DTYPES}
    found = {_find(name, np.dtype(t), chip) for t in dtypes}
    if len(found) == 1:
        return found.pop()
    return {str(np.dtype(t)): _find(name, np.dtype(t), chip) for t in dtypes}


def _chip(soc):
    if soc == _EMBEDDED:
        return None
    for chip in _facts.CHIPS:
        if soc.startswith(chip):
            return chip
    raise ValueError(f"soc is {soc!r}; known are {', '.join((*_facts.CHIPS, _EMBEDDED))}")


def _function(name, module):
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _find(name, dtype, chip):
    import pyasc

    function = _function(name, pyasc)
    if function is None:
        raise ValueError(f"pyasc has no function {name!r}")
    with _lock:
        call = sample_call(name)
        if call is None:
            return Route("none", (), "no arrays are computed")
        return _listen(lambda: call(function, lambda x: _array.from_numpy(x.astype(dtype))), chip)


def _listen(run, chip):
    """Run while all calls are recorded, on a device that is taken for the chip."""
    launched, kinds, refused = [], set(), []

    def router(name, values, shapes):
        if chip is None:
            return None
        return _routes.route(name, values, shapes)

    def record(name, kind, dtypes):
        kinds.add(kind)
        if kind != "native":
            refused.append(
                f"{name} of {', '.join(dict.fromkeys(str(t) for t in dtypes if t is not None))}"
            )

    before = _config.host_calls
    policy, _config.config.host_path = _config.config.host_path, "allow"
    observer = _call.set_observer(launched.append)
    _call.set_route_chooser(lambda profile: router)
    recorder = _routes.listen(record)
    cann_only = _error.keep_to_cann(chip is not None)
    _op.forget_types()
    try:
        run()
    except UnsupportedError as error:
        return Route("none", (), str(error))
    except (TypeError, ValueError, np.linalg.LinAlgError) as error:
        return Route("none", (), f"{type(error).__name__}: {error}".splitlines()[0])
    finally:
        _error.keep_to_cann(cann_only)
        _routes.listen(recorder)
        _call.set_route_chooser(_routes.choose)
        _call.set_observer(observer)
        _op.forget_types()
        _config.config.host_path = policy
    operators = tuple(dict.fromkeys(n for n in launched if n not in _MOVING))
    on_host = _config.host_calls != before
    return Route(_kind(kinds, operators, on_host), operators, "; ".join(dict.fromkeys(refused)))


def _kind(kinds, operators, on_host):
    if on_host or "host" in kinds:
        return "host"
    if "composed" in kinds or len(operators) > 1:
        return "composed"
    return "cast" if "cast" in kinds else "native"


# ---- a call of each function


def _samples():
    x = np.array([1, 2, 1, 3, 2, 1])
    square = np.array([[3, 1], [1, 2]])
    return x, square


def sample_call(name):
    """A call of a function, as a function of (the function, what makes an array of the host's); None if none is known.

    The first of a few usual lists of arguments that NumPy's function of that name takes.
    """
    x, square = _samples()
    if name in _CALLS:
        return _CALLS[name]
    numpys = _function(name, np)
    if numpys is None:
        return lambda f, up: f(up(x))
    shapes = (
        (x,), (x, x), (square,), (square, square), ((x, x),), (x, 1), (x, x, x), (square, 1), (3,), (x, 1, 1), (x, -1),
        (square, 0, 1), ((2, 2), 1), (x, (3, 6)),
    )  # fmt: skip
    for dtype in (np.float32, np.int32, np.uint8):
        for arguments in shapes:
            try:
                with np.errstate(all="ignore"):
                    numpys(*(_of_dtype(a, dtype) for a in arguments))
            except Exception:  # whatever it is, these are not its arguments
                continue
            return lambda f, up, arguments=arguments: f(*(_up(a, up) for a in arguments))
    return None


def _of_dtype(value, dtype):
    if isinstance(value, np.ndarray):
        return value.astype(dtype)
    return tuple(_of_dtype(v, dtype) for v in value) if isinstance(value, tuple) else value


def _up(value, up):
    if isinstance(value, np.ndarray):
        return up(value)
    return tuple(_up(v, up) for v in value) if isinstance(value, tuple) else value


_X, _SQUARE = _samples()
_CALLS = {
    "where": lambda f, up: f(up(_X) > 1, up(_X), up(_X)),
    "matmul": lambda f, up: f(up(_SQUARE), up(_SQUARE)),
    "dot": lambda f, up: f(up(_SQUARE), up(_SQUARE)),
    "take": lambda f, up: f(up(_X), _array.from_numpy(np.array([0, 2]))),
    "choose": lambda f, up: f(_array.from_numpy(np.array([0, 1])), [up(_X[:2]), up(_X[:2])]),
    "compress": lambda f, up: f(_array.from_numpy(_X > 1), up(_X)),
    "extract": lambda f, up: f(_array.from_numpy(_X > 1), up(_X)),
    "select": lambda f, up: f([_array.from_numpy(_X > 1)], [up(_X)]),
    "einsum": lambda f, up: f("ij,jk->ik", up(_SQUARE), up(_SQUARE)),
    "take_along_axis": lambda f, up: f(up(_X), _array.from_numpy(np.array([0, 2])), 0),
    "put_along_axis": lambda f, up: f(up(_X), _array.from_numpy(np.array([0, 2])), up(_X[:2]), 0),
    "put": lambda f, up: f(up(_X), _array.from_numpy(np.array([0, 2])), up(_X[:2])),
    "quantile": lambda f, up: f(up(_X), 0.5),
    "percentile": lambda f, up: f(up(_X), 50),
    "nanquantile": lambda f, up: f(up(_X), 0.5),
    "nanpercentile": lambda f, up: f(up(_X), 50),
    "full_like": lambda f, up: f(up(_X), 2),
    "pad": lambda f, up: f(up(_X), 2),
    "isin": lambda f, up: f(up(_X), up(_X[:2])),
    "copyto": lambda f, up: f(up(_X), up(_X)),
    "concatenate": lambda f, up: f([up(_X), up(_X)]),
    "astype": lambda f, up: f(up(_X), np.float32),
    "digitize": lambda f, up: f(up(_X), [1, 2]),
    "dsplit": lambda f, up: f(up(np.stack([_SQUARE, _SQUARE])), 2),
    "apply_along_axis": lambda f, up: f(np.max, 0, up(_X)),
    "apply_over_axes": lambda f, up: f(np.max, up(_SQUARE), 0),
    "piecewise": lambda f, up: f(up(_X), [_array.from_numpy(_X > 1)], [0, 1]),
    "polyfit": lambda f, up: f(up(np.arange(6)), up(_X), 1),
    "tril": lambda f, up: f(up(_SQUARE)),
    "triu": lambda f, up: f(up(_SQUARE)),
}

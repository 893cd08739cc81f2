"""NumPy's functions on device arrays and on the host's, compared: what the tests of functions share."""

import warnings

import numpy as np
from helpers import device_twin, same

import pyasc
from pyasc._config import lower


def device_of(value):
    """Arguments for the device, arrays laid out as the host's."""
    if isinstance(value, np.ndarray):
        return device_twin(value) if value.ndim else pyasc.asarray(value)
    if isinstance(value, (tuple, list)) and any(isinstance(v, np.ndarray) for v in value):
        return type(value)(map(device_of, value))
    return value


def outcome(function, *args, **kwargs):
    """What a call gives: ("values", ...) or ("error", class)."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return "values", function(*args, **kwargs)
        except Exception as error:
            return "error", error


def agree(function, args, kwargs=(), ulp=0, context="", rtol=0.0, atol=0.0):
    """NumPy's function gives the same on device arrays as on the host's: values, dtypes, shapes, or exception class.

    Where NumPy's float64 is only its default float ours may be float32; ``rtol`` (in units of the spacing at 1) and
    ``atol`` are for floats whose last digits depend on the order of additions.
    """
    kwargs = dict(kwargs)
    kind, expected = outcome(function, *args, **kwargs)
    ours, found = outcome(
        function, *map(device_of, args), **{k: device_of(v) for k, v in kwargs.items()}
    )
    context = f"{context} {function.__name__} {kwargs}"
    assert ours == kind, f"{context}: {found!r}, NumPy: {expected!r}"
    if kind == "error":
        # NumPy's ufuncs have subclasses of TypeError that are not public
        wanted = TypeError if isinstance(expected, TypeError) else type(expected)
        assert isinstance(found, wanted), f"{context}: {found!r}, NumPy: {expected!r}"
        return
    for f, e in zip(_flat(found), _flat(expected), strict=True):
        e = np.asarray(e)
        if e.dtype.kind in "fc" and (rtol or atol or f.dtype != e.dtype):
            assert f.dtype in (e.dtype, lower(e.dtype)), f"{context}: {f.dtype}, NumPy: {e.dtype}"
            assert f.shape == e.shape, f"{context}: {f.shape}, NumPy: {e.shape}"
            eps = np.finfo(f.dtype).eps
            np.testing.assert_allclose(
                f.numpy(), e, rtol=max(rtol, 4) * eps, atol=max(atol, 2) * eps, err_msg=context
            )
        else:
            same(f, e, ulp, context)


def _flat(value):
    if isinstance(value, (tuple, list)):
        return [part for v in value for part in _flat(v)]
    return [value]

"""What of NumPy's namespace is here, and how: the rest of it is filled in last, so that own functions always win."""

import numpy as np

from pyasc import _dispatch

# Names of NumPy's that say nothing about where elements are: the same objects here.
NUMPYS = (
    "ScalarType", "bytes_", "character", "clongdouble", "complex256", "datetime64", "dtypes", "exceptions",
    "flexible", "float128", "getbufsize", "geterr", "geterrcall", "info", "little_endian", "longdouble", "object_",
    "sctypeDict", "setbufsize", "seterr", "seterrcall", "str_", "timedelta64", "void",
)  # fmt: skip

_DATES = "dates and times: a device has no such type"
_OBJECTS = "an array class of its own, in host memory"
_STRINGS = "strings: a device has no such type"
_ABOUT_NUMPY = "about NumPy itself"
_MODULE = "a module; its functions take device arrays through NumPy's name"
LEFT_OUT = {
    "busday_count": _DATES, "busday_offset": _DATES, "busdaycalendar": _DATES, "datetime_as_string": _DATES,
    "datetime_data": _DATES, "is_busday": _DATES,
    "char": _STRINGS, "strings": _STRINGS, "fromregex": "text with fields: structured dtypes, which a device has not",
    "matrix": _OBJECTS, "asmatrix": _OBJECTS, "bmat": _OBJECTS + "; see block", "memmap": _OBJECTS, "ma": _OBJECTS,
    "rec": _OBJECTS, "recarray": _OBJECTS, "record": _OBJECTS,
    "flatiter": "iterates over host memory; see reshape(-1)",
    "nested_iters": "iterates over host memory; see nditer",
    "row_stack": "deprecated by NumPy; see vstack", "trapz": "deprecated by NumPy; see trapezoid",
    "in1d": "deprecated by NumPy; see isin",
    "core": "deprecated by NumPy", "ctypeslib": "C programs on the host cannot read device memory",
    "fft": _MODULE, "linalg": _MODULE, "random": _MODULE, "polynomial": _MODULE,
    "f2py": _ABOUT_NUMPY, "get_include": _ABOUT_NUMPY, "show_config": _ABOUT_NUMPY, "show_runtime": _ABOUT_NUMPY,
    "test": _ABOUT_NUMPY, "testing": _ABOUT_NUMPY, "typing": _ABOUT_NUMPY,
}  # fmt: skip


def is_array_function(value):
    """Whether NumPy asks ``__array_function__`` before it runs it."""
    return type(value) is type(np.concatenate)


def complete(namespace):
    """Fill in what a namespace lacks of NumPy's: functions by way of the host, and names that are NumPy's own."""
    for name in dir(np):
        if name.startswith("_") or name in namespace or name in LEFT_OUT:
            continue
        value = getattr(np, name)
        if is_array_function(value):
            namespace[name] = _dispatch.host_function(name)
        elif name in NUMPYS:
            namespace[name] = value


def public_names():
    """NumPy's public names, as it lists them."""
    return [name for name in np.__all__ if not name.startswith("_")]


def how(name, namespace):
    """How a public name of NumPy's is here: "device", "host", "numpy", or the reason why it is not."""
    if name not in namespace:
        return LEFT_OUT.get(name)
    value = namespace[name]
    if getattr(value, "on_host", False):
        return "host"
    return "numpy" if value is getattr(np, name) else "device"

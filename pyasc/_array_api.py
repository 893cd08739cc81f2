"""The Python array API standard: what a library may ask of the namespace before it uses it."""

import numpy as np

from pyasc import _config
from pyasc._core.device import Device, current_device, get_device_count

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]


class ArrayNamespaceInfo:
    """Answers of `__array_namespace_info__`."""

    def capabilities(self):
        """What the standard leaves open: masks as indices and shapes that depend on data work; up to 32 axes."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 32}

    def default_device(self):
        """The device that arrays are made on when none is named."""
        return current_device()

    def default_dtypes(self, *, device=None):
        """Dtypes of arrays made without one; the floats follow `set_default_dtype`."""
        return {
            "real floating": _config.lower(np.dtype(np.float64)),
            "complex floating": _config.lower(np.dtype(np.complex128)),
            "integral": np.dtype(np.int64),
            "indexing": np.dtype(np.int64),
        }

    def dtypes(self, *, device=None, kind=None):
        """Dtypes of the standard by name, of one kind or of a tuple of kinds."""
        if kind is None:
            names = _KINDS["bool"] + _KINDS["numeric"]
        else:
            kinds = kind if isinstance(kind, tuple) else (kind,)
            unknown = [k for k in kinds if k not in _KINDS]
            if unknown:
                raise ValueError(f"unsupported kind: {unknown[0]!r}; there are {', '.join(_KINDS)}")
            names = tuple(dict.fromkeys(n for k in kinds for n in _KINDS[k]))
        return {name: np.dtype(name) for name in names}

    def devices(self):
        """All devices."""
        return [Device(i) for i in range(get_device_count())]


def array_namespace_info():
    """Information about this namespace, as the Python array API standard asks for it.

    Returns
    -------
    ArrayNamespaceInfo
    """
    return ArrayNamespaceInfo()

"""NumPy for Huawei Ascend NPUs, that runs anywhere.

Arrays live in device memory; NumPy's functions on them run as CANN operators. Without an NPU the same code runs on the
embedded device, a library with the same C interface on the CPU.
"""

from typing import NamedTuple

import numpy as _numpy
from ml_dtypes import bfloat16 as _bfloat16
from numpy import (
    bool_,
    complex64,
    complex128,
    e,
    euler_gamma,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    inf,
    int8,
    int16,
    int32,
    int64,
    nan,
    newaxis,
    pi,
    uint8,
    uint16,
    uint32,
    uint64,
)  # fmt: skip

from pyasc import (  # binds the function hook, str, repr, reduce ...
    _backend,
    _dispatch,
    _more_methods_a,
    _more_methods_b,
    _namespace,
    _printing,
    _ufunc_methods,
    lib,
)
from pyasc import indexing as _indexing  # binds x[...]
from pyasc._array_api import array_namespace_info as __array_namespace_info__
from pyasc._config import (
    HostPathWarning,
    TransferWarning,
    config,
    get_default_dtype,
    set_default_dtype,
)
from pyasc._core import call as _call
from pyasc._core import error as _error
from pyasc._core.array import ndarray
from pyasc._core.array import transfer_counts as _transfer_counts
from pyasc._core.device import (
    Device,
    Event,
    Stream,
    current_device,
    get_device_count,
    set_device,
    synchronization_count,
    synchronize,
)
from pyasc._core.error import AclError, DeviceMemoryError, UnsupportedError
from pyasc._core.memory import empty_cache, memory_info, memory_stats, reset_peak_memory_stats
from pyasc._core.op import ufunc
from pyasc._dlpack import from_dlpack
from pyasc._doctor import doctor
from pyasc._errstate import errstate
from pyasc._methods import copy_to_device
from pyasc._random import manual_seed, rand, randn
from pyasc.contractions import *  # noqa: F403
from pyasc.creation import *  # noqa: F403
from pyasc.diagonals import *  # noqa: F403
from pyasc.elementwise import *  # noqa: F403
from pyasc.functional import *  # noqa: F403
from pyasc.gufuncs import *  # noqa: F403
from pyasc.histograms import *  # noqa: F403
from pyasc.index_functions import *  # noqa: F403
from pyasc.index_tricks import *  # noqa: F403
from pyasc.io import *  # noqa: F403
from pyasc.logic import *  # noqa: F403
from pyasc.manipulation import *  # noqa: F403
from pyasc.nan_statistics import *  # noqa: F403
from pyasc.ops import *  # noqa: F403
from pyasc.padding import *  # noqa: F403
from pyasc.polynomials import *  # noqa: F403
from pyasc.products import *  # noqa: F403
from pyasc.quantiles import *  # noqa: F403
from pyasc.ranges import *  # noqa: F403
from pyasc.rearrange import *  # noqa: F403
from pyasc.scans import *  # noqa: F403
from pyasc.sets import *  # noqa: F403
from pyasc.sorting import *  # noqa: F403
from pyasc.spread import *  # noqa: F403
from pyasc.statistics import *  # noqa: F403
from pyasc.typing_functions import *  # noqa: F403
from pyasc.windows import *  # noqa: F403

__version__ = "0.1.0"
__array_api_version__ = "2024.12"
bfloat16 = _bfloat16
bool = _numpy.bool_
dtype = _numpy.dtype
emath = lib.scimath
device = Device


class Transfers(NamedTuple):
    """How often arrays were copied to the host, and how often the host waited for a device."""

    implicit: int
    explicit: int
    synchronizations: int


def transfers():
    """Counts since the program started.

    Returns
    -------
    Transfers
        ``implicit``: copies between host and device that nobody asked for by name; ``explicit``: copies to the host
        that somebody did (``x.numpy()``, ``float(x)``); ``synchronizations``.
    """
    return Transfers(*_transfer_counts(), synchronization_count())


def to_numpy(x):
    """The values of an array as a NumPy array (waits for the device).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    numpy.ndarray
        bfloat16 arrives as ``ml_dtypes.bfloat16``.
    """
    return x.numpy() if isinstance(x, ndarray) else _numpy.asarray(x)


def cann_version():
    """Version of the CANN interface in use, such as ``"8.1.RC1"``; the embedded device says the level it implements.

    Returns
    -------
    str
    """
    return _error.cann_version() + (" (embedded)" if _error.is_embedded() else "")


def _choose_routes(profile):
    if profile == "unlimited":
        return None
    from pyasc import _routes  # formulas that only chips need

    return _routes.choose(profile)


def routes(name, *dtypes, soc="Ascend910B"):
    """What a function runs as on a chip: known without the chip, from what CANN says its operators take.

    Parameters
    ----------
    name : str
        A function of pyasc's, such as ``"add"``, ``"sort"``, ``"linalg.solve"``.
    *dtypes : dtype, optional
        Of its arrays, one for all of them.
    soc : {"Ascend910B", "embedded"}, optional
        The chip; a full name such as ``"Ascend910B1"`` will do.

    Returns
    -------
    Route, or dict
        Without dtypes one for each dtype, by its name.

    Raises
    ------
    ValueError
        A function that is not there, or a chip nothing is known about.

    Notes
    -----
    The function is run on a few elements on the device in use; other threads should not call operators meanwhile.
    """
    from pyasc import _route_answers

    return _route_answers.routes(name, *dtypes, soc=soc)


def __getattr__(name):
    return _dispatch.lazy_module(name)


_error.set_opener(lambda: _backend.libraries())
_call.set_route_chooser(_choose_routes)


def _close():
    _error.close_library()


_namespace.complete(globals())

import atexit as _atexit

_atexit.register(_close)

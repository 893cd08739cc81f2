"""What is installed, which library was chosen and why: the first thing to send with a question."""

import os
import sys

import numpy as np

from pyasc._core import device as _device
from pyasc._core import error as _error
from pyasc._core import memory as _memory

__all__ = ["doctor"]

# Variables that change what pyasc or CANN does; docs/guide/environment_variables.md explains them.
_PREFIXES = ("PYASC_", "ASCEND_", "SCIPY_ARRAY_API")
_LIBRARIES = ("libpyasc_cann.so", "libascendcl.so")


def _loaded(names):
    """Return paths of loaded libraries, as the kernel lists them."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            paths = {line.split(maxsplit=5)[-1].strip() for line in maps if "/" in line}
    except OSError:
        return []
    return sorted(p for p in paths if os.path.basename(p) in names)


def _size(count):
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} GiB"


def _facts():
    """Yield (name, value) of what can be said without a device."""
    import platform  # slow to import, and only wanted here

    from pyasc import __version__

    yield "pyasc", __version__
    yield "Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield "NumPy", np.__version__
    names = sorted(name for name in os.environ if name.startswith(_PREFIXES))
    yield "environment", ", ".join(f"{n}={os.environ[n]}" for n in names) or "nothing set"


def _device_facts():
    """Yield (name, value) of the library and its devices; raises what opening it raises."""
    _error.open_library()
    kind = "embedded device (CPU)" if _error.is_embedded() else "CANN"
    yield "library", f"{kind}, CANN interface {_error.cann_version()}"
    for path in _loaded(_LIBRARIES):
        yield "file", path
    for reason in _error.open_failures():
        yield "not used", reason
    yield "chip", f"{_error.soc_name()}, operator support: {_error.soc_profile()}"
    for index in range(_device.get_device_count()):
        free, total = _memory.memory_info(index)
        stats = _memory.memory_stats(index)
        held = f"this process holds {_size(stats['reserved'])}"
        yield f"npu:{index}", f"{_size(free)} of {_size(total)} free; {held}"


def doctor(file=None):
    """Print versions, the library that was chosen and why, the devices, and the variables that are set.

    Opens the device library if that has not happened yet.

    Parameters
    ----------
    file : file object, optional
        Where to print; standard output by default.

    Returns
    -------
    bool
        Whether a device answers.
    """
    file = sys.stdout if file is None else file
    for name, value in _facts():
        print(f"{name:12} {value}", file=file)
    try:
        for name, value in _device_facts():
            print(f"{name:12} {value}", file=file)
    except (ImportError, RuntimeError, ValueError) as problem:
        # opening failed: that is the diagnosis, and the exit status of `python -m pyasc --doctor`
        print(f"{'no device':12} {problem}", file=file)
        return False
    return True

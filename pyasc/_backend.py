"""Chooses the library: the one place that knows there are two.

``PYASC_BACKEND=cann`` or ``embedded`` decides; unset, CANN is used if its libraries open and a device answers, else the
embedded device. `choice` tells afterwards what was chosen and why.
"""

import os
from pathlib import Path

PREFIX = Path(__file__).resolve().parent / "cann"

# From 8.5 the operators lie in several libraries; libopapi.so must not be loaded beside them.
_RUNTIME = ("libascendcl.so", "libnnopbase.so")
_SPLIT = ("libopapi_math.so", "libopapi_nn.so", "libopapi_cv.so", "libopapi_transformer.so")
_WHOLE = ("libopapi.so",)


def _cann_candidates() -> list[list[str]]:
    home = os.environ.get("ASCEND_HOME_PATH") or os.environ.get("ASCEND_TOOLKIT_HOME")
    places = [f"{home}/lib64/"] if home else []
    places.append("")  # wherever the loader looks
    custom = [
        f"{path}/op_api/lib/libcust_opapi.so"
        for path in os.environ.get("ASCEND_CUSTOM_OPP_PATH", "").split(":")
        if path
    ]
    found = []
    for place in places:
        split = [place + name for name in _SPLIT]
        if not place or any(os.path.exists(name) for name in split):
            found.append([*custom, *(place + n for n in _RUNTIME), *split])
        found.append([*custom, *(place + n for n in _RUNTIME + _WHOLE)])
    return found


def libraries() -> list[list[str]]:
    """Lists of library names, the first list that opens and finds a device wins.

    Raises
    ------
    ValueError
        If ``PYASC_BACKEND`` names neither library.
    ImportError
        If the embedded library is needed and was not built.
    """
    backend = os.environ.get("PYASC_BACKEND", "")
    if backend not in ("", "cann", "embedded"):
        raise ValueError(f"PYASC_BACKEND is {backend!r}; it must be 'cann', 'embedded' or unset")
    embedded = PREFIX / "lib64" / "libpyasc_cann.so"
    candidates = [] if backend == "embedded" else _cann_candidates()
    if backend != "cann":
        if not embedded.exists():
            raise ImportError(f"{embedded} does not exist: build it with 'pip install .' or 'make'")
        candidates.append([str(embedded)])
    return candidates

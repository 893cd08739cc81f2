"""What the functions of `pyasc.linalg` share: the type computed in, checks of shapes, results and failures."""

import functools

import numpy as np
from numpy.linalg import LinAlgError

from pyasc import _dispatch
from pyasc._config import lower
from pyasc._core.array import imaginary_view, ndarray
from pyasc._core.call import call
from pyasc._core.memory import supported_dtypes
from pyasc.creation import asarray
from pyasc.manipulation import swapaxes

_FLOATS = {np.dtype(c): np.dtype(c.lower()) for c in "fdFD"}  # -> the type of the real parts
_COMPLEX = {np.dtype(c): np.dtype(c.upper()) for c in "fdFD"}


def implements(name):
    """Decorator: the function is ours for ``numpy.linalg.<name>``."""
    return _dispatch.implements(name, module=np.linalg)


def real_type(dtype):
    """The type of the real parts."""
    return _FLOATS[dtype]


def complex_type(dtype):
    """The complex type of the same precision."""
    return _COMPLEX[dtype]


def linalg_type(*dtypes):
    """The type to compute in: that of the floats and complex numbers; integers count as the default float.

    Raises
    ------
    TypeError
        A 16-bit float, which NumPy refuses as well.
    """
    dtype, wide = _numpys_type(dtypes)
    return dtype if wide else lower(dtype)


@functools.lru_cache(maxsize=1024)
def _numpys_type(dtypes):
    """NumPy's type, and whether one of the arrays asked for double precision."""
    for dtype in dtypes:
        if dtype not in _FLOATS and (dtype.kind not in "bui" or dtype not in supported_dtypes()):
            raise TypeError(f"array type {dtype.name} is unsupported in linalg")
    wide = any(d in (np.float64, np.complex128) for d in dtypes)
    return np.result_type(*(d if d in _FLOATS else np.float64 for d in dtypes)), wide


def matrices(*values, square=False):
    """Arrays of the type to compute in, the first of which has at least two dimensions (equal ones if ``square``).

    Raises
    ------
    LinAlgError
        The shape does not fit.
    """
    arrays = [asarray(v) for v in values]
    (check_square if square else check_stacked)(arrays[0])
    return with_type(*arrays)


def with_type(*arrays):
    """The arrays cast to the type to compute in."""
    dtype = linalg_type(*(a.dtype for a in arrays))
    found = [a if a.dtype == dtype else a.astype(dtype) for a in arrays]
    return found if len(found) > 1 else found[0]


def check_stacked(a):
    """Refuse what has fewer than two dimensions."""
    if a.ndim < 2:
        raise LinAlgError(
            f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
        )


def check_square(a):
    """Refuse what is no batch of square matrices."""
    check_stacked(a)
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")


def check_two_dimensional(*arrays):
    """Refuse all but single matrices."""
    for a in arrays:
        if a.ndim != 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")


def empty(like, shape, dtype=None):
    """An array on the device of another one, of its type by default."""
    return ndarray(shape, like.dtype if dtype is None else dtype, device=like.device)


def counter(like, many=()):
    """Where an operator counts failures."""
    return ndarray(many, np.int32, device=like.device)


def refuse_failures(count, message):
    """Raise LinAlgError unless the 0-d array ``count`` is 0 or false (waits for the device)."""
    if int(count):
        raise LinAlgError(message)


def adjoint(x):
    """Conjugate transpose of the matrices; of real ones a view."""
    x = swapaxes(x, -1, -2)
    return x.conj() if x.dtype.kind == "c" else x


def conjugate_in_place(x):
    """Negate the imaginary parts of a fresh array."""
    if x.dtype.kind == "c" and x.size:
        call("aclnnInplaceNeg", imaginary_view(x))
    return x


def on_host(name, *args, **words):
    """NumPy's function of that name, on the host: the declared path where the device has no operator."""
    return _dispatch.on_host(getattr(np.linalg, name), f"numpy.linalg.{name}", args, words)


def tolerance(value, like):
    """A tolerance a matrix, or one for all, with a dimension more for the singular values of each matrix."""
    if isinstance(value, (int, float)):
        return value
    value = asarray(value, device=like.device)
    return value.reshape((*value.shape, 1))


def epsilon(dtype):
    """Spacing of the floats at 1."""
    return float(np.finfo(dtype).eps)

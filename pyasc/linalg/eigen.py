"""Eigenvalues and eigenvectors. CANN has no operator for them: without one beside CANN's they are the host's."""

from typing import NamedTuple

from numpy.linalg import LinAlgError

from pyasc._core.array import ndarray, real_view
from pyasc._core.call import call, has_operator
from pyasc.linalg._common import (
    complex_type,
    counter,
    empty,
    implements,
    matrices,
    on_host,
    real_type,
    refuse_failures,
)

_DIVERGED = "Eigenvalues did not converge"


class EigResult(NamedTuple):
    """Eigenvalues, and eigenvectors as columns in the same order."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class EighResult(NamedTuple):
    """Ascending eigenvalues, and eigenvectors as columns in the same order."""

    eigenvalues: ndarray
    eigenvectors: ndarray


@implements("eig")
def eig(a):
    """Eigenvalues and right eigenvectors of square matrices (waits for the device).

    Parameters
    ----------
    a : (..., M, M) array_like

    Returns
    -------
    EigResult
        ``eigenvalues`` (..., M) in no order, ``eigenvectors`` (..., M, M) of length 1. Real if the matrices are and all
        their eigenvalues, complex else.

    Raises
    ------
    LinAlgError
        Not square, elements that are not finite, or no convergence.
    """
    return EigResult(*_eig("eig", a, True))


@implements("eigvals")
def eigvals(a):
    """Eigenvalues of square matrices, in no order (see `eig`)."""
    return _eig("eigvals", a, False)[0]


def _eig(name, a, vectors):
    a = matrices(a, square=True)
    if not has_operator("pyascLinalgEig"):
        found = on_host(name, a)
        return found if vectors else (found,)
    if not a.size:
        found = [empty(a, a.shape[:-1])] + [empty(a, a.shape)] * vectors
        return found
    dtype, info = complex_type(a.dtype), counter(a, (3,))
    w, v = empty(a, a.shape[:-1], dtype), empty(a, a.shape if vectors else (0,), dtype)
    call("pyascLinalgEig", a, vectors, w, v, info)
    failed, complex_ones, not_finite = info.numpy()
    if not_finite:
        raise LinAlgError("Array must not contain infs or NaNs")
    if failed:
        raise LinAlgError(_DIVERGED)
    found = (w, v) if vectors else (w,)
    if a.dtype.kind == "c" or complex_ones:
        return found
    return tuple(real_view(x).copy() for x in found)


@implements("eigh")
def eigh(a, UPLO="L"):
    """Eigenvalues and eigenvectors of symmetric or Hermitian matrices (waits for the device).

    Parameters
    ----------
    a : (..., M, M) array_like
    UPLO : {"L", "U"}, optional
        The triangle that is read.

    Returns
    -------
    EighResult
        ``eigenvalues`` (..., M): real, ascending; ``eigenvectors`` (..., M, M): orthonormal.

    Raises
    ------
    LinAlgError
        Not square, or no convergence.
    """
    return EighResult(*_eigh("eigh", a, UPLO, True))


@implements("eigvalsh")
def eigvalsh(a, UPLO="L"):
    """Eigenvalues of symmetric or Hermitian matrices, ascending (see `eigh`)."""
    return _eigh("eigvalsh", a, UPLO, False)[0]


def _eigh(name, a, UPLO, vectors):
    UPLO = UPLO.upper()
    if UPLO not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    a = matrices(a, square=True)
    if not has_operator("pyascLinalgEigh"):
        found = on_host(name, a, UPLO)
        return found if vectors else (found,)
    w = empty(a, a.shape[:-1], real_type(a.dtype))
    v = empty(a, a.shape if vectors else (0,))
    if a.size:
        info = counter(a)
        call("pyascLinalgEigh", a, UPLO == "U", vectors, w, v, info)
        refuse_failures(info, _DIVERGED)
    return w, v

"""Products of matrices and vectors."""

import numpy as np

from pyasc import _promotion
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc.creation import as_arrays, zeros
from pyasc.ops import F

__all__ = ["dot", "inner", "outer", "vdot"]

KEEP_DTYPE = 0  # cubeMathType: true float32 for float32 operands


def product_arrays(a, b):
    """Both operands as arrays of their common dtype, and that dtype."""
    a, b = as_arrays(a, b)
    if a.dtype == b.dtype:
        return a, b, a.dtype
    dtype = _promotion.common_type((a.dtype, b.dtype))
    return (
        a if a.dtype == dtype else a.astype(dtype),
        b if b.dtype == dtype else b.astype(dtype),
        dtype,
    )


def _matmul_shape(a, b):
    if a.ndim == 0 or b.ndim == 0:
        i = 0 if a.ndim == 0 else 1
        raise ValueError(
            f"matmul: Input operand {i} does not have enough dimensions (has 0, gufunc core with signature "
            "(n?,k),(k,m?)->(n?,m?) requires 1)"
        )
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != inner:
        raise ValueError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(n?,k),(k,m?)->(n?,m?) (size {inner} is different from {a.shape[-1]})"
        )
    if a.ndim <= 2 and b.ndim <= 2:
        return a.shape[:-1] + (b.shape[1:] if b.ndim > 1 else ())
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with remapped shapes: {a.shape} and {b.shape} have batch "
            f"dimensions {a.shape[:-2]} and {b.shape[:-2]}"
        ) from None
    return (*batch, *a.shape[-2:-1], *(b.shape[-1:] if b.ndim > 1 else ()))


def matmul_arrays(a, b, out=None):
    """The matrix product of two arrays of one dtype."""
    shape = _matmul_shape(a, b)
    if out is None:
        out = ndarray(shape, a.dtype, device=a.device)
    if out.size == 0:
        return out
    if a.shape[-1] == 0:
        call("aclnnInplaceZero", out)
        return out
    call("aclnnMatmul", a, b, out, KEEP_DTYPE)
    return out


_FEW = 4096  # products in one of a batch up to which a matrix product is mostly the way there


def by_elements(dtype, count, each):
    """Whether a batch of products with vectors is better multiplied element by element, and then summed.

    Parameters
    ----------
    dtype : dtype
        Half floats are not: a matrix product adds them in float32.
    count, each : int
        How many there are, and the number of products in one.
    """
    halves = dtype.kind in "fV" and dtype.itemsize == 2
    return count > 1 and each <= _FEW and not halves


@implements("dot")
def dot(a, b, out=None):
    """Dot product: of vectors, matrices, or the last axis of ``a`` with the last but one of ``b``.

    Parameters
    ----------
    a, b : array_like
        Scalars multiply.
    out : ndarray, optional

    Returns
    -------
    ndarray
    """
    a, b, _ = product_arrays(a, b)
    if a.ndim == 0 or b.ndim == 0:
        found = F.multiply(a, b)
    elif a.ndim <= 2 and b.ndim <= 2:
        _check_dot(a, b)
        found = matmul_arrays(a, b)
    else:
        _check_dot(a, b)
        rows = a.reshape((-1, a.shape[-1]))
        last = b.shape[-2] if b.ndim > 1 else b.shape[0]
        columns = b.swapaxes(-1, -2).reshape((-1, last)) if b.ndim > 1 else b.reshape((1, last))
        found = matmul_arrays(rows, columns.T).reshape(
            a.shape[:-1] + b.shape[:-2] + b.shape[-1:] * (b.ndim > 1)
        )
    if out is None:
        return found
    out[...] = found
    return out


def _check_dot(a, b):
    at = b.ndim - 2 if b.ndim > 1 else 0
    if a.shape[-1] != b.shape[at]:
        raise ValueError(
            f"shapes {str(a.shape).replace(' ', '')} and {str(b.shape).replace(' ', '')} not aligned: "
            f"{a.shape[-1]} (dim {a.ndim - 1}) != {b.shape[at]} (dim {at})"
        )


@implements("outer")
def outer(a, b, out=None):
    """Products of all pairs of elements of two flattened arrays."""
    a, b = as_arrays(a, b)
    rows, columns = a.reshape((-1, 1)), b.reshape((1, -1))
    return F.multiply(rows, columns) if out is None else F.multiply(rows, columns, out=out)


@implements("vdot")
def vdot(a, b, /):
    """Sum of products of two flattened arrays; the first is conjugated."""
    a, b, _ = product_arrays(a, b)
    a, b = a.reshape(-1), b.reshape(-1)
    if a.size != b.size:
        raise ValueError(f"cannot reshape array of size {b.size} into shape ({a.size},)")
    return matmul_arrays(F.conjugate(a) if a.dtype.kind == "c" else a, b)


@implements("inner")
def inner(a, b, /):
    """Sum of products over the last axes."""
    a, b, _ = product_arrays(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return F.multiply(a, b)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(
            f"shapes {str(a.shape).replace(' ', '')} and {str(b.shape).replace(' ', '')} not aligned: "
            f"{a.shape[-1]} (dim {a.ndim - 1}) != {b.shape[-1]} (dim {b.ndim - 1})"
        )
    if a.size == 0 or b.size == 0:
        return zeros(a.shape[:-1] + b.shape[:-1], a.dtype)
    rows, columns = a.reshape((-1, a.shape[-1])), b.reshape((-1, b.shape[-1]))
    return matmul_arrays(rows, columns.T).reshape(a.shape[:-1] + b.shape[:-1])

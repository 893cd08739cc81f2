"""Products, powers, diagonals and traces under the names of ``numpy.linalg``."""

import operator

import numpy as np

from pyasc import diagonals, gufuncs, manipulation, products
from pyasc._core.call import call
from pyasc._views import permute
from pyasc.creation import asarray, eye
from pyasc.linalg._common import check_square, check_two_dimensional, empty, implements
from pyasc.linalg.solving import inv
from pyasc.ops import F
from pyasc.statistics import sum as sum_of


@implements("matmul")
def matmul(x1, x2, /):
    """Matrix product of the last two dimensions; the others are broadcast (see `pyasc.matmul`)."""
    return gufuncs.matmul(x1, x2)


@implements("vecdot")
def vecdot(x1, x2, /, *, axis=-1):
    """Sums of products of vectors, the first conjugated (see `pyasc.vecdot`)."""
    return gufuncs.vecdot(x1, x2, axis=axis)


@implements("matrix_transpose")
def matrix_transpose(x, /):
    """View with the last two dimensions exchanged."""
    return manipulation.matrix_transpose(x)


@implements("outer")
def outer(x1, x2, /):
    """Products of all pairs of elements of two vectors: (M,) and (N,) give (M, N)."""
    x1, x2 = asarray(x1), asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            f"Input arrays must be one-dimensional, but they are {x1.ndim=} and {x2.ndim=}."
        )
    return products.outer(x1, x2)


@implements("diagonal")
def diagonal(x, /, *, offset=0):
    """Read-only view of a diagonal of the last two dimensions (..., M, N); positive offsets lie above the main one."""
    return diagonals.diagonal(x, offset, -2, -1)


@implements("trace")
def trace(x, /, *, offset=0, dtype=None):
    """Sum of a diagonal of the last two dimensions.

    Parameters
    ----------
    x : (..., M, N) array_like
    offset : int, optional
        Positive above the main diagonal.
    dtype : dtype, optional
        Type to add in; as `pyasc.sum` by default.

    Returns
    -------
    ndarray
    """
    return sum_of(diagonals.diagonal_view(asarray(x), operator.index(offset), -2, -1), -1, dtype)


@implements("cross")
def cross(x1, x2, /, *, axis=-1):
    """Cross products of vectors of three elements.

    Parameters
    ----------
    x1, x2 : array_like
        3 elements along ``axis``; the other dimensions are broadcast.
    axis : int, optional

    Returns
    -------
    ndarray
    """
    x1, x2 = asarray(x1), asarray(x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        )
    x1, x2, _ = products.product_arrays(x1, x2)
    x1, x2 = (manipulation.moveaxis(x, axis, -1) for x in (x1, x2))
    if x1.dtype == bool:
        F.subtract(x1, x2)  # refuses
    out = empty(x1, np.broadcast_shapes(x1.shape, x2.shape))
    if out.size:
        call("aclnnLinalgCross", x1, x2, out.ndim - 1, out)
    return manipulation.moveaxis(out, -1, axis)


@implements("tensordot")
def tensordot(x1, x2, /, *, axes=2):
    """Sums of products over several dimensions.

    Parameters
    ----------
    x1, x2 : array_like
    axes : int, or pair of (int or sequence of int), optional
        How many last dimensions of ``x1`` go with the first of ``x2``, or which of each.

    Returns
    -------
    ndarray
        The dimensions that are left, those of ``x1`` first.
    """
    x1, x2 = asarray(x1), asarray(x2)
    try:
        axes1, axes2 = axes
    except TypeError:
        axes1, axes2 = range(-axes, 0), range(axes)
    axes1, axes2 = (
        [operator.index(a)] if hasattr(a, "__index__") else list(a) for a in (axes1, axes2)
    )
    pairs = zip(axes1, axes2, strict=False)
    if len(axes1) != len(axes2) or any(x1.shape[a] != x2.shape[b] for a, b in pairs):
        raise ValueError(
            f"shape-mismatch for sum: shapes {x1.shape} and {x2.shape} along {axes1} and {axes2}"
        )
    axes1, axes2 = ([a % x.ndim for a in axes] for x, axes in ((x1, axes1), (x2, axes2)))
    if len(set(axes1)) != len(axes1) or len(set(axes2)) != len(axes2):
        raise ValueError("duplicate axes are not allowed in tensordot")
    rest1 = [d for d in range(x1.ndim) if d not in axes1]
    rest2 = [d for d in range(x2.ndim) if d not in axes2]
    shape = tuple(x1.shape[d] for d in rest1) + tuple(x2.shape[d] for d in rest2)
    count = int(np.prod([x1.shape[d] for d in axes1], dtype=np.int64))
    rows = int(np.prod([x1.shape[d] for d in rest1], dtype=np.int64))
    columns = int(np.prod([x2.shape[d] for d in rest2], dtype=np.int64))
    left = permute(x1, [*rest1, *axes1]).reshape((rows, count))
    right = permute(x2, [*axes2, *rest2]).reshape((count, columns))
    return products.dot(left, right).reshape(shape)


@implements("matrix_power")
def matrix_power(a, n):
    """Powers of square matrices, by repeated squaring; of the inverse for a negative ``n``.

    Parameters
    ----------
    a : (..., M, M) array_like
    n : int

    Returns
    -------
    ndarray
    """
    a = asarray(a)
    check_square(a)
    try:
        n = operator.index(n)
    except TypeError as error:
        raise TypeError("exponent must be an integer") from error
    if n == 0:
        out = empty(a, a.shape)
        out[...] = eye(a.shape[-1], dtype=a.dtype, device=a.device)
        return out
    if n < 0:
        a, n = inv(a), -n
    result, square = None, a
    while True:
        n, odd = divmod(n, 2)
        if odd:
            result = square if result is None else gufuncs.matmul(result, square)
        if n == 0:
            return result
        square = gufuncs.matmul(square, square)


# ---- chains of products


@implements("multi_dot")
def multi_dot(arrays, *, out=None):
    """Product of several matrices, in the order of the fewest multiplications.

    Parameters
    ----------
    arrays : sequence of array_like
        Matrices; the first and the last may be vectors, a row and a column.
    out : ndarray, optional

    Returns
    -------
    ndarray
    """
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return products.dot(arrays[0], arrays[1], out=out)
    arrays = [asarray(a) for a in arrays]
    row, column = arrays[0].ndim == 1, arrays[-1].ndim == 1
    if row:
        arrays[0] = arrays[0].reshape((1, -1))
    if column:
        arrays[-1] = arrays[-1].reshape((-1, 1))
    check_two_dimensional(*arrays)
    split = _best_splits([*(a.shape[0] for a in arrays), arrays[-1].shape[1]])
    found = _multiply(arrays, split, 0, len(arrays) - 1)
    shape = () if row and column else (-1,) if row or column else found.shape
    found = found.reshape(shape)
    if out is None:
        return found
    if out.shape != found.shape or out.dtype != found.dtype:
        raise ValueError(
            f"output array has shape {out.shape} and dtype {out.dtype}; the product has {found.shape}, {found.dtype}"
        )
    out[...] = found
    return out


def _best_splits(sizes):
    """Where to cut the product of matrices i to j: dynamic programming over the lengths of chains."""
    count = len(sizes) - 1
    cost = {(i, i): 0 for i in range(count)}
    split = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                for k in range(i, j)
            )
    return split


def _multiply(arrays, split, i, j):
    if i == j:
        return arrays[i]
    k = split[i, j]
    return products.dot(_multiply(arrays, split, i, k), _multiply(arrays, split, k + 1, j))

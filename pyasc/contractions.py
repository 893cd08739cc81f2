"""Sums of products over named dimensions: `einsum` and what can be said with it.

Two operands meet in one matrix product, of views where the order in memory allows it; three and more meet in pairs.
"""

import functools
import math
import operator
import warnings

import numpy as np

from pyasc import _einsum, _promotion, _views
from pyasc._core.array import element_steps, ndarray, strided_view
from pyasc._core.call import call
from pyasc._dispatch import implements
from pyasc._ufunc import _can_cast
from pyasc._views import insert_axes, normalize_axis, permute
from pyasc.creation import as_arrays, zeros
from pyasc.gufuncs import deliver
from pyasc.manipulation import common_arrays, moveaxis, stack
from pyasc.ops import F
from pyasc.products import KEEP_DTYPE, by_elements, matmul_arrays
from pyasc.statistics import all as all_true
from pyasc.statistics import any as any_true
from pyasc.statistics import sum as sum_of

__all__ = ["convolve", "correlate", "cross", "einsum", "einsum_path", "kron", "tensordot"]


# ---- one operand


def _diagonals(x, labels):
    """View in which every label stands for one dimension: one that is named twice runs along the diagonal."""
    if len(set(labels)) == len(labels):
        return x, labels
    steps, lengths = {}, {}
    for label, n, step in zip(labels, x.shape, element_steps(x), strict=True):
        steps[label] = steps.get(label, 0) + step
        lengths[label] = n
    return strided_view(x, list(lengths.values()), list(steps.values())), list(lengths)


def _sum_out(x, labels, keep):
    """The sum over the dimensions whose labels nobody keeps, in the type of the elements."""
    axes = tuple(d for d, label in enumerate(labels) if label not in keep)
    if not axes:
        return x, labels
    found = any_true(x, axes) if x.dtype == bool else sum_of(x, axes, x.dtype)
    return found, [label for label in labels if label in keep]


# ---- two operands


def _grouped(x, labels, batch, *groups):
    """The dimensions of ``batch``, then one dimension for each group of labels."""
    lengths = dict(zip(labels, x.shape, strict=True))
    order = [*batch, *(label for group in groups for label in group)]
    x = permute(x, [labels.index(label) for label in order])
    shape = [lengths[b] for b in batch] + [math.prod(lengths[g] for g in group) for group in groups]
    return x if x.shape == tuple(shape) else x.reshape(tuple(shape))


def _aligned(x, labels, order):
    """View with the dimensions in an order of labels, those it lacks with length 1."""
    x = permute(x, [labels.index(label) for label in order if label in labels])
    return insert_axes(x, [d for d, label in enumerate(order) if label not in labels])


def contract(a, a_labels, b, b_labels, keep):
    """Products of two arrays of one dtype, summed over all labels that are not in ``keep``.

    Parameters
    ----------
    a, b : ndarray
    a_labels, b_labels : list
        One different label for each dimension; equal labels have equal lengths.
    keep : container
        The labels of the result.

    Returns
    -------
    found : ndarray
    labels : list
        Of its dimensions.
    """
    a, a_labels = _sum_out(a, a_labels, {*keep, *b_labels})
    b, b_labels = _sum_out(b, b_labels, {*keep, *a_labels})
    shared = [label for label in a_labels if label in b_labels]
    batch = [label for label in shared if label in keep]
    left = [label for label in a_labels if label not in shared]
    right = [label for label in b_labels if label not in shared]
    if len(batch) == len(shared):  # nothing to sum over
        order = [*a_labels, *right]
        return F.multiply(_aligned(a, a_labels, order), _aligned(b, b_labels, order)), order
    lengths = dict(zip((*a_labels, *b_labels), (*a.shape, *b.shape), strict=True))
    if batch and not (left and right):
        count = math.prod(lengths[label] for label in batch)
        if by_elements(a.dtype, count, max(a.size, b.size) // max(count, 1)):
            order = [*batch, *left, *right, *(label for label in shared if label not in batch)]
            products = F.multiply(_aligned(a, a_labels, order), _aligned(b, b_labels, order))
            return _sum_out(products, order, keep)
    # summed in the order of the larger operand, which is then less likely to be copied
    first = a_labels if a.size >= b.size else b_labels
    summed = [label for label in first if label in shared and label not in keep]
    # without a batch a missing side is a vector, not a matrix of one row
    rows = [left] if left or batch else []
    columns = [right] if right or batch else []
    found = matmul_arrays(
        _grouped(a, a_labels, batch, *rows, summed), _grouped(b, b_labels, batch, summed, *columns)
    )
    order = [*batch, *left, *right]
    return found.reshape(tuple(lengths[label] for label in order)), order


# ---- any number of operands


def _stand_ins(operands):
    """NumPy arrays of the shapes and types, without elements of their own."""
    return [
        np.broadcast_to(np.empty((), x.dtype), x.shape) if isinstance(x, ndarray) else x
        for x in operands
    ]


def _path(equation, arrays, optimize):
    """The order in which operands meet: tuples of places in the list of those that are left."""
    named = isinstance(optimize, (bool, str)) or optimize is None
    if named and len(arrays) < 3:
        return [tuple(range(len(arrays)))]
    if not named:
        return np.einsum_path(equation, *_stand_ins(arrays), optimize=optimize)[0][1:]
    # without a word from the caller, too: all operands at once would be an array over all labels
    word = "greedy" if isinstance(optimize, bool) or optimize is None else optimize
    return _named_path(equation, tuple(x.shape for x in arrays), word)


@functools.lru_cache(maxsize=256)
def _named_path(equation, shapes, word):
    arrays = [np.broadcast_to(np.empty(()), shape) for shape in shapes]
    return np.einsum_path(equation, *arrays, optimize=word)[0][1:]


def _meet(terms, output, path):
    """Contract the terms, (array, labels) each, along a path."""
    terms = list(terms)
    for places in path:
        taken = [terms.pop(p) for p in sorted(places, reverse=True)][::-1]
        others = {label for _, labels in terms for label in labels}.union(output)
        found = taken.pop(0)
        while taken:
            x, labels = taken.pop(0)
            keep = others.union(*(rest for _, rest in taken))
            found = contract(*found, x, labels, keep)
        terms.append(_sum_out(*found, others))
    if len(terms) != 1:
        raise RuntimeError(
            f"Invalid einsum_path is specified: {len(terms) - 1} more operands has to be contracted."
        )
    found, labels = terms[0]
    return permute(found, [labels.index(label) for label in output])


@implements("einsum")
def einsum(*operands, out=None, optimize=False, dtype=None, order="K", casting="safe"):
    """Sums of products over named dimensions.

    Parameters
    ----------
    *operands : str and array_like, or array_like and lists of int
        ``einsum("ij,jk->ik", a, b)`` or ``einsum(a, [0, 1], b, [1, 2], [0, 2])``: a letter for each dimension, ``...``
        for any number of them. Without ``->`` the result has the letters that occur once, in alphabetical order.
    out : ndarray, optional
    optimize : bool, "greedy", "optimal" or path, optional
        The order in which three or more operands meet, two at a time. ``False`` and ``True`` are both ``"greedy"``;
        a path is what `einsum_path` returns.
    dtype : dtype, optional
        Type to compute in; the common one by default.
    order : {"K", "A", "C", "F"}, optional
        Order of the result in memory.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Which casts are allowed.

    Returns
    -------
    ndarray
        A view if a single operand is only rearranged.

    Raises
    ------
    ValueError
        An equation that cannot be read, or that does not fit the shapes.
    TypeError
        A cast that ``casting`` forbids.
    """
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if casting not in _CASTINGS:
        raise ValueError(
            f"casting must be one of {', '.join(map(repr, _CASTINGS))} (got {casting!r})"
        )
    equation, operands = _einsum.equation(operands)
    arrays = as_arrays(*operands)
    inputs, output = _einsum.labels(equation, tuple(x.shape for x in arrays))
    arrays = _cast_operands(arrays, dtype, casting)
    terms = [_diagonals(x, labels) for x, labels in zip(arrays, inputs, strict=True)]
    terms = _einsum.drop_stretched(terms)
    found = _meet(terms, output, _path(equation, arrays, optimize))
    if out is not None:
        return _into(out, found, casting)
    return found.copy(order=order) if order in "CF" and found.ndim > 1 else found


_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def _cast_operands(arrays, dtype, casting):
    result = _promotion.common_type([x.dtype for x in arrays]) if dtype is None else np.dtype(dtype)
    # the default-float rule casts integers to float32, which is nobody's "safe" and need not be
    if dtype is not None or casting in ("no", "equiv"):
        for i, x in enumerate(arrays):
            if not _can_cast(x.dtype, result, casting):
                raise TypeError(
                    f"Iterator operand {i} dtype could not be cast from {x.dtype!r} to {result!r} according to the "
                    f"rule '{casting}'"
                )
    return [x.astype(result, copy=False) for x in arrays]


def _into(out, found, casting):
    if not isinstance(out, (ndarray, np.ndarray)):
        raise TypeError("return arrays must be of ArrayType")
    if out.ndim != found.ndim:
        raise ValueError(
            f"out parameter does not have the correct number of dimensions, has {out.ndim} but should have {found.ndim}"
        )
    if out.shape != found.shape:
        raise ValueError(f"out has shape {out.shape}, but the result has {found.shape}")
    return deliver("einsum", found, out, casting, "K")


@implements("einsum_path")
def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """A cheap order in which the operands of `einsum` can meet, and a description of it. Looks at shapes only.

    Parameters
    ----------
    *operands
        As for `einsum`.
    optimize : bool, "greedy", "optimal", or a tuple of one of these and a limit of elements, optional

    Returns
    -------
    path : list
        For the ``optimize`` of `einsum`.
    description : str
    """
    return np.einsum_path(*_stand_ins(operands), optimize=optimize, einsum_call=einsum_call)


@implements("tensordot")
def tensordot(a, b, axes=2):
    """Sum of products over pairs of dimensions.

    Parameters
    ----------
    a, b : array_like
    axes : int or pair of sequences of int, optional
        The dimensions of ``a`` and those of ``b``; a number is that many of the last of ``a`` and the first of ``b``.

    Returns
    -------
    ndarray
        The other dimensions of ``a``, then those of ``b``.

    Raises
    ------
    ValueError
        If lengths differ.
    """
    (a, b), _ = common_arrays([a, b])
    try:
        first, second = axes
    except TypeError:
        count = operator.index(axes)
        first, second = range(-count, 0), range(count)
    first, second = (
        [operator.index(x) for x in (some if np.iterable(some) else [some])]
        for some in (first, second)
    )
    fits = len(first) == len(second)
    fits = fits and all(a.shape[x] == b.shape[y] for x, y in zip(first, second, strict=True))
    if not fits:
        raise ValueError("shape-mismatch for sum")
    first, second = [x % a.ndim for x in first], [y % b.ndim for y in second]
    if len(set(first)) != len(first) or len(set(second)) != len(second):
        raise ValueError("duplicate axes are not allowed in tensordot")
    a_labels, b_labels = list(range(a.ndim)), list(range(a.ndim, a.ndim + b.ndim))
    for x, y in zip(first, second, strict=True):
        b_labels[y] = x
    keep = {*a_labels, *b_labels} - set(first)
    return contract(a, a_labels, b, b_labels, keep)[0]


@implements("kron")
def kron(a, b):
    """Kronecker product: ``b`` scaled by each element of ``a``, as blocks.

    Parameters
    ----------
    a, b : array_like
        The one with fewer dimensions gets new ones in front.

    Returns
    -------
    ndarray
        Each dimension as long as the two together.
    """
    (a, b), dtype = common_arrays([a, b])
    ndim = max(a.ndim, b.ndim)
    a, b = (insert_axes(x, range(ndim - x.ndim)) for x in (a, b))
    rows = insert_axes(a, range(1, 2 * ndim, 2))
    columns = insert_axes(b, range(0, 2 * ndim, 2))
    out = ndarray(
        [n for pair in zip(a.shape, b.shape, strict=True) for n in pair], dtype, device=a.device
    )
    F.multiply(rows, columns, out=out)
    return out.reshape(tuple(n * m for n, m in zip(a.shape, b.shape, strict=True)))


# ---- cross product


@implements("cross")
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Cross product of vectors.

    Parameters
    ----------
    a, b : array_like
        Vectors of length 3 (or 2, deprecated by NumPy: the third component is 0).
    axisa, axisb, axisc : int, optional
        Where the vectors are in ``a``, ``b`` and the result.
    axis : int, optional
        All three.

    Returns
    -------
    ndarray
        Without the vector's dimension if both have length 2.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    (a, b), dtype = common_arrays([a, b])
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    a = moveaxis(a, normalize_axis(axisa, a.ndim, "axisa"), -1)
    b = moveaxis(b, normalize_axis(axisb, b.ndim, "axisb"), -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    if dtype == bool:
        raise TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
            "logical_xor function instead."
        )
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    if a.shape[-1] == 2 or b.shape[-1] == 2:
        warnings.warn(
            "Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead. "
            "(deprecated in NumPy 2.0)",
            DeprecationWarning,
            stacklevel=2,
        )
        found = _flat_cross(a, b)
        if found.ndim == len(shape):
            return found
    else:
        a, b = (_views.broadcast_to(x, (*shape, 3)) for x in (a, b))
        found = ndarray((*shape, 3), dtype, device=a.device)
        if found.size:
            call("aclnnLinalgCross", a, b, -1, found)
    return moveaxis(found, -1, normalize_axis(axisc, found.ndim, "axisc"))


def _flat_cross(a, b):
    """With a vector of the plane on at least one side."""
    last = F.subtract(F.multiply(a[..., 0], b[..., 1]), F.multiply(a[..., 1], b[..., 0]))
    if a.shape[-1] == b.shape[-1]:
        return last
    if b.shape[-1] == 3:
        x = F.multiply(a[..., 1], b[..., 2])
        y = F.negative(F.multiply(a[..., 0], b[..., 2]))
    else:
        x = F.negative(F.multiply(a[..., 2], b[..., 1]))
        y = F.multiply(a[..., 2], b[..., 0])
    return stack([x, y, last], -1)


# ---- convolution


_MODES = ("valid", "same", "full")


def _mode(mode):
    if isinstance(mode, str):
        if mode not in _MODES:
            raise ValueError("Use one of 'valid', 'same', or 'full' for convolve/correlate mode")
        return mode
    try:
        mode = operator.index(mode)
    except TypeError:
        raise TypeError("convolve/correlate mode not understood") from None
    if not 0 <= mode <= 2:
        raise ValueError("integer convolve/correlate mode must be 0, 1, or 2")
    return _MODES[mode]


def _vector(x):
    if x.ndim > 1:
        raise ValueError("object too deep for desired array")
    return x


@implements("convolve")
def convolve(a, v, mode="full"):
    """Discrete convolution of two vectors.

    Parameters
    ----------
    a, v : array_like
        One dimension each; which is which does not matter.
    mode : {"full", "same", "valid"}, optional
        All overlaps; as many as the longer vector has elements, in the middle; complete overlaps only.

    Returns
    -------
    ndarray

    Notes
    -----
    Floats and complex numbers are one aclnnConvolution, integers one product of matrices. If the shorter vector has
    more than 512 elements the device is asked whether they are finite (waits for it), except with "valid".
    """
    a, v = as_arrays(a, v)
    a, v = (_vector(x.reshape(1) if x.ndim == 0 else x) for x in (a, v))
    for name, x in (("a", a), ("v", v)):
        if x.size == 0:
            raise ValueError(f"{name} cannot be empty")
    (a, v), _ = common_arrays([a, v])
    if v.size > a.size:
        a, v = v, a
    return _correlate(a, v[::-1], _mode(mode))


@implements("correlate")
def correlate(a, v, mode="valid"):
    """Cross-correlation of two vectors: sums of ``a[n + k] * conj(v[n])``.

    Parameters
    ----------
    a, v : array_like
        One dimension each.
    mode : {"valid", "same", "full"}, optional
        As in `convolve`.

    Returns
    -------
    ndarray
    """
    (a, v), _ = common_arrays([a, v])
    mode = _mode(mode)
    for name, x in (("first", a), ("second", v)):
        if _vector(x).ndim == 0:
            raise ValueError("object of too small depth for desired array")
        if x.size == 0:
            raise ValueError(f"{name} array argument cannot be empty")
    v = F.conjugate(v) if v.dtype.kind == "c" else v
    return _correlate(v, a, mode)[::-1] if a.size < v.size else _correlate(a, v, mode)


def _correlate(x, kernel, mode):
    """Sums of ``x[n + k] * kernel[n]``; the kernel is not longer than x."""
    n, m = x.size, kernel.size
    pad = {"valid": 0, "same": m // 2, "full": m - 1}[mode]
    length = n if mode == "same" else n + 2 * pad - m + 1
    if x.dtype.kind in "bui":
        return _correlate_blocks(x, kernel, pad, length)
    find = _correlate_complex if x.dtype.kind == "c" else _correlate_real
    found = find(x, kernel, pad)
    if pad and (m <= _LONG or not bool(all_true(F.isfinite(kernel)))):
        _mend_ends(found, x, kernel, pad)
    return found[:length]


def _correlate_real(x, kernel, pad):
    n, m = x.size, kernel.size
    out = ndarray((1, 1, n + 2 * pad - m + 1), x.dtype, device=x.device)
    _launch_convolution(x.reshape((1, 1, n)), kernel.reshape((1, 1, m)), pad, out)
    return out.reshape(-1)


_LONG = 512  # from this length of a kernel on it is cheaper to ask whether the ends need mending (waits)
_ROOM = 1 << 24  # elements of temporary arrays


def _mend_ends(out, x, kernel, pad):
    """The results where the kernel hangs over an end, without the products of the padding: 0 * inf is not 0."""
    n, m = x.size, kernel.size
    exact = np.dtype(np.float32) if x.itemsize < 4 else x.dtype
    width = pad + m - 1
    ends = zeros((2, width), exact, device=x.device)
    ends[0, pad:], ends[1, : m - 1] = x[: m - 1], x[n - m + 1 :]
    real = zeros((2, width), bool, device=x.device)
    real[0, pad:], real[1, : m - 1] = True, True
    kernel, nothing = kernel.astype(exact, copy=False), zeros((), exact, device=x.device)
    step = max(1, _ROOM // (2 * m))
    for start in range(0, pad, step):
        rows = min(step, pad - start)
        windows, mask = (strided_view(v, (2, rows, m), (width, 1, 1), start) for v in (ends, real))
        sums = sum_of(F.where(mask, F.multiply(windows, kernel), nothing), -1, exact)
        out[start : start + rows] = sums[0]
        after = out.size - pad + start
        out[after : after + rows] = sums[1]


def _launch_convolution(x, weight, pad, out):
    call("aclnnConvolution", x, weight, None, (1,), (pad,), (1,), False, (0,), 1, out, KEEP_DTYPE)


def _correlate_complex(x, kernel, pad):
    """The parts of complex numbers as two channels."""
    n, m = x.size, kernel.size
    real, imaginary = kernel.real, kernel.imag
    weight = stack([stack([real, F.negative(imaginary)]), stack([imaginary, real])])
    out = ndarray((n + 2 * pad - m + 1,), x.dtype, device=x.device)
    channels = [
        strided_view(z.contiguous(), (1, 2, z.size), (2 * z.size, 1, 2), 0, real.dtype)
        for z in (x, out)
    ]
    _launch_convolution(channels[0], weight, pad, channels[1])
    return out


def _correlate_blocks(x, kernel, pad, length):
    """Where adding zeros is exact: overlapping blocks of the vector times a matrix with the kernel on its diagonals."""
    m = kernel.size
    block = min(max(m, 64), 1024)  # as wide as the kernel: half of the products are with zeros
    rows = -(-length // block)
    padded = _between_zeros(x, pad, rows * block + m - 1 - pad)
    blocks = strided_view(padded, (rows, block + m - 1), (block, 1))
    diagonals = _between_zeros(kernel, block - 1, m + block - 1)
    # column j of the matrix is the kernel from row j on; from the right to the left each starts a row earlier
    matrix = strided_view(diagonals, (block + m - 1, block), (1, 1))[:, ::-1]
    return matmul_arrays(blocks, matrix).reshape(-1)[:length]


def _between_zeros(x, before, rest):
    """``before`` zeros and then ``rest`` elements that begin with x (as many as fit) and end with zeros."""
    out = zeros((before + rest,), x.dtype, device=x.device)
    part = min(rest, x.size)
    out[before : before + part] = x[:part]
    return out

"""The functions NumPy counts among its ufuncs that work on whole vectors and matrices: `matmul` and its kin."""

import operator

import numpy as np
from numpy.exceptions import AxisError

from pyasc import _promotion
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc._ufunc import UFuncTypeError
from pyasc._views import broadcast_to, normalize_axis, permute
from pyasc.ops import F, bind_matmul
from pyasc.products import by_elements, matmul_arrays, product_arrays
from pyasc.statistics import any as any_true
from pyasc.statistics import sum as sum_of

__all__ = ["isnat", "matmul", "matvec", "vecdot", "vecmat"]


def _refuse(error, text):
    def method(*args, **kwargs):
        raise error(text)

    return method


def gufunc(signature):
    """Decorator: the function says about itself what NumPy's ufunc of that name does."""

    def decorate(function):
        name = function.__name__
        reference = getattr(np, name, np.matmul)  # NumPy before 2.2 has no matvec and vecmat
        refuse = _refuse(RuntimeError, "Reduction not defined on ufunc with signature")
        function.nin, function.nout, function.nargs = 2, 1, 3
        function.signature, function.identity = signature, None
        function.types = [t for t in reference.types if not set(t) & set("gGOmM")]
        function.ntypes = len(function.types)
        function.resolve_dtypes = reference.resolve_dtypes
        function.reduce = function.accumulate = function.reduceat = refuse
        function.outer = _refuse(
            TypeError, "method outer is not allowed in ufunc with non-trivial signature"
        )
        function.at = _refuse(
            TypeError,
            f"{name}.at does not support ufunc with non-trivial signature: {name} has signature {signature}.",
        )
        return function

    return decorate


class _Places:
    """Where the core dimensions of the operands and of the result are."""

    def __init__(self, name, signature, cores, operands, axes, axis, keepdims):
        self.name, self.signature = name, signature
        for i, (x, core) in enumerate(zip(operands, cores, strict=False)):
            if x.ndim < core:
                raise ValueError(
                    f"{name}: Input operand {i} does not have enough dimensions (has {x.ndim}, gufunc core with "
                    f"signature {signature} requires {core})"
                )
        self.cores = [*cores[:2], cores[2] + bool(keepdims)]
        self.keepdims = bool(keepdims)
        self._check_words(axes, axis)
        if axis is not None:
            axes = [axis] * (2 + self.cores[2])
        self.items = None if axes is None else self._items(axes)
        self.operands = [self._to_end(i, x) for i, x in enumerate(operands)]

    def _check_words(self, axes, axis):
        simple = self.signature == "(n),(n)->()"
        if axis is not None and axes is not None:
            raise TypeError("cannot specify both 'axis' and 'axes'")
        if axis is not None and not simple:
            raise TypeError(
                f"{self.name}: axis can only be used with a single shared core dimension, not with those of signature "
                f"{self.signature}."
            )
        if self.keepdims and not simple:
            raise TypeError(
                f"{self.name} does not support keepdims: it can only be used when all inputs have the same number of "
                f"core dimensions and all outputs have none, and the signature is {self.signature}."
            )

    def _items(self, axes):
        if not isinstance(axes, list):
            raise TypeError("axes should be a list.")
        if len(axes) == 2 and self.signature.endswith("->()"):
            axes = [*axes, -1 if self.keepdims else ()]
        if len(axes) != 3:
            raise ValueError(
                "axes should be a list with an entry for all 3 inputs and outputs; entries for outputs can only be "
                "omitted if none of them has core axes."
            )
        items = []
        for i, (item, core) in enumerate(zip(axes, self.cores, strict=True)):
            if not isinstance(item, tuple):
                item = (operator.index(item),)
                if core != 1:
                    raise AxisError(
                        f"{self.name}: operand {i} has {core} core dimensions, but the axes item is a single integer."
                    )
            elif len(item) != core:
                raise AxisError(
                    f"{self.name}: operand {i} has {core} core dimensions, but {len(item)} dimensions are specified "
                    "by axes tuple."
                )
            items.append(item)
        return items

    def _axes_of(self, i, ndim):
        found = [normalize_axis(a, ndim) for a in self.items[i]]
        if len(set(found)) != len(found):
            raise ValueError(f"axes item {i} has value {found[-1]} repeated")
        return found

    def _to_end(self, i, x):
        if self.items is None:
            return x
        core = self._axes_of(i, x.ndim)
        return permute(x, [*(d for d in range(x.ndim) if d not in core), *core])

    def of_result(self, found):
        """The result with its core dimensions, which are the last, where they were asked for."""
        if self.keepdims:
            found = found.reshape((*found.shape, 1))
        if self.items is None or not self.cores[2]:
            return found
        core = self._axes_of(2, found.ndim)
        outer = iter(range(found.ndim - len(core)))
        inner = {place: found.ndim - len(core) + i for i, place in enumerate(core)}
        return permute(found, [inner[d] if d in inner else next(outer) for d in range(found.ndim)])


def _call(name, signature, function, x1, x2, out, casting, order, dtype, sig, axes=None, axis=None, keepdims=False,
          cores=None):  # fmt: skip
    """A call with everything NumPy allows; ``function`` multiplies operands whose core dimensions are the last."""
    a, b, found_dtype = product_arrays(x1, x2)
    if dtype is None and sig is not None:
        dtype = sig.split("->")[-1] if isinstance(sig, str) else sig[-1]
    if dtype is not None:
        found_dtype = np.dtype(dtype)
        for i, x in enumerate((x1, x2)):
            have = getattr(x, "dtype", found_dtype)
            if not _can_cast(have, found_dtype, casting):
                raise UFuncTypeError(
                    f"Cannot cast ufunc '{name}' input {i} from {have!r} to {found_dtype!r} "
                    f"with casting rule '{casting}'"
                )
        a, b = a.astype(found_dtype, copy=False), b.astype(found_dtype, copy=False)
    places = _Places(name, signature, cores or _matmul_cores(a, b), (a, b), axes, axis, keepdims)
    found = places.of_result(function(*places.operands))
    return deliver(name, found, out, casting, order)


def _can_cast(have, want, casting):
    if _promotion.BFLOAT16 in (have, want):
        return casting != "no" or have == want
    return np.can_cast(have, want, casting)


def deliver(name, found, out, casting, order):
    """A finished product where it was asked for: in ``out``, of any array type, or in an order."""
    out = out[0] if isinstance(out, tuple) else out
    if out is None:
        return found.copy(order=order) if order in ("F", "C") and found.ndim > 1 else found
    if not isinstance(out, (ndarray, np.ndarray)):
        raise TypeError("return arrays must be of ArrayType")
    if not _can_cast(found.dtype, out.dtype, casting):
        raise UFuncTypeError(
            f"Cannot cast ufunc '{name}' output from {found.dtype!r} to {out.dtype!r} with casting rule '{casting}'"
        )
    if np.broadcast_shapes(found.shape, out.shape) != out.shape:
        raise ValueError(f"{name}: the output has shape {out.shape}, the product has {found.shape}")
    if isinstance(out, np.ndarray):
        from pyasc._ufunc import _place

        return _place(broadcast_to(found, out.shape), out, True, "K")
    out[...] = found
    return out


def _matmul_cores(a, b):
    if a.ndim == 0 or b.ndim == 0:
        return 1, 1, 0  # refused with NumPy's words
    first, second = min(a.ndim, 2), min(b.ndim, 2)
    return first, second, first + second - 2


@implements("matmul")
@gufunc("(n?,k),(k,m?)->(n?,m?)")
def matmul(x1, x2, /, out=None, *, axes=None, axis=None, keepdims=False, casting="same_kind", order="K", dtype=None,
           subok=True, signature=None):  # fmt: skip
    """Matrix product; the last two dimensions are matrices, the others are broadcast.

    Parameters
    ----------
    x1, x2 : array_like
        A 1-d operand is a row (first) or a column (second), and its dimension leaves the result.
    out : ndarray, optional
    dtype : dtype, optional
        Type to multiply in; the common one by default.
    axes : list of tuple of int, optional
        Which dimensions are the matrices, of each operand and of the result.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        Shapes that do not fit, or a scalar operand.
    """
    if out is None and dtype is None and axes is None and signature is None and axis is None and order == "K" and (
        not keepdims
    ):  # fmt: skip
        a, b, _ = product_arrays(x1, x2)
        return matmul_arrays(a, b)
    return _call("matmul", "(n?,k),(k,m?)->(n?,m?)", matmul_arrays, x1, x2, out, casting, order, dtype, signature, axes,
                 axis, keepdims)  # fmt: skip


def _check_length(name, signature, n, other):
    if n != other:
        raise ValueError(
            f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {signature} "
            f"(size {other} is different from {n})"
        )


def _loop_shape(a, b, cores):
    shapes = [x.shape[: x.ndim - core] for x, core in zip((a, b), cores, strict=True)]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{a.shape}->{shapes[0]} {b.shape}->{shapes[1]}"
        ) from None


def _vecdot_arrays(a, b):
    _check_length("vecdot", "(n),(n)->()", a.shape[-1], b.shape[-1])
    _loop_shape(a, b, (1, 1))
    a = F.conjugate(a) if a.dtype.kind == "c" else a
    length = a.shape[-1]
    if by_elements(a.dtype, max(a.size, b.size) // max(length, 1), length):
        products = F.multiply(a, b)
        return any_true(products, -1) if a.dtype == bool else sum_of(products, -1, a.dtype)
    return matmul_arrays(a[..., None, :], b[..., :, None])[..., 0, 0]


def _matvec_arrays(a, v):
    _check_length("matvec", "(m,n),(n)->(m)", a.shape[-1], v.shape[-1])
    _loop_shape(a, v, (2, 1))
    return matmul_arrays(a, v[..., :, None])[..., 0]


def _vecmat_arrays(v, a):
    _check_length("vecmat", "(n),(n,m)->(m)", v.shape[-1], a.shape[-2])
    _loop_shape(v, a, (1, 2))
    v = F.conjugate(v) if v.dtype.kind == "c" else v
    return matmul_arrays(v[..., None, :], a)[..., 0, :]


@implements("vecdot")
@gufunc("(n),(n)->()")
def vecdot(x1, x2, /, out=None, *, axes=None, axis=None, keepdims=False, casting="same_kind", order="K", dtype=None,
           subok=True, signature=None):  # fmt: skip
    """Sum of products of vectors, which are the last dimension; the first is conjugated, the others are broadcast.

    Parameters
    ----------
    x1, x2 : array_like
    out : ndarray, optional
    dtype : dtype, optional
        Type to multiply in; the common one by default.
    axes : list of int, optional
        Which dimension is the vector, of each operand.
    axis : int, optional
        The same for both operands.
    keepdims : bool, optional
        Whether the dimension stays, with length 1.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        Vectors of different lengths, or a scalar operand.
    """
    return _call("vecdot", "(n),(n)->()", _vecdot_arrays, x1, x2, out, casting, order, dtype, signature, axes, axis,
                 keepdims, (1, 1, 0))  # fmt: skip


@implements("matvec")
@gufunc("(m,n),(n)->(m)")
def matvec(x1, x2, /, out=None, *, axes=None, axis=None, keepdims=False, casting="same_kind", order="K", dtype=None,
           subok=True, signature=None):  # fmt: skip
    """Products of matrices (the last two dimensions) and vectors (the last one); the others are broadcast.

    The arguments are those of `matmul`; nothing is conjugated.
    """
    return _call("matvec", "(m,n),(n)->(m)", _matvec_arrays, x1, x2, out, casting, order, dtype, signature, axes, axis,
                 keepdims, (2, 1, 1))  # fmt: skip


@implements("vecmat")
@gufunc("(n),(n,m)->(m)")
def vecmat(x1, x2, /, out=None, *, axes=None, axis=None, keepdims=False, casting="same_kind", order="K", dtype=None,
           subok=True, signature=None):  # fmt: skip
    """Products of vectors (the last dimension, conjugated) and matrices (the last two); the others are broadcast.

    The arguments are those of `matmul`.
    """
    return _call("vecmat", "(n),(n,m)->(m)", _vecmat_arrays, x1, x2, out, casting, order, dtype, signature, axes, axis,
                 keepdims, (1, 2, 1))  # fmt: skip


@implements("isnat")
def isnat(x, /, *args, **kwargs):
    """Not defined here: there are no dates on a device.

    Raises
    ------
    TypeError
        Always, as NumPy's does for numbers.
    """
    raise TypeError("ufunc 'isnat' is only defined for np.datetime64 and np.timedelta64.")


bind_matmul(matmul)

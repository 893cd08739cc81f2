"""Running sums and products, differences, and what is made of them."""

import operator

import numpy as np

from pyasc import statistics
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc._views import broadcast_to, normalize_axes, normalize_axis
from pyasc.creation import asarray, full
from pyasc.manipulation import concatenate
from pyasc.ops import F
from pyasc.spread import float_dtype

__all__ = [
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "ediff1d",
    "gradient",
    "trapezoid",
    "unwrap",
]

_NO_VALUE = np._NoValue
_OPERATORS = {"cumsum": "add", "cumprod": "multiply"}


def _scan(name, a, axis, dtype, out):
    x = asarray(a)
    if axis is None:
        x, axis = x.reshape(-1), 0
    elif x.ndim == 0:
        normalize_axis(axis, 1)
        x, axis = x.reshape(1), 0
    axis = normalize_axis(axis, x.ndim)
    accumulate = getattr(F, _OPERATORS[name]).accumulate
    return accumulate(x, axis=axis, dtype=dtype, out=out)


@implements("cumsum")
def cumsum(a, axis=None, dtype=None, out=None):
    """Running sum.

    Parameters
    ----------
    a : array_like
    axis : int, optional
        The flattened array by default.
    dtype : dtype, optional
        To add in; small integers are added in int64 or uint64 by default.
    out : ndarray, optional

    Returns
    -------
    ndarray
    """
    return _scan("cumsum", a, axis, dtype, out)


@implements("cumprod")
def cumprod(a, axis=None, dtype=None, out=None):
    """Running product; the arguments are those of `cumsum`."""
    return _scan("cumprod", a, axis, dtype, out)


def _cumulative(name, x, axis, dtype, out, include_initial):
    x = asarray(x)
    if x.ndim == 0:
        x = x.reshape(1)
    if axis is None:
        if x.ndim > 1:
            raise ValueError(
                "For arrays which have more than one dimension ``axis`` argument is required; this one has shape "
                f"{x.shape}"
            )
        axis = 0
    if out is not None and include_initial:
        axis = normalize_axis(axis, x.ndim)
        want = tuple(n + (d == axis) for d, n in enumerate(x.shape))
        if out.shape != want:
            raise ValueError(f"out has shape {out.shape}; {want} is needed")
    found = _scan(name, x, axis, dtype, None if include_initial else out)
    if not include_initial:
        return found
    axis = normalize_axis(axis, x.ndim)
    shape = tuple(1 if d == axis else n for d, n in enumerate(found.shape))
    first = full(shape, name == "cumprod", found.dtype, device=found.device)
    found = concatenate([first, found], axis=axis)
    if out is None:
        return found
    out[...] = found
    return out


@implements("cumulative_sum")
def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running sum; with ``include_initial`` a zero in front. Other arguments as `cumsum`."""
    return _cumulative("cumsum", x, axis, dtype, out, include_initial)


@implements("cumulative_prod")
def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """Running product; with ``include_initial`` a one in front. Other arguments as `cumsum`."""
    return _cumulative("cumprod", x, axis, dtype, out, include_initial)


# ---- differences


def part_of(x, axis, start, stop=None, step=None):
    """x[..., start:stop:step, ...] along an axis."""
    return x[(slice(None),) * axis + (slice(start, stop, step),)]


def _with_ends(x, axis, prepend, append):
    parts = [x]
    for value, place in ((prepend, 0), (append, 2)):
        if value is _NO_VALUE:
            continue
        value = asarray(value)
        if value.ndim == 0:
            shape = tuple(1 if d == axis else n for d, n in enumerate(x.shape))
            value = broadcast_to(value, shape)
        parts.insert(place, value)
    return concatenate(parts, axis=axis) if len(parts) > 1 else x


@implements("diff")
def diff(a, n=1, axis=-1, prepend=_NO_VALUE, append=_NO_VALUE):
    """Differences of neighbours.

    Parameters
    ----------
    a : array_like
        For truth values: whether they differ.
    n : int, optional
        How often to take differences.
    axis : int, optional
    prepend, append : array_like, optional
        To join to the array first.

    Returns
    -------
    ndarray
        Shorter by n along the axis.
    """
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    x = asarray(a)
    if x.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = normalize_axis(axis, x.ndim)
    x = _with_ends(x, axis, prepend, append)
    subtract = F.not_equal if x.dtype == bool else F.subtract
    for _ in range(operator.index(n)):
        x = subtract(part_of(x, axis, 1), part_of(x, axis, None, -1))
    return x


@implements("ediff1d")
def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours in the flattened array.

    Parameters
    ----------
    ary : array_like
    to_end, to_begin : array_like, optional
        What to put behind and before the differences; castable to the array's dtype.

    Returns
    -------
    ndarray
    """
    x = asarray(ary).reshape(-1)
    parts = [F.subtract(x[1:], x[:-1]) if x.size > 1 else x[:0]]
    for name, value, place in (("to_end", to_end, 1), ("to_begin", to_begin, 0)):
        if value is None:
            continue
        value = asarray(value)
        if not np.can_cast(value.dtype, x.dtype, casting="same_kind"):
            raise TypeError(
                f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule."
            )
        parts.insert(place, value.reshape(-1).astype(x.dtype, copy=False))
    return concatenate(parts) if len(parts) > 1 else parts[0]


def _spacings(varargs, x, axes):
    """For each axis the distance of neighbours: a number, or coordinates as an array."""
    if not varargs:
        return [1.0] * len(axes)
    if len(varargs) == 1 and np.ndim(varargs[0]) == 0:
        return list(varargs) * len(axes)
    if len(varargs) != len(axes):
        raise TypeError("invalid number of arguments")
    found = []
    for given, axis in zip(varargs, axes, strict=True):
        if np.ndim(given) == 0:
            found.append(given)
            continue
        if np.ndim(given) != 1:
            raise ValueError("distances must be either scalars or 1d")
        given = asarray(given)
        if given.size != x.shape[axis]:
            raise ValueError(
                f"when 1d, distances must match the length of the corresponding dimension: {given.size} and "
                f"{x.shape[axis]}"
            )
        steps = diff(given)
        if steps.dtype.kind in "iu":
            steps = steps.astype(float_dtype(steps.dtype))
        found.append(steps)
    return found


@implements("gradient")
def gradient(f, *varargs, axis=None, edge_order=1):
    """Derivative by second-order differences, one-sided at the edges.

    Parameters
    ----------
    f : array_like
    *varargs : scalar or array_like
        Distances of neighbours, or coordinates: one for all axes, or one for each.
    axis : int or tuple of int, optional
        All axes by default.
    edge_order : {1, 2}, optional
        Order of the differences at the edges.

    Returns
    -------
    ndarray or tuple of ndarray
        One for each axis.

    Notes
    -----
    For distances h before and k behind: ``(h^2 f(x + k) + (k^2 - h^2) f(x) - k^2 f(x - h)) / (h k (h + k))``, the
    Taylor expansion to second order.
    """
    x = asarray(f)
    axes = normalize_axes(axis, x.ndim)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    steps = _spacings(varargs, x, axes)
    if x.dtype == bool:
        raise TypeError(
            "the differences of truth values have no size: gradient takes numbers, not bool"
        )
    if x.dtype.kind in "iu":
        x = x.astype(float_dtype(x.dtype))
    for d in axes:
        if x.shape[d] < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are "
                f"required; dimension {d} of shape {x.shape} has {x.shape[d]}"
            )
    found = tuple(_gradient(x, d, step, edge_order) for d, step in zip(axes, steps, strict=True))
    if not axes:
        return ()
    return found[0] if len(found) == 1 else found


def _gradient(x, axis, step, edge_order):
    out = ndarray(x.shape, x.dtype, device=x.device)

    def at(start, stop=None):
        return part_of(x, axis, start, stop)

    even = np.ndim(step) == 0
    if even:
        middle = F.divide(F.subtract(at(2), at(None, -2)), F.multiply(2.0, step))
    else:
        shape = tuple(-1 if d == axis else 1 for d in range(x.ndim))
        h, k = step[:-1].reshape(shape), step[1:].reshape(shape)
        low = F.divide(F.negative(k), F.multiply(h, F.add(h, k)))
        mid = F.divide(F.subtract(k, h), F.multiply(h, k))
        high = F.divide(h, F.multiply(k, F.add(h, k)))
        middle = F.add(
            F.add(F.multiply(low, at(None, -2)), F.multiply(mid, at(1, -1))),
            F.multiply(high, at(2)),
        )
    part_of(out, axis, 1, -1)[...] = middle
    first, last = (step, step) if even else (step[0], step[-1])
    if edge_order == 1:
        part_of(out, axis, 0, 1)[...] = F.divide(F.subtract(at(1, 2), at(0, 1)), first)
        part_of(out, axis, -1)[...] = F.divide(F.subtract(at(-1), at(-2, -1)), last)
        return out
    second, before = (step, step) if even else (step[1], step[-2])
    part_of(out, axis, 0, 1)[...] = _edge((at(0, 1), at(1, 2), at(2, 3)), first, second)
    reverse = (at(-1), at(-2, -1), at(-3, -2))
    part_of(out, axis, -1)[...] = F.negative(_edge(reverse, last, before))
    return out


def _edge(points, h, k):
    """Derivative at the first of three points, h and then k apart, to second order."""
    both = F.add(h, k)
    a = F.divide(F.negative(F.add(F.multiply(2.0, h), k)), F.multiply(h, both))
    b = F.divide(both, F.multiply(h, k))
    c = F.divide(F.negative(h), F.multiply(k, both))
    return F.add(
        F.add(F.multiply(a, points[0]), F.multiply(b, points[1])), F.multiply(c, points[2])
    )


@implements("trapezoid")
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """Integral by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
    x : array_like, optional
        Where the values are; evenly ``dx`` apart by default.
    dx : scalar, optional
    axis : int, optional

    Returns
    -------
    ndarray
    """
    y = asarray(y)
    axis = normalize_axis(axis, y.ndim)
    width = dx
    if x is not None:
        x = asarray(x)
        width = diff(x) if x.ndim == 1 else diff(x, axis=axis)
        if x.ndim == 1:
            width = width.reshape(tuple(-1 if d == axis else 1 for d in range(y.ndim)))
    heights = F.add(part_of(y, axis, 1), part_of(y, axis, None, -1))
    return statistics.sum(F.divide(F.multiply(heights, width), 2.0), axis=axis)


@implements("unwrap")
def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    """Add periods so that neighbours differ by at most half of one.

    Parameters
    ----------
    p : array_like
    discont : float, optional
        The largest difference that stays; half a period by default, and at least that.
    axis : int, optional
    period : float, optional

    Returns
    -------
    ndarray
    """
    x = asarray(p)
    if x.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = normalize_axis(axis, x.ndim)
    discont = period / 2 if discont is None else discont
    whole = x.dtype.kind in "iu" and isinstance(period, int)
    step = diff(x, axis=axis)  # in the array's own type, as NumPy
    half, rest = divmod(period, 2) if whole else (period / 2, 0)
    if not whole:
        x = x.astype(float_dtype(x.dtype), copy=False)
        step = step.astype(x.dtype, copy=False)
    low = -half
    wrapped = F.add(F.remainder(F.subtract(step, low), period), low)
    if rest == 0:  # half a period upwards stays upwards
        turn = F.logical_and(F.equal(wrapped, low), F.greater(step, 0))
        wrapped = F.where(turn, full((), half, wrapped.dtype, device=x.device), wrapped)
    correction = F.subtract(wrapped, step)
    keep = F.less(F.absolute(step), discont)
    correction = F.where(keep, full((), 0, correction.dtype, device=x.device), correction)
    out = x.copy()
    rest_of = part_of(out, axis, 1)
    rest_of[...] = F.add(part_of(x, axis, 1), cumsum(correction, axis=axis))
    return out

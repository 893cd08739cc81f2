"""`pad` in all modes: slices of a larger array are filled, axis after axis."""

import numpy as np

from pyasc import _dispatch
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._dispatch import implements
from pyasc.creation import asarray
from pyasc.ops import F
from pyasc.rearrange import along, host_values
from pyasc.statistics import max as _max
from pyasc.statistics import mean as _mean
from pyasc.statistics import min as _min

__all__ = ["pad"]

# The words that each mode takes besides the width.
_WORDS = {
    "constant": ("constant_values",),
    "edge": (),
    "linear_ramp": ("end_values",),
    "maximum": ("stat_length",),
    "mean": ("stat_length",),
    "median": ("stat_length",),
    "minimum": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "wrap": (),
    "empty": (),
}


@implements("pad")
def pad(array, pad_width, mode="constant", **kwargs):
    """An array with a border.

    Parameters
    ----------
    array : array_like
    pad_width : int, sequence of int, or dict
        ``((before, after), ...)`` for each axis; ``(before, after)`` or one number for all. A dict has axes as keys.
    mode : str or callable, optional
        ``"constant"``, ``"edge"``, ``"linear_ramp"``, ``"maximum"``, ``"mean"``, ``"median"``, ``"minimum"``,
        ``"reflect"``, ``"symmetric"``, ``"wrap"``, ``"empty"``, or ``f(vector, widths, axis, kwargs)``, which changes
        a NumPy vector in place and runs on the host.
    constant_values, end_values : number, sequence or dict, optional
        Shaped as ``pad_width``.
    stat_length : int or sequence, optional
        How many edge elements the statistic sees; all by default.
    reflect_type : {"even", "odd"}, optional

    Returns
    -------
    ndarray
    """
    x = asarray(array)
    widths = _widths(pad_width, x.ndim)
    if callable(mode):
        return _dispatch.on_host(np.pad, "numpy.pad", (x, widths, mode), kwargs)
    if mode not in _WORDS:
        raise ValueError(f"mode '{mode}' is not supported")
    wrong = set(kwargs) - set(_WORDS[mode])
    if wrong:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {wrong}")
    only_fortran = _array.is_f_contiguous(x) and not x._layout[0] and x.ndim > 1
    lengths = tuple(n + b + a for n, (b, a) in zip(x.shape, widths, strict=True))
    out = ndarray(lengths, x.dtype, order="F" if only_fortran else "C", device=x.device)
    out[tuple(slice(b, b + n) for n, (b, _) in zip(x.shape, widths, strict=True))] = x
    if mode == "empty" or not x.ndim:
        return out
    if mode not in ("constant", "linear_ramp") and x.size == 0:
        for axis, (n, width) in enumerate(zip(x.shape, widths, strict=True)):
            if n == 0 and any(width):
                raise ValueError(
                    f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
                )
        return out
    _FILL[mode](out, x.shape, widths, mode, kwargs)
    return out


def _widths(pad_width, ndim):
    pad_width = host_values(pad_width)
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            pairs[axis] = tuple(width) if isinstance(width, (tuple, list)) else (width, width)
        pad_width = pairs
    widths = np.asarray(pad_width)
    if widths.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    widths = _pairs(widths, ndim)
    if any(w < 0 for pair in widths for w in pair):
        raise ValueError("index can't contain negative values")
    return widths


def _pairs(value, ndim):
    """``((before, after), ...)`` for each axis, from the shorter forms."""
    value = np.asarray(value)
    if value.ndim < 3 and value.size == 2 and value.shape != (2, 1):
        value = value.reshape(1, 2)
    try:
        return np.broadcast_to(value, (ndim, 2)).tolist()
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with remapped shapes [original->remapped]: {value.shape} "
            f"and requested shape ({ndim},2)"
        ) from None


def _filled(out, lengths, widths):
    """Each axis with a border: (axis, the part of ``out`` that is filled so far and whole along it, width)."""
    view = [slice(b, b + n) for n, (b, _) in zip(lengths, widths, strict=True)]
    for axis, width in enumerate(widths):
        view[axis] = slice(None)
        if any(width):
            yield axis, out[tuple(view)], width


def _sides(axis, part, width):
    """The two borders of one axis: (key of the border, the position of the edge, 0 or 1)."""
    before, after = width
    total = part.shape[axis]
    return (
        (along(axis, slice(0, before)), before, before),
        (along(axis, slice(total - after, total)), total - after - 1, after),
    )


def _constant(out, lengths, widths, mode, words):
    values = _pairs_of(words.get("constant_values", 0), len(lengths))
    for axis, part, width in _filled(out, lengths, widths):
        for (key, _, count), value in zip(_sides(axis, part, width), values[axis], strict=True):
            if count:
                part[key] = value


def _pairs_of(value, ndim):
    if isinstance(value, dict):
        pairs = [(0, 0)] * ndim
        for axis, v in value.items():
            pairs[axis] = tuple(v) if isinstance(v, (tuple, list)) else (v, v)
        value = pairs
    return _pairs(host_values(value), ndim)


def _edge(out, lengths, widths, mode, words):
    for axis, part, width in _filled(out, lengths, widths):
        for key, edge, count in _sides(axis, part, width):
            if count:
                part[key] = part[along(axis, slice(edge, edge + 1))]


def _linear_ramp(out, lengths, widths, mode, words):
    from pyasc.ranges import linspace

    ends = _pairs_of(words.get("end_values", 0), len(lengths))
    for axis, part, width in _filled(out, lengths, widths):
        if lengths[axis] == 0:
            raise ValueError(
                f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
            )
        for side, (key, edge, count) in enumerate(_sides(axis, part, width)):
            if count:
                last = part[along(axis, edge)]
                ramp = linspace(
                    ends[axis][side], last, count, endpoint=False, dtype=out.dtype, axis=axis
                )
                part[key] = ramp if side == 0 else ramp[along(axis, slice(None, None, -1))]


_STATISTIC = {
    "maximum": lambda x, axis, keepdims: _max(x, axis=axis, keepdims=keepdims),
    "minimum": lambda x, axis, keepdims: _min(x, axis=axis, keepdims=keepdims),
    "mean": lambda x, axis, keepdims: _mean(
        x, axis=axis, dtype=np.float64 if x.dtype.kind in "biu" else None, keepdims=keepdims
    ),
    "median": lambda x, axis, keepdims: np.median(x, axis=axis, keepdims=keepdims),
}


def _statistics(out, lengths, widths, mode, words):
    length = words.get("stat_length")
    windows = [(n, n) for n in lengths] if length is None else _widths(length, len(lengths))
    for axis, part, (before, after) in _filled(out, lengths, widths):
        found = []
        for side in (0, 1):
            seen = min(windows[axis][side], lengths[axis])
            if seen == 0 and mode in ("maximum", "minimum"):
                raise ValueError("stat_length of 0 yields no value for padding")
            start = before if side == 0 else before + lengths[axis] - seen
            value = _STATISTIC[mode](part[along(axis, slice(start, start + seen))], axis, True)
            found.append(
                F.rint(value) if out.dtype.kind in "iu" and value.dtype.kind == "f" else value
            )
        for (key, _, count), value in zip(_sides(axis, part, (before, after)), found, strict=True):
            if count:
                part[key] = value


def _positions(length, before, after, mode):
    """Where the elements of a padded axis come from."""
    at = np.arange(-before, length + after)
    if mode == "wrap":
        return at % length
    period = 2 * length if mode == "symmetric" else 2 * length - 2
    at = at % period
    return np.where(at < length, at, period - at - (mode == "symmetric"))


def _mirrored(out, lengths, widths, mode, words):
    odd = words.get("reflect_type", "even") == "odd" and mode != "wrap"
    for axis, part, (before, after) in _filled(out, lengths, widths):
        n = lengths[axis]
        if odd:
            _odd(part, axis, n, before, after, mode)
            continue
        if n == 1:
            part[along(axis, slice(None))] = part[along(axis, slice(before, before + 1))].copy()
            continue
        places = _positions(n, before, after, mode) + before
        _copy_runs(part, axis, 0, places[:before])
        _copy_runs(part, axis, before + n, places[before + n :])


def _copy_runs(part, axis, start, places):
    """Fill an axis from ``start`` on with the elements at ``places``, a slice for each run of neighbours."""
    steps = np.diff(places)
    at = 0
    while at < places.size:
        step = int(steps[at]) if at < steps.size and abs(steps[at]) == 1 else 1
        turns = np.flatnonzero(steps[at:] != step)
        end = at + int(turns[0]) + 1 if turns.size else places.size
        first, stop = int(places[at]), int(places[end - 1]) + step
        source = slice(first, stop if stop >= 0 else None, step)
        part[along(axis, slice(start + at, start + end))] = part[along(axis, source)]
        at = end


def _odd(part, axis, n, before, after, mode):
    """Mirrored at the point of the edge element: 2 * edge - mirrored, in chunks as long as what is there."""
    low, high = before, before + n  # the part that is filled
    skip = int(mode == "reflect")
    if n == 1 and skip:
        part[along(axis, slice(None))] = part[along(axis, slice(low, high))].copy()
        return
    total = part.shape[axis]
    while low > 0 or high < total:
        period = high - low - skip
        if low > 0:
            take = min(low, period)
            mirrored = part[along(axis, slice(low + skip, low + skip + take))]
            edge = part[along(axis, slice(low, low + 1))]
            chunk = F.subtract(F.multiply(edge, 2), mirrored[along(axis, slice(None, None, -1))])
            part[along(axis, slice(low - take, low))] = chunk
        if high < total:
            take_after = min(total - high, period)
            mirrored = part[along(axis, slice(high - skip - take_after, high - skip))]
            edge = part[along(axis, slice(high - 1, high))]
            chunk = F.subtract(F.multiply(edge, 2), mirrored[along(axis, slice(None, None, -1))])
            part[along(axis, slice(high, high + take_after))] = chunk
            high += take_after
        if low > 0:
            low -= take


_FILL = {
    "constant": _constant,
    "edge": _edge,
    "linear_ramp": _linear_ramp,
    **dict.fromkeys(_STATISTIC, _statistics),
    **dict.fromkeys(("reflect", "symmetric", "wrap"), _mirrored),
}

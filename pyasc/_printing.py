"""Text of arrays, like NumPy's: large ones are summarised, and only what is shown is copied."""

import numpy as np

from pyasc._core import array as _array


def _shown(x):
    """A small NumPy array that prints as ``x`` does."""
    options = np.get_printoptions()
    edge = options["edgeitems"]
    if x.size <= options["threshold"]:
        return x.numpy(), None
    parts = x
    for d in range(x.ndim):
        if x.shape[d] > 2 * edge + 1:
            parts = _edges(parts, d, edge)
    return parts.numpy(), max(parts.size - 1, 0)


def _edges(x, axis, edge):
    from pyasc.manipulation import concatenate

    # one more than is shown: NumPy then writes the dots itself
    before = (slice(None),) * axis
    return concatenate(
        [x[(*before, slice(None, edge + 1))], x[(*before, slice(-edge, None))]], axis=axis
    )


def _text(x, function):
    host, threshold = _shown(x)
    if threshold is None:
        return function(host)
    with np.printoptions(threshold=threshold):
        return function(host)


def text(x):
    """``str(x)``"""
    return _text(x, str)


def representation(x):
    """``repr(x)``"""
    return whole_shape(x, _text(x, repr) if x.ndim else repr(x.numpy()))


def whole_shape(x, shown):
    """The text of the shown part of ``x`` with the shape of the whole."""
    threshold = np.get_printoptions()["threshold"]
    if x.size > threshold and "shape=" in shown:
        # NumPy 2.x adds the shape of a summarised array: that of the whole
        start = shown.index("shape=")
        shown = shown[:start] + f"shape={x.shape}" + shown[shown.index(")", start) + 1 :]
    return shown


_array.bind(repr=representation, str=text)

"""Views with layouts of one's own, under NumPy's names."""

import operator

from pyasc._core.array import element_steps, strided_view
from pyasc.creation import array
from pyasc.manipulation import broadcast_arrays, broadcast_shapes, broadcast_to
from pyasc.rearrange import sliding_window_view

__all__ = [
    "as_strided",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "sliding_window_view",
]


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """View of the memory of an array with another shape and other strides.

    Parameters
    ----------
    x : array_like
    shape : sequence of int, optional
        That of ``x`` by default.
    strides : sequence of int, optional
        In bytes, whole elements; those of ``x`` by default.
    writeable : bool, optional
        False makes the view read-only. Elements of a view may share memory: what a write through it leaves is not
        defined then.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        If the view would leave the memory of the array (NumPy's would, and crash), or steps by parts of elements.
    """
    x = array(x, copy=None)
    shape = x.shape if shape is None else tuple(operator.index(n) for n in shape)
    if strides is None:
        steps = element_steps(x)
    else:
        strides = tuple(operator.index(s) for s in strides)
        if any(s % x.itemsize for s in strides):
            raise ValueError(
                f"strides {strides} are no multiples of the size of an element, {x.itemsize}"
            )
        steps = tuple(s // x.itemsize for s in strides)
    if len(steps) != len(shape):
        raise ValueError("mismatch in length of strides and shape")
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    out = strided_view(x, shape, steps)
    if not writeable:
        out._set_readonly(True)
    return out

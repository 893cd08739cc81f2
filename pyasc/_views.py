"""Views that only change shape and steps; no element is touched, and nothing here copies."""

import math
import operator

from pyasc._core import array as _array
from pyasc._core.array import element_steps, strided_view


def normalize_axis(axis, ndim, name="axis"):
    """One axis, counted from the front.

    Raises
    ------
    AxisError
        Out of range.
    """
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        from numpy.exceptions import AxisError

        raise AxisError(axis, ndim, name if name != "axis" else None)
    return axis % ndim if ndim else 0


def normalize_axes(axes, ndim, name="axis"):
    """A tuple of different axes, counted from the front; None is all of them."""
    if axes is None:
        return tuple(range(ndim))
    if not isinstance(axes, (tuple, list)):
        axes = (axes,)
    found = tuple(normalize_axis(a, ndim, name) for a in axes)
    if len(set(found)) != len(found):
        raise ValueError(
            f"repeated axis in `{name}` argument: {axes}"
            if name != "axis"
            else "duplicate value in 'axis'"
        )
    return found


def broadcast_to(x, shape):
    """View with steps of 0 along the dimensions that are stretched."""
    lead = len(shape) - x.ndim
    steps = [0] * lead
    fits = lead >= 0
    for have, want, step in zip(
        x.shape, shape[lead:] if fits else (), element_steps(x), strict=False
    ):
        fits = fits and have in (1, want)
        steps.append(0 if have == 1 and want != 1 else step)
    if not fits:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{x.shape} and requested shape {tuple(shape)}"
        )
    return strided_view(x, shape, steps)


def permute(x, axes):
    """View with the dimensions in the order ``axes`` (already checked)."""
    steps = element_steps(x)
    return strided_view(x, [x.shape[a] for a in axes], [steps[a] for a in axes])


def insert_axes(x, places):
    """View with dimensions of length 1 at the (sorted) places of the result."""
    shape, steps = list(x.shape), list(element_steps(x))
    for place in places:
        shape.insert(place, 1)
        steps.insert(place, 0)
    return strided_view(x, shape, steps)


def drop_axes(x, axes):
    """View without the given dimensions of length 1."""
    steps = element_steps(x)
    keep = [d for d in range(x.ndim) if d not in axes]
    return strided_view(x, [x.shape[d] for d in keep], [steps[d] for d in keep])


def complete_shape(size, shape):
    """The shape with its -1 worked out.

    Raises
    ------
    ValueError
        If an array of that many elements has no such shape.
    """
    if not isinstance(shape, (tuple, list)):
        shape = (shape,)
    shape = [operator.index(n) for n in shape]
    unknown = [i for i, n in enumerate(shape) if n < 0]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    if unknown:
        known = math.prod(n for n in shape if n >= 0)
        if known == 0 or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {_shown(shape)}")
        shape[unknown[0]] = size // known
    if math.prod(shape) != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {_shown(shape)}")
    return tuple(shape)


def _shown(shape):
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def reshape_steps(shape, steps, target):
    """Steps of a view with another shape, or None if only a copy has it.

    Dimensions are grouped so that each group has as many elements before as after; within a group the old dimensions
    must lie without gaps.
    """
    old = [(n, s) for n, s in zip(shape, steps, strict=True) if n != 1]
    if math.prod(shape) == 0:
        return [1] * len(target)
    new, i = [], 0
    j = 0
    while j < len(target) or i < len(old):
        have = want = 1
        first_i, first_j = i, j
        if i < len(old):
            have, i = old[i][0], i + 1
        if j < len(target):
            want, j = target[j], j + 1
        while have != want:
            if have < want:
                have, i = have * old[i][0], i + 1
            else:
                want, j = want * target[j], j + 1
        for k in range(first_i, i - 1):
            if old[k][1] != old[k + 1][0] * old[k + 1][1]:
                return None
        step = old[i - 1][1] if i > first_i else 1
        group = []
        for n in reversed(target[first_j:j]):
            group.append(step)
            step *= n
        new.extend(reversed(group))
    return new


def reshape_view(x, shape):
    """View with another shape.

    Raises
    ------
    AttributeError
        If only a copy has it (as NumPy says when ``x.shape`` is assigned).
    """
    shape = complete_shape(x.size, shape)
    steps = reshape_steps(x.shape, element_steps(x), shape)
    if steps is None:
        raise AttributeError(
            f"Incompatible shape for in-place modification: {x.shape} with strides {x.strides} has no view of shape "
            f"{shape}. Use `.reshape()` to make a copy with the desired shape."
        )
    return strided_view(x, shape, steps)


_array.bind(reshape_view=reshape_view)

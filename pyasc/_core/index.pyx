"""Basic indexing: from a key to a layout, without touching an element."""

from cpython.long cimport PyLong_AsSsize_t
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from libc.stdint cimport int64_t

from pyasc._core.memory cimport MAX_DIMS, Body, set_flags

import numpy as np

cdef object NUMPY_INTEGER = np.integer
cdef object NUMPY_BOOL = np.bool_


cdef inline bint is_integer(object key) except -1:
    """Whether NumPy takes the key for one integer (an array is not, and a bool is a mask)."""
    kind = type(key)
    if kind is int:
        return True
    if kind is slice or key is None or key is Ellipsis or kind is bool:
        return False
    if isinstance(key, NUMPY_INTEGER):
        return True
    return hasattr(kind, "__index__") and not isinstance(key, NUMPY_BOOL) and not hasattr(kind, "ndim")


cdef inline int64_t place(object key, int64_t length, int axis) except -1:
    """A checked index into a dimension."""
    cdef int64_t i
    if type(key) is int:
        try:
            i = PyLong_AsSsize_t(key)
        except OverflowError:
            raise IndexError(f"index {key} is out of bounds for axis {axis} with size {length}") from None
    else:
        i = key.__index__()
    if i < 0:
        i += length
    if i < 0 or i >= length:
        raise IndexError(f"index {key} is out of bounds for axis {axis} with size {length}")
    return i


cdef int element_offset(const Body* own, object key, int64_t* offset) except -1:
    cdef int d
    cdef int64_t at
    if own.ndim == 1:
        if type(key) is int:
            offset[0] = own.offset + place(key, own.dims[0], 0) * own.steps[0]
            return ELEMENT
        if type(key) is not tuple:
            if not is_integer(key):
                return 0
            offset[0] = own.offset + place(key, own.dims[0], 0) * own.steps[0]
            return ELEMENT
    if type(key) is not tuple or PyTuple_GET_SIZE(key) != own.ndim or own.ndim == 0:
        return 0
    for d in range(own.ndim):
        if not is_integer(<object>PyTuple_GET_ITEM(key, d)):
            return 0
    at = own.offset
    for d in range(own.ndim):
        at += place(<object>PyTuple_GET_ITEM(key, d), own.dims[d], d) * own.steps[d]
    offset[0] = at
    return ELEMENT


cdef int parse_key(const Body* own, object key, Body* new) except -1:
    cdef int axis = 0                             # of own
    cdef int used = 0                             # axes the key names
    cdef int i, n
    cdef bint dots = False
    if type(key) is not tuple:
        key = (key,)
    n = <int>PyTuple_GET_SIZE(key)
    for i in range(n):
        part = <object>PyTuple_GET_ITEM(key, i)
        if part is Ellipsis:
            if dots:
                raise IndexError("an index can only have a single ellipsis ('...')")
            dots = True
        elif type(part) is slice or is_integer(part):
            used += 1
        elif part is not None:
            return ADVANCED
    if used > own.ndim:
        raise IndexError(
            f"too many indices for array: array is {own.ndim}-dimensional, but {used} were indexed"
        )
    for i in range(n):
        part = <object>PyTuple_GET_ITEM(key, i)
        if part is Ellipsis:
            axis = keep(own, axis, own.ndim - used + axis_count(key, i), new)
        elif part is None:
            add(new, 1, 0)
        elif type(part) is slice:
            cut(own, axis, part, new)
            axis += 1
        else:
            new.offset += place(part, own.dims[axis], axis) * own.steps[axis]
            axis += 1
    keep(own, axis, own.ndim, new)
    set_flags(new)
    return BASIC


cdef int axis_count(object key, int stop) except -1:
    """Axes that the parts before `stop` name."""
    cdef int i, count = 0
    for i in range(stop):
        if <object>PyTuple_GET_ITEM(key, i) is not None:
            count += 1
    return count


cdef inline int keep(const Body* own, int axis, int end, Body* new) except -1:
    while axis < end:
        add(new, own.dims[axis], own.steps[axis])
        axis += 1
    return axis


cdef inline int add(Body* new, int64_t length, int64_t step) except -1:
    if new.ndim == MAX_DIMS:
        raise IndexError(f"number of dimensions must be within [0, {MAX_DIMS}], indexing result would have more")
    new.dims[new.ndim] = length
    new.steps[new.ndim] = step
    new.size *= length
    new.ndim += 1
    return 0


cdef int cut(const Body* own, int axis, object part, Body* new) except -1:
    cdef Py_ssize_t start, stop, step, length
    PySlice_Unpack(part, &start, &stop, &step)
    length = PySlice_AdjustIndices(own.dims[axis], &start, &stop, step)
    if length > 0:                                # else the start may lie outside, and nothing is there to see
        new.offset += start * own.steps[axis]
    return add(new, length, own.steps[axis] * step if length > 1 else own.steps[axis])

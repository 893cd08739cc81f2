"""What is done with whole arrays: views of any layout, and copies between host and devices."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t

from pyasc._core.acl cimport ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_HOST_TO_DEVICE
from pyasc._core cimport error
from pyasc._core.device cimport Queue, current_queue, device_index, queue_after, synchronize_queue
from pyasc._core.error cimport check
from pyasc._core.memory cimport (
    COMPLEX64, CONTIGUOUS, FLOAT32, FLOAT64, ITEMSIZE, MAX_DIMS, TYPES, Body, bytes_at, kind_of, set_flags, view_body,
)
from pyasc._core.ndarray cimport (
    assign, byte_range, contiguous, hooks, is_fortran, may_overlap, ndarray, new_array, new_like, read_bytes, relabel,
    wrap,
)

import numpy as np

from pyasc._core import ndarray as _below


cdef ndarray from_host(object host, int kind, Queue* queue, bint non_blocking):
    """A copy on the device of a NumPy array that already has the right dtype."""
    cdef int64_t[MAX_DIMS] dims
    cdef Py_buffer buffer
    cdef ndarray out
    cdef int status, ndim = host.ndim
    if ndim > MAX_DIMS:
        raise ValueError(f"maximum supported dimension for an ndarray is {MAX_DIMS}, found {ndim}")
    if not host.flags.c_contiguous:
        if host.flags.f_contiguous:
            return transposed_owner(from_host(host.T, kind, queue, non_blocking))
        host = np.ascontiguousarray(host)
    for d in range(ndim):
        dims[d] = host.shape[d]
    out = new_array(queue, kind, ndim, dims)
    if out.body.size == 0:
        return out
    PyObject_GetBuffer(host.reshape(-1).view(np.uint8), &buffer, PyBUF_SIMPLE)
    try:
        with nogil:
            status = error.library.acl.aclrtMemcpyAsync(
                out.body.data, buffer.len, buffer.buf, buffer.len, ACL_MEMCPY_HOST_TO_DEVICE, queue.handle)
        check(status)
    finally:
        PyBuffer_Release(&buffer)
    # From pageable memory the call has copied when it returns (abi: implicit synchronisation); pinned memory has not.
    if not non_blocking and is_pinned(host):
        synchronize_queue(queue)
    return out


cdef bint is_pinned(object host):
    base = host
    while isinstance(base, np.ndarray):
        base = base.base
    return isinstance(base, memoryview) and "PinnedMemory" in type(base.obj).__name__


cdef ndarray transposed_owner(ndarray x):
    """Turn round the layout of a fresh array in place (no view: it owns its memory)."""
    cdef int i, n = x.body.ndim
    for i in range(n // 2):
        x.body.dims[i], x.body.dims[n - 1 - i] = x.body.dims[n - 1 - i], x.body.dims[i]
        x.body.steps[i], x.body.steps[n - 1 - i] = x.body.steps[n - 1 - i], x.body.steps[i]
    relabel(x.body)
    return x


def is_f_contiguous(ndarray x not None):
    """Whether the elements lie in Fortran order without gaps."""
    return is_fortran(x.body) or x.body.size == 0


def strided_view(ndarray x not None, shape, steps, int64_t offset=0, dtype=None):
    """A view with any layout: ``steps`` and ``offset`` in elements, ``offset`` from the first element of ``x``.

    The caller vouches that the view stays within the memory of ``x`` (`byte_bounds` checks).
    """
    cdef Body* new
    cdef int kind = x.body.kind if dtype is None else kind_of(dtype)
    cdef const char* first
    cdef const char* last
    if len(shape) > MAX_DIMS:
        raise ValueError(f"maximum supported dimension for an ndarray is {MAX_DIMS}, found {len(shape)}")
    new = view_body(x.body)
    cdef ndarray out = wrap(new)
    if kind != new.kind:
        new.offset = new.offset * ITEMSIZE[new.kind] // ITEMSIZE[kind]
        new.kind = kind
    new.offset += offset
    new.ndim = len(shape)
    for d in range(new.ndim):
        new.dims[d], new.steps[d] = shape[d], steps[d]
        new.size *= new.dims[d]
    set_flags(new)
    byte_range(new, &first, &last)
    if new.size and not inside_block(x.body.owner, first, last):
        raise ValueError(f"a view of shape {tuple(shape)} with steps {tuple(steps)} would leave the memory of the array")
    return out


cdef bint inside_block(Body* owner, const char* first, const char* last) noexcept:
    cdef const char* begin
    cdef const char* end
    byte_range(owner, &begin, &end)
    return begin <= first and last <= end


def element_steps(ndarray x not None):
    """Steps of the dimensions, in elements."""
    return tuple([x.body.steps[d] for d in range(x.body.ndim)])


def arrays_overlap(ndarray a not None, ndarray b not None):
    """Whether the byte ranges of two arrays meet."""
    cdef const char* a0
    cdef const char* a1
    cdef const char* b0
    cdef const char* b1
    byte_range(a.body, &a0, &a1)
    byte_range(b.body, &b0, &b1)
    return a0 < b1 and b0 < a1


def needs_copy(ndarray out not None, ndarray x not None):
    """Whether writing ``out`` element by element could change elements of ``x`` not read yet."""
    return may_overlap(out.body, x.body)


def empty(shape, dtype, order="C", device=None):
    """An uninitialised array; the arguments are those of `ndarray`."""
    return ndarray(shape, dtype, order=order, device=device)


def empty_like(ndarray x not None, dtype=None):
    """An uninitialised array of the same shape and memory order."""
    kind = x.body.kind if dtype is None else kind_of(dtype)
    return new_like(current_queue(x.body.owner.queue.device), kind, x.body)


def from_numpy(host, device=None, bint non_blocking=False):
    """Copy a NumPy array to the device.

    Parameters
    ----------
    host : numpy.ndarray
        Any supported dtype; memory order is kept.
    device : Device, str or int, optional
        The current device by default.
    non_blocking : bool, optional
        Return before the copy is done, if ``host`` lies in pinned memory (`pinned`). It must not change until then.

    Returns
    -------
    ndarray
    """
    if not isinstance(host, np.ndarray):
        raise TypeError(f"from_numpy takes a numpy.ndarray, not {type(host).__name__}; array() takes lists and scalars")
    kind = kind_of(host.dtype)
    if host.dtype is not TYPES[kind] and host.dtype != TYPES[kind]:
        host = host.astype(TYPES[kind])
    return from_host(host, kind, current_queue(device_index(device)), non_blocking)


def fetch_into(ndarray x not None, host):
    """Fill a C-contiguous NumPy array of the same dtype and size with the values of ``x``."""
    cdef Py_buffer buffer
    cdef ndarray source = contiguous(x)
    if x.body.size:
        PyObject_GetBuffer(host.reshape(-1).view(np.uint8), &buffer, PyBUF_WRITABLE)
        try:
            read_bytes(source.body, buffer.buf, buffer.len)
        finally:
            PyBuffer_Release(&buffer)


def copy_values(ndarray target not None, ndarray source not None):
    """target[...] = source, with broadcasting and a cast; overlapping memory is handled."""
    assign(target.body, source)


def fill_value(ndarray target not None, value):
    """target[...] = a Python or NumPy scalar."""
    assign(target.body, value)


def copy_between_devices(ndarray target not None, ndarray source not None):
    """target[...] = source, where the two have one shape and dtype and live on different devices."""
    cdef ndarray given = contiguous(source)
    cdef ndarray room = target
    cdef Queue* there = current_queue(given.body.owner.queue.device)
    cdef Queue* here = current_queue(target.body.owner.queue.device)
    cdef int64_t nbytes = given.body.size * ITEMSIZE[given.body.kind]
    if nbytes == 0:
        return
    if not target.body.flags & CONTIGUOUS:
        room = new_array(here, target.body.kind, target.body.ndim, target.body.dims)
    queue_after(here, there)
    current_queue(here.device)
    check(error.library.acl.aclrtMemcpyAsync(
        <void*>bytes_at(room.body), nbytes, bytes_at(given.body), nbytes, ACL_MEMCPY_DEVICE_TO_DEVICE, here.handle))
    queue_after(there, here)                      # the source may be given away once this has run
    if room is not target:
        hooks.copy(target.body, room.body)


cdef ndarray part_view(ndarray x, int64_t part):
    """The real (0) or imaginary (1) part of a complex array: a view with twice the steps."""
    cdef Body* new
    if x.body.kind < COMPLEX64:
        raise TypeError(f"only complex arrays have parts, not {x.dtype}")
    new = view_body(x.body)
    new.kind = FLOAT32 if x.body.kind == COMPLEX64 else FLOAT64
    new.offset = x.body.offset * 2 + part
    new.ndim, new.size = x.body.ndim, x.body.size
    for d in range(new.ndim):
        new.dims[d], new.steps[d] = x.body.dims[d], x.body.steps[d] * 2
    set_flags(new)
    if new.size == 1:                             # steps of length-1 dimensions say nothing about gaps
        new.flags |= CONTIGUOUS
    return wrap(new)


def real_view(ndarray x not None):
    """View of the real parts of a complex array."""
    return part_view(x, 0)


def imaginary_view(ndarray x not None):
    """View of the imaginary parts of a complex array."""
    return part_view(x, 1)


# Those above import these from here too; "ndarray" is a C type in this module, so its name is exported by hand.
globals().update({name: getattr(_below, name) for name in (
    "bind", "bind_methods", "count_transfer", "ndarray", "transfer_counts")})

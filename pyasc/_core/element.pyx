"""Single elements, read and written by copies of a few bytes."""

from cpython.float cimport PyFloat_AS_DOUBLE
from libc.stdint cimport int32_t, int64_t

from pyasc._core.acl cimport ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_HOST_TO_DEVICE
from pyasc._core cimport error
from pyasc._core.device cimport Queue, current_queue, synchronize_queue
from pyasc._core.error cimport check
from pyasc._core.memory cimport FLOAT32, FLOAT64, INT32, INT64, ITEMSIZE, READONLY, Body, release, take_body, touch


cdef Body* copy_element(Body* own, int64_t offset) except NULL:
    """One element as the body of a 0-d array; a plain copy of bytes needs no handle of either."""
    cdef Queue* queue = current_queue(own.owner.queue.device)
    cdef Body* out = take_body(queue, own.kind, 0, NULL)
    cdef int64_t item = ITEMSIZE[own.kind]
    try:
        touch(own, queue)
        check(error.library.acl.aclrtMemcpyAsync(
            out.data, item, <const char*>own.data + offset * item, item, ACL_MEMCPY_DEVICE_TO_DEVICE, queue.handle))
    except BaseException:
        release(out)
        raise
    return out


cdef enum:
    RING = 4096                                   # places, of 16 bytes


cdef bint set_element(Body* own, int64_t offset, object value) except -1:
    """One element from a plain number: an asynchronous copy out of pinned memory; False: not so plain."""
    cdef Queue* queue
    cdef char* place
    cdef int64_t item = ITEMSIZE[own.kind]
    if own.flags & READONLY or not (type(value) is float or type(value) is int):
        return False
    queue = current_queue(own.owner.queue.device)
    if queue.ring is NULL:
        check(error.library.acl.aclrtMallocHost(<void**>&queue.ring, RING * 16))
    elif queue.ring_at == RING:                   # what lies there may not have been read yet
        synchronize_queue(queue)
        queue.ring_at = 0
    place = queue.ring + 16 * queue.ring_at
    if not store_number(place, own.kind, value):
        return False
    queue.ring_at += 1
    touch(own, queue)
    check(error.library.acl.aclrtMemcpyAsync(
        <char*>own.data + offset * item, item, place, item, ACL_MEMCPY_HOST_TO_DEVICE, queue.handle))
    return True


cdef inline bint store_number(char* place, int kind, object value) noexcept:
    """Write a Python number as an element, if NumPy would need no rule or error for it."""
    cdef int64_t whole
    if type(value) is float:
        if kind == FLOAT32:
            (<float*>place)[0] = <float>PyFloat_AS_DOUBLE(value)
        elif kind == FLOAT64:
            (<double*>place)[0] = PyFloat_AS_DOUBLE(value)
        else:
            return False
        return True
    if not -0x20000000000000 < value < 0x20000000000000:
        return False
    whole = value
    if kind == FLOAT32:
        (<float*>place)[0] = <float>whole
    elif kind == FLOAT64:
        (<double*>place)[0] = <double>whole
    elif kind == INT64:
        (<int64_t*>place)[0] = whole
    elif kind == INT32 and -0x80000000 <= whole <= 0x7FFFFFFF:
        (<int32_t*>place)[0] = <int32_t>whole
    else:
        return False
    return True

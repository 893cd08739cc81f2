"""The body of an array: layout, handle and memory, recycled whole; and the pool that recycles it."""

from libc.stdint cimport int64_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from cpython.ref cimport PyObject, Py_DECREF
from cpython.buffer cimport PyBuffer_FillInfo

from pyasc._core.acl cimport (
    ACL_BF16, ACL_BOOL, ACL_COMPLEX64, ACL_COMPLEX128, ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT16, ACL_FORMAT_ND, ACL_HBM_MEM,
    ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_MEM_MALLOC_HUGE_FIRST, ACL_UINT8, ACL_UINT16, ACL_UINT32,
    ACL_UINT64, aclFormat, aclTensor,
)
from pyasc._core cimport error
from pyasc._core.device cimport MAX_DEVICES, ROOM_CLASSES, Queue, current_queue, device_index, queue_after
from pyasc._core.device cimport synchronize_queue
from pyasc._core.error cimport check, get_library

import ml_dtypes
import numpy as np

from pyasc._core.error import DeviceMemoryError

TYPES = [np.dtype(name) for name in (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", ml_dtypes.bfloat16,
    "float32", "float64", "complex64", "complex128",
)]
KIND_OF = {t: i for i, t in enumerate(TYPES)}
ACL_TYPE[:] = [
    ACL_BOOL, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_UINT32, ACL_INT64, ACL_UINT64, ACL_FLOAT16,
    ACL_BF16, ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128,
]
for i, t in enumerate(TYPES):
    ITEMSIZE[i] = t.itemsize

cdef enum:
    SMALL_ROOMS = 64                              # classes of 64 bytes each, up to 4 KiB
    LARGEST_CUT = 256 << 10                       # blocks up to here are cut from segments

cdef int64_t SEGMENT_SIZE = 2 << 20
cdef Segment* segments[MAX_DEVICES]               # of each device; blocks of all queues are cut from them
cdef list queues_seen = []                        # addresses of all queues that have given memory

# bytes, per device
cdef int64_t[MAX_DEVICES] allocated
cdef int64_t[MAX_DEVICES] peak_allocated
cdef int64_t[MAX_DEVICES] reserved


cdef inline int room_of(int64_t nbytes) noexcept:
    """Smallest class that holds `nbytes`: steps of 64 bytes up to 4 KiB, then eight steps to every doubling."""
    if nbytes <= 4096:
        return <int>((nbytes + 63) >> 6) if nbytes > 0 else 1
    cdef int64_t last = nbytes - 1
    cdef int exponent = 63 - __builtin_clzll(<uint64_t>last)
    return SMALL_ROOMS + ((exponent - 12) << 3) + <int>((last >> (exponent - 3)) & 7) + 1


cdef inline int64_t room_bytes(int room) noexcept:
    if room <= SMALL_ROOMS:
        return <int64_t>room << 6
    cdef int step = room - SMALL_ROOMS            # 1 .. 8 within a doubling
    cdef int exponent = 12 + ((step - 1) >> 3)
    return (<int64_t>8 + ((step - 1) & 7) + 1) << (exponent - 3)


cdef extern from *:
    int __builtin_clzll(unsigned long long) noexcept nogil


cdef int64_t count_elements(int ndim, const int64_t* dims, int kind) except -1:
    """Number of elements, or ValueError if the array would not fit any address space."""
    cdef int64_t count = 1
    cdef int64_t limit = (<int64_t>1 << 46) // ITEMSIZE[kind]
    cdef int d
    cdef bint empty = False
    for d in range(ndim):
        if dims[d] < 0:
            raise ValueError(f"negative dimensions are not allowed: {shape_text(ndim, dims)}")
        empty = empty or dims[d] == 0
    if empty:
        return 0
    for d in range(ndim):
        if dims[d] > limit // count:
            raise ValueError(
                f"array is too big: shape {shape_text(ndim, dims)} of {TYPES[kind]} is larger than the maximum possible size"
            )
        count *= dims[d]
    return count


cdef str shape_text(int ndim, const int64_t* dims):
    return str(tuple([dims[d] for d in range(ndim)]))


cdef Body* take_body(Queue* queue, int kind, int ndim, const int64_t* dims) except NULL:
    cdef int64_t size = 1
    cdef int d, room
    cdef bint odd = False
    for d in range(ndim):
        odd |= dims[d] < 0 or dims[d] > <int64_t>1 << 31
        size *= dims[d]
        odd |= size > <int64_t>1 << 31
    if odd:
        size = count_elements(ndim, dims, kind)   # the careful way, with its errors
    room = room_of(size * ITEMSIZE[kind])
    cdef Body* body = <Body*>queue.free_bodies[room]
    if body is NULL:
        body = new_body(queue, room)
    else:
        queue.free_bodies[room] = body.next
    allocated[queue.device] += room_bytes(room)
    if allocated[queue.device] > peak_allocated[queue.device]:
        peak_allocated[queue.device] = allocated[queue.device]
    if body.handle is not NULL and fits(body, kind, ndim, dims):
        return body                               # nothing to fill in, and its handle is good
    drop_handle(body)
    body.kind, body.ndim, body.size = kind, ndim, size
    body.flags = CONTIGUOUS
    size = 1
    for d in range(ndim - 1, -1, -1):
        body.dims[d] = dims[d]
        body.steps[d] = size
        size *= dims[d] if dims[d] > 0 else 1
    return body


cdef inline bint fits(const Body* body, int kind, int ndim, const int64_t* dims) noexcept:
    if body.kind != kind or body.ndim != ndim or not body.flags & CONTIGUOUS:
        return False
    for d in range(ndim):
        if body.dims[d] != dims[d]:
            return False
    return True


cdef Body* new_body(Queue* queue, int room) except NULL:
    cdef Body* body = <Body*>calloc(1, sizeof(Body))
    if body is NULL:
        raise MemoryError
    body.owner, body.queue, body.refs, body.room, body.format = body, queue, 1, room, ACL_FORMAT_ND
    address = <uintptr_t>queue
    if address not in queues_seen:
        queues_seen.append(address)
    try:
        if room_bytes(room) <= LARGEST_CUT:
            cut(body, queue.device, room_bytes(room))
        else:
            body.data = allocate(queue.device, room_bytes(room))
    except BaseException:
        free(body)
        raise
    return body


cdef int cut(Body* body, int device, int64_t nbytes) except -1:
    """Give `body` a block from a segment."""
    cdef Segment* segment = segments[device]
    if segment is NULL or segment.used + nbytes > segment.size:
        segment = <Segment*>calloc(1, sizeof(Segment))
        if segment is NULL:
            raise MemoryError
        try:
            segment.base = allocate(device, SEGMENT_SIZE)
        except BaseException:
            free(segment)
            raise
        segment.size = SEGMENT_SIZE
        segment.next = segments[device]
        segments[device] = segment
    body.data = <char*>segment.base + segment.used
    body.segment = segment
    segment.used += nbytes
    segment.blocks += 1
    return 0


cdef void* allocate(int device, int64_t nbytes) except NULL:
    """aclrtMalloc; when the device is full, once more after the cached memory was given back."""
    cdef void* data = NULL
    current_queue(device)
    cdef int status = error.library.acl.aclrtMalloc(&data, nbytes, ACL_MEM_MALLOC_HUGE_FIRST)
    if status != 0:
        empty_cache(device)
        current_queue(device)
        status = error.library.acl.aclrtMalloc(&data, nbytes, ACL_MEM_MALLOC_HUGE_FIRST)
        if status == 207001 or status == 200001:
            raise out_of_memory(device, nbytes, status)
        check(status)
    reserved[device] += nbytes
    return data


def out_of_memory(int device, nbytes, status):
    cdef size_t free_bytes = 0, total = 0
    error.library.acl.aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total)
    return DeviceMemoryError(
        f"out of memory on npu:{device}: {nbytes} bytes asked for, {free_bytes} of {total} free, {allocated[device]} in "
        "use by arrays. Free arrays, work in smaller pieces, or raise PYASC_EMBEDDED_MEMORY on the embedded device.",
        status,
    )


cdef Body* view_body(Body* base) except NULL:
    global spare_views
    cdef Body* body = spare_views
    if body is not NULL:
        spare_views = body.next
    else:
        body = <Body*>calloc(1, sizeof(Body))
        if body is NULL:
            raise MemoryError
    body.owner, body.data, body.offset, body.kind = base.owner, base.data, base.offset, base.kind
    body.queue, body.size, body.ndim = base.owner.queue, 1, 0
    body.handle = NULL
    body.format = base.format
    body.flags = CONTIGUOUS | (base.flags & READONLY)
    base.owner.refs += 1
    return body

cdef Body* spare_views = NULL


cdef void release(Body* body) noexcept:
    """One reference less; `refs` of an owner stays 1 in the list."""
    global spare_views
    cdef Body* owner = body.owner
    if body is not owner:
        drop_handle(body)
        body.next = spare_views
        spare_views = body
    if owner.refs > 1:
        owner.refs -= 1
        return
    if owner.exporter is not NULL:
        drop_handle(owner)
        Py_DECREF(<object><PyObject*>owner.exporter)
        free(owner)
        return
    allocated[owner.queue.device] -= room_bytes(owner.room)
    if owner.foreign is not NULL and not settle(owner):
        return                                    # another stream may still use it: better lost than shared
    if owner.format != ACL_FORMAT_ND or owner.flags & (READONLY | PRIVATE):
        owner.format = ACL_FORMAT_ND
        owner.flags = owner.flags & ~(READONLY | PRIVATE)
        drop_handle(owner)
    owner.next = <Body*>owner.queue.free_bodies[owner.room]
    owner.queue.free_bodies[owner.room] = owner


cdef bint settle(Body* owner) noexcept:
    """Let the body's own stream wait for the other one that used it."""
    if error.library.closed:
        return False
    try:
        queue_after(owner.queue, owner.foreign)
    except Exception:
        return False
    owner.foreign = NULL
    return True


cdef int touch(Body* body, Queue* queue) except -1:
    cdef Body* owner = body.owner
    if owner.queue is queue or owner.foreign is queue:
        return 0
    if owner.queue.device != queue.device:
        raise ValueError(
            f"arrays are on different devices: npu:{owner.queue.device} and npu:{queue.device}; "
            f"move one with x.to('npu:{queue.device}')"
        )
    if owner.foreign is not NULL:
        queue_after(owner.queue, owner.foreign)
    owner.foreign = queue
    return 0


cdef inline void drop_handle(Body* body) noexcept:
    if body.handle is not NULL:
        if not error.library.closed:
            error.library.acl.aclDestroyTensor(body.handle)
        body.handle = NULL


cdef const aclTensor* handle(Body* body) except NULL:
    """The aclTensor of the body; kept until the body's layout changes."""
    cdef int64_t storage
    if body.handle is NULL:
        if body.flags & REVERSED:
            raise SystemError("a reversed view reached the device; it must be copied with aclnnFlip first")
        if body.flags & PRIVATE:
            raise TypeError("the array is in a private layout of the chip; convert it first, with x.to_format('ND')")
        storage = storage_elements(body)
        body.handle = error.library.acl.aclCreateTensor(
            body.dims, body.ndim, ACL_TYPE[body.kind], body.steps, body.offset, <aclFormat>body.format, &storage, 1, body.data)
        if body.handle is NULL:
            raise MemoryError("aclCreateTensor failed")
    return body.handle


cdef int64_t storage_elements(Body* body) noexcept:
    if body.owner.exporter is not NULL:
        return body.owner.size
    return room_bytes(body.owner.room) // ITEMSIZE[body.kind]


cdef void set_flags(Body* body) noexcept:
    cdef int64_t expect = 1
    cdef int d
    cdef bint contiguous = True
    body.flags = body.flags & READONLY
    for d in range(body.ndim - 1, -1, -1):
        if body.dims[d] != 1:
            if body.steps[d] != expect:
                contiguous = False
            if body.steps[d] < 0:
                body.flags |= REVERSED
        elif body.steps[d] < 0:
            body.steps[d] = -body.steps[d]        # says nothing, but no aclTensor may have it
        expect *= body.dims[d]
    if contiguous or body.size == 0:
        body.flags |= CONTIGUOUS
    if body.size == 0:
        body.flags &= ~REVERSED
        for d in range(body.ndim):
            if body.steps[d] < 0:
                body.steps[d] = -body.steps[d]


cdef int kind_of(object dtype) except -1:
    kind = KIND_OF.get(dtype) if type(dtype) is np.dtype else None
    if kind is not None:
        return kind
    cdef object found = np.dtype(dtype)
    kind = KIND_OF.get(found)
    if kind is None and found.byteorder not in "=|":
        kind = KIND_OF.get(found.newbyteorder("="))
    if kind is None:
        raise TypeError(
            f"dtype {found!s} has no place on a device: pyasc has bool, int8 to int64, uint8 to uint64, float16, bfloat16, "
            "float32, float64, complex64 and complex128"
        )
    return kind


def memory_stats(device=None):
    """Bytes of device memory.

    Parameters
    ----------
    device : Device, str or int, optional
        The current device by default.

    Returns
    -------
    dict
        ``allocated`` (held by arrays), ``peak_allocated`` (its maximum since the start or
        `reset_peak_memory_stats`), ``reserved`` (taken from the device, cached memory included).
    """
    cdef int i = device_index(device)
    return {"allocated": allocated[i], "peak_allocated": peak_allocated[i], "reserved": reserved[i]}


def reset_peak_memory_stats(device=None):
    """Let ``peak_allocated`` start again from what is allocated now."""
    cdef int i = device_index(device)
    peak_allocated[i] = allocated[i]


def memory_info(device=None):
    """Free and total bytes of the device, as the device itself says.

    Returns
    -------
    tuple of int
    """
    cdef size_t free_bytes = 0, total = 0
    current_queue(device_index(device))
    check(error.library.acl.aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total))
    return free_bytes, total


def empty_cache(device=None):
    """Give cached memory that no array holds back to the device (waits for the streams that used it)."""
    cdef int index = device_index(device)
    cdef Queue* queue
    cdef Segment* segment
    for address in queues_seen:
        queue = <Queue*><uintptr_t>address
        if queue.device == index:
            synchronize_queue(queue)
    segment = segments[index]
    while segment is not NULL:
        segment.idle = 0
        segment = segment.next
    for address in queues_seen:
        queue = <Queue*><uintptr_t>address
        if queue.device == index:
            sweep(queue, False)
    for address in queues_seen:
        queue = <Queue*><uintptr_t>address
        if queue.device == index:
            sweep(queue, True)
    free_idle_segments(index)


cdef int sweep(Queue* queue, bint drop) except -1:
    """First pass: free large blocks and count the small ones of each segment. Second: drop those of idle segments."""
    cdef Body* body
    cdef Body* following
    cdef Body* kept
    cdef int room
    for room in range(ROOM_CLASSES):
        body = <Body*>queue.free_bodies[room]
        kept = NULL
        while body is not NULL:
            following = body.next
            if body.segment is NULL:
                drop_handle(body)
                check(error.library.acl.aclrtFree(body.data))
                reserved[queue.device] -= room_bytes(room)
                free(body)
            elif drop and body.segment.idle == body.segment.blocks:
                drop_handle(body)
                free(body)
            else:
                if not drop:
                    body.segment.idle += 1
                body.next = kept
                kept = body
            body = following
        queue.free_bodies[room] = kept
    return 0


cdef int free_idle_segments(int device) except -1:
    cdef Segment* segment = segments[device]
    cdef Segment* following
    segments[device] = NULL
    while segment is not NULL:
        following = segment.next
        if segment.idle == segment.blocks:
            check(error.library.acl.aclrtFree(segment.base))
            reserved[device] -= segment.size
            free(segment)
        else:
            segment.next = segments[device]
            segments[device] = segment
        segment = following
    return 0


cdef class PinnedMemory:
    """Host memory that a device can copy from and to while the host goes on; exports the buffer protocol."""
    cdef void* data
    cdef readonly Py_ssize_t nbytes

    def __init__(self, Py_ssize_t nbytes):
        if self.data is not NULL:
            return
        if nbytes < 0:
            raise ValueError(f"a negative number of bytes: {nbytes}")
        get_library()
        current_queue(-1)
        check(error.library.acl.aclrtMallocHost(&self.data, max(nbytes, 1)))
        self.nbytes = nbytes

    def __dealloc__(self):
        if self.data is not NULL and not error.library.closed:
            error.library.acl.aclrtFreeHost(self.data)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.data, self.nbytes, 0, flags)


def supported_dtypes():
    """The dtypes an array can have, as a set-like view."""
    return KIND_OF.keys()

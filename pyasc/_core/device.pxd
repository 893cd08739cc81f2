"""Devices, streams and events."""

from libc.stdint cimport int64_t

from pyasc._core.acl cimport aclrtEvent, aclrtStream

cdef enum:
    ROOM_CLASSES = 512
    MAX_DEVICES = 64


# A stream, and the free memory that is safe to use again in its order (memory.pyx). Queues live until the process ends:
# a Stream that dies leaves its queue to the next Stream of that device.
cdef struct Queue:
    aclrtStream handle
    int device
    void* free_bodies[ROOM_CLASSES]
    char* ring                                    # pinned: values on their way into single elements; null until used
    int ring_at                                   # the next free place in it
    Queue* next_idle


cdef class Device:
    cdef readonly int index
    cdef list restore


cdef class Stream:
    cdef Queue* queue
    cdef list restore


cdef class Event:
    cdef aclrtEvent handle
    cdef int device
    cdef bint timing
    cdef int create(self, int device, unsigned int flags) except -1


# The current stream of `device` (-1: the device the thread chose), with that device's context current on this thread.
cdef Queue* current_queue(int device) except NULL
cdef int synchronize_queue(Queue* queue) except -1
cdef int device_index(object device) except -2     # Device, "npu:1", int or None -> index
cdef int queue_after(Queue* waiting, Queue* done) except -1

"""Devices, streams and events."""

cimport cython
from libc.stdlib cimport calloc
from libc.stdint cimport int64_t

from pyasc._core.acl cimport (
    ACL_EVENT_RECORDED_STATUS_COMPLETE, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE, ACL_STREAM_STATUS_COMPLETE,
    aclrtEventRecordedStatus, aclrtStreamStatus,
)
from pyasc._core cimport error
from pyasc._core.error cimport check, get_library

from pyasc._core.error import UnsupportedError, is_embedded

cdef extern from "thread.h" namespace "pyasc" nogil:
    cdef cppclass ThreadState:
        int device
        int chosen
        void** queues
    ThreadState& thread_state()

cdef int count = -1                               # of devices; -1: not asked yet
cdef Queue* default_queues[MAX_DEVICES]
cdef Queue* idle_queues[MAX_DEVICES]              # left by Streams that died
cdef int64_t synchronizations = 0


def get_device_count():
    """Number of devices.

    Returns
    -------
    int
    """
    global count
    cdef unsigned int found = 0
    if count < 0:
        check(get_library().acl.aclrtGetDeviceCount(&found))
        count = min(<int>found, MAX_DEVICES)
    return count


cdef int check_index(int64_t index) except -1:
    cdef int n = get_device_count()
    if 0 <= index < n:
        return 0
    raise ValueError(
        f"device {index} does not exist: there {'is 1 device' if n == 1 else f'are {n} devices'}, numbered from 0. "
        "PYASC_EMBEDDED_DEVICES sets the number of embedded devices, ASCEND_RT_VISIBLE_DEVICES hides NPUs."
    )


cdef int device_index(object device) except -2:
    if device is None:
        return thread_state().chosen
    if isinstance(device, Device):
        return (<Device>device).index
    if isinstance(device, str):
        name, colon, number = device.partition(":")
        if name != "npu" or (colon and not number.isdecimal()):
            raise ValueError(f"{device!r} is not a device; devices are named 'npu' or 'npu:<number>', such as 'npu:0'")
        index = int(number) if colon else thread_state().chosen
    else:
        index = device.__index__()
    check_index(index)
    return index


cdef int set_context(int device) except -1:
    """Make the device's context current on this thread."""
    check_index(device)
    check(get_library().acl.aclrtSetDevice(device))
    thread_state().device = device
    return 0


cdef Queue* current_queue(int device) except NULL:
    cdef ThreadState* state = &thread_state()
    if device < 0:
        device = state.chosen
    if state.device != device:
        set_context(device)
    cdef Queue* queue = <Queue*>state.queues[device]
    if queue is NULL:
        if default_queues[device] is NULL:
            default_queues[device] = new_queue(device)
        queue = default_queues[device]
        state.queues[device] = queue
    return queue


cdef Queue* new_queue(int device) except NULL:
    if thread_state().device != device:
        set_context(device)
    cdef Queue* queue = <Queue*>calloc(1, sizeof(Queue))
    if queue is NULL:
        raise MemoryError
    queue.device = device
    check(get_library().acl.aclrtCreateStream(&queue.handle))
    return queue


cdef int synchronize_queue(Queue* queue) except -1:
    global synchronizations
    cdef int status
    synchronizations += 1
    current_queue(queue.device)                   # a context of its device
    with nogil:
        status = error.library.acl.aclrtSynchronizeStream(queue.handle)
    return check(status)


cdef int queue_after(Queue* waiting, Queue* done) except -1:
    """What `waiting` is given from now on runs after all that `done` has been given so far."""
    cdef Event event = Event.__new__(Event)
    current_queue(done.device)
    event.create(done.device, ACL_EVENT_SYNC)
    check(error.library.acl.aclrtRecordEvent(event.handle, done.handle))
    current_queue(waiting.device)
    return check(error.library.acl.aclrtStreamWaitEvent(waiting.handle, event.handle))


def synchronization_count():
    """How often this process has waited for a stream or device."""
    return synchronizations


def synchronize(device=None):
    """Wait until a device has done all that was asked of it.

    Parameters
    ----------
    device : Device, str or int, optional
        The current device by default.

    Raises
    ------
    AclError
        If something that was queued failed.
    """
    global synchronizations
    cdef int index = device_index(device)
    cdef ThreadState* state = &thread_state()
    cdef int before = state.device
    cdef int status
    synchronizations += 1
    current_queue(index)
    with nogil:
        status = error.library.acl.aclrtSynchronizeDevice()
    if before >= 0 and before != index:
        set_context(before)
    check(status)


@cython.final
cdef class Device:
    """A device, by its number.

    Parameters
    ----------
    index : int or str
        ``1`` or ``"npu:1"``.

    Attributes
    ----------
    index : int
        The device's number.

    Raises
    ------
    ValueError
        If there is no such device.

    Examples
    --------
    >>> with pyasc.device(0):
    ...     x = pyasc.ones(3)
    """

    def __init__(self, index=0):
        self.index = device_index(index)
        self.restore = []

    def __enter__(self):
        self.restore.append(thread_state().chosen)
        thread_state().chosen = self.index
        return self

    def __exit__(self, *_):
        thread_state().chosen = self.restore.pop()

    def __str__(self):
        return f"npu:{self.index}"

    def __repr__(self):
        return f"<device npu:{self.index} ({'embedded' if is_embedded() else 'CANN'})>"

    def __eq__(self, other):
        if isinstance(other, Device):
            return self.index == (<Device>other).index
        if isinstance(other, str):
            return str(self) == other
        return NotImplemented

    def __hash__(self):
        return hash(str(self))

    def __index__(self):
        return self.index

    def __reduce__(self):
        return Device, (self.index,)

    @property
    def name(self):
        """str: The chip's name."""
        return get_library().acl.aclrtGetSocName().decode()

    def synchronize(self):
        """Wait until the device has done all that was asked of it."""
        synchronize(self)


def current_device():
    """The device that new arrays of this thread are made on.

    Returns
    -------
    Device
    """
    return Device(thread_state().chosen)


def set_device(device):
    """Make ``device`` the current one of this thread."""
    thread_state().chosen = device_index(device)


@cython.final
cdef class Stream:
    """A queue of work: what is put into it runs in order, beside other streams.

    Arrays are made in the order of the stream that is current when they are made; use ``Event`` or ``wait_stream``
    before another stream reads them.

    Parameters
    ----------
    device : Device, str or int, optional
        The current device by default.

    Examples
    --------
    >>> stream = pyasc.Stream()
    >>> with stream:
    ...     y = pyasc.exp(x)
    >>> stream.synchronize()
    """

    def __init__(self, device=None):
        cdef int index = device_index(device)
        check_index(index)
        if self.queue is not NULL:
            return
        if idle_queues[index] is not NULL:
            self.queue = idle_queues[index]
            idle_queues[index] = self.queue.next_idle
        else:
            self.queue = new_queue(index)
        self.restore = []

    def __dealloc__(self):
        if self.queue is not NULL:
            self.queue.next_idle = idle_queues[self.queue.device]
            idle_queues[self.queue.device] = self.queue

    def __enter__(self):
        cdef ThreadState* state = &thread_state()
        cdef int device = self.queue.device
        self.restore.append((<size_t>state.queues[device], state.chosen))
        state.queues[device] = self.queue
        state.chosen = device
        return self

    def __exit__(self, *_):
        cdef ThreadState* state = &thread_state()
        cdef size_t before
        before, state.chosen = self.restore.pop()
        state.queues[self.queue.device] = <void*>before

    @property
    def device(self):
        """Device: Where the stream runs."""
        return Device(self.queue.device)

    @property
    def ptr(self):
        """int: The ``aclrtStream``, for other libraries."""
        return <size_t>self.queue.handle

    def synchronize(self):
        """Wait until all that was put into the stream is done."""
        synchronize_queue(self.queue)

    def query(self):
        """Whether all that was put into the stream is done."""
        cdef aclrtStreamStatus status = <aclrtStreamStatus>0
        if error.library.acl.aclrtStreamQuery is NULL:
            raise UnsupportedError("aclrtStreamQuery is not in the library that was loaded")
        current_queue(self.queue.device)
        check(error.library.acl.aclrtStreamQuery(self.queue.handle, &status))
        return status == ACL_STREAM_STATUS_COMPLETE

    def record_event(self, Event event=None):
        """Record ``event`` (a new one by default) here and return it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, Event event not None):
        """Let what is put into the stream from now on wait for ``event``."""
        event.wait(self)

    def wait_stream(self, Stream other not None):
        """Let what is put into the stream from now on wait for all that ``other`` has been given."""
        queue_after(self.queue, other.queue)

    def __repr__(self):
        return f"<pyasc.Stream on npu:{self.queue.device}>"


@cython.final
cdef class Event:
    """A point in a stream, to wait for or to measure time between.

    Parameters
    ----------
    enable_timing : bool, optional
        Whether the event takes part in `elapsed_time`. True by default.
    """

    def __init__(self, enable_timing=True):
        self.timing = enable_timing

    def __dealloc__(self):
        if self.handle is not NULL and not error.library.closed:
            error.library.acl.aclrtDestroyEvent(self.handle)

    cdef int create(self, int device, unsigned int flags) except -1:
        check(get_library().acl.aclrtCreateEventWithFlag(&self.handle, flags))
        self.device = device
        return 0

    def record(self, Stream stream=None):
        """Mark all that has been put into ``stream`` (the current one by default)."""
        cdef Queue* queue = current_queue(-1) if stream is None else stream.queue
        current_queue(queue.device)
        if self.handle is NULL:
            self.create(queue.device, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE if self.timing else ACL_EVENT_SYNC)
        check(error.library.acl.aclrtRecordEvent(self.handle, queue.handle))

    def wait(self, Stream stream=None):
        """Let what is put into ``stream`` (the current one by default) from now on wait for the event."""
        cdef Queue* queue = current_queue(-1) if stream is None else stream.queue
        if self.handle is not NULL:               # never recorded: nothing to wait for
            current_queue(queue.device)
            check(error.library.acl.aclrtStreamWaitEvent(queue.handle, self.handle))

    def synchronize(self):
        """Wait until the stream has reached the event."""
        global synchronizations
        cdef int status
        if self.handle is not NULL:
            synchronizations += 1
            current_queue(self.device)
            with nogil:
                status = error.library.acl.aclrtSynchronizeEvent(self.handle)
            check(status)

    def query(self):
        """Whether the stream has reached the event (True if it was never recorded)."""
        cdef aclrtEventRecordedStatus status = <aclrtEventRecordedStatus>0
        if self.handle is NULL:
            return True
        if error.library.acl.aclrtQueryEventStatus is NULL:
            raise UnsupportedError("aclrtQueryEventStatus is not in the library that was loaded")
        check(error.library.acl.aclrtQueryEventStatus(self.handle, &status))
        return status == ACL_EVENT_RECORDED_STATUS_COMPLETE

    def elapsed_time(self, Event end not None):
        """Milliseconds from this event to ``end``; both must have been recorded and reached.

        Returns
        -------
        float
        """
        cdef float ms = 0
        if self.handle is NULL or end.handle is NULL:
            raise ValueError("elapsed_time needs two recorded events; call record() on both first")
        if not self.timing or not end.timing:
            raise ValueError("elapsed_time needs events made with enable_timing=True")
        check(error.library.acl.aclrtEventElapsedTime(&ms, self.handle, end.handle))
        return ms


def current_stream_handle(device=None):
    """The ``aclrtStream`` that calls on ``device`` use now, as an integer."""
    return <size_t>current_queue(device_index(device)).handle

"""One call of an aclnn operator: both phases, on the stream that is current."""

cimport cython
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libcpp cimport bool as cbool

from pyasc._core.acl cimport (
    ACL_BOOL, ACL_COMPLEX128, ACL_DOUBLE, ACL_INT64, ACL_UINT64, Arg, Operator, aclBoolArray,
    aclFloatArray, aclIntArray, aclScalarList, aclTensorList,
    aclOpExecutor, aclScalar, aclTensor,
)
from pyasc._core cimport error
from pyasc._core.ndarray cimport forward, hooks, ndarray, new_array, shape_of
from pyasc._core.device cimport Queue, current_queue, synchronize_queue
from pyasc._core.error cimport check, find_operator
from pyasc._core.memory cimport (
    ACL_TYPE, BOOL, COMPLEX64, FLOAT32, FLOAT64, MAX_DIMS, REVERSED, TYPES, Body, handle,
    kind_of, release, set_flags, touch, view_body,
)

import numpy as np

from pyasc._core.error import has_operator, soc_profile  # no-cython-lint: the first for those who choose a route

cdef extern from *:
    """
    // aclGetViewShape allocates with new[].
    static void delete_dims(int64_t* dims) { delete[] dims; }
    """
    void delete_dims(int64_t*) noexcept nogil

cdef enum:
    MAX_ARGS = 40

# (name, seconds) -> None, told of every call while set; for PYASC_TRACE and the profiler.
cdef object observer = None


def set_observer(function):
    """Call ``function(name)`` after every operator launch; None stops it. Returns the one before."""
    global observer
    before, observer = observer, function
    return before


# What says how a call goes on devices that do not take every dtype: (name, values, shapes) -> None if as it is, else
# what was done instead. Chosen when the library is known.
cdef object router = None
cdef object chooser = None
cdef bint routes_known = False


def set_route_chooser(function):
    """``function(profile)`` returns the router for a device's profile, or None; asked at the next call."""
    global chooser, router, routes_known
    chooser, router, routes_known = function, None, False


def has_routes():
    """Whether calls ask a router: the devices are of a kind that does not take every dtype."""
    global router, routes_known
    if not routes_known:
        error.get_library()
        router = chooser(soc_profile()) if chooser is not None else None
        routes_known = True
    return router is not None


cdef object routed(str name, tuple values, bint shapes):
    """What a router did in place of the call; None: nothing."""
    return router(name, values, shapes) if has_routes() else None


cdef int run(Operator* operator, const Arg* args, Queue* queue) except -1:
    """Neither phase blocks for long, so the GIL stays: releasing it costs more than the whole call."""
    cdef uint64_t size = 0
    cdef aclOpExecutor* executor = NULL
    check(operator.call(operator.plan, args, &size, &executor))
    if size == 0:
        check(operator.execute(NULL, 0, executor, queue.handle))
    else:
        run_with_workspace(operator, size, executor, queue)
    if observer is not None:
        observer(operator.name.decode())
    return 0


cdef int run_with_workspace(Operator* operator, uint64_t size, aclOpExecutor* executor, Queue* queue) except -1:
    cdef int64_t length = <int64_t>size
    cdef ndarray workspace                        # goes back to the pool of this stream: the next user is queued behind
    try:
        workspace = new_array(queue, 2, 1, &length)
    except BaseException:
        error.library.acl.aclDestroyAclOpExecutor(executor)
        raise
    return check(operator.execute(workspace.body.data, size, executor, queue.handle))


cdef aclScalar* make_scalar(object value, int kind) except NULL:
    cdef double[2] real
    cdef int64_t whole
    cdef uint64_t large
    cdef cbool truth
    cdef aclScalar* scalar
    if kind < 0:
        kind = scalar_kind(value)
    if kind == BOOL:
        truth = bool(value)
        scalar = error.library.acl.aclCreateScalar(&truth, ACL_BOOL)
    elif kind < 9:
        if value > 0x7FFFFFFFFFFFFFFF:
            large = value
            scalar = error.library.acl.aclCreateScalar(&large, ACL_UINT64)
        else:
            whole = value
            scalar = error.library.acl.aclCreateScalar(&whole, ACL_INT64)
    elif kind < COMPLEX64:
        real[0] = value
        scalar = error.library.acl.aclCreateScalar(real, ACL_DOUBLE)
    else:
        value = complex(value)
        real[0], real[1] = value.real, value.imag
        scalar = error.library.acl.aclCreateScalar(real, ACL_COMPLEX128)
    if scalar is NULL:
        raise MemoryError("aclCreateScalar failed")
    return scalar


cdef int scalar_kind(object value) except -1:
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return 7
    if isinstance(value, float):
        return FLOAT64
    if isinstance(value, complex):
        return COMPLEX64 + 1
    if isinstance(value, np.generic):
        return kind_of(value.dtype)
    raise TypeError(f"a scalar is needed, not {type(value).__name__}")


cdef void drop_scalar(aclScalar* scalar) noexcept:
    error.library.acl.aclDestroyScalar(scalar)


# ---- any operator, with arguments as Python has them


@cython.final
cdef class Arguments:
    """The arguments of phase 1, and what was made for them and must be destroyed after phase 2."""
    cdef Arg[MAX_ARGS] args
    cdef list made                                # (letter, address)
    cdef list alive                               # arrays that must live until the launch
    cdef list outputs                             # (array, address of a handle of its own)
    cdef Queue* queue
    cdef Operator* operator

    def __dealloc__(self):
        cdef size_t address
        if error.library is NULL or error.library.closed or self.made is None:
            return
        for letter, number in self.made:
            address = number
            if letter == "T":
                error.library.acl.aclDestroyTensor(<aclTensor*>address)
            elif letter == "S":
                error.library.acl.aclDestroyScalar(<aclScalar*>address)
            elif letter == "I":
                error.library.acl.aclDestroyIntArray(<aclIntArray*>address)
            elif letter == "F":
                error.library.acl.aclDestroyFloatArray(<const aclFloatArray*>address)
            elif letter == "B":
                error.library.acl.aclDestroyBoolArray(<const aclBoolArray*>address)
            elif letter == "L":
                error.library.acl.aclDestroyTensorList(<const aclTensorList*>address)
            elif letter == "l":
                error.library.acl.aclDestroyScalarList(<const aclScalarList*>address)


cdef Arguments prepare(str name, tuple values, bint own_outputs):
    cdef Arguments a = Arguments.__new__(Arguments)
    cdef int i, n
    a.operator = find_operator(name)
    kinds = a.operator.kinds.decode()
    n = len(kinds)
    if len(values) != n:
        raise TypeError(f"{name} takes {n} arguments ({kinds}), {len(values)} were given")
    a.made, a.alive, a.outputs = [], [], []
    a.queue = current_queue(first_device(values))
    in_place = name.startswith("aclnnInplace") or name == "aclnnIndexPutImpl"
    for i in range(n):
        letter = kinds[i]
        if letter in "To":
            set_tensor(a, i, values[i], letter == "o" or (in_place and i == 0), own_outputs)
        elif letter == "L":
            set_tensor_list(a, i, values[i])
        else:
            set_value(a, i, letter, values[i])
    return a


cdef int first_device(tuple values) except -2:
    for value in values:
        if isinstance(value, ndarray):
            return (<ndarray>value).body.owner.queue.device
        if isinstance(value, (list, tuple)) and len(value) and isinstance(value[0], ndarray):
            return (<ndarray>value[0]).body.owner.queue.device
    return -1


cdef int set_tensor(Arguments a, int i, object value, bint written, bint own_outputs) except -1:
    cdef ndarray x
    a.args[i].p = NULL
    if value is None:
        return 0
    x = <ndarray?>value
    touch(x.body, a.queue)
    if not written:
        x = forward(x)
        a.alive.append(x)
        a.args[i].p = handle(x.body)
    elif own_outputs:                             # the operator may rewrite the view shape of this handle
        a.args[i].p = own_handle(a, x)
        a.outputs.append((x, <size_t>a.args[i].p))
    else:
        a.args[i].p = handle(x.body)
    return 0


cdef const aclTensor* own_handle(Arguments a, ndarray x) except NULL:
    cdef const aclTensor* made = fresh_handle(x.body)
    a.made.append(("T", <size_t>made))
    return made


cdef const aclTensor* fresh_handle(Body* body) except NULL:
    """A handle that nobody else holds."""
    cdef const aclTensor* before = body.handle
    cdef const aclTensor* made
    body.handle = NULL
    try:
        made = handle(body)
    finally:
        body.handle = <aclTensor*>before
    return made


cdef int set_tensor_list(Arguments a, int i, object values) except -1:
    """A list owns its elements, so each gets a handle of its own."""
    cdef Py_ssize_t n = len(values)
    cdef const aclTensor** handles = <const aclTensor**>malloc(max(n, 1) * sizeof(void*))
    cdef ndarray x
    cdef Py_ssize_t k = 0
    cdef void* made
    if handles is NULL:
        raise MemoryError
    try:
        for value in values:
            x = <ndarray?>value
            touch(x.body, a.queue)
            x = forward(x)
            handles[k] = fresh_handle(x.body)
            a.alive.append(x)
            k += 1
        made = <void*>error.library.acl.aclCreateTensorList(handles, n)
        if made is NULL:
            raise MemoryError("aclCreateTensorList failed")
    except BaseException:
        for j in range(k):
            error.library.acl.aclDestroyTensor(handles[j])
        raise
    finally:
        free(handles)
    a.args[i].p = made
    a.made.append(("L", <size_t>made))
    return 0


cdef int set_value(Arguments a, int i, str letter, object value) except -1:
    cdef void* made
    if letter == "b":
        a.args[i].i = bool(value)
    elif letter == "i":
        value = value.__index__()                 # uint64 arguments share the slot
        a.args[i].i = <int64_t><uint64_t>value if value > 0x7FFFFFFFFFFFFFFF else value
    elif letter == "f":
        a.args[i].f = value
    elif letter == "d":
        a.args[i].i = ACL_TYPE[kind_of(value)]
    elif value is None:
        a.args[i].p = NULL
    elif letter == "S":
        if type(value) is tuple:
            made = make_scalar(value[0], kind_of(value[1]))
        else:
            made = make_scalar(value, -1)
        a.args[i].p = made
        a.made.append(("S", <size_t>made))
    elif letter == "s":
        a.alive.append(value if isinstance(value, bytes) else value.encode())
        a.args[i].p = <const char*>a.alive[-1]
    elif letter in "IFB":
        made = make_values(letter, tuple(value))
        a.args[i].p = made
        a.made.append((letter, <size_t>made))
    else:
        raise TypeError(f"argument {i} of {a.operator.name.decode()} has kind {letter!r}, which has no Python form")
    return 0


cdef void* make_values(str letter, tuple values) except NULL:
    """An aclIntArray, aclFloatArray or aclBoolArray."""
    cdef Py_ssize_t n = len(values)
    cdef void* room = malloc(max(n, 1) * 8)
    cdef void* made
    if room is NULL:
        raise MemoryError
    try:
        for k, value in enumerate(values):
            if letter == "I":
                (<int64_t*>room)[k] = value.__index__()
            elif letter == "F":
                (<float*>room)[k] = value
            else:
                (<cbool*>room)[k] = bool(value)
        if letter == "I":
            made = error.library.acl.aclCreateIntArray(<int64_t*>room, n)
        elif letter == "F":
            made = error.library.acl.aclCreateFloatArray(<float*>room, n)
        else:
            made = error.library.acl.aclCreateBoolArray(<cbool*>room, n)
    finally:
        free(room)
    if made is NULL:
        raise MemoryError(f"an array of {n} values could not be made")
    return made


def call(str name, *values):
    """Launch the aclnn operator ``name``; the values are the arguments of its phase 1, in the header's order.

    Tensors are arrays (None: an optional one that is left out), lists are sequences, a scalar is a number or
    ``(number, dtype)``, a dtype is anything NumPy takes for one. Outputs must have the dtype and shape the operator
    writes.

    Raises
    ------
    ArgumentError
        If the operator refuses the arguments.
    UnsupportedError
        If the library has no such operator.
    """
    cdef Arguments a
    if (router is not None or not routes_known) and routed(name, values, False) is not None:
        return
    a = prepare(name, values, False)
    run(a.operator, a.args, a.queue)


def call_for_shapes(str name, *values):
    """As `call`, for an operator whose output shapes depend on the data: waits, and returns the outputs' shapes."""
    cdef Arguments a
    cdef int64_t* dims
    cdef uint64_t n
    cdef size_t address
    if router is not None or not routes_known:
        found = routed(name, values, True)
        if found is not None:
            return found
    a = prepare(name, values, True)
    run(a.operator, a.args, a.queue)
    synchronize_queue(a.queue)
    shapes = []
    for _, number in a.outputs:
        address = number
        dims = NULL
        check(error.library.acl.aclGetViewShape(<const aclTensor*>address, &dims, &n))
        shapes.append(tuple([dims[k] for k in range(n)]))
        delete_dims(dims)
    return shapes


# ---- copies and fills, whatever the layout


cdef Operator* COPY = NULL
cdef Operator* FILL = NULL
cdef Operator* FLIP = NULL


cdef int copy_body(Body* target, Body* source) except -1:
    """target[...] = source: cast, broadcast, any layout. The two must not overlap."""
    global COPY
    cdef Arg[2] args
    cdef Queue* queue
    if not broadcasts(source, target):
        raise ValueError(f"could not broadcast input array from shape {shape_of(source)} into shape {shape_of(target)}")
    if target.size == 0:
        return 0
    if target.flags & REVERSED or source.flags & REVERSED:
        return copy_reversed(target, source)
    if COPY is NULL:
        COPY = find_operator("aclnnInplaceCopy")
    queue = current_queue(target.owner.queue.device)
    touch(target, queue)
    touch(source, queue)
    args[0].p = handle(target)
    args[1].p = handle(source)
    return run(COPY, args, queue)


cdef bint broadcasts(const Body* source, const Body* target) noexcept:
    cdef int d, lead = target.ndim - source.ndim
    if lead < 0:
        return False
    for d in range(source.ndim):
        if source.dims[d] != target.dims[d + lead] and source.dims[d] != 1:
            return False
    return True


cdef int copy_reversed(Body* target, Body* source) except -1:
    """Where the target runs backwards turn both round; what still runs backwards in the source is flipped first."""
    cdef Body* to = view_body(target)
    cdef Body* of = NULL
    cdef ndarray flipped
    cdef int d, lead = target.ndim - source.ndim
    try:
        of = view_body(source)
        to.ndim, to.size = target.ndim, target.size
        of.ndim, of.size = source.ndim, source.size
        for d in range(source.ndim):
            of.dims[d], of.steps[d] = source.dims[d], source.steps[d]
        for d in range(target.ndim):
            to.dims[d], to.steps[d] = target.dims[d], target.steps[d]
            if to.steps[d] < 0:
                turn(to, d)
                if d >= lead:
                    turn(of, d - lead)
        set_flags(to)
        set_flags(of)
        if not of.flags & REVERSED:
            return copy_body(to, of)
        flipped = flip(of)
        return copy_body(to, flipped.body)
    finally:
        release(to)
        if of is not NULL:
            release(of)


cdef inline void turn(Body* view, int d) noexcept:
    """The same elements along axis d, from the other end."""
    view.offset += (view.dims[d] - 1) * view.steps[d]
    view.steps[d] = -view.steps[d]


cdef ndarray flip(Body* source):
    """The values of a view that runs backwards, in a fresh array (aclnnFlip: CANN has no negative strides)."""
    global FLIP
    cdef Arg[3] args
    cdef int64_t[MAX_DIMS] axes
    cdef int n = 0
    cdef Queue* queue = current_queue(source.owner.queue.device)
    cdef ndarray out = new_array(queue, source.kind, source.ndim, source.dims)
    cdef Body* straight = view_body(source)
    cdef Body* target = view_body(out.body)
    cdef aclIntArray* list_of_axes = NULL
    if FLIP is NULL:
        FLIP = find_operator("aclnnFlip")
    try:
        touch(source, queue)
        straight.ndim, straight.size = source.ndim, source.size
        for d in range(source.ndim):
            straight.dims[d], straight.steps[d] = source.dims[d], source.steps[d]
            if source.steps[d] < 0:
                turn(straight, d)
                axes[n] = d
                n += 1
        set_flags(straight)
        target.ndim, target.size = source.ndim, source.size
        for d in range(source.ndim):
            target.dims[d], target.steps[d] = out.body.dims[d], out.body.steps[d]
        set_flags(target)
        if 2 <= source.kind < 9 and source.kind & 1 == 0:   # bits move alike: chips know the signed types
            straight.kind = target.kind = source.kind - 1
        list_of_axes = error.library.acl.aclCreateIntArray(axes, n)
        args[0].p, args[1].p, args[2].p = handle(straight), list_of_axes, handle(target)
        run(FLIP, args, queue)
    finally:
        release(straight)
        release(target)
        if list_of_axes is not NULL:
            error.library.acl.aclDestroyIntArray(list_of_axes)
    return out


cdef int fill_body(Body* target, object value) except -1:
    """target[...] = a Python or NumPy scalar, converted as NumPy's assignment does."""
    global FILL
    cdef Arg[2] args
    cdef aclScalar* scalar
    cdef Body* straight
    cdef Queue* queue
    if not plain(value, target.kind):
        host = np.zeros((), TYPES[target.kind])   # NumPy's own rules and errors
        host[()] = value
        value = host[()]
    if target.size == 0:
        return 0
    if FILL is NULL:
        FILL = find_operator("aclnnInplaceFillScalar")
    queue = current_queue(target.owner.queue.device)
    touch(target, queue)
    if target.flags & REVERSED:
        straight = view_body(target)
        try:
            straight.ndim, straight.size = target.ndim, target.size
            for d in range(target.ndim):
                straight.dims[d], straight.steps[d] = target.dims[d], target.steps[d]
                if straight.steps[d] < 0:
                    turn(straight, d)
            set_flags(straight)
            return fill_body(straight, value)
        finally:
            release(straight)
    scalar = make_scalar(value, target.kind)
    try:
        args[0].p, args[1].p = handle(target), scalar
        run(FILL, args, queue)
    finally:
        drop_scalar(scalar)
    return 0


cdef inline bint plain(object value, int kind) noexcept:
    """Whether the value needs no conversion by NumPy."""
    if type(value) is float:
        return kind >= 9
    if type(value) is int:
        return kind >= FLOAT32 and -0x20000000000000 < value < 0x20000000000000 or (
            kind == 7 and -0x7FFFFFFFFFFFFFFF < value < 0x7FFFFFFFFFFFFFFF) or (
            kind == 5 and -0x80000000 <= value <= 0x7FFFFFFF)
    return False


hooks.copy = copy_body
hooks.fill = fill_body

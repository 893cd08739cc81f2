"""The class ndarray: a header around a body. Operators are bound from outside (op.pyx and the Python modules)."""

cimport cython
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.object cimport PyTypeObject
from libc.stdint cimport int64_t

from pyasc._core.acl cimport ACL_MEMCPY_DEVICE_TO_HOST
from pyasc._core cimport error
from pyasc._core.device cimport Queue, current_queue, device_index, synchronize_queue
from pyasc._core.element cimport copy_element, set_element
from pyasc._core.error cimport check
from pyasc._core.memory cimport (
    BFLOAT16, BOOL, CONTIGUOUS, FLOAT32, FLOAT64, ITEMSIZE, MAX_DIMS, PRIVATE, READONLY,
    REVERSED, TYPES, Body, bytes_at, count_elements, kind_of, release, set_flags, take_body, touch, view_body,
)
from pyasc._core.index cimport BASIC, ELEMENT, element_offset, parse_key

import numpy as np

from pyasc._core.device import Device

cdef extern from "Python.h":
    """
    static void add_to_type(PyTypeObject* type, PyObject* name, PyObject* value) {
        if (PyDict_SetItem(type->tp_dict, name, value) == 0) PyType_Modified(type);
    }
    """
    void add_to_type(PyTypeObject*, object, object)

# What the package's Python modules do for arrays, by name: "getitem", "setitem", "array_function", "array_ufunc", ...
cdef dict bound = {}
MISSING = object()                                # stands for an argument that was not given
# How often arrays went to the host without being asked to by name, and with.
cdef int64_t implicit_transfers = 0
cdef int64_t explicit_transfers = 0


def bind(**functions):
    """Give the array what it needs from the modules above it."""
    bound.update(functions)


def bind_methods(methods):
    """Add methods and properties, by name, to the class ``ndarray``."""
    for name, value in methods.items():
        add_to_type(<PyTypeObject*>ndarray, name, value)


def transfer_counts():
    """(implicit, explicit): how often arrays were copied to the host."""
    return implicit_transfers, explicit_transfers


def count_transfer(bint implicit):
    """Count a copy to the host that a module above made."""
    global implicit_transfers, explicit_transfers
    if implicit:
        implicit_transfers += 1
    else:
        explicit_transfers += 1


cdef ndarray wrap(Body* body):
    cdef ndarray out = ndarray.__new__(ndarray)
    out.body = body
    return out


cdef ndarray new_array(Queue* queue, int kind, int ndim, const int64_t* dims):
    cdef ndarray out = ndarray.__new__(ndarray)
    out.body = take_body(queue, kind, ndim, dims)
    return out


cdef ndarray new_like(Queue* queue, int kind, Body* model):
    """The model's shape, and its order of dimensions as NumPy keeps it (order="K")."""
    cdef ndarray out = new_array(queue, kind, model.ndim, model.dims)
    if not model.flags & CONTIGUOUS and model.ndim > 1:
        order_like(out.body, model)
    return out


cdef void order_like(Body* body, const Body* model) noexcept:
    """Lay out `body` (gapless) so that its dimensions are ordered as those of `model`."""
    cdef int[MAX_DIMS] order
    cdef int i, j, d, n = body.ndim
    cdef int64_t step = 1
    for i in range(n):                            # insertion sort, stable, by descending size of step
        d, j = i, i - 1
        while j >= 0 and smaller_step(model, order[j], d):
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = d
    for i in range(n - 1, -1, -1):
        d = order[i]
        body.steps[d] = step
        step *= max(body.dims[d], 1)
    relabel(body)


cdef inline bint smaller_step(const Body* model, int a, int b) noexcept:
    cdef int64_t x = model.steps[a], y = model.steps[b]
    if model.dims[a] == 1 or model.dims[b] == 1 or x == 0 or y == 0:
        return False                              # such dimensions stay where they are
    return (x if x > 0 else -x) < (y if y > 0 else -y)


cdef void relabel(Body* body) noexcept:
    """After a change of layout: new flags, and no old handle."""
    set_flags(body)
    if body.handle is not NULL:
        error.library.acl.aclDestroyTensor(body.handle)
        body.handle = NULL


cdef ndarray contiguous(ndarray x):
    cdef ndarray out
    if x.body.flags & CONTIGUOUS:
        return x
    out = new_array(current_queue(x.body.owner.queue.device), x.body.kind, x.body.ndim, x.body.dims)
    hooks.copy(out.body, x.body)
    return out


cdef object shape_of(const Body* body):
    if body.ndim == 1:
        return (body.dims[0],)
    if body.ndim == 2:
        return (body.dims[0], body.dims[1])
    if body.ndim == 0:
        return ()
    return tuple([body.dims[d] for d in range(body.ndim)])


cdef bint same_dims(const Body* a, const Body* b) noexcept:
    if a.ndim != b.ndim:
        return False
    for d in range(a.ndim):
        if a.dims[d] != b.dims[d]:
            return False
    return True


cdef int parse_shape(object shape, int64_t* dims) except -1:
    """An int or a sequence of ints into `dims`; returns how many."""
    if type(shape) is int:
        dims[0] = shape
        return 1
    if hasattr(shape, "__index__") and not (isinstance(shape, ndarray) and (<ndarray>shape).body.ndim):
        dims[0] = shape.__index__()
        return 1
    try:
        shape = tuple(shape)
    except TypeError:
        raise TypeError(f"a shape is an integer or a sequence of integers, not {type(shape).__name__}") from None
    if len(shape) > MAX_DIMS:
        raise ValueError(f"maximum supported dimension for an ndarray is {MAX_DIMS}, found {len(shape)}")
    for d, n in enumerate(shape):
        try:
            dims[d] = n.__index__()
        except AttributeError:
            raise TypeError(f"'{type(n).__name__}' object cannot be interpreted as an integer") from None
        except OverflowError:
            raise ValueError(f"array is too big: dimension {n} does not fit 64 bits") from None
    return len(shape)


cdef void byte_range(Body* body, const char** first, const char** last) noexcept:
    """[first, last): the bytes the array touches; empty if it has no elements."""
    cdef int64_t low = 0, high = 0, reach
    cdef int64_t item = ITEMSIZE[body.kind]
    for d in range(body.ndim):
        reach = (body.dims[d] - 1) * body.steps[d]
        if reach < 0:
            low += reach
        else:
            high += reach
    first[0] = bytes_at(body) + low * item
    last[0] = first[0] if body.size == 0 else bytes_at(body) + (high + 1) * item


cdef bint may_overlap(Body* a, Body* b) noexcept:
    """Whether two arrays may share an element other than each with itself in the same place."""
    cdef const char* a0
    cdef const char* a1
    cdef const char* b0
    cdef const char* b1
    if a.owner is not b.owner and a.owner.exporter is NULL and b.owner.exporter is NULL:
        return False
    if a.offset == b.offset and a.data is b.data and a.kind == b.kind and same_dims(a, b):
        for d in range(a.ndim):
            if a.steps[d] != b.steps[d] and a.dims[d] != 1:
                break
        else:
            return False
    byte_range(a, &a0, &a1)
    byte_range(b, &b0, &b1)
    return a0 < b1 and b0 < a1


cdef int read_bytes(Body* body, void* target, int64_t nbytes) except -1:
    """Wait for the array and copy `nbytes` of its contiguous elements to the host."""
    cdef Queue* queue = current_queue(body.owner.queue.device)
    cdef const void* source = bytes_at(body)
    cdef int status
    touch(body, queue)
    with nogil:
        status = error.library.acl.aclrtMemcpyAsync(target, nbytes, source, nbytes, ACL_MEMCPY_DEVICE_TO_HOST, queue.handle)
    check(status)
    synchronize_queue(queue)
    return 0


cdef object to_host(ndarray x, bint implicit):
    """A NumPy array with the same values, dtype and order."""
    count_transfer(implicit)
    if x.body.ndim > 1 and not x.body.flags & CONTIGUOUS:
        turned = reversed_axes(x)
        if turned.body.flags & CONTIGUOUS:
            return read_host(turned).T
    return read_host(contiguous(x))


cdef object read_host(ndarray x):
    cdef Py_buffer buffer
    raw = np.empty(x.body.size * ITEMSIZE[x.body.kind], np.uint8)
    if x.body.size:
        PyObject_GetBuffer(raw, &buffer, PyBUF_WRITABLE)
        try:
            read_bytes(x.body, buffer.buf, buffer.len)
        finally:
            PyBuffer_Release(&buffer)
    return raw.view(TYPES[x.body.kind]).reshape(shape_of(x.body))


cdef ndarray reversed_axes(ndarray x):
    cdef Body* new = view_body(x.body)
    cdef int d, n = x.body.ndim
    new.ndim, new.size = n, x.body.size
    for d in range(n):
        new.dims[d] = x.body.dims[n - 1 - d]
        new.steps[d] = x.body.steps[n - 1 - d]
    set_flags(new)
    return wrap(new)


cdef object item_of(ndarray x):
    """The one element as a Python scalar."""
    cdef char[16] raw
    cdef Body* body = x.body
    if body.size != 1:
        raise TypeError(f"only length-1 arrays can be converted to Python scalars; this one has shape {shape_of(body)}")
    count_transfer(False)
    read_bytes(body, raw, ITEMSIZE[body.kind])
    if body.kind == FLOAT32:
        return (<float*>raw)[0]
    if body.kind == FLOAT64:
        return (<double*>raw)[0]
    if body.kind == BOOL:
        return raw[0] != 0
    value = np.frombuffer(raw[:ITEMSIZE[body.kind]], TYPES[body.kind])[0]
    return float(value) if body.kind == BFLOAT16 else value.item()


cdef int assign(Body* target, object value) except -1:
    """target[...] = value"""
    cdef ndarray source
    if target.flags & READONLY:
        raise ValueError("assignment destination is read-only")
    kind = type(value)
    if kind is float or kind is int or kind is bool or kind is complex:
        return hooks.fill(target, value)
    if kind is ndarray:
        source = <ndarray>value
    elif isinstance(value, np.generic) and not isinstance(value, np.void):
        return hooks.fill(target, value)
    else:
        source = bound["asarray_for"](value, TYPES[target.kind])
    if source.body.ndim > target.ndim:
        source = drop_leading(source, target)
    if may_overlap(target, source.body):
        source = source.copy()
    return hooks.copy(target, source.body)


cdef ndarray drop_leading(ndarray x, Body* target):
    """NumPy lets a value have more dimensions than its target, if the first ones have length 1."""
    cdef Body* new
    cdef int d, extra = x.body.ndim - target.ndim
    for d in range(extra):
        if x.body.dims[d] != 1:
            raise ValueError(
                f"could not broadcast input array from shape {shape_of(x.body)} into shape {shape_of(target)}"
            )
    new = view_body(x.body)
    new.ndim, new.size = target.ndim, x.body.size
    for d in range(target.ndim):
        new.dims[d], new.steps[d] = x.body.dims[d + extra], x.body.steps[d + extra]
    set_flags(new)
    return wrap(new)


@cython.final
@cython.freelist(512)
cdef class ndarray:
    """An array in device memory.

    Parameters
    ----------
    shape : int or tuple of int
        Lengths of the dimensions; at most 32 of them.
    dtype : dtype, optional
        Any of NumPy's bool, integer, float16/32/64 and complex64/128 types, or bfloat16. The default float by default.
    order : {"C", "F"}, optional
        Order of the elements in memory.

    Notes
    -----
    The elements are uninitialised. `zeros`, `array` and `from_numpy` are the usual ways to make an array.
    """

    def __init__(self, shape, dtype=None, *, order="C", device=None):
        cdef int64_t[MAX_DIMS] dims
        cdef int ndim
        if self.body is not NULL:
            return
        ndim = parse_shape(shape, dims)
        if order not in ("C", "F"):
            raise ValueError(f"order must be 'C' or 'F', got {order!r}")
        kind = kind_of(bound["default_dtype"]() if dtype is None else dtype)
        count_elements(ndim, dims, kind)
        self.body = take_body(current_queue(device_index(device)), kind, ndim, dims)
        if order == "F" and ndim > 1:
            dims_to_fortran(self.body)

    def __dealloc__(self):
        if self.body is not NULL:
            release(self.body)

    # ---- what it is

    @property
    def shape(self):
        """tuple of int: Lengths of the dimensions."""
        return shape_of(self.body)

    @shape.setter
    def shape(self, shape):
        cdef ndarray new = bound["reshape_view"](self, shape)
        if self.body.owner is self.body:          # the owner keeps its memory and takes over the new layout
            self.body.ndim = new.body.ndim
            for d in range(new.body.ndim):
                self.body.dims[d], self.body.steps[d] = new.body.dims[d], new.body.steps[d]
            relabel(self.body)
        else:
            self.body, new.body = new.body, self.body

    @property
    def dtype(self):
        """numpy.dtype: Type of the elements."""
        return TYPES[self.body.kind]

    @property
    def ndim(self):
        """int: Number of dimensions."""
        return self.body.ndim

    @property
    def size(self):
        """int: Number of elements."""
        return self.body.size

    @property
    def itemsize(self):
        """int: Bytes of one element."""
        return ITEMSIZE[self.body.kind]

    @property
    def nbytes(self):
        """int: Bytes of all elements."""
        return self.body.size * ITEMSIZE[self.body.kind]

    @property
    def strides(self):
        """tuple of int: Bytes from one element to the next, along each dimension."""
        item = ITEMSIZE[self.body.kind]
        return tuple([self.body.steps[d] * item for d in range(self.body.ndim)])

    @property
    def device(self):
        """Device: Where the array lives."""
        return Device(self.body.owner.queue.device)

    @property
    def T(self):
        """ndarray: View with the dimensions in reverse order."""
        return reversed_axes(self)

    @property
    def base(self):
        """ndarray or None: The array whose memory this one is a view of."""
        cdef Body* owner = self.body.owner
        if owner is self.body:
            return None
        cdef Body* new = view_body(owner)
        new.ndim, new.size, new.flags = owner.ndim, owner.size, owner.flags
        for d in range(owner.ndim):
            new.dims[d], new.steps[d] = owner.dims[d], owner.steps[d]
        return wrap(new)

    @property
    def _format(self):
        return self.body.format

    @_format.setter
    def _format(self, int value):
        self.body.format = value
        relabel(self.body)
        if value in (3, 4, 29, 32):               # NC1HWC0, FRACTAL_Z, FRACTAL_NZ, NDC1HWC0
            self.body.flags |= PRIVATE

    @property
    def _layout(self):
        """(contiguous, reversed, readonly) flags."""
        flags = self.body.flags
        return bool(flags & CONTIGUOUS), bool(flags & REVERSED), bool(flags & READONLY)

    def _lay_out(self, axes):
        """Order the memory of this fresh array so that the last of ``axes`` steps by one element."""
        cdef int64_t step = 1
        for d in reversed(axes):
            self.body.steps[d] = step
            step *= max(self.body.dims[d], 1)
        relabel(self.body)

    def _set_readonly(self, bint readonly):
        self.body.flags = self.body.flags | READONLY if readonly else self.body.flags & ~READONLY

    def data_ptr(self):
        """Address of the first element in device memory, as an integer."""
        return <size_t>bytes_at(self.body)

    # ---- elements

    def __getitem__(self, key):
        cdef Body* own = self.body
        cdef Body* new
        cdef int64_t offset = 0
        cdef int what = element_offset(own, key, &offset)
        cdef ndarray out
        if what == ELEMENT:                       # as NumPy, one element is a copy, not a view
            return wrap(copy_element(own, offset))
        new = view_body(own)
        out = wrap(new)
        if parse_key(own, key, new) == BASIC:
            return out
        return bound["getitem"](self, key)

    def __setitem__(self, key, value):
        cdef Body* own = self.body
        cdef int64_t offset = 0
        cdef Body* new
        cdef int what = element_offset(own, key, &offset)
        if what == ELEMENT and set_element(own, offset, value):
            return
        new = view_body(own)
        try:
            if what == ELEMENT:
                new.offset = offset
            elif parse_key(own, key, new) != BASIC:
                if own.flags & READONLY:
                    raise ValueError("assignment destination is read-only")
                bound["setitem"](self, key, value)
                return
            assign(new, value)
        finally:
            release(new)

    def __len__(self):
        if self.body.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.body.dims[0]

    def __iter__(self):
        if self.body.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.body.dims[0]))

    def __contains__(self, value):
        return bool((self == value).any())

    def __bool__(self):
        if self.body.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                if self.body.size else "The truth value of an empty array is ambiguous. Use `array.size > 0`"
            )
        return bool(item_of(self))

    def __float__(self):
        scalar_only(self)
        return float(item_of(self))

    def __int__(self):
        scalar_only(self)
        return int(item_of(self))

    def __complex__(self):
        scalar_only(self)
        return complex(item_of(self))

    def __index__(self):
        if self.body.ndim or not (0 < self.body.kind < 9):
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return item_of(self)

    def __hash__(self):
        if self.body.ndim:
            raise TypeError(f"unhashable type: 'pyasc.ndarray' of shape {shape_of(self.body)}; only 0-d arrays can be hashed")
        return hash(item_of(self))

    def __format__(self, spec):
        if self.body.ndim == 0:
            return format(self.item() if spec else self.numpy()[()], spec)
        if spec:
            raise TypeError("unsupported format string passed to pyasc.ndarray.__format__")
        return str(self)

    def __repr__(self):
        return bound["repr"](self)

    def __str__(self):
        return bound["str"](self)

    def item(self, *args):
        """The element at an index (by default the only one) as a Python scalar."""
        if not args:
            if self.body.size != 1:
                raise ValueError(f"can only convert an array of size 1 to a Python scalar; this one has shape {self.shape}")
            return item_of(self)
        return bound["item_at"](self, *args)

    def numpy(self):
        """The values as a NumPy array (waits for the device).

        Returns
        -------
        numpy.ndarray
            bfloat16 arrives as ``ml_dtypes.bfloat16``.
        """
        return to_host(self, False)

    def __array__(self, dtype=None, copy=None):
        # NumPy says copy=True for numpy.array(x) and nothing for numpy.asarray(x): the first is asked for by name.
        if copy is False:
            raise ValueError("a pyasc array cannot become a NumPy array without a copy: its memory is on the device")
        if copy is None:
            bound["implicit"](self)
        host = to_host(self, copy is None)
        return host if dtype is None else host.astype(dtype, copy=False)

    def _to_host(self, bint implicit):
        return to_host(self, implicit)

    def __array_ufunc__(self, ufunc, str method not None, x=MISSING, y=MISSING, *rest, **kwargs):
        # the first two by name: most calls then need no tuple
        return hooks.array_ufunc(ufunc, method, x, y, rest, kwargs)

    def __array_function__(self, function, types, args, kwargs):
        return bound["array_function"](function, types, args, kwargs)

    def __reduce__(self):
        return bound["rebuild"], (self.numpy(), self.body.format)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def copy(self, order="C"):
        """A copy in device memory.

        Parameters
        ----------
        order : {"C", "F", "A", "K"}, optional
        """
        cdef ndarray out
        cdef Queue* queue = current_queue(self.body.owner.queue.device)
        if order not in ("C", "F", "A", "K"):
            raise ValueError(f"order must be one of 'C', 'F', 'A' or 'K', got {order!r}")
        if order == "K":
            out = new_like(queue, self.body.kind, self.body)
        else:
            out = new_array(queue, self.body.kind, self.body.ndim, self.body.dims)
            if order == "F" or (order == "A" and not self.body.flags & CONTIGUOUS and is_fortran(self.body)):
                dims_to_fortran(out.body)
        if self.body.size:
            hooks.copy(out.body, self.body)
        out.body.format = self.body.format
        return out

    # ---- operators

    def __add__(self, other):
        return hooks.binary(ADD, self, other)

    def __radd__(self, other):
        return hooks.binary(ADD, other, self)

    def __iadd__(self, other):
        return hooks.inplace(ADD, self, other)

    def __sub__(self, other):
        return hooks.binary(SUBTRACT, self, other)

    def __rsub__(self, other):
        return hooks.binary(SUBTRACT, other, self)

    def __isub__(self, other):
        return hooks.inplace(SUBTRACT, self, other)

    def __mul__(self, other):
        return hooks.binary(MULTIPLY, self, other)

    def __rmul__(self, other):
        return hooks.binary(MULTIPLY, other, self)

    def __imul__(self, other):
        return hooks.inplace(MULTIPLY, self, other)

    def __truediv__(self, other):
        return hooks.binary(DIVIDE, self, other)

    def __rtruediv__(self, other):
        return hooks.binary(DIVIDE, other, self)

    def __itruediv__(self, other):
        return hooks.inplace(DIVIDE, self, other)

    def __floordiv__(self, other):
        return hooks.binary(FLOOR_DIVIDE, self, other)

    def __rfloordiv__(self, other):
        return hooks.binary(FLOOR_DIVIDE, other, self)

    def __ifloordiv__(self, other):
        return hooks.inplace(FLOOR_DIVIDE, self, other)

    def __mod__(self, other):
        return hooks.binary(REMAINDER, self, other)

    def __rmod__(self, other):
        return hooks.binary(REMAINDER, other, self)

    def __imod__(self, other):
        return hooks.inplace(REMAINDER, self, other)

    def __divmod__(self, other):
        return hooks.binary(DIVMOD, self, other)

    def __rdivmod__(self, other):
        return hooks.binary(DIVMOD, other, self)

    def __pow__(self, other, modulo):
        return NotImplemented if modulo is not None else hooks.binary(POWER, self, other)

    def __rpow__(self, other, modulo):
        return NotImplemented if modulo is not None else hooks.binary(POWER, other, self)

    def __ipow__(self, other):
        return hooks.inplace(POWER, self, other)

    def __lshift__(self, other):
        return hooks.binary(LEFT_SHIFT, self, other)

    def __rlshift__(self, other):
        return hooks.binary(LEFT_SHIFT, other, self)

    def __ilshift__(self, other):
        return hooks.inplace(LEFT_SHIFT, self, other)

    def __rshift__(self, other):
        return hooks.binary(RIGHT_SHIFT, self, other)

    def __rrshift__(self, other):
        return hooks.binary(RIGHT_SHIFT, other, self)

    def __irshift__(self, other):
        return hooks.inplace(RIGHT_SHIFT, self, other)

    def __and__(self, other):
        return hooks.binary(BITWISE_AND, self, other)

    def __rand__(self, other):
        return hooks.binary(BITWISE_AND, other, self)

    def __iand__(self, other):
        return hooks.inplace(BITWISE_AND, self, other)

    def __or__(self, other):
        return hooks.binary(BITWISE_OR, self, other)

    def __ror__(self, other):
        return hooks.binary(BITWISE_OR, other, self)

    def __ior__(self, other):
        return hooks.inplace(BITWISE_OR, self, other)

    def __xor__(self, other):
        return hooks.binary(BITWISE_XOR, self, other)

    def __rxor__(self, other):
        return hooks.binary(BITWISE_XOR, other, self)

    def __ixor__(self, other):
        return hooks.inplace(BITWISE_XOR, self, other)

    def __matmul__(self, other):
        return hooks.binary(MATMUL, self, other)

    def __rmatmul__(self, other):
        return hooks.binary(MATMUL, other, self)

    def __imatmul__(self, other):
        return hooks.inplace(MATMUL, self, other)

    def __neg__(self):
        return hooks.unary(NEGATIVE, self)

    def __pos__(self):
        return hooks.unary(POSITIVE, self)

    def __abs__(self):
        return hooks.unary(ABSOLUTE, self)

    def __invert__(self):
        return hooks.unary(INVERT, self)

    def __lt__(self, other):
        return hooks.binary(LESS, self, other)

    def __le__(self, other):
        return hooks.binary(LESS_EQUAL, self, other)

    def __eq__(self, other):
        return hooks.binary(EQUAL, self, other)

    def __ne__(self, other):
        return hooks.binary(NOT_EQUAL, self, other)

    def __gt__(self, other):
        return hooks.binary(GREATER, self, other)

    def __ge__(self, other):
        return hooks.binary(GREATER_EQUAL, self, other)


cdef int scalar_only(ndarray x) except -1:
    if x.body.ndim:
        raise TypeError(f"only 0-dimensional arrays can be converted to Python scalars; this one has shape {x.shape}")
    return 0


cdef bint is_fortran(const Body* body) noexcept:
    cdef int64_t expect = 1
    for d in range(body.ndim):
        if body.dims[d] != 1 and body.steps[d] != expect:
            return False
        expect *= body.dims[d]
    return True


cdef void dims_to_fortran(Body* body) noexcept:
    cdef int64_t step = 1
    for d in range(body.ndim):
        body.steps[d] = step
        step *= max(body.dims[d], 1)
    relabel(body)

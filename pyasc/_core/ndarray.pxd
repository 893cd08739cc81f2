"""The array: a header around a body."""

from libc.stdint cimport int64_t

from pyasc._core.device cimport Queue
from pyasc._core.memory cimport REVERSED, Body

# The operators behind Python's own; op.pyx says which is which.
cdef enum:
    ADD = 0
    SUBTRACT = 1
    MULTIPLY = 2
    DIVIDE = 3
    FLOOR_DIVIDE = 4
    REMAINDER = 5
    POWER = 6
    LEFT_SHIFT = 7
    RIGHT_SHIFT = 8
    BITWISE_AND = 9
    BITWISE_OR = 10
    BITWISE_XOR = 11
    LESS = 12
    LESS_EQUAL = 13
    EQUAL = 14
    NOT_EQUAL = 15
    GREATER = 16
    GREATER_EQUAL = 17
    NEGATIVE = 18
    POSITIVE = 19
    ABSOLUTE = 20
    INVERT = 21
    MATMUL = 22
    DIVMOD = 23


# What the layer above does for arrays; op.pyx fills it in when it is imported.
cdef struct Hooks:
    object (*binary)(int code, object x, object y)
    object (*inplace)(int code, object x, object y)
    object (*unary)(int code, object x)
    int (*copy)(Body* target, Body* source) except -1      # cast and broadcast; any layout
    int (*fill)(Body* target, object value) except -1      # a Python or NumPy scalar
    object (*array_ufunc)(object ufunc, str method, object x, object y, tuple rest, dict kwargs)

cdef Hooks hooks


cdef class ndarray:
    cdef Body* body
    cdef object __weakref__


cdef ndarray wrap(Body* body)
cdef ndarray new_array(Queue* queue, int kind, int ndim, const int64_t* dims)
cdef ndarray new_like(Queue* queue, int kind, Body* model)           # the model's shape and order ("K")
cdef ndarray contiguous(ndarray x)                                    # x itself, or a copy in C order
cdef inline ndarray forward(ndarray x):                               # without negative steps, which no aclTensor has
    return contiguous(x) if x.body.flags & REVERSED else x
cdef object shape_of(const Body* body)
cdef bint same_dims(const Body* a, const Body* b) noexcept
cdef int parse_shape(object shape, int64_t* dims) except -1           # returns ndim
cdef void byte_range(Body* body, const char** first, const char** last) noexcept
cdef bint may_overlap(Body* a, Body* b) noexcept
cdef bint is_fortran(const Body* body) noexcept
cdef void relabel(Body* body) noexcept                                # after a change of layout: flags, no old handle
cdef int read_bytes(Body* body, void* target, int64_t nbytes) except -1
cdef int assign(Body* target, object value) except -1

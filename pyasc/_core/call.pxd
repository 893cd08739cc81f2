"""One call of an aclnn operator: both phases, on the stream that is current."""

from libc.stdint cimport int64_t

from pyasc._core.acl cimport Arg, Operator, aclScalar
from pyasc._core.device cimport Queue
from pyasc._core.memory cimport Body

cdef object routed(str name, tuple values, bint shapes)
cdef int run(Operator* operator, const Arg* args, Queue* queue) except -1
cdef aclScalar* make_scalar(object value, int kind) except NULL  # kind -1: as Python or NumPy has it
cdef void drop_scalar(aclScalar* scalar) noexcept
cdef int copy_body(Body* target, Body* source) except -1
cdef int fill_body(Body* target, object value) except -1

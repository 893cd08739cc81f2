"""Single elements, read and written by copies of a few bytes."""

from libc.stdint cimport int64_t

from pyasc._core.memory cimport Body

cdef Body* copy_element(Body* own, int64_t offset) except NULL
cdef bint set_element(Body* own, int64_t offset, object value) except -1

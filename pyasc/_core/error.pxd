"""The library in use, and what its status codes become."""

from pyasc._core.acl cimport Library, Operator


cdef Library* library                             # null until the first use of a device
cdef Library* get_library() except NULL           # opens it if need be
cdef int check(int status) except -1 nogil        # an exception unless 0
cdef Operator* find_operator(str name) except NULL

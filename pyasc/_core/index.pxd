"""Basic indexing: from a key to a layout, without touching an element."""

from libc.stdint cimport int64_t

from pyasc._core.memory cimport Body

cdef enum:
    ADVANCED = 0                                  # the key has arrays, lists or bools in it
    BASIC = 1
    ELEMENT = 2

# ELEMENT with the offset of one element if `key` is an integer for each dimension, else 0.
cdef int element_offset(const Body* own, object key, int64_t* offset) except -1
# BASIC with the layout filled into the fresh view `new`, or ADVANCED.
cdef int parse_key(const Body* own, object key, Body* new) except -1

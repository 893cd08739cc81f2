"""The body of an array: layout, handle and memory, recycled whole; and the pool that recycles it."""

from libc.stdint cimport int64_t, uint8_t

from pyasc._core.acl cimport aclDataType, aclTensor
from pyasc._core.device cimport Queue

cdef enum:
    MAX_DIMS = 32
    KINDS = 15                                    # element types; index into TYPES
    BOOL = 0
    INT32 = 5
    INT64 = 7
    FLOAT32 = 11
    FLOAT64 = 12
    COMPLEX64 = 13
    COMPLEX128 = 14
    FLOAT16 = 9
    BFLOAT16 = 10

cdef enum:
    CONTIGUOUS = 1                                # flags: C order without gaps
    REVERSED = 2                                  # some step is negative: no aclTensor can describe it
    READONLY = 4
    PRIVATE = 8                                   # elements in a layout of the cube unit: only conversions understand it


# A piece of a large allocation, cut into small blocks.
cdef struct Segment:
    void* base
    int64_t size, used
    int blocks                                    # cut from it so far
    int idle                                      # of them in the free lists; only while empty_cache counts
    Segment* next


# Everything about one array. When an owner dies its body waits in the free list of its queue and size class with all
# of it intact, and the next result of the same type and shape takes it as it is. The GIL guards the lists. Work that
# uses the memory may still be queued then: whoever takes it next is queued behind that work.
cdef struct Body:
    Body* next                                    # in the free list
    Body* owner                                   # of the memory; itself if not a view
    Queue* queue                                  # in whose order the memory is used (of an owner)
    Queue* foreign                                # another stream that used it since (of an owner)
    Segment* segment                              # null: an allocation of its own
    void* data                                    # start of the block
    aclTensor* handle                             # made when first needed
    int64_t offset, size                          # in elements
    int refs                                      # the array and its views (of an owner)
    int room                                      # size class
    uint8_t kind, ndim, flags
    int format                                    # aclFormat tag; ACL_FORMAT_ND unless the user said otherwise
    void* exporter                                # PyObject* that owns foreign memory (of an owner), or null
    int64_t[MAX_DIMS] dims
    int64_t[MAX_DIMS] steps                       # in elements


cdef list TYPES                                   # numpy dtypes, by kind
cdef dict KIND_OF                                 # numpy dtype -> kind
cdef aclDataType[KINDS] ACL_TYPE
cdef int64_t[KINDS] ITEMSIZE

cdef Body* take_body(Queue* queue, int kind, int ndim, const int64_t* dims) except NULL   # contiguous
cdef Body* view_body(Body* base) except NULL      # same memory, 0-d so far: the caller fills in dims, steps, size, flags
cdef void release(Body* body) noexcept
cdef const aclTensor* handle(Body* body) except NULL
cdef int touch(Body* body, Queue* queue) except -1  # before work on `queue` uses it, if that is not the body's own queue
cdef void set_flags(Body* body) noexcept          # CONTIGUOUS and REVERSED from dims and steps
cdef int kind_of(object dtype) except -1          # anything NumPy takes as a dtype -> kind, or TypeError
cdef int64_t count_elements(int ndim, const int64_t* dims, int kind) except -1
cdef inline const char* bytes_at(Body* body) noexcept:
    return <const char*>body.data + body.offset * ITEMSIZE[body.kind]

"""The library in use, and what its status codes become."""

from libc.stdint cimport int32_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from pyasc._core.acl cimport Library, Operator


cdef Library* library = NULL
cdef list failures = []                           # why libraries that were tried before were not taken
cdef object opener = None                         # () -> list of library names, by preference; set by the package


class AclError(RuntimeError):
    """A call into the ACL library failed.

    Attributes
    ----------
    code : int
        The library's status code.
    """

    def __init__(self, message, code=0):
        super().__init__(message)
        self.code = code


class DeviceMemoryError(AclError, MemoryError):
    """The device has no memory left for the request."""


class ArgumentError(AclError, ValueError):
    """The library refused an argument."""


class UnsupportedError(AclError, NotImplementedError):
    """The library that was loaded, or the device, does not have what was asked for."""


# Codes of abi/acl_semantics.md and aclnn_convention.md that have a Python class of their own.
CLASSES = {
    100000: ArgumentError, 107000: ArgumentError, 107001: ArgumentError,
    161001: ArgumentError, 161002: ArgumentError,
    207001: DeviceMemoryError, 200001: DeviceMemoryError, 500000: DeviceMemoryError,
    207000: UnsupportedError, 561003: UnsupportedError,
}


def set_opener(function):
    """Say who chooses the library: ``function()`` returns a list of lists of names, the first that opens wins."""
    global opener
    opener = function


cdef Library* get_library() except NULL:
    if library is NULL:
        open_library()
    if library.closed:
        raise AclError("the device library is closed: the interpreter is shutting down")
    return library


def open_library():
    """Open the library that the opener names and initialise ACL; does nothing if one is open."""
    global library
    if library is not NULL:
        return
    cdef Library* found
    failures.clear()
    for names in opener():
        found = open_names(names)
        if found is not NULL:
            library = found
            return
    raise ImportError("no device library could be opened: " + "; ".join(failures))


def open_failures():
    """Why the libraries that were tried before the one in use were not taken."""
    return list(failures)


cdef Library* open_names(names):
    cdef vector[string] paths = [name.encode() for name in names]
    cdef string reason
    cdef Library* found = Library.open(paths, &reason)
    if found is NULL:
        failures.append(reason.decode())
        return NULL
    cdef int status = found.acl.aclInit(NULL)
    if status != 0 and status != 100002:          # 100002: somebody else in this process initialised it
        failures.append(f"aclInit of {names[0]} failed with {status}")
        return NULL
    found.initialised = status == 0
    cdef unsigned int count = 0
    status = found.acl.aclrtGetDeviceCount(&count)
    if status != 0 or count == 0:
        failures.append(f"{names[0]} opens, but no device answers (status {status}, {count} devices)")
        if found.initialised:
            found.acl.aclFinalize()
        return NULL
    return found


def is_open():
    """Whether a library has been opened."""
    return library is not NULL


def close_library():
    """Finalise ACL, if it was this package that initialised it. Nothing works afterwards."""
    if library is not NULL and not library.closed:
        library.closed = True
        if library.initialised:
            library.acl.aclFinalize()


cdef int check(int status) except -1 nogil:
    if status == 0:
        return 0
    with gil:
        raise_status(status)
    return -1


cdef int raise_status(int status) except -1:
    cdef const char* text = library.acl.aclGetRecentErrMsg()
    message = f"the ACL library returned error {status}"
    if text is not NULL:
        message = f"{text.decode(errors='replace').strip()} (error {status})"
    raise CLASSES.get(status, AclError)(message, status)


cdef Operator* find_operator(str name) except NULL:
    cdef Operator* found = get_library().find(name.encode())
    if found is NULL:
        raise UnsupportedError(
            f"{name} is not an operator pyasc knows; see include/aclnnop/operators.tsv and include/pyasc_ext.tsv"
        )
    if found.execute is NULL:
        raise UnsupportedError(f"{name} is not in the library that was loaded (CANN {cann_version()})")
    return found


def has_operator(str name):
    """Whether the library that is loaded has the operator ``name``.

    A library that plays a chip has none of the operators beside CANN's (include/pyasc_ext.tsv): no chip has them.
    """
    cdef Operator* found = get_library().find(name.encode())
    if found is NULL or found.execute is NULL:
        return False
    return not name.startswith("pyasc") or not (only_canns or plays_chip())


cdef bint only_canns = False


def keep_to_cann(bint only):
    """Whether operators beside CANN's count as absent, whatever the library has. Returns what held before."""
    global only_canns
    before, only_canns = only_canns, only
    return before


cdef bint plays_chip() except -1:
    """Whether the library keeps to what one chip has, which is not all it has."""
    return get_library().symbol("pyascSocProfile") is not NULL and soc_profile() != "unlimited"


def cann_version():
    """Version of the CANN interface that the library implements, such as ``8.1.0``."""
    cdef int32_t major = 0, minor = 0, patch = 0
    check(get_library().acl.aclrtGetVersion(&major, &minor, &patch))
    return f"{major}.{minor}.{patch}"


def soc_name():
    """Name of the chip as the library gives it, such as ``Ascend910B1``."""
    cdef const char* name = get_library().acl.aclrtGetSocName()
    return "" if name is NULL else name.decode()


def soc_profile():
    """Name of the chip whose operator support decides the routes; ``unlimited`` for one that takes every dtype."""
    cdef void* answer = get_library().symbol("pyascSocProfile")
    if answer is NULL:
        return soc_name()
    return (<const char* (*)() noexcept nogil>answer)().decode()


def is_embedded():
    """Whether the library is the embedded device; for messages only, never for decisions."""
    return get_library().symbol("pyascSocProfile") is not NULL


def operator_kinds(str name):
    """The argument letters of phase 1 of operator ``name``."""
    return find_operator(name).kinds.decode()

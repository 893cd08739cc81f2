"""Declarations only: the C interface as the headers of include/ have it."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "library.h" nogil:
    ctypedef void* aclrtStream
    ctypedef void* aclrtEvent
    ctypedef struct aclTensor
    ctypedef struct aclScalar
    ctypedef struct aclIntArray
    ctypedef struct aclFloatArray
    ctypedef struct aclBoolArray
    ctypedef struct aclTensorList
    ctypedef struct aclScalarList
    ctypedef struct aclOpExecutor
    ctypedef int aclDataType
    ctypedef int aclFormat
    ctypedef int aclrtMemMallocPolicy
    ctypedef int aclrtMemcpyKind
    ctypedef int aclrtMemAttr
    ctypedef int aclrtEventRecordedStatus
    ctypedef int aclrtStreamStatus
    ctypedef int aclSysParamOpt

    aclDataType ACL_BOOL, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_UINT32, ACL_INT64, ACL_UINT64
    aclDataType ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128
    aclFormat ACL_FORMAT_ND
    aclrtMemMallocPolicy ACL_MEM_MALLOC_HUGE_FIRST
    aclrtMemcpyKind ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE
    aclrtMemAttr ACL_HBM_MEM
    aclrtEventRecordedStatus ACL_EVENT_RECORDED_STATUS_COMPLETE
    aclrtStreamStatus ACL_STREAM_STATUS_COMPLETE
    int ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE

cdef extern from "library.h" namespace "pyasc" nogil:
    cdef struct Acl:
        int (*aclInit)(const char*) noexcept nogil
        int (*aclFinalize)() noexcept nogil
        const char* (*aclGetRecentErrMsg)() noexcept nogil
        int (*aclrtGetDeviceCount)(unsigned int*) noexcept nogil
        int (*aclrtSetDevice)(int) noexcept nogil
        int (*aclrtResetDevice)(int) noexcept nogil
        const char* (*aclrtGetSocName)() noexcept nogil
        int (*aclrtGetVersion)(int32_t*, int32_t*, int32_t*) noexcept nogil
        int (*aclrtMalloc)(void**, size_t, aclrtMemMallocPolicy) noexcept nogil
        int (*aclrtFree)(void*) noexcept nogil
        int (*aclrtMallocHost)(void**, size_t) noexcept nogil
        int (*aclrtFreeHost)(void*) noexcept nogil
        int (*aclrtMemcpy)(void*, size_t, const void*, size_t, aclrtMemcpyKind) noexcept nogil
        int (*aclrtMemcpyAsync)(void*, size_t, const void*, size_t, aclrtMemcpyKind, aclrtStream) noexcept nogil
        int (*aclrtMemset)(void*, size_t, int32_t, size_t) noexcept nogil
        int (*aclrtGetMemInfo)(aclrtMemAttr, size_t*, size_t*) noexcept nogil
        int (*aclrtSynchronizeDevice)() noexcept nogil
        int (*aclrtCreateStream)(aclrtStream*) noexcept nogil
        int (*aclrtDestroyStream)(aclrtStream) noexcept nogil
        int (*aclrtSynchronizeStream)(aclrtStream) noexcept nogil
        int (*aclrtStreamQuery)(aclrtStream, aclrtStreamStatus*) noexcept nogil
        int (*aclrtStreamWaitEvent)(aclrtStream, aclrtEvent) noexcept nogil
        int (*aclrtCreateEventWithFlag)(aclrtEvent*, unsigned int) noexcept nogil
        int (*aclrtDestroyEvent)(aclrtEvent) noexcept nogil
        int (*aclrtRecordEvent)(aclrtEvent, aclrtStream) noexcept nogil
        int (*aclrtSynchronizeEvent)(aclrtEvent) noexcept nogil
        int (*aclrtQueryEventStatus)(aclrtEvent, aclrtEventRecordedStatus*) noexcept nogil
        int (*aclrtEventElapsedTime)(float*, aclrtEvent, aclrtEvent) noexcept nogil
        int (*aclrtCtxSetSysParamOpt)(aclSysParamOpt, int64_t) noexcept nogil
        int (*aclrtDeviceCanAccessPeer)(int32_t*, int32_t, int32_t) noexcept nogil
        int (*aclrtDeviceEnablePeerAccess)(int32_t, unsigned int) noexcept nogil
        aclTensor* (*aclCreateTensor)(const int64_t*, uint64_t, aclDataType, const int64_t*, int64_t,
                                      aclFormat, const int64_t*, uint64_t, void*) noexcept nogil
        int (*aclDestroyTensor)(const aclTensor*) noexcept nogil
        aclScalar* (*aclCreateScalar)(void*, aclDataType) noexcept nogil
        int (*aclDestroyScalar)(const aclScalar*) noexcept nogil
        aclIntArray* (*aclCreateIntArray)(const int64_t*, uint64_t) noexcept nogil
        int (*aclDestroyIntArray)(const aclIntArray*) noexcept nogil
        aclFloatArray* (*aclCreateFloatArray)(const float*, uint64_t) noexcept nogil
        int (*aclDestroyFloatArray)(const aclFloatArray*) noexcept nogil
        aclBoolArray* (*aclCreateBoolArray)(const cbool*, uint64_t) noexcept nogil
        int (*aclDestroyBoolArray)(const aclBoolArray*) noexcept nogil
        aclTensorList* (*aclCreateTensorList)(const aclTensor* const*, uint64_t) noexcept nogil
        int (*aclDestroyTensorList)(const aclTensorList*) noexcept nogil
        aclScalarList* (*aclCreateScalarList)(const aclScalar* const*, uint64_t) noexcept nogil
        int (*aclDestroyScalarList)(const aclScalarList*) noexcept nogil
        int (*aclGetViewShape)(const aclTensor*, int64_t**, uint64_t*) noexcept nogil
        int (*aclDestroyAclOpExecutor)(aclOpExecutor*) noexcept nogil

    ctypedef union Arg:
        const void* p
        int64_t i
        double f

    cdef struct Operator:
        const char* name
        const char* kinds
        int (*call)(void*, const Arg*, uint64_t*, aclOpExecutor**) noexcept nogil
        void* plan
        int (*execute)(void*, uint64_t, aclOpExecutor*, aclrtStream) noexcept nogil

    cdef cppclass Library:
        Acl acl
        cbool initialised
        cbool closed
        @staticmethod
        Library* open(const vector[string]&, string*)
        void* symbol(const char*)
        Operator* find(const char*)

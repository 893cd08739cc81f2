// A library that implements the ACL and aclnn C interface, opened at run time. The headers type each function pointer;
// nothing here repeats a signature or links against the library, and two libraries can be open at once.
#pragma once

#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace pyasc {

// clang-format off
#define PYASC_ACL_REQUIRED(F)                                                                                     \
    F(aclInit)                                                                                                    \
    F(aclFinalize) F(aclGetRecentErrMsg) F(aclrtGetDeviceCount) F(aclrtSetDevice) F(aclrtResetDevice)             \
        F(aclrtGetSocName) F(aclrtGetVersion) F(aclrtMalloc) F(aclrtFree) F(aclrtMallocHost) F(aclrtFreeHost)     \
            F(aclrtMemcpy) F(aclrtMemcpyAsync) F(aclrtMemset) F(aclrtGetMemInfo) F(aclrtSynchronizeDevice)        \
                F(aclrtCreateStream) F(aclrtDestroyStream) F(aclrtSynchronizeStream) F(aclrtStreamWaitEvent)      \
                    F(aclrtCreateEventWithFlag) F(aclrtDestroyEvent) F(aclrtRecordEvent) F(aclrtSynchronizeEvent) \
                        F(aclrtEventElapsedTime) F(aclCreateTensor) F(aclDestroyTensor) F(aclCreateScalar)        \
                            F(aclDestroyScalar) F(aclCreateIntArray) F(aclDestroyIntArray) F(aclCreateFloatArray) \
                                F(aclDestroyFloatArray) F(aclCreateBoolArray) F(aclDestroyBoolArray)              \
                                    F(aclCreateTensorList) F(aclDestroyTensorList) F(aclCreateScalarList)         \
                                        F(aclDestroyScalarList) F(aclGetViewShape) F(aclDestroyAclOpExecutor)
// Newer than the oldest release supported, or not needed on every device: null where absent.
#define PYASC_ACL_OPTIONAL(F)                                                                          \
    F(aclFinalizeReference)                                                                            \
    F(aclrtStreamQuery) F(aclrtQueryEventStatus) F(aclrtCtxSetSysParamOpt) F(aclrtDeviceCanAccessPeer) \
        F(aclrtDeviceEnablePeerAccess) F(aclSetAclOpExecutorRepeatable)
// clang-format on

struct Acl {
#define PYASC_MEMBER(name) decltype(&::name) name = nullptr;
    PYASC_ACL_REQUIRED(PYASC_MEMBER)
    PYASC_ACL_OPTIONAL(PYASC_MEMBER)
#undef PYASC_MEMBER
};

// One argument of phase 1.
union Arg {
    const void* p;
    int64_t i;
    double f;
};

// An operator: how phase 1 is called, and, once looked up, both its functions (null: not in this library).
struct Operator {
    const char* name;
    const char* kinds;  // one letter per argument of phase 1, see scripts/headers.py
    int32_t (*call)(void* plan, const Arg* args, uint64_t* workspace_size, aclOpExecutor** executor);
    void* plan;
    int32_t (*execute)(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream);
    bool looked_up;
};

struct Library {
    Acl acl;
    std::vector<void*> handles;       // in the order names are looked up
    std::vector<Operator> operators;  // every operator of include/aclnnop/operators.tsv, sorted by name
    bool initialised = false;         // by us: finalise only what we initialised
    bool closed = false;              // nothing may be called any more

    // Opens every name that can be opened (a file name, a path). On failure null, and `error` says why.
    static Library* open(const std::vector<std::string>& names, std::string* error);
    void* symbol(const char* name) const;
    // Null if the table has no such operator; execute == nullptr if the table has it and this library does not.
    Operator* find(const char* name);
};

}  // namespace pyasc

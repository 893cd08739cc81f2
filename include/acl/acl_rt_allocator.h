// Lets the caller's own allocator serve the memory that operators need on a stream.
#ifndef PYASC_ACL_ACL_RT_ALLOCATOR_H
#define PYASC_ACL_ACL_RT_ALLOCATOR_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void*(*aclrtAllocatorAllocFunc)(aclrtAllocator, size_t);
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator, aclrtAllocatorBlock);
typedef void*(*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator, size_t, aclrtAllocatorAddr);
typedef void*(*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock);

aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);
aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);
aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc);
aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func);
aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func);
aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func);
aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
    aclrtAllocatorGetAddrFromBlockFunc func);
aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator);
aclError aclrtAllocatorUnregister(aclrtStream stream);
aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc, aclrtAllocator* allocator,
    aclrtAllocatorAllocFunc* allocFunc, aclrtAllocatorFreeFunc* freeFunc,
    aclrtAllocatorAllocAdviseFunc* allocAdviseFunc, aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc);  // 8.5

#ifdef __cplusplus
}
#endif

#endif

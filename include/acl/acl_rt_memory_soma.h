// Stream-ordered memory pools (9.0).
#ifndef PYASC_ACL_ACL_RT_MEMORY_SOMA_H
#define PYASC_ACL_ACL_RT_MEMORY_SOMA_H

#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void* aclrtMemPool;
typedef enum aclrtMemPoolAttr {  // 9.0
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8
} aclrtMemPoolAttr;
typedef struct aclrtMemPoolProps {
    aclrtMemAllocationType allocType;
    aclrtMemHandleType handleType;
    aclrtMemLocation location;
    size_t maxSize;
    unsigned char reserved[32];
} aclrtMemPoolProps;

aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps);  // 9.0
aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);  // 9.0
aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream);  // 9.1
aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);  // 9.0
aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool, aclrtStream stream);  // 9.1
aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);  // 9.0
aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);  // 9.1

#ifdef __cplusplus
}
#endif

#endif

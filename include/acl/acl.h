// Everything of the runtime. Models have acl_mdl.h, profiling acl_prof.h, collectives hccl/hccl.h.
#ifndef PYASC_ACL_ACL_H
#define PYASC_ACL_ACL_H

#include "acl/acl_mdl.h"
#include "acl/acl_rt.h"
#include "acl/acl_rt_allocator.h"

#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0
#define ACL_IPC_HANDLE_SIZE 65
#define ACL_PKG_VERSION_MAX_SIZE 128
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64

#endif

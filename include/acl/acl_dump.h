// Keeping the arguments of single operators for later inspection. (Dumps of models: aclmdlInitDump in acl_rt.h.)
#ifndef PYASC_ACL_ACL_DUMP_H
#define PYASC_ACL_ACL_DUMP_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

aclError aclopStartDumpArgs(uint32_t dumpType, const char* path);
aclError aclopStopDumpArgs(uint32_t dumpType);

#ifdef __cplusplus
}
#endif

#endif

// What every operator header needs, and starting the operator library alone (aclInit does it too).
#ifndef PYASC_ACLNN_ACLNN_BASE_H
#define PYASC_ACLNN_ACLNN_BASE_H

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnFinalize(void);
aclnnStatus aclnnInit(const char* configPath);

#ifdef __cplusplus
}
#endif

#endif

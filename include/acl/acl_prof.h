// Profiling: what a run costs, and marks in its timeline.
#ifndef PYASC_ACL_ACL_PROF_H
#define PYASC_ACL_ACL_PROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_PROF_ACL_API 0x0001ULL
#define ACL_PROF_AICORE_METRICS 0x0004ULL
#define ACL_PROF_AICPU 0x0008ULL
#define ACL_PROF_API_STATS 0x400000000ULL  // 9.1
#define ACL_PROF_EVENT_ATTR_VERSION 1  // 9.1
#define ACL_PROF_GE_API_L0 0x0200ULL  // 8.5
#define ACL_PROF_GE_API_L1 0x01000000ULL  // 8.5
#define ACL_PROF_HCCL_TRACE 0x0020ULL
#define ACL_PROF_L2CACHE 0x0010ULL
#define ACL_PROF_MAX_OP_NAME_LEN 257
#define ACL_PROF_MAX_OP_TYPE_LEN 65
#define ACL_PROF_MSPROFTX 0x0080ULL
#define ACL_PROF_OP_ATTR 0x4000ULL
#define ACL_PROF_RUNTIME_API 0x0100ULL
#define ACL_PROF_TASK_MEMORY 0x1000ULL
#define ACL_PROF_TASK_TIME 0x0002ULL
#define ACL_PROF_TASK_TIME_L0 0x0800ULL
#define ACL_PROF_TASK_TIME_L2 0x2000ULL  // 8.5
#define ACL_PROF_TASK_TIME_L3 0x8000ULL  // 8.5
#define ACL_PROF_TENSOR_DATA_SHAPE_LEN 8  // 9.1
#define ACL_PROF_TRAINING_TRACE 0x0040ULL

typedef struct aclprofAicoreEvents aclprofAicoreEvents;
typedef struct aclprofConfig aclprofConfig;
typedef struct aclprofStepInfo aclprofStepInfo;
typedef struct aclprofStopConfig aclprofStopConfig;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;
typedef enum aclprofAicoreMetrics {
    ACL_AICORE_ARITHMETIC_UTILIZATION = 0, ACL_AICORE_PIPE_UTILIZATION = 1, ACL_AICORE_MEMORY_BANDWIDTH = 2,
    ACL_AICORE_L0B_AND_WIDTH = 3, ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4, ACL_AICORE_MEMORY_UB = 5,
    ACL_AICORE_L2_CACHE = 6, ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7, ACL_AICORE_MEMORY_ACCESS = 8,
    ACL_AICORE_NONE = 255
} aclprofAicoreMetrics;
typedef enum aclprofConfigType {
    ACL_PROF_ARGS_MIN = 0, ACL_PROF_STORAGE_LIMIT = 1, ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3, ACL_PROF_LLC_MODE = 4,
    ACL_PROF_SYS_IO_FREQ = 5, ACL_PROF_SYS_INTERCONNECTION_FREQ = 6, ACL_PROF_DVPP_FREQ = 7, ACL_PROF_HOST_SYS = 8,
    ACL_PROF_HOST_SYS_USAGE = 9, ACL_PROF_HOST_SYS_USAGE_FREQ = 10, ACL_PROF_ARGS_MAX = 17,
    // 8.5
    ACL_PROF_LOW_POWER_FREQ = 11, ACL_PROF_SYS_CPU_FREQ = 13,
    // 9.1
    ACL_PROF_OPTYPE = 14, ACL_PROF_NTS_METRICS = 15, ACL_PROF_PATH = 16
} aclprofConfigType;
typedef enum aclprofStepTag { ACL_STEP_START = 0, ACL_STEP_END = 1 } aclprofStepTag;
typedef enum aclprofSubscribeOpAttri {  // 8.5
    ACL_SUBSCRIBE_ATTRI_THREADID = 0, ACL_SUBSCRIBE_ATTRI_NONE = 1
} aclprofSubscribeOpAttri;
typedef enum aclprofSubscribeOpFlag {  // 8.5
    ACL_SUBSCRIBE_OP = 0, ACL_SUBSCRIBE_SUBGRAPH = 1, ACL_SUBSCRIBE_OP_THREAD = 2, ACL_SUBSCRIBE_NONE = 255
} aclprofSubscribeOpFlag;


aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
    const aclprofAicoreEvents* aicoreEvents, uint64_t dataTypeConfig);
void* aclprofCreateStamp(void);
aclprofStepInfo* aclprofCreateStepInfo(void);
aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics,
    void* fd);
aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig);
void aclprofDestroyStamp(void* stamp);
void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo);
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig);
aclError aclprofFinalize(void);
size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index);
aclError aclprofGetOpDescSize(size_t* opDescSize);
uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen, uint32_t index);
uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index);
aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index, char* opName, size_t opNameLen);
aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opNameLen);
aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen, uint32_t* opNumber);
uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen, uint32_t index);
aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index, char* opType, size_t opTypeLen);
aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opTypeLen);
aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag, aclrtStream stream);
aclError aclprofInit(const char* profilerResultPath, size_t length);
aclError aclprofMark(void* stamp);
aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream);
aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig* profSubscribeConfig);
aclError aclprofModelUnSubscribe(uint32_t modelId);
aclError aclprofPop(void);
aclError aclprofPush(void* stamp);
aclError aclprofRangeStart(void* stamp, uint32_t* rangeId);
aclError aclprofRangeStop(uint32_t rangeId);
aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength);
aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen);
aclError aclprofStart(const aclprofConfig* profilerConfig);
aclError aclprofStop(const aclprofConfig* profilerConfig);
const char* aclprofGetOpAttriValue(const void* opInfo, size_t opInfoLen, uint32_t index,
    aclprofSubscribeOpAttri attri);  // 8.5
aclprofSubscribeOpFlag aclprofGetOpFlag(const void* opInfo, size_t opInfoLen, uint32_t index);  // 8.5

#ifdef __cplusplus
}
#endif

#endif

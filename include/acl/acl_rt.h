// The runtime: devices, contexts, streams, events, memory, callbacks, kernels and ACL graphs. A number behind a
// declaration is the CANN release that introduced it; without one it is there since 8.1 or earlier.
#ifndef PYASC_ACL_RT_H
#define PYASC_ACL_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors and versions.
// aclGetRecentErrMsg returns NULL when there is nothing to tell; the text lives until the thread asks again.
typedef enum aclCANNPackageName {
    ACL_PKG_NAME_CANN = 0, ACL_PKG_NAME_RUNTIME = 1, ACL_PKG_NAME_COMPILER = 2, ACL_PKG_NAME_HCCL = 3,
    ACL_PKG_NAME_TOOLKIT = 4, ACL_PKG_NAME_OPP = 5, ACL_PKG_NAME_OPP_KERNEL = 6, ACL_PKG_NAME_DRIVER = 7
} aclCANNPackageName;
typedef enum aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;
typedef struct aclCANNPackageVersion {
    char version[128];
    char majorVersion[64];
    char minorVersion[64];
    char releaseVersion[64];
    char patchVersion[64];
    char reserved[128];
} aclCANNPackageVersion;

const char* aclGetRecentErrMsg(void);
aclError aclrtGetLastError(aclrtLastErrLevel level);
aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion);
aclError aclrtPeekAtLastError(aclrtLastErrLevel level);
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version);
aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible);  // 8.5
aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum);  // 8.5
aclError aclsysGetVersionStr(char* pkgName, char* versionStr);  // 8.5

// Initialisation.
// aclInit may be called again (ACL_ERROR_REPEAT_INITIALIZE); aclFinalizeReference counts, aclFinalize does not.
typedef aclError (*aclInitCallbackFunc)(const char*, size_t, void*);
typedef aclError (*aclFinalizeCallbackFunc)(void*);
typedef enum aclRegisterCallbackType {  // 8.5
    ACL_REG_TYPE_ACL_MODEL = 0, ACL_REG_TYPE_ACL_OP_EXECUTOR = 1, ACL_REG_TYPE_ACL_OP_CBLAS = 2,
    ACL_REG_TYPE_ACL_OP_COMPILER = 3, ACL_REG_TYPE_ACL_TDT_CHANNEL = 4, ACL_REG_TYPE_ACL_TDT_QUEUE = 5,
    ACL_REG_TYPE_ACL_DVPP = 6, ACL_REG_TYPE_ACL_RETR = 7, ACL_REG_TYPE_OTHER = 65535
} aclRegisterCallbackType;

aclError aclInit(const char* configPath);
aclError aclFinalize(void);
aclError aclmdlFinalizeDump(void);
aclError aclmdlInitDump(void);
aclError aclmdlSetDump(const char* dumpCfgPath);
aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
    void* userData);  // 8.5
aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc);  // 8.5
aclError aclFinalizeReference(uint64_t* refCount);  // 8.5
aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void* userData);  // 8.5
aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc);  // 8.5

// Options.
// Per context (Ctx) or for the whole process.
aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);
aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

// Devices and contexts.
// A thread has a current context, or refers to the primary one of the device it set.
#define ACL_DEV_FEATURE_NOT_SUPPORT 0x00000000  // 8.5
#define ACL_DEV_FEATURE_SUPPORT 0x00000001  // 8.5
#define ACL_RT_DEVS_TOPOLOGY_HCCS 0x01ULL  // 8.5
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL  // 8.5
#define ACL_RT_DEVS_TOPOLOGY_PHB 0x08ULL  // 8.5
#define ACL_RT_DEVS_TOPOLOGY_PIB 0x04ULL  // 8.5
#define ACL_RT_DEVS_TOPOLOGY_PIX 0x02ULL  // 8.5
#define ACL_RT_DEVS_TOPOLOGY_SIO 0x20ULL  // 8.5
#define ACL_RT_DEVS_TOPOLOGY_SYS 0x10ULL  // 8.5
#define DEVICE_UTILIZATION_NOT_SUPPORT (-1)

typedef struct tagRtGroupInfo aclrtGroupInfo;
typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;
typedef enum aclrtDevAttr {  // 8.5
    ACL_DEV_ATTR_AICPU_CORE_NUM = 1, ACL_DEV_ATTR_AICORE_CORE_NUM = 101, ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
    ACL_DEV_ATTR_VECTOR_CORE_NUM = 201, ACL_DEV_ATTR_WARP_SIZE = 202, ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
    ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
    ACL_DEV_ATTR_L2_CACHE_SIZE = 302, ACL_DEV_ATTR_SMP_ID = 401, ACL_DEV_ATTR_PHY_CHIP_ID = 402,
    ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403, ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404, ACL_DEV_ATTR_SUPER_POD_ID = 405,
    ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406, ACL_DEV_ATTR_MAINBOARD_ID = 407, ACL_DEV_ATTR_IS_VIRTUAL = 501,
    // 9.0
    ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204, ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
    // 9.1
    ACL_DEV_ATTR_MAX_GRID_DIM_X = 205, ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206, ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
    ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208, ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209, ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211, ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212, ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,
    ACL_DEV_ATTR_NPU_ARCH = 601
} aclrtDevAttr;
typedef enum aclrtDevFeatureType {  // 8.5
    ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21
} aclrtDevFeatureType;
typedef enum aclrtDevResLimitType {  // 8.5
    ACL_RT_DEV_RES_CUBE_CORE = 0, ACL_RT_DEV_RES_VECTOR_CORE = 1
} aclrtDevResLimitType;
typedef enum aclrtDeviceState {  // 8.5
    ACL_RT_DEVICE_STATE_SET_PRE = 0, ACL_RT_DEVICE_STATE_SET_POST = 1, ACL_RT_DEVICE_STATE_RESET_PRE = 2,
    ACL_RT_DEVICE_STATE_RESET_POST = 3
} aclrtDeviceState;
typedef enum aclrtDeviceStatus {
    ACL_RT_DEVICE_STATUS_NORMAL = 0, ACL_RT_DEVICE_STATUS_ABNORMAL = 1, ACL_RT_DEVICE_STATUS_END = 65535
} aclrtDeviceStatus;
typedef enum aclrtDeviceTaskAbortStage {  // 8.5
    ACL_RT_DEVICE_TASK_ABORT_PRE = 0, ACL_RT_DEVICE_TASK_ABORT_POST = 1
} aclrtDeviceTaskAbortStage;
typedef enum aclrtGroupAttr {
    ACL_GROUP_AICORE_INT = 0, ACL_GROUP_AIV_INT = 1, ACL_GROUP_AIC_INT = 2, ACL_GROUP_SDMANUM_INT = 3,
    ACL_GROUP_ASQNUM_INT = 4, ACL_GROUP_GROUPID_INT = 5
} aclrtGroupAttr;
typedef enum aclrtRunMode { ACL_DEVICE = 0, ACL_HOST = 1 } aclrtRunMode;
typedef enum aclrtTsId { ACL_TS_ID_AICORE = 0, ACL_TS_ID_AIVECTOR = 1, ACL_TS_ID_RESERVED = 2 } aclrtTsId;
typedef void (*aclrtDeviceStateCallback)(int32_t, aclrtDeviceState, void*);
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t, aclrtDeviceTaskAbortStage, uint32_t, void*);
typedef struct aclrtUtilizationInfo {
    int32_t cubeUtilization;
    int32_t vectorUtilization;
    int32_t aicpuUtilization;
    int32_t memoryUtilization;
    aclrtUtilizationExtendInfo* utilizationExtend;
} aclrtUtilizationInfo;
typedef struct aclrtUuid { char bytes[16]; } aclrtUuid;

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);
aclrtGroupInfo* aclrtCreateGroupInfo(void);
aclError aclrtDestroyContext(aclrtContext context);
aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo);
aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId);
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);
aclError aclrtDeviceGetBareTgid(int32_t* pid);
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);
aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo);
aclError aclrtGetCurrentContext(aclrtContext* context);
aclError aclrtGetDevice(int32_t* deviceId);
aclError aclrtGetDeviceCount(uint32_t* count);
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo);
aclError aclrtGetGroupCount(uint32_t* count);
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
    void* attrValue, size_t valueLen, size_t* paramRetSize);
aclError aclrtGetRunMode(aclrtRunMode* runMode);
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus);
aclError aclrtResetDevice(int32_t deviceId);
aclError aclrtResetDeviceForce(int32_t deviceId);
aclError aclrtSetCurrentContext(aclrtContext context);
aclError aclrtSetDevice(int32_t deviceId);
aclError aclrtSetGroup(int32_t groupId);
aclError aclrtSetTsDevice(aclrtTsId tsId);
aclError aclrtSynchronizeDevice(void);
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid);  // 8.5
aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status);  // 8.5
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t* value);  // 8.5
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value);  // 8.5
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value);  // 8.3
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value);  // 8.5
aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId);  // 8.5
aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active);  // 8.5
aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback, void* args);  // 8.5
aclError aclrtResetDeviceResLimit(int32_t deviceId);  // 8.3
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);  // 8.3
aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback,
    void* args);  // 8.5

// Streams.
// NULL is the default stream of the current context.
#define ACL_CONTINUE_ON_FAILURE 0x00000000U
#define ACL_STOP_ON_FAILURE 0x00000001U
#define ACL_STREAM_CPU_SCHEDULE 0x00000010U  // 8.5
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U  // 8.5
#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U
#define ACL_STREAM_HUGE 0x00000008U  // 8.5
#define ACL_STREAM_PERSISTENT 0x00000004U  // 8.5
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U  // 8.5
#define ACL_STREAM_WAIT_VALUE_EQ 0x00000001U  // 8.5
#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U  // 8.5
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U  // 8.5

typedef enum aclrtStreamAttr {  // 8.5
    ACL_STREAM_ATTR_FAILURE_MODE = 1, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2, ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
    ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
    // 9.1
    ACL_STREAM_ATTR_PRIORITY = 5
} aclrtStreamAttr;
typedef enum aclrtStreamConfigAttr {
    ACL_RT_STREAM_WORK_ADDR_PTR = 0, ACL_RT_STREAM_WORK_SIZE = 1, ACL_RT_STREAM_FLAG = 2, ACL_RT_STREAM_PRIORITY = 3
} aclrtStreamConfigAttr;
typedef enum aclrtStreamState {  // 8.5
    ACL_RT_STREAM_STATE_CREATE_POST = 1, ACL_RT_STREAM_STATE_DESTROY_PRE = 2
} aclrtStreamState;
typedef enum aclrtStreamStatus {
    ACL_STREAM_STATUS_COMPLETE = 0, ACL_STREAM_STATUS_NOT_READY = 1, ACL_STREAM_STATUS_RESERVED = 65535
} aclrtStreamStatus;
typedef void (*aclrtStreamStateCallback)(aclrtStream, aclrtStreamState, void*);
typedef union aclrtStreamAttrValue {
    uint64_t failureMode;
    uint32_t overflowSwitch;
    uint32_t userCustomTag;
    uint32_t cacheOpInfoSwitch;
    uint32_t streamPriority;
    uint32_t reserve[4];
} aclrtStreamAttrValue;
typedef struct aclrtStreamConfigHandle {
    void* workptr;
    size_t workSize;
    size_t flag;
    uint32_t priority;
} aclrtStreamConfigHandle;

aclError aclrtCreateStream(aclrtStream* stream);
aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void);
aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle);
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle);
aclError aclrtDestroyStreamForce(aclrtStream stream);
aclError aclrtGetThreadLastTaskId(uint32_t* taskId);
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);
aclError aclrtSetOpWaitTimeout(uint32_t timeout);
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr, const void* attrValue,
    size_t valueSize);
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);
aclError aclrtStreamAbort(aclrtStream stream);
aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);
aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);  // 8.5
aclError aclrtCreateLabel(aclrtLabel* label);  // 8.5
aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList);  // 8.5
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream);  // 8.5
aclError aclrtDestroyLabel(aclrtLabel label);  // 8.5
aclError aclrtDestroyLabelList(aclrtLabelList labelList);  // 8.5
aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority);  // 8.5
aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs);  // 8.5
aclError aclrtGetOpTimeOutInterval(uint64_t* interval);  // 8.5
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value);  // 8.3
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value);  // 8.5
aclError aclrtGetStreamAvailableNum(uint32_t* streamCount);  // 8.5
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value);  // 8.3
aclError aclrtPersistentTaskClean(aclrtStream stream);  // 8.5
aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback, void* args);  // 8.5
aclError aclrtResetStreamResLimit(aclrtStream stream);  // 8.3
aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);  // 8.5
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);  // 8.5
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue* value);  // 8.5
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);  // 8.3
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags);  // 8.5
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority);  // 8.5
aclError aclrtStreamStop(aclrtStream stream);  // 8.5
aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream);  // 8.5
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);  // 8.3
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);  // 8.3
aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);  // 8.5
aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);  // 8.5

// Events.
// Created with ...ExWithFlag they may be recorded again and again; the two older kinds differ in what they answer.
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_DEVICE_USE_ONLY 0x00000010U  // 8.5
#define ACL_EVENT_EXTERNAL 0x00000020U
#define ACL_EVENT_IPC 0x00000040U  // 8.5
#define ACL_EVENT_RECORD_DEFAULT 0x0U  // 9.1
#define ACL_EVENT_RECORD_EXTERNAL 0x01U  // 9.1
#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_TIME_LINE 0x00000008U
#define ACL_EVENT_WAIT_DEFAULT 0x0U  // 9.1
#define ACL_EVENT_WAIT_EXTERNAL 0x01U  // 9.1
#define ACL_IPC_EVENT_HANDLE_SIZE 64U  // 8.5

typedef enum aclrtEventRecordedStatus {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0, ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;
typedef enum aclrtEventStatus {
    ACL_EVENT_STATUS_COMPLETE = 0, ACL_EVENT_STATUS_NOT_READY = 1, ACL_EVENT_STATUS_RESERVED = 2
} aclrtEventStatus;
typedef enum aclrtEventWaitStatus {
    ACL_EVENT_WAIT_STATUS_COMPLETE = 0, ACL_EVENT_WAIT_STATUS_NOT_READY = 1, ACL_EVENT_WAIT_STATUS_RESERVED = 65535
} aclrtEventWaitStatus;
typedef struct aclrtIpcEventHandle { char reserved[64]; } aclrtIpcEventHandle;

aclError aclrtCreateEvent(aclrtEvent* event);
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);
aclError aclrtDestroyEvent(aclrtEvent event);
aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent);
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status);
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status);
aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status);
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
aclError aclrtSynchronizeEvent(aclrtEvent event);
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);
aclError aclrtGetEventAvailNum(uint32_t* eventCount);  // 8.5
aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);  // 8.5
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle);  // 8.5
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event);  // 8.5
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);  // 8.5

// Notify.
// Events between processes; the counting kind is compared with a value.
#define ACL_NOTIFY_DEFAULT 0x00000000U  // 8.5
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U  // 8.5
#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0x0UL  // 8.5
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x02UL  // 8.5
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0x0UL  // 8.5
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x02UL  // 8.5

typedef enum aclrtCntNotifyRecordMode {  // 8.5
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2, ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4
} aclrtCntNotifyRecordMode;
typedef enum aclrtCntNotifyWaitMode {  // 8.5
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4
} aclrtCntNotifyWaitMode;
typedef struct aclrtCntNotifyRecordInfo { aclrtCntNotifyRecordMode mode; uint32_t value; } aclrtCntNotifyRecordInfo;
typedef struct aclrtCntNotifyWaitInfo {
    aclrtCntNotifyWaitMode mode;
    uint32_t value;
    uint32_t timeout;
    uint8_t isClear;
    uint8_t rsv[3];
} aclrtCntNotifyWaitInfo;

aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag);  // 8.5
aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);  // 8.5
aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId);  // 8.5
aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo* info);  // 8.5
aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);  // 8.5
aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
    aclrtCntNotifyWaitInfo* info);  // 8.5
aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag);  // 8.5
aclError aclrtDestroyNotify(aclrtNotify notify);  // 8.5
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId);  // 8.5
aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num);  // 8.5
aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags);  // 8.5
aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags);  // 8.5
aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num);  // 8.5
aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);  // 8.5
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);  // 8.5

// Callbacks.
// A thread that processes reports runs the functions, or (LaunchHostFunc) the runtime does.
typedef void (*aclrtCallback)(void*);
typedef void (*aclrtHostFunc)(void*);
typedef enum aclrtCallbackBlockType { ACL_CALLBACK_NO_BLOCK = 0, ACL_CALLBACK_BLOCK = 1 } aclrtCallbackBlockType;

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType, aclrtStream stream);
aclError aclrtProcessHostFunc(int32_t timeout);
aclError aclrtProcessReport(int32_t timeout);
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args);  // 8.5

// Memory: device and pinned host memory, copies, sharing between processes, and reserved address ranges that physical
// memory is mapped into.
#define ACL_HOST_REG_IOMEMORY 0x4UL  // 9.1
#define ACL_HOST_REG_MAPPED 0x2UL  // 8.5
#define ACL_HOST_REG_PINNED 0x10000000UL  // 8.5
#define ACL_HOST_REG_READONLY 0x8UL  // 9.1
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0x0UL  // 8.3
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL  // 8.3
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0x0UL  // 8.3
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x1UL  // 8.3
#define ACL_RT_MEM_TYPE_DEV 0x2U  // 8.5
#define ACL_RT_MEM_TYPE_DVPP 0x8U  // 8.5
#define ACL_RT_MEM_TYPE_RSVD 0x10U  // 8.5
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT 0x0UL  // 8.3
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL  // 8.3

typedef void* aclrtDrvMemHandle;
typedef enum aclrtCmoType {
    ACL_RT_CMO_TYPE_PREFETCH = 0, ACL_RT_CMO_TYPE_WRITEBACK = 1, ACL_RT_CMO_TYPE_INVALID = 2, ACL_RT_CMO_TYPE_FLUSH = 3
} aclrtCmoType;
typedef enum aclrtHostRegisterType {
    ACL_HOST_REGISTER_MAPPED = 0,
    // 9.0
    ACL_HOST_REGISTER_IOMEMORY = 4, ACL_HOST_REGISTER_READONLY = 8
} aclrtHostRegisterType;
typedef enum aclrtIpcMemAttrType { ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0 } aclrtIpcMemAttrType;  // 8.5
typedef enum aclrtMallocAttrType {
    ACL_RT_MEM_ATTR_RSV = 0, ACL_RT_MEM_ATTR_MODULE_ID = 1, ACL_RT_MEM_ATTR_DEVICE_ID = 2,
    // 8.5
    ACL_RT_MEM_ATTR_VA_FLAG = 3
} aclrtMallocAttrType;
typedef enum aclrtMemAccessFlags {  // 8.5
    ACL_RT_MEM_ACCESS_FLAGS_NONE = 0, ACL_RT_MEM_ACCESS_FLAGS_READ = 1, ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3
} aclrtMemAccessFlags;
typedef enum aclrtMemAllocationType { ACL_MEM_ALLOCATION_TYPE_PINNED = 0 } aclrtMemAllocationType;
typedef enum aclrtMemAttr {
    ACL_DDR_MEM = 0, ACL_HBM_MEM = 1, ACL_DDR_MEM_HUGE = 2, ACL_DDR_MEM_NORMAL = 3, ACL_HBM_MEM_HUGE = 4,
    ACL_HBM_MEM_NORMAL = 5, ACL_DDR_MEM_P2P_HUGE = 6, ACL_DDR_MEM_P2P_NORMAL = 7, ACL_HBM_MEM_P2P_HUGE = 8,
    ACL_HBM_MEM_P2P_NORMAL = 9, ACL_HBM_MEM_HUGE1G = 10, ACL_HBM_MEM_P2P_HUGE1G = 11,
    // 8.5
    ACL_MEM_NORMAL = 12, ACL_MEM_HUGE = 13, ACL_MEM_HUGE1G = 14, ACL_MEM_P2P_NORMAL = 15, ACL_MEM_P2P_HUGE = 16,
    ACL_MEM_P2P_HUGE1G = 17
} aclrtMemAttr;
typedef enum aclrtMemGranularityOptions {
    ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
    ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 65535
} aclrtMemGranularityOptions;
typedef enum aclrtMemHandleType {
    ACL_MEM_HANDLE_TYPE_NONE = 0,
    // 9.1
    ACL_MEM_HANDLE_TYPE_POSIX = 2
} aclrtMemHandleType;
typedef enum aclrtMemLocationType {
    ACL_MEM_LOCATION_TYPE_HOST = 0, ACL_MEM_LOCATION_TYPE_DEVICE = 1,
    // 8.5
    ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2, ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4,
    // 9.1
    ACL_MEM_LOCATION_TYPE_MANAGED = 3
} aclrtMemLocationType;
typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST = 0, ACL_MEM_MALLOC_HUGE_ONLY = 1, ACL_MEM_MALLOC_NORMAL_ONLY = 2,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3, ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4, ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
    ACL_MEM_MALLOC_HUGE1G_ONLY = 6, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7, ACL_MEM_TYPE_LOW_BAND_WIDTH = 256,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 4096, ACL_MEM_ACCESS_USER_SPACE_READONLY = 1048576
} aclrtMemMallocPolicy;
typedef enum aclrtMemPgType { NORMAL_PAGE_TYPE = 0, HUGE_PAGE_TYPE = 1, HUGE1G_PAGE_TYPE = 2 } aclrtMemPgType;  // 8.5
typedef enum aclrtMemSharedHandleType {  // 8.5
    ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2
} aclrtMemSharedHandleType;
typedef enum aclrtMemType { HBM_TYPE = 0, DDR_TYPE = 1, P2P_HBM_TYPE = 2, P2P_DDR_TYPE = 3 } aclrtMemType;  // 8.5
typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST = 0, ACL_MEMCPY_HOST_TO_DEVICE = 1, ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3, ACL_MEMCPY_DEFAULT = 4, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
} aclrtMemcpyKind;
typedef struct MemAttrMapping {
    uint32_t pgType;
    uint32_t memType;
    bool isHostAlloc;
    aclrtMemAttr memAttr;
} MemAttrMapping;
typedef union aclrtMallocAttrValue {
    uint16_t moduleId;
    uint32_t deviceId;
    uint32_t vaFlag;
    uint8_t rsv[8];
} aclrtMallocAttrValue;
typedef struct aclrtMallocAttribute { aclrtMallocAttrType attr; aclrtMallocAttrValue value; } aclrtMallocAttribute;
typedef struct aclrtMallocConfig { aclrtMallocAttribute* attrs; size_t numAttrs; } aclrtMallocConfig;
typedef struct aclrtMemFabricHandle { uint8_t data[128]; } aclrtMemFabricHandle;
typedef struct aclrtMemLocation { uint32_t id; aclrtMemLocationType type; } aclrtMemLocation;
typedef struct aclrtMemAccessDesc {
    aclrtMemAccessFlags flags;
    aclrtMemLocation location;
    uint8_t rsv[12];
} aclrtMemAccessDesc;
typedef struct aclrtMemUsageInfo {
    char name[32];
    uint64_t curMemSize;
    uint64_t memPeakSize;
    size_t reserved[8];
} aclrtMemUsageInfo;
typedef struct aclrtMemcpyBatchAttr {
    aclrtMemLocation dstLoc;
    aclrtMemLocation srcLoc;
    uint8_t rsv[16];
} aclrtMemcpyBatchAttr;
typedef struct aclrtPhysicalMemProp {
    aclrtMemHandleType handleType;
    aclrtMemAllocationType allocationType;
    aclrtMemAttr memAttr;
    aclrtMemLocation location;
    uint64_t reserve;
} aclrtPhysicalMemProp;
typedef struct aclrtPtrAttributes { aclrtMemLocation location; uint32_t pageSize; uint32_t rsv[4]; } aclrtPtrAttributes;

aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream);
aclError aclrtFree(void* devPtr);
aclError aclrtFreeHost(void* hostPtr);
aclError aclrtFreePhysical(aclrtDrvMemHandle handle);
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total);
aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize);
aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr);
aclError aclrtHostUnregister(void* ptr);
aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);
aclError aclrtMallocHost(void** hostPtr, size_t size);
aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg);
aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size, const aclrtPhysicalMemProp* prop, uint64_t flags);
aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg);
aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);
aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags,
    uint64_t* shareableHandle);
aclError aclrtMemFlush(void* devPtr, size_t size);
aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop, aclrtMemGranularityOptions option,
    size_t* granularity);
aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle* handle);
aclError aclrtMemInvalidate(void* devPtr, size_t size);
aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum);
aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind);
aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
    aclrtMemcpyKind kind);
aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
    aclrtMemcpyKind kind, aclrtStream stream);
aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
    aclrtStream stream);
aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
    aclrtStream stream);
aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream);
aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count);
aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream);
aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes);
aclError aclrtReleaseMemAddress(void* virPtr);
aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr, uint64_t flags);
aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr, size_t count, void* config);
aclError aclrtUnmapMem(void* virPtr);
aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult,
    uint32_t reserve);  // 8.5
aclError aclrtFreeHostWithDevSync(void* hostPtr);  // 8.5
aclError aclrtFreeWithDevSync(void* devPtr);  // 8.5
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
    size_t* outputNum);  // 8.5
aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag);  // 8.5
aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag);  // 8.5
aclError aclrtIpcMemClose(const char* key);  // 8.5
aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags);  // 8.5
aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags);  // 8.5
aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr);  // 8.5
aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num);  // 8.5
aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags, aclrtMemSharedHandleType shareType,
    void* shareableHandle);  // 8.5
aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag);  // 8.5
aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize);  // 9.0
aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* prop);  // 8.5
aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType, uint64_t flags,
    aclrtDrvMemHandle* handle);  // 8.5
aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle);  // 8.5
aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count);  // 8.5
aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType, int32_t* pid,
    size_t pidNum);  // 8.5
aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset, const void** src, size_t count,
    size_t srcDataOffset, aclrtMemcpyKind kind, aclrtStream stream);  // 8.5
aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
    aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, size_t* failIndex);  // 8.3
aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
    aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, size_t* failIndex, aclrtStream stream);  // 8.3
aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
    aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, aclrtStream stream);  // 9.1
aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
    aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs);  // 9.1
aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N);  // 9.1
aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream);  // 9.1
aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment, void* expectPtr,
    uint64_t flags);  // 9.0

// Overflow: what floats do beyond their range, and whether a stream has seen it.
typedef enum aclrtFloatOverflowMode {
    ACL_RT_OVERFLOW_MODE_SATURATION = 0, ACL_RT_OVERFLOW_MODE_INFNAN = 1, ACL_RT_OVERFLOW_MODE_UNDEF = 2
} aclrtFloatOverflowMode;

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);
aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream);
aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag);
aclError aclrtResetOverflowStatus(aclrtStream stream);
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);
aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);
aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr);  // 8.5
aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream);  // 8.5
aclError aclrtResetFloatOverflowStatus(aclrtStream stream);  // 8.5

// Kernels.
// Loading and launching device code.
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U  // 8.5
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U  // 8.5
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U  // 8.5

typedef void* aclrtBinary;
typedef void* aclrtBinHandle;
typedef void* aclrtFuncHandle;
typedef void* aclrtArgsHandle;
typedef void* aclrtParamHandle;
typedef enum aclrtBinaryLoadOptionType {
    ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1, ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2,
    // 8.5
    ACL_RT_BINARY_LOAD_OPT_MAGIC = 2, ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3
} aclrtBinaryLoadOptionType;
typedef enum aclrtEngineType { ACL_RT_ENGINE_TYPE_AIC = 0, ACL_RT_ENGINE_TYPE_AIV = 1 } aclrtEngineType;  // 8.5
typedef enum aclrtFuncAttribute {  // 8.5
    ACL_FUNC_ATTR_KERNEL_TYPE = 1,
    // 9.1
    ACL_FUNC_ATTR_KERNEL_RATIO = 2, ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3
} aclrtFuncAttribute;
typedef enum aclrtKernelType {  // 8.5
    ACL_KERNEL_TYPE_AICORE = 0, ACL_KERNEL_TYPE_CUBE = 1, ACL_KERNEL_TYPE_VECTOR = 2, ACL_KERNEL_TYPE_MIX = 3,
    ACL_KERNEL_TYPE_AICPU = 100
} aclrtKernelType;
typedef enum aclrtLaunchKernelAttrId {
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
    // 8.5
    ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE = 2, ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
    ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
    // 9.0
    ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2
} aclrtLaunchKernelAttrId;
typedef union aclrtBinaryLoadOptionValue {
    uint32_t isLazyLoad;
    uint32_t magic;
    int32_t cpuKernelMode;
    uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;
typedef struct aclrtBinaryLoadOption {
    aclrtBinaryLoadOptionType type;
    aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;
typedef struct aclrtBinaryLoadOptions { aclrtBinaryLoadOption* options; size_t numOpt; } aclrtBinaryLoadOptions;
typedef struct aclrtPlaceHolderInfo { uint32_t addrOffset; uint32_t dataOffset; } aclrtPlaceHolderInfo;
typedef struct aclrtTimeoutUs { uint32_t timeoutLow; uint32_t timeoutHigh; } aclrtTimeoutUs;
typedef union aclrtLaunchKernelAttrValue {
    uint8_t schemMode;
    uint32_t localMemorySize;
    uint32_t dynUBufSize;
    aclrtEngineType engineType;
    uint32_t blockDimOffset;
    uint8_t isBlockTaskPrefetch;
    uint8_t isDataDump;
    uint16_t timeout;
    aclrtTimeoutUs timeoutUs;
    uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;
typedef struct aclrtLaunchKernelAttr {
    aclrtLaunchKernelAttrId id;
    aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;
typedef struct aclrtLaunchKernelCfg { aclrtLaunchKernelAttr* attrs; size_t numAttrs; } aclrtLaunchKernelCfg;

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName, aclrtFuncHandle* funcHandle);
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry, aclrtFuncHandle* funcHandle);
aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle);
aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle);
aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);
aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen);
aclError aclrtDestroyBinary(aclrtBinary binary);
aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr);
aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize,
    aclrtParamHandle* paramHandle);
aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle* paramHandle);
aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);
aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize);
aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t* actualArgsSize);
aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, size_t dataSize,
    void** bufferAddr);
aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle);
aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void* userHostMem,
    size_t actualArgsSize);
aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void* param,
    size_t paramSize);
aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData, size_t argsSize,
    aclrtStream stream);
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
    aclrtLaunchKernelCfg* cfg, aclrtArgsHandle argsHandle, void* reserve);
aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void** binAddr, size_t* binSize);  // 8.5
aclError aclrtBinaryLoadFromData(const void* data, size_t length, const aclrtBinaryLoadOptions* options,
    aclrtBinHandle* binHandle);  // 8.5
aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType, int64_t* attrValue);  // 8.5
aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name);  // 8.5
aclError aclrtGetHardwareSyncAddr(void** addr);  // 8.5
aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData, size_t argsSize,
    aclrtLaunchKernelCfg* cfg, aclrtStream stream);  // 8.5
aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg,
    void** args);  // 9.1
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
    aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray,
    size_t placeHolderNum);  // 8.5
aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName, const char* kernelName,
    aclrtFuncHandle* funcHandle);  // 8.5

// Exceptions and faults: who failed, and what can be repaired.
#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20  // 8.5

typedef struct rtExceptionInfo aclrtExceptionInfo;
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo*);
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo*, void*);
typedef enum aclrtAicoreErrorType {  // 8.5
    ACL_RT_AICORE_ERROR_UNKNOWN = 0, ACL_RT_AICORE_ERROR_SW = 1, ACL_RT_AICORE_ERROR_HW_LOCAL = 2
} aclrtAicoreErrorType;
typedef enum aclrtErrorType {  // 8.5
    ACL_RT_NO_ERROR = 0, ACL_RT_ERROR_MEMORY = 1, ACL_RT_ERROR_L2 = 2, ACL_RT_ERROR_AICORE = 3, ACL_RT_ERROR_LINK = 4,
    ACL_RT_ERROR_OTHERS = 65535,
    // 9.1
    ACL_RT_ERROR_L3_PORT = 5
} aclrtErrorType;
typedef struct aclrtMemUceInfo { void* addr; size_t len; size_t reserved[14]; } aclrtMemUceInfo;
typedef struct aclrtMemUceInfoArray { size_t arraySize; aclrtMemUceInfo memUceInfoArray[20]; } aclrtMemUceInfoArray;
typedef union aclrtErrorInfoDetail {
    aclrtMemUceInfoArray uceInfo;
    aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;
typedef struct aclrtErrorInfo {
    uint8_t tryRepair;
    uint8_t hasDetail;
    uint8_t reserved[2];
    aclrtErrorType errorType;
    aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize, size_t* retSize);
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize);
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);
aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback,
    void* userData);  // 9.0
aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr, uint32_t* devArgsLen);  // 9.0
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo);  // 8.5
aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info, aclrtFuncHandle* func);  // 9.0
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo);  // 8.5

// ACL graph.
// Tasks of a stream captured once and run many times.
#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0x0UL  // 9.1
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 0x1UL  // 9.1

typedef void* aclmdlRI;
typedef enum aclmdlRICaptureMode {
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
} aclmdlRICaptureMode;
typedef enum aclmdlRICaptureStatus {
    ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
    ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2
} aclmdlRICaptureStatus;

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI);
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status, aclmdlRI* modelRI);
aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle);
aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);
aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);
aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode);
aclError aclmdlRIDebugPrint(aclmdlRI modelRI);
aclError aclmdlRIDestroy(aclmdlRI modelRI);
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
aclError aclmdlRIAbort(aclmdlRI modelRI);  // 8.5
aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag);  // 8.5
aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag);  // 8.5
aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve);  // 8.5
aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode);  // 9.1
aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags);  // 8.5
aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData);  // 9.0
aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func);  // 9.0
aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);  // 8.5
aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);  // 8.5
aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId);  // 9.1
aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name);  // 8.5
aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams, uint32_t* numStreams);  // 9.1
aclError aclmdlRISetName(aclmdlRI modelRI, const char* name);  // 8.5
aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);  // 8.5
aclError aclmdlRIUpdate(aclmdlRI modelRI);  // 9.1
#ifdef __cplusplus
}
#endif

#endif

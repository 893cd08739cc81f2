// Communicators: who takes part.
#ifndef PYASC_HCCL_HCCL_COMM_H
#define PYASC_HCCL_HCCL_COMM_H

#include "acl/acl_rt.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HcclConfigType {  // 8.5
    HCCL_CONFIG_TYPE_INVALID = -1, HCCL_CONFIG_TYPE_OP_EXPANSION_MODE = 0
} HcclConfigType;
typedef enum HcclOpExpansionMode {  // 8.5
    HCCL_OP_EXPANSION_MODE_INVALID = -1, HCCL_OP_EXPANSION_MODE_AI_CPU = 0, HCCL_OP_EXPANSION_MODE_AIV = 1,
    HCCL_OP_EXPANSION_MODE_HOST = 2, HCCL_OP_EXPANSION_MODE_HOST_TS = 3, HCCL_OP_EXPANSION_CCU_MS = 4,
    HCCL_OP_EXPANSION_CCU_SCHED = 5, HCCL_OP_EXPANSION_AIV_ONLY = 6
} HcclOpExpansionMode;

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);
HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
    uint64_t flags);
void HcclCommConfigInit(HcclCommConfig* config);
HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr);
HcclResult HcclCommDestroy(HcclComm comm);
HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms);
HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm);
HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank, HcclCommConfig* config,
    HcclComm* comm);
HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank, HcclComm* comm);
HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
    const HcclCommConfig* config, HcclComm* comm);
HcclResult HcclCommResume(HcclComm comm);
HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size, size_t alignment, uint64_t flags);
HcclResult HcclCommSuspend(HcclComm comm);
HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr);
HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds, uint64_t subCommId,
    uint32_t subCommRankId, HcclCommConfig* config, HcclComm* subComm);
HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError);
uint32_t HcclGetCommConfigCapability(void);
HcclResult HcclGetCommName(HcclComm comm, char* commName);
HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue);
const char* HcclGetErrorString(HcclResult code);
HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank);
HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize);
HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo);
HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);
HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm);  // 8.5
HcclResult HcclCommGetStatus(HcclComm comm, HcclCommStatus* status);  // 8.5
HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle);  // 8.5
HcclResult HcclCommSymWinGet(HcclComm comm, void* ptr, size_t size, HcclCommSymWindow* winHandle,
    size_t* offset);  // 8.5
HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size, HcclCommSymWindow* winHandle,
    uint32_t flag);  // 8.5
HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks, bool* useBackup, uint32_t nRanks);  // 8.2
HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType, uint32_t infoLen, void* info);  // 8.5
HcclResult HcclGroupEnd(void);  // 8.5
HcclResult HcclGroupStart(void);  // 8.5

#ifdef __cplusplus
}
#endif

#endif

// Devices as the C interface shows them: how many, which is current, what they can do, who may reach whom.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "runtime/arena.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/settings.h"
#include "runtime/stream.h"

namespace pyasc {

int32_t check_device(const char* function, int32_t device) {
    if (is_device(device)) return 0;
    const size_t count = settings().visible.size();
    return fail(ACL_ERROR_RT_INVALID_DEVICEID,
                count ? "%s: device %d does not exist; there are %zu, numbered from 0 (PYASC_EMBEDDED_DEVICES, "
                        "ASCEND_RT_VISIBLE_DEVICES)"
                      : "%s: device %d does not exist; ASCEND_RT_VISIBLE_DEVICES leaves %zu devices",
                function, device, count);
}

int32_t set_up_device(const char* function) {
    if (!settings().problem.empty())
        return fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "%s: %s", function, settings().problem.c_str());
    if (!set_up_arenas())
        return fail(ACL_ERROR_RT_DEV_SETUP_ERROR,
                    "%s: no address space for %zu devices of %zu MiB; set PYASC_EMBEDDED_MEMORY to less, or raise the "
                    "limit on address space (ulimit -v)",
                    function, settings().visible.size(), settings().memory >> 20);
    note_device_use();
    return 0;
}

namespace {

int32_t fail_null(const char* function, const char* name) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, name);
}

int32_t check_peers(const char* function, int32_t device, int32_t peer) {
    if (int32_t status = check_device(function, device)) return status;
    if (int32_t status = check_device(function, peer)) return status;
    return device != peer ? 0
                          : fail(ACL_ERROR_INVALID_PARAM,
                                 "%s: device %d needs no access to itself; give another device", function, device);
}

// Both devices of a call that names only the peer; the other is the current one.
int32_t current_and_peer(const char* function, int32_t peer, int* device) {
    int32_t status = 0;
    Context* c = require_context(function, &status);
    if (!c) return status;
    *device = c->device;
    return check_peers(function, c->device, peer);
}

struct Params {
    std::atomic<int64_t> value[kSysParams];
    std::atomic<bool> set[kSysParams];
};
Params process_params;

int32_t check_param(const char* function, aclSysParamOpt option) {
    const int o = static_cast<int>(option);
    return o >= 0 && o < kSysParams ? 0 : fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no option %d", function, o);
}

int32_t read_param(const char* function, const std::atomic<int64_t>* values, const std::atomic<bool>* set,
                   aclSysParamOpt option, int64_t* value) {
    if (!value) return fail_null(function, "value");
    if (int32_t status = check_param(function, option)) return status;
    if (!set[option].load())
        return fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "%s: option %d was never set", function,
                    static_cast<int>(option));
    *value = values[option].load();
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtGetDeviceCount(uint32_t* count) {
    if (!count) return fail_null("aclrtGetDeviceCount", "count");
    *count = static_cast<uint32_t>(settings().visible.size());
    return 0;
}

aclError aclrtGetDevice(int32_t* device) {
    if (!device) return fail_null("aclrtGetDevice", "deviceId");
    if (Context* c = current_context_or_null()) {
        *device = c->device;
        return 0;
    }
    if (!forked_child && default_device() >= 0 && !current_handles.handle) {
        *device = default_device();
        return 0;
    }
    int32_t status = 0;
    require_context("aclrtGetDevice", &status);
    return status;
}

aclError aclrtGetRunMode(aclrtRunMode* mode) {
    if (!mode) return fail_null("aclrtGetRunMode", "runMode");
    *mode = ACL_HOST;
    return 0;
}

aclError aclrtGetPrimaryCtxState(int32_t device, uint32_t* flags, int32_t* active) {
    if (!active) return fail_null("aclrtGetPrimaryCtxState", "active");
    if (flags) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetPrimaryCtxState: flags is reserved and must be null");
    if (int32_t status = check_device("aclrtGetPrimaryCtxState", device)) return status;
    *active = !forked_child && devices()[static_cast<size_t>(device)].primary.load() != nullptr;
    return 0;
}

aclError aclrtQueryDeviceStatus(int32_t device, aclrtDeviceStatus* status) {
    if (!status) return fail_null("aclrtQueryDeviceStatus", "deviceStatus");
    if (int32_t code = check_device("aclrtQueryDeviceStatus", device)) return code;
    *status = ACL_RT_DEVICE_STATUS_NORMAL;
    return 0;
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
    if (!pid) return fail_null("aclrtDeviceGetBareTgid", "pid");
    *pid = static_cast<int32_t>(getpid());
    return 0;
}

aclError aclrtDeviceGetUuid(int32_t device, aclrtUuid* uuid) {
    if (!uuid) return fail_null("aclrtDeviceGetUuid", "uuid");
    if (int32_t status = check_device("aclrtDeviceGetUuid", device)) return status;
    memset(uuid, 0, sizeof *uuid);
    const int physical = settings().visible[static_cast<size_t>(device)];
    snprintf(uuid->bytes, sizeof uuid->bytes, "pyasc-%08x", static_cast<unsigned>(physical));
    return 0;
}

// Synchronising.

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
    if (timeout < -1 || timeout == 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtSynchronizeDeviceWithTimeout: timeout %d; it is milliseconds, or -1 for ever", timeout);
    int32_t status = 0;
    Context* c = require_context("aclrtSynchronizeDevice", &status);
    return c ? synchronize_all(c->device, deadline_after(timeout), "aclrtSynchronizeDevice") : status;
}

aclError aclrtSynchronizeDevice() { return aclrtSynchronizeDeviceWithTimeout(-1); }

aclError aclrtDeviceTaskAbort(int32_t device, uint32_t) {
    if (forked_child) return fail_forked("aclrtDeviceTaskAbort");
    if (int32_t status = check_device("aclrtDeviceTaskAbort", device)) return status;
    std::vector<Stream*> all;
    {
        std::lock_guard<std::mutex> lock(runtime_mutex());
        for (Context* c : live_contexts()) {
            if (c->device != device) continue;
            all.push_back(c->default_stream);
            all.insert(all.end(), c->streams.begin(), c->streams.end());
        }
    }
    for (Stream* s : all) s->abort();
    return 0;
}

// Peers.

aclError aclrtDeviceCanAccessPeer(int32_t* can, int32_t device, int32_t peer) {
    if (!can) return fail_null("aclrtDeviceCanAccessPeer", "canAccessPeer");
    if (int32_t status = check_peers("aclrtDeviceCanAccessPeer", device, peer)) return status;
    *can = 1;
    return 0;
}

aclError aclrtDeviceEnablePeerAccess(int32_t peer, uint32_t flags) {
    if (flags != 0)
        return fail(ACL_ERROR_FEATURE_UNSUPPORTED, "aclrtDeviceEnablePeerAccess: flags %u is reserved and must be 0",
                    flags);
    int device = 0;
    if (int32_t status = current_and_peer("aclrtDeviceEnablePeerAccess", peer, &device)) return status;
    std::lock_guard<std::mutex> lock(runtime_mutex());
    devices()[static_cast<size_t>(device)].peers[static_cast<size_t>(peer)] = true;
    return 0;
}

aclError aclrtDeviceDisablePeerAccess(int32_t peer) {
    int device = 0;
    if (int32_t status = current_and_peer("aclrtDeviceDisablePeerAccess", peer, &device)) return status;
    std::lock_guard<std::mutex> lock(runtime_mutex());
    devices()[static_cast<size_t>(device)].peers[static_cast<size_t>(peer)] = false;
    return 0;
}

aclError aclrtDevicePeerAccessStatus(int32_t device, int32_t peer, int32_t* status) {
    if (!status) return fail_null("aclrtDevicePeerAccessStatus", "status");
    if (int32_t code = check_peers("aclrtDevicePeerAccessStatus", device, peer)) return code;
    std::lock_guard<std::mutex> lock(runtime_mutex());
    *status = devices()[static_cast<size_t>(device)].peers[static_cast<size_t>(peer)];
    return 0;
}

aclError aclrtGetDevicesTopo(uint32_t device, uint32_t other, uint64_t* value) {
    if (!value) return fail_null("aclrtGetDevicesTopo", "value");
    if (int32_t status = check_device("aclrtGetDevicesTopo", static_cast<int32_t>(device))) return status;
    if (int32_t status = check_device("aclrtGetDevicesTopo", static_cast<int32_t>(other))) return status;
    *value = ACL_RT_DEVS_TOPOLOGY_SYS;  // both are memory of one host
    return 0;
}

// What a device is.

aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attr, int64_t* value) {
    if (!value) return fail_null("aclrtGetDeviceInfo", "value");
    if (int32_t status = check_device("aclrtGetDeviceInfo", static_cast<int32_t>(device))) return status;
    switch (static_cast<int>(attr)) {
        case ACL_DEV_ATTR_AICPU_CORE_NUM:
        case ACL_DEV_ATTR_AICORE_CORE_NUM:
        case ACL_DEV_ATTR_CUBE_CORE_NUM:
        case ACL_DEV_ATTR_VECTOR_CORE_NUM: *value = processors(); return 0;
        case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: *value = static_cast<int64_t>(settings().memory); return 0;
        case ACL_DEV_ATTR_L2_CACHE_SIZE: *value = sysconf(_SC_LEVEL2_CACHE_SIZE); return 0;
        case ACL_DEV_ATTR_PHY_CHIP_ID: *value = settings().visible[device]; return 0;
        case ACL_DEV_ATTR_IS_VIRTUAL: *value = 1; return 0;
        default:
            return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "aclrtGetDeviceInfo: the embedded device has no attribute %d",
                        static_cast<int>(attr));
    }
}

aclError aclGetDeviceCapability(uint32_t device, aclDeviceInfo info, int64_t* value) {
    if (!value) return fail_null("aclGetDeviceCapability", "value");
    switch (info) {
        case ACL_DEVICE_INFO_AI_CORE_NUM: return aclrtGetDeviceInfo(device, ACL_DEV_ATTR_AICORE_CORE_NUM, value);
        case ACL_DEVICE_INFO_VECTOR_CORE_NUM: return aclrtGetDeviceInfo(device, ACL_DEV_ATTR_VECTOR_CORE_NUM, value);
        case ACL_DEVICE_INFO_L2_SIZE: return aclrtGetDeviceInfo(device, ACL_DEV_ATTR_L2_CACHE_SIZE, value);
        default:
            return fail(ACL_ERROR_INVALID_PARAM, "aclGetDeviceCapability: there is no information %d",
                        static_cast<int>(info));
    }
}

aclError aclrtGetLogicDevIdByUserDevId(const int32_t user, int32_t* const logic) {
    if (!logic) return fail_null("aclrtGetLogicDevIdByUserDevId", "logicDevId");
    if (int32_t status = check_device("aclrtGetLogicDevIdByUserDevId", user)) return status;
    *logic = user;
    return 0;
}

// Options.

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt option, int64_t value) {
    if (int32_t status = check_param("aclrtCtxSetSysParamOpt", option)) return status;
    int32_t status = 0;
    Context* c = require_context("aclrtCtxSetSysParamOpt", &status);
    if (!c) return status;
    c->params[option].store(value);
    c->param_set[option].store(true);
    return 0;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt option, int64_t* value) {
    int32_t status = 0;
    Context* c = require_context("aclrtCtxGetSysParamOpt", &status);
    return c ? read_param("aclrtCtxGetSysParamOpt", c->params, c->param_set, option, value) : status;
}

aclError aclrtSetSysParamOpt(aclSysParamOpt option, int64_t value) {
    if (int32_t status = check_param("aclrtSetSysParamOpt", option)) return status;
    process_params.value[option].store(value);
    process_params.set[option].store(true);
    return 0;
}

aclError aclrtGetSysParamOpt(aclSysParamOpt option, int64_t* value) {
    return read_param("aclrtGetSysParamOpt", process_params.value, process_params.set, option, value);
}

}  // extern "C"

// Devices and contexts: what is current on which thread, reference counts, peers, options, and handles that are none.
#include "runtime_check.h"

namespace {

void no_context() {
    int32_t device = 0;
    void* p = nullptr;
    size_t a, b;
    aclrtContext context;
    aclrtStream stream;
    aclrtEvent event;
    char host[8];
    CODE(107002, aclrtGetDevice(&device));
    CODE(107002, aclrtGetCurrentContext(&context));
    CODE(107002, aclrtMalloc(&p, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(107002, aclrtMallocHost(&p, 8));
    CODE(107002, aclrtCreateStream(&stream));
    CODE(107002, aclrtCreateEvent(&event));
    CODE(107002, aclrtSynchronizeStream(nullptr));
    CODE(107002, aclrtSynchronizeDevice());
    CODE(107002, aclrtMemcpy(host, 4, host + 4, 4, ACL_MEMCPY_HOST_TO_HOST));
    CODE(107002, aclrtMemset(host, 8, 0, 8));
    CODE(107002, aclrtGetMemInfo(ACL_HBM_MEM, &a, &b));
    CODE(107002, aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
}

void devices() {
    uint32_t count = 0;
    CODE(0, aclrtGetDeviceCount(&count));
    CHECK(count == 2);
    CODE(100000, aclrtGetDeviceCount(nullptr));
    for (int32_t bad : {-1, 2, 1 << 30}) {
        CODE(107001, aclrtSetDevice(bad));
        CODE(107001, aclrtResetDevice(bad));
        CODE(107001, aclrtResetDeviceForce(bad));
    }
    CODE(507007, aclrtResetDevice(0));
    CODE(0, aclrtSetDevice(0));
    CODE(0, aclrtSetDevice(0));
    int32_t active = -1;
    uint32_t flags = 0;
    CODE(0, aclrtGetPrimaryCtxState(0, nullptr, &active));
    CHECK(active == 1);
    CODE(0, aclrtGetPrimaryCtxState(1, nullptr, &active));
    CHECK(active == 0);
    CODE(100000, aclrtGetPrimaryCtxState(0, &flags, &active));
    CODE(0, aclrtResetDevice(0));
    int32_t device = -1;
    CODE(0, aclrtGetDevice(&device));
    CHECK(device == 0);
    CODE(0, aclrtResetDevice(0));
    CODE(507007, aclrtResetDevice(0));
    CODE(107002, aclrtGetDevice(&device));  // the reference dangles
    CODE(0, aclrtSetDevice(1));
    CODE(0, aclrtSetDevice(1));
    CODE(0, aclrtResetDeviceForce(1));
    CODE(507007, aclrtResetDevice(1));
}

void threads_share_the_primary_context() {
    CODE(0, aclrtSetDevice(0));
    aclrtContext mine = nullptr;
    CODE(0, aclrtGetCurrentContext(&mine));
    std::thread([&] {
        int32_t device;
        CODE(107002, aclrtGetDevice(&device));  // nothing is inherited
        CODE(0, aclrtSetDevice(0));
        aclrtContext other = nullptr;
        CODE(0, aclrtGetCurrentContext(&other));
        CHECK(other == mine);
        CODE(0, aclrtResetDevice(0));
        CODE(0, aclrtGetDevice(&device));  // still set by the first thread
    }).join();
    CODE(107002, aclrtDestroyContext(mine));  // a primary context is not destroyed like that
    std::thread([] { CODE(0, aclrtResetDevice(0)); }).join();
    CODE(107002, aclrtGetCurrentContext(&mine));
}

void explicit_contexts() {
    aclrtContext a = nullptr, b = nullptr, current = nullptr;
    int32_t device = -1;
    CODE(100000, aclrtCreateContext(nullptr, 0));
    CODE(107001, aclrtCreateContext(&a, 5));
    CODE(0, aclrtCreateContext(&a, 1));  // no SetDevice needed
    CODE(0, aclrtGetDevice(&device));
    CHECK(device == 1);
    CODE(0, aclrtCreateContext(&b, 0));
    CODE(0, aclrtGetCurrentContext(&current));
    CHECK(current == b && a != b);
    CODE(0, aclrtSetCurrentContext(a));
    CODE(0, aclrtGetDevice(&device));
    CHECK(device == 1);
    CODE(100000, aclrtSetCurrentContext(nullptr));
    CODE(100000, aclrtDestroyContext(nullptr));
    CODE(0, aclrtDestroyContext(a));
    CODE(107002, aclrtGetDevice(&device));  // its explicit slot is empty, and there is no primary reference
    CODE(0, aclrtSetDevice(0));
    CODE(0, aclrtSetCurrentContext(b));
    CODE(0, aclrtDestroyContext(b));
    CODE(0, aclrtGetDevice(&device));  // back to the primary context
    for (void* bad : bad_handles(a)) {
        CODE(107002, aclrtDestroyContext(bad));
        CODE(107000, aclrtSetCurrentContext(bad));
    }
    CODE(0, aclrtResetDevice(0));
}

void stale_on_another_thread() {
    aclrtContext context = nullptr;
    CODE(0, aclrtCreateContext(&context, 0));
    std::thread([&] {
        CODE(0, aclrtSetCurrentContext(context));
        std::thread([&] { CODE(0, aclrtDestroyContext(context)); }).join();
        void* p = nullptr;
        CODE(107002, aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));
        CODE(107002, aclrtSynchronizeStream(nullptr));
    }).join();
}

void handles_differ_for_long() {
    aclrtContext old[100];
    for (auto& c : old) {
        CODE(0, aclrtCreateContext(&c, 0));
        CODE(0, aclrtDestroyContext(c));
    }
    aclrtContext fresh = nullptr;
    CODE(0, aclrtCreateContext(&fresh, 0));
    for (auto& c : old) {
        CHECK(c != fresh);
        CODE(107000, aclrtSetCurrentContext(c));
    }
    CODE(0, aclrtDestroyContext(fresh));
}

void peers() {
    int32_t can = -1;
    CODE(0, aclrtDeviceCanAccessPeer(&can, 0, 1));
    CHECK(can == 1);
    CODE(100000, aclrtDeviceCanAccessPeer(nullptr, 0, 1));
    CODE(100000, aclrtDeviceCanAccessPeer(&can, 1, 1));
    CODE(107001, aclrtDeviceCanAccessPeer(&can, 0, 7));
    CODE(107002, aclrtDeviceEnablePeerAccess(1, 0));
    CODE(0, aclrtSetDevice(0));
    CODE(200006, aclrtDeviceEnablePeerAccess(1, 1));
    CODE(100000, aclrtDeviceEnablePeerAccess(0, 0));
    CODE(107001, aclrtDeviceEnablePeerAccess(9, 0));
    CODE(0, aclrtDeviceEnablePeerAccess(1, 0));
    int32_t status = -1;
    CODE(0, aclrtDevicePeerAccessStatus(0, 1, &status));
    CHECK(status == 1);
    CODE(0, aclrtDevicePeerAccessStatus(1, 0, &status));
    CHECK(status == 0);  // one direction only
    CODE(0, aclrtDeviceDisablePeerAccess(1));
    CODE(0, aclrtDevicePeerAccessStatus(0, 1, &status));
    CHECK(status == 0);
    CODE(0, aclrtResetDevice(0));
}

void options() {
    int64_t value = -1;
    CODE(107021, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    CODE(0, aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    CODE(0, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    CHECK(value == 1);
    CODE(107000, aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(40), 1));
    CODE(100000, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr));
    CODE(0, aclrtSetDevice(0));
    CODE(107021, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    CODE(0, aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 5));
    CODE(0, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    CHECK(value == 5);
    aclrtContext other = nullptr;
    CODE(0, aclrtCreateContext(&other, 0));
    CODE(107021, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));  // each context has its own
    CODE(0, aclrtDestroyContext(other));
    CODE(0, aclrtResetDevice(0));
}

void information() {
    int64_t value = 0;
    CODE(0, aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value));
    CHECK(value >= 1);
    CODE(0, aclrtGetDeviceInfo(1, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value));
    CHECK(value > (64 << 20));
    CODE(107001, aclrtGetDeviceInfo(9, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value));
    CODE(207000, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_SMP_ID, &value));
    CODE(100000, aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value));
    int32_t pid = 0;
    CODE(0, aclrtDeviceGetBareTgid(&pid));
    CHECK(pid == getpid());
}

void visible_devices(const char* list, uint32_t expected, int32_t first_physical) {
    setenv("PYASC_EMBEDDED_DEVICES", "4", 1);
    setenv("ASCEND_RT_VISIBLE_DEVICES", list, 1);
    uint32_t count = 99;
    CODE(0, aclrtGetDeviceCount(&count));
    CHECK(count == expected);
    int64_t physical = -1;
    if (expected) {
        CODE(0, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_PHY_CHIP_ID, &physical));
        CHECK(physical == first_physical);
        CODE(0, aclrtSetDevice(static_cast<int32_t>(expected) - 1));
    }
    CODE(107001, aclrtSetDevice(static_cast<int32_t>(expected)));
}

}  // namespace

int main() {
    in_child("no_context", no_context);
    in_child("devices", devices);
    in_child("threads_share_the_primary_context", threads_share_the_primary_context);
    in_child("explicit_contexts", explicit_contexts);
    in_child("stale_on_another_thread", stale_on_another_thread);
    in_child("handles_differ_for_long", handles_differ_for_long);
    in_child("peers", peers);
    in_child("options", options);
    in_child("information", information);
    in_child("visible 3,1", [] { visible_devices("3,1", 2, 3); });
    in_child("visible 2", [] { visible_devices("2", 1, 2); });
    in_child("visible 0,7,1", [] { visible_devices("0,7,1", 1, 0); });
    in_child("visible none", [] { visible_devices("", 0, 0); });
    return failures;
}

// Children: one forked before the first use of the device works, one forked after it gets an error and never hangs.
#include "runtime_check.h"

namespace {

void use_device() {
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    aclrtStream s = nullptr;
    void* p = nullptr;
    CODE(0, aclrtCreateStream(&s));
    CODE(0, aclrtMalloc(&p, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    std::atomic<int> ran{0};
    CODE(0, aclrtLaunchHostFunc(s, [](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &ran));
    CODE(0, aclrtMemsetAsync(p, 1 << 20, 1, 1 << 20, s));
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(ran == 1);
    CODE(0, aclrtFree(p));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
}

constexpr long kRefused = 507033;

}  // namespace

int main() {
    uint32_t count = 0;
    CODE(0, aclrtGetDeviceCount(&count));
    in_child("before first use", use_device);
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    aclrtStream s = nullptr, busy = nullptr;
    aclrtEvent e = nullptr;
    aclrtContext context = nullptr;
    char *p = nullptr, *host = nullptr;
    CODE(0, aclrtCreateStream(&s));
    CODE(0, aclrtCreateStream(&busy));
    CODE(0, aclrtCreateEvent(&e));
    CODE(0, aclrtGetCurrentContext(&context));
    CODE(0, aclrtMalloc(reinterpret_cast<void**>(&p), 64, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(0, aclrtMallocHost(reinterpret_cast<void**>(&host), 64));
    Gate gate;
    gate.hold(busy);
    CODE(0, aclrtRecordEvent(e, busy));
    in_child("after first use", [&] {
        void* q = nullptr;
        size_t a, b;
        int32_t device;
        aclrtStream t = nullptr;
        aclrtStreamStatus status;
        aclrtEventRecordedStatus recorded;
        aclrtContext c;
        aclmdlRI graph;
        CODE(kRefused, aclInit(nullptr));
        CODE(kRefused, aclrtSetDevice(0));
        CODE(kRefused, aclrtGetDevice(&device));
        CODE(kRefused, aclrtGetCurrentContext(&c));
        CODE(kRefused, aclrtSetCurrentContext(context));
        CODE(kRefused, aclrtCreateContext(&c, 0));
        CODE(kRefused, aclrtMalloc(&q, 8, ACL_MEM_MALLOC_HUGE_FIRST));
        CODE(kRefused, aclrtMallocHost(&q, 8));
        CODE(kRefused, aclrtFree(p));
        CODE(kRefused, aclrtFreeHost(host));
        CODE(kRefused, aclrtGetMemInfo(ACL_HBM_MEM, &a, &b));
        CODE(kRefused, aclrtMemcpy(host, 64, p, 64, ACL_MEMCPY_DEVICE_TO_HOST));
        CODE(kRefused, aclrtMemset(p, 64, 0, 64));
        CODE(kRefused, aclrtMemcpyAsync(host, 64, p, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
        CODE(kRefused, aclrtMemsetAsync(p, 64, 0, 64, nullptr));
        CODE(kRefused, aclrtCreateStream(&t));
        for (aclrtStream x : {s, busy}) {
            CODE(kRefused, aclrtSynchronizeStream(x));
            CODE(kRefused, aclrtSynchronizeStreamWithTimeout(x, 10));
            CODE(kRefused, aclrtStreamQuery(x, &status));
            CODE(kRefused, aclrtDestroyStream(x));
            CODE(kRefused, aclrtDestroyStreamForce(x));
            CODE(kRefused, aclrtStreamAbort(x));
            CODE(kRefused, aclrtRecordEvent(e, x));
            CODE(kRefused, aclrtStreamWaitEvent(x, e));
            CODE(kRefused, aclmdlRICaptureBegin(x, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
            CODE(kRefused, aclmdlRICaptureEnd(x, &graph));
            CODE(kRefused, aclrtSubscribeReport(1, x));
            CODE(kRefused, aclrtLaunchHostFunc(x, Gate::wait, &gate));
        }
        CODE(kRefused, aclrtSynchronizeDevice());
        CODE(kRefused, aclrtSynchronizeEvent(e));
        CODE(kRefused, aclrtQueryEventStatus(e, &recorded));
        CODE(kRefused, aclrtDestroyEvent(e));
        CODE(kRefused, aclrtProcessReport(1000));
        CODE(kRefused, aclrtResetDevice(0));
        CODE(kRefused, aclrtResetDeviceForce(0));
        CHECK(aclFinalize() == kRefused);
        const char* text = aclGetRecentErrMsg();
        CHECK(text && std::strstr(text, "fork") && std::strstr(text, "spawn"));
        std::thread([&] { CODE(kRefused, aclrtSynchronizeDevice()); }).join();
        CODE(0, aclrtGetDeviceCount(&count));
    });
    gate.open = true;  // the parent does not notice
    CODE(0, aclrtSynchronizeStream(busy));
    CODE(0, aclrtMemsetAsync(p, 64, 5, 64, s));
    CODE(0, aclrtSynchronizeDevice());
    CHECK(p[63] == 5);
    CODE(0, aclrtSynchronizeEvent(e));
    CODE(0, aclrtDestroyEvent(e));
    CODE(0, aclrtFree(p));
    CODE(0, aclrtFreeHost(host));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(busy));
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
    return failures;
}

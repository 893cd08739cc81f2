// Graphs: what is captured and what is refused meanwhile, streams that join, replay, and replaced task groups.
#include "runtime_check.h"

namespace {

const auto kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
const auto kThread = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
const auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

aclrtStream stream() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    return s;
}

struct Memory {
    char *device = nullptr, *host = nullptr;
    Memory() {
        CODE(0, aclrtMalloc(reinterpret_cast<void**>(&device), 64, ACL_MEM_MALLOC_HUGE_FIRST));
        CODE(0, aclrtMallocHost(reinterpret_cast<void**>(&host), 64));
        std::memset(device, 0, 64);
        std::memset(host, 0, 64);
    }
    ~Memory() {
        aclrtFree(device);
        aclrtFreeHost(host);
    }
    Memory(const Memory&) = delete;
};

aclmdlRICaptureStatus status_of(aclrtStream s) {
    aclmdlRICaptureStatus status = static_cast<aclmdlRICaptureStatus>(-1);
    CODE(0, aclmdlRICaptureGetInfo(s, &status, nullptr));
    return status;
}

void replay() {
    aclrtStream s = stream();
    Memory m;
    aclmdlRI graph = nullptr, same = nullptr;
    CODE(0, aclmdlRICaptureBegin(s, kGlobal));
    CHECK(status_of(s) == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    CODE(0, aclrtMemcpyAsync(m.device, 64, m.host, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    CODE(0, aclrtMemsetAsync(m.device + 1, 63, 5, 1, s));
    m.host[0] = 1;
    CODE(0, aclmdlRICaptureGetInfo(s, nullptr, &same));
    CODE(107026, aclmdlRIExecuteAsync(same, s));
    CODE(107026, aclmdlRIDestroy(same));
    CODE(0, aclmdlRICaptureEnd(s, &graph));
    CHECK(graph && graph == same && m.device[0] == 0);  // nothing has run yet
    CHECK(status_of(s) == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    for (char value = 1; value < 4; ++value) {
        m.host[0] = value;  // addresses are frozen, contents are not
        m.device[1] = 0;
        CODE(0, aclmdlRIExecuteAsync(graph, s));
        CODE(0, aclrtSynchronizeStream(s));
        CHECK(m.device[0] == value && m.device[1] == 5);
    }
    m.host[0] = 9;
    CODE(0, aclmdlRIExecute(graph, 1000));
    CHECK(m.device[0] == 9);
    CODE(107000, aclmdlRIExecute(graph, 0));
    Gate gate;
    gate.hold(s);
    CODE(0, aclmdlRIExecuteAsync(graph, s));
    CODE(107037, aclmdlRIDestroy(graph));
    gate.open = true;
    CODE(0, aclrtSynchronizeStream(s));
    aclrtContext mine = nullptr, other = nullptr;
    CODE(0, aclrtGetCurrentContext(&mine));
    CODE(0, aclrtCreateContext(&other, 0));
    CODE(107004, aclmdlRIExecuteAsync(graph, nullptr));
    CODE(0, aclrtDestroyContext(other));
    char name[8];
    CODE(0, aclmdlRISetName(graph, "step"));
    CODE(0, aclmdlRIGetName(graph, sizeof name, name));
    CHECK(std::strcmp(name, "step") == 0);
    CODE(107000, aclmdlRIGetName(graph, 4, name));
    CODE(0, aclmdlRIDestroy(graph));
    for (void* bad : bad_handles(graph)) {
        CODE(107000, aclmdlRIDestroy(bad));
        CODE(107000, aclmdlRIExecuteAsync(bad, s));
    }
    CODE(0, aclrtDestroyStream(s));
}

void codes() {
    aclrtStream s = stream();
    Memory m;
    char pageable[64];
    aclmdlRI graph = reinterpret_cast<aclmdlRI>(8);
    CODE(100000, aclmdlRICaptureBegin(nullptr, kGlobal));
    CODE(107000, aclmdlRICaptureBegin(s, static_cast<aclmdlRICaptureMode>(3)));
    aclrtStream standard = nullptr;
    CODE(0, aclrtCtxGetCurrentDefaultStream(&standard));
    CODE(207000, aclmdlRICaptureBegin(standard, kGlobal));
    CODE(107029, aclmdlRICaptureEnd(s, &graph));
    CHECK(graph == nullptr);
    CODE(100000, aclmdlRICaptureEnd(s, nullptr));
    CODE(100000, aclmdlRICaptureGetInfo(s, nullptr, nullptr));
    CODE(0, aclmdlRICaptureBegin(s, kGlobal));
    CODE(107027, aclmdlRICaptureBegin(s, kGlobal));
    CODE(107027, aclrtSynchronizeStream(s));
    CODE(107027, aclrtDestroyStream(s));
    CODE(107030, aclrtMemcpy(m.device, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE));
    CODE(107030, aclrtMemset(m.device, 64, 0, 64));
    CODE(107030, aclrtMemcpy2d(m.device, 8, pageable, 8, 8, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    CODE(107000, aclrtMemcpyAsync(m.device, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    CODE(107041, aclrtMemcpyAsync(m.device, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    void* p = nullptr;
    CODE(0, aclrtMalloc(&p, 8, ACL_MEM_MALLOC_HUGE_FIRST));  // allocation is allowed
    CODE(0, aclrtFree(p));
    std::thread([&] {
        CODE(0, aclrtSetDevice(0));
        CODE(107030, aclrtMemset(m.device, 64, 0, 64));  // GLOBAL forbids every thread
        aclmdlRICaptureMode mode = kThread;
        CODE(0, aclmdlRICaptureThreadExchangeMode(&mode));
        CHECK(mode == kGlobal);
        CODE(0, aclrtMemset(m.device, 64, 0, 64));
        CODE(107038, aclmdlRICaptureEnd(s, &graph));  // another thread: the capture is dropped
        CHECK(graph == nullptr);
        CODE(0, aclrtResetDevice(0));
    }).join();
    CHECK(status_of(s) == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    CODE(0, aclmdlRICaptureBegin(s, kThread));
    CODE(107030, aclrtMemset(m.device, 64, 0, 64));
    std::thread([&] {
        CODE(0, aclrtSetDevice(0));
        CODE(0, aclrtMemset(m.device, 64, 0, 64));
        CODE(0, aclrtResetDevice(0));
    }).join();
    CODE(0, aclmdlRICaptureEnd(s, &graph));
    CODE(0, aclmdlRIDestroy(graph));
    CODE(0, aclmdlRICaptureBegin(s, kRelaxed));
    CODE(0, aclrtMemset(m.device, 64, 0, 64));
    std::thread([&] { CODE(0, aclmdlRICaptureEnd(s, &graph)); }).join();
    CODE(0, aclmdlRIDestroy(graph));
    CODE(0, aclmdlRICaptureBegin(s, kRelaxed));
    CODE(0, aclrtDestroyStreamForce(s));  // the capture goes with it
    CODE(0, aclrtMemset(m.device, 64, 0, 64));
}

void streams_join() {
    aclrtStream s = stream(), t = stream(), u = stream();
    Memory m;
    aclrtEvent fork = nullptr, join = nullptr, outside = nullptr;
    CODE(0, aclrtCreateEventExWithFlag(&fork, ACL_EVENT_SYNC));
    CODE(0, aclrtCreateEventExWithFlag(&join, ACL_EVENT_SYNC));
    CODE(0, aclrtCreateEventExWithFlag(&outside, ACL_EVENT_SYNC));
    CODE(0, aclrtRecordEvent(outside, u));
    aclmdlRI graph = nullptr, other = nullptr;
    CODE(0, aclmdlRICaptureBegin(s, kGlobal));
    CODE(107024, aclrtStreamWaitEvent(s, outside));
    CODE(0, aclrtMemsetAsync(m.device, 64, 1, 64, s));
    CODE(0, aclrtRecordEvent(fork, s));
    aclrtEventRecordedStatus status;
    CODE(107028, aclrtQueryEventStatus(fork, &status));
    CODE(107028, aclrtSynchronizeEvent(fork));
    CODE(107031, aclrtStreamWaitEvent(nullptr, fork));
    CODE(0, aclrtStreamWaitEvent(t, fork));
    CHECK(status_of(t) == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    CODE(0, aclrtMemsetAsync(m.device, 64, 2, 32, t));
    CODE(107036, aclmdlRICaptureEnd(t, &graph));  // it did not begin
    CODE(0, aclmdlRICaptureBegin(u, kGlobal));
    CODE(107032, aclrtStreamWaitEvent(u, fork));
    CODE(0, aclmdlRICaptureEnd(u, &other));
    CODE(0, aclmdlRIDestroy(other));
    CODE(0, aclrtRecordEvent(join, t));
    CODE(0, aclrtStreamWaitEvent(s, join));
    CODE(0, aclrtMemsetAsync(m.device, 64, 3, 16, s));
    CODE(0, aclmdlRICaptureEnd(s, &graph));
    CHECK(status_of(t) == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    for (int i = 0; i < 3; ++i) {
        std::memset(m.device, 0, 64);
        CODE(0, aclmdlRIExecuteAsync(graph, u));
        CODE(0, aclrtSynchronizeStream(u));
        CHECK(m.device[0] == 3 && m.device[16] == 2 && m.device[32] == 1 && m.device[63] == 1);
    }
    CODE(0, aclmdlRIDestroy(graph));
    // Work after the last join is lost, so that is an error.
    CODE(0, aclmdlRICaptureBegin(s, kGlobal));
    CODE(0, aclrtRecordEvent(fork, s));
    CODE(0, aclrtStreamWaitEvent(t, fork));
    CODE(0, aclrtRecordEvent(join, t));
    CODE(0, aclrtStreamWaitEvent(s, join));
    CODE(0, aclrtMemsetAsync(m.device, 64, 2, 32, t));
    CODE(107025, aclmdlRICaptureEnd(s, &graph));
    CHECK(graph == nullptr && status_of(t) == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    for (aclrtEvent e : {fork, join, outside}) CODE(0, aclrtDestroyEvent(e));
    for (aclrtStream x : {s, t, u}) CODE(0, aclrtDestroyStream(x));
}

void groups() {
    aclrtStream s = stream(), t = stream();
    Memory m;
    aclrtTaskGrp group = nullptr;
    aclmdlRI graph = nullptr;
    CODE(107029, aclmdlRICaptureTaskGrpBegin(s));
    CODE(0, aclmdlRICaptureBegin(s, kGlobal));
    CODE(107033, aclmdlRICaptureTaskGrpEnd(s, &group));
    CODE(0, aclrtMemsetAsync(m.device, 64, 1, 64, s));
    CODE(0, aclmdlRICaptureTaskGrpBegin(s));
    CODE(107033, aclmdlRICaptureTaskGrpBegin(s));
    CODE(0, aclrtMemsetAsync(m.device, 64, 2, 8, s));
    CODE(0, aclmdlRICaptureTaskGrpEnd(s, &group));
    CODE(0, aclrtMemsetAsync(m.device, 64, 3, 1, s));
    CODE(0, aclmdlRICaptureEnd(s, &graph));
    CODE(0, aclmdlRIExecute(graph, -1));
    CHECK(m.device[0] == 3 && m.device[7] == 2 && m.device[8] == 1);
    CODE(0, aclmdlRICaptureTaskUpdateBegin(t, group));
    CODE(0, aclrtMemsetAsync(m.device, 64, 7, 16, t));
    CODE(0, aclmdlRICaptureTaskUpdateEnd(t));
    CODE(0, aclmdlRIExecute(graph, -1));
    CHECK(m.device[0] == 3 && m.device[7] == 7 && m.device[15] == 7 && m.device[16] == 1);
    CODE(0, aclmdlRICaptureTaskUpdateBegin(t, group));
    CODE(107040, aclmdlRICaptureTaskUpdateEnd(t));  // a task is missing
    CODE(0, aclmdlRIExecute(graph, -1));
    CHECK(m.device[15] == 7);
    CODE(107000, aclmdlRICaptureTaskUpdateBegin(t, m.device));
    CODE(0, aclmdlRIDestroy(graph));
    CODE(107000, aclmdlRICaptureTaskUpdateBegin(t, group));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(t));
}

std::atomic<int> calls{0};

void host_functions() {
    aclrtStream s = stream();
    aclmdlRI graph = nullptr;
    CODE(0, aclmdlRICaptureBegin(s, kGlobal));
    CODE(0, aclrtLaunchHostFunc(s, [](void*) { ++calls; }, nullptr));
    CODE(0, aclmdlRICaptureEnd(s, &graph));
    CHECK(calls == 0);
    for (int i = 0; i < 5; ++i) CODE(0, aclmdlRIExecuteAsync(graph, s));
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(calls == 5);
    CODE(0, aclmdlRIDestroy(graph));
    CODE(0, aclrtDestroyStream(s));
}

}  // namespace

int main() {
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    replay();
    codes();
    streams_join();
    groups();
    host_functions();
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
    return failures;
}

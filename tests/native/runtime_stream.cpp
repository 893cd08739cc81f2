// Streams: order, who runs what, waiting with and without a limit, failures, aborts, and handles that are none.
#include <pthread.h>

#include "runtime_check.h"

namespace {

constexpr size_t kMany = 20000;

struct Memory {
    char* device = nullptr;
    char* host = nullptr;
    explicit Memory(size_t size) {
        CODE(0, aclrtMalloc(reinterpret_cast<void**>(&device), size, ACL_MEM_MALLOC_HUGE_FIRST));
        CODE(0, aclrtMallocHost(reinterpret_cast<void**>(&host), size));
    }
    ~Memory() {
        aclrtFree(device);
        aclrtFreeHost(host);
    }
    Memory(const Memory&) = delete;
};

struct Log {
    std::vector<int> order;  // only tasks of one stream write it
    struct Entry {
        Log* log;
        int number;
    };
    std::vector<Entry> entries;
};

void append(void* data) {
    auto* e = static_cast<Log::Entry*>(data);
    e->log->order.push_back(e->number);
}

// Whatever mixture of inline and queued tasks: the stream's order is the order of submission.
void order() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    Memory m(kMany);
    Log log;
    for (int i = 0; i < 400; ++i) log.entries.push_back({&log, i});
    for (int i = 0; i < 400; ++i) {
        if (i % 3 == 0) CODE(0, aclrtMemsetAsync(m.device, kMany, i, 64, s));
        CODE(0, aclrtLaunchHostFunc(s, append, &log.entries[static_cast<size_t>(i)]));
        if (i % 50 == 49) CODE(0, aclrtSynchronizeStream(s));
    }
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(log.order.size() == 400);
    for (int i = 0; i < 400; ++i) CHECK(log.order[static_cast<size_t>(i)] == i);
    CHECK(m.device[0] == static_cast<char>(399));
    CODE(0, aclrtDestroyStream(s));
}

// Copies that depend on each other through memory, faster than the worker can follow: the queue stays bounded.
void back_pressure() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    Memory m(4 * kMany);
    auto* counters = reinterpret_cast<uint32_t*>(m.host);
    std::memset(m.host, 0, 4 * kMany);
    Gate gate;
    gate.hold(s);
    std::thread opener([&] {
        while (gate.reached == 0) std::this_thread::yield();
        gate.open = true;
    });
    for (uint32_t i = 0; i < kMany; ++i) {
        counters[i] = i;
        CODE(0, aclrtMemcpyAsync(m.device, 4, counters + i, 4, ACL_MEMCPY_HOST_TO_DEVICE, s));
    }
    CODE(0, aclrtSynchronizeStream(s));
    uint32_t last = 0;
    CODE(0, aclrtMemcpy(&last, 4, m.device, 4, ACL_MEMCPY_DEVICE_TO_HOST));
    CHECK(last == kMany - 1);
    opener.join();
    // Behind a host function submitters are not held back: they may be what it waits for.
    Gate second;
    second.hold(s);
    for (uint32_t i = 0; i < kMany; ++i) CODE(0, aclrtMemsetAsync(m.device, 4, 1, 4, s));
    second.open = true;
    CODE(0, aclrtSynchronizeStream(s));
    CODE(0, aclrtDestroyStream(s));
}

// A cheap task on an idle stream is done when the call returns; behind a busy one it waits.
void inline_rule() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    Memory m(64);
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    CODE(0, aclrtMemsetAsync(m.device, 64, 7, 64, s));
    CODE(0, aclrtStreamQuery(s, &status));
    CHECK(status == ACL_STREAM_STATUS_COMPLETE && m.device[63] == 7);
    Gate gate;
    gate.hold(s);
    CODE(0, aclrtMemsetAsync(m.device, 64, 9, 64, s));
    CODE(0, aclrtStreamQuery(s, &status));
    CHECK(status == ACL_STREAM_STATUS_NOT_READY && m.device[63] == 7);
    gate.open = true;
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(m.device[63] == 9);
    const auto start = now();
    for (int i = 0; i < 100000; ++i) aclrtMemsetAsync(m.device, 64, i, 64, s);
    const double ns = milliseconds_since(start) * 10;
    std::printf("aclrtMemsetAsync inline: %.0f ns a call\n", ns);
    CODE(0, aclrtDestroyStream(s));
}

void timeouts() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    for (int32_t bad : {0, -2, -1000}) {
        CODE(107000, aclrtSynchronizeStreamWithTimeout(s, bad));
        CODE(107000, aclrtSynchronizeDeviceWithTimeout(bad));
    }
    CODE(0, aclrtSynchronizeStreamWithTimeout(s, 1));
    Gate gate;
    gate.hold(s);
    auto start = now();
    CODE(507046, aclrtSynchronizeStreamWithTimeout(s, 30));
    CHECK(milliseconds_since(start) >= 29 && milliseconds_since(start) < 5000);
    CODE(507046, aclrtSynchronizeDeviceWithTimeout(30));
    gate.open = true;  // the work went on
    CODE(0, aclrtSynchronizeStreamWithTimeout(s, -1));
    CODE(0, aclrtSynchronizeStreamWithTimeout(s, 1000));
    CODE(0, aclrtSynchronizeDevice());
    CODE(0, aclrtDestroyStream(s));
}

void asynchronous_errors() {
    aclrtStream slow = nullptr, s = nullptr;
    aclrtEvent event = nullptr;
    CODE(0, aclrtCreateStream(&slow));
    CODE(0, aclrtCreateStream(&s));
    CODE(0, aclrtCreateEvent(&event));
    Memory m(64);
    m.device[0] = 0;
    Gate gate;
    auto fail_in = [&](aclrtStream stream) {  // a task that fails: waiting for an event that does not come in time
        gate.open = false;
        gate.hold(slow);
        CODE(0, aclrtRecordEvent(event, slow));
        CODE(0, aclrtStreamWaitEventWithTimeout(stream, event, 20));
        CODE(0, aclrtMemsetAsync(m.device, 64, 1, 64, stream));  // launching does not tell
    };
    fail_in(s);
    CHECK(aclrtSynchronizeStream(s) == 107019);
    const char* text = aclGetRecentErrMsg();
    CHECK(text && std::strstr(text, "20 ms"));
    CHECK(m.device[0] == 1);            // by default later tasks run all the same
    CODE(0, aclrtSynchronizeStream(s));  // told once
    gate.open = true;
    CODE(0, aclrtSynchronizeStream(slow));

    m.device[0] = 0;
    CODE(107000, aclrtSetStreamFailureMode(s, 2));
    CODE(100000, aclrtSetStreamFailureMode(nullptr, 1));
    CODE(0, aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE));
    fail_in(s);
    CODE(107019, aclrtSynchronizeStream(s));
    CODE(0, aclrtMemsetAsync(m.device, 64, 2, 64, s));
    gate.open = true;
    CODE(107019, aclrtSynchronizeDevice());  // it goes on saying so
    CHECK(m.device[0] == 0);
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(slow));
    CODE(0, aclrtDestroyEvent(event));
}

void aborts() {
    aclrtStream slow = nullptr, s = nullptr;
    aclrtEvent event = nullptr;
    CODE(0, aclrtCreateStream(&slow));
    CODE(0, aclrtCreateStream(&s));
    CODE(0, aclrtCreateEvent(&event));
    Memory m(64);
    m.device[0] = 0;
    Gate gate;
    gate.hold(slow);
    CODE(0, aclrtRecordEvent(event, slow));
    CODE(0, aclrtStreamWaitEvent(s, event));
    CODE(0, aclrtMemsetAsync(m.device, 64, 5, 64, s));
    std::thread waiter([&] {
        CODE(0, aclrtSetDevice(0));
        CODE(107023, aclrtSynchronizeStream(s));
        CODE(0, aclrtResetDevice(0));
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until the waiter waits; only the code depends on it
    CODE(0, aclrtStreamAbort(s));
    waiter.join();
    CHECK(m.device[0] == 0);
    CODE(0, aclrtMemsetAsync(m.device, 64, 6, 64, s));  // the stream is as new
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(m.device[0] == 6);
    CODE(100000, aclrtStreamAbort(nullptr));
    CODE(0, aclrtStreamWaitEvent(s, event));
    CODE(0, aclrtDestroyStreamForce(s));  // does not wait for the event
    gate.open = true;
    CODE(0, aclrtDestroyStream(slow));
    CODE(0, aclrtDestroyEvent(event));
}

void wrong_handles() {
    aclrtStream s = nullptr, other = nullptr;
    aclrtContext mine = nullptr, context = nullptr;
    CODE(0, aclrtGetCurrentContext(&mine));
    Memory m(64);
    CODE(100000, aclrtCreateStream(nullptr));
    CODE(100000, aclrtDestroyStream(nullptr));
    CODE(100000, aclrtDestroyStreamForce(nullptr));
    CODE(0, aclrtCreateStream(&s));
    CODE(0, aclrtDestroyStream(s));
    aclrtStreamStatus status;
    for (void* bad : bad_handles(s)) {
        CODE(107003, aclrtDestroyStream(bad));
        CODE(107003, aclrtSynchronizeStream(bad));
        CODE(107003, aclrtStreamQuery(bad, &status));
        CODE(107003, aclrtMemsetAsync(m.device, 64, 1, 64, bad));
        CODE(107003, aclrtMemcpyAsync(m.device, 64, m.host, 64, ACL_MEMCPY_HOST_TO_DEVICE, bad));
    }
    CODE(0, aclrtCreateContext(&context, 1));
    CODE(0, aclrtCreateStream(&other));
    CODE(0, aclrtSetCurrentContext(mine));
    CODE(107003, aclrtMemsetAsync(m.device, 64, 1, 64, other));
    CODE(0, aclrtSynchronizeStream(other));  // switches to the stream's context by itself
    CODE(0, aclrtDestroyContext(context));
    CODE(107003, aclrtSynchronizeStream(other));  // it went with its context
    aclrtStream standard = nullptr;
    CODE(0, aclrtCtxGetCurrentDefaultStream(&standard));
    CODE(0, aclrtSynchronizeStream(standard));
    CODE(107000, aclrtDestroyStream(standard));
    CODE(0, aclrtMemsetAsync(m.device, 64, 1, 64, nullptr));
}

void attributes() {
    aclrtStream s = nullptr;
    uint32_t value = 0, priority = 99;
    CODE(0, aclrtCreateStreamWithConfig(&s, 3, 0xFFFF0000u | ACL_STREAM_FAST_LAUNCH | ACL_STREAM_PERSISTENT));
    CODE(0, aclrtStreamGetFlags(s, &value));
    CODE(0, aclrtStreamGetPriority(s, &priority));
    CHECK(value == (ACL_STREAM_FAST_LAUNCH | ACL_STREAM_PERSISTENT) && priority == 3);
    CODE(0, aclrtSynchronizeStream(s));
    aclrtStreamAttrValue attribute = {};
    attribute.userCustomTag = 42;
    CODE(0, aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &attribute));
    attribute.userCustomTag = 0;
    CODE(0, aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &attribute));
    CHECK(attribute.userCustomTag == 42);
    CODE(107000, aclrtSetStreamAttribute(s, static_cast<aclrtStreamAttr>(77), &attribute));
    CODE(100000, aclrtStreamQuery(s, nullptr));
    CODE(0, aclrtDestroyStream(s));
    aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
    priority = 2;
    CODE(0, aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
    CODE(100000, aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, 3));
    CODE(100000, aclrtSetStreamConfigOpt(config, static_cast<aclrtStreamConfigAttr>(9), &priority, 4));
    CODE(0, aclrtCreateStreamV2(&s, config));
    CODE(0, aclrtStreamGetPriority(s, &value));
    CHECK(value == 2);
    CODE(0, aclrtDestroyStreamConfigHandle(config));
    CODE(0, aclrtDestroyStream(s));
}

aclrtStream own_stream;
std::atomic<long> code_in_task{-1};

// A task that waits for its own stream gets an error instead of waiting for ever.
void waits_for_itself() {
    CODE(0, aclrtCreateStream(&own_stream));
    CODE(0, aclrtLaunchHostFunc(own_stream, [](void*) { code_in_task = aclrtSynchronizeStream(own_stream); }, nullptr));
    CODE(0, aclrtSynchronizeStream(own_stream));
    CHECK(code_in_task == 107000);
    CODE(0, aclrtLaunchHostFunc(own_stream, [](void*) { code_in_task = aclrtDestroyStream(own_stream); }, nullptr));
    CODE(0, aclrtSynchronizeStream(own_stream));
    CHECK(code_in_task == 107000);
    CODE(0, aclrtDestroyStream(own_stream));
}

}  // namespace

int main() {
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    order();
    back_pressure();
    inline_rule();
    timeouts();
    asynchronous_errors();
    aborts();
    wrong_handles();
    attributes();
    waits_for_itself();
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
    return failures;
}

// Host functions: on a thread that processes reports, blocking or not, and on the runtime's own thread.
#include <pthread.h>

#include "runtime_check.h"

namespace {

uint64_t me() { return static_cast<uint64_t>(pthread_self()); }

aclrtStream stream() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    return s;
}

void increment(void* p) { ++*static_cast<std::atomic<int>*>(p); }

void codes() {
    aclrtStream s = stream();
    std::atomic<int> count{0};
    CODE(107012, aclrtProcessReport(10));
    for (int32_t bad : {0, -2}) CODE(107000, aclrtProcessReport(bad));
    CODE(107015, aclrtLaunchCallback(increment, &count, ACL_CALLBACK_NO_BLOCK, s));
    CODE(100000, aclrtLaunchCallback(nullptr, &count, ACL_CALLBACK_NO_BLOCK, s));
    CODE(100000, aclrtLaunchCallback(increment, &count, static_cast<aclrtCallbackBlockType>(7), s));
    CODE(107015, aclrtUnSubscribeReport(me(), s));
    CODE(0, aclrtSubscribeReport(me(), s));
    CODE(107011, aclrtSubscribeReport(me(), s));
    CODE(107011, aclrtSubscribeReport(me() + 1, s));
    CODE(107012, aclrtUnSubscribeReport(me() + 1, s));
    const auto start = now();
    CHECK(aclrtProcessReport(20) == 507012);
    CHECK(aclGetRecentErrMsg() == nullptr);  // pollers live on this: no message
    CHECK(milliseconds_since(start) >= 19);
    CODE(107011, aclrtLaunchHostFunc(s, increment, &count));  // not both kinds on one stream
    CODE(0, aclrtUnSubscribeReport(me(), s));
    CODE(107012, aclrtProcessReport(10));
    CODE(100000, aclrtLaunchHostFunc(s, nullptr, &count));
    CODE(0, aclrtLaunchHostFunc(s, increment, &count));
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(count == 1);
    CODE(107011, aclrtSubscribeReport(me(), s));
    for (void* bad : bad_handles(s)) {
        if (bad == s) continue;
        CODE(107003, aclrtLaunchHostFunc(bad, increment, &count));
        CODE(107003, aclrtSubscribeReport(me(), bad));
    }
    CODE(0, aclrtDestroyStream(s));
}

struct Reporter {
    std::atomic<uint64_t> id{0};
    std::atomic<bool> stop{false};
    std::thread thread{[this] {
        id = me();
        while (!stop) {
            const aclError status = aclrtProcessReport(20);
            CHECK(status == 0 || status == 507012 || status == 107012);
            aclGetRecentErrMsg();
        }
    }};
    uint64_t wait_id() {
        while (id == 0) std::this_thread::yield();
        return id;
    }
    ~Reporter() {
        stop = true;
        thread.join();
    }
};

std::atomic<uint64_t> ran_on{0};

void on_the_subscribed_thread() {
    Reporter reporter;
    aclrtStream s = stream();
    CODE(0, aclrtSubscribeReport(reporter.wait_id(), s));
    CODE(0, aclrtLaunchCallback([](void*) { ran_on = me(); }, nullptr, ACL_CALLBACK_BLOCK, s));
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(ran_on == reporter.id);
    // Blocking ones keep the stream's order: host and device see each other's writes.
    char* memory = nullptr;
    CODE(0, aclrtMallocHost(reinterpret_cast<void**>(&memory), 64));
    for (int i = 0; i < 100; ++i) {
        CODE(0, aclrtMemsetAsync(memory, 64, 1, 64, s));
        CODE(0, aclrtLaunchCallback(
                    [](void* p) {
                        auto* m = static_cast<char*>(p);
                        CHECK(m[0] == 1);
                        m[0] = 2;
                    },
                    memory, ACL_CALLBACK_BLOCK, s));
        CODE(0,
             aclrtLaunchCallback([](void* p) { CHECK(*static_cast<char*>(p) == 2); }, memory, ACL_CALLBACK_BLOCK, s));
    }
    CODE(0, aclrtSynchronizeStream(s));
    CODE(0, aclrtFreeHost(memory));
    CODE(0, aclrtUnSubscribeReport(reporter.id, s));
    CODE(0, aclrtDestroyStream(s));
}

void without_blocking() {
    aclrtStream s = stream();
    std::atomic<int> count{0};
    CODE(0, aclrtSubscribeReport(me(), s));
    for (int i = 0; i < 10; ++i) CODE(0, aclrtLaunchCallback(increment, &count, ACL_CALLBACK_NO_BLOCK, s));
    CODE(0, aclrtSynchronizeStream(s));  // does not wait for the functions
    CHECK(count == 0);
    while (count < 10) CODE(0, aclrtProcessReport(1000));
    // A blocking one holds later tasks back until this thread has processed it.
    CODE(0, aclrtLaunchCallback(increment, &count, ACL_CALLBACK_BLOCK, s));
    CODE(507046, aclrtSynchronizeStreamWithTimeout(s, 20));
    CODE(0, aclrtProcessReport(1000));
    CODE(0, aclrtSynchronizeStreamWithTimeout(s, 1000));
    CHECK(count == 11);
    CODE(0, aclrtUnSubscribeReport(me(), s));
    CODE(0, aclrtDestroyStream(s));
}

// A thread that waits for reports hears that its last stream is gone.
void stream_ends_first() {
    aclrtStream s = stream();
    std::atomic<bool> subscribed{false};
    std::thread thread([&] {
        while (!subscribed) std::this_thread::yield();
        CODE(107012, aclrtProcessReport(10000));
    });
    std::atomic<uint64_t> id{static_cast<uint64_t>(thread.native_handle())};
    CODE(0, aclrtSubscribeReport(id, s));
    subscribed = true;
    CODE(0, aclrtDestroyStream(s));
    thread.join();
}

void host_functions_call_the_runtime() {
    aclrtStream s = stream();
    CODE(0, aclrtLaunchHostFunc(
                s,
                [](void*) {
                    int32_t device = -1;
                    CHECK(aclrtGetDevice(&device) == 107002);  // the runtime's thread has no context of its own
                    CODE(0, aclrtSetDevice(0));
                    void* p = nullptr;
                    CODE(0, aclrtMalloc(&p, 1000, ACL_MEM_MALLOC_HUGE_FIRST));
                    CODE(0, aclrtFree(p));
                    CODE(0, aclrtResetDevice(0));  // the test still has it
                    CODE(107000, aclrtResetDeviceForce(0));  // it would wait for this very function
                    aclGetRecentErrMsg();
                },
                nullptr));
    CODE(0, aclrtSynchronizeStream(s));
    CODE(0, aclrtDestroyStream(s));
}

}  // namespace

int main() {
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    codes();
    on_the_subscribed_thread();
    without_blocking();
    stream_ends_first();
    host_functions_call_the_runtime();
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
    return failures;
}

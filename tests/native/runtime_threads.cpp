// Many threads at once: streams of their own and shared ones, events between them, allocation, contexts that come and
// go.
#include <random>

#include "runtime_check.h"

namespace {

constexpr int kThreads = 8;

template <class F>
void together(F f) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([i, &f] {
            CODE(0, aclrtSetDevice(i % 2));
            f(i);
            CODE(0, aclrtResetDevice(i % 2));
        });
    for (auto& t : threads) t.join();
}

// Each thread: a chain of copies through its own blocks, with a stream of its own.
void own_streams(int number) {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    constexpr size_t kSize = 100000;  // some inline, some not
    char *a = nullptr, *b = nullptr, *host = nullptr;
    CODE(0, aclrtMalloc(reinterpret_cast<void**>(&a), kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(0, aclrtMalloc(reinterpret_cast<void**>(&b), kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(0, aclrtMallocHost(reinterpret_cast<void**>(&host), kSize));
    std::mt19937 random(static_cast<unsigned>(number));
    for (int round = 0; round < 300; ++round) {
        const size_t size = 1 + random() % kSize;
        const int value = static_cast<int>(random() % 100);
        CODE(0, aclrtMemsetAsync(a, kSize, value, size, s));
        CODE(0, aclrtMemcpyAsync(b, kSize, a, size, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
        CODE(0, aclrtMemcpyAsync(host, kSize, b, size, ACL_MEMCPY_DEVICE_TO_HOST, s));
        CODE(0, aclrtSynchronizeStream(s));
        CHECK(host[0] == value && host[size - 1] == value);
    }
    CODE(0, aclrtFree(a));
    CODE(0, aclrtFree(b));
    CODE(0, aclrtFreeHost(host));
    CODE(0, aclrtDestroyStream(s));
}

// All threads submit to one stream of a shared context; every task runs once, never two at a time.
void shared_stream() {
    aclrtContext context = nullptr;
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateContext(&context, 0));
    CODE(0, aclrtCreateStream(&s));
    static long plain_counter = 0;  // only the stream's order protects it
    uint32_t* word = nullptr;
    CODE(0, aclrtMalloc(reinterpret_cast<void**>(&word), 64, ACL_MEM_MALLOC_HUGE_FIRST));
    together([&](int) {
        CODE(0, aclrtSetCurrentContext(context));
        for (int i = 0; i < 2000; ++i) {
            CODE(0, aclrtMemsetAsync(word, 64, i, 64, s));
            if (i % 20 == 0) CODE(0, aclrtLaunchHostFunc(s, [](void*) { ++plain_counter; }, nullptr));
            if (i % 100 == 0) CODE(0, aclrtSynchronizeStream(s));
        }
        CODE(0, aclrtSynchronizeStream(s));
    });
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(plain_counter == kThreads * 100);
    CODE(0, aclrtFree(word));
    CODE(0, aclrtDestroyContext(context));
}

// A token goes round a ring of streams by events; each hop sees the one before.
void ring() {
    CODE(0, aclrtSetDevice(0));
    aclrtStream streams[4];
    aclrtEvent events[4];
    static long token = 0;
    for (auto& s : streams) CODE(0, aclrtCreateStream(&s));
    for (auto& e : events) CODE(0, aclrtCreateEventExWithFlag(&e, ACL_EVENT_SYNC));
    for (int i = 0; i < 400; ++i) {
        const int me = i % 4, before = (i + 3) % 4;
        CODE(0, aclrtStreamWaitEvent(streams[me], events[before]));
        CODE(0, aclrtLaunchHostFunc(streams[me], [](void*) { ++token; }, nullptr));
        CODE(0, aclrtRecordEvent(events[me], streams[me]));
    }
    CODE(0, aclrtSynchronizeEvent(events[3]));
    CHECK(token == 400);
    for (auto& s : streams) CODE(0, aclrtDestroyStream(s));
    for (auto& e : events) CODE(0, aclrtDestroyEvent(e));
    CODE(0, aclrtResetDevice(0));
}

void allocations(int number) {
    std::mt19937 random(static_cast<unsigned>(number) + 100);
    std::vector<std::pair<char*, size_t>> blocks;
    for (int i = 0; i < 2000; ++i) {
        if (blocks.size() < 40 && random() % 3) {
            const size_t size = 1 + random() % 50000;
            void* p = nullptr;
            CODE(0, aclrtMalloc(&p, size, ACL_MEM_MALLOC_HUGE_FIRST));
            blocks.push_back({static_cast<char*>(p), size});
            blocks.back().first[0] = blocks.back().first[size - 1] = static_cast<char>(number);
        } else if (!blocks.empty()) {
            auto [p, size] = blocks.back();
            blocks.pop_back();
            CHECK(p[0] == static_cast<char>(number) && p[size - 1] == static_cast<char>(number));
            aclrtPtrAttributes a;
            CODE(0, aclrtPointerGetAttributes(p + size / 2, &a));
            CHECK(a.location.type == ACL_MEM_LOCATION_TYPE_DEVICE &&
                  a.location.id == static_cast<uint32_t>(number % 2));
            CODE(0, aclrtFree(p));
        }
    }
    for (auto& b : blocks) CODE(0, aclrtFree(b.first));
}

// Contexts, streams and events made and destroyed by all threads, with handles of others looked up meanwhile.
void come_and_go(int) {
    static std::atomic<void*> seen{nullptr};
    for (int i = 0; i < 100; ++i) {
        aclrtContext c = nullptr;
        aclrtStream s = nullptr;
        aclrtEvent e = nullptr;
        CODE(0, aclrtCreateContext(&c, i % 2));
        CODE(0, aclrtCreateStream(&s));
        CODE(0, aclrtCreateEvent(&e));
        CODE(0, aclrtRecordEvent(e, s));
        aclrtStreamStatus status;
        if (void* other = seen.exchange(s)) aclrtStreamQuery(other, &status);  // alive or not: no crash
        CODE(0, aclrtSynchronizeEvent(e));
        CODE(0, aclrtDestroyEvent(e));
        CODE(0, aclrtDestroyContext(c));
        aclGetRecentErrMsg();
    }
}

}  // namespace

int main() {
    CODE(0, aclInit(nullptr));
    together(own_streams);
    shared_stream();
    ring();
    together(allocations);
    together(come_and_go);
    CODE(0, aclFinalize());
    return failures;
}

// What the runtime's tests share: checks that print what failed, a child process for each case that needs a fresh one,
// and a gate that holds a stream until it is opened.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "acl/acl.h"

inline std::atomic<int> failures{0};

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            ++failures;                                                         \
            std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                       \
    } while (0)

// The call returns that code; if it fails, with a message (which is taken away).
#define CODE(expected, call)                                                                      \
    do {                                                                                          \
        const long wanted = (expected), got = (call);                                             \
        const char* text = got ? aclGetRecentErrMsg() : "";                                       \
        if (got != wanted || !text) {                                                             \
            ++failures;                                                                           \
            std::printf("%s:%d: %ld, not %ld: %s (%s)\n", __FILE__, __LINE__, got, wanted, #call, \
                        text ? text : "no message");                                              \
        }                                                                                         \
    } while (0)

inline double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

inline std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

// Runs f in a process of its own and counts its failures; one that hangs is killed after 20 seconds.
template <class F>
void in_child(const char* name, F f) {
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        failures = 0;
        alarm(20);
        f();
        std::fflush(stdout);
        _exit(failures > 99 ? 99 : static_cast<int>(failures));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    const bool ended = WIFEXITED(status);
    if (ended && WEXITSTATUS(status) == 0) return;
    std::printf("%s: %s %d\n", name, ended ? "failures:" : "killed by signal",
                ended ? WEXITSTATUS(status) : WTERMSIG(status));
    failures += ended ? WEXITSTATUS(status) : 1;
}

// A host function that waits until somebody opens the gate. Close it, let streams run into it, open it.
struct Gate {
    std::atomic<bool> open{false};
    std::atomic<int> reached{0};
    static void wait(void* gate) {
        auto* g = static_cast<Gate*>(gate);
        ++g->reached;
        while (!g->open) std::this_thread::yield();
    }
    void hold(aclrtStream stream) { CODE(0, aclrtLaunchHostFunc(stream, wait, this)); }
};

// A stale handle and pointers that were never handles: none may be taken for one, and none may crash.
inline std::vector<void*> bad_handles(void* stale) {
    static long on_heap[64];
    return {stale,
            reinterpret_cast<void*>(8),
            reinterpret_cast<void*>(0x1234567),
            reinterpret_cast<void*>(~uintptr_t{0}),
            on_heap,
            reinterpret_cast<char*>(stale) + 1,
            reinterpret_cast<char*>(stale) + 8,
            reinterpret_cast<char*>(stale) + (1 << 20)};
}

// Events. Each record makes a mark of its own, so that a later record leaves earlier waits alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "runtime/slots.h"

namespace pyasc {

class Stream;

// How many tasks of which captured stream come before a point.
using CaptureClock = std::map<const Stream*, uint64_t>;

// One record of an event. Shared by the event, the task that records it, and the tasks that wait for it.
struct Mark {
    std::atomic<int> references{1};
    std::atomic<int64_t> time{0};          // nanoseconds when the stream got there; 0: not yet
    std::atomic<bool> reset{false};        // aclrtResetEvent came later
    void* capture = nullptr;               // handle of the graph that was being captured, instead of a time
    CaptureClock clock;

    bool done() const { return time.load(std::memory_order_acquire) != 0; }
    Mark* share() {
        references.fetch_add(1, std::memory_order_relaxed);
        return this;
    }
    static void drop(Mark* m) {
        if (m && m->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete m;
    }
};

enum class EventKind { Old, WithFlag, Modern };  // by which of the three functions it was created

struct alignas(256) Event {
    std::atomic<void*> self{nullptr};
    EventKind kind = EventKind::Old;
    uint32_t flags = 0;
    std::mutex mutex;
    Mark* latest = nullptr;                 // under the mutex
    std::atomic<int> pending_waits{0};      // of streams; only the old kinds are asked for it
};

extern Slots<Event> events;

}  // namespace pyasc

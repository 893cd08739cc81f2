// What a stream runs, and how it gets there.
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"

namespace pyasc {

// One unit of work. Its maker derives from it. Whoever submits it gives it away: the stream calls `run` once, in order,
// and `release` afterwards (also if the task never ran because the stream was destroyed or the task was refused).
// A captured task is kept and run again and again, and released with its graph.
struct Task {
    Task* next = nullptr;                  // owned by the queue while the task is in it
    int32_t (*run)(Task*) = nullptr;  // 0, or a runtime code (507xxx) that the next synchronise of the stream reports
    void (*release)(Task*) = nullptr;
    int64_t cost = 0;  // estimated nanoseconds; cheap tasks on an idle stream run in the caller
};

// Enqueues on `stream` (nullptr: the default stream of the current context). Takes the task in every case, also on
// failure. 0, 107002 without a context, 107003 for a stream of another context or a handle that is none, 107027-class
// during capture.
int32_t submit(aclrtStream stream, Task* task);

}  // namespace pyasc

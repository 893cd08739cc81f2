// Events of three generations (see acl_rt.h): recorded by streams, waited for by streams and by callers.
#include "runtime/event.h"

#include "runtime/capture.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/signal.h"
#include "runtime/stream.h"

namespace pyasc {

Slots<Event> events(1 << 20);

namespace {

constexpr uint32_t kAllFlags = 0x7F;
constexpr int64_t kEventCost = 200;  // nanoseconds to look at the clock and tell others

std::atomic<uint32_t> wait_timeout_seconds{0};  // aclrtSetOpWaitTimeout; 0: for ever

int64_t now() { return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count(); }

struct RecordTask : Task {
    Mark* mark;
};

struct WaitTask : Task {
    Mark* mark;
    void* event;  // its handle; for the count of pending waits
    int64_t timeout_ms;
};

int32_t run_record(Task* task) {
    static_cast<RecordTask*>(task)->mark->time.store(now(), std::memory_order_release);
    signal().notify();
    return 0;
}

int32_t run_reset(Task* task) {
    static_cast<RecordTask*>(task)->mark->reset.store(true, std::memory_order_release);
    return 0;
}

void release_record(Task* task) {
    auto* t = static_cast<RecordTask*>(task);
    Mark::drop(t->mark);
    delete t;
}

int32_t run_wait(Task* task) {
    auto* t = static_cast<WaitTask*>(task);
    if (t->mark->done()) return 0;
    int64_t limit = t->timeout_ms;
    if (limit <= 0) {
        const uint32_t seconds = wait_timeout_seconds.load(std::memory_order_relaxed);
        limit = seconds ? int64_t{1000} * seconds : -1;
    }
    const bool reached = Stream::block(deadline_after(limit), [t] { return t->mark->done(); });
    if (reached || t->mark->done()) return 0;
    if (limit < 0) return 0;  // aborted, which the waiters of the stream hear otherwise
    return fail(ACL_ERROR_RT_WAIT_TIMEOUT, "a stream waited %lld ms for an event that did not come",
                static_cast<long long>(limit));
}

void release_wait(Task* task) {
    auto* t = static_cast<WaitTask*>(task);
    if (Event* e = events.find(t->event)) e->pending_waits.fetch_sub(1, std::memory_order_relaxed);
    Mark::drop(t->mark);
    delete t;
}

Event* require_event(const char* function, aclrtEvent handle, int32_t* status) {
    if (forked_child) {
        *status = fail_forked(function);
        return nullptr;
    }
    if (!handle) {
        *status = fail(ACL_ERROR_INVALID_PARAM, "%s: event is null", function);
        return nullptr;
    }
    Event* e = events.find(handle);
    if (!e)
        *status = fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is no event; it was destroyed, or never was one", function,
                       handle);
    return e;
}

int32_t fail_modern(const char* function) {
    return fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        "%s: not for events made by aclrtCreateEventExWithFlag; use aclrtQueryEventStatus, or create the event with "
        "aclrtCreateEvent",
        function);
}

int32_t fail_captured(const char* function) {
    return fail(ACL_ERROR_RT_EVENT_CAPTURED,
                "%s: the event was last recorded in a stream that is captured; it has no time of its own", function);
}

int32_t fail_null_result(const char* function) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: the pointer for the result is null", function);
}

// A share of the latest mark, or nullptr.
Mark* latest_mark(Event* e) {
    std::lock_guard<std::mutex> lock(e->mutex);
    return e->latest && !e->latest->reset.load(std::memory_order_acquire) ? e->latest->share() : nullptr;
}

int32_t create_event(const char* function, aclrtEvent* out, EventKind kind, uint32_t flags) {
    if (!out) return fail(ACL_ERROR_INVALID_PARAM, "%s: event is null", function);
    if (kind != EventKind::Old) {
        if (flags == 0 || (flags & ~kAllFlags))
            return fail(ACL_ERROR_RT_PARAM_INVALID,
                        "%s: flag 0x%x; it is a combination of ACL_EVENT_SYNC 0x1, "
                        "CAPTURE_STREAM_PROGRESS 0x2, TIME_LINE 0x8, DEVICE_USE_ONLY 0x10, EXTERNAL 0x20, IPC 0x40",
                        function, flags);
        if ((flags & ACL_EVENT_DEVICE_USE_ONLY) && (flags & ACL_EVENT_EXTERNAL))
            return fail(ACL_ERROR_RT_PARAM_INVALID,
                        "%s: flag 0x%x: DEVICE_USE_ONLY 0x10 and EXTERNAL 0x20 exclude each other", function, flags);
    }
    int32_t status = 0;
    if (!require_context(function, &status)) return status;
    void* handle = nullptr;
    Event* e = events.take(&handle);
    if (!e) return fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "%s: too many events; destroy some", function);
    e->kind = kind;
    e->flags = flags;
    e->pending_waits.store(0, std::memory_order_relaxed);
    e->self.store(handle, std::memory_order_release);
    *out = handle;
    return 0;
}

// In a captured stream an event is a place in the graph, unless it is meant for others outside.
int32_t record_captured(Event* e, Stream* s, Capture* capture) {
    auto* mark = new Mark;
    const int32_t status = capture->mark(s, mark);
    std::lock_guard<std::mutex> lock(e->mutex);
    if (status == 0) std::swap(e->latest, mark);
    Mark::drop(mark);
    return status;
}

int32_t submit_mark(aclrtStream stream, Mark* mark, int32_t (*run)(Task*)) {
    auto* task = new RecordTask;
    task->run = run;
    task->release = release_record;
    task->cost = kEventCost;
    task->mark = mark->share();
    return submit(stream, task);
}

// A wait for an event of a captured stream takes `s` into the same graph.
int32_t join_capture(const char* function, aclrtStream handle, Stream* s, const Mark& mark) {
    if (handle == nullptr)
        return fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                    "%s: the default stream cannot join a capture; use a stream of your own", function);
    Capture* target = captures.find(mark.capture);
    if (!target) return fail_captured(function);
    if (s->capture() && s->capture() != target)
        return fail(ACL_ERROR_STREAM_CAPTURE_CONFLICT,
                    "%s: the stream is captured into another graph than the one the event was recorded in", function);
    return target->join(s, mark);
}

int32_t stream_wait(const char* function, aclrtStream stream, aclrtEvent event, int64_t timeout_ms) {
    int32_t status = 0;
    Event* e = require_event(function, event, &status);
    Stream* s = e ? require_stream(function, stream, true, &status) : nullptr;
    if (!s) return status;
    if (e->kind == EventKind::Modern && !(e->flags & ACL_EVENT_SYNC))
        return fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            "%s: the event was created with flag 0x%x; streams can wait only for events with ACL_EVENT_SYNC 0x1",
            function, e->flags);
    Mark* mark = latest_mark(e);
    if (!mark) return 0;  // never recorded: nothing to wait for
    if (mark->capture) {
        status = join_capture(function, stream, s, *mark);
        Mark::drop(mark);
        return status;
    }
    if (s->capture() && !(e->flags & ACL_EVENT_EXTERNAL)) {
        Mark::drop(mark);
        return fail(
            ACL_ERROR_RT_CAPTURE_DEPENDENCY,
            "%s: a captured stream would wait for work outside its graph; record the event in the capture, or create "
            "it with ACL_EVENT_EXTERNAL",
            function);
    }
    if (mark->done() && !s->capture()) {
        Mark::drop(mark);
        return 0;
    }
    auto* task = new WaitTask;
    task->run = run_wait;
    task->release = release_wait;
    task->cost = kWorkerOnly;
    task->mark = mark;
    task->event = event;
    task->timeout_ms = timeout_ms;
    e->pending_waits.fetch_add(1, std::memory_order_relaxed);
    return submit(stream, task);
}

int32_t synchronize_event(const char* function, aclrtEvent event, int32_t timeout) {
    int32_t status = 0;
    Event* e = require_event(function, event, &status);
    Mark* mark = e ? latest_mark(e) : nullptr;
    if (!mark) return status;
    if (mark->capture) {
        status = fail_captured(function);
    } else if (!mark->done() && !signal().wait(deadline_after(timeout), [mark] { return mark->done(); })) {
        status = fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "%s: the event had not happened after %d ms; the work goes on",
                      function, timeout);
    }
    Mark::drop(mark);
    return status;
}

// The time of a finished record.
int32_t event_time(const char* function, const char* which, aclrtEvent event, int64_t* time) {
    int32_t status = 0;
    Event* e = require_event(function, event, &status);
    if (!e) return status;
    if (e->flags & (ACL_EVENT_EXTERNAL | ACL_EVENT_IPC))
        return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: the %s event is EXTERNAL or IPC (flag 0x%x) and has no time",
                    function, which, e->flags);
    Mark* mark = latest_mark(e);
    if (!mark) return fail(ACL_ERROR_RT_INTERNAL_ERROR, "%s: the %s event was never recorded", function, which);
    if (mark->capture) {
        status = fail_captured(function);
    } else if (!mark->done() || !(e->flags & ACL_EVENT_TIME_LINE)) {
        status = fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                      mark->done() ? "%s: the %s event was created without ACL_EVENT_TIME_LINE 0x8"
                                   : "%s: the %s event has not happened yet; synchronise it first",
                      function, which);
    }
    *time = mark->time.load(std::memory_order_acquire);
    Mark::drop(mark);
    return status;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) {
    return create_event("aclrtCreateEvent", event, EventKind::Old, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
}
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
    return create_event("aclrtCreateEventWithFlag", event, EventKind::WithFlag, flag);
}
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
    return create_event("aclrtCreateEventExWithFlag", event, EventKind::Modern, flag);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
    int32_t status = 0;
    Event* e = require_event("aclrtDestroyEvent", event, &status);
    if (!e) return status;
    void* expected = event;
    if (!e->self.compare_exchange_strong(expected, nullptr))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDestroyEvent: %p is destroyed by another thread", event);
    {
        std::lock_guard<std::mutex> lock(e->mutex);
        Mark::drop(e->latest);  // a pending record keeps its own share
        e->latest = nullptr;
    }
    events.give(e);
    return 0;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    int32_t status = 0;
    Event* e = require_event("aclrtRecordEvent", event, &status);
    Stream* s = e ? require_stream("aclrtRecordEvent", stream, true, &status) : nullptr;
    if (!s) return status;
    Capture* capture = s->capture();
    if (capture && !(e->flags & ACL_EVENT_EXTERNAL)) return record_captured(e, s, capture);
    auto* mark = new Mark;
    {
        std::lock_guard<std::mutex> lock(e->mutex);
        Mark::drop(e->latest);
        e->latest = mark->share();
    }
    status = submit_mark(stream, mark, run_record);
    Mark::drop(mark);
    return status;
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
    int32_t status = 0;
    Event* e = require_event("aclrtResetEvent", event, &status);
    if (!e) return status;
    if (e->kind == EventKind::Modern) return fail_modern("aclrtResetEvent");
    if (!require_stream("aclrtResetEvent", stream, true, &status)) return status;
    Mark* mark = latest_mark(e);
    if (!mark) return 0;
    status = submit_mark(stream, mark, run_reset);
    Mark::drop(mark);
    return status;
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    return stream_wait("aclrtStreamWaitEvent", stream, event, 0);
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
    if (timeout < 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtStreamWaitEventWithTimeout: timeout %d; it is milliseconds, or 0 for "
                    "the limit set by aclrtSetOpWaitTimeout",
                    timeout);
    return stream_wait("aclrtStreamWaitEventWithTimeout", stream, event, timeout);
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
    wait_timeout_seconds.store(timeout, std::memory_order_relaxed);
    return 0;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) { return synchronize_event("aclrtSynchronizeEvent", event, -1); }

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
    if (timeout < -1 || timeout == 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtSynchronizeEventWithTimeout: timeout %d; it is milliseconds, or -1 for ever", timeout);
    return synchronize_event("aclrtSynchronizeEventWithTimeout", event, timeout);
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* result) {
    if (!result) return fail_null_result("aclrtQueryEventStatus");
    int32_t status = 0;
    Event* e = require_event("aclrtQueryEventStatus", event, &status);
    if (!e) return status;
    Mark* mark = latest_mark(e);
    const bool done = mark ? mark->done() : e->kind == EventKind::Modern;
    if (mark && mark->capture) status = fail_captured("aclrtQueryEventStatus");
    Mark::drop(mark);
    if (status == 0) *result = done ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return status;
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* result) {
    if (!result) return fail_null_result("aclrtQueryEvent");
    int32_t status = 0;
    Event* e = require_event("aclrtQueryEvent", event, &status);
    if (!e) return status;
    if (e->kind == EventKind::Modern) return fail_modern("aclrtQueryEvent");
    Mark* mark = latest_mark(e);
    if (mark && mark->capture) status = fail_captured("aclrtQueryEvent");
    if (status == 0) *result = !mark || mark->done() ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    Mark::drop(mark);
    return status;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* result) {
    if (!result) return fail_null_result("aclrtQueryEventWaitStatus");
    int32_t status = 0;
    Event* e = require_event("aclrtQueryEventWaitStatus", event, &status);
    if (!e) return status;
    if (e->kind == EventKind::Modern) return fail_modern("aclrtQueryEventWaitStatus");
    *result = e->pending_waits.load(std::memory_order_acquire) == 0 ? ACL_EVENT_WAIT_STATUS_COMPLETE
                                                                    : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return 0;
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end) {
    if (!ms) return fail_null_result("aclrtEventElapsedTime");
    int64_t t0 = 0, t1 = 0;
    if (int32_t status = event_time("aclrtEventElapsedTime", "start", start, &t0)) return status;
    if (int32_t status = event_time("aclrtEventElapsedTime", "end", end, &t1)) return status;
    *ms = static_cast<float>(static_cast<double>(t1 - t0) * 1e-6);
    return 0;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
    if (!timestamp) return fail_null_result("aclrtEventGetTimestamp");
    int64_t time = 0;
    if (int32_t status = event_time("aclrtEventGetTimestamp", "given", event, &time)) return status;
    *timestamp = static_cast<uint64_t>(time / 1000);  // microseconds
    return 0;
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* id) {
    if (!id) return fail_null_result("aclrtGetEventId");
    int32_t status = 0;
    Event* e = require_event("aclrtGetEventId", event, &status);
    if (e) *id = events.index_of(e);
    return status;
}

aclError aclrtGetEventAvailNum(uint32_t* count) {
    if (!count) return fail_null_result("aclrtGetEventAvailNum");
    int32_t status = 0;
    if (!require_context("aclrtGetEventAvailNum", &status)) return status;
    *count = static_cast<uint32_t>(events.available());
    return 0;
}

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
    if (!handle) return fail_null_result("aclrtIpcGetEventHandle");
    int32_t status = 0;
    if (!require_event("aclrtIpcGetEventHandle", event, &status)) return status;
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtIpcGetEventHandle: events of the embedded device cannot be shared between processes");
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle, aclrtEvent* event) {
    if (!event) return fail_null_result("aclrtIpcOpenEventHandle");
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtIpcOpenEventHandle: events of the embedded device cannot be shared between processes");
}

}  // extern "C"

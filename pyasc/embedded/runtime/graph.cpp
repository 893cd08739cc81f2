// aclmdlRI*: the C interface of captured graphs.
#include <cstdio>
#include <cstring>

#include "runtime/capture.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/stream.h"

namespace pyasc {
namespace {

using Phase = Capture::Phase;

struct alignas(256) TaskGroup {
    std::atomic<void*> self{nullptr};
    void* graph = nullptr;
    uint32_t number = 0;
};
Slots<TaskGroup> groups(1 << 16);

struct ReplayTask : Task {
    Capture* graph;
};

int32_t run_replay(Task* task) { return static_cast<ReplayTask*>(task)->graph->run(); }

void release_replay(Task* task) {
    auto* t = static_cast<ReplayTask*>(task);
    t->graph->running.fetch_sub(1, std::memory_order_acq_rel);
    delete t;
}

int32_t fail_null(const char* function, const char* name) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, name);
}

// A graph that is complete.
Capture* require_graph(const char* function, aclmdlRI handle, int32_t* status) {
    if (forked_child) {
        *status = fail_forked(function);
        return nullptr;
    }
    if (!handle) {
        *status = fail_null(function, "modelRI");
        return nullptr;
    }
    Capture* g = captures.find(handle);
    if (!g) {
        *status = fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is no graph; it was destroyed, or never was one", function,
                       handle);
    } else if (g->phase.load(std::memory_order_acquire) != Phase::Ready) {
        *status = fail(ACL_ERROR_RT_MODEL_CAPTURED, "%s: graph %p is still being captured; end the capture first",
                       function, handle);
        g = nullptr;
    }
    return g;
}

// The stream of a call that belongs to a capture, and the capture.
Stream* require_captured(const char* function, aclrtStream handle, Capture** capture, int32_t* status) {
    if (!handle) {
        *status = fail_null(function, "stream");
        return nullptr;
    }
    Stream* s = require_stream(function, handle, false, status);
    if (!s) return nullptr;
    *capture = s->capture();
    if (*capture) return s;
    *status = fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "%s: stream %p is not being captured", function, handle);
    return nullptr;
}

Capture* new_capture(const char* function, void** handle, int32_t* status) {
    Capture* g = captures.take(handle);
    if (!g) *status = fail(ACL_ERROR_RT_NO_MODEL_RESOURCE, "%s: too many graphs; destroy some", function);
    return g;
}

// Why a capture cannot end well, or 0.
int32_t check_end(Stream* s, Capture* g) {
    if (g->mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED && g->thread != std::this_thread::get_id())
        return fail(
            ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
            "aclmdlRICaptureEnd: another thread began the capture; the capture is dropped. End it there, or begin it "
            "in RELAXED mode");
    if (g->phase.load(std::memory_order_acquire) == Phase::Invalid)
        return fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "aclmdlRICaptureEnd: the capture was invalidated");
    if (!g->all_joined())
        return fail(
            ACL_ERROR_RT_STREAM_UNJOINED,
            "aclmdlRICaptureEnd: a stream that joined the capture was not joined back; record an event in it after its "
            "last task and let stream %p wait for that",
            s->self.load());
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
    const char* function = "aclmdlRICaptureBegin";
    if (!stream) return fail_null(function, "stream");
    if (mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: mode %d; it is GLOBAL 0, THREAD_LOCAL 1 or RELAXED 2", function,
                    static_cast<int>(mode));
    int32_t status = 0;
    Stream* s = require_stream(function, stream, true, &status);
    if (!s) return status;
    if (s == s->context.load()->default_stream)
        return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: the default stream cannot be captured; create a stream",
                    function);
    if (s->capture()) return fail(ACL_ERROR_RT_STREAM_CAPTURED, "%s: the stream is already being captured", function);
    void* handle = nullptr;
    Capture* g = new_capture(function, &handle, &status);
    if (!g) return status;
    g->self.store(handle, std::memory_order_release);
    g->begin(s, Phase::Capturing, mode);
    return 0;
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* graph) {
    const char* function = "aclmdlRICaptureEnd";
    if (!graph) return fail_null(function, "modelRI");
    *graph = nullptr;
    Capture* g = nullptr;
    int32_t status = 0;
    Stream* s = require_captured(function, stream, &g, &status);
    if (!s) return status;
    if (g->origin != s)
        return fail(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
                    "%s: stream %p joined the capture; end it on the stream that began it", function, stream);
    status = check_end(s, g);
    g->let_go();
    if (status) {
        destroy_capture(g);
        return status;
    }
    g->phase.store(Phase::Ready, std::memory_order_release);
    *graph = g->self.load(std::memory_order_relaxed);
    return 0;
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* state, aclmdlRI* graph) {
    const char* function = "aclmdlRICaptureGetInfo";
    if (!state && !graph) return fail_null(function, "both status and modelRI");
    int32_t status = 0;
    Stream* s = require_stream(function, stream, false, &status);
    if (!s) return status;
    Capture* g = s->capture();
    const bool invalid = g && g->phase.load(std::memory_order_acquire) == Phase::Invalid;
    if (state)
        *state = !g        ? ACL_MODEL_RI_CAPTURE_STATUS_NONE
                 : invalid ? ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
                           : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
    if (graph) *graph = g ? g->self.load(std::memory_order_relaxed) : nullptr;
    return 0;
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
    if (!mode) return fail_null("aclmdlRICaptureThreadExchangeMode", "mode");
    if (*mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || *mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclmdlRICaptureThreadExchangeMode: mode %d", static_cast<int>(*mode));
    exchange_capture_mode(mode);
    return 0;
}

aclError aclmdlRIExecuteAsync(aclmdlRI graph, aclrtStream stream) {
    const char* function = "aclmdlRIExecuteAsync";
    int32_t status = 0;
    Capture* g = require_graph(function, graph, &status);
    Stream* s = g ? require_stream(function, stream, true, &status) : nullptr;
    if (!s) return status;
    if (s->context.load() != g->context)
        return fail(ACL_ERROR_RT_MODEL_CONTEXT, "%s: the graph was captured in another context", function);
    if (s->capture())
        return fail(ACL_ERROR_RT_STREAM_CAPTURED, "%s: a graph cannot be captured into another one", function);
    auto* task = new ReplayTask;
    task->run = run_replay;
    task->release = release_replay;
    task->cost = g->cost();
    task->graph = g;
    g->running.fetch_add(1, std::memory_order_acq_rel);
    return submit(stream, task);
}

aclError aclmdlRIExecute(aclmdlRI graph, int32_t timeout) {
    if (timeout < -1 || timeout == 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclmdlRIExecute: timeout %d; it is milliseconds, or -1 for ever",
                    timeout);
    if (int32_t status = aclmdlRIExecuteAsync(graph, nullptr)) return status;
    return aclrtSynchronizeStreamWithTimeout(nullptr, timeout);
}

aclError aclmdlRIDestroy(aclmdlRI graph) {
    int32_t status = 0;
    Capture* g = require_graph("aclmdlRIDestroy", graph, &status);
    if (!g) return status;
    if (g->running.load(std::memory_order_acquire) != 0)
        return fail(ACL_ERROR_RT_MODEL_RUNNING, "aclmdlRIDestroy: the graph is running; synchronise its stream first");
    destroy_capture(g);
    return 0;
}

aclError aclmdlRIDebugPrint(aclmdlRI graph) {
    int32_t status = 0;
    Capture* g = require_graph("aclmdlRIDebugPrint", graph, &status);
    if (g) printf("graph %p '%s': %zu tasks of %zu streams\n", graph, g->name().c_str(), g->size(), g->streams_used());
    return status;
}

aclError aclmdlRISetName(aclmdlRI graph, const char* name) {
    if (!name) return fail_null("aclmdlRISetName", "name");
    int32_t status = 0;
    Capture* g = require_graph("aclmdlRISetName", graph, &status);
    if (g) g->set_name(name);
    return status;
}

aclError aclmdlRIGetName(aclmdlRI graph, uint32_t room, char* name) {
    if (!name) return fail_null("aclmdlRIGetName", "name");
    int32_t status = 0;
    Capture* g = require_graph("aclmdlRIGetName", graph, &status);
    if (!g) return status;
    const std::string text = g->name();
    if (text.size() >= room)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclmdlRIGetName: the name needs %zu bytes, maxLen is %u",
                    text.size() + 1, room);
    memcpy(name, text.c_str(), text.size() + 1);
    return 0;
}

// Task groups: parts of a graph that can be replaced.

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
    Capture* g = nullptr;
    int32_t status = 0;
    Stream* s = require_captured("aclmdlRICaptureTaskGrpBegin", stream, &g, &status);
    return s ? g->begin_group(s) : status;
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* group) {
    if (!group) return fail_null("aclmdlRICaptureTaskGrpEnd", "handle");
    Capture* g = nullptr;
    int32_t status = 0;
    Stream* s = require_captured("aclmdlRICaptureTaskGrpEnd", stream, &g, &status);
    uint32_t number = 0;
    if (s) status = g->end_group(s, &number);
    if (!s || status) return status;
    void* handle = nullptr;
    TaskGroup* t = groups.take(&handle);
    if (!t) return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "aclmdlRICaptureTaskGrpEnd: too many task groups");
    t->graph = g->self.load(std::memory_order_relaxed);
    t->number = number;
    t->self.store(handle, std::memory_order_release);
    *group = handle;
    return 0;
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
    const char* function = "aclmdlRICaptureTaskUpdateBegin";
    if (!stream || !handle) return fail_null(function, stream ? "handle" : "stream");
    int32_t status = 0;
    Stream* s = require_stream(function, stream, true, &status);
    if (!s) return status;
    TaskGroup* t = groups.find(handle);
    if (!t || !captures.find(t->graph))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is no task group, or its graph was destroyed", function,
                    handle);
    if (s->capture()) return fail(ACL_ERROR_RT_STREAM_CAPTURED, "%s: the stream is being captured", function);
    void* own = nullptr;
    Capture* u = new_capture(function, &own, &status);
    if (!u) return status;
    u->self.store(own, std::memory_order_release);
    u->begin(s, Phase::Updating, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    u->updates = handle;
    return 0;
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
    const char* function = "aclmdlRICaptureTaskUpdateEnd";
    Capture* u = nullptr;
    int32_t status = 0;
    Stream* s = require_captured(function, stream, &u, &status);
    if (!s) return status;
    if (u->phase.load(std::memory_order_acquire) != Phase::Updating)
        return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "%s: the stream updates no task group", function);
    TaskGroup* t = groups.find(u->updates);
    Capture* g = t ? captures.find(t->graph) : nullptr;
    u->let_go();
    status = g ? g->replace(t->number, u)
               : fail(ACL_ERROR_RT_MODEL_UPDATE_FAILED, "%s: the graph was destroyed meanwhile", function);
    destroy_capture(u);
    return status;
}

}  // extern "C"

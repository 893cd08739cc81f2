// Host functions in stream order: on a thread of the user's that processes reports, or on the stream's own worker.
#include <pthread.h>

#include <deque>
#include <map>
#include <memory>

#include "acl/acl_rt.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/stream.h"

namespace pyasc {
namespace {

// A function that waits for its thread. Shared by the thread's list and, if it blocks the stream, by the stream's task.
struct Report {
    aclrtCallback function;
    void* data;
    std::atomic<bool> done{false};
};

struct Reporter {
    int streams = 0;  // that are subscribed to it
    std::deque<std::shared_ptr<Report>> reports;
};

struct Reporters {
    std::mutex mutex;
    std::map<uint64_t, Reporter> by_thread;
};

Reporters& reporters() {
    static Reporters& instance = *new Reporters;
    return instance;
}

struct ReportTask : Task {
    uint64_t thread;
    bool block;
    std::shared_ptr<Report> report;
};

struct HostTask : Task {
    aclrtHostFunc function;
    void* args;
};

int32_t run_report(Task* task) {
    auto* t = static_cast<ReportTask*>(task);
    t->report->done.store(false, std::memory_order_relaxed);  // a graph runs it again and again
    {
        std::lock_guard<std::mutex> lock(reporters().mutex);
        auto it = reporters().by_thread.find(t->thread);
        if (it == reporters().by_thread.end())
            return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                        "a callback is due, but its thread is no longer subscribed; unsubscribe after synchronising");
        it->second.reports.push_back(t->report);
    }
    signal().notify();
    if (t->block)
        Stream::block(kForever, [t] {
            if (t->report->done.load(std::memory_order_acquire)) return true;
            std::lock_guard<std::mutex> lock(reporters().mutex);
            return reporters().by_thread.count(t->thread) == 0;
        });
    return 0;
}

int32_t run_host(Task* task) {
    auto* t = static_cast<HostTask*>(task);
    Stream::Blocked scope(Stream::running_on());  // what the function waits for may be a submitter
    t->function(t->args);
    return 0;
}

uint64_t this_thread() { return static_cast<uint64_t>(pthread_self()); }

int32_t check_subscriber(const char* function, uint64_t thread, Stream* s) {
    const uint64_t current = s->subscriber.load(std::memory_order_acquire);
    if (current == 0) return fail(ACL_ERROR_RT_STREAM_NO_CB_REG, "%s: the stream is not subscribed", function);
    if (current != thread)
        return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "%s: the stream is subscribed by thread %llu, not %llu", function,
                    static_cast<unsigned long long>(current), static_cast<unsigned long long>(thread));
    return 0;
}

int32_t process(const char* function, int32_t timeout) {
    if (timeout == 0 || timeout < -1)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: timeout %d; it is milliseconds, or -1 for ever", function,
                    timeout);
    if (forked_child) return fail_forked(function);
    std::deque<std::shared_ptr<Report>> due;
    bool subscribed = true;
    const uint64_t me = this_thread();
    const bool reached = signal().wait(deadline_after(timeout), [&] {
        std::lock_guard<std::mutex> lock(reporters().mutex);
        auto it = reporters().by_thread.find(me);
        subscribed = it != reporters().by_thread.end();
        if (subscribed) due.swap(it->second.reports);
        return !subscribed || !due.empty();
    });
    if (!subscribed)
        return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                    "%s: no stream is subscribed to this thread; call aclrtSubscribeReport first", function);
    if (!reached) return ACL_ERROR_RT_REPORT_TIMEOUT;  // callers poll: no message
    for (auto& report : due) {
        report->function(report->data);
        report->done.store(true, std::memory_order_release);
        signal().notify();
    }
    return 0;
}

int32_t subscribe(const char* function, uint64_t thread, aclrtStream stream) {
    int32_t status = 0;
    Stream* s = require_stream(function, stream, true, &status);
    if (!s) return status;
    std::lock_guard<std::mutex> lock(reporters().mutex);
    if (s->subscriber.load(std::memory_order_relaxed) != 0)
        return fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, "%s: the stream is already subscribed", function);
    if (s->host_functions.load(std::memory_order_relaxed))
        return fail(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    "%s: the stream has run aclrtLaunchHostFunc; one stream cannot use both kinds of callback",
                    function);
    s->subscriber.store(thread, std::memory_order_release);
    ++reporters().by_thread[thread].streams;
    return 0;
}

int32_t unsubscribe(const char* function, uint64_t thread, aclrtStream stream) {
    int32_t status = 0;
    Stream* s = require_stream(function, stream, true, &status);
    if (!s) return status;
    {
        std::lock_guard<std::mutex> lock(reporters().mutex);
        if ((status = check_subscriber(function, thread, s))) return status;
    }
    forget_subscriber(s);
    return 0;
}

}  // namespace

void forget_subscriber(Stream* s) {
    {
        std::lock_guard<std::mutex> lock(reporters().mutex);
        const uint64_t thread = s->subscriber.exchange(0, std::memory_order_acq_rel);
        auto it = reporters().by_thread.find(thread);
        if (thread == 0 || it == reporters().by_thread.end() || --it->second.streams > 0) return;
        reporters().by_thread.erase(it);
    }
    signal().notify();
}

}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtSubscribeReport(uint64_t thread, aclrtStream stream) {
    return subscribe("aclrtSubscribeReport", thread, stream);
}
aclError aclrtUnSubscribeReport(uint64_t thread, aclrtStream stream) {
    return unsubscribe("aclrtUnSubscribeReport", thread, stream);
}
aclError aclrtProcessReport(int32_t timeout) { return process("aclrtProcessReport", timeout); }

// The same under newer names.
aclError aclrtSubscribeHostFunc(uint64_t thread, aclrtStream stream) {
    return subscribe("aclrtSubscribeHostFunc", thread, stream);
}
aclError aclrtUnSubscribeHostFunc(uint64_t thread, aclrtStream stream) {
    return unsubscribe("aclrtUnSubscribeHostFunc", thread, stream);
}
aclError aclrtProcessHostFunc(int32_t timeout) { return process("aclrtProcessHostFunc", timeout); }

aclError aclrtLaunchCallback(aclrtCallback fn, void* data, aclrtCallbackBlockType type, aclrtStream stream) {
    const char* function = "aclrtLaunchCallback";
    if (!fn) return fail(ACL_ERROR_INVALID_PARAM, "%s: fn is null", function);
    if (type != ACL_CALLBACK_NO_BLOCK && type != ACL_CALLBACK_BLOCK)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: blockType %d; it is NO_BLOCK 0 or BLOCK 1", function,
                    static_cast<int>(type));
    int32_t status = 0;
    Stream* s = require_stream(function, stream, true, &status);
    if (!s) return status;
    const uint64_t thread = s->subscriber.load(std::memory_order_acquire);
    if (thread == 0)
        return fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
                    "%s: no thread is subscribed to the stream; call aclrtSubscribeReport first", function);
    auto* task = new ReportTask;
    task->run = run_report;
    task->release = [](Task* t) { delete static_cast<ReportTask*>(t); };
    task->cost = type == ACL_CALLBACK_BLOCK ? kWorkerOnly : 500;
    task->thread = thread;
    task->block = type == ACL_CALLBACK_BLOCK;
    task->report = std::make_shared<Report>();
    task->report->function = fn;
    task->report->data = data;
    return submit(stream, task);
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
    const char* function = "aclrtLaunchHostFunc";
    if (!fn) return fail(ACL_ERROR_INVALID_PARAM, "%s: fn is null", function);
    int32_t status = 0;
    Stream* s = require_stream(function, stream, true, &status);
    if (!s) return status;
    if (s->subscriber.load(std::memory_order_acquire) != 0)
        return fail(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    "%s: a thread is subscribed to the stream; one stream cannot use both kinds of callback", function);
    s->host_functions.store(true, std::memory_order_release);
    auto* task = new HostTask;
    task->run = run_host;
    task->release = [](Task* t) { delete static_cast<HostTask*>(t); };
    task->cost = kWorkerOnly;
    task->function = fn;
    task->args = args;
    return submit(stream, task);
}

}  // extern "C"

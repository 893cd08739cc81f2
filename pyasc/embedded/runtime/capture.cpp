// Collecting tasks into graphs, and running graphs. The order of submission over all streams of a capture respects
// every dependency among them, so that a graph runs its tasks one after the other in that order.
#include "runtime/capture.h"

#include <algorithm>

#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/stream.h"

namespace pyasc {

Slots<Capture> captures(4096);

namespace {

// Captures that are going on, for calls that one of them forbids.
struct Active {
    std::mutex mutex;
    std::vector<Capture*> list;
    std::atomic<size_t> count{0};
};

Active& active() {
    static Active& instance = *new Active;
    return instance;
}

thread_local aclmdlRICaptureMode tls_mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

void set_active(Capture* capture, bool on) {
    Active& a = active();
    std::lock_guard<std::mutex> lock(a.mutex);
    if (on)
        a.list.push_back(capture);
    else
        a.list.erase(std::remove(a.list.begin(), a.list.end(), capture), a.list.end());
    a.count.store(a.list.size(), std::memory_order_release);
}

// Whether a capture forbids this thread to wait for the device. A thread's own capture forbids it unless relaxed,
// another thread's only if both it and this thread are in GLOBAL mode.
bool forbidden() {
    Active& a = active();
    if (a.count.load(std::memory_order_acquire) == 0 || tls_mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return false;
    std::lock_guard<std::mutex> lock(a.mutex);
    return std::any_of(a.list.begin(), a.list.end(), [](const Capture* c) {
        if (c->mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return false;
        if (c->thread == std::this_thread::get_id()) return true;
        return c->mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && tls_mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
    });
}

}  // namespace

int32_t check_not_capturing(const char* function) {
    if (!forbidden()) return 0;
    return fail(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT,
                "%s: not while a stream is captured in this mode, because it would not become part of the graph; do it "
                "before or after, or use ACL_MODEL_RI_CAPTURE_MODE_RELAXED",
                function);
}

int32_t check_not_capturing_async(const char* function) {
    if (!forbidden()) return 0;
    return fail(
        ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC,
        "%s: a copy of pageable host memory waits for its stream, which a capture in this mode forbids; use memory "
        "from aclrtMallocHost",
        function);
}

void Capture::begin(Stream* stream, Phase first, aclmdlRICaptureMode m) {
    origin = stream;
    context = stream->context.load(std::memory_order_relaxed);
    mode = m;
    thread = std::this_thread::get_id();
    running = 0;
    updates = nullptr;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        groups_ = 0;
        name_.clear();
        members_.clear();
        members_[stream];
        streams_used_ = 1;
    }
    phase.store(first, std::memory_order_release);
    if (first == Phase::Capturing) set_active(this, true);
    stream->set_capture(this);
}

int32_t Capture::append(Stream* stream, Task* task) {
    std::unique_lock<std::mutex> lock(mutex_);
    const Phase p = phase.load(std::memory_order_relaxed);
    auto it = members_.find(stream);
    if ((p != Phase::Capturing && p != Phase::Updating) || it == members_.end()) {
        lock.unlock();
        task->release(task);
        return fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
                    "the stream's capture is over or invalid; end it with aclmdlRICaptureEnd");
    }
    Member& m = it->second;
    m.clock[stream] = ++m.count;
    entries_.push_back({task, m.open_group});
    return 0;
}

int32_t Capture::mark(Stream* stream, Mark* m) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = members_.find(stream);
    if (it == members_.end())
        return fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "aclrtRecordEvent: the stream's capture is over");
    m->capture = self.load(std::memory_order_relaxed);
    m->clock = it->second.clock;
    m->clock[stream] = it->second.count;
    return 0;
}

int32_t Capture::join(Stream* stream, const Mark& m) {
    bool added = false;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (phase.load(std::memory_order_relaxed) != Phase::Capturing)
            return fail(ACL_ERROR_RT_EVENT_CAPTURED,
                        "aclrtStreamWaitEvent: the capture the event was recorded in is over");
        auto [it, is_new] = members_.try_emplace(stream);
        for (auto [s, count] : m.clock) {
            uint64_t& seen = it->second.clock[s];
            seen = std::max(seen, count);
        }
        added = is_new;
        streams_used_ = members_.size();
    }
    if (added) stream->set_capture(this);
    return 0;
}

bool Capture::all_joined() {
    std::lock_guard<std::mutex> lock(mutex_);
    CaptureClock& seen = members_[origin].clock;
    for (auto& [stream, member] : members_) {
        auto it = seen.find(stream);
        if (stream != origin && (it == seen.end() || it->second < member.count)) return false;
    }
    return true;
}

void Capture::let_go() {
    std::map<Stream*, Member> members;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        members.swap(members_);
    }
    for (auto& member : members) member.first->set_capture(nullptr);
    set_active(this, false);
}

void Capture::clear() {
    std::vector<Entry> entries;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        entries.swap(entries_);
    }
    for (const Entry& e : entries) e.task->release(e.task);
}

int32_t Capture::begin_group(Stream* stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    uint32_t& open = members_[stream].open_group;
    if (open)
        return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                    "aclmdlRICaptureTaskGrpBegin: the stream has an open task group; end that first");
    open = ++groups_;
    return 0;
}

int32_t Capture::end_group(Stream* stream, uint32_t* group) {
    std::lock_guard<std::mutex> lock(mutex_);
    uint32_t& open = members_[stream].open_group;
    if (!open)
        return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "aclmdlRICaptureTaskGrpEnd: the stream has no open task group");
    *group = open;
    open = 0;
    return 0;
}

int32_t Capture::replace(uint32_t group, Capture* by) {
    std::vector<Entry> fresh;
    {
        std::lock_guard<std::mutex> lock(by->mutex_);
        fresh.swap(by->entries_);
    }
    std::unique_lock<std::mutex> run_lock(run_mutex_);
    std::unique_lock<std::mutex> lock(mutex_);
    std::vector<Entry*> old;
    for (Entry& e : entries_)
        if (e.group == group) old.push_back(&e);
    const size_t wanted = old.size(), given = fresh.size();
    if (wanted == given)
        for (size_t i = 0; i < wanted; ++i) std::swap(old[i]->task, fresh[i].task);
    lock.unlock();
    run_lock.unlock();
    for (const Entry& e : fresh) e.task->release(e.task);
    if (wanted == given) return 0;
    return fail(ACL_ERROR_RT_MODEL_UPDATE_FAILED,
                "aclmdlRICaptureTaskUpdateEnd: the group has %zu tasks and %zu were given; repeat the same calls",
                wanted, given);
}

int32_t Capture::run() {
    std::lock_guard<std::mutex> lock(run_mutex_);
    int32_t first = 0;
    for (size_t i = 0; i < entries_.size(); ++i) {
        const int32_t status = entries_[i].task->run(entries_[i].task);
        if (first == 0) first = status;
    }
    return first;
}

int64_t Capture::cost() {
    std::lock_guard<std::mutex> lock(mutex_);
    int64_t sum = 0;
    for (const Entry& e : entries_) {
        if (e.task->cost >= kWorkerOnly - sum) return kWorkerOnly;
        sum += e.task->cost;
    }
    return sum;
}

size_t Capture::size() {
    std::lock_guard<std::mutex> lock(mutex_);
    return entries_.size();
}

size_t Capture::streams_used() {
    std::lock_guard<std::mutex> lock(mutex_);
    return streams_used_;
}

std::string Capture::name() {
    std::lock_guard<std::mutex> lock(mutex_);
    return name_;
}

void Capture::set_name(const char* name) {
    std::lock_guard<std::mutex> lock(mutex_);
    name_ = name;
}

void exchange_capture_mode(aclmdlRICaptureMode* mode) { std::swap(*mode, tls_mode); }

void Capture::leave(Stream* stream) {
    phase.store(Phase::Invalid, std::memory_order_release);
    {
        std::lock_guard<std::mutex> lock(mutex_);
        members_.erase(stream);
    }
    stream->set_capture(nullptr);
}

void destroy_capture(Capture* c) {
    c->self.store(nullptr, std::memory_order_release);
    c->clear();
    captures.give(c);
}

void drop_capture(Stream* stream) {
    Capture* c = stream->capture();
    if (!c) return;
    c->leave(stream);
    if (c->origin != stream) return;
    c->let_go();
    destroy_capture(c);
}

}  // namespace pyasc

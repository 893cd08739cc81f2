// The queue behind a stream: who runs a task, who waits for whom, and what happens when a task fails.
#include "runtime/stream.h"

#include <system_error>
#include <vector>

#include "runtime/capture.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"

namespace pyasc {

thread_local Stream* Stream::running_on_ = nullptr;

Stream* Stream::running_on() { return running_on_; }

Signal& signal() {
    static Signal& instance = *new Signal;  // leaked: workers may outlive static objects
    return instance;
}

void Stream::open(Context* owner, uint32_t new_priority, uint32_t new_flags) {
    std::lock_guard<std::mutex> lock(mutex_);
    context.store(owner, std::memory_order_relaxed);
    flags = new_flags;
    priority = new_priority;
    id = streams.index_of(this);
    overflow_switch = tag = cache_op_info = 0;
    host_functions = false;
    subscriber = 0;
    first_ = nullptr;
    last_ = &first_;
    done_ = pushed_;
    closed_ = stop_worker_ = stop_on_failure_ = stopped_ = false;
    failure_ = 0;
    failure_text_.clear();
    state_.store(0, std::memory_order_release);
}

void Stream::close(bool force) {
    if (force)
        abort();
    else
        synchronize(kForever, "aclrtDestroyStream");
    std::thread worker;
    Task* left;
    {
        std::unique_lock<std::mutex> lock(mutex_);
        closed_ = true;
        update_held();
        left = detach_all();  // what another thread has pushed while this one closes
        stop_worker_ = true;
        work_.notify_all();
        progress_.notify_all();
        worker.swap(worker_);
    }
    for (Task* next; left != nullptr; left = next) {
        next = left->next;
        left->release(left);
    }
    if (worker.joinable()) worker.join();
    while (state_.load(std::memory_order_acquire) & kInline) std::this_thread::yield();
    take_failure("");  // nobody is left to hear of it
}

int32_t Stream::refuse_closed(Task* task) {
    task->release(task);
    return fail(ACL_ERROR_RT_STREAM_CONTEXT, "the stream was destroyed while a task was submitted to it");
}

int32_t Stream::hand_to_capture(std::unique_lock<std::mutex>& lock, Task* task) {
    Capture* capture = capture_.load(std::memory_order_relaxed);
    lock.unlock();
    return capture->append(this, task);
}

int32_t Stream::push(Task* task) {
    task->next = nullptr;
    std::unique_lock<std::mutex> lock(mutex_);
    if (closed_) {
        lock.unlock();
        return refuse_closed(task);
    }
    if (capture_.load(std::memory_order_relaxed) != nullptr) return hand_to_capture(lock, task);
    if (pushed_ - done_ >= kMaxQueued) wait_for_room(lock);
    if (!worker_.joinable() && !stop_worker_) {
        try {
            worker_ = std::thread([this] { work(); });
        } catch (const std::system_error& e) {
            lock.unlock();
            task->release(task);
            return fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "no thread for the stream's queue: %s; use fewer streams",
                        e.what());
        }
    }
    *last_ = task;
    last_ = &task->next;
    ++pushed_;
    const uint32_t before = state_.fetch_or(kQueued, std::memory_order_acq_rel);
    if ((before & (kInline | kQueued)) == 0) work_.notify_one();
    return 0;
}

void Stream::wait_for_room(std::unique_lock<std::mutex>& lock) {
    if (running_on_ == this) return;  // a task that submits to its own stream
    progress_.wait(lock, [this] { return reached(pushed_ - kMaxQueued / 2) || blocked_ || closed_; });
}

void Stream::set_blocked(bool blocked) {
    std::lock_guard<std::mutex> lock(mutex_);
    blocked_ = blocked;
    if (blocked) progress_.notify_all();
}

void Stream::wake() {
    std::lock_guard<std::mutex> lock(mutex_);
    work_.notify_one();
    progress_.notify_all();
}

// Whether so many tasks are done; if not, the waiter that asks is woken when they are.
bool Stream::reached(uint64_t target) {
    if (done_ >= target) return true;
    if (target < wake_at_) wake_at_ = target;
    return false;
}

bool Stream::ready() const {
    return first_ != nullptr && !draining_ && (state_.load(std::memory_order_acquire) & kInline) == 0;
}

// Runs queued tasks until `target` of them are done. A caller that only helps leaves those that may block to the
// worker.
void Stream::drain(std::unique_lock<std::mutex>& lock, uint64_t target, bool worker) {
    draining_ = true;
    while (first_ != nullptr && done_ < target && (worker || first_->cost != kWorkerOnly)) {
        Task* task = first_;
        first_ = task->next;
        if (first_ == nullptr) last_ = &first_;
        const bool skip = stopped_;
        lock.unlock();
        const int32_t status = skip ? 0 : task->run(task);
        task->release(task);
        std::string text;
        if (status != 0) text = take_last_message();
        lock.lock();
        if (status != 0) record_failure(status, std::move(text));
        ++done_;
        if (done_ >= wake_at_) {
            wake_at_ = UINT64_MAX;  // whoever still has to wait sets it again
            progress_.notify_all();
        }
    }
    draining_ = false;
    if (first_ == nullptr)
        state_.fetch_and(~kQueued, std::memory_order_acq_rel);
    else
        work_.notify_one();
    progress_.notify_all();
}

void Stream::work() {
    running_on_ = this;
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop_worker_) {
        if (ready())
            drain(lock, pushed_, true);
        else
            work_.wait(lock);
    }
}

int32_t Stream::synchronize(Clock::time_point deadline, const char* function) {
    if (idle()) return failure_.load(std::memory_order_acquire) == 0 ? 0 : take_failure(function);
    if (running_on_ == this)
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "%s: called from a task of the stream it would wait for; it would never return", function);
    const bool help = deadline == kForever;  // a task once begun cannot be left when the time is up
    bool aborted = false, reached = true;
    {
        std::unique_lock<std::mutex> lock(mutex_);
        const uint64_t target = pushed_, epoch = aborts_.load(std::memory_order_relaxed);
        auto over = [&] { return this->reached(target) || closed_; };
        while (!over() && reached) {
            if (help && ready() && first_->cost != kWorkerOnly)
                drain(lock, target, false);
            else
                reached = wait_until(progress_, lock, deadline,
                                     [&] { return over() || (help && ready() && first_->cost != kWorkerOnly); });
        }
        aborted = aborts_.load(std::memory_order_relaxed) != epoch;
    }
    while (reached && (state_.load(std::memory_order_acquire) & kInline)) {
        std::this_thread::yield();
        reached = deadline == kForever || Clock::now() < deadline;
    }
    if (aborted)
        return fail(ACL_ERROR_RT_STREAM_ABORT, "%s: the stream was aborted; tasks not yet begun were dropped",
                    function);
    if (!reached)
        return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                    "%s: the stream was still busy when the time was up; its work goes on", function);
    return failure_.load(std::memory_order_acquire) == 0 ? 0 : take_failure(function);
}

void Stream::note_failure(int32_t status) {
    std::string text = take_last_message();
    std::lock_guard<std::mutex> lock(mutex_);
    record_failure(status, std::move(text));
}

void Stream::record_failure(int32_t status, std::string text) {
    if (failure_.load(std::memory_order_relaxed) != 0) return;  // the first one is the cause
    failure_text_ = std::move(text);
    failure_.store(status, std::memory_order_release);
    stopped_ = stop_on_failure_;
    update_held();
}

int32_t Stream::take_failure(const char* function) {
    int32_t status;
    std::string text;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        status = failure_.load(std::memory_order_relaxed);
        text = failure_text_;
        // A stream that stops on failure goes on saying so; otherwise an error is told once.
        if (!stopped_ || closed_) failure_.store(0, std::memory_order_relaxed);
    }
    if (status == 0 || *function == 0) return status;
    return fail(status, "%s: a task of the stream failed: %s", function, text.empty() ? "no details" : text.c_str());
}

Task* Stream::detach_all() {
    Task* tasks = first_;
    for (Task* t = first_; t != nullptr; t = t->next) ++done_;
    first_ = nullptr;
    last_ = &first_;
    if (!draining_) state_.fetch_and(~kQueued, std::memory_order_acq_rel);
    return tasks;
}

void Stream::abort() {
    std::unique_lock<std::mutex> lock(mutex_);
    Task* dropped = detach_all();
    aborts_.fetch_add(1, std::memory_order_acq_rel);
    cancel_.store(true, std::memory_order_release);
    progress_.notify_all();
    lock.unlock();
    signal().notify();
    for (Task* next; dropped != nullptr; dropped = next) {
        next = dropped->next;
        dropped->release(dropped);
    }
    lock.lock();
    if (running_on_ != this) progress_.wait(lock, [this] { return !draining_; });
    cancel_.store(false, std::memory_order_release);
}

void Stream::set_stop_on_failure(bool stop) {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_on_failure_ = stop;
    if (!stop) stopped_ = false;
    update_held();
}

bool Stream::stop_on_failure() {
    std::lock_guard<std::mutex> lock(mutex_);
    return stop_on_failure_;
}

void Stream::set_capture(Capture* capture) {
    std::lock_guard<std::mutex> lock(mutex_);
    capture_.store(capture, std::memory_order_release);
    update_held();
}

void Stream::update_held() {
    if (closed_ || stopped_ || capture_.load(std::memory_order_relaxed) != nullptr)
        state_.fetch_or(kHeld, std::memory_order_acq_rel);
    else
        state_.fetch_and(~kHeld, std::memory_order_acq_rel);
}

namespace {

// The slow half of submit: says what is wrong.
__attribute__((noinline, cold)) int32_t refuse(aclrtStream handle, Task* task) {
    int32_t status = 0;
    Context* context = require_context("submitting work", &status);
    Stream* s = context ? require_stream("submitting work", handle, true, &status) : nullptr;
    if (s) return s->launch(task);  // the thread's default device has just been set
    task->release(task);
    return status;
}

}  // namespace

int32_t submit(aclrtStream handle, Task* task) {
    Context* context = current_context_or_null();
    if (__builtin_expect(context == nullptr, 0)) return refuse(handle, task);
    if (handle == nullptr) return context->default_stream->launch(task);
    Stream* s = streams.find(handle);
    if (__builtin_expect(s == nullptr || s->context.load(std::memory_order_relaxed) != context, 0))
        return refuse(handle, task);
    return s->launch(task);
}

Stream* create_stream(Context* context, uint32_t priority, uint32_t flags) {
    void* handle = nullptr;
    Stream* s = streams.take(&handle);
    if (s == nullptr) return nullptr;
    s->open(context, priority, flags);
    s->self.store(handle, std::memory_order_release);
    return s;
}

void destroy_stream(Stream* s, bool force) {
    s->close(force);
    forget_subscriber(s);
    streams.give(s);
}

Stream* require_stream(const char* function, aclrtStream handle, bool same_context, int32_t* status) {
    if (forked_child) {
        *status = fail_forked(function);
        return nullptr;
    }
    Stream* s = handle ? streams.find(handle) : nullptr;
    if (handle && !s) {
        *status = fail(ACL_ERROR_RT_STREAM_CONTEXT, "%s: %p is no stream; it was destroyed, or never was one", function,
                       handle);
        return nullptr;
    }
    if (s && !same_context) return s;
    Context* context = require_context(function, status);
    if (!context) return nullptr;
    if (!s) return context->default_stream;
    if (s->context.load(std::memory_order_relaxed) == context) return s;
    *status = fail(ACL_ERROR_RT_STREAM_CONTEXT,
                   "%s: stream %p belongs to another context than the current one; make its context current first",
                   function, handle);
    return nullptr;
}

int32_t synchronize_all(int device, Clock::time_point deadline, const char* function) {
    std::vector<Stream*> all;
    {
        std::lock_guard<std::mutex> lock(runtime_mutex());
        for (Context* c : live_contexts()) {
            if (c->device != device) continue;
            all.push_back(c->default_stream);
            all.insert(all.end(), c->streams.begin(), c->streams.end());
        }
    }
    int32_t first = 0;
    for (Stream* s : all) {
        if (Stream::running_on() == s) continue;
        const int32_t status = s->synchronize(deadline, function);
        if (first == 0) first = status;
        if (status == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) break;
    }
    return first;
}

}  // namespace pyasc

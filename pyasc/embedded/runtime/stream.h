// A FIFO queue of tasks with a worker thread that starts with the first queued task. A cheap task that finds the stream
// idle runs in the caller, and a caller that waits runs what the worker has not begun.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/signal.h"
#include "runtime/slots.h"
#include "runtime/task.h"

namespace pyasc {

struct Context;
class Capture;

constexpr int64_t kInlineCost = 6000;  // nanoseconds: about what waking a thread costs
constexpr int64_t kWorkerOnly = INT64_MAX;  // cost of a task that may block: only the stream's own worker runs it

class alignas(512) Stream {
  public:
    std::atomic<void*> self{nullptr};
    std::atomic<Context*> context{nullptr};
    uint32_t flags = 0;
    uint32_t priority = 0;
    uint32_t id = 0;
    std::atomic<uint32_t> overflow_switch{0};
    std::atomic<uint32_t> tag{0};
    std::atomic<uint32_t> cache_op_info{0};
    std::atomic<bool> host_functions{false};  // has seen aclrtLaunchHostFunc
    std::atomic<uint64_t> subscriber{0};  // thread that processes its reports; 0: none

    void open(Context* owner, uint32_t priority, uint32_t flags);
    void close(bool force);  // waits for what is queued, or drops it; afterwards every submit is refused

    // Takes the task. 0, or why it was refused.
    int32_t launch(Task* task) {
        uint32_t idle = 0;
        if (task->cost > kInlineCost ||
            !state_.compare_exchange_strong(idle, kInline, std::memory_order_acquire, std::memory_order_relaxed))
            return push(task);
        const int32_t status = task->run(task);
        task->release(task);
        if (__builtin_expect(status != 0, 0)) note_failure(status);
        if (state_.fetch_sub(kInline, std::memory_order_acq_rel) != kInline) wake();  // others were queued meanwhile
        return 0;
    }

    bool idle() const { return (state_.load(std::memory_order_acquire) & (kInline | kQueued)) == 0; }

    // Waits for all that was submitted before. 0, the error of a task that failed since the last call (its message is
    // then this thread's), 507046 at the deadline, 107023 if the stream was aborted meanwhile.
    int32_t synchronize(Clock::time_point deadline, const char* function);

    void abort();  // drops what is queued and waits for the task that runs
    void set_stop_on_failure(bool stop);
    bool stop_on_failure();

    // Captures: while one is set, tasks are not run but handed to it.
    void set_capture(Capture* capture);
    Capture* capture() const { return capture_.load(std::memory_order_acquire); }

    // For tasks that run on the worker: waits until predicate() holds. False at the deadline or if the stream is
    // aborted.
    template <class Predicate>
    static bool block(Clock::time_point deadline, Predicate predicate) {
        Stream* s = running_on_;  // null if a graph has just been given the task and a caller runs it
        Blocked scope(s);
        const uint64_t epoch = s ? s->aborts_.load(std::memory_order_acquire) : 0;
        bool aborted = false;
        const bool reached = signal().wait(deadline, [&] {
            aborted = s && (s->cancel_.load(std::memory_order_acquire) ||
                            s->aborts_.load(std::memory_order_acquire) != epoch);
            return aborted || predicate();
        });
        return reached && !aborted;
    }
    // While one lives, submitters are not held back: what the task waits for may be up to them.
    class Blocked {
      public:
        explicit Blocked(Stream* s) : stream_(s) {
            if (s) s->set_blocked(true);
        }
        ~Blocked() {
            if (stream_) stream_->set_blocked(false);
        }
        Blocked(const Blocked&) = delete;

      private:
        Stream* stream_;
    };
    static Stream* running_on();  // the stream whose worker this thread is, or nullptr

  private:
    // kInline: a caller runs its task. kQueued: the queue is not empty or being drained. kHeld: nothing starts inline
    // because the stream is closed, captured or stopped after a failure.
    static constexpr uint32_t kInline = 1, kQueued = 2, kHeld = 4;
    static constexpr uint64_t kMaxQueued = 8192;  // then submitters wait until half of it is done

    int32_t push(Task* task);
    int32_t refuse_closed(Task* task);
    int32_t hand_to_capture(std::unique_lock<std::mutex>& lock, Task* task);
    void wait_for_room(std::unique_lock<std::mutex>& lock);
    void note_failure(int32_t status);
    void record_failure(int32_t status, std::string text);  // with the lock held, like all below
    int32_t take_failure(const char* function);
    void wake();
    bool reached(uint64_t target);
    bool ready() const;
    void drain(std::unique_lock<std::mutex>& lock, uint64_t target, bool worker);
    Task* detach_all();
    void update_held();
    void set_blocked(bool blocked);
    void work();

    std::atomic<uint32_t> state_{kHeld};
    std::atomic<int32_t> failure_{0};
    std::atomic<Capture*> capture_{nullptr};
    std::atomic<uint64_t> aborts_{0};
    std::atomic<bool> cancel_{false};  // an abort waits for the running task to give up
    std::mutex mutex_;
    std::condition_variable work_, progress_;
    Task* first_ = nullptr;
    Task** last_ = &first_;
    uint64_t pushed_ = 0, done_ = 0;
    uint64_t wake_at_ = UINT64_MAX;  // when `done_` gets there somebody must be woken
    bool draining_ = false, closed_ = true, stop_worker_ = false, stop_on_failure_ = false, stopped_ = false;
    bool blocked_ = false;
    std::string failure_text_;
    std::thread worker_;
    static thread_local Stream* running_on_;
};

extern Slots<Stream> streams;

// Creates a stream in a context that is alive (or not yet published). nullptr: no more streams.
Stream* create_stream(Context* context, uint32_t priority, uint32_t flags);
void destroy_stream(Stream* stream, bool force);

// The live stream behind a handle (nullptr: the default one of the current context), whatever its context; or nullptr
// with *status and a message. With `same_context` a stream of another context is 107003.
Stream* require_stream(const char* function, aclrtStream handle, bool same_context, int32_t* status);

void forget_subscriber(Stream* stream);  // the stream ends, or its thread unsubscribes

// Waits for every stream of a device.
int32_t synchronize_all(int device, Clock::time_point deadline, const char* function);

}  // namespace pyasc

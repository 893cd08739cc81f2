// Waiting for something that another thread will do (an event, a notify, a host callback). These waits are rare, so one
// condition for all of them is enough, and whoever signals pays one load while nobody waits.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace pyasc {

using Clock = std::chrono::steady_clock;
constexpr Clock::time_point kForever = Clock::time_point::max();

// A timeout in milliseconds as the C interface has it: negative is for ever.
inline Clock::time_point deadline_after(int64_t milliseconds) {
    return milliseconds < 0 ? kForever : Clock::now() + std::chrono::milliseconds(milliseconds);
}

template <class Predicate>
bool wait_until(std::condition_variable& condition, std::unique_lock<std::mutex>& lock, Clock::time_point deadline,
                Predicate predicate) {
    if (deadline != kForever) return condition.wait_until(lock, deadline, predicate);
    condition.wait(lock, predicate);
    return true;
}

class Signal {
  public:
    // After what the predicates look at has changed.
    void notify() {
        // A read-modify-write, so that either this sees the waiter or the waiter sees what has changed.
        if (waiters_.fetch_add(0, std::memory_order_acq_rel) == 0) return;
        { std::lock_guard<std::mutex> lock(mutex_); }  // a waiter between its look and its sleep holds the lock
        condition_.notify_all();
    }

    // False if the deadline passed first.
    template <class Predicate>
    bool wait(Clock::time_point deadline, Predicate predicate) {
        waiters_.fetch_add(1, std::memory_order_acq_rel);
        std::unique_lock<std::mutex> lock(mutex_);
        const bool reached = wait_until(condition_, lock, deadline, predicate);
        waiters_.fetch_sub(1, std::memory_order_relaxed);
        return reached;
    }

  private:
    std::atomic<int> waiters_{0};
    std::mutex mutex_;
    std::condition_variable condition_;
};

Signal& signal();  // the one for all

}  // namespace pyasc

// Where the objects behind runtime handles live. A handle is the address of a slot plus eight times a small generation,
// the slot repeats it in `self`; so any pointer, stale or invented, can be looked up: range, then one load.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace pyasc {

// T is aligned to its stride, a power of two of at least 256, and has `std::atomic<void*> self` (null while not in
// use). A slot is constructed once and never destroyed: a thread that races with its end finds a closed object, not a
// hole.
template <class T>
class Slots {
  public:
    explicit constexpr Slots(size_t capacity) : capacity_(capacity) {}

    T* find(const void* handle) const {
        char* base = base_.load(std::memory_order_acquire);
        const size_t offset = reinterpret_cast<uintptr_t>(handle) - reinterpret_cast<uintptr_t>(base);
        if (offset >= capacity_ * sizeof(T) || base == nullptr) return nullptr;
        T* slot = slot_of(base, offset);
        return slot->self.load(std::memory_order_acquire) == handle ? slot : nullptr;
    }

    // The slot that `handle` once named, if it points into the range at all.
    T* find_dead(const void* handle) const {
        char* base = base_.load(std::memory_order_acquire);
        const size_t offset = reinterpret_cast<uintptr_t>(handle) - reinterpret_cast<uintptr_t>(base);
        const size_t end = used_.load(std::memory_order_acquire) * sizeof(T);
        return base != nullptr && offset < end ? slot_of(base, offset) : nullptr;
    }

    // A slot nobody uses and the handle to publish in `self` once it is ready; nullptr if there are no more.
    T* take(void** handle) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!reserve()) return nullptr;
        size_t index = used_.load(std::memory_order_relaxed);
        // Old slots come back in the order they were freed, and late: a stale handle stays recognisable for long.
        if (free_.size() > kReuseAfter || (index == capacity_ && !free_.empty())) {
            index = free_.front();
            free_.pop_front();
        } else if (index == capacity_) {
            return nullptr;
        } else {
            void* place = base_.load(std::memory_order_relaxed) + index * sizeof(T);
            new (place) T;
#if defined(__SANITIZE_ADDRESS__)
            __lsan_register_root_region(place, sizeof(T));  // what a slot points to is not lost
#endif
            generations_.push_back(0);
            used_.store(index + 1, std::memory_order_release);
        }
        char* address = base_.load(std::memory_order_relaxed) + index * sizeof(T);
        *handle = address + 8 * (generations_[index]++ % kGenerations);
        return reinterpret_cast<T*>(address);
    }

    // The caller has set `self` to null before.
    void give(T* slot) {
        std::lock_guard<std::mutex> lock(mutex_);
        free_.push_back(static_cast<size_t>(reinterpret_cast<char*>(slot) - base_.load(std::memory_order_relaxed)) /
                        sizeof(T));
    }

    size_t available() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return capacity_ - used_.load(std::memory_order_relaxed) + free_.size();
    }

    uint32_t index_of(const T* slot) const {
        return static_cast<uint32_t>(
            static_cast<size_t>(reinterpret_cast<const char*>(slot) - base_.load(std::memory_order_relaxed)) /
            sizeof(T));
    }

  private:
    static constexpr size_t kReuseAfter = 64;
    static constexpr size_t kGenerations = sizeof(T) / 8;

    static T* slot_of(char* base, size_t offset) { return reinterpret_cast<T*>(base + (offset & ~(sizeof(T) - 1))); }

    bool reserve() {
        static_assert(sizeof(T) >= 256 && (sizeof(T) & (sizeof(T) - 1)) == 0 && alignof(T) == sizeof(T));
        if (base_.load(std::memory_order_relaxed) != nullptr) return true;
        // Untouched pages read as zero, which is "not in use".
        const size_t bytes = capacity_ * sizeof(T);
        void* p = mmap(nullptr, bytes + sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       -1, 0);
        if (p == MAP_FAILED) return false;
        const uintptr_t aligned = (reinterpret_cast<uintptr_t>(p) + sizeof(T) - 1) & ~(uintptr_t{sizeof(T)} - 1);
        base_.store(reinterpret_cast<char*>(aligned), std::memory_order_release);
        return true;
    }

    const size_t capacity_;
    std::atomic<char*> base_{nullptr};
    std::atomic<size_t> used_{0};
    mutable std::mutex mutex_;
    std::deque<size_t> free_;
    std::deque<uint8_t> generations_;
};

}  // namespace pyasc

// Where handles come from. One address range is reserved for all of them, divided per type, committed in pieces and
// never unmapped: reading the magic of any aligned address below the committed end cannot fault, whatever became of the
// object.
//
// Objects are born on one thread and die on another, so every thread keeps a short list per type; what is over goes to
// a list shared by all, in batches.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "meta/handle.h"

namespace pyasc {

enum class Kind : int { Tensor, Scalar, IntArray, FloatArray, BoolArray, TensorList, ScalarList, Executor };
constexpr int kKinds = 8;

// Bytes behind an array's header for short contents, so that axes and shapes need no second allocation.
constexpr size_t kShortArray = 64;

constexpr Kind kind_of(const aclTensor*) { return Kind::Tensor; }
constexpr Kind kind_of(const aclScalar*) { return Kind::Scalar; }
constexpr Kind kind_of(const aclIntArray*) { return Kind::IntArray; }
constexpr Kind kind_of(const aclFloatArray*) { return Kind::FloatArray; }
constexpr Kind kind_of(const aclBoolArray*) { return Kind::BoolArray; }
constexpr Kind kind_of(const aclTensorList*) { return Kind::TensorList; }
constexpr Kind kind_of(const aclScalarList*) { return Kind::ScalarList; }
constexpr Kind kind_of(const aclOpExecutor*) { return Kind::Executor; }

template <class T>
constexpr Kind kKindOf = kind_of(static_cast<const T*>(nullptr));
constexpr bool has_room(Kind k) { return k >= Kind::IntArray && k <= Kind::ScalarList; }

constexpr size_t kSlotAlign = 64;
constexpr size_t slot_bytes(size_t object) { return (object + kSlotAlign - 1) / kSlotAlign * kSlotAlign; }

namespace slots {

struct Region {
    std::atomic<char*> base{nullptr};
    std::atomic<size_t> committed{0};  // bytes from base that are readable
};
extern Region regions[kKinds];

// Plain data, so that the list still works while the thread's other thread_local objects are being destroyed.
struct Local {
    int limit;  // 0 until this thread's first object, and again when the thread is ending
    bool ending;
    struct List {
        void* head;
        int count;
    } free[kKinds];
};
extern __thread Local local __attribute__((visibility("hidden")));

// A free slot holds its successor behind the first word; the word itself may be the magic.
inline void* next(void* p) {
    void* n;
    std::memcpy(&n, static_cast<char*>(p) + 8, sizeof n);
    return n;
}
inline void set_next(void* p, void* n) { std::memcpy(static_cast<char*>(p) + 8, &n, sizeof n); }

void* take_slow(Kind kind, size_t bytes);  // nullptr: the range is exhausted
void give_slow(Kind kind, void* p);

// Differs for every slot, so an address inside a slot, or of a slot of another type, does not pass for a handle.
inline uint32_t live_magic(const void* p, Kind kind) {
    const uint32_t place = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(p) >> 6);
    return (place ^ (0x61736370u + static_cast<uint32_t>(kind))) | 1u;
}

}  // namespace slots

// A slot for a T, contents undefined and not yet live; nullptr when there is no room for more.
template <class T>
inline T* take() {
    constexpr Kind kind = kKindOf<T>;
    slots::Local::List& list = slots::local.free[static_cast<int>(kind)];
    void* p = list.head;
    if (__builtin_expect(p == nullptr, 0)) {
        return static_cast<T*>(slots::take_slow(kind, slot_bytes(sizeof(T) + (has_room(kind) ? kShortArray : 0))));
    }
    list.head = slots::next(p);
    --list.count;
    return static_cast<T*>(p);
}

// The magic is atomic because a stale handle may be asked about while its slot changes hands.
template <class T>
inline void set_live(T* p) {
    __atomic_store_n(&p->magic, slots::live_magic(p, kKindOf<T>), __ATOMIC_RELEASE);
}

template <class T>
inline void set_dead(T* p) {
    __atomic_store_n(&p->magic, 0u, __ATOMIC_RELEASE);
}

template <class T>
inline bool live(const T* p) {
    constexpr Kind kind = kKindOf<T>;
    const slots::Region& region = slots::regions[static_cast<int>(kind)];
    const size_t committed = region.committed.load(std::memory_order_acquire);
    const uintptr_t address = reinterpret_cast<uintptr_t>(p);
    const uintptr_t at = address - reinterpret_cast<uintptr_t>(region.base.load(std::memory_order_relaxed));
    return at < committed && address % kSlotAlign == 0 &&
           __atomic_load_n(&p->magic, __ATOMIC_ACQUIRE) == slots::live_magic(p, kind);
}

template <class T>
inline void give(T* p) {
    set_dead(p);
    constexpr Kind kind = kKindOf<T>;
    slots::Local& local = slots::local;
    slots::Local::List& list = local.free[static_cast<int>(kind)];
    if (__builtin_expect(list.count >= local.limit, 0)) return slots::give_slow(kind, p);
    slots::set_next(p, list.head);
    list.head = p;
    ++list.count;
}

}  // namespace pyasc

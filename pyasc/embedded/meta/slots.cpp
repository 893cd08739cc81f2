// The reserved range behind the handles: commits pieces of it, and moves batches of free slots between threads.
#include "meta/slots.h"

#include <pthread.h>
#include <sys/mman.h>

#include <mutex>

namespace pyasc::slots {

Region regions[kKinds];
__thread Local local;

namespace {

constexpr int kLocalLimit = 64;
constexpr int kBatch = 32;
constexpr size_t kPiece = size_t{1} << 20;          // committed at a time
constexpr size_t kSmallest = size_t{1} << 26;       // reserve per type at least
// Types begin at different places of a page: a processor takes a load for dependent on a store 4 KiB away, and the
// first fields of a tensor and of the executor that is being filled from it would meet.
constexpr size_t kStagger = 5 * kSlotAlign;
constexpr int kReserveLog2[kKinds] = {33, 31, 31, 30,
                                      30, 31, 30, 34};  // tensors 8 GiB … executors 16 GiB; costs nothing

// What all threads share. Never destroyed: handles may be given back while the process exits.
struct Shared {
    std::mutex mutex;
    bool reserved = false;
    size_t size[kKinds] = {};    // bytes reserved
    size_t carved[kKinds] = {};  // bytes handed out as slots so far
    void* head[kKinds] = {};
};

Shared& shared() {
    static Shared* const s = new Shared;
    return *s;
}

// Reserves the whole range; with little address space (ulimit -v) every type gets less.
bool reserve(Shared& s) {
    if (s.reserved) return true;
    for (int shift = 0; shift < 12; ++shift) {
        size_t total = 0;
        for (int k = 0; k < kKinds; ++k) {
            const size_t wanted = size_t{1} << kReserveLog2[k] >> shift;
            s.size[k] = wanted < kSmallest ? kSmallest : wanted;
            total += s.size[k];
        }
        void* range = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED) continue;
        char* at = static_cast<char*>(range);
        for (int k = 0; k < kKinds; at += s.size[k++]) {
            s.carved[k] = static_cast<size_t>(k) * kStagger;
            regions[k].base.store(at, std::memory_order_relaxed);
        }
        pthread_atfork([] { shared().mutex.lock(); }, [] { shared().mutex.unlock(); }, [] { shared().mutex.unlock(); });
        return s.reserved = true;
    }
    return false;
}

// A new slot from the range; nullptr if it is used up or the system has no memory.
void* carve(Shared& s, int kind, size_t bytes) {
    Region& region = regions[kind];
    char* base = region.base.load(std::memory_order_relaxed);
    size_t committed = region.committed.load(std::memory_order_relaxed);
    if (s.carved[kind] + bytes > committed) {
        if (committed + kPiece > s.size[kind]) return nullptr;
        if (mprotect(base + committed, kPiece, PROT_READ | PROT_WRITE) != 0) return nullptr;
        committed += kPiece;
        region.committed.store(committed, std::memory_order_release);
    }
    void* p = base + s.carved[kind];
    s.carved[kind] += bytes;
    return p;
}

void push(void** head, void* p) {
    set_next(p, *head);
    *head = p;
}

void* pop(void** head) {
    void* p = *head;
    if (p) *head = next(p);
    return p;
}

// Hands this thread's slots to the others when it ends.
struct Closer {
    ~Closer() {
        Shared& s = shared();
        const std::lock_guard<std::mutex> lock(s.mutex);
        for (int k = 0; k < kKinds; ++k) {
            while (void* p = pop(&local.free[k].head)) push(&s.head[k], p);
            local.free[k].count = 0;
        }
        local.limit = 0;
        local.ending = true;
    }
};

void open_thread() {
    if (local.limit != 0 || local.ending) return;
    static thread_local Closer closer;
    (void)closer;
    local.limit = kLocalLimit;
}

}  // namespace

void* take_slow(Kind which, size_t bytes) {
    open_thread();
    const int kind = static_cast<int>(which);
    Shared& s = shared();
    const std::lock_guard<std::mutex> lock(s.mutex);
    if (!reserve(s)) return nullptr;
    const auto one = [&] {
        void* p = pop(&s.head[kind]);
        return p ? p : carve(s, kind, bytes);
    };
    void* const result = one();
    Local::List& list = local.free[kind];
    for (int i = 1; result && !local.ending && i < kBatch; ++i) {
        void* p = one();
        if (!p) break;
        push(&list.head, p);
        ++list.count;
    }
    return result;
}

void give_slow(Kind which, void* p) {
    open_thread();
    const int kind = static_cast<int>(which);
    Local::List& list = local.free[kind];
    if (list.count < local.limit) {  // the thread's first object
        push(&list.head, p);
        ++list.count;
        return;
    }
    Shared& s = shared();
    const std::lock_guard<std::mutex> lock(s.mutex);
    push(&s.head[kind], p);
    for (int i = 1; i < kBatch && list.count > 0; ++i, --list.count) push(&s.head[kind], pop(&list.head));
}

}  // namespace pyasc::slots

namespace pyasc {

bool is_live(const aclTensor* p) { return live(p); }
bool is_live(const aclScalar* p) { return live(p); }
bool is_live(const aclIntArray* p) { return live(p); }
bool is_live(const aclFloatArray* p) { return live(p); }
bool is_live(const aclBoolArray* p) { return live(p); }
bool is_live(const aclTensorList* p) { return live(p); }
bool is_live(const aclScalarList* p) { return live(p); }

}  // namespace pyasc

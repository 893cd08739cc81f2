// The allocator of one arena: two-level segregated fit (M. Masmano et al., "TLSF: a new dynamic memory allocator for
// real-time systems", 2004) over granules of 512 bytes with its records outside the memory it manages, and a hierarchy
// of bitmaps that finds the block around any address without a lock. Only for arena.cpp.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "runtime/arena.h"

namespace pyasc {
constexpr int kGranuleShift = 9;
constexpr size_t kGranule = size_t{1} << kGranuleShift;
constexpr int kRecordShift = 22;                         // blocks of one arena
constexpr uint32_t kMaxRecords = 1u << kRecordShift;
constexpr size_t kCommitStep = size_t{64} << 20;         // the arena becomes accessible in steps
constexpr size_t kPurgeSmallest = size_t{1} << 20;       // smaller gaps keep their pages
constexpr size_t kKeptFree = size_t{1} << 30;            // pages of freed memory that stay, for the next allocation
constexpr int kLevels = 5;                               // 64^5 granules
constexpr int kSubShift = 4, kSubClasses = 1 << kSubShift, kClasses = 40;

// One stretch of an arena, used or free, all in granules. `generation` is odd while it is used.
struct Record {
    std::atomic<uint32_t> generation;
    std::atomic<size_t> start;
    std::atomic<size_t> bytes;  // what was asked for, of a used one
    size_t length;
    size_t dirty;               // granules of a free one that may have pages
    uint32_t before, after;     // neighbours in the arena
    uint32_t previous, next;    // in the free list
    bool used;
};

template <class T>
T* reserve_zeros(size_t count) {
    void* p =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<T*>(p);
}

// Bit g is set if a block starts at granule g. A set bit of a higher level stands for a word below that is not zero.
// Readers take no lock: between the start of a live block and any address in it nothing ever changes.
class StartMap {
  public:
    bool reserve(size_t granules) {
        size_t words = granules;
        for (int l = 0; l < kLevels; ++l) {
            words = words / 64 + 1;
            if (!(level_[l] = reserve_zeros<std::atomic<uint64_t>>(words))) return false;
        }
        return true;
    }
    void set(size_t g) {
        for (int l = 0; l < kLevels; ++l, g /= 64) level_[l][g / 64].fetch_or(bit(g), std::memory_order_release);
    }
    void clear(size_t g) {
        for (int l = 0; l < kLevels; ++l, g /= 64)
            if (level_[l][g / 64].fetch_and(~bit(g), std::memory_order_release) != bit(g)) return;
    }
    // The last start at or before g.
    bool find(size_t g, size_t* start) const {
        uint64_t word = level_[0][g / 64].load(std::memory_order_acquire) & (~uint64_t{0} >> (63 - g % 64));
        int l = 0;
        while (word == 0) {  // up, to the first level with something before
            g /= 64;
            if (++l == kLevels) return false;
            word = level_[l][g / 64].load(std::memory_order_acquire) & (bit(g) - 1);
        }
        for (;; --l) {  // and down again
            g = g / 64 * 64 + 63 - static_cast<size_t>(__builtin_clzll(word));
            if (l == 0) break;
            g = g * 64;
            word = level_[l - 1][g / 64].load(std::memory_order_acquire);
            if (word == 0) return false;  // freed at this moment, so no block that the caller may use
        }
        *start = g;
        return true;
    }

  private:
    static uint64_t bit(size_t g) { return uint64_t{1} << g % 64; }
    std::atomic<uint64_t>* level_[kLevels] = {};
};

class Arena {
  public:
    bool reserve(char* base, size_t bytes, uint32_t first_index, Record* table) {
        base_ = base;
        capacity_ = bytes >> kGranuleShift;
        first_ = first_index;
        table_ = table;
        record_at_ = reserve_zeros<std::atomic<uint32_t>>(capacity_);
        if (!record_at_ || !starts_.reserve(capacity_)) return false;
        madvise(base, bytes, MADV_HUGEPAGE);
        const uint32_t all = new_record();
        Record& r = table_[all];
        r.start = 0;
        r.length = capacity_;
        insert(all);
        return true;
    }

    char* allocate(size_t bytes) {
        const size_t length = std::max<size_t>(1, (bytes + kGranule - 1) >> kGranuleShift);
        std::lock_guard<std::mutex> lock(mutex_);
        if (length > capacity_ - used_ - charged_) return nullptr;
        const uint32_t i = find_fit(length);
        if (!i) return nullptr;
        Record& r = table_[i];
        if (!commit(r.start + length)) return nullptr;
        remove(i);
        if (r.length > length && !split(i, length)) {
            insert(i);
            return nullptr;
        }
        r.used = true;
        r.bytes.store(bytes, std::memory_order_relaxed);
        used_ += length;
        peak_ = std::max(peak_, used_ + charged_);
        record_at_[r.start].store(i, std::memory_order_relaxed);
        r.generation.fetch_add(1, std::memory_order_release);
        starts_.set(r.start);
        return base_ + (r.start << kGranuleShift);
    }

    bool release(size_t offset) {
        std::lock_guard<std::mutex> lock(mutex_);
        const size_t g = offset >> kGranuleShift;
        size_t start;
        if (offset % kGranule != 0 || !starts_.find(g, &start) || start != g) return false;
        free_record(record_at_[g].load(std::memory_order_relaxed));
        if (dirty_free_ > kept_free()) purge();
        return true;
    }

    void release_all() {
        std::lock_guard<std::mutex> lock(mutex_);
        std::vector<uint32_t> live;
        for (uint32_t i = at(0); i != 0; i = table_[i].after)
            if (table_[i].used) live.push_back(i);
        for (uint32_t i : live) free_record(i);
        charged_ = 0;
        purge();
    }

    bool find(size_t offset, BlockRef* out) const {
        size_t start;
        if (!starts_.find(offset >> kGranuleShift, &start)) return false;
        const uint32_t i = record_at_[start].load(std::memory_order_acquire);
        const Record& r = table_[i];
        const uint32_t generation = r.generation.load(std::memory_order_acquire);
        const size_t bytes = r.bytes.load(std::memory_order_acquire);
        if (generation % 2 == 0 || r.start.load(std::memory_order_acquire) != start) return false;
        if (offset - (start << kGranuleShift) >= bytes) return false;
        *out = {base_ + (start << kGranuleShift), bytes, i, generation};
        return r.generation.load(std::memory_order_acquire) == generation;
    }

    bool charge(int64_t bytes) {
        std::lock_guard<std::mutex> lock(mutex_);
        const size_t granules = (static_cast<size_t>(bytes < 0 ? -bytes : bytes) + kGranule - 1) >> kGranuleShift;
        if (bytes < 0) {
            charged_ -= std::min(charged_, granules);
            return true;
        }
        if (granules > capacity_ - used_ - charged_) return false;
        charged_ += granules;
        peak_ = std::max(peak_, used_ + charged_);
        return true;
    }

    ArenaStats stats() {
        std::lock_guard<std::mutex> lock(mutex_);
        size_t largest = 0;
        if (classes_) {
            const int c = 63 - __builtin_clzll(classes_);
            const int s = 31 - __builtin_clz(subs_[c]);
            for (uint32_t i = heads_[c][s]; i; i = table_[i].next) largest = std::max(largest, table_[i].length);
        }
        return {capacity_ << kGranuleShift, (used_ + charged_) << kGranuleShift, peak_ << kGranuleShift,
                largest << kGranuleShift};
    }

  private:
    struct Class {
        int c, s;
    };

    uint32_t at(size_t g) const { return g == 0 ? leftmost_ : record_at_[g].load(std::memory_order_relaxed); }

    // The class whose blocks are at least as long as its name says.
    static Class class_of(size_t length) {
        if (length < static_cast<size_t>(kSubClasses)) return {0, static_cast<int>(length)};
        const int top = 63 - __builtin_clzll(length);
        return {top - kSubShift + 1, static_cast<int>(length >> (top - kSubShift)) - kSubClasses};
    }

    size_t kept_free() const { return std::min(kKeptFree >> kGranuleShift, capacity_ / 4); }

    uint32_t new_record() {
        uint32_t i;
        if (!spare_.empty()) {
            i = spare_.back();
            spare_.pop_back();
        } else if (next_record_ < kMaxRecords) {
            i = first_ + next_record_++;
        } else {
            return 0;
        }
        Record& r = table_[i];
        r.before = r.after = r.previous = r.next = 0;
        r.dirty = 0;
        r.used = false;
        return i;
    }

    uint32_t find_fit(size_t length) {
        // Round up, so that the first block of the class fits for certain.
        size_t rounded = length;
        if (length >= static_cast<size_t>(kSubClasses))
            rounded += (size_t{1} << (63 - __builtin_clzll(length) - kSubShift)) - 1;
        Class k = class_of(rounded);
        uint32_t subs = subs_[k.c] & (~0u << k.s);
        if (!subs) {
            const uint64_t above = classes_ & (~uint64_t{0} << (k.c + 1));
            if (above) {
                k.c = __builtin_ctzll(above);
                subs = subs_[k.c];
            }
        }
        if (subs) return heads_[k.c][__builtin_ctz(subs)];
        // Nothing for certain: perhaps one of its own class is just long enough.
        k = class_of(length);
        for (uint32_t i = heads_[k.c][k.s]; i; i = table_[i].next)
            if (table_[i].length >= length) return i;
        return 0;
    }

    void insert(uint32_t i) {
        Record& r = table_[i];
        const Class k = class_of(r.length);
        r.previous = 0;
        r.next = heads_[k.c][k.s];
        if (r.next) table_[r.next].previous = i;
        heads_[k.c][k.s] = i;
        subs_[k.c] |= 1u << k.s;
        classes_ |= uint64_t{1} << k.c;
        dirty_free_ += r.dirty;
        if (r.start == 0) leftmost_ = i;
    }

    void remove(uint32_t i) {
        Record& r = table_[i];
        const Class k = class_of(r.length);
        if (r.next) table_[r.next].previous = r.previous;
        if (r.previous)
            table_[r.previous].next = r.next;
        else if (!(heads_[k.c][k.s] = r.next) && !(subs_[k.c] &= ~(1u << k.s)))
            classes_ &= ~(uint64_t{1} << k.c);
        dirty_free_ -= r.dirty;
    }

    // Cuts a removed block and puts what is behind `length` back.
    bool split(uint32_t i, size_t length) {
        const uint32_t rest = new_record();
        if (!rest) return false;
        Record& r = table_[i];
        Record& t = table_[rest];
        t.start = r.start + length;
        t.length = r.length - length;
        t.dirty = r.dirty > length ? std::min(t.length, r.dirty - length) : 0;
        t.before = i;
        t.after = r.after;
        if (r.after) table_[r.after].before = rest;
        r.after = rest;
        r.length = length;
        insert(rest);
        return true;
    }

    void free_record(uint32_t i) {
        Record& r = table_[i];
        starts_.clear(r.start);
        r.generation.fetch_add(1, std::memory_order_release);
        r.used = false;
        r.dirty = r.length;
        used_ -= r.length;
        if (r.after && !table_[r.after].used) absorb(i, r.after);
        const uint32_t before = r.before;
        if (before && !table_[before].used) {
            remove(before);
            merge(before, i);
            i = before;
        }
        insert(i);
    }

    void absorb(uint32_t i, uint32_t next) {
        remove(next);
        merge(i, next);
    }

    void merge(uint32_t i, uint32_t next) {
        Record& r = table_[i];
        Record& n = table_[next];
        r.length += n.length;
        r.dirty += n.dirty;
        r.after = n.after;
        if (n.after) table_[n.after].before = i;
        spare_.push_back(next);
    }

    bool commit(size_t end) {
        const size_t bytes = end << kGranuleShift, total = capacity_ << kGranuleShift;
        if (bytes <= committed_) return true;
        const size_t target = std::min(total, (bytes + kCommitStep - 1) / kCommitStep * kCommitStep);
        if (mprotect(base_ + committed_, target - committed_, PROT_READ | PROT_WRITE) != 0) return false;
        committed_ = target;
        return true;
    }

    // Gives pages of the longest gaps back to the system until half of what may be kept is left.
    void purge() {
        for (int c = kClasses - 1; c >= 0; --c) {
            if (!(classes_ >> c & 1)) continue;
            for (int s = kSubClasses - 1; s >= 0; --s)
                for (uint32_t i = heads_[c][s]; i; i = table_[i].next) {
                    if (dirty_free_ <= kept_free() / 2 || table_[i].length < (kPurgeSmallest >> kGranuleShift)) return;
                    purge_one(table_[i]);
                }
        }
    }

    void purge_one(Record& r) {
        if (r.dirty == 0) return;
        constexpr size_t kPage = 4096;
        const size_t begin = ((r.start << kGranuleShift) + kPage - 1) / kPage * kPage;
        const size_t end = std::min(committed_, (r.start + r.length) << kGranuleShift) / kPage * kPage;
        if (end > begin && madvise(base_ + begin, end - begin, MADV_DONTNEED) != 0) return;
        dirty_free_ -= r.dirty;
        r.dirty = 0;
    }

    std::mutex mutex_;
    char* base_ = nullptr;
    size_t capacity_ = 0, committed_ = 0;               // granules; bytes
    size_t used_ = 0, charged_ = 0, peak_ = 0, dirty_free_ = 0;  // granules
    Record* table_ = nullptr;
    uint32_t first_ = 0, next_record_ = 1;              // record 0 of an arena stands for "none"
    uint32_t leftmost_ = 0;
    std::vector<uint32_t> spare_;
    std::atomic<uint32_t>* record_at_ = nullptr;
    StartMap starts_;
    uint64_t classes_ = 0;
    uint32_t subs_[kClasses] = {};
    uint32_t heads_[kClasses][kSubClasses] = {};
};

}  // namespace pyasc

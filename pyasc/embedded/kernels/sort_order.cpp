// Sorts (key, position) pairs packed into 64 bits: the key's leading 32 bits above the position. Pairs are all
// different, so that any sort of them is a stable sort of the row. Few distinct keys are sorted by radix passes alone,
// others cut into pieces by one pass and then by quicksort.
#include "kernels/sort_order.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "kernels/pool.h"
#include "kernels/sort_kernels.h"
#include "kernels/sort_key.h"

namespace pyasc {
namespace {

constexpr int kMaxBits = 11;              // of one radix pass
constexpr int64_t kRadixRow = 4096;       // rows from this long are sorted by radix passes,
constexpr int64_t kFewBitsRow = 512;      // from this long already if
constexpr int kFewBits = 16;              // the keys have no more bits
constexpr int64_t kShortRun = 24;         // runs of equal leading keys up to this long are sorted by insertion
constexpr int64_t kParallel = 1 << 17;    // rows from this long are cut into chunks
constexpr int64_t kChunks = 8;
constexpr size_t kKeptBytes = size_t{64} << 20;

struct Memory {
    char* data = nullptr;
    size_t size = 0;
    ~Memory() { std::free(data); }
};
thread_local Memory memory;

int bit_width(uint64_t x) { return x == 0 ? 0 : 64 - __builtin_clzll(x); }

uint32_t top(uint64_t pair) { return static_cast<uint32_t>(pair >> 32); }

// The pairs of one row. `full`: 64-bit keys by position, if the packed ones are only their leading part.
struct Pairs {
    uint64_t* data;
    uint64_t* spare;
    int64_t n;
    const uint64_t* full = nullptr;
    uint64_t base = 0;       // the smallest packed key, above 32 zeros
    int bits = 32;           // packed keys minus the base have so many
    bool ascending = false;  // in order already

    bool less(uint64_t a, uint64_t b) const {
        const uint64_t x = full[sort_position(a)], y = full[sort_position(b)];
        return x < y || (x == y && a < b);
    }
};

int64_t chunks_of(int64_t n) { return n >= kParallel ? kChunks : 1; }

// One stable pass over `bits` bits of (pair - base) from `shift` up. Returns false, with nothing moved, if all have the
// same digit.
bool radix_pass(const uint64_t* from, uint64_t* to, int64_t n, uint64_t base, int shift, int bits) {
    const int64_t buckets = int64_t{1} << bits, chunks = chunks_of(n);
    const uint64_t mask = static_cast<uint64_t>(buckets - 1);
    uint32_t count[kChunks][1 << kMaxBits];
    const auto begin = [&](int64_t c) { return n * c / chunks; };
    parallel(chunks, [&](int64_t c) {
        uint32_t* const mine = count[c];
        std::memset(mine, 0, buckets * sizeof(uint32_t));
        for (int64_t i = begin(c), stop = begin(c + 1); i < stop; ++i) ++mine[(from[i] - base) >> shift & mask];
    });
    uint32_t next = 0;
    for (int64_t b = 0; b < buckets; ++b) {
        const uint32_t before = next;
        for (int64_t c = 0; c < chunks; ++c) {
            const uint32_t own = count[c][b];
            count[c][b] = next;
            next += own;
        }
        if (next - before == n) return false;
    }
    parallel(chunks, [&](int64_t c) {
        uint32_t* const mine = count[c];
        for (int64_t i = begin(c), stop = begin(c + 1); i < stop; ++i)
            to[mine[(from[i] - base) >> shift & mask]++] = from[i];
    });
    return true;
}

void copy_pairs(uint64_t* to, const uint64_t* from, int64_t n) {
    parallel_for(n, kParallel,
                 [&](int64_t b, int64_t e) { std::memcpy(to + b, from + b, static_cast<size_t>(e - b) * 8); });
}

// Least significant digit first.
void sort_by_radix(const Pairs& pairs) {
    uint64_t* from = pairs.data;
    uint64_t* to = pairs.spare;
    const int digit = pairs.n < 2048 ? 8 : kMaxBits;
    const int passes = (pairs.bits + digit - 1) / digit;
    for (int p = 0, done = 0; p < passes; ++p) {
        const int width = (pairs.bits - done + passes - p - 1) / (passes - p);
        if (radix_pass(from, to, pairs.n, pairs.base, 32 + done, width)) std::swap(from, to);
        done += width;
    }
    if (from != pairs.data) copy_pairs(pairs.data, from, pairs.n);
}

void sort_pairs(const Pairs& pairs);

// A long run of pairs whose packed keys are equal but whose full keys differ: packed anew from the full keys' range.
void sort_run(const Pairs& pairs, int64_t begin, int64_t end) {
    uint64_t low = ~uint64_t{0}, high = 0;
    for (int64_t i = begin; i < end; ++i) {
        const uint64_t key = pairs.full[sort_position(pairs.data[i])];
        low = std::min(low, key);
        high = std::max(high, key);
    }
    if (low == high) return;  // all equal, and in order of position
    const int bits = bit_width(high - low), shift = bits > 32 ? bits - 32 : 0;
    const uint64_t packed = pairs.data[begin] >> 32 << 32;
    for (int64_t i = begin; i < end; ++i) {
        const uint32_t position = sort_position(pairs.data[i]);
        pairs.data[i] = (pairs.full[position] - low) >> shift << 32 | position;
    }
    sort_pairs(
        {pairs.data + begin, pairs.spare + begin, end - begin, shift > 0 ? pairs.full : nullptr, 0, bits - shift});
    for (int64_t i = begin; i < end; ++i) pairs.data[i] = packed | sort_position(pairs.data[i]);
}

void insertion_sort(const Pairs& pairs, int64_t begin, int64_t end) {
    for (int64_t i = begin + 1; i < end; ++i) {
        const uint64_t now = pairs.data[i];
        int64_t j = i;
        for (; j > begin && pairs.less(now, pairs.data[j - 1]); --j) pairs.data[j] = pairs.data[j - 1];
        pairs.data[j] = now;
    }
}

// Orders pairs with the same packed key by their full keys.
void finish_runs(const Pairs& pairs, int64_t begin, int64_t end) {
    const uint64_t* const d = pairs.data;
    for (int64_t i = begin; i < end;) {
        int64_t j = i + 1;
        while (j < end && top(d[j]) == top(d[i])) ++j;
        if (j - i > kShortRun) {
            sort_run(pairs, i, j);
        } else if (j - i > 1) {
            insertion_sort(pairs, i, j);
        }
        i = j;
    }
}

void finish_all_runs(const Pairs& pairs) {
    const int64_t n = pairs.n, chunks = chunks_of(n);
    // A chunk finishes the runs that begin in it; where they begin must be known before anything moves.
    int64_t start[kChunks + 1];
    for (int64_t c = 0; c <= chunks; ++c) {
        int64_t i = n * c / chunks;
        while (i > 0 && i < n && top(pairs.data[i]) == top(pairs.data[i - 1])) ++i;
        start[c] = i;
    }
    parallel(chunks, [&](int64_t c) { finish_runs(pairs, start[c], start[c + 1]); });
}

void sort_pairs(const Pairs& pairs) {
    if (!pairs.ascending) {
        if (pairs.n >= kRadixRow || (pairs.n >= kFewBitsRow && pairs.bits <= kFewBits)) {
            sort_by_radix(pairs);
        } else {
            std::memcpy(pairs.spare, pairs.data, static_cast<size_t>(pairs.n) * 8);
            sort_kernels().sort(pairs.spare, pairs.data, pairs.n);
        }
    }
    if (pairs.full != nullptr) finish_all_runs(pairs);
}

// Packs the row.
Pairs pack(const char* x, DType type, int64_t n, bool descending, uint64_t* order, uint64_t* spare, uint64_t* keys) {
    const SortKernels& k = sort_kernels();
    const bool wide = sort_needs_keys(type);
    uint64_t* const to = wide ? keys : order;
    const auto encode = k.encode(type);
    const int64_t chunks = chunks_of(n), item = item_size(type);
    KeyRange part[kChunks];
    parallel(chunks, [&](int64_t c) {
        const int64_t begin = n * c / chunks, end = n * (c + 1) / chunks;
        part[c] = encode(x + begin * item, end - begin, descending, static_cast<uint64_t>(begin), to + begin);
    });
    KeyRange all = part[0];
    for (int64_t c = 1; c < chunks; ++c) {
        all.ascending = all.ascending && part[c].ascending && part[c - 1].high <= part[c].low;
        all.low = std::min(all.low, part[c].low);
        all.high = std::max(all.high, part[c].high);
    }
    Pairs pairs{order, spare, n};
    pairs.ascending = all.ascending;
    const int bits = bit_width(all.high - all.low), shift = bits > 32 ? bits - 32 : 0;
    pairs.bits = bits - shift;
    if (!wide) {
        pairs.base = all.low << 32;
        return pairs;
    }
    parallel_for(n, kParallel, [&](int64_t begin, int64_t end) {
        k.pack(keys + begin, end - begin, all.low, shift, static_cast<uint64_t>(begin), order + begin);
    });
    pairs.full = shift > 0 && !all.ascending ? keys : nullptr;
    return pairs;
}

template <class T>
void order_complex(const T* x, int64_t n, bool descending, uint64_t* order) {
    for (int64_t i = 0; i < n; ++i) order[i] = static_cast<uint64_t>(i);
    std::stable_sort(order, order + n, [x, descending](uint64_t a, uint64_t b) {
        return descending ? sort_less(x[b], x[a]) : sort_less(x[a], x[b]);
    });
}

// The packed key, minus the base's, of element k of the order: digit by digit from the top.
uint32_t kth_key(const Pairs& pairs, int64_t k) {
    uint32_t prefix = 0;
    for (int left = pairs.bits; left > 0;) {
        const int bits = std::min(left, kMaxBits);
        uint32_t count[1 << kMaxBits] = {};
        const uint32_t mask = (1u << bits) - 1;
        const int above = left, shift = left - bits;
        for (int64_t i = 0; i < pairs.n; ++i) {
            const uint32_t key = top(pairs.data[i] - pairs.base);
            const bool inside = static_cast<uint64_t>(key) >> above == static_cast<uint64_t>(prefix) >> above;
            count[key >> shift & mask] += inside;
        }
        uint32_t digit = 0;
        for (; k >= count[digit]; ++digit) k -= count[digit];
        prefix |= digit << shift;
        left = shift;
    }
    return prefix;
}

}  // namespace

char* sort_memory(size_t bytes) {
    // More than what is kept is given back by the next smaller use.
    if (bytes <= memory.size && (bytes > kKeptBytes || memory.size <= kKeptBytes)) return memory.data;
    std::free(memory.data);
    const size_t page = size_t{2} << 20;
    memory.size = bytes < page ? bytes : (bytes + page - 1) / page * page;
    memory.data = static_cast<char*>(std::aligned_alloc(bytes < page ? 64 : page, (memory.size + 63) / 64 * 64));
    if (memory.data == nullptr) memory.size = 0;
    if (memory.size >= page) madvise(memory.data, memory.size, MADV_HUGEPAGE);
    return memory.data;
}

void sort_order(const char* x, DType type, int64_t n, bool descending, uint64_t* order, uint64_t* spare,
                uint64_t* keys) {
    if (n == 0) return;
    if (type == DType::C64) return order_complex(reinterpret_cast<const c64*>(x), n, descending, order);
    if (type == DType::C128) return order_complex(reinterpret_cast<const c128*>(x), n, descending, order);
    sort_pairs(pack(x, type, n, descending, order, spare, keys));
}

void sort_order_first(const char* x, DType type, int64_t n, int64_t k, bool descending, uint64_t* order,
                      uint64_t* spare, uint64_t* keys) {
    if (k == 0) return;
    if (is_complex(type) || k > n / 4 || n <= 256) return sort_order(x, type, n, descending, order, spare, keys);
    Pairs pairs = pack(x, type, n, descending, order, spare, keys);
    if (pairs.ascending) return;
    const uint32_t last = kth_key(pairs, k - 1);
    int64_t candidates = 0;
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t pair = order[i];
        order[candidates] = pair;
        candidates += top(pair - pairs.base) <= last;
    }
    pairs.n = candidates;
    sort_pairs(pairs);
}

int64_t sort_order_kth(const char* x, DType type, int64_t n, int64_t k, uint64_t* order, uint64_t* spare,
                       uint64_t* keys) {
    if (is_complex(type) || n <= 64) {
        sort_order(x, type, n, false, order, spare, keys);
        return sort_position(order[k]);
    }
    Pairs pairs = pack(x, type, n, false, order, spare, keys);
    if (pairs.ascending) return k;
    const uint32_t wanted = kth_key(pairs, k);
    int64_t same = 0, less = 0;
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t pair = order[i];
        const uint32_t key = top(pair - pairs.base);
        less += key < wanted;
        order[same] = pair;
        same += key == wanted;
    }
    pairs.n = same;
    if (pairs.full != nullptr) finish_runs(pairs, 0, same);
    return sort_position(order[k - less]);
}

bool sort_is_nan(const char* x, DType type) {
    return sort_dispatch(type, [x](auto element) {
        using T = decltype(element);
        T value;
        std::memcpy(static_cast<void*>(&value), x, sizeof(T));
        if constexpr (std::is_same<T, c64>::value || std::is_same<T, c128>::value) {
            return sort_nan_class(value) != 0;
        } else if constexpr (std::is_integral<T>::value) {
            return false;
        } else {
            return sort_key(value) == (sizeof(T) == 2 ? 0xffffu : static_cast<SortKey<T>>(~SortKey<T>(0)));
        }
    });
}

}  // namespace pyasc

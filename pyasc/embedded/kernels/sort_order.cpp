// Radix sort of (key, position) pairs packed into 64 bits: the key's leading 32 bits above the position. Pairs are all
// different, so what the radix passes leave undecided any comparison sort may finish.
#include "kernels/sort_order.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "kernels/pool.h"
#include "kernels/sort_key.h"

namespace pyasc {
namespace {

constexpr int kMaxBits = 11;               // of one radix pass
constexpr int64_t kSmall = 40;             // rows up to this long are sorted by insertion
constexpr int64_t kParallel = 1 << 17;     // rows from this long are cut into chunks
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

    bool less(uint64_t a, uint64_t b) const {
        if (full == nullptr || top(a) != top(b)) return a < b;
        const uint64_t x = full[sort_position(a)], y = full[sort_position(b)];
        return x < y || (x == y && a < b);
    }
};

void insertion_sort(const Pairs& pairs, int64_t begin, int64_t end) {
    for (int64_t i = begin + 1; i < end; ++i) {
        const uint64_t now = pairs.data[i];
        int64_t j = i;
        for (; j > begin && pairs.less(now, pairs.data[j - 1]); --j) pairs.data[j] = pairs.data[j - 1];
        pairs.data[j] = now;
    }
}

int64_t chunks_of(int64_t n) { return n >= kParallel ? kChunks : 1; }

// One stable pass over `bits` bits from `shift` up. Returns false, with nothing moved, if all have the same digit.
bool radix_pass(const uint64_t* from, uint64_t* to, int64_t n, int shift, int bits) {
    const int64_t buckets = int64_t{1} << bits, chunks = chunks_of(n);
    const uint64_t mask = static_cast<uint64_t>(buckets - 1);
    uint32_t count[kChunks][1 << kMaxBits];
    const auto begin = [&](int64_t c) { return n * c / chunks; };
    parallel(chunks, [&](int64_t c) {
        uint32_t* const mine = count[c];
        std::memset(mine, 0, buckets * sizeof(uint32_t));
        for (int64_t i = begin(c), end = begin(c + 1); i < end; ++i) ++mine[from[i] >> shift & mask];
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
        for (int64_t i = begin(c), end = begin(c + 1); i < end; ++i) to[mine[from[i] >> shift & mask]++] = from[i];
    });
    return true;
}

void sort_pairs(Pairs pairs, int key_bits);

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
    sort_pairs({pairs.data + begin, pairs.spare + begin, end - begin, shift > 0 ? pairs.full : nullptr}, bits - shift);
    for (int64_t i = begin; i < end; ++i) pairs.data[i] = packed | sort_position(pairs.data[i]);
}

// Finishes pairs that are in order of their bits above `shift`. Works on the runs that begin in [begin, end).
void finish_runs(const Pairs& pairs, int shift, int64_t begin, int64_t end) {
    const uint64_t* const d = pairs.data;
    int64_t i = begin;
    if (i > 0) {
        while (i < end && d[i] >> shift == d[i - 1] >> shift) ++i;
    }
    while (i < end) {
        int64_t j = i + 1;
        while (j < pairs.n && d[j] >> shift == d[i] >> shift) ++j;
        if (j - i > kSmall && shift > 32) {
            std::sort(pairs.data + i, pairs.data + j);
            if (pairs.full != nullptr) finish_runs({pairs.data + i, pairs.spare + i, j - i, pairs.full}, 32, 0, j - i);
        } else if (j - i > kSmall) {
            sort_run(pairs, i, j);
        } else if (j - i > 1) {
            insertion_sort(pairs, i, j);
        }
        i = j;
    }
}

// Sorts pairs whose packed keys have `key_bits` bits.
void sort_pairs(Pairs pairs, int key_bits) {
    const int64_t n = pairs.n;
    if (n <= kSmall) return insertion_sort(pairs, 0, n);
    const int digit = n <= 2048 ? 8 : kMaxBits;
    // Enough leading bits that few pairs stay together; the rest is left to finish_runs.
    const int enough = n <= 2048 ? 16 : n <= (1 << 16) ? 22 : 32;
    const int bits = std::min(key_bits, enough);
    const int passes = (bits + digit - 1) / digit;
    uint64_t* from = pairs.data;
    uint64_t* to = pairs.spare;
    const int lowest = 32 + key_bits - bits;
    for (int p = 0, done = 0; p < passes; ++p) {
        const int width = (bits - done + passes - p - 1) / (passes - p);
        if (radix_pass(from, to, n, lowest + done, width)) std::swap(from, to);
        done += width;
    }
    if (from != pairs.data) {
        const uint64_t* const sorted = from;
        parallel_for(n, kParallel, [&](int64_t b, int64_t e) { std::memcpy(pairs.data + b, sorted + b, (e - b) * 8); });
    }
    if (lowest == 32 && pairs.full == nullptr) return;
    const int64_t chunks = chunks_of(n);
    if (chunks == 1) return finish_runs(pairs, lowest, 0, n);
    // A chunk finishes the runs that begin in it; where they begin must be known before anything moves.
    int64_t start[kChunks + 1];
    for (int64_t c = 0; c <= chunks; ++c) {
        int64_t i = n * c / chunks;
        while (i > 0 && i < n && pairs.data[i] >> lowest == pairs.data[i - 1] >> lowest) ++i;
        start[c] = i;
    }
    parallel(chunks, [&](int64_t c) {
        const int64_t length = start[c + 1] - start[c];
        finish_runs({pairs.data + start[c], pairs.spare + start[c], length, pairs.full}, lowest, 0, length);
    });
}

struct Range {
    uint64_t low = ~uint64_t{0};
    uint64_t high = 0;
};

// f(i, key) for every element, and the range of the keys; in chunks for long rows.
template <class T, class F>
Range each_key(const T* x, int64_t n, bool descending, F f) {
    using Key = SortKey<T>;
    const Key flip = descending ? static_cast<Key>(~Key(0)) : Key(0);
    const int64_t chunks = chunks_of(n);
    Range part[kChunks];
    parallel(chunks, [&](int64_t c) {
        Key low = static_cast<Key>(~Key(0)), high = 0;
        for (int64_t i = n * c / chunks, end = n * (c + 1) / chunks; i < end; ++i) {
            const Key key = sort_key(x[i]) ^ flip;
            low = key < low ? key : low;
            high = key > high ? key : high;
            f(i, key);
        }
        part[c] = {low, high};
    });
    Range all;
    for (int64_t c = 0; c < chunks; ++c) {
        all.low = std::min(all.low, part[c].low);
        all.high = std::max(all.high, part[c].high);
    }
    return all;
}

// Packs the row; returns how many bits the packed keys have.
template <class T>
int pack(const T* x, int64_t n, bool descending, Pairs* pairs, uint64_t* keys) {
    uint64_t* const to = pairs->data;
    if constexpr (sizeof(T) == 8) {
        const Range range = each_key(x, n, descending, [&](int64_t i, uint64_t key) { keys[i] = key; });
        const int bits = bit_width(range.high - range.low), shift = bits > 32 ? bits - 32 : 0;
        parallel_for(n, kParallel, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) to[i] = (keys[i] - range.low) >> shift << 32 | static_cast<uint64_t>(i);
        });
        pairs->full = shift > 0 ? keys : nullptr;
        return bits - shift;
    } else {
        const Range range = each_key(x, n, descending, [&](int64_t i, uint64_t key) { to[i] = key << 32 | static_cast<uint64_t>(i); });
        const uint64_t low = range.low << 32;
        if (low != 0) {
            parallel_for(n, kParallel, [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) to[i] -= low;
            });
        }
        return bit_width(range.high - range.low);
    }
}

template <class T>
void order_complex(const T* x, int64_t n, bool descending, uint64_t* order) {
    for (int64_t i = 0; i < n; ++i) order[i] = static_cast<uint64_t>(i);
    std::stable_sort(order, order + n, [x, descending](uint64_t a, uint64_t b) {
        return descending ? sort_less(x[b], x[a]) : sort_less(x[a], x[b]);
    });
}

// The packed key of element k of the order: digit by digit from the top.
uint32_t kth_key(const Pairs& pairs, int key_bits, int64_t k) {
    uint32_t prefix = 0;
    for (int left = key_bits; left > 0;) {
        const int bits = std::min(left, kMaxBits);
        uint32_t count[1 << kMaxBits] = {};
        const uint32_t mask = (1u << bits) - 1;
        const int above = left, shift = left - bits;
        for (int64_t i = 0; i < pairs.n; ++i) {
            const uint32_t key = top(pairs.data[i]);
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
    if (bytes <= memory.size) return memory.data;
    std::free(memory.data);
    const size_t page = size_t{2} << 20;
    memory.size = bytes < page ? bytes : (bytes + page - 1) / page * page;
    memory.data = static_cast<char*>(std::aligned_alloc(bytes < page ? 64 : page, (memory.size + 63) / 64 * 64));
    if (memory.data == nullptr) memory.size = 0;
    if (memory.size >= page) madvise(memory.data, memory.size, MADV_HUGEPAGE);
    return memory.data;
}

void sort_order(const char* x, DType type, int64_t n, bool descending, uint64_t* order, uint64_t* spare, uint64_t* keys) {
    sort_dispatch(type, [&](auto element) {
        using T = decltype(element);
        const T* const row = reinterpret_cast<const T*>(x);
        if constexpr (std::is_same<T, c64>::value || std::is_same<T, c128>::value) {
            order_complex(row, n, descending, order);
        } else {
            Pairs pairs{order, spare, n};
            const int bits = pack(row, n, descending, &pairs, keys);
            sort_pairs(pairs, bits);
        }
    });
}

void sort_order_first(const char* x, DType type, int64_t n, int64_t k, bool descending, uint64_t* order, uint64_t* spare,
                      uint64_t* keys) {
    if (is_complex(type) || k > n / 4 || n <= 256) return sort_order(x, type, n, descending, order, spare, keys);
    if (k == 0) return;
    sort_dispatch(type, [&](auto element) {
        using T = decltype(element);
        if constexpr (!std::is_same<T, c64>::value && !std::is_same<T, c128>::value) {
            Pairs pairs{order, spare, n};
            const int bits = pack(reinterpret_cast<const T*>(x), n, descending, &pairs, keys);
            const uint32_t last = kth_key(pairs, bits, k - 1);
            int64_t candidates = 0;
            for (int64_t i = 0; i < n; ++i) {
                const uint64_t pair = order[i];
                order[candidates] = pair;
                candidates += top(pair) <= last;
            }
            pairs.n = candidates;
            sort_pairs(pairs, bits);
        }
    });
}

int64_t sort_order_kth(const char* x, DType type, int64_t n, int64_t k, uint64_t* order, uint64_t* spare, uint64_t* keys) {
    if (is_complex(type) || n <= 64) {
        sort_order(x, type, n, false, order, spare, keys);
        return sort_position(order[k]);
    }
    int64_t position = 0;
    sort_dispatch(type, [&](auto element) {
        using T = decltype(element);
        if constexpr (!std::is_same<T, c64>::value && !std::is_same<T, c128>::value) {
            Pairs pairs{order, spare, n};
            const int bits = pack(reinterpret_cast<const T*>(x), n, false, &pairs, keys);
            const uint32_t wanted = kth_key(pairs, bits, k);
            int64_t same = 0, less = 0;
            for (int64_t i = 0; i < n; ++i) {
                const uint64_t pair = order[i];
                less += top(pair) < wanted;
                order[same] = pair;
                same += top(pair) == wanted;
            }
            pairs.n = same;
            if (pairs.full != nullptr) finish_runs(pairs, 32, 0, same);
            position = sort_position(order[k - less]);
        }
    });
    return position;
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

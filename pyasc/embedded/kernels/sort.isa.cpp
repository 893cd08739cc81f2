// Keys, and a quicksort of pairs: four at a time are sent to either side of the pivot, and short pieces are sorted by
// counting for each pair how many are smaller.
#include <cstring>

#include "kernels/sort_kernels.h"
#include "kernels/sort_key.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace pyasc::PYASC_ISA {
namespace {

constexpr int kShort = 32;     // pieces up to this long are ranked
constexpr int kGroup = 4;      // pairs in a vector
constexpr int kMaxDepth = 96;  // of quicksort; pieces that are still long then are heap-sorted

typedef int64_t Lanes __attribute__((vector_size(32)));

constexpr uint64_t kSign = uint64_t{1} << 63;  // flipped, unsigned order is signed order

inline Lanes load_biased(const uint64_t* pairs) {
    Lanes v;
    std::memcpy(&v, pairs, sizeof(v));
    return v ^ static_cast<int64_t>(kSign);
}

// Lanes' places among the n pairs: how many are smaller.
template <int Groups>
inline void count_smaller(const Lanes* keys, const uint64_t* pairs, int n, Lanes* rank) {
    for (int g = 0; g < Groups; ++g) rank[g] = Lanes{};
    for (int j = 0; j < n; ++j) {
        const Lanes other = Lanes{} + static_cast<int64_t>(pairs[j] ^ kSign);
        for (int g = 0; g < Groups; ++g) rank[g] -= keys[g] > other;
    }
}

// Sorts more than (Groups - 1) * 4 and at most Groups * 4 pairs into another array, or into the same one.
template <int Groups>
inline void rank_sort(const uint64_t* from, uint64_t* to, int n) {
    Lanes keys[Groups], rank[Groups];
    for (int g = 0; g + 1 < Groups; ++g) keys[g] = load_biased(from + g * kGroup);
    uint64_t last[kGroup] = {};
    for (int i = (Groups - 1) * kGroup; i < n; ++i) last[i % kGroup] = from[i];
    keys[Groups - 1] = load_biased(last);
    count_smaller<Groups>(keys, from, n, rank);
    int64_t place[Groups * kGroup];
    uint64_t copy[Groups * kGroup];
    std::memcpy(place, rank, sizeof(rank));
    std::memcpy(copy, from, (Groups - 1) * sizeof(Lanes));
    std::memcpy(copy + (Groups - 1) * kGroup, last, sizeof(last));
    for (int i = 0; i < n; ++i) to[place[i]] = copy[i];
}

inline void sort_short(const uint64_t* from, uint64_t* to, int n) {
    switch ((n + kGroup - 1) / kGroup) {
        case 0: return;
        case 1: return rank_sort<1>(from, to, n);
        case 2: return rank_sort<2>(from, to, n);
        case 3: return rank_sort<3>(from, to, n);
        case 4: return rank_sort<4>(from, to, n);
        case 5: return rank_sort<5>(from, to, n);
        case 6: return rank_sort<6>(from, to, n);
        case 7: return rank_sort<7>(from, to, n);
        default: return rank_sort<8>(from, to, n);
    }
}

// The middle one of eight, so that at least one pair is smaller and one is not.
uint64_t choose_pivot(const uint64_t* pairs, int64_t n) {
    uint64_t sample[8];
    const int64_t step = n / 8;
    for (int i = 0; i < 8; ++i) sample[i] = pairs[i * step + (i * 5) % step];
    rank_sort<2>(sample, sample, 8);
    return sample[4];
}

#if defined(__AVX2__)
// For each set of lanes, the 32-bit halves of those lanes first.
struct Compress {
    alignas(32) int32_t index[16][8];
    constexpr Compress() : index() {
        for (int mask = 0; mask < 16; ++mask) {
            int at = 0;
            for (int wanted = 1; wanted >= 0; --wanted) {
                for (int lane = 0; lane < 4; ++lane) {
                    if ((mask >> lane & 1) != wanted) continue;
                    index[mask][2 * at] = 2 * lane;
                    index[mask][2 * at + 1] = 2 * lane + 1;
                    ++at;
                }
            }
        }
    }
};
constexpr Compress compress;
#endif

// Moves pairs below the pivot to the front, the others behind them by way of `spare`; returns how many are below.
int64_t partition(uint64_t* pairs, uint64_t* spare, int64_t n, uint64_t pivot) {
    int64_t low = 0, high = 0, i = 0;
#if defined(__AVX2__)
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
    const __m256i middle = _mm256_set1_epi64x(static_cast<int64_t>(pivot ^ kSign));
    for (; i + 4 <= n; i += 4) {
        // What has been written never reaches what has not been read: low and high are at most i.
        const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(pairs + i));
        const __m256i below = _mm256_cmpgt_epi64(middle, _mm256_xor_si256(four, sign));
        const int mask = _mm256_movemask_pd(_mm256_castsi256_pd(below));
        const __m256i lows = _mm256_load_si256(reinterpret_cast<const __m256i*>(compress.index[mask]));
        const __m256i highs = _mm256_load_si256(reinterpret_cast<const __m256i*>(compress.index[mask ^ 15]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(pairs + low), _mm256_permutevar8x32_epi32(four, lows));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(spare + high), _mm256_permutevar8x32_epi32(four, highs));
        const int count = __builtin_popcount(static_cast<unsigned>(mask));
        low += count;
        high += 4 - count;
    }
#endif
    for (; i < n; ++i) {
        const uint64_t pair = pairs[i];
        const bool below = pair < pivot;
        pairs[low] = pair;
        spare[high] = pair;
        low += below;
        high += !below;
    }
    std::memcpy(pairs + low, spare, static_cast<size_t>(high) * sizeof(uint64_t));
    return low;
}

void sift_down(uint64_t* heap, int64_t root, int64_t n) {
    const uint64_t pair = heap[root];
    for (int64_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n && heap[child] < heap[child + 1]) ++child;
        if (heap[child] <= pair) break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = pair;
}

void heap_sort(uint64_t* pairs, int64_t n) {
    for (int64_t i = n / 2; i-- > 0;) sift_down(pairs, i, n);
    for (int64_t last = n; last-- > 1;) {
        const uint64_t greatest = pairs[0];
        pairs[0] = pairs[last];
        pairs[last] = greatest;
        sift_down(pairs, 0, last);
    }
}

// Sorts `from` into `to`; what is not yet sorted is in `from`.
void quick_sort(uint64_t* from, uint64_t* to, int64_t n, int depth) {
    while (n > kShort) {
        if (depth++ > kMaxDepth) {
            heap_sort(from, n);
            std::memcpy(to, from, static_cast<size_t>(n) * sizeof(uint64_t));
            return;
        }
        const int64_t low = partition(from, to, n, choose_pivot(from, n));
        quick_sort(from, to, low, depth);
        from += low;
        to += low;
        n -= low;
    }
    sort_short(from, to, static_cast<int>(n));
}

void sort(uint64_t* from, uint64_t* to, int64_t n) { quick_sort(from, to, n, 0); }

template <class T>
KeyRange encode_row(const char* data, int64_t n, bool descending, uint64_t first, uint64_t* out) {
    using Key = SortKey<T>;
    const T* const x = reinterpret_cast<const T*>(data);
    const Key flip = descending ? static_cast<Key>(~Key(0)) : Key(0);
    Key low = static_cast<Key>(~Key(0)), high = 0, before = 0;
    Key disorder = 0;
    for (int64_t i = 0; i < n; ++i) {
        const Key key = sort_key(x[i]) ^ flip;
        low = key < low ? key : low;
        high = key > high ? key : high;
        disorder |= static_cast<Key>(key < before);
        before = key;
        out[i] = sizeof(T) == 8 ? key : static_cast<uint64_t>(key) << 32 | (first + static_cast<uint64_t>(i));
    }
    return {low, high, disorder == 0};
}

void pack(const uint64_t* keys, int64_t n, uint64_t low, int shift, uint64_t first, uint64_t* pairs) {
    for (int64_t i = 0; i < n; ++i) pairs[i] = (keys[i] - low) >> shift << 32 | (first + static_cast<uint64_t>(i));
}

using Encode = KeyRange (*)(const char*, int64_t, bool, uint64_t, uint64_t*);

Encode encode(DType type) {
    return sort_dispatch(type, [](auto element) -> Encode {
        using T = decltype(element);
        if constexpr (std::is_same<T, c64>::value || std::is_same<T, c128>::value) {
            return nullptr;
        } else {
            return encode_row<T>;
        }
    });
}

}  // namespace

extern const SortKernels sort_kernels = {encode, pack, sort};

}  // namespace pyasc::PYASC_ISA

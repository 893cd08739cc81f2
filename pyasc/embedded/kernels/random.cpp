// Random numbers in any layout, and permutations.
#include "kernels/random.h"

#include "kernels/move.h"
#include "kernels/pool.h"

namespace pyasc {
namespace {

// Fisher and Yates' shuffle of a[0 … n), with draws `position`, `position` + 1, … .
void shuffle(uint64_t seed, uint64_t position, int64_t n, int64_t* a) {
    double draw[256];
    for (int64_t left = n; left > 1;) {
        const int64_t batch = left - 1 < 256 ? left - 1 : 256;
        random_kernels().doubles(seed, position, batch, draw);
        position += static_cast<uint64_t>(batch);
        for (int64_t k = 0; k < batch; ++k, --left) {
            const int64_t other =
                static_cast<int64_t>(draw[k] * static_cast<double>(left));  // n < 2^53: always below `left`
            const int64_t value = a[left - 1];
            a[left - 1] = a[other];
            a[other] = value;
        }
    }
}

}  // namespace

bool fill_random(const Distribution& d, const View& out) {
    const RandomKernels& kernels = random_kernels();
    if (!kernels.fill(d, 0, 0, nullptr)) return false;
    generate(out, [&](int64_t begin, int64_t n, char* to) { kernels.fill(d, begin, n, to); });
    return true;
}

// Large permutations are dealt into buckets that fit the cache, each element to a random one, and every bucket is
// shuffled: uniform like a single shuffle, without its cache misses. (B. Rao, 1961; Sandelius, 1962.)
void random_permutation(uint64_t seed, uint64_t offset, int64_t n, int64_t* out) {
    constexpr int64_t kBuckets = 256, kSmall = 65536;
    if (n < kSmall) {
        for (int64_t i = 0; i < n; ++i) out[i] = i;
        return shuffle(seed, offset, n, out);
    }
    int64_t start[kBuckets + 1] = {};
    uint32_t words[1024];
    for (int64_t i = 0; i < n; i += 1024) {
        const int64_t m = n - i < 1024 ? n - i : 1024;
        random_kernels().words(seed, offset + static_cast<uint64_t>(i), m, words);
        for (int64_t k = 0; k < m; ++k) ++start[(words[k] >> 24) + 1];
    }
    for (int64_t b = 0; b < kBuckets; ++b) start[b + 1] += start[b];
    int64_t next[kBuckets];
    for (int64_t b = 0; b < kBuckets; ++b) next[b] = start[b];
    for (int64_t i = 0; i < n; i += 1024) {
        const int64_t m = n - i < 1024 ? n - i : 1024;
        random_kernels().words(seed, offset + static_cast<uint64_t>(i), m, words);
        for (int64_t k = 0; k < m; ++k) out[next[words[k] >> 24]++] = i + k;
    }
    parallel(kBuckets, [&](int64_t b) {
        shuffle(seed, offset + static_cast<uint64_t>(start[b]), start[b + 1] - start[b], out + start[b]);
    });
}

}  // namespace pyasc

// Philox4x32-10: random words that are a function of a counter and a key, so that any element of any stream can be
// computed alone. J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. Included by *.isa.cpp files
// only.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace pyasc {
namespace {

// Every 32-bit word of the state has a 64-bit lane: the multiplier reads the lower half only, so what the upper half
// holds never matters, and the halves of a product need one shift.
#if defined(__AVX512F__)
typedef uint64_t Lanes __attribute__((vector_size(64)));
inline Lanes times(Lanes a, Lanes m) { return (Lanes)_mm512_mul_epu32((__m512i)a, (__m512i)m); }
#elif defined(__AVX2__)
typedef uint64_t Lanes __attribute__((vector_size(32)));
inline Lanes times(Lanes a, Lanes m) { return (Lanes)_mm256_mul_epu32((__m256i)a, (__m256i)m); }
#elif defined(__x86_64__)
typedef uint64_t Lanes __attribute__((vector_size(16)));
inline Lanes times(Lanes a, Lanes m) { return (Lanes)_mm_mul_epu32((__m128i)a, (__m128i)m); }
#elif defined(__ARM_NEON)
typedef uint64_t Lanes __attribute__((vector_size(16)));
inline Lanes times(Lanes a, Lanes m) { return (Lanes)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)m)); }
#else
typedef uint64_t Lanes __attribute__((vector_size(16)));
inline Lanes times(Lanes a, Lanes m) { return (a & 0xffffffffu) * m; }
#endif
constexpr int kLanes = sizeof(Lanes) / 8;
constexpr int kPhiloxBlocks = 2 * kLanes;  // computed together, so that one's multiplications hide the other's latency

struct PhiloxState {
    Lanes c0, c1, c2, c3;
};

inline void philox_round(PhiloxState& s, Lanes k0, Lanes k1) {
    const Lanes m0 = Lanes{} + 0xD2511F53u, m1 = Lanes{} + 0xCD9E8D57u;
    const Lanes p0 = times(s.c0, m0), p1 = times(s.c2, m1);
    s = {(p1 >> 32) ^ s.c1 ^ k0, p1, (p0 >> 32) ^ s.c3 ^ k1, p0};
}

inline PhiloxState philox_counter(uint64_t first, uint64_t mask, uint32_t stream) {
    PhiloxState s;
    Lanes count;  // 0, 1, 2, …: a constant
    for (int i = 0; i < kLanes; ++i) count[i] = static_cast<uint64_t>(i);
    s.c0 = (count + first) & mask;
    s.c1 = s.c0 >> 32;
    s.c2 = Lanes{} + stream;
    s.c3 = Lanes{};
    return s;
}

// Words in order: block, then word. `out` has room for 4 * kLanes.
inline void philox_store(const PhiloxState& s, uint32_t* out) {
    const Lanes low = Lanes{} + 0xffffffffu;
    const Lanes a = (s.c0 & low) | (s.c1 << 32), b = (s.c2 & low) | (s.c3 << 32);
    Lanes first, second;
    for (int i = 0; i < kLanes; ++i) {
        first[i] = static_cast<uint64_t>(i % 2 * kLanes + i / 2);
        second[i] = first[i] + kLanes / 2;
    }
    const Lanes x = __builtin_shuffle(a, b, first), y = __builtin_shuffle(a, b, second);
    std::memcpy(out, &x, sizeof(x));
    std::memcpy(out + 2 * kLanes, &y, sizeof(y));
}

// The four words of the counters (first + i) & mask, i in [0, n rounded up to kPhiloxBlocks); `stream` is the third
// word of the counter, the fourth is 0. `out` has room for all of them.
inline void philox_blocks(uint64_t seed, uint64_t first, uint64_t mask, uint32_t stream, int64_t n, uint32_t* out) {
    for (int64_t i = 0; i < n; i += kPhiloxBlocks) {
        PhiloxState a = philox_counter(first + static_cast<uint64_t>(i), mask, stream);
        PhiloxState b = philox_counter(first + static_cast<uint64_t>(i) + kLanes, mask, stream);
        Lanes k0 = Lanes{} + (seed & 0xffffffffu), k1 = Lanes{} + (seed >> 32);
#pragma GCC unroll 10
        for (int round = 0; round < 10; ++round) {
            philox_round(a, k0, k1);
            philox_round(b, k0, k1);
            k0 += 0x9E3779B9u;  // the golden ratio and sqrt(3) - 1: the paper's key schedule
            k1 += 0xBB67AE85u;
        }
        philox_store(a, out + 4 * i);
        philox_store(b, out + 4 * (i + kLanes));
    }
}

}  // namespace
}  // namespace pyasc

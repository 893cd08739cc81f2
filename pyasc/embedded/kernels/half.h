// The 16-bit floats: conversions to and from float, and the adaptor that runs a float kernel on them.
//
// Everything here has internal linkage, because the same text is compiled once per instruction set. Widening is exact;
// narrowing rounds to nearest even, overflows to infinity, and keeps NaNs NaN (quiet).
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/dtype.h"
#include "kernels/loop.h"

#if defined(__AVX2__) && defined(__F16C__)
#include <immintrin.h>
#endif

namespace pyasc {

[[maybe_unused]] static inline uint32_t float_bits(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    return bits;
}

[[maybe_unused]] static inline float bits_float(uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, 4);
    return x;
}

// Branch-free, so that loops over it vectorise. A half is a float whose exponent is 112 too small; the multiplication
// sets that right and normalises denormals in passing.
[[maybe_unused]] static inline float widen(f16 h) {
    const uint32_t magnitude = (h.bits & 0x7fffu) << 13;
    const uint32_t scaled = float_bits(bits_float(magnitude) * 0x1p112f);
    const uint32_t special = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
    return bits_float(scaled | special | (h.bits & 0x8000u) << 16);
}

[[maybe_unused]] static inline float widen(bf16 h) { return bits_float(static_cast<uint32_t>(h.bits) << 16); }

[[maybe_unused]] static inline void narrow(float x, f16* out) {
    const uint32_t bits = float_bits(x);
    const uint32_t magnitude = bits & 0x7fffffffu;
    const uint32_t normal = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13;
    // Adding 0.5 leaves the units of 2^-24, half's denormals, in the low bits: the addition rounds them.
    const uint32_t denormal = float_bits(bits_float(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);
    uint32_t half = magnitude < 0x38800000u ? denormal : normal;
    half = magnitude >= 0x477ff000u ? 0x7c00u : half;
    half = magnitude > 0x7f800000u ? nan : half;
    out->bits = static_cast<uint16_t>(half | (bits >> 16 & 0x8000u));
}

[[maybe_unused]] static inline void narrow(float x, bf16* out) {
    const uint32_t bits = float_bits(x);
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const uint32_t nan = bits >> 16 | 0x40u;
    out->bits = static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

// Blocks, dense on both sides.
[[maybe_unused]] static inline void widen(const f16* src, float* dst, int64_t n) {
    int64_t i = 0;
#if defined(__AVX2__) && defined(__F16C__)
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(dst + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i))));
    }
#elif defined(__aarch64__)
    for (; i < n; ++i) {
        __fp16 half;
        std::memcpy(&half, src + i, 2);
        dst[i] = static_cast<float>(half);
    }
#endif
    for (; i < n; ++i) dst[i] = widen(src[i]);
}

[[maybe_unused]] static inline void narrow(const float* src, f16* dst, int64_t n) {
    int64_t i = 0;
#if defined(__AVX2__) && defined(__F16C__)
    for (; i + 8 <= n; i += 8) {
        const __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(src + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i), half);
    }
#elif defined(__aarch64__)
    for (; i < n; ++i) {
        const __fp16 half = static_cast<__fp16>(src[i]);
        std::memcpy(dst + i, &half, 2);
    }
#endif
    for (; i < n; ++i) narrow(src[i], dst + i);
}

[[maybe_unused]] static inline void widen(const bf16* src, float* dst, int64_t n) {
    for (int64_t i = 0; i < n; ++i) dst[i] = widen(src[i]);
}

[[maybe_unused]] static inline void narrow(const float* src, bf16* dst, int64_t n) {
    for (int64_t i = 0; i < n; ++i) narrow(src[i], dst + i);
}

// Rows of any step.
template <class Half>
[[maybe_unused]] static void widen_row(const char* src, int64_t step, float* dst, int64_t n) {
    if (step == static_cast<int64_t>(sizeof(Half))) return widen(reinterpret_cast<const Half*>(src), dst, n);
    for (int64_t i = 0; i < n; ++i) {
        Half half;
        std::memcpy(&half, src + i * step, sizeof(half));
        dst[i] = widen(half);
    }
}

template <class Half>
[[maybe_unused]] static void narrow_row(const float* src, char* dst, int64_t step, int64_t n) {
    if (step == static_cast<int64_t>(sizeof(Half))) return narrow(src, reinterpret_cast<Half*>(dst), n);
    for (int64_t i = 0; i < n; ++i) {
        Half half;
        narrow(src[i], &half);
        std::memcpy(dst + i * step, &half, sizeof(half));
    }
}

// Runs a float kernel of `inputs` inputs on halves, block by block through buffers that stay in the first-level cache.
// With HalfOut the output is a half too, otherwise the kernel writes it itself (comparisons: bool).
template <class Half, bool HalfOut = true>
[[maybe_unused]] static void through_float(Inner kernel, int inputs, char* const* data, const int64_t* step,
                                           int64_t n) {
    constexpr int64_t kBlock = 256;
    alignas(64) float buffer[kLoopOperands][kBlock];
    char* row[kLoopOperands];
    int64_t row_step[kLoopOperands];
    for (int k = 0; k <= inputs; ++k) {
        row[k] = reinterpret_cast<char*>(buffer[k]);
        row_step[k] = sizeof(float);
        if (k > 0 && step[k] == 0) {
            widen_row<Half>(data[k], 0, buffer[k], 1);
            row_step[k] = 0;
        }
    }
    if (!HalfOut) row_step[0] = step[0];
    for (int64_t i = 0; i < n; i += kBlock) {
        const int64_t m = n - i < kBlock ? n - i : kBlock;
        for (int k = 1; k <= inputs; ++k) {
            if (step[k] != 0) widen_row<Half>(data[k] + i * step[k], step[k], buffer[k], m);
        }
        if (!HalfOut) row[0] = data[0] + i * step[0];
        kernel(row, row_step, m);
        if (HalfOut) narrow_row<Half>(buffer[0], data[0] + i * step[0], step[0], m);
    }
}

}  // namespace pyasc

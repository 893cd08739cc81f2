// Vectors of the widest kind the instruction set has, and the few operations GCC's vector extensions lack. For
// *.isa.cpp files: everything lies in the namespace of the instruction set.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace pyasc::PYASC_ISA {

#if defined(__AVX512F__)
#define PYASC_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define PYASC_VECTOR_BYTES 32
#else
#define PYASC_VECTOR_BYTES 16
#endif
constexpr int kVectorBytes = PYASC_VECTOR_BYTES;

typedef float vf __attribute__((vector_size(PYASC_VECTOR_BYTES)));
typedef int32_t vi __attribute__((vector_size(PYASC_VECTOR_BYTES)));
typedef uint32_t vu __attribute__((vector_size(PYASC_VECTOR_BYTES)));
typedef double vd __attribute__((vector_size(PYASC_VECTOR_BYTES)));
typedef int64_t vl __attribute__((vector_size(PYASC_VECTOR_BYTES)));
typedef uint64_t vul __attribute__((vector_size(PYASC_VECTOR_BYTES)));
typedef float vh __attribute__((vector_size(PYASC_VECTOR_BYTES / 2)));  // as many floats as a vd has doubles

constexpr int kFloats = kVectorBytes / 4;
constexpr int kDoubles = kVectorBytes / 8;

template <class T> struct vector_of;
template <> struct vector_of<float> {
    typedef vf type;
};
template <> struct vector_of<double> {
    typedef vd type;
};

#define PYASC_INLINE inline __attribute__((always_inline))

PYASC_INLINE vf all(float x) { return vf{} + x; }
PYASC_INLINE vd all(double x) { return vd{} + x; }
template <class V> PYASC_INLINE V from(const void* p) {
    V v;
    std::memcpy(&v, p, sizeof(v));
    return v;
}
template <class V> PYASC_INLINE void to(void* p, V v) { std::memcpy(p, &v, sizeof(v)); }

// A NaN in x stays: the comparison is false and x is taken.
PYASC_INLINE vf at_most(vf x, vf limit) { return limit < x ? limit : x; }
PYASC_INLINE vd at_most(vd x, vd limit) { return limit < x ? limit : x; }
PYASC_INLINE vf at_least(vf x, vf limit) { return limit > x ? limit : x; }
PYASC_INLINE vd at_least(vd x, vd limit) { return limit > x ? limit : x; }
PYASC_INLINE vf at_most(vf x, float limit) { return at_most(x, all(limit)); }
PYASC_INLINE vd at_most(vd x, double limit) { return at_most(x, all(limit)); }
PYASC_INLINE vf at_least(vf x, float limit) { return at_least(x, all(limit)); }
PYASC_INLINE vd at_least(vd x, double limit) { return at_least(x, all(limit)); }

PYASC_INLINE vu bits(vf x) { return (vu)x; }
PYASC_INLINE vul bits(vd x) { return (vul)x; }
PYASC_INLINE vu sign_of(vf x) { return (vu)x & 0x80000000u; }
PYASC_INLINE vul sign_of(vd x) { return (vul)x & 0x8000000000000000u; }
PYASC_INLINE vf magnitude(vf x) { return (vf)((vu)x & 0x7fffffffu); }
PYASC_INLINE vd magnitude(vd x) { return (vd)((vul)x & 0x7fffffffffffffffu); }
// y with the sign of x: y must not be of the other sign.
PYASC_INLINE vf signed_as(vf y, vf x) { return (vf)(bits(y) | sign_of(x)); }
PYASC_INLINE vd signed_as(vd y, vd x) { return (vd)(bits(y) | sign_of(x)); }

PYASC_INLINE vf root(vf x) {
#if defined(__AVX512F__)
    return (vf)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
    return (vf)_mm256_sqrt_ps((__m256)x);
#elif defined(__x86_64__)
    return (vf)_mm_sqrt_ps((__m128)x);
#elif defined(__aarch64__)
    return (vf)vsqrtq_f32((float32x4_t)x);
#else
    for (int i = 0; i < kFloats; ++i) x[i] = std::sqrt(x[i]);
    return x;
#endif
}

PYASC_INLINE vd root(vd x) {
#if defined(__AVX512F__)
    return (vd)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX2__)
    return (vd)_mm256_sqrt_pd((__m256d)x);
#elif defined(__x86_64__)
    return (vd)_mm_sqrt_pd((__m128d)x);
#elif defined(__aarch64__)
    return (vd)vsqrtq_f64((float64x2_t)x);
#else
    for (int i = 0; i < kDoubles; ++i) x[i] = std::sqrt(x[i]);
    return x;
#endif
}

// Rounded to an integer, half to even.
PYASC_INLINE vf nearest(vf x) {
#if defined(__AVX512F__)
    return (vf)_mm512_roundscale_ps((__m512)x, 0);
#elif defined(__AVX2__)
    return (vf)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    return (vf)_mm_round_ps((__m128)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__aarch64__)
    return (vf)vrndnq_f32((float32x4_t)x);
#else
    for (int i = 0; i < kFloats; ++i) x[i] = __builtin_rintf(x[i]);
    return x;
#endif
}
PYASC_INLINE vd nearest(vd x) {
#if defined(__AVX512F__)
    return (vd)_mm512_roundscale_pd((__m512d)x, 0);
#elif defined(__AVX2__)
    return (vd)_mm256_round_pd((__m256d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    return (vd)_mm_round_pd((__m128d)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__aarch64__)
    return (vd)vrndnq_f64((float64x2_t)x);
#else
    for (int i = 0; i < kDoubles; ++i) x[i] = __builtin_rint(x[i]);
    return x;
#endif
}

// Whether any lane of a comparison's result is set.
template <class M> PYASC_INLINE bool any(M mask) {
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)mask) != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_ps((__m256)mask) != 0;
#elif defined(__x86_64__)
    return _mm_movemask_ps((__m128)mask) != 0;
#else
    const vul m = (vul)mask;
    uint64_t set = 0;
    for (int i = 0; i < kDoubles; ++i) set |= m[i];
    return set != 0;
#endif
}
PYASC_INLINE bool any(vi mask) {
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask((__m512i)mask) != 0;
#else
    return any<vl>((vl)mask);
#endif
}

// The lanes of y that `mask` marks, computed anew by a scalar function. Inlined here, the function's loop would cost
// every caller registers.
template <class V, class M, class F>
__attribute__((noinline, cold)) V by_element(V x, V y, M mask, F f) {
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) {
        if (mask[i]) y[i] = f(x[i]);
    }
    return y;
}

// Floats as doubles and back, half a vector at a time.
PYASC_INLINE vd widened(vh x) { return __builtin_convertvector(x, vd); }
PYASC_INLINE vh narrowed(vd x) { return __builtin_convertvector(x, vh); }
#if PYASC_VECTOR_BYTES == 64
#define PYASC_LANES(F, ...) F(__VA_ARGS__, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
PYASC_INLINE vh low_half(vf x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7); }
PYASC_INLINE vh high_half(vf x) { return __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15); }
#elif PYASC_VECTOR_BYTES == 32
#define PYASC_LANES(F, ...) F(__VA_ARGS__, 0, 1, 2, 3, 4, 5, 6, 7)
PYASC_INLINE vh low_half(vf x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3); }
PYASC_INLINE vh high_half(vf x) { return __builtin_shufflevector(x, x, 4, 5, 6, 7); }
#else
#define PYASC_LANES(F, ...) F(__VA_ARGS__, 0, 1, 2, 3)
PYASC_INLINE vh low_half(vf x) { return __builtin_shufflevector(x, x, 0, 1); }
PYASC_INLINE vh high_half(vf x) { return __builtin_shufflevector(x, x, 2, 3); }
#endif
PYASC_INLINE vf joined(vh low, vh high) { return PYASC_LANES(__builtin_shufflevector, low, high); }
#undef PYASC_LANES

// Applies a function of doubles to floats.
template <class F> PYASC_INLINE vf in_double(vf x, F f) {
    return joined(narrowed(f(widened(low_half(x)))), narrowed(f(widened(high_half(x)))));
}
template <class F> PYASC_INLINE vf in_double(vf x, vf y, F f) {
    return joined(narrowed(f(widened(low_half(x)), widened(low_half(y)))),
                  narrowed(f(widened(high_half(x)), widened(high_half(y)))));
}

// c[First] + c[First + 1] x + c[First + 2] x^2 + ...
template <int First = 0, class V, class C, int N> PYASC_INLINE V polynomial(const C (&c)[N], V x) {
    V p = V{} + c[N - 1];
#pragma GCC unroll 16
    for (int i = N - 2; i >= First; --i) p = p * x + c[i];
    return p;
}

// Adding it rounds to an integer (nearest, even) and leaves that integer in the low bits.
constexpr double kMagic = 0x1.8p52;
constexpr float kMagicF = 0x1.8p23f;

// 2^n for an integer n given as the sum with the magic number: within the exponents of normal numbers.
PYASC_INLINE vd power_of_two(vd n_magic) { return (vd)((bits(n_magic) + 1023u) << 52); }

// p 2^n with one rounding, for any n that overflows or underflows, in two steps.
PYASC_INLINE vd scaled(vd p, vd n) {
    const vd half_magic = n * 0.5 + kMagic;
    const vd half = half_magic - kMagic;
    return p * power_of_two(half_magic) * power_of_two((n - half) + kMagic);
}
PYASC_INLINE vf scaled(vf p, vi n) {
    const vi half = n >> 1;
    return p * (vf)((half + 127) << 23) * (vf)((n - half + 127) << 23);
}

}  // namespace pyasc::PYASC_ISA

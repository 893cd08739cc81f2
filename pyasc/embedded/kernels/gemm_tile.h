// The micro-kernels of matrix products: a tile of C, MR rows by NV vectors, stays in registers while k runs.
// Compiled once per instruction set: everything has internal linkage.
#pragma once

#include <cstdint>

namespace pyasc::PYASC_ISA {
namespace {

#if defined(__AVX512F__)
#define PYASC_VECTOR_BYTES 64
constexpr int kRows = 12;         // rows of a real tile
constexpr int kComplexRows = 6;
#elif defined(__AVX__)
#define PYASC_VECTOR_BYTES 32
constexpr int kRows = 6;
constexpr int kComplexRows = 3;
#elif defined(__aarch64__)
#define PYASC_VECTOR_BYTES 16
constexpr int kRows = 8;
constexpr int kComplexRows = 4;
#else
#define PYASC_VECTOR_BYTES 16
constexpr int kRows = 4;
constexpr int kComplexRows = 2;
#endif

constexpr int kVectors = 2;  // vectors in a row of a tile

// `type` is a vector register; `loose` the same in memory, at any address.
template <class T> struct Simd;
#define PYASC_SIMD(T)                                                                                     \
    template <> struct Simd<T> {                                                                          \
        typedef T type __attribute__((vector_size(PYASC_VECTOR_BYTES)));                                  \
        typedef T loose __attribute__((vector_size(PYASC_VECTOR_BYTES), aligned(alignof(T)), may_alias)); \
        static constexpr int lanes = PYASC_VECTOR_BYTES / sizeof(T);                                      \
    };
PYASC_SIMD(float)
PYASC_SIMD(double)
PYASC_SIMD(uint32_t)
PYASC_SIMD(uint64_t)
PYASC_SIMD(int32_t)
PYASC_SIMD(int64_t)
#undef PYASC_SIMD
#undef PYASC_VECTOR_BYTES

// Where a tile finds element (i, p) of A: packed in panels of MR rows, or in place.
template <class T, int MR>
struct PackedA {
    const T* data;
    T operator()(int i, int64_t p) const { return data[p * MR + i]; }
};
template <class T>
struct StridedA {
    const T* data;
    int64_t row, col;
    T operator()(int i, int64_t p) const { return data[i * row + p * col]; }
};

// Where it finds row p of B, whose elements lie side by side: packed, in place, or at an offset from a table.
template <class T, int NR>
struct PackedB {
    const T* data;
    const T* operator()(int64_t p) const { return data + p * NR; }
};
template <class T>
struct StridedB {
    const T* data;
    int64_t row;
    const T* operator()(int64_t p) const { return data + p * row; }
};
template <class T>
struct OffsetB {
    const T* data;
    const int64_t* offset;
    const T* operator()(int64_t p) const { return data + offset[p]; }
};

// c (MR rows, `ldc` apart) = A B, plus `prev` if there is one; prev may be c.
template <class T, int MR, int NV, class A, class B>
__attribute__((always_inline)) inline void real_tile(int64_t k, const A a, const B b, const T* prev, int64_t ldp, T* c,
                                                     int64_t ldc) {
    using V = typename Simd<T>::type;
    using U = typename Simd<T>::loose;
    constexpr int L = Simd<T>::lanes;
    V acc[MR][NV];
#pragma GCC unroll 16
    for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 4
        for (int j = 0; j < NV; ++j) acc[i][j] = V{};
        __builtin_prefetch(c + i * ldc, 1);
    }
    for (int64_t p = 0; p < k; ++p) {
        const T* row = b(p);
        V v[NV];
#pragma GCC unroll 4
        for (int j = 0; j < NV; ++j) v[j] = *reinterpret_cast<const U*>(row + j * L);
#pragma GCC unroll 16
        for (int i = 0; i < MR; ++i) {
            const T x = a(i, p);
#pragma GCC unroll 4
            for (int j = 0; j < NV; ++j) acc[i][j] += x * v[j];
        }
    }
    if (prev) {
#pragma GCC unroll 16
        for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 4
            for (int j = 0; j < NV; ++j) acc[i][j] += *reinterpret_cast<const U*>(prev + i * ldp + j * L);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 4
        for (int j = 0; j < NV; ++j) *reinterpret_cast<U*>(c + i * ldc + j * L) = acc[i][j];
    }
}

// The same for complex numbers kept as planes: a step of A is MR real parts and MR imaginary parts, a step of B one
// vector of each. The tile is written interleaved, as complex arrays lie in memory; strides count complex elements.
template <class T, int MR>
inline void complex_tile(int64_t k, const T* a, const T* b, const T* prev, int64_t ldp, T* c, int64_t ldc) {
    using V = typename Simd<T>::type;
    using U = typename Simd<T>::loose;
    constexpr int L = Simd<T>::lanes;
    V re[MR], im[MR], re2[MR], im2[MR];  // two chains each, so that additions do not wait for each other
#pragma GCC unroll 16
    for (int i = 0; i < MR; ++i) re[i] = im[i] = re2[i] = im2[i] = V{};
    for (int64_t p = 0; p < k; ++p) {
        const V br = *reinterpret_cast<const U*>(b);
        const V bi = *reinterpret_cast<const U*>(b + L);
#pragma GCC unroll 16
        for (int i = 0; i < MR; ++i) {
            const T ar = a[i], ai = a[MR + i];
            re[i] += ar * br;
            im[i] += ar * bi;
            re2[i] += ai * bi;
            im2[i] += ai * br;
        }
        a += 2 * MR;
        b += 2 * L;
    }
    for (int i = 0; i < MR; ++i) {
        alignas(64) T r[L], m[L];
        *reinterpret_cast<U*>(r) = re[i] - re2[i];
        *reinterpret_cast<U*>(m) = im[i] + im2[i];
        T* to = c + 2 * i * ldc;
        if (prev) {
            const T* from = prev + 2 * i * ldp;
            for (int j = 0; j < L; ++j) {
                to[2 * j] = from[2 * j] + r[j];
                to[2 * j + 1] = from[2 * j + 1] + m[j];
            }
        } else {
            for (int j = 0; j < L; ++j) {
                to[2 * j] = r[j];
                to[2 * j + 1] = m[j];
            }
        }
    }
}

}  // namespace
}  // namespace pyasc::PYASC_ISA

// Loops over one row, given what happens to one element. Included by *.isa.cpp files only: everything here has internal
// linkage. An operation is a type with a static, inlined `apply`; the dense and the broadcast forms vectorise.
#pragma once

#include <cstdint>

#include "kernels/half.h"
#include "kernels/loop.h"

namespace pyasc {
namespace {

template <class T>
const T& at(const char* data, int64_t offset) {
    return *reinterpret_cast<const T*>(data + offset);
}

template <class Op, class O, class A>
[[maybe_unused]] void unary_row(char* const* data, const int64_t* step, int64_t n) {
    if (step[0] == sizeof(O) && step[1] == sizeof(A)) {
        O* const out = reinterpret_cast<O*>(data[0]);
        const A* const a = reinterpret_cast<const A*>(data[1]);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(a[i]);
        return;
    }
    char* const out = data[0];
    const char* const a = data[1];
    const int64_t out_step = step[0], a_step = step[1];
    for (int64_t i = 0; i < n; ++i) *reinterpret_cast<O*>(out + i * out_step) = Op::apply(at<A>(a, i * a_step));
}

template <class Op, class O, class T>
[[maybe_unused, gnu::noinline]] void dense_binary(O* out, const T* a, const T* b, int64_t n) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(a[i], b[i]);
}

// One value against a dense row: the value is spread over a block that stays in the first-level cache, so that one
// vectorised loop per operation serves all three forms.
constexpr int64_t kSpreadBytes = 2048;

template <class T>
[[maybe_unused, gnu::noinline]] const T* spread(T* block, const T* data, bool one, int64_t n) {
    constexpr int64_t kBlock = kSpreadBytes / sizeof(T);
    if (!one) return data;
    const T value = *data;
    for (int64_t i = 0; i < (n < kBlock ? n : kBlock); ++i) block[i] = value;
    return block;
}

template <class O, class T>
[[maybe_unused, gnu::noinline]] void spread_binary(void (*dense)(O*, const T*, const T*, int64_t), O* out, const T* a,
                                                   const T* b, bool one_a, bool one_b, int64_t n) {
    constexpr int64_t kBlock = kSpreadBytes / sizeof(T);
    alignas(64) T blocks[2][kBlock];
    a = spread(blocks[0], a, one_a, n);
    b = spread(blocks[1], b, one_b, n);
    for (int64_t i = 0; i < n; i += kBlock) {
        dense(out + i, one_a ? a : a + i, one_b ? b : b + i, n - i < kBlock ? n - i : kBlock);
    }
}

template <class Op, class O, class T>
[[maybe_unused]] void binary_row(char* const* data, const int64_t* step, int64_t n) {
    const int64_t out_step = step[0], a_step = step[1], b_step = step[2];
    constexpr int64_t kDense = sizeof(T), kFewest = 8;  // shorter rows are not worth the spreading
    char* const out = data[0];
    const char* const a = data[1];
    const char* const b = data[2];
    if (out_step == sizeof(O) && (a_step == kDense || a_step == 0) && (b_step == kDense || b_step == 0)) {
        O* const row = reinterpret_cast<O*>(out);
        const T* const first = reinterpret_cast<const T*>(a);
        const T* const second = reinterpret_cast<const T*>(b);
        if (a_step != 0 && b_step != 0) return dense_binary<Op>(row, first, second, n);
        if (n >= kFewest)
            return spread_binary<O, T>(dense_binary<Op, O, T>, row, first, second, a_step == 0, b_step == 0, n);
    }
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<O*>(out + i * out_step) = Op::apply(at<T>(a, i * a_step), at<T>(b, i * b_step));
    }
}

// Three inputs, as two.
template <class Op, class O, class A, class B, class C>
[[maybe_unused, gnu::noinline]] void dense_ternary(O* out, const A* a, const B* b, const C* c, int64_t n) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(a[i], b[i], c[i]);
}

// The last two may each be one value for the whole row.
template <class O, class A, class B, class C>
[[maybe_unused, gnu::noinline]] void spread_ternary(void (*dense)(O*, const A*, const B*, const C*, int64_t), O* out,
                                                    const A* a, const B* b, const C* c, bool one_b, bool one_c,
                                                    int64_t n) {
    static_assert(sizeof(B) == sizeof(C));
    constexpr int64_t kBlock = kSpreadBytes / sizeof(B);
    alignas(64) B block_b[kBlock];
    alignas(64) C block_c[kBlock];
    b = spread(block_b, b, one_b, n);
    c = spread(block_c, c, one_c, n);
    for (int64_t i = 0; i < n; i += kBlock) {
        dense(out + i, a + i, one_b ? b : b + i, one_c ? c : c + i, n - i < kBlock ? n - i : kBlock);
    }
}

template <class Op, class O, class A, class B, class C>
[[maybe_unused]] void ternary_row(char* const* data, const int64_t* step, int64_t n) {
    const int64_t out_step = step[0], a_step = step[1], b_step = step[2], c_step = step[3];
    char* const out = data[0];
    const char* const a = data[1];
    const char* const b = data[2];
    const char* const c = data[3];
    if (out_step == sizeof(O) && a_step == sizeof(A) && (b_step == sizeof(B) || b_step == 0) &&
        (c_step == sizeof(C) || c_step == 0)) {
        return spread_ternary<O, A, B, C>(dense_ternary<Op, O, A, B, C>, reinterpret_cast<O*>(out),
                                          reinterpret_cast<const A*>(a), reinterpret_cast<const B*>(b),
                                          reinterpret_cast<const C*>(c), b_step == 0, c_step == 0, n);
    }
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<O*>(out + i * out_step) =
            Op::apply(at<A>(a, i * a_step), at<B>(b, i * b_step), at<C>(c, i * c_step));
    }
}

// Four inputs: three dense ones and one value, or anything.
template <class Op, class O, class T>
[[maybe_unused]] void quaternary_row(char* const* data, const int64_t* step, int64_t n) {
    constexpr int64_t kDense = sizeof(T);
    if (step[0] == sizeof(O) && step[1] == kDense && step[2] == kDense && step[3] == kDense && step[4] == 0) {
        O* const out = reinterpret_cast<O*>(data[0]);
        const T* const a = reinterpret_cast<const T*>(data[1]);
        const T* const b = reinterpret_cast<const T*>(data[2]);
        const T* const c = reinterpret_cast<const T*>(data[3]);
        const T scalar = at<T>(data[4], 0);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(a[i], b[i], c[i], scalar);
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<O*>(data[0] + i * step[0]) =
            Op::apply(at<T>(data[1], i * step[1]), at<T>(data[2], i * step[2]), at<T>(data[3], i * step[3]),
                      at<T>(data[4], i * step[4]));
    }
}

// A float kernel on halves, as a kernel of its own.
template <Inner kernel, int inputs, class Half, bool half_out = true>
[[maybe_unused]] void half_row(char* const* data, const int64_t* step, int64_t n) {
    through_float<Half, half_out>(kernel, inputs, data, step, n);
}

}  // namespace
}  // namespace pyasc

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
[[maybe_unused]] void binary_row(char* const* data, const int64_t* step, int64_t n) {
    const int64_t out_step = step[0], a_step = step[1], b_step = step[2];
    constexpr int64_t kDense = sizeof(T);
    if (out_step == sizeof(O) && (a_step == kDense || a_step == 0) && (b_step == kDense || b_step == 0)) {
        O* const out = reinterpret_cast<O*>(data[0]);
        const T* const a = reinterpret_cast<const T*>(data[1]);
        const T* const b = reinterpret_cast<const T*>(data[2]);
        if (a_step != 0 && b_step != 0) {
#pragma GCC ivdep
            for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(a[i], b[i]);
        } else if (a_step != 0) {
            const T scalar = *b;
#pragma GCC ivdep
            for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(a[i], scalar);
        } else {
            const T scalar = *a;
            const int64_t stride = b_step != 0;
            if (stride == 0) {
                const O value = Op::apply(scalar, *b);
                for (int64_t i = 0; i < n; ++i) out[i] = value;
                return;
            }
#pragma GCC ivdep
            for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(scalar, b[i]);
        }
        return;
    }
    char* const out = data[0];
    const char* const a = data[1];
    const char* const b = data[2];
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<O*>(out + i * out_step) = Op::apply(at<T>(a, i * a_step), at<T>(b, i * b_step));
    }
}

// Three inputs. The last two may be one value for the whole row without losing the vectorised form.
template <class Op, bool b_scalar, bool c_scalar, class O, class A, class B, class C>
[[maybe_unused]] void dense_ternary(char* const* data, int64_t n) {
    O* const out = reinterpret_cast<O*>(data[0]);
    const A* const a = reinterpret_cast<const A*>(data[1]);
    const B* const b = reinterpret_cast<const B*>(data[2]);
    const C* const c = reinterpret_cast<const C*>(data[3]);
    if (n <= 0) return;
    const B first_b = *b;
    const C first_c = *c;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = Op::apply(a[i], b_scalar ? first_b : b[i], c_scalar ? first_c : c[i]);
}

template <class Op, class O, class A, class B, class C>
[[maybe_unused]] void ternary_row(char* const* data, const int64_t* step, int64_t n) {
    const int64_t out_step = step[0], a_step = step[1], b_step = step[2], c_step = step[3];
    if (out_step == sizeof(O) && a_step == sizeof(A) && (b_step == sizeof(B) || b_step == 0) &&
        (c_step == sizeof(C) || c_step == 0)) {
        if (b_step != 0 && c_step != 0) return dense_ternary<Op, false, false, O, A, B, C>(data, n);
        if (b_step != 0) return dense_ternary<Op, false, true, O, A, B, C>(data, n);
        if (c_step != 0) return dense_ternary<Op, true, false, O, A, B, C>(data, n);
        return dense_ternary<Op, true, true, O, A, B, C>(data, n);
    }
    char* const out = data[0];
    const char* const a = data[1];
    const char* const b = data[2];
    const char* const c = data[3];
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

// The loops around vector functions: dense rows directly, every other layout and the 16-bit floats through small
// buffers, so that one vector function serves them all. For *.isa.cpp files.
//
// A function is a struct: `inputs` (1 or 2), `parameters` (whether the last operand points to doubles), and
// `of(x, p)` or `of(x, y, p)` for vf and for vd.
#pragma once

#include <type_traits>

#include "kernels/half.h"
#include "kernels/math_tables.h"
#include "kernels/math_vec.h"

namespace pyasc::PYASC_ISA {

constexpr int64_t kBlock = 256;  // elements of a buffer

template <class Op, class V> PYASC_INLINE V value_of(V x, [[maybe_unused]] V y, const double* p) {
    if constexpr (Op::inputs == 1) {
        return Op::of(x, p);
    } else {
        return Op::of(x, y, p);
    }
}

template <class Op, class T> PYASC_INLINE void one_vector(T* out, const T* x, const T* y, const double* p) {
    using V = typename vector_of<T>::type;
    to(out, value_of<Op>(from<V>(x), Op::inputs == 2 ? from<V>(y) : V{}, p));
}

// Fewer elements than a vector has.
template <class Op, class T>
void part_vector(T* out, const T* x, const T* y, int64_t n, const double* p) {
    using V = typename vector_of<T>::type;
    V a{}, b{};
    std::memcpy(&a, x, n * sizeof(T));
    if (Op::inputs == 2) std::memcpy(&b, y, n * sizeof(T));
    a = value_of<Op>(a, b, p);
    std::memcpy(out, &a, n * sizeof(T));
}

template <class Op, class T>
__attribute__((noinline)) void dense(T* out, const T* x, const T* y, int64_t n, const double* p) {
    constexpr int64_t kLanes = kVectorBytes / sizeof(T);
    int64_t i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        one_vector<Op>(out + i, x + i, y + i, p);
        one_vector<Op>(out + i + kLanes, x + i + kLanes, y + i + kLanes, p);
    }
    if (i + kLanes <= n) {
        one_vector<Op>(out + i, x + i, y + i, p);
        i += kLanes;
    }
    if (i < n) part_vector<Op>(out + i, x + i, y + i, n - i, p);
}

// p[i] in every lane.
template <class V> PYASC_INLINE V parameter(const double* p, int i) {
    return V{} + static_cast<std::remove_reference_t<decltype(V{}[0])>>(p[i]);
}

// Rows of storage type S to a buffer of T and back.
template <class S, class T>
void load_row(const char* src, int64_t step, T* dst, int64_t n) {
    if constexpr (sizeof(S) == 2) {
        widen_row<S>(src, step, dst, n);
    } else {
        for (int64_t i = 0; i < n; ++i) dst[i] = *reinterpret_cast<const S*>(src + i * step);
    }
}
template <class S, class T>
void store_row(const T* src, char* dst, int64_t step, int64_t n) {
    if constexpr (sizeof(S) == 2) {
        narrow_row<S>(src, dst, step, n);
    } else {
        for (int64_t i = 0; i < n; ++i) *reinterpret_cast<S*>(dst + i * step) = src[i];
    }
}

// Whether operands 0..inputs are dense.
template <class S, int inputs> PYASC_INLINE bool is_dense(const int64_t* step) {
    constexpr int64_t size = sizeof(S);
    return step[0] == size && step[1] == size && (inputs == 1 || step[2] == size);
}

// The Inner of a function on storage type S.
template <class Op, class S>
void inner(char* const* data, const int64_t* step, int64_t n) {
    using T = std::conditional_t<std::is_same_v<S, double>, double, float>;
    const double* p = Op::parameters ? reinterpret_cast<const double*>(data[Op::inputs + 1]) : nullptr;
    if constexpr (std::is_same_v<S, T>) {
        if (is_dense<S, Op::inputs>(step)) {
            return dense<Op>(reinterpret_cast<T*>(data[0]), reinterpret_cast<const T*>(data[1]),
                             reinterpret_cast<const T*>(data[Op::inputs]), n, p);
        }
    }
    alignas(64) T out[kBlock], x[kBlock], y[Op::inputs == 2 ? kBlock : 1];
    for (int64_t i = 0; i < n; i += kBlock) {
        const int64_t m = n - i < kBlock ? n - i : kBlock;
        load_row<S>(data[1] + i * step[1], step[1], x, m);
        if constexpr (Op::inputs == 2) load_row<S>(data[2] + i * step[2], step[2], y, m);
        dense<Op>(out, x, y, m, p);
        store_row<S>(out, data[0] + i * step[0], step[0], m);
    }
}

template <class Op> Inner inner_of(DType type) {
    switch (type) {
        case DType::F16: return inner<Op, f16>;
        case DType::BF16: return inner<Op, bf16>;
        case DType::F32: return inner<Op, float>;
        case DType::F64: return inner<Op, double>;
        default: return nullptr;
    }
}

// A function by name of its two precisions: floats by `single` (an expression of vf x), doubles by `full`.
#define PYASC_UNARY(Name, single, full)                                   \
    struct Name {                                                         \
        static constexpr int inputs = 1;                                  \
        static constexpr bool parameters = false;                         \
        static PYASC_INLINE vf of(vf x, const double*) { return single; } \
        static PYASC_INLINE vd of(vd x, const double*) { return full; }   \
    };
// The same where floats are computed as doubles.
#define PYASC_UNARY_IN_DOUBLE(Name, function)                                                                \
    PYASC_UNARY(Name, in_double(x, [](vd v) __attribute__((always_inline)) { return function<Single>(v); }), \
                function<Full>(x))

}  // namespace pyasc::PYASC_ISA

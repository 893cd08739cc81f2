// Vectors of any element type for the reduction kernels, on GCC's vector extensions. Included by *.isa.cpp files only.
//
// A `Wide` always holds 32 bytes, in one register or two, so that every instruction set adds in the same order.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pyasc::PYASC_ISA {
namespace {

#if defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
constexpr int kParts = 32 / kVectorBytes;

template <class T>
struct VectorOf {
    typedef T type __attribute__((vector_size(kVectorBytes)));
};
template <class T>
using Vector = typename VectorOf<T>::type;
template <class T>
constexpr int kLanes = kVectorBytes / sizeof(T);

#define PYASC_INLINE [[maybe_unused]] __attribute__((always_inline)) inline

template <class T>
PYASC_INLINE Vector<T> load(const T* p) {
    Vector<T> v;
    std::memcpy(&v, p, sizeof(v));
    return v;
}

template <class T>
PYASC_INLINE void store(T* p, Vector<T> v) {
    std::memcpy(p, &v, sizeof(v));
}

template <class T>
PYASC_INLINE Vector<T> splat(T x) {
    return Vector<T>{} + x;
}

template <int H, class V, size_t... I>
PYASC_INLINE V rotate(V v, std::index_sequence<I...>) {
    return __builtin_shufflevector(v, v, ((I + H) % sizeof...(I))...);
}

// Folds lanes together until `Group` are left, which are then the first ones.
template <class Op, int Group, int H, class V>
PYASC_INLINE V fold_lanes(V v) {
    constexpr int lanes = sizeof(V) / sizeof(v[0]);
    if constexpr (H >= Group) {
        return fold_lanes<Op, Group, H / 2>(Op::apply(v, rotate<H>(v, std::make_index_sequence<lanes>())));
    } else {
        return v;
    }
}

template <class T>
struct Wide {
    Vector<T> part[kParts];
};

template <class Op, class T>
PYASC_INLINE Wide<T> merge(Wide<T> a, const Wide<T>& b) {
    for (int p = 0; p < kParts; ++p) a.part[p] = Op::apply(a.part[p], b.part[p]);
    return a;
}

// Folds 32 bytes of lanes into `Group` elements.
template <class Op, int Group, class T>
PYASC_INLINE void fold_wide(const Wide<T>& w, T* out) {
    Vector<T> v = w.part[0];
    for (int p = 1; p < kParts; ++p) v = Op::apply(v, w.part[p]);
    v = fold_lanes<Op, Group, kLanes<T> / 2>(v);
    for (int g = 0; g < Group; ++g) out[g] = v[g];
}

}  // namespace
}  // namespace pyasc::PYASC_ISA

// Elements as unsigned integers that sort alike: nan is the largest, -0.0 equals 0.0.
//
// Always inlined, because *.isa.cpp files use it too: no copy for one instruction set may serve another.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/dtype.h"

#define PYASC_SORT_INLINE __attribute__((always_inline)) inline

namespace pyasc {

// The smallest key type; 64-bit elements need 64 bits.
template <class T>
using SortKey = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
PYASC_SORT_INLINE SortKey<T> sort_key(T x) {
    using U = std::make_unsigned_t<T>;
    constexpr U sign = std::is_signed<T>::value ? static_cast<U>(U(1) << (8 * sizeof(T) - 1)) : U(0);
    return static_cast<U>(static_cast<U>(x) ^ sign);
}

template <>
PYASC_SORT_INLINE uint32_t sort_key(bool x) {
    return x;
}

// IEEE formats: negative numbers have all bits flipped, others the sign bit; without a branch on the sign, which nobody
// can predict. `infinity` tells nans apart.
template <class U>
PYASC_SORT_INLINE U sort_float_key(U bits, U infinity) {
    constexpr int top = 8 * sizeof(U) - 1;
    constexpr U sign = static_cast<U>(U(1) << top);
    const U magnitude = static_cast<U>(bits & static_cast<U>(~sign));
    U key = static_cast<U>(bits ^ (static_cast<U>(0 - (bits >> top)) | sign));
    key = magnitude == 0 ? sign : key;
    return magnitude > infinity ? static_cast<U>(~U(0)) : key;
}

template <>
PYASC_SORT_INLINE uint32_t sort_key(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    return sort_float_key<uint32_t>(bits, 0x7f800000u);
}
template <>
PYASC_SORT_INLINE uint64_t sort_key(double x) {
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    return sort_float_key<uint64_t>(bits, 0x7ff0000000000000u);
}
template <>
PYASC_SORT_INLINE uint32_t sort_key(f16 x) {
    return sort_float_key<uint16_t>(x.bits, 0x7c00u);
}
template <>
PYASC_SORT_INLINE uint32_t sort_key(bf16 x) {
    return sort_float_key<uint16_t>(x.bits, 0x7f80u);
}

// Where an element stands among complex numbers: those with a nan come last, by which part it is.
template <class T>
PYASC_SORT_INLINE int sort_nan_class(std::complex<T> x) {
    return (x.real() != x.real() ? 2 : 0) + (x.imag() != x.imag() ? 1 : 0);
}
template <class T>
PYASC_SORT_INLINE bool sort_less(std::complex<T> a, std::complex<T> b) {
    const int class_a = sort_nan_class(a), class_b = sort_nan_class(b);
    if (class_a != class_b) return class_a < class_b;
    if (a.real() < b.real()) return true;
    const bool equal = a.real() == b.real() || (class_a & 2) != 0;
    return equal && a.imag() < b.imag();
}

#undef PYASC_SORT_INLINE

// Calls f(T{}) with the element type.
template <class F>
auto sort_dispatch(DType type, F f) {
    switch (type) {
        case DType::Bool: return f(bool{});
        case DType::I8: return f(int8_t{});
        case DType::U8: return f(uint8_t{});
        case DType::I16: return f(int16_t{});
        case DType::U16: return f(uint16_t{});
        case DType::I32: return f(int32_t{});
        case DType::U32: return f(uint32_t{});
        case DType::I64: return f(int64_t{});
        case DType::U64: return f(uint64_t{});
        case DType::F16: return f(f16{});
        case DType::BF16: return f(bf16{});
        case DType::F32: return f(float{});
        case DType::F64: return f(double{});
        case DType::C64: return f(c64{});
        default: return f(c128{});
    }
}

}  // namespace pyasc

// The element types kernels compute on. Dense numbers, so that tables can be indexed by them.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>

namespace pyasc {

enum class DType : uint8_t { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64, C64, C128, None };
constexpr int kDTypes = static_cast<int>(DType::None);

constexpr int item_size(DType t) {
    constexpr int8_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 8, 16, 0};
    return sizes[static_cast<int>(t)];
}
const char* dtype_name(DType t);  // "float32", as NumPy says it

constexpr bool is_complex(DType t) { return t == DType::C64 || t == DType::C128; }
constexpr bool is_float(DType t) { return t >= DType::F16 && t <= DType::F64; }
constexpr bool is_integer(DType t) { return t >= DType::I8 && t <= DType::U64; }
constexpr bool is_signed_integer(DType t) {
    return t == DType::I8 || t == DType::I16 || t == DType::I32 || t == DType::I64;
}

// Storage types of the 16-bit floats: only bits. Kernels convert blocks of them to float, compute, and convert back
// (round to nearest even); half.h has the conversions.
struct f16 {
    uint16_t bits;
};
struct bf16 {
    uint16_t bits;
};
using c64 = std::complex<float>;
using c128 = std::complex<double>;

template <DType T> struct type_of;
template <class T> struct dtype_of;
#define PYASC_TYPE(name, type)                      \
    template <> struct type_of<DType::name> {       \
        using t = type;                             \
    };                                              \
    template <> struct dtype_of<type> {             \
        static constexpr DType value = DType::name; \
    };
PYASC_TYPE(Bool, bool)
PYASC_TYPE(I8, int8_t)
PYASC_TYPE(U8, uint8_t)
PYASC_TYPE(I16, int16_t)
PYASC_TYPE(U16, uint16_t)
PYASC_TYPE(I32, int32_t)
PYASC_TYPE(U32, uint32_t)
PYASC_TYPE(I64, int64_t)
PYASC_TYPE(U64, uint64_t)
PYASC_TYPE(F16, f16)
PYASC_TYPE(BF16, bf16) PYASC_TYPE(F32, float) PYASC_TYPE(F64, double) PYASC_TYPE(C64, c64) PYASC_TYPE(C128, c128)
#undef PYASC_TYPE

}  // namespace pyasc

// Comparisons: inputs of one type, results Bool. Equality of integers depends on their width only.
#include "kernels/binary.h"
#include "kernels/pair.h"
#include "kernels/rows.h"

namespace pyasc::PYASC_ISA {
namespace {

struct Equal {
    template <class T> static uint8_t apply(T a, T b) { return a == b; }
};
struct NotEqual {
    template <class T> static uint8_t apply(T a, T b) { return a != b; }
};
struct Less {
    template <class T> static uint8_t apply(T a, T b) { return a < b; }
};
struct LessEqual {
    template <class T> static uint8_t apply(T a, T b) { return a <= b; }
};

template <class Op, class T>
constexpr Inner row = binary_row<Op, uint8_t, T>;

template <class Op>
Inner by_float(DType t) {
    switch (t) {
        case DType::F16: return half_row<row<Op, float>, 2, f16, false>;
        case DType::BF16: return half_row<row<Op, float>, 2, bf16, false>;
        case DType::F32: return row<Op, float>;
        case DType::F64: return row<Op, double>;
        case DType::C64: return row<Op, Complex<float>>;
        case DType::C128: return row<Op, Complex<double>>;
        default: return nullptr;
    }
}

template <class Op>
Inner by_width(DType t) {
    if (t > DType::U64) return by_float<Op>(t);
    switch (item_size(t)) {
        case 1: return row<Op, uint8_t>;
        case 2: return row<Op, uint16_t>;
        case 4: return row<Op, uint32_t>;
        default: return row<Op, uint64_t>;
    }
}

template <class Op>
Inner by_type(DType t) {
    switch (t) {
        case DType::I8: return row<Op, int8_t>;
        case DType::Bool:
        case DType::U8: return row<Op, uint8_t>;
        case DType::I16: return row<Op, int16_t>;
        case DType::U16: return row<Op, uint16_t>;
        case DType::I32: return row<Op, int32_t>;
        case DType::U32: return row<Op, uint32_t>;
        case DType::I64: return row<Op, int64_t>;
        case DType::U64: return row<Op, uint64_t>;
        default: return by_float<Op>(t);
    }
}

// a > b as b < a.
template <Inner (*find)(DType)>
Inner exchanged(DType t) {
    switch (t) {
#define PYASC_CASE(name)                                               \
    case DType::name:                                                  \
        return [](char* const* data, const int64_t* step, int64_t n) { \
            char* const rows[] = {data[0], data[2], data[1]};          \
            const int64_t steps[] = {step[0], step[2], step[1]};       \
            find(DType::name)(rows, steps, n);                         \
        };
        // clang-format off
        PYASC_CASE(Bool)
        PYASC_CASE(I8)
        PYASC_CASE(U8)
        PYASC_CASE(I16)
        PYASC_CASE(U16)
        PYASC_CASE(I32)
        PYASC_CASE(U32)
        PYASC_CASE(I64)
        PYASC_CASE(U64)
        PYASC_CASE(F16)
        PYASC_CASE(BF16)
        PYASC_CASE(F32)
        PYASC_CASE(F64)
        PYASC_CASE(C64)
        PYASC_CASE(C128)
        // clang-format on
#undef PYASC_CASE
        default: return nullptr;
    }
}

Inner find(Binary op, DType t) {
    switch (op) {
        case Binary::Equal: return by_width<Equal>(t);
        case Binary::NotEqual: return by_width<NotEqual>(t);
        case Binary::Less: return by_type<Less>(t);
        case Binary::LessEqual: return by_type<LessEqual>(t);
        case Binary::Greater: return exchanged<by_type<Less>>(t);
        case Binary::GreaterEqual: return exchanged<by_type<LessEqual>>(t);
        default: return nullptr;
    }
}

}  // namespace

extern const BinaryKernels compare_kernels;
const BinaryKernels compare_kernels = {find};

}  // namespace pyasc::PYASC_ISA

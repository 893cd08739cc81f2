// Which family has the kernel of an operation, and what an element of it costs.
#include "kernels/binary.h"

namespace pyasc {

Inner binary_inner(Binary op, DType t) {
    if (t == DType::None) return nullptr;
    if (is_comparison(op)) return compare_kernels().find(op, t);
    switch (op) {
        case Binary::Power: return power_inner(t);
        case Binary::FloorDivide:
        case Binary::TruncDivide:
        case Binary::Remainder:
        case Binary::Fmod: return divide_kernels().find(op, t);
        default: return arithmetic_kernels().find(op, t);
    }
}

int32_t binary_weight(Binary op, DType t) {
    const int32_t memory = item_size(t) < 2 ? 1 : item_size(t) / 2;
    switch (op) {
        case Binary::Power: return is_complex(t) ? 600 : 100;
        case Binary::Gcd: return 200;
        case Binary::FloorDivide:
        case Binary::Remainder:
        case Binary::Fmod: return is_float(t) ? 40 : item_size(t) == 8 ? 60 : 2 * memory + 4;
        case Binary::Div: return is_complex(t) ? 40 : memory + 2;
        default: return memory;
    }
}

}  // namespace pyasc

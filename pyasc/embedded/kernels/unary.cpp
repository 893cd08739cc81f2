// Result types of the exact unary kernels.
#include "kernels/unary.h"

namespace pyasc {

DType unary_result(Unary op, DType in) {
    const DType part = in == DType::C64 ? DType::F32 : in == DType::C128 ? DType::F64 : in;
    switch (op) {
        case Unary::Absolute:
        case Unary::Real:
        case Unary::Imag:
        case Unary::Angle: return part;
        case Unary::Signbit:
        case Unary::IsNaN:
        case Unary::IsInf:
        case Unary::IsFinite:
        case Unary::IsPosInf:
        case Unary::IsNegInf: return DType::Bool;
        default: return in;
    }
}

}  // namespace pyasc

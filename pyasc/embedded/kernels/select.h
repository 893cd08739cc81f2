// Kernels that choose, bound or mix: three and four inputs, and negations.
#pragma once

#include "kernels/dtype.h"
#include "kernels/isa.h"
#include "kernels/loop.h"

namespace pyasc {

enum class Select : uint8_t {
    Where,       // Bool, T, T: the second where the first is true, else the third
    Clamp,       // x, low, high: min(max(x, low), high), NaN if any is
    Lerp,        // start, end, weight
    Addcmul,     // x, a, b, value: x + value a b
    Addcdiv,     // x, a, b, value: x + value a / b; floats and complex
    IsClose,     // a, b, rtol, atol (double): |a - b| <= atol + rtol |b|, b finite, or equal; float32 and wider
    IsCloseNan,  // the same, and NaN is close to NaN
    NanToNum,    // x, and what replaces NaN, +inf, -inf (double); float32 and wider
    BitNot,
    LogicalNot,  // of Bool
};

struct SelectKernels {
    Inner (*find)(Select op, DType t);
};
PYASC_FAMILY(SelectKernels, select_kernels)

}  // namespace pyasc

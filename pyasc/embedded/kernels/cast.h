// Conversions between element types, as NumPy's astype does them on x86.
#pragma once

#include "kernels/dtype.h"
#include "kernels/isa.h"
#include "kernels/loop.h"

namespace pyasc {

struct CastKernels {
    Inner (*find)(DType dst,
                  DType src);  // operand 0: dst, operand 1: src; never null for the types a kernel computes on
};
PYASC_FAMILY(CastKernels, cast_kernels)

}  // namespace pyasc

// Names of the element types.
#include "kernels/dtype.h"

namespace pyasc {

const char* dtype_name(DType t) {
    static const char* const names[] = {"bool",    "int8",      "uint8",      "int16",           "uint16",   "int32",
                                        "uint32",  "int64",     "uint64",     "float16",         "bfloat16", "float32",
                                        "float64", "complex64", "complex128", "unsupported type"};
    return names[static_cast<int>(t)];
}

}  // namespace pyasc

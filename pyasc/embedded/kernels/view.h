// An array as a kernel sees it: an address, a type, a shape and strides.
#pragma once

#include <cstdint>

#include "kernels/dtype.h"

namespace pyasc {

constexpr int kMaxDims = 32;

struct View {
    char* data = nullptr;  // the first element
    DType dtype = DType::None;
    int ndim = 0;
    int64_t size = 1;      // number of elements
    int64_t shape[kMaxDims];
    int64_t stride[kMaxDims];  // in elements, never negative; 0 where broadcast

    int item() const { return item_size(dtype); }
    bool contiguous() const {
        int64_t expect = 1;
        for (int d = ndim - 1; d >= 0; --d) {
            if (shape[d] != 1 && stride[d] != expect) return false;
            expect *= shape[d];
        }
        return true;
    }
};

}  // namespace pyasc

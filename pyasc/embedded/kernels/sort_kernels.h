// The innermost loops of sorting, one table per instruction set.
#pragma once

#include "kernels/dtype.h"
#include "kernels/isa.h"

namespace pyasc {

// Of the keys of one piece of a row.
struct KeyRange {
    uint64_t low = ~uint64_t{0};
    uint64_t high = 0;
    bool ascending = true;  // every key is at least the one before it
};

struct SortKernels {
    // pairs[i] = key of element i << 32 | first + i, for types of up to 32 bits; wider ones: keys[i] = the key. The
    // keys of a descending order are complemented. Null for complex types.
    KeyRange (*(*encode)(DType type))(const char* x, int64_t n, bool descending, uint64_t first, uint64_t* out);
    // pairs[i] = (keys[i] - low) >> shift << 32 | first + i
    void (*pack)(const uint64_t* keys, int64_t n, uint64_t low, int shift, uint64_t first, uint64_t* pairs);
    // Sorts n pairs, which are all different, from one array into another. Both are overwritten.
    void (*sort)(uint64_t* from, uint64_t* to, int64_t n);
};
PYASC_FAMILY(SortKernels, sort_kernels)

}  // namespace pyasc

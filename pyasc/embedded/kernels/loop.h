// Element-wise work: up to four inputs broadcast over one output.
#pragma once

#include <cstdint>

#include "kernels/view.h"

namespace pyasc {

constexpr int kLoopOperands = 5;  // 0: output, 1..4: inputs

// One row: data[k] + i * step[k] bytes is operand k's element i. A step may be 0 (broadcast) or the item size (dense).
// An output may be the same array as an input, element for element, never shifted against it.
using Inner = void (*)(char* const* data, const int64_t* step, int64_t n);

// A planned loop: dimensions of length 1 dropped, neighbours that step as one joined. It holds only addresses and
// steps.
struct Loop {
    Inner inner = nullptr;
    int operands = 0;  // including the output
    int ndim = 0;      // at least 1 once planned
    int64_t count = 0; // elements of the output
    int32_t weight = 1; // cost of one element in tenths of a nanosecond
    int32_t item = 0;   // bytes of one output element
    char* data[kLoopOperands];
    int64_t shape[kMaxDims];
    int64_t step[kLoopOperands][kMaxDims];  // bytes
};

// Lays `inputs` over the shape of `out`. -1, or the index of the input that does not broadcast to it.
int plan_loop(Loop* loop, Inner inner, int32_t weight, const View& out, const View* const* inputs, int n);

// Runs it, on several threads if it is worth it. Outputs larger than the cache are written past it: kernels need not
// care.
void run_loop(const Loop& loop);

// For operands whose type is not the kernel's. cast[k] converts rows of operand k to the kernel's type (for k = 0: of
// the kernel's result to the output's), null where nothing is to do; item[k] is the size of the kernel's type.
struct Conversions {
    Inner cast[kLoopOperands];
    int item[kLoopOperands];
};
void run_loop(const Loop& loop, const Conversions& conversions);

}  // namespace pyasc

// Strict mode: the device refuses what a real chip refuses.
#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/dtype.h"

namespace pyasc {

extern std::atomic<int> strict_state;  // -1: not asked yet, else whether a chip was chosen
int ask_strict();

inline bool strict() {
    const int state = strict_state.load(std::memory_order_relaxed);
    return __builtin_expect((state < 0 ? ask_strict() : state) != 0, 0);
}

// 0 if the chip takes `dtype` as that argument of the operator, or if that is not known; otherwise 161002 and its text.
int32_t check_strict(const char* op, const char* argument, DType dtype);

}  // namespace pyasc

// The order of one row: where each element of the sorted row comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/dtype.h"

namespace pyasc {

// Memory for sorting, kept by each thread from one use to the next. One user at a time; null if there is none.
char* sort_memory(size_t bytes);

// Orders the n dense elements at `x`: the low half of order[i] is the position of the i-th smallest element. `spare`
// has room for n, `keys` for n if the type is wider than 32 bits (see sort_needs_keys). Uses the pool for long rows.
void sort_order(const char* x, DType type, int64_t n, bool descending, uint64_t* order, uint64_t* spare,
                uint64_t* keys);

// As sort_order, but only the first k of them; the rest is unspecified.
void sort_order_first(const char* x, DType type, int64_t n, int64_t k, bool descending, uint64_t* order,
                      uint64_t* spare, uint64_t* keys);

// The position of element k of the order.
int64_t sort_order_kth(const char* x, DType type, int64_t n, int64_t k, uint64_t* order, uint64_t* spare,
                       uint64_t* keys);

constexpr bool sort_needs_keys(DType type) { return item_size(type) == 8 && !is_complex(type); }

// Bytes for order, spare and keys together, each aligned.
constexpr size_t sort_order_bytes(DType type, int64_t n) {
    return static_cast<size_t>(n) * 8 * (sort_needs_keys(type) ? 3 : 2) + 64;
}

inline uint32_t sort_position(uint64_t order) { return static_cast<uint32_t>(order); }

bool sort_is_nan(const char* x, DType type);

}  // namespace pyasc

// Searching sorted sequences, distinct elements, counting.
#pragma once

#include "kernels/view.h"

namespace pyasc {

// index = where each value belongs in the sorted sequence along its last axis: before (right: after) equal elements,
// nan last. The sequence is 1-D, or has values' leading axes. `sorter`: the order of an unsorted sequence (I64), or
// null. All have been made contiguous; values and sequence have one type; index is I64 or I32. False if a sorter entry
// is not a position.
bool search_sorted(const View& sequence, const View& values, const View* sorter, bool right, const View& index);

// Distinct elements of the dense `in` in ascending order (nans count as equal), or with `consecutive` the first of each
// run. The outputs may be null, have room for in.size elements, are dense; inverse and counts are I64. -1 if memory ran
// out.
int64_t unique(const View& in, bool consecutive, char* value, int64_t* inverse, int64_t* counts);

// Likewise for rows of `width` dense elements: `order[i]` is the row that group i begins with.
int64_t unique_rows(const char* x, DType type, int64_t rows, int64_t width, bool consecutive, int64_t* order,
                    int64_t* inverse, int64_t* counts);

// counts[i] += number of elements equal to i (dense I64). False if one lies outside [0, size).
bool count_into(const int64_t* x, int64_t n, int64_t* counts, int64_t size);
bool count_into(const int64_t* x, const double* weights, int64_t n, double* sums, int64_t size);

}  // namespace pyasc

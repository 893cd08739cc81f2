// Sorting, selection, and what is built on them. The order is NumPy's: nan last when ascending, complex numbers by
// real, then imaginary part; descending is its reverse. Equal elements keep their order both ways.
//
// Rows are shorter than 2^32. Functions that return bool give false if memory ran out, having done nothing useful.
#pragma once

#include "kernels/view.h"

namespace pyasc {

// Sorts along `axis`; `value` may be null. All views have the same shape, `index` is I64 or I32.
bool sort(const View& in, int axis, bool descending, const View* value, const View& index);

// The first k elements of the sorted order. `value` and `index` have length k there.
bool sort_first(const View& in, int axis, int64_t k, bool descending, const View& value, const View& index);

enum class Choice : uint8_t {
    Kth,        // element k of the ascending order
    Median,     // the lower median; the first nan if there is one
    NanMedian,  // the lower median of what is not nan
};
// One element of each row. `value` and `index` have in's shape without the axis, or with length 1 there; index may be
// null.
bool sort_select(const View& in, int axis, Choice choice, int64_t k, const View& value, const View* index);

}  // namespace pyasc

// Copies between views, and fills: any layout, any pair of types.
#pragma once

#include "kernels/loop.h"
#include "kernels/view.h"

namespace pyasc {

// Copies `src` into `dst`, converting as NumPy's astype does and broadcasting src over dst. The two may be the same
// array but must not overlap otherwise. False, and nothing done, if src does not broadcast to dst.
bool copy_view(const View& dst, const View& src);

// Sets every element of `dst` to the value `item` points to, which has dst's type.
void fill_view(const View& dst, const void* item);

// A C-order view of the same shape over memory of the caller's: what copy_view needs to make an operand contiguous.
View contiguous_view(void* data, DType dtype, const int64_t* shape, int ndim);

// One row of a conversion (operand 0: dst, operand 1: src), for loops that convert while they copy.
Inner cast_inner(DType dst, DType src);

}  // namespace pyasc

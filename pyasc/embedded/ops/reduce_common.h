// What operators that reduce axes check and build in common.
#pragma once

#include "kernels/reduce.h"
#include "ops/rearrange.h"

namespace pyasc {

// The axes `dims` names, as a mask; none or an empty list means all. `required`: null is an error.
uint32_t reduction_axes(Call& call, const char* name, const aclIntArray* dims, bool required = true);

// One axis of input 0, wrapped.
uint32_t reduction_axis(Call& call, const char* name, int64_t dim);

// `out` has the shape of input 0 without the axes, or with length 1 there.
void require_reduced(Call& call, const char* name, const View& out, uint32_t mask, bool keep);

// The C-order shape that a reduction has without its axes.
int reduced_shape(const View& in, uint32_t mask, int64_t* shape);

int64_t reduced_length(const View& in, uint32_t mask);  // product of the reduced axes
inline uint32_t all_axes(const View& v) { return v.ndim == 32 ? ~0u : (1u << v.ndim) - 1; }

// `dtype` names the output's type.
void require_dtype(Call& call, aclDataType dtype, const View& out);

inline int64_t reduce_cost(const View& in) { return 40 + in.size * in.item() / 16; }

// Sum or product of elements converted to `out` first; 16-bit floats are folded in float, bool is any or all.
Reduction plain_fold(Fold fold, DType out);

// Max or min of elements of `type`.
Reduction plain_extreme(Fold fold, DType type);

}  // namespace pyasc

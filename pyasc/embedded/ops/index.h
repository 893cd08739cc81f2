// How index operators describe what they read and write. The transfers themselves are kernels/index.h.
#pragma once

#include "kernels/index.h"
#include "ops/rearrange.h"

namespace pyasc {

// Choosing along one dimension: `plain` has the shape array[:dim] + index[batch:] + array[dim + 1:]. The first `batch`
// dimensions of `index` are those of `array`: each of them has its own indices.
void plan_along(Transfer* t, const View& array, const View& plain, const View& index, int dim, int batch = 0);
// That shape; returns the number of dimensions.
int along_shape(const View& array, const View& index, int dim, int batch, int64_t* shape);

// gather and scatter: `index` has as many dimensions as `array`; its elements replace one coordinate. The other
// coordinates are those of the element. `plain` may be larger than `index`.
void plan_elements(Transfer* t, const View& array, const View& plain, const View& index, int dim);

// Indices that are coordinates: the last dimension of `indices` holds one for each of the first dimensions of `array`;
// `plain` has the shape indices[:-1] + array[indices.shape[-1]:].
void plan_coordinates(Transfer* t, const View& array, const View& plain, const View& indices);
int coordinates_shape(const View& array, const View& indices, int64_t* shape);

// A copy of `index` if it shares memory with `written`, so that writing does not change what is still to be read.
struct Aside {
    Scratch memory;
    View view;
    Aside(const View& v, const View& written);
    bool ok() const { return memory.data != nullptr; }
};

// 0-d arrays as 1-d.
View at_least_1d(const View& v);

}  // namespace pyasc

// Plans shared by the index operators.
#include "kernels/copy.h"
#include "ops/index.h"

namespace pyasc {

void plan_along(Transfer* t, const View& array, const View& plain, const View& index, int dim, int batch) {
    const int item = array.item();
    t->indexed = array.data;
    t->plain = plain.data;
    t->item = item;
    for (int d = 0; d < index.ndim; ++d) {
        const int64_t step = plain.stride[d < batch ? d : dim + d - batch] * item;
        t->at.add_dim(index.shape[d], d < batch ? array.stride[d] * item : 0);
        t->along.add(index.shape[d], &step);
    }
    t->at.add_axis(index, array.shape[dim], array.stride[dim] * item);
    for (int d = batch; d < array.ndim; ++d) {
        if (d == dim) continue;
        const int to = d < dim ? d : d + index.ndim - batch - 1;
        const int64_t steps[] = {array.stride[d] * item, plain.stride[to] * item};
        t->rest.add(array.shape[d], steps);
    }
}

int along_shape(const View& array, const View& index, int dim, int batch, int64_t* shape) {
    int n = 0;
    for (int d = 0; d < dim; ++d) shape[n++] = array.shape[d];
    for (int d = batch; d < index.ndim && n < kMaxDims; ++d) shape[n++] = index.shape[d];
    for (int d = dim + 1; d < array.ndim && n < kMaxDims; ++d) shape[n++] = array.shape[d];
    return n;
}

void plan_coordinates(Transfer* t, const View& array, const View& plain, const View& indices) {
    const int item = array.item(), last = indices.ndim - 1;
    const int depth = static_cast<int>(indices.shape[last]);
    t->indexed = array.data;
    t->plain = plain.data;
    t->item = item;
    for (int d = 0; d < last; ++d) {
        const int64_t step = plain.stride[d] * item;
        t->at.add_dim(indices.shape[d], 0);
        t->along.add(indices.shape[d], &step);
    }
    for (int k = 0; k < depth; ++k) {
        View index = indices;
        index.ndim = last;
        index.data += k * indices.stride[last] * indices.item();
        t->at.add_axis(index, array.shape[k], array.stride[k] * item);
    }
    for (int d = depth; d < array.ndim; ++d) {
        const int64_t steps[] = {array.stride[d] * item, plain.stride[last + d - depth] * item};
        t->rest.add(array.shape[d], steps);
    }
}

int coordinates_shape(const View& array, const View& indices, int64_t* shape) {
    int n = 0;
    for (int d = 0; d + 1 < indices.ndim; ++d) shape[n++] = indices.shape[d];
    for (int64_t d = indices.shape[indices.ndim - 1]; d < array.ndim && n < kMaxDims; ++d) shape[n++] = array.shape[d];
    return n;
}

void plan_elements(Transfer* t, const View& array, const View& plain, const View& index, int dim) {
    const int item = array.item();
    t->indexed = array.data;
    t->plain = plain.data;
    t->item = item;
    for (int d = 0; d < index.ndim; ++d) {
        const int64_t step = plain.stride[d] * item;
        t->at.add_dim(index.shape[d], d == dim ? 0 : array.stride[d] * item);
        t->along.add(index.shape[d], &step);
    }
    t->at.add_axis(index, array.shape[dim], array.stride[dim] * item);
}

Aside::Aside(const View& v, const View& written) : memory(may_overlap(v, written) ? v.size * v.item() : 0), view(v) {
    if (memory.data == nullptr || !may_overlap(v, written)) return;
    view = contiguous_view(memory.data, v.dtype, v.shape, v.ndim);
    copy_view(view, v);
}

View at_least_1d(const View& v) {
    View one = v;
    if (v.ndim == 0) {
        one.ndim = 1;
        one.shape[0] = one.stride[0] = 1;
    }
    return one;
}

}  // namespace pyasc

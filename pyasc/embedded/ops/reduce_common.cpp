// The checks that reductions share.
#include "ops/reduce_common.h"

namespace pyasc {

uint32_t reduction_axes(Call& call, const char* name, const aclIntArray* dims, bool required) {
    if (dims != nullptr || required) call.ints(name, dims);
    if (!call.ok()) return 0;
    const View& in = call.input(0);
    if (dims == nullptr || dims->size == 0) return all_axes(in);
    uint32_t mask = 0;
    for (uint64_t i = 0; i < dims->size; ++i) {
        int64_t dim = dims->data[i];
        if (!call.axis(name, &dim, in.ndim).ok()) return 0;
        const uint32_t bit = 1u << dim;
        if (!call.require((mask & bit) == 0, "%s names dimension %ld twice", name, static_cast<long>(dim)).ok())
            return 0;
        mask |= bit;
    }
    return in.ndim == 0 ? 0 : mask;
}

uint32_t reduction_axis(Call& call, const char* name, int64_t dim) {
    if (!call.ok()) return 0;
    const View& in = call.input(0);
    if (!call.axis(name, &dim, in.ndim).ok()) return 0;
    return in.ndim == 0 ? 0 : 1u << dim;
}

int reduced_shape(const View& in, uint32_t mask, int64_t* shape) {
    int ndim = 0;
    for (int d = 0; d < in.ndim; ++d) {
        if ((mask >> d & 1) == 0) shape[ndim++] = in.shape[d];
    }
    return ndim;
}

void require_reduced(Call& call, const char* name, const View& out, uint32_t mask, bool keep) {
    if (!call.ok()) return;
    const View& in = call.input(0);
    int64_t shape[kMaxDims];
    int ndim = 0;
    for (int d = 0; d < in.ndim; ++d) {
        const bool reduced = (mask >> d & 1) != 0;
        if (!reduced || keep) shape[ndim++] = reduced ? 1 : in.shape[d];
    }
    require_shape(call, name, out, shape, ndim);
}

int64_t reduced_length(const View& in, uint32_t mask) {
    int64_t length = 1;
    for (int d = 0; d < in.ndim; ++d) {
        if ((mask >> d & 1) != 0) length *= in.shape[d];
    }
    return length;
}

void require_dtype(Call& call, aclDataType dtype, const View& out) {
    if (!call.ok() || to_dtype(dtype) == out.dtype) return;
    call.require(false, "dtype is %s but out is %s; they must be the same", dtype_name(to_dtype(dtype)),
                 dtype_name(out.dtype));
}

Reduction plain_fold(Fold fold, DType out) {
    Reduction r;
    if (out == DType::Bool) {
        r.fold = fold == Fold::Sum ? Fold::Max : Fold::Min;
        r.load = r.compute = DType::Bool;
        r.until_decided = true;
        return r;
    }
    r.fold = fold;
    r.load = r.compute = compute_type(out);
    return r;
}

Reduction plain_extreme(Fold fold, DType type) {
    Reduction r;
    r.fold = fold;
    r.load = r.compute = compute_type(type);
    return r;
}

}  // namespace pyasc

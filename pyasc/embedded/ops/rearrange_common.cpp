// The checks that data-movement operators share.
#include <cinttypes>
#include <cstdio>

#include "acl/error_codes/rt_error_codes.h"
#include "kernels/copy.h"
#include "ops/rearrange.h"

namespace pyasc {

ShapeText::ShapeText(const int64_t* shape, int ndim) {
    size_t at = 0;
    text[at++] = '(';
    for (int d = 0; d < ndim && at < sizeof(text) - 32; ++d) {
        at += static_cast<size_t>(std::snprintf(text + at, sizeof(text) - at, d ? ", %" PRId64 : "%" PRId64, shape[d]));
    }
    std::snprintf(text + at, sizeof(text) - at, ndim == 1 ? ",)" : ")");
}

void require_shape(Call& call, const char* name, const View& v, const int64_t* shape, int ndim) {
    bool same = v.ndim == ndim;
    for (int d = 0; same && d < ndim; ++d) same = v.shape[d] == shape[d];
    if (!same)
        call.require(false, "%s has shape %s; it must have %s", name, ShapeText(v).text, ShapeText(shape, ndim).text);
}

void require_int(Call& call, const char* name, DType type) {
    call.require(type == DType::I64 || type == DType::I32, "%s is %s; it must be int32 or int64", name,
                 dtype_name(type));
}

bool store_scalar(Call& call, const char* name, const aclScalar* s, DType type, Item* out) {
    if (!call.scalar(name, s).ok()) return false;
    return call
        .require(s->store(type, out->bytes), "%s, %g, is not representable as %s", name, s->as_double(),
                 dtype_name(type))
        .ok();
}

bool check_list(Call& call, const char* name, const aclTensorList* list) {
    if (!call.ok()) return false;
    if (list == nullptr || !is_live(list)) {
        call.in(name, list);  // says what is wrong
        return false;
    }
    for (uint64_t i = 0; i < list->size; ++i) {
        if (list->data[i] == nullptr || !is_live(list->data[i])) {
            call.in(name, list->data[i]);
            return false;
        }
    }
    return true;
}

Dense::Dense(const View& v, bool filled) : memory(is_dense(v) ? 0 : v.size * v.item()), view(v) {
    if (is_dense(v) || memory.data == nullptr) return;
    view = contiguous_view(memory.data, v.dtype, v.shape, v.ndim);
    if (filled) copy_view(view, v);
}

int32_t no_memory(const char* op) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no host memory for its temporary arrays", op);
}

void copy_unless_same(const View& out, const View& self) {
    bool same = out.data == self.data && out.ndim == self.ndim;
    for (int d = 0; same && d < out.ndim; ++d) same = out.stride[d] == self.stride[d];
    if (!same) copy_view(out, self);
}

}  // namespace pyasc

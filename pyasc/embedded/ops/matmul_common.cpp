// Products of views of any types, through temporary copies where a kernel needs them.
#include "ops/matmul_common.h"

#include <cstdlib>
#include <cstring>

#include "kernels/copy.h"

namespace pyasc {

Temporary::~Temporary() { std::free(view_.data); }

bool Temporary::allocate(DType dtype, const int64_t* shape, int ndim) {
    View v = contiguous_view(nullptr, dtype, shape, ndim);
    const size_t bytes = (static_cast<size_t>(v.size) * static_cast<size_t>(v.item()) + 64) / 64 * 64;
    v.data = static_cast<char*>(std::aligned_alloc(64, bytes));
    if (!v.data) return false;
    std::free(view_.data);
    view_ = v;
    return true;
}

bool Temporary::copy_of(const View& v, DType dtype) { return allocate(dtype, v.shape, v.ndim) && copy_view(view_, v); }

View insert_dim(const View& v, int at) {
    View out = v;
    for (int d = v.ndim; d > at; --d) {
        out.shape[d] = v.shape[d - 1];
        out.stride[d] = v.stride[d - 1];
    }
    out.shape[at] = 1;
    out.stride[at] = 0;
    ++out.ndim;
    return out;
}

View swap_last_two(const View& v) {
    View out = v;
    std::swap(out.shape[v.ndim - 1], out.shape[v.ndim - 2]);
    std::swap(out.stride[v.ndim - 1], out.stride[v.ndim - 2]);
    return out;
}

void check_cube_math(Call& call, int8_t cube_math_type) {
    call.require(cube_math_type >= 0 && cube_math_type <= 4,
                 "cubeMathType is %d; 0 (keep the dtype), 1 (allow less precision), 2 (float16), 3 (HFLOAT32) and 4 "
                 "(grouped float32 sums) are known",
                 cube_math_type);
}

DType product_type(Call& call) {
    if (!call.ok()) return DType::None;
    DType type = call.dtype(0);
    for (int i = 1; i < call.inputs(); ++i) {
        const DType next = promote(type, call.dtype(i));
        call.require(next != DType::None, "%s and %s cannot be multiplied; cast one of them (aclnnCast)",
                     dtype_name(type), dtype_name(call.dtype(i)));
        if (!call.ok()) return DType::None;
        type = next;
    }
    const DType out = call.output(0).dtype;
    call.require(gemm_supported(type, out) || (gemm_supported(type, type) && converts(type, out)),
                 "a product of %s cannot be stored as %s", dtype_name(type), dtype_name(out));
    return call.ok() ? type : DType::None;
}

Factor scale_factor(Call& call, const char* name, const aclScalar* s, DType type, bool optional) {
    Factor f;
    if (optional && !s) return f;
    call.scalar(name, s);
    if (!call.ok()) return f;
    call.require(!is_complex(s->dtype) || is_complex(type), "%s is complex, but the tensors are %s", name,
                 dtype_name(type));
    call.require(!is_float(s->dtype) || is_float(type) || is_complex(type),
                 "%s is the floating-point number %g, but the tensors are %s; pass an integer", name, s->as_double(),
                 dtype_name(type));
    f.real = s->as_double();
    f.imag = is_complex(s->dtype) ? s->imag : 0.0;
    f.integer = s->as_int();
    return f;
}

int32_t product(const View& a, const View& b, const View& c, const View* s, DType type, const Factor& alpha,
                const Factor& beta) {
    if (c.size == 0) return 0;
    const bool reads_s = s && (beta.real != 0 || beta.imag != 0);
    if (a.dtype == type && b.dtype == type && gemm_supported(type, c.dtype) && !may_overlap(a, c) &&
        !may_overlap(b, c)) {
        if (!reads_s || s->dtype == c.dtype) {
            // s may be c itself, element for element; anything else that overlaps is copied first.
            const bool same = reads_s && s->data == c.data && s->ndim == c.ndim;
            if (!reads_s || same || !may_overlap(*s, c)) return matmul(a, b, c, reads_s ? s : nullptr, alpha, beta), 0;
        }
    }
    Temporary own_a, own_b, own_c, own_s;
    if (a.dtype != type && !own_a.copy_of(a, type)) return kOutOfMemory;
    if (b.dtype != type && !own_b.copy_of(b, type)) return kOutOfMemory;
    const DType out = gemm_supported(type, c.dtype) ? c.dtype : type;
    if (!own_c.allocate(out, c.shape, c.ndim)) return kOutOfMemory;
    if (reads_s && !own_s.copy_of(*s, out)) return kOutOfMemory;
    matmul(a.dtype != type ? own_a.view() : a, b.dtype != type ? own_b.view() : b, own_c.view(),
           reads_s ? &own_s.view() : nullptr, alpha, beta);
    copy_view(c, own_c.view());
    return 0;
}

}  // namespace pyasc

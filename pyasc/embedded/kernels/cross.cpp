// Cross products: one pass over the vectors, whatever their layout.
#include "kernels/cross.h"

#include "kernels/half.h"

namespace pyasc {
namespace {

struct Steps {
    int ndim = 0;
    int64_t shape[kMaxDims];
    int64_t step[3][kMaxDims];  // elements: out, a, b
    int64_t along[3] = {};      // from one component to the next
};

template <class T>
auto load(const T& x) {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        return widen(x);
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<uint64_t>(x);  // wraps
    } else {
        return x;
    }
}

template <class T, class V>
void store(T* to, V x) {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        narrow(x, to);
    } else {
        *to = static_cast<T>(x);
    }
}

template <class V>
V product(V a, V b) {
    if constexpr (std::is_arithmetic_v<V>) {
        return a * b;
    } else {
        return V(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    }
}

template <class T>
void run(const Steps& s, const View& out, const View& a, const View& b) {
    T* c = reinterpret_cast<T*>(out.data);
    const T *x = reinterpret_cast<const T*>(a.data), *y = reinterpret_cast<const T*>(b.data);
    int64_t index[kMaxDims] = {};
    for (;;) {
        const auto x0 = load(x[0]), x1 = load(x[s.along[1]]), x2 = load(x[2 * s.along[1]]);
        const auto y0 = load(y[0]), y1 = load(y[s.along[2]]), y2 = load(y[2 * s.along[2]]);
        store(c, product(x1, y2) - product(x2, y1));
        store(c + s.along[0], product(x2, y0) - product(x0, y2));
        store(c + 2 * s.along[0], product(x0, y1) - product(x1, y0));
        int d = s.ndim - 1;
        for (; d >= 0; --d) {
            c += s.step[0][d];
            x += s.step[1][d];
            y += s.step[2][d];
            if (++index[d] < s.shape[d]) break;
            c -= s.step[0][d] * s.shape[d];
            x -= s.step[1][d] * s.shape[d];
            y -= s.step[2][d] * s.shape[d];
            index[d] = 0;
        }
        if (d < 0) return;
    }
}

// Step of v along dimension d of an output of `ndim` dimensions.
int64_t broadcast_step(const View& v, int ndim, int d) {
    const int own = d - (ndim - v.ndim);
    return own < 0 || v.shape[own] == 1 ? 0 : v.stride[own];
}

}  // namespace

bool cross_fits(const View& a, const View& b, const View& out, int axis) {
    for (const View* v : {&a, &b}) {
        if (v->ndim > out.ndim || axis < out.ndim - v->ndim) return false;
        for (int d = 0; d < v->ndim; ++d) {
            const int64_t n = out.shape[d + out.ndim - v->ndim];
            if (v->shape[d] != n && v->shape[d] != 1) return false;
        }
        if (v->shape[axis - (out.ndim - v->ndim)] != 3) return false;
    }
    for (int d = 0; d < out.ndim; ++d) {
        const int da = d - (out.ndim - a.ndim), db = d - (out.ndim - b.ndim);
        const bool from_a = da >= 0 && a.shape[da] == out.shape[d], from_b = db >= 0 && b.shape[db] == out.shape[d];
        if (!from_a && !from_b && out.shape[d] != 1) return false;
    }
    return true;
}

void cross(const View& a, const View& b, const View& out, int axis) {
    if (out.size == 0) return;
    Steps s;
    const View* views[] = {&out, &a, &b};
    for (int d = 0; d < out.ndim; ++d) {
        for (int k = 0; k < 3; ++k) {
            const int64_t step = broadcast_step(*views[k], out.ndim, d);
            (d == axis ? s.along[k] : s.step[k][s.ndim]) = step;
        }
        if (d != axis) s.shape[s.ndim++] = out.shape[d];
    }
    switch (out.dtype) {
#define PYASC_CASE(name) \
    case DType::name: return run<type_of<DType::name>::t>(s, out, a, b);
        // clang-format off
        PYASC_CASE(I8)
        PYASC_CASE(U8)
        PYASC_CASE(I16)
        PYASC_CASE(U16)
        PYASC_CASE(I32)
        PYASC_CASE(U32)
        PYASC_CASE(I64)
        PYASC_CASE(U64)
        PYASC_CASE(F16)
        PYASC_CASE(BF16)
        PYASC_CASE(F32)
        PYASC_CASE(F64)
        PYASC_CASE(C64)
        PYASC_CASE(C128)
        // clang-format on
#undef PYASC_CASE
        default: return;
    }
}

}  // namespace pyasc

// Pooling, plane by plane: each plane is made dense and of the type that is computed in, rows of outputs are
// accumulated.
#include "kernels/conv_pool.h"

#include <algorithm>
#include <limits>

#include "kernels/gemm.h"
#include "kernels/half.h"
#include "kernels/pool.h"

namespace pyasc::PYASC_ISA {
namespace {

int64_t plane_size(const View& v) { return v.shape[2] * v.shape[3] * v.shape[4]; }

bool dense_plane(const View& v) {
    return (v.shape[4] == 1 || v.stride[4] == 1) && (v.shape[3] == 1 || v.stride[3] == v.shape[4]) &&
           (v.shape[2] == 1 || v.stride[2] == v.shape[3] * v.shape[4]);
}

char* plane_of(const View& v, int64_t plane) {
    return v.data + (plane / v.shape[1] * v.stride[0] + plane % v.shape[1] * v.stride[1]) * v.item();
}

// Calls f(row, index of the row's first element) for every row of a plane.
template <class E, class F>
void each_row(const View& v, int64_t plane, F&& f) {
    E* base = reinterpret_cast<E*>(plane_of(v, plane));
    for (int64_t d = 0; d < v.shape[2]; ++d) {
        for (int64_t h = 0; h < v.shape[3]; ++h) {
            f(base + d * v.stride[2] + h * v.stride[3], (d * v.shape[3] + h) * v.shape[4]);
        }
    }
}

// The plane as dense T's: in place, or in `buffer`.
template <class T, class Src>
const T* load_plane(const View& v, int64_t plane, GemmBuffer buffer) {
    if constexpr (std::is_same_v<T, Src>) {
        if (dense_plane(v)) return reinterpret_cast<const T*>(plane_of(v, plane));
    }
    T* to = reinterpret_cast<T*>(gemm_buffer(buffer, plane_size(v) * sizeof(T)));
    each_row<Src>(v, plane, [&](const Src* row, int64_t at) {
        if constexpr (std::is_same_v<T, Src>) {
            for (int64_t w = 0; w < v.shape[4]; ++w) to[at + w] = row[w * v.stride[4]];
        } else {
            widen_row<Src>(reinterpret_cast<const char*>(row), v.stride[4] * 2, to + at, v.shape[4]);
        }
    });
    return to;
}

template <class T, class Out>
void store_plane(const T* from, const View& v, int64_t plane) {
    each_row<Out>(v, plane, [&](Out* row, int64_t at) {
        if constexpr (std::is_same_v<Out, f16> || std::is_same_v<Out, bf16>) {
            narrow_row<Out>(from + at, reinterpret_cast<char*>(row), v.stride[4] * 2, v.shape[4]);
        } else {
            for (int64_t w = 0; w < v.shape[4]; ++w) row[w * v.stride[4]] = static_cast<Out>(from[at + w]);
        }
    });
}

int64_t ceil_div(int64_t a, int64_t b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

// Input positions begin, begin + step, ... below end along one dimension; `full` counts those in the padding too.
struct Window {
    int64_t begin, end, step, full;
    int64_t count() const { return begin >= end ? 0 : (end - begin + step - 1) / step; }
};

Window window(const PoolShape& s, int d, int64_t o) {
    if (s.adaptive) {
        const int64_t begin = o * s.in[d] / s.out[d], end = ceil_div((o + 1) * s.in[d], s.out[d]);
        return {begin, end, 1, end - begin};
    }
    const int64_t first = o * s.stride[d] - s.pad[d], after = first + s.kernel[d] * s.dilation[d];
    const int64_t skipped = first < 0 ? ceil_div(-first, s.dilation[d]) : 0;
    return {first + skipped * s.dilation[d], std::min(s.in[d], after), s.dilation[d],
            std::min(first + s.kernel[d], s.in[d] + s.pad_end[d]) - first};
}

// For one row of outputs: calls f(o0, o1, from), once for each tap of the last dimension, where outputs o0 <= o < o1
// take input from + o * stride.
template <class F>
void each_tap(const PoolShape& s, F&& f) {
    for (int64_t t = 0; t < s.kernel[2]; ++t) {
        const int64_t shift = t * s.dilation[2] - s.pad[2];
        const int64_t o0 = std::max<int64_t>(0, ceil_div(-shift, s.stride[2]));
        const int64_t o1 = std::min(s.out[2], s.in[2] - 1 - shift < 0 ? 0 : (s.in[2] - 1 - shift) / s.stride[2] + 1);
        if (o0 < o1) f(o0, o1, shift);
    }
}

// Calls f(output row, input row) for every pair of rows that meet in a window.
template <class F>
void each_pair_of_rows(const PoolShape& s, F&& f) {
    for (int64_t d = 0; d < s.out[0]; ++d) {
        const Window wd = window(s, 0, d);
        for (int64_t h = 0; h < s.out[1]; ++h) {
            const Window wh = window(s, 1, h);
            for (int64_t i = wd.begin; i < wd.end; i += wd.step) {
                for (int64_t j = wh.begin; j < wh.end; j += wh.step) f(d * s.out[1] + h, i * s.in[1] + j);
            }
        }
    }
}

// Calls f(output, input) for every element of every window, along the last dimension of a pair of rows.
template <class F>
void each_element(const PoolShape& s, int64_t row, int64_t in_row, F&& f) {
    for (int64_t o = 0; o < s.out[2]; ++o) {
        const Window w = window(s, 2, o);
        for (int64_t i = w.begin; i < w.end; i += w.step) f(row * s.out[2] + o, in_row * s.in[2] + i);
    }
}

template <class T>
T divisor(const PoolShape& s, const Window& d, const Window& h, const Window& w) {
    if (s.divisor) return static_cast<T>(s.divisor);
    return static_cast<T>(s.include_pad ? d.full * h.full * w.full : d.count() * h.count() * w.count());
}

// Divides every output by the size of its window.
template <class T>
void divide(const PoolShape& s, T* y) {
    for (int64_t d = 0; d < s.out[0]; ++d) {
        for (int64_t h = 0; h < s.out[1]; ++h) {
            const Window wd = window(s, 0, d), wh = window(s, 1, h);
            for (int64_t w = 0; w < s.out[2]; ++w, ++y) *y /= divisor<T>(s, wd, wh, window(s, 2, w));
        }
    }
}

template <class T>
void max_rows(const PoolShape& s, const T* x, T* y, int64_t* index) {
    each_pair_of_rows(s, [&](int64_t row, int64_t in_row) {
        const auto take = [&](int64_t o, int64_t i) {
            const T v = x[i];
            if (v > y[o] || v != v || index[o] < 0) {
                if (!(y[o] != y[o])) y[o] = v, index[o] = i;
            }
        };
        if (index) return each_element(s, row, in_row, take);
        T* to = y + row * s.out[2];
        const T* from = x + in_row * s.in[2];
        if (s.adaptive) {
            return each_element(s, row, in_row,
                                [&](int64_t o, int64_t i) { y[o] = x[i] > y[o] || x[i] != x[i] ? x[i] : y[o]; });
        }
        each_tap(s, [&](int64_t o0, int64_t o1, int64_t shift) {
            const T* in = from + shift;
            if (s.stride[2] == 1) {
                for (int64_t o = o0; o < o1; ++o) to[o] = in[o] > to[o] || in[o] != in[o] ? in[o] : to[o];
            } else if (s.stride[2] == 2) {
                for (int64_t o = o0; o < o1; ++o)
                    to[o] = in[2 * o] > to[o] || in[2 * o] != in[2 * o] ? in[2 * o] : to[o];
            } else {
                for (int64_t o = o0; o < o1; ++o) {
                    const T v = in[o * s.stride[2]];
                    to[o] = v > to[o] || v != v ? v : to[o];
                }
            }
        });
    });
}

template <class T>
void sum_rows(const PoolShape& s, const T* x, T* y) {
    each_pair_of_rows(s, [&](int64_t row, int64_t in_row) {
        if (s.adaptive) return each_element(s, row, in_row, [&](int64_t o, int64_t i) { y[o] += x[i]; });
        T* to = y + row * s.out[2];
        each_tap(s, [&](int64_t o0, int64_t o1, int64_t shift) {
            const T* in = x + in_row * s.in[2] + shift;
            if (s.stride[2] == 1) {
                for (int64_t o = o0; o < o1; ++o) to[o] += in[o];
            } else {
                for (int64_t o = o0; o < o1; ++o) to[o] += in[o * s.stride[2]];
            }
        });
    });
}

template <class F>
void each_plane(const View& small, const View& large, F&& f) {
    const int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(1, plane_size(large)));
    parallel_for(small.shape[0] * small.shape[1], grain, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p) f(p);
    });
}

template <class T, class Src>
void max_any(const PoolShape& s, const View& x, const View& y, const View* index) {
    each_plane(y, x, [&](int64_t plane) {
        const int64_t n = plane_size(y);
        const T* from = load_plane<T, Src>(x, plane, GemmBuffer::Image);
        T* to = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::Accumulator, n * sizeof(T)));
        int64_t* at =
            index ? reinterpret_cast<int64_t*>(gemm_buffer(GemmBuffer::Offsets, n * sizeof(int64_t))) : nullptr;
        std::fill_n(to, n, -std::numeric_limits<T>::infinity());
        if (at) std::fill_n(at, n, int64_t{-1});
        max_rows(s, from, to, at);
        store_plane<T, Src>(to, y, plane);
        if (!index) return;
        if (index->dtype == DType::I32) {
            store_plane<int64_t, int32_t>(at, *index, plane);
        } else {
            store_plane<int64_t, int64_t>(at, *index, plane);
        }
    });
}

template <class T, class Src>
void mean_any(const PoolShape& s, const View& x, const View& y) {
    each_plane(y, x, [&](int64_t plane) {
        const int64_t n = plane_size(y);
        const T* from = load_plane<T, Src>(x, plane, GemmBuffer::Image);
        T* to = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::Accumulator, n * sizeof(T)));
        std::fill_n(to, n, T(0));
        sum_rows(s, from, to);
        divide(s, to);
        store_plane<T, Src>(to, y, plane);
    });
}

template <class T, class Src>
void max_gradient_any(const View& gy, const View& index, const View& gx) {
    each_plane(gy, gx, [&](int64_t plane) {
        const int64_t n = plane_size(gx), rows = gy.shape[3];
        const T* from = load_plane<T, Src>(gy, plane, GemmBuffer::Image);
        T* to = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::Accumulator, n * sizeof(T)));
        std::fill_n(to, n, T(0));
        const char* at = plane_of(index, plane);
        for (int64_t i = 0; i < plane_size(gy); ++i) {
            const int64_t w = i % gy.shape[4], h = i / gy.shape[4] % rows, d = i / gy.shape[4] / rows;
            const int64_t offset = d * index.stride[2] + h * index.stride[3] + w * index.stride[4];
            const int64_t target = index.dtype == DType::I32 ? reinterpret_cast<const int32_t*>(at)[offset]
                                                             : reinterpret_cast<const int64_t*>(at)[offset];
            if (target >= 0 && target < n) to[target] += from[i];
        }
        store_plane<T, Src>(to, gx, plane);
    });
}

template <class T, class Src>
void mean_gradient_any(const PoolShape& s, const View& gy, const View& gx) {
    each_plane(gy, gx, [&](int64_t plane) {
        const int64_t n = plane_size(gx), outputs = plane_size(gy);
        const T* from = load_plane<T, Src>(gy, plane, GemmBuffer::Image);
        T* to = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::Accumulator, (n + outputs) * sizeof(T)));
        T* share = to + n;  // what each element of a window gets
        std::fill_n(to, n, T(0));
        std::copy_n(from, outputs, share);
        divide(s, share);
        each_pair_of_rows(s, [&](int64_t row, int64_t in_row) {
            each_element(s, row, in_row, [&](int64_t o, int64_t i) { to[i] += share[o]; });
        });
        store_plane<T, Src>(to, gx, plane);
    });
}

// Calls f<T, Src>(...) for the view's type.
#define PYASC_DISPATCH(view, f, ...)                            \
    switch ((view).dtype) {                                     \
        case DType::F16: return f<float, f16>(__VA_ARGS__);     \
        case DType::BF16: return f<float, bf16>(__VA_ARGS__);   \
        case DType::F32: return f<float, float>(__VA_ARGS__);   \
        case DType::F64: return f<double, double>(__VA_ARGS__); \
        default: return;                                        \
    }

void max(const PoolShape& s, const View& x, const View& y, const View* index) {
    PYASC_DISPATCH(x, max_any, s, x, y, index)
}

void mean(const PoolShape& s, const View& x, const View& y) { PYASC_DISPATCH(x, mean_any, s, x, y) }

void max_gradient(const View& gy, const View& index, const View& gx) {
    PYASC_DISPATCH(gy, max_gradient_any, gy, index, gx)
}

void mean_gradient(const PoolShape& s, const View& gy, const View& gx) {
    PYASC_DISPATCH(gy, mean_gradient_any, s, gy, gx)
}
#undef PYASC_DISPATCH

}  // namespace

extern const PoolKernels pool_kernels;
const PoolKernels pool_kernels = {max, mean, max_gradient, mean_gradient};

}  // namespace pyasc::PYASC_ISA

// What the files that call LAPACK share: its functions for an element type, and the matrices of a batch, which are
// copied to column-major buffers and back.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/blas.h"
#include "kernels/half.h"
#include "kernels/pool.h"
#include "kernels/view.h"

namespace pyasc {

// LAPACK's functions for element type T. Character arguments carry a hidden length at the end of the list.
template <class T>
struct Lapack {
    using R = decltype(std::abs(T()));
    static constexpr bool complex = !std::is_same_v<T, R>;
    void (*getrf)(const int*, const int*, T*, const int*, int*, int*);
    void (*getrs)(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*, size_t);
    void (*getri)(const int*, T*, const int*, const int*, T*, const int*, int*);
    void (*geqrf)(const int*, const int*, T*, const int*, T*, T*, const int*, int*);
    void (*orgqr)(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);
    void (*potrf)(const char*, const int*, T*, const int*, int*, size_t);
    void (*trsm)(const char*, const char*, const char*, const char*, const int*, const int*, const T*, const T*,
                 const int*, T*, const int*, size_t, size_t, size_t, size_t);
    void *gesdd, *heevd, *geev, *gelsd;  // complex matrices have other arguments

    template <class F>
    void bind(F* f, const char* rest) {
        const char letter[] = {std::is_same_v<T, float>    ? 's'
                               : std::is_same_v<T, double> ? 'd'
                               : std::is_same_v<T, c64>    ? 'c'
                                                           : 'z',
                               0};
        *f = reinterpret_cast<F>(lapack_function((std::string(letter) + rest).c_str()));
    }
    Lapack() {
        bind(&getrf, "getrf");
        bind(&getrs, "getrs");
        bind(&getri, "getri");
        bind(&geqrf, "geqrf");
        bind(&orgqr, complex ? "ungqr" : "orgqr");
        bind(&potrf, "potrf");
        bind(&trsm, "trsm");
        bind(&gesdd, "gesdd");
        bind(&heevd, complex ? "heevd" : "syevd");
        bind(&geev, "geev");
        bind(&gelsd, "gelsd");
    }
};

template <class T>
const Lapack<T>& lapack() {
    static const Lapack<T> it;
    return it;
}

// One matrix of a batch, with steps in elements.
struct Slice {
    char* data;
    int64_t row, col;
};

inline int64_t rows_of(const View& v) { return v.shape[v.ndim - 2]; }
inline int64_t cols_of(const View& v) { return v.shape[v.ndim - 1]; }

// Leading dimensions, in C order; views with fewer or shorter ones are broadcast.
struct Batch {
    int ndim;
    const int64_t* shape;
    int64_t count = 1;

    Batch(const View& v, int trailing) : ndim(v.ndim - trailing), shape(v.shape) {
        for (int d = 0; d < ndim; ++d) count *= shape[d];
    }
    char* at(const View& v, int trailing, int64_t index) const {
        int64_t offset = 0;
        const int own = v.ndim - trailing;
        for (int d = ndim - 1; d >= 0; --d) {
            const int64_t i = d == 0 ? index : index % shape[d];
            if (d > 0) index /= shape[d];
            const int k = d - (ndim - own);
            if (k >= 0 && v.shape[k] != 1) offset += i * v.stride[k];
        }
        return v.data + offset * v.item();
    }
    Slice matrix(const View& v, int64_t index) const {
        return {at(v, 2, index), v.stride[v.ndim - 2], v.stride[v.ndim - 1]};
    }
    // f(room, i) for every matrix of the batch, several at a time on several threads. `room` is a Room that f finds as
    // it left it at another matrix: buffers are allocated once for many matrices.
    template <class Room, class F>
    void each(int64_t work, F&& f) const {
        const int64_t grain = std::max<int64_t>(1, 100000 / std::max<int64_t>(1, work));
        parallel_for(count, grain, [&](int64_t begin, int64_t end) {
            Room room;
            for (int64_t i = begin; i < end; ++i) f(room, i);
        });
    }
};

// How many matrices of a batch failed: counted on all threads, written at the end, to a view that may be missing.
class Failures {
  public:
    explicit Failures(const View* info) : info_(info) {}
    ~Failures() {
        if (info_) *reinterpret_cast<int32_t*>(info_->data) = count_.load(std::memory_order_relaxed);
    }
    void add(bool failed) {
        if (failed) count_.fetch_add(1, std::memory_order_relaxed);
    }

  private:
    const View* info_;
    std::atomic<int32_t> count_{0};
};

// f(i, j) for all elements of an m by n matrix, in tiles: whichever way source and target lie, both stay in the cache.
template <class F>
void tiled(int64_t m, int64_t n, F&& f) {
    constexpr int64_t tile = 8;
    for (int64_t i0 = 0; i0 < m; i0 += tile) {
        const int64_t i1 = std::min(m, i0 + tile);
        for (int64_t j0 = 0; j0 < n; j0 += tile) {
            const int64_t j1 = std::min(n, j0 + tile);
            for (int64_t i = i0; i < i1; ++i) {
                for (int64_t j = j0; j < j1; ++j) f(i, j);
            }
        }
    }
}

template <class T, class Src>
void load_as(const Slice& s, int64_t m, int64_t n, T* to) {
    const Src* from = reinterpret_cast<const Src*>(s.data);
    tiled(m, n, [=](int64_t i, int64_t j) {
        const Src& x = from[i * s.row + j * s.col];
        if constexpr (std::is_same_v<Src, f16> || std::is_same_v<Src, bf16>) {
            to[j * m + i] = widen(x);
        } else {
            to[j * m + i] = x;
        }
    });
}

// Copies an m by n matrix to a column-major buffer.
template <class T>
void load(const Slice& s, DType type, int64_t m, int64_t n, T* to) {
    if constexpr (std::is_same_v<T, float>) {
        if (type == DType::F16) return load_as<T, f16>(s, m, n, to);
        if (type == DType::BF16) return load_as<T, bf16>(s, m, n, to);
    }
    load_as<T, T>(s, m, n, to);
}

// Writes element (i, j) = value(i, j) of an m by n matrix.
template <class T, class F>
void store(const Slice& s, DType type, int64_t m, int64_t n, F value) {
    if constexpr (std::is_same_v<T, float>) {
        const auto narrowed = [&](auto* to) {
            tiled(m, n, [&](int64_t i, int64_t j) { narrow(value(i, j), to + i * s.row + j * s.col); });
        };
        if (type == DType::F16) return narrowed(reinterpret_cast<f16*>(s.data));
        if (type == DType::BF16) return narrowed(reinterpret_cast<bf16*>(s.data));
    }
    T* to = reinterpret_cast<T*>(s.data);
    tiled(m, n, [&](int64_t i, int64_t j) { to[i * s.row + j * s.col] = value(i, j); });
}

template <class T>
T not_a_number() {
    return T(std::numeric_limits<typename Lapack<T>::R>::quiet_NaN());
}

template <class T>
int as_int(T x) {
    return static_cast<int>(std::real(x));
}

// Writes the real number x, as T's if the output has T's type.
template <class T>
void put_real(const View& out, char* to, typename Lapack<T>::R x) {
    if (out.dtype == dtype_of<T>::value) {
        *reinterpret_cast<T*>(to) = T(x);
    } else {
        *reinterpret_cast<typename Lapack<T>::R*>(to) = x;
    }
}

// Calls f<T>(...) for the type the view is computed in.
#define PYASC_DISPATCH(view, f, ...)                    \
    switch ((view).dtype) {                             \
        case DType::F16:                                \
        case DType::BF16:                               \
        case DType::F32: return f<float>(__VA_ARGS__);  \
        case DType::F64: return f<double>(__VA_ARGS__); \
        case DType::C64: return f<c64>(__VA_ARGS__);    \
        case DType::C128: return f<c128>(__VA_ARGS__);  \
        default: return;                                \
    }

}  // namespace pyasc

// Batches of matrices for LAPACK: each is copied to a column-major buffer, and the results are copied out.
#include "kernels/blas_linalg.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/blas.h"
#include "kernels/half.h"
#include "kernels/pool.h"

namespace pyasc {
namespace {

// LAPACK's functions for element type T. Character arguments carry a hidden length at the end of the list.
template <class T>
struct Lapack {
    using R = decltype(std::abs(T()));
    static constexpr bool complex = !std::is_same_v<T, R>;
    void (*getrf)(const int*, const int*, T*, const int*, int*, int*);
    void (*getri)(const int*, T*, const int*, const int*, T*, const int*, int*);
    void (*geqrf)(const int*, const int*, T*, const int*, T*, T*, const int*, int*);
    void (*orgqr)(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);
    void (*potrf)(const char*, const int*, T*, const int*, int*, size_t);
    void (*trsm)(const char*, const char*, const char*, const char*, const int*, const int*, const T*, const T*,
                 const int*, T*, const int*, size_t, size_t, size_t, size_t);
    void* gesdd;  // complex matrices have one argument more

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
        bind(&getri, "getri");
        bind(&geqrf, "geqrf");
        bind(&orgqr, complex ? "ungqr" : "orgqr");
        bind(&potrf, "potrf");
        bind(&trsm, "trsm");
        bind(&gesdd, "gesdd");
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
            const int64_t i = index % shape[d];
            index /= shape[d];
            const int k = d - (ndim - own);
            if (k >= 0 && v.shape[k] != 1) offset += i * v.stride[k];
        }
        return v.data + offset * v.item();
    }
    Slice matrix(const View& v, int64_t index) const {
        return {at(v, 2, index), v.stride[v.ndim - 2], v.stride[v.ndim - 1]};
    }
    // Every matrix of the batch, several at a time on several threads.
    template <class F>
    void each(int64_t work, F&& f) const {
        const int64_t grain = std::max<int64_t>(1, 100000 / std::max<int64_t>(1, work));
        parallel_for(count, grain, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) f(i);
        });
    }
};

template <class T, class Src>
void load_as(const Slice& s, int64_t m, int64_t n, T* to) {
    const Src* from = reinterpret_cast<const Src*>(s.data);
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) {
            const Src& x = from[i * s.row + j * s.col];
            if constexpr (std::is_same_v<Src, f16> || std::is_same_v<Src, bf16>) {
                to[j * m + i] = widen(x);
            } else {
                to[j * m + i] = x;
            }
        }
    }
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
    for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) {
            const int64_t at = i * s.row + j * s.col;
            const T x = value(i, j);
            if constexpr (std::is_same_v<T, float>) {
                if (type == DType::F16) {
                    narrow(x, reinterpret_cast<f16*>(s.data) + at);
                    continue;
                }
                if (type == DType::BF16) {
                    narrow(x, reinterpret_cast<bf16*>(s.data) + at);
                    continue;
                }
            }
            reinterpret_cast<T*>(s.data)[at] = x;
        }
    }
}

template <class T>
T not_a_number() {
    return T(std::numeric_limits<typename Lapack<T>::R>::quiet_NaN());
}

template <class T>
int as_int(T x) {
    return static_cast<int>(std::real(x));
}

int64_t rows_of(const View& v) { return v.shape[v.ndim - 2]; }
int64_t cols_of(const View& v) { return v.shape[v.ndim - 1]; }

template <class T>
void inverse(const View& a, const View& out) {
    const Lapack<T>& f = lapack<T>();
    const int n = static_cast<int>(rows_of(a));
    const Batch batch(a, 2);
    if (n == 0) return;
    batch.each(int64_t{n} * n * n, [&](int64_t b) {
        std::vector<T> x(static_cast<size_t>(n) * n);
        std::vector<int> pivot(n);
        load(batch.matrix(a, b), a.dtype, n, n, x.data());
        int info = 0, lwork = -1;
        f.getrf(&n, &n, x.data(), &n, pivot.data(), &info);
        if (info == 0) {
            T best{};
            f.getri(&n, x.data(), &n, pivot.data(), &best, &lwork, &info);
            lwork = std::max(1, as_int(best));
            std::vector<T> work(lwork);
            f.getri(&n, x.data(), &n, pivot.data(), work.data(), &lwork, &info);
        }
        if (info != 0) std::fill(x.begin(), x.end(), not_a_number<T>());
        store<T>(batch.matrix(out, b), out.dtype, n, n, [&](int64_t i, int64_t j) { return x[j * n + i]; });
    });
}

template <class T>
struct Determinant {
    T sign;
    typename Lapack<T>::R log;
};

template <class T>
Determinant<T> determinant(const Batch& batch, const View& a, int64_t b) {
    using R = typename Lapack<T>::R;
    const int n = static_cast<int>(rows_of(a));
    Determinant<T> det{T(1), R(0)};
    if (n == 0) return det;
    std::vector<T> x(static_cast<size_t>(n) * n);
    std::vector<int> pivot(n);
    load(batch.matrix(a, b), a.dtype, n, n, x.data());
    int info = 0;
    lapack<T>().getrf(&n, &n, x.data(), &n, pivot.data(), &info);
    for (int i = 0; i < n; ++i) {
        const T d = x[static_cast<size_t>(i) * n + i];
        const R size = std::abs(d);
        if (size == R(0)) return {T(0), -std::numeric_limits<R>::infinity()};
        if (pivot[i] != i + 1) det.sign = -det.sign;
        det.sign *= d / size;
        det.log += std::log(size);
    }
    return det;
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

template <class T>
void slogdet(const View& a, const View& sign, const View& log) {
    const Batch batch(a, 2);
    const int64_t n = rows_of(a);
    batch.each(n * n * n, [&](int64_t b) {
        const Determinant<T> det = determinant<T>(batch, a, b);
        *reinterpret_cast<T*>(batch.at(sign, 0, b)) = det.sign;
        put_real<T>(log, batch.at(log, 0, b), det.log);
    });
}

template <class T>
void logdet(const View& a, const View& out) {
    const Batch batch(a, 2);
    const int64_t n = rows_of(a);
    batch.each(n * n * n, [&](int64_t b) {
        const Determinant<T> det = determinant<T>(batch, a, b);
        T value(det.log);
        if constexpr (Lapack<T>::complex) {
            if (det.sign != T(0)) value = T(det.log, std::arg(det.sign));
        } else if (det.sign < T(0)) {
            value = not_a_number<T>();
        }
        *reinterpret_cast<T*>(batch.at(out, 0, b)) = value;
    });
}

template <class T>
void qr(const View& a, const View& q, const View& r) {
    const Lapack<T>& f = lapack<T>();
    const int m = static_cast<int>(rows_of(a)), n = static_cast<int>(cols_of(a)), k = std::min(m, n);
    const bool wants_q = q.size > 0;
    const int width = wants_q ? static_cast<int>(cols_of(q)) : 0;  // columns of q
    const int64_t r_rows = rows_of(r);
    const Batch batch(a, 2);
    batch.each(int64_t{m} * n * std::max(1, k), [&](int64_t b) {
        std::vector<T> x(static_cast<size_t>(std::max(m, 1)) * std::max(n, std::max(width, 1)));
        std::vector<T> tau(std::max(k, 1));
        load(batch.matrix(a, b), a.dtype, m, n, x.data());
        int info = 0, lwork = -1;
        const int lda = std::max(m, 1);
        std::vector<T> work(1);
        if (k > 0) {
            f.geqrf(&m, &n, x.data(), &lda, tau.data(), work.data(), &lwork, &info);
            lwork = std::max(1, as_int(work[0]));
            work.resize(lwork);
            f.geqrf(&m, &n, x.data(), &lda, tau.data(), work.data(), &lwork, &info);
        }
        store<T>(batch.matrix(r, b), r.dtype, r_rows, n,
                 [&](int64_t i, int64_t j) { return i <= j && i < k ? x[j * m + i] : T(0); });
        if (!wants_q) return;
        lwork = -1;
        f.orgqr(&m, &width, &k, x.data(), &lda, tau.data(), work.data(), &lwork, &info);
        lwork = std::max(1, as_int(work[0]));
        work.resize(std::max<size_t>(work.size(), lwork));
        f.orgqr(&m, &width, &k, x.data(), &lda, tau.data(), work.data(), &lwork, &info);
        store<T>(batch.matrix(q, b), q.dtype, m, width, [&](int64_t i, int64_t j) { return x[j * m + i]; });
    });
}

// One singular value decomposition of column-major x; LAPACK's info.
template <class T>
struct Decomposition {
    using R = typename Lapack<T>::R;
    std::vector<T> u, vh, work;
    std::vector<R> s, rwork;
    std::vector<int> iwork;

    int run(char job, int m, int n, T* x) {
        const int k = std::min(m, n), large = std::max(m, n);
        const int ldu = m, ldvt = job == 'S' ? k : n;
        u.resize(job == 'N' ? 1 : static_cast<size_t>(m) * (job == 'A' ? m : k));
        vh.resize(job == 'N' ? 1 : static_cast<size_t>(ldvt) * n);
        s.resize(k);
        iwork.resize(8 * k);
        // The bound of LAPACK 3.6 and later for complex matrices.
        if (Lapack<T>::complex)
            rwork.resize(std::max<size_t>(1, size_t(k) * std::max(5 * k + 7, 2 * large + 2 * k + 1)));
        int info = 0, lwork = -1;
        work.resize(1);
        for (int pass = 0; pass < 2; ++pass) {
            if constexpr (Lapack<T>::complex) {
                using F = void (*)(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*,
                                   const int*, T*, const int*, R*, int*, int*, size_t);
                reinterpret_cast<F>(lapack<T>().gesdd)(&job, &m, &n, x, &m, s.data(), u.data(), &ldu, vh.data(), &ldvt,
                                                       work.data(), &lwork, rwork.data(), iwork.data(), &info, 1);
            } else {
                using F = void (*)(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*,
                                   const int*, T*, const int*, int*, int*, size_t);
                reinterpret_cast<F>(lapack<T>().gesdd)(&job, &m, &n, x, &m, s.data(), u.data(), &ldu, vh.data(), &ldvt,
                                                       work.data(), &lwork, iwork.data(), &info, 1);
            }
            if (pass == 0) {
                lwork = std::max(1, as_int(work[0]));
                work.resize(lwork);
            }
        }
        return info;
    }
};

template <class T>
T conjugate(T x) {
    if constexpr (Lapack<T>::complex) {
        return std::conj(x);
    } else {
        return x;
    }
}

template <class T>
void svd(const View& a, bool vectors, const View& sigma, const View& u, const View& v) {
    const int m = static_cast<int>(rows_of(a)), n = static_cast<int>(cols_of(a)), k = std::min(m, n);
    const bool full = vectors && (cols_of(u) > k || cols_of(v) > k);
    const Batch batch(a, 2);
    batch.each(int64_t{m} * n * std::max(1, k) * 8, [&](int64_t b) {
        if (k == 0) {  // nothing to decompose: any orthogonal u and v will do
            const auto unit = [](int64_t i, int64_t j) { return T(i == j ? 1 : 0); };
            if (vectors) store<T>(batch.matrix(u, b), u.dtype, m, cols_of(u), unit);
            if (vectors) store<T>(batch.matrix(v, b), v.dtype, n, cols_of(v), unit);
            return;
        }
        std::vector<T> x(static_cast<size_t>(m) * n);
        load(batch.matrix(a, b), a.dtype, m, n, x.data());
        Decomposition<T> d;
        const int info = d.run(!vectors ? 'N' : full ? 'A' : 'S', m, n, x.data());
        char* s = batch.at(sigma, 1, b);
        for (int i = 0; i < k; ++i) {
            const auto value = info == 0 ? d.s[i] : std::numeric_limits<typename Lapack<T>::R>::quiet_NaN();
            put_real<T>(sigma, s + i * sigma.stride[sigma.ndim - 1] * sigma.item(), value);
        }
        if (!vectors) return;
        const int64_t ldv = full ? n : k;
        store<T>(batch.matrix(u, b), u.dtype, m, cols_of(u),
                 [&](int64_t i, int64_t j) { return info == 0 ? d.u[j * m + i] : not_a_number<T>(); });
        store<T>(batch.matrix(v, b), v.dtype, n, cols_of(v),
                 [&](int64_t i, int64_t j) { return info == 0 ? conjugate(d.vh[i * ldv + j]) : not_a_number<T>(); });
    });
}

template <class T>
void cholesky(const View& a, bool upper, const View& out) {
    const int n = static_cast<int>(rows_of(a));
    const Batch batch(a, 2);
    if (n == 0) return;
    batch.each(int64_t{n} * n * n, [&](int64_t b) {
        std::vector<T> x(static_cast<size_t>(n) * n);
        load(batch.matrix(a, b), a.dtype, n, n, x.data());
        int info = 0;
        lapack<T>().potrf(upper ? "U" : "L", &n, x.data(), &n, &info, 1);
        store<T>(batch.matrix(out, b), out.dtype, n, n, [&](int64_t i, int64_t j) {
            if (info != 0) return not_a_number<T>();
            return (upper ? i <= j : i >= j) ? x[j * n + i] : T(0);
        });
    });
}

template <class T>
void triangular_solve(const View& b, const View& a, Triangle kind, const View& x, const View& m) {
    const int n = static_cast<int>(rows_of(a)), width = static_cast<int>(cols_of(b));
    const Batch batch(m, 2);
    if (n == 0) return;
    batch.each(int64_t{n} * n * std::max(1, width), [&](int64_t i) {
        std::vector<T> tri(static_cast<size_t>(n) * n), rhs(static_cast<size_t>(n) * std::max(1, width));
        load(batch.matrix(a, i), a.dtype, n, n, tri.data());
        load(batch.matrix(b, i), b.dtype, n, width, rhs.data());
        const T one(1);
        if (width > 0) {
            lapack<T>().trsm("L", kind.upper ? "U" : "L", kind.transpose ? "T" : "N", kind.unit ? "U" : "N", &n, &width,
                             &one, tri.data(), &n, rhs.data(), &n, 1, 1, 1, 1);
        }
        store<T>(batch.matrix(x, i), x.dtype, n, width, [&](int64_t r, int64_t c) { return rhs[c * n + r]; });
        store<T>(batch.matrix(m, i), m.dtype, n, n,
                 [&](int64_t r, int64_t c) { return (kind.upper ? r <= c : r >= c) ? tri[c * n + r] : T(0); });
    });
}

}  // namespace

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

void linalg_inverse(const View& a, const View& out) { PYASC_DISPATCH(a, inverse, a, out) }

void linalg_slogdet(const View& a, const View& sign, const View& log) { PYASC_DISPATCH(a, slogdet, a, sign, log) }

void linalg_logdet(const View& a, const View& out) { PYASC_DISPATCH(a, logdet, a, out) }

void linalg_qr(const View& a, const View& q, const View& r) { PYASC_DISPATCH(a, qr, a, q, r) }

void linalg_svd(const View& a, bool vectors, const View& sigma, const View& u, const View& v) {
    PYASC_DISPATCH(a, svd, a, vectors, sigma, u, v)
}

void linalg_cholesky(const View& a, bool upper, const View& out) { PYASC_DISPATCH(a, cholesky, a, upper, out) }

void linalg_triangular_solve(const View& b, const View& a, Triangle kind, const View& x, const View& m) {
    PYASC_DISPATCH(a, triangular_solve, b, a, kind, x, m)
}
#undef PYASC_DISPATCH

}  // namespace pyasc

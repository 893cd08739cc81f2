// Factorisations and triangular systems: each matrix of a batch goes through LAPACK in a column-major buffer.
#include "kernels/blas_linalg.h"

#include "kernels/lapack.h"

namespace pyasc {
namespace {

// The QR factors of one matrix as LAPACK keeps them: R above the diagonal of x, the reflectors below, and tau.
template <class T>
struct Reflectors {
    std::vector<T> x, tau, work;

    int factor_work = 0, expand_work = 0;  // what LAPACK wants for matrices of this shape, once it was asked

    void factor(const Slice& s, DType type, int m, int n, int width) {
        const int lda = std::max(m, 1), k = std::min(m, n);
        x.resize(static_cast<size_t>(lda) * std::max(n, std::max(width, 1)));
        tau.resize(std::max(k, 1));
        load(s, type, m, n, x.data());
        if (k == 0) return;
        with_work(&factor_work, [&](T* room, const int* size, int* info) {
            lapack<T>().geqrf(&m, &n, x.data(), &lda, tau.data(), room, size, info);
        });
    }
    // Q over x, of `width` columns.
    void expand(int m, int width, int k) {
        const int lda = std::max(m, 1);
        with_work(&expand_work, [&](T* room, const int* size, int* info) {
            lapack<T>().orgqr(&m, &width, &k, x.data(), &lda, tau.data(), room, size, info);
        });
    }
    template <class F>
    void with_work(int* lwork, F&& f) {
        int info = 0;
        if (*lwork == 0) {
            const int ask = -1;
            T best{};
            f(&best, &ask, &info);
            *lwork = std::max(1, as_int(best));
            work.resize(std::max<size_t>(work.size(), *lwork));
        }
        f(work.data(), lwork, &info);
    }
};

template <class T>
void qr(const View& a, const View& q, const View& r) {
    const int m = static_cast<int>(rows_of(a)), n = static_cast<int>(cols_of(a)), k = std::min(m, n);
    const bool wants_q = q.size > 0;
    const int width = wants_q ? static_cast<int>(cols_of(q)) : 0;  // columns of q
    const Batch batch(a, 2);
    batch.each<Reflectors<T>>(int64_t{m} * n * std::max(1, k), [&](Reflectors<T>& f, int64_t b) {
        f.factor(batch.matrix(a, b), a.dtype, m, n, width);
        store<T>(batch.matrix(r, b), r.dtype, rows_of(r), n,
                 [&](int64_t i, int64_t j) { return i <= j && i < k ? f.x[j * m + i] : T(0); });
        if (!wants_q) return;
        f.expand(m, width, k);
        store<T>(batch.matrix(q, b), q.dtype, m, width, [&](int64_t i, int64_t j) { return f.x[j * m + i]; });
    });
}

template <class T>
void reflectors(const View& a, const View& out, const View& tau) {
    const int m = static_cast<int>(rows_of(a)), n = static_cast<int>(cols_of(a)), k = std::min(m, n);
    const Batch batch(a, 2);
    batch.each<Reflectors<T>>(int64_t{m} * n * std::max(1, k), [&](Reflectors<T>& f, int64_t b) {
        f.factor(batch.matrix(a, b), a.dtype, m, n, 0);
        store<T>(batch.matrix(out, b), out.dtype, m, n, [&](int64_t i, int64_t j) { return f.x[j * m + i]; });
        T* scales = reinterpret_cast<T*>(batch.at(tau, 1, b));
        for (int i = 0; i < k; ++i) scales[i * tau.stride[tau.ndim - 1]] = f.tau[i];
    });
}

// One singular value decomposition of column-major x; LAPACK's info.
template <class T>
struct Decomposition {
    using R = typename Lapack<T>::R;
    std::vector<T> x, u, vh, work;
    std::vector<R> s, rwork;
    std::vector<int> iwork;
    int lwork = -1;  // what LAPACK wants for matrices of this shape; -1: it was not asked yet

    int run(char job, int m, int n) {
        const int k = std::min(m, n), large = std::max(m, n);
        const int ldu = m, ldvt = job == 'S' ? k : n;
        u.resize(job == 'N' ? 1 : static_cast<size_t>(m) * (job == 'A' ? m : k));
        vh.resize(job == 'N' ? 1 : static_cast<size_t>(ldvt) * n);
        s.resize(k);
        iwork.resize(8 * k);
        // The bound of LAPACK 3.6 and later for complex matrices.
        if (Lapack<T>::complex)
            rwork.resize(std::max<size_t>(1, size_t(k) * std::max(5 * k + 7, 2 * large + 2 * k + 1)));
        int info = 0;
        if (lwork == -1) work.resize(1);
        for (int pass = lwork == -1 ? 0 : 1; pass < 2; ++pass) {
            if constexpr (Lapack<T>::complex) {
                using F = void (*)(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*,
                                   const int*, T*, const int*, R*, int*, int*, size_t);
                reinterpret_cast<F>(lapack<T>().gesdd)(&job, &m, &n, x.data(), &m, s.data(), u.data(), &ldu, vh.data(),
                                                       &ldvt, work.data(), &lwork, rwork.data(), iwork.data(), &info,
                                                       1);
            } else {
                using F = void (*)(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*,
                                   const int*, T*, const int*, int*, int*, size_t);
                reinterpret_cast<F>(lapack<T>().gesdd)(&job, &m, &n, x.data(), &m, s.data(), u.data(), &ldu, vh.data(),
                                                       &ldvt, work.data(), &lwork, iwork.data(), &info, 1);
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
void svd(const View& a, bool vectors, const View& sigma, const View& u, const View& v, const View* failures) {
    const int m = static_cast<int>(rows_of(a)), n = static_cast<int>(cols_of(a)), k = std::min(m, n);
    const bool full = vectors && (cols_of(u) > k || cols_of(v) > k);
    const Batch batch(a, 2);
    Failures failed(failures);
    batch.each<Decomposition<T>>(int64_t{m} * n * std::max(1, k) * 8, [&](Decomposition<T>& d, int64_t b) {
        if (k == 0) {  // nothing to decompose: any orthogonal u and v will do
            const auto unit = [](int64_t i, int64_t j) { return T(i == j ? 1 : 0); };
            if (vectors) store<T>(batch.matrix(u, b), u.dtype, m, cols_of(u), unit);
            if (vectors) store<T>(batch.matrix(v, b), v.dtype, n, cols_of(v), unit);
            return;
        }
        d.x.resize(static_cast<size_t>(m) * n);
        load(batch.matrix(a, b), a.dtype, m, n, d.x.data());
        const int info = d.run(!vectors ? 'N' : full ? 'A' : 'S', m, n);
        failed.add(info != 0);
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
void cholesky(const View& a, bool upper, const View& out, const View* failures) {
    const int n = static_cast<int>(rows_of(a));
    const Batch batch(a, 2);
    Failures failed(failures);
    if (n == 0) return;
    batch.each<std::vector<T>>(int64_t{n} * n * n, [&](std::vector<T>& x, int64_t b) {
        x.resize(static_cast<size_t>(n) * n);
        load(batch.matrix(a, b), a.dtype, n, n, x.data());
        int info = 0;
        lapack<T>().potrf(upper ? "U" : "L", &n, x.data(), &n, &info, 1);
        failed.add(info != 0);
        store<T>(batch.matrix(out, b), out.dtype, n, n, [&](int64_t i, int64_t j) {
            if (info != 0) return not_a_number<T>();
            return (upper ? i <= j : i >= j) ? x[j * n + i] : T(0);
        });
    });
}

template <class T>
struct TriangularSystem {
    std::vector<T> tri, rhs;
};

template <class T>
void triangular_solve(const View& b, const View& a, Triangle kind, const View& x, const View& m) {
    const int n = static_cast<int>(rows_of(a)), width = static_cast<int>(cols_of(b));
    const Batch batch(m, 2);
    if (n == 0) return;
    batch.each<TriangularSystem<T>>(int64_t{n} * n * std::max(1, width), [&](TriangularSystem<T>& s, int64_t i) {
        std::vector<T>&tri = s.tri, &rhs = s.rhs;
        tri.resize(static_cast<size_t>(n) * n);
        rhs.resize(static_cast<size_t>(n) * std::max(1, width));
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

template <class T>
struct LeastSquares {
    using R = typename Lapack<T>::R;
    int m, n, width, rank = 0;
    R rcond;
    std::vector<T> x, rhs, work;  // rhs has max(m, n) rows: right-hand sides first, then solutions
    std::vector<R> s, rwork;
    std::vector<int> iwork;

    int solve() {
        const int ld = std::max(m, n);
        int info = 0, lwork = -1;
        const int columns = std::max(1, width);  // LAPACK refuses none
        work.resize(1), rwork.resize(1), iwork.resize(1), s.resize(std::min(m, n));
        for (int pass = 0; pass < 2; ++pass) {
            if constexpr (Lapack<T>::complex) {
                using F = void (*)(const int*, const int*, const int*, T*, const int*, T*, const int*, R*, const R*,
                                   int*, T*, const int*, R*, int*, int*);
                reinterpret_cast<F>(lapack<T>().gelsd)(&m, &n, &columns, x.data(), &m, rhs.data(), &ld, s.data(),
                                                       &rcond, &rank, work.data(), &lwork, rwork.data(), iwork.data(),
                                                       &info);
            } else {
                using F = void (*)(const int*, const int*, const int*, T*, const int*, T*, const int*, R*, const R*,
                                   int*, T*, const int*, int*, int*);
                reinterpret_cast<F>(lapack<T>().gelsd)(&m, &n, &columns, x.data(), &m, rhs.data(), &ld, s.data(),
                                                       &rcond, &rank, work.data(), &lwork, iwork.data(), &info);
            }
            if (pass == 0) {
                work.resize(lwork = std::max(1, as_int(work[0])));
                rwork.resize(std::max(1, static_cast<int>(rwork[0])));
                iwork.resize(std::max(1, iwork[0]));
            }
        }
        return info;
    }
    // The squared length of what is left of a right-hand side: its rows behind the solution.
    R rest(int column) const {
        R sum = 0;
        for (int i = n; i < m; ++i) sum += std::norm(rhs[static_cast<size_t>(column) * m + i]);
        return sum;
    }
};

template <class T>
void lstsq(const View& a, const View& b, double rcond, const View& x, const View& rest, const View& s,
           const View& info) {
    using R = typename Lapack<T>::R;
    LeastSquares<T> l;
    l.m = static_cast<int>(rows_of(a)), l.n = static_cast<int>(cols_of(a)), l.width = static_cast<int>(cols_of(b));
    l.rcond = static_cast<R>(rcond);
    const int64_t ld = std::max(l.m, l.n);
    l.x.resize(static_cast<size_t>(l.m) * l.n);
    l.rhs.resize(static_cast<size_t>(ld) * std::max(1, l.width));
    load({a.data, a.stride[0], a.stride[1]}, a.dtype, l.m, l.n, l.x.data());
    const T* from = reinterpret_cast<const T*>(b.data);
    tiled(l.m, l.width, [&](int64_t i, int64_t j) { l.rhs[j * ld + i] = from[i * b.stride[0] + j * b.stride[1]]; });
    const bool good = l.solve() == 0;
    store<T>({x.data, x.stride[0], x.stride[1]}, x.dtype, l.n, l.width,
             [&](int64_t i, int64_t j) { return good ? l.rhs[j * ld + i] : not_a_number<T>(); });
    R *rests = reinterpret_cast<R*>(rest.data), *values = reinterpret_cast<R*>(s.data);
    for (int j = 0; j < l.width; ++j) rests[j * rest.stride[0]] = l.m > l.n ? l.rest(j) : R(0);
    for (size_t i = 0; i < l.s.size(); ++i) values[i * s.stride[0]] = l.s[i];
    int32_t* counts = reinterpret_cast<int32_t*>(info.data);
    counts[0] = !good;
    counts[info.stride[0]] = l.rank;
}

}  // namespace

void linalg_lstsq(const View& a, const View& b, double rcond, const View& x, const View& rest, const View& s,
                  const View& info) {
    PYASC_DISPATCH(a, lstsq, a, b, rcond, x, rest, s, info)
}

void linalg_qr(const View& a, const View& q, const View& r) { PYASC_DISPATCH(a, qr, a, q, r) }

void linalg_reflectors(const View& a, const View& out, const View& tau) { PYASC_DISPATCH(a, reflectors, a, out, tau) }

void linalg_svd(const View& a, bool vectors, const View& sigma, const View& u, const View& v, const View* info) {
    PYASC_DISPATCH(a, svd, a, vectors, sigma, u, v, info)
}

void linalg_cholesky(const View& a, bool upper, const View& out, const View* info) {
    PYASC_DISPATCH(a, cholesky, a, upper, out, info)
}

void linalg_triangular_solve(const View& b, const View& a, Triangle kind, const View& x, const View& m) {
    PYASC_DISPATCH(a, triangular_solve, b, a, kind, x, m)
}

}  // namespace pyasc

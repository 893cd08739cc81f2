// Eigenvalues and eigenvectors through LAPACK.
#include "kernels/blas_linalg.h"
#include "kernels/lapack.h"

namespace pyasc {
namespace {

// ---- symmetric and Hermitian matrices

template <class T>
struct Symmetric {
    using R = typename Lapack<T>::R;
    std::vector<T> x, work;
    std::vector<R> w, rwork;
    std::vector<int> iwork;
    int lwork = -1, lrwork = -1, liwork = -1;  // what LAPACK wants for matrices of this shape; -1: it was not asked yet

    // Eigenvalues to w, eigenvectors over x, which has n columns of n. LAPACK's info.
    int run(bool vectors, bool upper, int n) {
        const char *job = vectors ? "V" : "N", *triangle = upper ? "U" : "L";
        int info = 0;
        w.resize(n);
        const bool asked = lwork != -1;
        if (!asked) grow(work, 1), grow(rwork, 1), grow(iwork, 1);
        for (int pass = asked ? 1 : 0; pass < 2; ++pass) {
            if constexpr (Lapack<T>::complex) {
                using F = void (*)(const char*, const char*, const int*, T*, const int*, R*, T*, const int*, R*,
                                   const int*, int*, const int*, int*, size_t, size_t);
                reinterpret_cast<F>(lapack<T>().heevd)(job, triangle, &n, x.data(), &n, w.data(), work.data(), &lwork,
                                                       rwork.data(), &lrwork, iwork.data(), &liwork, &info, 1, 1);
            } else {
                using F = void (*)(const char*, const char*, const int*, T*, const int*, R*, T*, const int*, int*,
                                   const int*, int*, size_t, size_t);
                reinterpret_cast<F>(lapack<T>().heevd)(job, triangle, &n, x.data(), &n, w.data(), work.data(), &lwork,
                                                       iwork.data(), &liwork, &info, 1, 1);
            }
            if (pass == 0) {
                grow(work, lwork = as_int(work[0]));
                grow(rwork, lrwork = as_int(rwork[0]));
                grow(iwork, liwork = iwork[0]);
            }
        }
        return info;
    }
    template <class V>
    static void grow(V& v, int size) {
        if (v.size() < static_cast<size_t>(size)) v.resize(size);
    }
};

template <class T>
void eigh(const View& a, bool upper, bool vectors, const View& w, const View& v, const View& info) {
    using R = typename Lapack<T>::R;
    const int n = static_cast<int>(rows_of(a));
    const Batch batch(a, 2);
    Failures failed(&info);
    if (n > 0) {
        batch.each<Symmetric<T>>(int64_t{n} * n * n * 8, [&](Symmetric<T>& s, int64_t b) {
            s.x.resize(static_cast<size_t>(n) * n);
            load(batch.matrix(a, b), a.dtype, n, n, s.x.data());
            if (s.run(vectors, upper, n) != 0) {
                failed.add(true);
                std::fill(s.x.begin(), s.x.end(), not_a_number<T>());
                std::fill(s.w.begin(), s.w.end(), std::numeric_limits<R>::quiet_NaN());
            }
            R* values = reinterpret_cast<R*>(batch.at(w, 1, b));
            for (int i = 0; i < n; ++i) values[i * w.stride[w.ndim - 1]] = s.w[i];
            if (!vectors) return;
            store<T>(batch.matrix(v, b), v.dtype, n, n, [&](int64_t i, int64_t j) { return s.x[j * n + i]; });
        });
    }
}

// ---- any square matrices

template <class T>
struct General {
    using R = typename Lapack<T>::R;
    using C = std::complex<R>;
    std::vector<T> x, work, v;
    std::vector<R> rwork, wr, wi;
    std::vector<C> w;
    int lwork = -1;  // what LAPACK wants for matrices of this shape; -1: it was not asked yet

    int run(bool vectors, int n) {
        const char* job = vectors ? "V" : "N";
        const int one = 1, ldv = vectors ? n : 1;
        int info = 0;
        T none{}, best{};
        v.resize(vectors ? static_cast<size_t>(n) * n : 1);
        w.resize(n);
        wr.resize(n);
        wi.resize(n);
        rwork.resize(2 * n);
        for (int pass = lwork == -1 ? 0 : 1; pass < 2; ++pass) {
            T* room = pass == 0 ? &best : work.data();
            if constexpr (Lapack<T>::complex) {
                using F = void (*)(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, T*,
                                   const int*, T*, const int*, R*, int*, size_t, size_t);
                reinterpret_cast<F>(lapack<T>().geev)("N", job, &n, x.data(), &n, w.data(), &none, &one, v.data(), &ldv,
                                                      room, &lwork, rwork.data(), &info, 1, 1);
            } else {
                using F = void (*)(const char*, const char*, const int*, T*, const int*, R*, R*, T*, const int*, T*,
                                   const int*, T*, const int*, int*, size_t, size_t);
                reinterpret_cast<F>(lapack<T>().geev)("N", job, &n, x.data(), &n, wr.data(), wi.data(), &none, &one,
                                                      v.data(), &ldv, room, &lwork, &info, 1, 1);
            }
            if (pass == 0) work.resize(lwork = std::max(1, as_int(best)));
        }
        if constexpr (!Lapack<T>::complex) {
            for (int i = 0; i < n; ++i) w[i] = C(wr[i], wi[i]);
        }
        return info;
    }

    // Element i of eigenvector j. Two real columns hold a pair of conjugate vectors: real part, imaginary part.
    C vector(int n, int64_t i, int64_t j) const {
        const size_t at = static_cast<size_t>(j) * n + i;
        if constexpr (Lapack<T>::complex) {
            return v[at];
        } else {
            if (wi[j] == 0) return C(v[at], 0);
            return wi[j] > 0 ? C(v[at], v[at + n]) : C(v[at - n], -v[at]);
        }
    }
};

template <class T>
bool is_finite(T x) {
    return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
}

template <class T>
void eig(const View& a, bool vectors, const View& w, const View& v, const View& info) {
    using C = typename General<T>::C;
    const int n = static_cast<int>(rows_of(a));
    const Batch batch(a, 2);
    std::atomic<int32_t> failed{0}, not_real{0}, not_finite{0};
    if (n > 0) {
        batch.each<General<T>>(int64_t{n} * n * n * 20, [&](General<T>& g, int64_t b) {
            g.x.resize(static_cast<size_t>(n) * n);
            load(batch.matrix(a, b), a.dtype, n, n, g.x.data());
            // LAPACK may iterate without end over numbers that are not finite
            const bool finite = std::all_of(g.x.begin(), g.x.end(), is_finite<T>);
            const bool good = finite && g.run(vectors, n) == 0;
            if (!finite) not_finite.fetch_add(1, std::memory_order_relaxed);
            if (finite && !good) failed.fetch_add(1, std::memory_order_relaxed);
            bool real = true;
            C* values = reinterpret_cast<C*>(batch.at(w, 1, b));
            for (int i = 0; i < n; ++i) {
                const C value = good ? g.w[i] : not_a_number<C>();
                real = real && value.imag() == 0;
                values[i * w.stride[w.ndim - 1]] = value;
            }
            if (!real) not_real.fetch_add(1, std::memory_order_relaxed);
            if (!vectors) return;
            store<C>(batch.matrix(v, b), v.dtype, n, n,
                     [&](int64_t i, int64_t j) { return good ? g.vector(n, i, j) : not_a_number<C>(); });
        });
    }
    int32_t* counts = reinterpret_cast<int32_t*>(info.data);
    counts[0] = failed.load();
    counts[info.stride[info.ndim - 1]] = not_real.load();
    counts[2 * info.stride[info.ndim - 1]] = not_finite.load();
}

}  // namespace

void linalg_eigh(const View& a, bool upper, bool vectors, const View& w, const View& v, const View& info) {
    PYASC_DISPATCH(a, eigh, a, upper, vectors, w, v, info)
}

void linalg_eig(const View& a, bool vectors, const View& w, const View& v, const View& info) {
    PYASC_DISPATCH(a, eig, a, vectors, w, v, info)
}

}  // namespace pyasc

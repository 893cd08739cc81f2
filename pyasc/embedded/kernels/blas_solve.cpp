// Systems of equations, inverses and determinants: small matrices many at a time, others by LAPACK's LU.
#include <cstring>

#include "kernels/blas_linalg.h"
#include "kernels/lapack.h"
#include "kernels/linalg_small.h"

namespace pyasc {
namespace {

// ---- small matrices

// Matrices side by side, as linalg_small.h has them.
template <class T>
struct Group {
    using R = typename Lapack<T>::R;
    static constexpr int planes = Lapack<T>::complex ? 2 : 1;
    static constexpr int room = kSmallOrder * kSmallOrder * planes * kMaxLanes;
    const Eliminate eliminate;
    const int lanes, step;  // from one element to the next
    alignas(64) R a[room];
    alignas(64) R b[room];
    alignas(64) R det[planes * kMaxLanes];

    explicit Group(Eliminate e) : eliminate(e), lanes(e.lanes), step(planes * e.lanes) {
        std::memset(a, 0, sizeof a);  // lanes that are not used hold numbers too
        std::memset(b, 0, sizeof b);
    }
    T get(const R* from, int lane) const {
        if constexpr (planes == 2) {
            return T(from[lane], from[lanes + lane]);
        } else {
            return from[lane];
        }
    }
    void load(const Slice& s, int m, int n, int lane, R* to) {
        const T* from = reinterpret_cast<const T*>(s.data);
        to += lane;
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j, to += step) {
                const T x = from[i * s.row + j * s.col];
                to[0] = std::real(x);
                if constexpr (planes == 2) to[lanes] = std::imag(x);
            }
        }
    }
    void load_identity(int n) {
        std::memset(b, 0, sizeof(R) * n * n * step);
        for (int i = 0; i < n; ++i) std::fill_n(b + i * (n + 1) * step, lanes, R(1));
    }
    void store(const Slice& s, int m, int n, int lane) const {
        T* to = reinterpret_cast<T*>(s.data);
        const R* from = b;
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j, from += step) to[i * s.row + j * s.col] = get(from, lane);
        }
    }
};

bool is_half(DType t) { return t == DType::F16 || t == DType::BF16; }

bool is_small(DType type, int64_t n, int64_t width) {
    return n > 0 && n <= kSmallOrder && width <= kSmallOrder && !is_half(type);
}

// f(group, first, lanes) for runs of matrices.
template <class T, class F>
void each_group(DType type, int64_t count, F&& f) {
    constexpr int64_t grain = 8 * kMaxLanes;  // matrices a thread takes at a time
    const Eliminate eliminate = small_kernels().find(type);
    parallel_for(count, grain, [&](int64_t begin, int64_t end) {
        Group<T> group(eliminate);
        for (int64_t i = begin; i < end; i += group.lanes) {
            f(group, i, static_cast<int>(std::min<int64_t>(group.lanes, end - i)));
        }
    });
}

// out = A^-1 B, of the identity where b is null. The part of `out` of singular matrices is NaN.
template <class T>
void solve_small(const View& a, const View* b, const View& out, Failures& failed) {
    const int n = static_cast<int>(rows_of(a)), width = static_cast<int>(cols_of(out));
    const Batch batch(out, 2);
    each_group<T>(a.dtype, batch.count, [&](Group<T>& g, int64_t first, int lanes) {
        for (int l = 0; l < lanes; ++l) {
            g.load(batch.matrix(a, first + l), n, n, l, g.a);
            if (b) g.load(batch.matrix(*b, first + l), n, width, l, g.b);
        }
        if (!b) g.load_identity(n);
        const uint32_t singular = g.eliminate.run(n, width, g.a, g.b, nullptr);
        for (int l = 0; l < lanes; ++l) {
            const Slice to = batch.matrix(out, first + l);
            failed.add(singular >> l & 1u);
            if (singular >> l & 1u) {
                store<T>(to, out.dtype, n, width, [](int64_t, int64_t) { return not_a_number<T>(); });
            } else {
                g.store(to, n, width, l);
            }
        }
    });
}

// ---- determinants

// value * 2^exponent: products of pivots neither overflow nor vanish on the way.
template <class T>
struct Scaled {
    T value = T(1);
    int64_t exponent = 0;

    void multiply(T x) {
        value *= x;
        const auto size = std::max(std::abs(std::real(value)), std::abs(std::imag(value)));
        if (size == 0 || !std::isfinite(size)) return;
        const int e = std::ilogb(size);
        value = scaled(value, -e);
        exponent += e;
    }
    static T scaled(T x, int64_t e) {
        const int by = static_cast<int>(std::min<int64_t>(std::max<int64_t>(e, -100000), 100000));
        if constexpr (Lapack<T>::complex) {
            return T(std::scalbn(x.real(), by), std::scalbn(x.imag(), by));
        } else {
            return std::scalbn(x, by);
        }
    }
    T result() const { return scaled(value, exponent); }
};

template <class T>
struct Factored {
    std::vector<T> x, work;
    std::vector<int> pivot;

    // The LU factors of matrix `b`. False: a pivot is 0.
    bool factor(const Batch& batch, const View& a, int64_t b) {
        const int n = static_cast<int>(rows_of(a));
        x.resize(static_cast<size_t>(n) * n);
        pivot.resize(n);
        load(batch.matrix(a, b), a.dtype, n, n, x.data());
        int info = 0;
        lapack<T>().getrf(&n, &n, x.data(), &n, pivot.data(), &info);
        return info == 0;
    }
};

template <class T>
T product_of_pivots(Factored<T>& lu, const Batch& batch, const View& a, int64_t b) {
    if (!lu.factor(batch, a, b)) return T(0);
    const size_t n = lu.pivot.size();
    Scaled<T> det;
    for (size_t i = 0; i < n; ++i) {
        det.multiply(lu.pivot[i] == static_cast<int>(i) + 1 ? lu.x[i * n + i] : -lu.x[i * n + i]);
    }
    return det.result();
}

template <class T>
bool is_ordinary(T x) {
    const auto size = std::max(std::abs(std::real(x)), std::abs(std::imag(x)));
    return size >= std::numeric_limits<typename Lapack<T>::R>::min() && std::isfinite(size);
}

// put(matrix, determinant) for all matrices of a batch; singular ones have 0. `rescue(lu, matrix)` where the product of
// the pivots is out of range.
template <class T, class Put, class Rescue>
void determinants_small(const View& a, Put&& put, Rescue&& rescue) {
    const int n = static_cast<int>(rows_of(a));
    const Batch batch(a, 2);
    each_group<T>(a.dtype, batch.count, [&](Group<T>& g, int64_t first, int lanes) {
        for (int l = 0; l < lanes; ++l) g.load(batch.matrix(a, first + l), n, n, l, g.a);
        const uint32_t singular = g.eliminate.run(n, 0, g.a, g.b, g.det);
        Factored<T> lu;
        for (int l = 0; l < lanes; ++l) {
            const T det = g.get(g.det, l);
            if (singular >> l & 1u || is_ordinary(det)) {
                put(first + l, det);
            } else {
                rescue(lu, first + l);
            }
        }
    });
}

template <class T>
void determinant(const View& a, const View& out) {
    const int64_t n = rows_of(a);
    const Batch batch(a, 2);
    const auto put = [&](int64_t b, T det) { *reinterpret_cast<T*>(batch.at(out, 0, b)) = det; };
    const auto by_pivots = [&](Factored<T>& lu, int64_t b) {
        put(b, n == 0 ? T(1) : product_of_pivots(lu, batch, a, b));
    };
    if (is_small(a.dtype, n, 0)) return determinants_small<T>(a, put, by_pivots);
    batch.each<Factored<T>>(n * n * n, by_pivots);
}

template <class T>
struct Logarithm {
    T sign;
    typename Lapack<T>::R log;
};

template <class T>
Logarithm<T> logarithm(Factored<T>& lu, const Batch& batch, const View& a, int64_t b) {
    using R = typename Lapack<T>::R;
    const int n = static_cast<int>(rows_of(a));
    Logarithm<T> det{T(1), R(0)};
    if (n == 0) return det;
    if (!lu.factor(batch, a, b)) return {T(0), -std::numeric_limits<R>::infinity()};
    for (int i = 0; i < n; ++i) {
        const T d = lu.x[static_cast<size_t>(i) * n + i];
        const R size = std::abs(d);
        if (lu.pivot[i] != i + 1) det.sign = -det.sign;
        det.sign *= d / size;
        det.log += std::log(size);
    }
    return det;
}

// put(matrix, sign and logarithm) for all matrices.
template <class T, class Put>
void logarithms(const View& a, Put&& put) {
    const int64_t n = rows_of(a);
    const Batch batch(a, 2);
    const auto by_pivots = [&](Factored<T>& lu, int64_t b) { put(b, logarithm(lu, batch, a, b)); };
    if (!is_small(a.dtype, n, 0)) return batch.each<Factored<T>>(n * n * n, by_pivots);
    const auto of_determinant = [&](int64_t b, T det) {
        const auto size = std::abs(det);
        put(b, size == 0 ? Logarithm<T>{T(0), -std::numeric_limits<typename Lapack<T>::R>::infinity()}
                         : Logarithm<T>{det / size, std::log(size)});
    };
    determinants_small<T>(a, of_determinant, by_pivots);
}

template <class T>
void slogdet(const View& a, const View& sign, const View& log) {
    const Batch batch(a, 2);
    logarithms<T>(a, [&](int64_t b, const Logarithm<T>& det) {
        *reinterpret_cast<T*>(batch.at(sign, 0, b)) = det.sign;
        put_real<T>(log, batch.at(log, 0, b), det.log);
    });
}

template <class T>
void logdet(const View& a, const View& out) {
    const Batch batch(a, 2);
    logarithms<T>(a, [&](int64_t b, const Logarithm<T>& det) {
        T value(det.log);
        if constexpr (Lapack<T>::complex) {
            if (det.sign != T(0)) value = T(det.log, std::arg(det.sign));
        } else if (det.sign < T(0)) {
            value = not_a_number<T>();
        }
        *reinterpret_cast<T*>(batch.at(out, 0, b)) = value;
    });
}

// ---- inverses and systems

template <class T>
void inverse_large(const View& a, const View& out, Failures& failed) {
    const Lapack<T>& f = lapack<T>();
    const int n = static_cast<int>(rows_of(a));
    const Batch batch(a, 2);
    batch.each<Factored<T>>(int64_t{n} * n * n, [&](Factored<T>& lu, int64_t b) {
        if (lu.factor(batch, a, b)) {
            T best{};
            int info = 0, lwork = -1;
            f.getri(&n, lu.x.data(), &n, lu.pivot.data(), &best, &lwork, &info);
            lwork = std::max(1, as_int(best));
            lu.work.resize(lwork);
            f.getri(&n, lu.x.data(), &n, lu.pivot.data(), lu.work.data(), &lwork, &info);
        } else {
            failed.add(true);
            std::fill(lu.x.begin(), lu.x.end(), not_a_number<T>());
        }
        store<T>(batch.matrix(out, b), out.dtype, n, n, [&](int64_t i, int64_t j) { return lu.x[j * n + i]; });
    });
}

template <class T>
void inverse(const View& a, const View& out, const View* info) {
    const int64_t n = rows_of(a);
    Failures failed(info);
    if (n == 0) return;
    is_small(a.dtype, n, n) ? solve_small<T>(a, nullptr, out, failed) : inverse_large<T>(a, out, failed);
}

template <class T>
struct System : Factored<T> {
    std::vector<T> rhs;
};

template <class T>
void solve_large(const View& a, const View& b, const View& out, Failures& failed) {
    const int n = static_cast<int>(rows_of(a)), width = static_cast<int>(cols_of(out));
    const Batch batch(out, 2);
    batch.each<System<T>>(int64_t{n} * n * (n + width), [&](System<T>& s, int64_t i) {
        s.rhs.resize(static_cast<size_t>(n) * width);
        if (s.factor(batch, a, i)) {
            load(batch.matrix(b, i), b.dtype, n, width, s.rhs.data());
            int info = 0;
            if (width > 0) {
                lapack<T>().getrs("N", &n, &width, s.x.data(), &n, s.pivot.data(), s.rhs.data(), &n, &info, 1);
            }
        } else {
            failed.add(true);
            std::fill(s.rhs.begin(), s.rhs.end(), not_a_number<T>());
        }
        store<T>(batch.matrix(out, i), out.dtype, n, width, [&](int64_t r, int64_t c) { return s.rhs[c * n + r]; });
    });
}

template <class T>
void solve(const View& a, const View& b, const View& out, const View& info) {
    const int64_t n = rows_of(a);
    Failures failed(&info);
    if (n == 0) return;
    is_small(a.dtype, n, cols_of(out)) ? solve_small<T>(a, &b, out, failed) : solve_large<T>(a, b, out, failed);
}

}  // namespace

void linalg_inverse(const View& a, const View& out, const View* info) { PYASC_DISPATCH(a, inverse, a, out, info) }

void linalg_solve(const View& a, const View& b, const View& out, const View& info) {
    PYASC_DISPATCH(a, solve, a, b, out, info)
}

void linalg_determinant(const View& a, const View& out) { PYASC_DISPATCH(a, determinant, a, out) }

void linalg_slogdet(const View& a, const View& sign, const View& log) { PYASC_DISPATCH(a, slogdet, a, sign, log) }

void linalg_logdet(const View& a, const View& out) { PYASC_DISPATCH(a, logdet, a, out) }

}  // namespace pyasc

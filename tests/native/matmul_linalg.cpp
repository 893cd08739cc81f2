// Linear algebra: what the factors multiply to, for every type, batch and layout, and what singular matrices give.
#include "aclnnop/aclnn_inverse.h"
#include "aclnnop/aclnn_linalg_cholesky.h"
#include "aclnnop/aclnn_linalg_qr.h"
#include "aclnnop/aclnn_logdet.h"
#include "aclnnop/aclnn_qr.h"
#include "aclnnop/aclnn_slogdet.h"
#include "aclnnop/aclnn_svd.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "pyasc_ext/linalg_cholesky.h"
#include "pyasc_ext/linalg_det.h"
#include "pyasc_ext/linalg_eig.h"
#include "pyasc_ext/linalg_eigh.h"
#include "pyasc_ext/linalg_inverse.h"
#include "pyasc_ext/linalg_lstsq.h"
#include "pyasc_ext/linalg_reflectors.h"
#include "pyasc_ext/linalg_solve.h"
#include "pyasc_ext/linalg_svd.h"
#include "reduce_check.h"

namespace {

using Wide = std::complex<double>;
using Matrix = std::vector<Wide>;  // row-major

template <class T>
constexpr double tolerance() {
    return sizeof(decltype(std::abs(T()))) == 4 ? 2e-4 : 1e-11;
}

template <class T>
std::vector<T> random_values(int64_t n) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<T> out;
    for (int64_t i = 0; i < n; ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            out.push_back(static_cast<T>(uniform(generator())));
        } else {
            using R = typename T::value_type;
            const R re = static_cast<R>(uniform(generator())), im = static_cast<R>(uniform(generator()));
            out.emplace_back(re, im);
        }
    }
    return out;
}

// Matrix number b of a batch of m by n ones.
template <class T>
Matrix matrix(const std::vector<T>& all, int64_t b, int64_t m, int64_t n) {
    return Matrix(all.begin() + b * m * n, all.begin() + (b + 1) * m * n);
}

Matrix times(const Matrix& a, const Matrix& b, int64_t m, int64_t k, int64_t n) {
    Matrix c(m * n);
    for (int64_t i = 0; i < m; ++i) {
        for (int64_t p = 0; p < k; ++p) {
            for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * k + p] * b[p * n + j];
        }
    }
    return c;
}

Matrix adjoint(const Matrix& a, int64_t m, int64_t n) {
    Matrix t(m * n);
    for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) t[j * m + i] = std::conj(a[i * n + j]);
    }
    return t;
}

Matrix identity(int64_t n) {
    Matrix e(n * n);
    for (int64_t i = 0; i < n; ++i) e[i * n + i] = 1;
    return e;
}

bool near(const Matrix& a, const Matrix& b, double tolerance) {
    for (size_t i = 0; i < a.size(); ++i) {
        if (!(std::abs(a[i] - b[i]) <= tolerance)) return false;
    }
    return a.size() == b.size();
}

const Shape kBatches[] = {{}, {3}, {2, 2}, {0}};

Shape with(Shape batch, std::initializer_list<int64_t> rest) {
    batch.insert(batch.end(), rest);
    return batch;
}

template <class T>
void test_inverse_and_determinant(const Shape& batch, Layout layout) {
    const int64_t n = 4, many = count(batch);
    Array<T> a(with(batch, {n, n}), layout), out(with(batch, {n, n}), layout), sign(batch), log(batch), logdet(batch);
    a.write(random_values<T>(a.size()));
    const auto x = a.read();
    RUN(0, aclnnInverse, a.handle, out.handle);
    RUN(0, aclnnSlogdet, a.handle, sign.handle, log.handle);
    RUN(0, aclnnLogdet, a.handle, logdet.handle);
    const auto inverse = out.read(), s = sign.read(), l = log.read(), d = logdet.read();
    for (int64_t b = 0; b < many; ++b) {
        CHECK(near(times(matrix(x, b, n, n), matrix(inverse, b, n, n), n, n, n), identity(n), 100 * tolerance<T>()));
        // The determinant by elimination.
        Matrix m = matrix(x, b, n, n);
        Wide det = 1;
        for (int64_t p = 0; p < n; ++p) {
            int64_t best = p;
            for (int64_t i = p; i < n; ++i) best = std::abs(m[i * n + p]) > std::abs(m[best * n + p]) ? i : best;
            if (best != p) det = -det;
            for (int64_t j = 0; j < n; ++j) std::swap(m[p * n + j], m[best * n + j]);
            det *= m[p * n + p];
            for (int64_t i = p + 1; i < n; ++i) {
                const Wide f = m[i * n + p] / m[p * n + p];
                for (int64_t j = p; j < n; ++j) m[i * n + j] -= f * m[p * n + j];
            }
        }
        CHECK(std::abs(Wide(s[b]) * std::exp(static_cast<double>(std::real(l[b]))) - det) <= tolerance<T>());
        if constexpr (std::is_floating_point_v<T>) {
            CHECK(det.real() < 0 ? std::isnan(d[b]) : std::abs(std::exp(d[b]) - det.real()) <= tolerance<T>());
        } else {
            CHECK(std::abs(std::exp(Wide(d[b])) - det) <= tolerance<T>());
        }
    }
}

template <class T>
void test_qr(const Shape& batch, Layout layout, int64_t m, int64_t n) {
    const int64_t k = std::min(m, n);
    Array<T> a(with(batch, {m, n}), layout);
    a.write(random_values<T>(a.size()));
    const auto x = a.read();
    for (const bool complete : {false, true}) {
        const int64_t w = complete ? m : k;
        Array<T> q(with(batch, {m, w}), layout), r(with(batch, {w, n}), layout), r2(with(batch, {w, n}));
        RUN(0, aclnnLinalgQr, a.handle, complete ? 1 : 0, q.handle, r.handle);
        const auto qs = q.read(), rs = r.read();
        for (int64_t b = 0; b < count(batch); ++b) {
            const Matrix qm = matrix(qs, b, m, w), rm = matrix(rs, b, w, n);
            CHECK(near(times(qm, rm, m, w, n), matrix(x, b, m, n), tolerance<T>()));
            CHECK(near(times(adjoint(qm, m, w), qm, w, m, w), identity(w), tolerance<T>()));
            for (int64_t i = 0; i < w; ++i) {
                for (int64_t j = 0; j < std::min(i, n); ++j) CHECK(rm[i * n + j] == Wide(0));
            }
        }
        RUN(0, aclnnQr, a.handle, !complete, q.handle, r2.handle);
        CHECK(r2.read() == rs);
    }
    Array<T> none({0}), r(with(batch, {k, n}));
    RUN(0, aclnnLinalgQr, a.handle, 2, none.handle, r.handle);
}

template <class T>
void test_svd(const Shape& batch, Layout layout, int64_t m, int64_t n) {
    const int64_t k = std::min(m, n);
    Array<T> a(with(batch, {m, n}), layout);
    a.write(random_values<T>(a.size()));
    const auto x = a.read();
    for (const bool full : {false, true}) {
        const int64_t wu = full ? m : k, wv = full ? n : k;
        Array<T> s(with(batch, {k})), u(with(batch, {m, wu}), layout), v(with(batch, {n, wv}), layout),
            only(with(batch, {k})), none({0});
        Array<int32_t> info({});
        RUN(0, aclnnSvd, a.handle, full, true, s.handle, u.handle, v.handle);
        RUN(0, pyascLinalgSvd, a.handle, full, false, only.handle, none.handle, none.handle, info.handle);
        CHECK(info.read()[0] == 0);
        const auto ss = s.read(), us = u.read(), vs = v.read(), os = only.read();
        for (int64_t b = 0; b < count(batch); ++b) {
            const Matrix um = matrix(us, b, m, wu), vm = matrix(vs, b, n, wv);
            Matrix middle(wu * wv);
            for (int64_t i = 0; i < k; ++i) {
                middle[i * wv + i] = ss[b * k + i];
                CHECK(std::real(ss[b * k + i]) >= 0 &&
                      (i == 0 || std::real(ss[b * k + i]) <= std::real(ss[b * k + i - 1])));
                CHECK(std::abs(Wide(ss[b * k + i]) - Wide(os[b * k + i])) <= tolerance<T>());
            }
            CHECK(near(times(times(um, middle, m, wu, wv), adjoint(vm, n, wv), m, wv, n), matrix(x, b, m, n),
                       tolerance<T>()));
            CHECK(near(times(adjoint(um, m, wu), um, wu, m, wu), identity(wu), tolerance<T>()));
            CHECK(near(times(adjoint(vm, n, wv), vm, wv, n, wv), identity(wv), tolerance<T>()));
        }
    }
}

template <class T>
void test_cholesky(const Shape& batch, Layout layout) {
    const int64_t n = 4;
    Array<T> a(with(batch, {n, n}), layout), out(with(batch, {n, n}), layout);
    auto x = random_values<T>(a.size());
    for (int64_t b = 0; b < count(batch); ++b) {  // B B^H + I
        const Matrix m = matrix(x, b, n, n), p = times(m, adjoint(m, n, n), n, n, n);
        for (int64_t i = 0; i < n * n; ++i) {
            const Wide value = p[i] + (i % (n + 1) == 0 ? 1.0 : 0.0);
            if constexpr (std::is_floating_point_v<T>) {
                x[b * n * n + i] = static_cast<T>(value.real());
            } else {
                x[b * n * n + i] = T(value);
            }
        }
    }
    a.write(x);
    for (const bool upper : {false, true}) {
        RUN(0, aclnnLinalgCholesky, a.handle, upper, out.handle);
        const auto got = out.read();
        for (int64_t b = 0; b < count(batch); ++b) {
            const Matrix f = matrix(got, b, n, n), g = adjoint(f, n, n);
            CHECK(near(upper ? times(g, f, n, n, n) : times(f, g, n, n, n), matrix(x, b, n, n), 10 * tolerance<T>()));
            CHECK(f[upper ? n : 1] == Wide(0));
        }
    }
}

// A is one matrix, the right-hand sides a batch.
template <class T>
void test_triangular_solve(const Shape& batch, Layout layout) {
    const int64_t n = 4, w = 3;
    Array<T> a({n, n}, layout), b(with(batch, {n, w}), layout), x(with(batch, {n, w})), m(with(batch, {n, n}));
    auto entries = random_values<T>(n * n);
    for (int64_t i = 0; i < n; ++i) entries[i * n + i] += T(3);
    a.write(entries);
    b.write(random_values<T>(b.size()));
    const auto rhs = b.read();
    for (int kind = 0; kind < 8; ++kind) {
        const bool upper = kind & 1, transpose = kind & 2, unit = kind & 4;
        RUN(0, aclnnTriangularSolve, b.handle, a.handle, upper, transpose, unit, x.handle, m.handle);
        const auto xs = x.read(), ms = m.read();
        Matrix triangle(n * n), used(n * n);
        for (int64_t i = 0; i < n * n; ++i) {
            if (upper ? i / n <= i % n : i / n >= i % n) triangle[i] = entries[i];
            const Wide value = unit && i % (n + 1) == 0 ? Wide(1) : triangle[i];
            used[transpose ? i % n * n + i / n : i] = value;
        }
        for (int64_t t = 0; t < count(batch); ++t) {
            CHECK(near(times(used, matrix(xs, t, n, w), n, n, w), matrix(rhs, t, n, w), 10 * tolerance<T>()));
            CHECK(near(matrix(ms, t, n, n), triangle, 0));
        }
    }
}

// Systems, inverses and determinants of orders below and above that of the kernels for small matrices.
template <class T>
void test_systems(const Shape& batch, Layout layout, int64_t n) {
    const int64_t w = 3;
    Array<T> a(with(batch, {n, n}), layout), inverse(with(batch, {n, n}), layout), b({n, w}, layout),
        x(with(batch, {n, w}), layout), det(batch);
    Array<int32_t> info({});
    auto entries = random_values<T>(a.size());
    for (int64_t i = 0; i < a.size(); ++i) {
        if (i % (n * n) % (n + 1) == 0) entries[i] += T(4);
    }
    a.write(entries);
    b.write(random_values<T>(b.size()));
    const auto as = a.read(), bs = b.read();
    RUN(0, pyascLinalgInverse, a.handle, inverse.handle, info.handle);
    CHECK(info.read()[0] == 0);
    RUN(0, pyascLinalgSolve, a.handle, b.handle, x.handle, info.handle);
    CHECK(info.read()[0] == 0);
    RUN(0, pyascLinalgDet, a.handle, det.handle);
    const auto is = inverse.read(), xs = x.read(), ds = det.read();
    for (int64_t t = 0; t < count(batch); ++t) {
        const Matrix m = matrix(as, t, n, n);
        CHECK(near(times(m, matrix(is, t, n, n), n, n, n), identity(n), 100 * tolerance<T>()));
        CHECK(near(times(m, matrix(xs, t, n, w), n, n, w), matrix(bs, 0, n, w), 100 * tolerance<T>()));
        if (n == 2) CHECK(std::abs(Wide(ds[t]) - (m[0] * m[3] - m[1] * m[2])) <= 10 * tolerance<T>());
    }
}

template <class T>
void test_eigenvalues(const Shape& batch, Layout layout) {
    using R = decltype(std::abs(T()));
    using C = std::complex<R>;
    const int64_t n = 5;
    Array<T> a(with(batch, {n, n}), layout), v(with(batch, {n, n}), layout);
    Array<R> w(with(batch, {n}));
    Array<C> cw(with(batch, {n})), cv(with(batch, {n, n}), layout);
    Array<int32_t> info({}), counts({3});
    a.write(random_values<T>(a.size()));
    const auto as = a.read();
    for (const bool upper : {false, true}) {
        RUN(0, pyascLinalgEigh, a.handle, upper, true, w.handle, v.handle, info.handle);
        const auto ws = w.read();
        const auto vs = v.read();
        CHECK(info.read()[0] == 0);
        for (int64_t t = 0; t < count(batch); ++t) {
            const Matrix m = matrix(as, t, n, n), f = matrix(vs, t, n, n);
            Matrix full(n * n), scaled = f;
            for (int64_t i = 0; i < n; ++i) {
                for (int64_t j = 0; j < n; ++j) {
                    const bool read = upper ? i <= j : i >= j;
                    full[i * n + j] = i == j ? Wide(m[i * n + i].real())
                                      : read ? m[i * n + j]
                                             : std::conj(m[j * n + i]);
                    scaled[i * n + j] *= ws[t * n + j];
                }
            }
            CHECK(near(times(full, f, n, n, n), scaled, 10 * tolerance<T>()));
            CHECK(near(times(adjoint(f, n, n), f, n, n, n), identity(n), 10 * tolerance<T>()));
        }
    }
    RUN(0, pyascLinalgEig, a.handle, true, cw.handle, cv.handle, counts.handle);
    const auto ws = cw.read(), vs = cv.read();
    for (int64_t t = 0; t < count(batch); ++t) {
        const Matrix m = matrix(as, t, n, n), f = matrix(vs, t, n, n);
        Matrix scaled = f;
        for (int64_t i = 0; i < n * n; ++i) scaled[i] *= Wide(ws[t * n + i % n]);
        CHECK(near(times(m, f, n, n, n), scaled, 10 * tolerance<T>()));
    }
    CHECK(counts.read()[0] == 0 && counts.read()[2] == 0);
    Array<T> none({0});
    Array<C> no_vectors({0});
    RUN(0, pyascLinalgEigh, a.handle, false, false, w.handle, none.handle, info.handle);
    RUN(0, pyascLinalgEig, a.handle, false, cw.handle, no_vectors.handle, counts.handle);
}

// The reflectors of QR hold R in their upper triangle.
template <class T>
void test_reflectors(Layout layout) {
    Array<T> a({5, 3}, layout), h({5, 3}, layout), tau({3}), q({5, 3}), r({3, 3});
    a.write(random_values<T>(a.size()));
    RUN(0, pyascLinalgReflectors, a.handle, h.handle, tau.handle);
    RUN(0, aclnnLinalgQr, a.handle, 0, q.handle, r.handle);
    const auto hs = h.read(), rs = r.read();
    for (int64_t i = 0; i < 3; ++i) {
        for (int64_t j = i; j < 3; ++j) CHECK(hs[i * 3 + j] == rs[i * 3 + j]);
    }
}

// A x has the part of b that the columns of A span: what is left is orthogonal to them.
template <class T>
void test_least_squares(Layout layout) {
    using R = decltype(std::abs(T()));
    const int64_t m = 5, n = 3, w = 2;
    Array<T> a({m, n}, layout), b({m, w}, layout), x({n, w}, layout);
    Array<R> rest({w}), s({n});
    Array<int32_t> info({2});
    a.write(random_values<T>(a.size()));
    b.write(random_values<T>(b.size()));
    RUN(0, pyascLinalgLstsq, a.handle, b.handle, 1e-6, x.handle, rest.handle, s.handle, info.handle);
    const auto as = a.read(), bs = b.read(), xs = x.read();
    const Matrix am = matrix(as, 0, m, n), fit = times(am, matrix(xs, 0, n, w), m, n, w);
    Matrix left(m * w), nothing(n * w);
    Wide squares[w] = {};
    for (int64_t i = 0; i < m * w; ++i) {
        left[i] = Wide(bs[i]) - fit[i];
        squares[i % w] += std::norm(left[i]);
    }
    CHECK(near(times(adjoint(am, m, n), left, n, m, w), nothing, tolerance<T>()));
    for (int64_t j = 0; j < w; ++j) CHECK(std::abs(squares[j] - Wide(rest.read()[j])) <= tolerance<T>());
    CHECK(info.read() == (std::vector<int32_t>{0, 3}));
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgLstsq, a.handle, x.handle, 0, x.handle, rest.handle, s.handle, info.handle);
}

template <class T>
void test_type() {
    for (const Layout layout : {Layout::Dense, Layout::Fortran, Layout::Strided}) test_least_squares<T>(layout);
    for (const Shape& batch : kBatches) {
        for (const Layout layout : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
            test_inverse_and_determinant<T>(batch, layout);
            test_cholesky<T>(batch, layout);
            test_triangular_solve<T>(batch, layout);
            test_eigenvalues<T>(batch, layout);
            for (const int64_t n : {1, 2, 4, 8, 9}) test_systems<T>(batch, layout, n);
            const int64_t sizes[][2] = {{5, 3}, {3, 5}, {4, 4}, {1, 1}, {3, 0}, {0, 3}};
            for (const auto& s : sizes) {
                test_qr<T>(batch, layout, s[0], s[1]);
                test_svd<T>(batch, layout, s[0], s[1]);
            }
        }
    }
}

void test_singular() {
    Array<double> a({2, 2}, {1, 2, 2, 4}), out({2, 2}), sign({}), log({}),
        nan({2, 2}, std::vector<double>(4, std::nan("")));
    RUN(0, aclnnInverse, a.handle, out.handle);
    for (const double x : out.read()) CHECK(std::isnan(x));
    RUN(0, aclnnSlogdet, a.handle, sign.handle, log.handle);
    CHECK(sign.read()[0] == 0 && log.read()[0] == -std::numeric_limits<double>::infinity());
    Array<double> indefinite({2, 2}, {1, 2, 2, 1});
    RUN(0, aclnnLinalgCholesky, indefinite.handle, false, out.handle);
    for (const double x : out.read()) CHECK(std::isnan(x));
    Array<double> s({2}), u({2, 2}), v({2, 2});
    RUN(0, aclnnSvd, nan.handle, false, true, s.handle, u.handle, v.handle);
    for (const double x : s.read()) CHECK(std::isnan(x));
    Array<int32_t> info({}), counts({3});
    RUN(0, pyascLinalgInverse, a.handle, out.handle, info.handle);
    CHECK(info.read()[0] == 1 && std::isnan(out.read()[0]));
    RUN(0, pyascLinalgSolve, a.handle, a.handle, out.handle, info.handle);
    CHECK(info.read()[0] == 1 && std::isnan(out.read()[0]));
    RUN(0, pyascLinalgDet, a.handle, sign.handle);
    CHECK(sign.read()[0] == 0);
    Array<std::complex<double>> w({2}), vectors({2, 2});
    RUN(0, pyascLinalgEig, nan.handle, true, w.handle, vectors.handle, counts.handle);
    CHECK(counts.read() == (std::vector<int32_t>{0, 0, 1}));
    Array<double> nans({3, 3}, std::vector<double>(9, std::nan(""))), s3({3}), u3({3, 3}), v3({3, 3});
    RUN(0, pyascLinalgEigh, nans.handle, false, true, s3.handle, u3.handle, info.handle);
    CHECK(info.read()[0] == 1 && std::isnan(s3.read()[0]));
    RUN(0, pyascLinalgSvd, nans.handle, false, true, s3.handle, u3.handle, v3.handle, info.handle);
    CHECK(info.read()[0] == 1 && std::isnan(s3.read()[0]));
    RUN(0, pyascLinalgCholesky, indefinite.handle, false, out.handle, info.handle);
    CHECK(info.read()[0] == 1 && std::isnan(out.read()[0]));
    Array<double> empty({0, 0});
    RUN(0, aclnnSlogdet, empty.handle, sign.handle, log.handle);
    CHECK(sign.read()[0] == 1 && log.read()[0] == 0);
}

void test_refusals() {
    Array<double> a({2, 3}), square({2, 2}), vector({2}), out({2, 3});
    Array<int32_t> whole({2, 2});
    Array<float> single({2, 2});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInverse, a.handle, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInverse, vector.handle, vector.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInverse, whole.handle, whole.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInverse, square.handle, single.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnLinalgQr, square.handle, 3, square.handle, square.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnLinalgQr, a.handle, 0, a.handle, square.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnSvd, a.handle, false, true, vector.handle, square.handle, square.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnTriangularSolve, vector.handle, square.handle, true, false, false, vector.handle,
        square.handle);
    Array<int32_t> info({}), three({3});
    Array<double> number({});
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgInverse, square.handle, square.handle, three.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgInverse, a.handle, out.handle, info.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgSolve, square.handle, vector.handle, vector.handle, info.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgSolve, square.handle, out.handle, square.handle, info.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgDet, square.handle, vector.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgEigh, square.handle, false, true, square.handle, square.handle,
        info.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgEig, square.handle, true, vector.handle, square.handle, three.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, pyascLinalgReflectors, square.handle, square.handle, number.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, pyascLinalgDet, nullptr, number.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnLinalgCholesky, nullptr, false, square.handle);
}

}  // namespace

int main() {
    Device device;
    test_reflectors<float>(Layout::Dense);
    test_reflectors<std::complex<double>>(Layout::Strided);
    test_type<float>();
    test_type<double>();
    test_type<std::complex<float>>();
    test_type<std::complex<double>>();
    test_singular();
    test_refusals();
    return failures;
}

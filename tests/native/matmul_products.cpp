// Matrix products: every type, layout and shape against sums of products, the operators with an addend, and refusals.
#include "aclnnop/aclnn_addbmm.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_addr.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_einsum.h"
#include "aclnnop/aclnn_gemm.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_linalg_cross.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "reduce_check.h"

namespace {

template <class T>
std::vector<T> values(int64_t n) {
    if constexpr (std::is_same_v<T, bool>) {
        std::vector<bool> out;
        for (int64_t i = 0; i < n; ++i) out.push_back(generator()() % 4 == 0);
        return out;
    } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        std::vector<T> out;
        const auto re = small_numbers<typename T::value_type>(n), im = small_numbers<typename T::value_type>(n);
        for (int64_t i = 0; i < n; ++i) out.emplace_back(re[i], im[i]);
        return out;
    } else {
        return small_numbers<T>(n);
    }
}

// beta * s + alpha * a @ b for one matrix; bool: or of ands.
template <class T>
T element(const std::vector<T>& a, const std::vector<T>& b, int64_t i, int64_t j, int64_t n, int64_t k) {
    if constexpr (std::is_same_v<T, bool>) {
        bool any = false;
        for (int64_t p = 0; p < k; ++p) any = any || (a[i * k + p] && b[p * n + j]);
        return any;
    } else {
        T sum{};
        for (int64_t p = 0; p < k; ++p) sum = static_cast<T>(sum + a[i * k + p] * b[p * n + j]);
        return sum;
    }
}

struct Sizes {
    int64_t m, k, n;
};

// Small numbers: every sum is exact in every type but the smallest integers, which wrap here and there alike.
template <class T>
void test_matrix() {
    const Sizes sizes[] = {{1, 1, 1},    {3, 4, 5},    {7, 1, 9},      {1, 20, 6}, {6, 20, 1},
                           {17, 33, 40}, {61, 70, 50}, {130, 300, 75}, {3, 0, 4},  {0, 3, 4}};
    for (const Sizes& s : sizes) {
        for (const Layout left : kLayouts) {
            for (const Layout right : kLayouts) {
                if (s.m * s.k * s.n > 10000 && left != Layout::Fortran && right != Layout::Dense) continue;
                Array<T> a({s.m, s.k}, left), b({s.k, s.n}, right);
                a.write(values<T>(a.size()));
                b.write(values<T>(b.size()));
                const auto x = a.read(), y = b.read();  // broadcast arrays hold what was written last
                for (const Layout result : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
                    Array<T> out({s.m, s.n}, values<T>(s.m * s.n), result);
                    RUN(0, aclnnMm, a.handle, b.handle, out.handle, 0);
                    const auto got = out.read();
                    bool same = true;
                    for (int64_t i = 0; i < s.m; ++i) {
                        for (int64_t j = 0; j < s.n; ++j)
                            same = same && got[i * s.n + j] == element<T>(x, y, i, j, s.n, s.k);
                    }
                    CHECK(same);
                }
            }
        }
    }
}

// matmul's rules for dimensions: the wanted shape of the result.
void test_dimensions() {
    const struct {
        Shape a, b, out;
    } cases[] = {{{4}, {4}, {}},
                 {{4}, {4, 5}, {5}},
                 {{3, 4}, {4}, {3}},
                 {{2, 3, 4}, {4}, {2, 3}},
                 {{4}, {2, 4, 5}, {2, 5}},
                 {{2, 3, 4}, {4, 5}, {2, 3, 5}},
                 {{3, 4}, {2, 4, 5}, {2, 3, 5}},
                 {{5, 1, 3, 4}, {2, 4, 6}, {5, 2, 3, 6}},
                 {{6, 1, 30, 40}, {1, 3, 40, 20}, {6, 3, 30, 20}},
                 {{0, 3, 4}, {4, 5}, {0, 3, 5}}};
    for (const auto& c : cases) {
        for (const Layout layout : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
            Array<double> a(c.a, layout), b(c.b, layout), out(c.out);
            const auto x = small_numbers<double>(a.size()), y = small_numbers<double>(b.size());
            a.write(x);
            b.write(y);
            RUN(0, aclnnMatmul, a.handle, b.handle, out.handle, 0);
            const auto got = out.read();
            const int64_t k = c.a.back(), m = c.a.size() > 1 ? c.a[c.a.size() - 2] : 1,
                          n = c.b.size() > 1 ? c.b.back() : 1;
            const int64_t batch = out.size() / (m * n);
            // The leading dimensions as (outer, inner): one operand repeats over either.
            const int64_t a_count = a.size() / std::max<int64_t>(1, m * k), b_count = b.size() / (k * n);
            for (int64_t t = 0; t < batch; ++t) {
                const int64_t ia = a_count == batch ? t : t / std::max<int64_t>(1, batch / a_count), ib = t % b_count;
                for (int64_t i = 0; i < m * n; ++i) {
                    double sum = 0;
                    for (int64_t p = 0; p < k; ++p)
                        sum += x[ia * m * k + i / n * k + p] * y[ib * k * n + p * n + i % n];
                    CHECK(got[t * m * n + i] == sum);
                }
            }
        }
    }
}

void test_wrapping_and_widening() {
    Array<int8_t> a({2, 300}, std::vector<int8_t>(600, -128)), b({300, 2}, std::vector<int8_t>(600, 127)),
        narrow({2, 2});
    Array<int32_t> wide({2, 2});
    RUN(0, aclnnMatmul, a.handle, b.handle, wide.handle, 0);
    RUN(0, aclnnMatmul, a.handle, b.handle, narrow.handle, 0);
    for (const int32_t x : wide.read()) CHECK(x == -128 * 127 * 300);
    for (const int8_t x : narrow.read()) CHECK(x == static_cast<int8_t>(-128 * 127 * 300));
    // Too large for float64: the product wraps modulo 2^64.
    const int64_t big = std::numeric_limits<int64_t>::max() - 12345;
    Array<int64_t> c({20, 30}, std::vector<int64_t>(600, big)), d({30, 20}, std::vector<int64_t>(600, big)),
        e({20, 20});
    RUN(0, aclnnMatmul, c.handle, d.handle, e.handle, 0);
    const int64_t wanted = static_cast<int64_t>(30 * static_cast<uint64_t>(big) * static_cast<uint64_t>(big));
    for (const int64_t x : e.read()) CHECK(x == wanted);
}

void test_special_values() {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    Array<double> a({2, 2}, {inf, 1, nan, 1}), b({2, 2}, {1, 0, 1, 1}), out({2, 2});
    RUN(0, aclnnMm, a.handle, b.handle, out.handle, 0);
    const auto got = out.read();
    CHECK(got[0] == inf && std::isnan(got[1]) && std::isnan(got[2]) && std::isnan(got[3]));
    // beta 0 does not read self.
    Array<double> self({2, 2}, std::vector<double>(4, nan)), one({2, 2}, {1, 2, 3, 4});
    Number zero(0.0), two(2.0);
    RUN(0, aclnnAddmm, self.handle, one.handle, one.handle, zero.handle, two.handle, out.handle, 0);
    CHECK(out.read() == (std::vector<double>{14, 20, 30, 44}));
}

// An operand that is also the output is read before it is written.
void test_overlap() {
    Array<float> a({2, 2}, {1, 2, 3, 4});
    RUN(0, aclnnMm, a.handle, a.handle, a.handle, 0);
    CHECK(a.read() == (std::vector<float>{7, 10, 15, 22}));
    Number one(1.0);
    RUN(0, aclnnInplaceAddmm, a.handle, a.handle, a.handle, one.handle, one.handle, 0);
    CHECK(a.read() == (std::vector<float>{7 + 199, 10 + 290, 15 + 435, 22 + 634}));
}

void test_added() {
    Number two(2.0), three(3.0);
    Array<float> a({2, 3}, {1, 2, 3, 4, 5, 6}), b({3, 2}, {1, 0, 0, 1, 1, 1}), v({3}, {1, 2, 3}), w({2}, {1, -1});
    Array<float> row({2}, {10, 20}), column({2, 1}, {10, 20}), out({2, 2}), out2({2});
    RUN(0, aclnnAddmm, row.handle, a.handle, b.handle, two.handle, three.handle, out.handle, 1);
    CHECK(out.read() == (std::vector<float>{20 + 12, 40 + 15, 20 + 30, 40 + 33}));
    RUN(0, aclnnAddmm, column.handle, a.handle, b.handle, two.handle, three.handle, out.handle, 1);
    CHECK(out.read() == (std::vector<float>{20 + 12, 20 + 15, 40 + 30, 40 + 33}));
    RUN(0, aclnnAddmv, row.handle, a.handle, v.handle, three.handle, two.handle, out2.handle, 0);
    CHECK(out2.read() == (std::vector<float>{20 + 42, 40 + 96}));
    RUN(0, aclnnAddr, column.handle, w.handle, w.handle, two.handle, three.handle, out.handle);
    CHECK(out.read() == (std::vector<float>{20 + 3, 20 - 3, 40 - 3, 40 + 3}));
    RUN(0, aclnnInplaceAddr, out.handle, w.handle, w.handle, nullptr, two.handle);
    CHECK(out.read() == (std::vector<float>{25, 15, 35, 45}));
    Array<float> c({2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 1, 1, 2, 2, 2}), d({2, 3, 2}, {1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1});
    Array<float> batch({2, 2, 2});
    RUN(0, aclnnBaddbmm, row.handle, c.handle, d.handle, two.handle, three.handle, batch.handle, 0);
    CHECK(batch.read() == (std::vector<float>{32, 55, 50, 73, 26, 46, 32, 52}));
    RUN(0, aclnnAddbmm, row.handle, c.handle, d.handle, two.handle, three.handle, out.handle, 0);
    CHECK(out.read() == (std::vector<float>{38, 61, 62, 85}));
    RUN(0, aclnnInplaceAddbmm, out.handle, c.handle, d.handle, two.handle, three.handle, 0);
    CHECK(out.read() == (std::vector<float>{94, 143, 166, 215}));
    RUN(0, aclnnInplaceBaddbmm, batch.handle, c.handle, d.handle, two.handle, three.handle, 0);
    CHECK(batch.read()[0] == 76);
    RUN(0, aclnnGemm, a.handle, b.handle, row.handle, 3.0f, 2.0f, 0, 0, out.handle, 0);
    CHECK(out.read() == (std::vector<float>{32, 55, 50, 73}));
    RUN(0, aclnnGemm, b.handle, a.handle, row.handle, 3.0f, 2.0f, 1, 1, out.handle, 0);
    CHECK(out.read() == (std::vector<float>{20 + 12, 40 + 30, 20 + 15, 40 + 33}));
}

void test_vectors() {
    Array<int32_t> a({3}, {1, 2, 3}, Layout::Strided), b({3}, {4, 5, 6}), dot({}), outer({3, 3}), cross({3});
    RUN(0, aclnnDot, a.handle, b.handle, dot.handle);
    CHECK(dot.read()[0] == 32);
    RUN(0, aclnnGer, a.handle, b.handle, outer.handle);
    CHECK(outer.read() == (std::vector<int32_t>{4, 5, 6, 8, 10, 12, 12, 15, 18}));
    RUN(0, aclnnLinalgCross, a.handle, b.handle, -1, cross.handle);
    CHECK(cross.read() == (std::vector<int32_t>{-3, 6, -3}));
    Array<double> long_a({300000}, std::vector<double>(300000, 0.5)), long_b({300000}, std::vector<double>(300000, 2)),
        sum({});
    RUN(0, aclnnDot, long_a.handle, long_b.handle, sum.handle);
    CHECK(sum.read()[0] == 300000);
    Array<float> m({3, 2}, {1, 2, 3, 4, 5, 6}, Layout::Fortran), v({2}, {1, 1}), mv({3});
    RUN(0, aclnnMv, m.handle, v.handle, mv.handle, 0);
    CHECK(mv.read() == (std::vector<float>{3, 7, 11}));
    Array<float> x({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}), y({1, 1, 2, 2, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1}),
        e({1, 1, 2, 2});
    aclTensor* both[] = {x.handle, y.handle};
    aclTensorList* list = aclCreateTensorList(both, 2);
    RUN(0, aclnnEinsum, list, "abcd, abced -> abce", e.handle);
    CHECK(e.read() == (std::vector<float>{1, 2, 15, 6}));
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnEinsum, list, "ij,jk->ik", e.handle);
}

void test_refusals() {
    Array<float> a({2, 3}), b({4, 3}), c({3, 2}), out({2, 2}), wrong({2, 3}), nothing({});
    Array<uint16_t> u({3, 2});
    Array<std::complex<float>> z({3, 2});
    Number one(1.0);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMatmul, a.handle, b.handle, out.handle, 0);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMatmul, a.handle, c.handle, wrong.handle, 0);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMatmul, a.handle, c.handle, out.handle, 5);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMatmul, nothing.handle, c.handle, out.handle, 0);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMatmul, a.handle, u.handle, out.handle, 0);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMatmul, a.handle, z.handle, u.handle, 0);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnMatmul, nullptr, c.handle, out.handle, 0);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnBatchMatMul, a.handle, c.handle, out.handle, 0);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnAddmm, wrong.handle, a.handle, c.handle, one.handle, one.handle, out.handle, 0);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnAddmm, out.handle, a.handle, c.handle, nullptr, one.handle, out.handle, 0);
    Array<int32_t> i({2, 2}, {1, 2, 3, 4}), io({2, 2});
    Number half(0.5);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnAddmm, i.handle, i.handle, i.handle, half.handle, half.handle, io.handle, 0);
}

}  // namespace

int main() {
    Device device;
    test_matrix<bool>();
    test_matrix<int8_t>();
    test_matrix<uint8_t>();
    test_matrix<int16_t>();
    test_matrix<uint16_t>();
    test_matrix<int32_t>();
    test_matrix<uint32_t>();
    test_matrix<int64_t>();
    test_matrix<uint64_t>();
    test_matrix<float>();
    test_matrix<double>();
    test_matrix<std::complex<float>>();
    test_matrix<std::complex<double>>();
    test_dimensions();
    test_wrapping_and_widening();
    test_special_values();
    test_overlap();
    test_added();
    test_vectors();
    test_refusals();
    return failures;
}

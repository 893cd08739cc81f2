// Variances, norms, log-sum-exp and sums without nans, against plain double arithmetic.
#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_logsumexp.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_reduce_nansum.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_std_mean_correction.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_var_mean.h"
#include "reduce_check.h"

namespace {

const Shape kShapes[] = {{}, {1}, {9}, {300}, {37, 19}, {70, 300}, {6, 1, 130}, {4, 70, 65}};
constexpr double kInf = std::numeric_limits<double>::infinity();

template <class T>
std::vector<T> normal_numbers(int64_t n) {
    std::normal_distribution<double> normal(3, 2);
    std::vector<T> values;
    for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<T>(normal(generator())));
    return values;
}

template <class T, class F>
void against(const char* name, const Array<T>& got, const std::vector<std::vector<int64_t>>& rows, double tolerance,
             F expected) {
    const std::vector<T> values = got.read();
    for (size_t i = 0; i < rows.size(); ++i) {
        const double want = expected(rows[i]);
        if (same_value(values[i], want, tolerance)) continue;
        ++failures;
        std::printf("%s: output %zu of %zu is %.9g, not %.9g\n", name, i, rows.size(), static_cast<double>(values[i]),
                    want);
        return;
    }
}

template <class T>
void check_axis(const Array<T>& x, int axis, Layout layout, double tolerance) {
    const std::vector<T> v = x.read();
    const auto rows = rows_along(x.shape, axis);
    const Ints dims(axis < 0 ? Shape{} : Shape{axis});
    const auto mean = [&](const std::vector<int64_t>& row) {
        double sum = 0;
        for (const int64_t i : row) sum += v[i];
        return sum / static_cast<double>(row.size());
    };
    const auto variance = [&](const std::vector<int64_t>& row, int correction) {
        const double m = mean(row), n = static_cast<double>(row.size());
        double sum = 0;
        for (const int64_t i : row) sum += (v[i] - m) * (v[i] - m);
        return sum / std::max(n - correction, 0.0);
    };
    Array<T> out(without(x.shape, axis), layout), second(without(x.shape, axis), layout);
    for (const int correction : {0, 1, 2}) {
        RUN(0, aclnnVarMean, x.handle, dims.handle, correction, false, out.handle, second.handle);
        against("var", out, rows, tolerance,
                [&](const std::vector<int64_t>& row) { return variance(row, correction); });
        against("mean", second, rows, tolerance, mean);
        RUN(0, aclnnStd, x.handle, dims.handle, correction, false, out.handle);
        against("std", out, rows, tolerance,
                [&](const std::vector<int64_t>& row) { return std::sqrt(variance(row, correction)); });
    }
    for (const double p : {0.0, 1.0, 2.0, 3.0, 0.5, kInf, -kInf}) {
        const Number order(p);
        RUN(0, aclnnLinalgVectorNorm, x.handle, order.handle, dims.handle, false, type_code<T>(), out.handle);
        against("norm", out, rows, 4 * tolerance, [&](const std::vector<int64_t>& row) {
            double sum = p == -kInf ? kInf : 0;
            for (const int64_t i : row) {
                const double a = std::fabs(v[i]);
                sum = p == kInf    ? std::max(sum, a)
                      : p == -kInf ? std::min(sum, a)
                                   : sum + (p == 0 ? a != 0 : std::pow(a, p));
            }
            return std::isinf(p) || p == 0 ? sum : std::pow(sum, 1 / p);
        });
    }
    RUN(0, aclnnLogSumExp, x.handle, dims.handle, false, out.handle);
    against("logsumexp", out, rows, tolerance, [&](const std::vector<int64_t>& row) {
        double sum = 0;
        for (const int64_t i : row) sum += std::exp(static_cast<double>(v[i]));
        return std::log(sum);
    });
}

template <class T>
void check_type(double tolerance) {
    for (const Shape& shape : kShapes) {
        for (const Layout layout : kLayouts) {
            const Array<T> x(shape, normal_numbers<T>(count(shape)), layout);
            const Layout out = layout == Layout::Broadcast ? Layout::Dense : layout;
            for (int axis = -1; axis < static_cast<int>(shape.size()); ++axis) check_axis<T>(x, axis, out, tolerance);
        }
    }
}

void several_axes_keep_their_place() {
    const Array<float> x({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Layout::Fortran);
    Array<float> spread({1, 3, 1}), mean({1, 3, 1});
    RUN(0, aclnnStdMeanCorrection, x.handle, Ints({0, -1}).handle, 0, true, spread.handle, mean.handle);
    CHECK((mean.read() == std::vector<float>{4.5f, 6.5f, 8.5f}));
    for (const float s : spread.read()) CHECK(same_value(s, std::sqrt(9.25), 1e-6));
    Array<float> all({});
    RUN(0, aclnnVar, x.handle, nullptr, true, false, all.handle);
    CHECK(same_value(all.read()[0], 13, 1e-6));
}

void log_sum_exp_survives_extremes() {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const struct {
        std::vector<float> x;
        double expected;
    } cases[] = {{{1000, 1000}, 1000 + std::log(2.0)},
                 {{-1000, -1000}, -1000 + std::log(2.0)},
                 {{inf, 1}, inf},
                 {{-inf, -inf}, -inf},
                 {{-inf, 2}, 2},
                 {{inf, -inf}, inf},
                 {{nan, 1}, nan}};
    for (const auto& c : cases) {
        const Array<float> x({2}, c.x);
        Array<float> out({});
        RUN(0, aclnnLogSumExp, x.handle, Ints({0}).handle, false, out.handle);
        CHECK(same_value(out.read()[0], c.expected, 1e-6));
    }
    Array<float> none({0}), out({});
    RUN(0, aclnnLogSumExp, none.handle, Ints({0}).handle, false, out.handle);
    CHECK(out.read()[0] == -inf);
}

void nans_are_left_out_of_nansum() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Array<float> x({2, 2}, {1, nan, nan, nan});
    Array<float> out({2});
    RUN(0, aclnnReduceNansum, x.handle, Ints({1}).handle, false, ACL_FLOAT, out.handle);
    CHECK((out.read() == std::vector<float>{1, 0}));
    Array<int64_t> whole({});
    RUN(0, aclnnReduceNansum, x.handle, Ints({}).handle, false, ACL_INT64, whole.handle);
    CHECK(whole.read()[0] == 1);
}

void complex_spread_is_real() {
    using C = std::complex<double>;
    const Array<C> x({2, 2}, {C(3, 4), C(0, 0), C(1, 0), C(0, 1)});
    Array<double> norm({2}), variance({2});
    const Number two(2.0);
    RUN(0, aclnnLinalgVectorNorm, x.handle, two.handle, Ints({1}).handle, false, ACL_DOUBLE, norm.handle);
    CHECK(same_value(norm.read()[0], 5, 1e-15) && same_value(norm.read()[1], std::sqrt(2.0), 1e-15));
    RUN(0, aclnnVarCorrection, x.handle, Ints({1}).handle, 0, false, variance.handle);
    CHECK(same_value(variance.read()[0], 6.25, 1e-15) && same_value(variance.read()[1], 0.5, 1e-15));
}

void bad_arguments_are_refused() {
    const Array<float> x({2, 3});
    Array<float> out({2}), wrong({3});
    Array<int32_t> integers({2});
    const Ints last({1});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnStd, x.handle, last.handle, -1, false, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnStd, x.handle, last.handle, 1, false, wrong.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnStd, x.handle, last.handle, 1, false, integers.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnVarMean, x.handle, last.handle, 1, false, out.handle, nullptr);
    const Number nan(std::numeric_limits<double>::quiet_NaN()), inf(kInf);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnNorm, x.handle, nan.handle, last.handle, false, out.handle);
    Array<float> none({0}), all({});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnNorm, none.handle, inf.handle, Ints({0}).handle, false, all.handle);
}

}  // namespace

int main() {
    const Device device;
    check_type<float>(2e-5);
    check_type<double>(1e-12);
    several_axes_keep_their_place();
    log_sum_exp_survives_extremes();
    nans_are_left_out_of_nansum();
    complex_spread_is_real();
    bad_arguments_are_refused();
    return std::min<int>(failures, 99);  // an exit status has eight bits
}

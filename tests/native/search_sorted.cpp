// Binary searches, distinct elements, counting and membership.
#include <algorithm>
#include <map>
#include <numeric>

#include "aclnnop/aclnn_bincount.h"
#include "aclnnop/aclnn_histc.h"
#include "aclnnop/aclnn_isin.h"
#include "aclnnop/aclnn_isin_tensor_scalar.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "aclnnop/aclnn_unique.h"
#include "aclnnop/aclnn_unique2.h"
#include "aclnnop/aclnn_unique_consecutive.h"
#include "aclnnop/aclnn_unique_dim.h"
#include "reduce_check.h"

namespace {

template <class T>
void check_search() {
    for (const int64_t n : {1, 2, 7, 1000}) {
        std::vector<T> sequence = small_numbers<T>(n);
        const Array<T> unsorted({n}, sequence);
        std::vector<int64_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return sequence[a] < sequence[b]; });
        std::sort(sequence.begin(), sequence.end());
        const Array<T> sorted({n}, sequence, Layout::Strided);
        const Array<int64_t> sorter({n}, order);
        for (const Shape& shape : {Shape{}, Shape{300}, Shape{4, 5}, Shape{0}}) {
            const Array<T> values(shape, small_numbers<T>(count(shape)), Layout::Fortran);
            const std::vector<T> v = values.read();
            Array<int64_t> at(shape, Layout::Strided);
            Array<int32_t> narrow(shape);
            std::vector<int64_t> left, right;
            for (const T x : v)
                left.push_back(std::lower_bound(sequence.begin(), sequence.end(), x) - sequence.begin());
            for (const T x : v)
                right.push_back(std::upper_bound(sequence.begin(), sequence.end(), x) - sequence.begin());
            RUN(0, aclnnSearchSorted, sorted.handle, values.handle, false, false, nullptr, at.handle);
            CHECK(at.read() == left);
            RUN(0, aclnnSearchSorted, sorted.handle, values.handle, true, true, nullptr, narrow.handle);
            CHECK((narrow.read() == std::vector<int32_t>(right.begin(), right.end())));
            RUN(0, aclnnSearchSorted, unsorted.handle, values.handle, false, true, sorter.handle, at.handle);
            CHECK(at.read() == right);
        }
    }
}

void searches_in_rows_and_for_nan() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Array<float> rows({2, 3}, {1, 2, 3, 10, 20, nan}), values({2, 2}, {2, 4, nan, 15});
    Array<int64_t> at({2, 2});
    RUN(0, aclnnSearchSorted, rows.handle, values.handle, false, false, nullptr, at.handle);
    CHECK((at.read() == std::vector<int64_t>{1, 3, 2, 1}));
}

void one_number_is_searched_for() {
    const Array<int32_t> sequence({4}, {1, 2, 2, 3});
    Array<int64_t> at({});
    const struct {
        double number;
        bool right;
        int64_t expected;
    } cases[] = {{2, false, 1}, {2, true, 3}, {2.5, false, 3}, {2.5, true, 3}, {-7.5, true, 0}, {9, false, 4}};
    for (const auto& c : cases) {
        RUN(0, aclnnSearchSorteds, sequence.handle, Number(c.number).handle, false, c.right, nullptr, at.handle);
        CHECK(at.read()[0] == c.expected);
    }
}

template <class T>
void check_unique() {
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{1}, Shape{500}, Shape{20, 30}, Shape{100000}}) {
        const int64_t n = count(shape);
        const Array<T> x(shape, small_numbers<T>(n), Layout::Fortran);
        const std::vector<T> v = x.read();
        std::map<T, int64_t> found;
        for (const T value : v) ++found[value];
        std::vector<T> distinct;
        std::vector<int64_t> times, inverse;
        for (const auto& [value, number] : found) {
            distinct.push_back(value);
            times.push_back(number);
        }
        for (const T value : v)
            inverse.push_back(std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin());
        Array<T> values({n});
        Array<int64_t> positions(shape, Layout::Strided), counts({n});
        RUN(0, aclnnUnique2, x.handle, true, true, true, values.handle, positions.handle, counts.handle);
        const int64_t groups = static_cast<int64_t>(distinct.size());
        CHECK(values.view_shape() == Shape{groups} && counts.view_shape() == Shape{groups});
        CHECK(values.read_first(groups) == distinct && counts.read_first(groups) == times &&
              positions.read() == inverse);
        Array<T> alone({n});
        RUN(0, aclnnUnique, x.handle, true, false, alone.handle, nullptr);
        CHECK(alone.view_shape() == Shape{groups} && alone.read_first(groups) == distinct);
    }
}

void runs_are_shortened() {
    const Array<int32_t> x({7}, {5, 5, 1, 5, 2, 2, 2});
    Array<int32_t> values({7}), counts({7});
    Array<int64_t> inverse({7});
    RUN(0, aclnnUniqueConsecutive, x.handle, true, true, 1000, values.handle, inverse.handle, counts.handle);
    CHECK(values.view_shape() == Shape{4} && (values.read_first(4) == std::vector<int32_t>{5, 1, 5, 2}));
    CHECK((inverse.read() == std::vector<int64_t>{0, 0, 1, 2, 3, 3, 3}) &&
          (counts.read_first(4) == std::vector<int32_t>{2, 1, 1, 3}));
    const Array<float> rows({3, 2}, {1, 2, 1, 2, 0, 9});
    Array<float> kept({3, 2});
    RUN(0, aclnnUniqueConsecutive, rows.handle, false, false, 0, kept.handle, nullptr, nullptr);
    CHECK((kept.view_shape() == Shape{2, 2}) && (kept.read_first(4) == std::vector<float>{1, 2, 0, 9}));
}

void distinct_rows_and_columns() {
    const Array<int32_t> x({3, 3}, {2, 1, 2, 0, 7, 0, 2, 1, 2});
    Array<int32_t> rows({3, 3}), columns({3, 3});
    Array<int64_t> inverse({3}), counts({3}), second({3}), number({3});
    RUN(0, aclnnUniqueDim, x.handle, true, true, 0, rows.handle, inverse.handle, counts.handle);
    CHECK((rows.view_shape() == Shape{2, 3}) && (rows.read_first(6) == std::vector<int32_t>{0, 7, 0, 2, 1, 2}));
    CHECK((inverse.read() == std::vector<int64_t>{1, 0, 1}) && (counts.read_first(2) == std::vector<int64_t>{1, 2}));
    RUN(0, aclnnUniqueDim, x.handle, true, true, -1, columns.handle, second.handle, number.handle);
    CHECK((columns.view_shape() == Shape{3, 2}) && (columns.read_first(6) == std::vector<int32_t>{1, 2, 7, 0, 1, 2}));
    CHECK((second.read() == std::vector<int64_t>{1, 0, 1}));
}

void nans_are_one_element() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Array<double> x({4}, {nan, 1, nan, -1});
    Array<double> values({4});
    Array<int64_t> counts({4});
    RUN(0, aclnnUnique2, x.handle, true, false, true, values.handle, nullptr, counts.handle);
    CHECK(values.view_shape() == Shape{3} && std::isnan(values.read()[2]) && counts.read()[2] == 2);
}

void counts_and_histograms() {
    const Array<int16_t> x({6}, {0, 3, 3, 1, 3, 0});
    const Array<float> weights({6}, {1, 2, 3, 4, 5, 6}, Layout::Strided);
    Array<int64_t> counts({5});
    Array<double> sums({5});
    RUN(0, aclnnBincount, x.handle, nullptr, 5, counts.handle);
    CHECK((counts.read() == std::vector<int64_t>{2, 1, 0, 3, 0}));
    RUN(0, aclnnBincount, x.handle, weights.handle, 0, sums.handle);
    CHECK((sums.read() == std::vector<double>{7, 4, 0, 10, 0}));
    // What does not fit shows at the next synchronisation, and writes nowhere.
    Array<int64_t> few({2});
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    CODE(0, aclnnBincountGetWorkspaceSize(x.handle, nullptr, 0, few.handle, &workspace, &executor));
    CODE(0, aclnnBincount(nullptr, 0, executor, nullptr));
    CODE(507018, aclrtSynchronizeStream(nullptr));
    const Array<float> y({7}, {-1, 0, 0.5f, 1, 2, 4, std::numeric_limits<float>::quiet_NaN()});
    Array<float> bins({4});
    RUN(0, aclnnHistc, y.handle, 4, Number(0.0).handle, Number(4.0).handle, bins.handle);
    CHECK((bins.read() == std::vector<float>{2, 1, 1, 1}));
    RUN(0, aclnnHistc, y.handle, 4, Number(0.0).handle, Number(0.0).handle, bins.handle);
    CHECK((bins.read() == std::vector<float>{2, 2, 1, 1}));
}

void membership() {
    const Array<int32_t> x({2, 2}, {1, 2, 3, 2}, Layout::Fortran);
    Array<bool> each({2, 2}), one({});
    RUN(0, aclnnIsInTensorScalar, x.handle, Number(int64_t{2}).handle, false, false, each.handle);
    CHECK((each.read() == std::vector<bool>{false, true, false, true}));
    const struct {
        double element;
        bool invert, expected;
    } cases[] = {{3, false, true},    {3, true, false},  {4, false, false},
                 {2.5, false, false}, {2.5, true, true}, {1e300, true, true}};
    for (const auto& c : cases) {
        RUN(0, aclnnIsInScalarTensor, Number(c.element).handle, x.handle, false, c.invert, one.handle);
        CHECK(one.read()[0] == c.expected);
    }
}

void bad_arguments_are_refused() {
    const Array<float> sequence({3}), values({2}), rows({4, 3});
    const Array<double> other({2});
    Array<int64_t> at({2}), short_counts({1});
    Array<float> out({1});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnSearchSorted, sequence.handle, other.handle, false, false, nullptr, at.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnSearchSorted, sequence.handle, values.handle, true, false, nullptr, at.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnSearchSorted, rows.handle, values.handle, false, false, nullptr, at.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnUnique2, sequence.handle, true, false, false, out.handle, nullptr, nullptr);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnUnique2, sequence.handle, true, true, false, values.handle, nullptr, nullptr);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnBincount, values.handle, nullptr, 0, at.handle);
    const Array<int32_t> whole({2});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnBincount, whole.handle, nullptr, 3, at.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnHistc, values.handle, 1, Number(1.0).handle, Number(0.0).handle, out.handle);
    const Array<int64_t> sorter({3}, {0, 1, 3});
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    CODE(0, aclnnSearchSortedGetWorkspaceSize(sequence.handle, values.handle, false, false, sorter.handle, at.handle,
                                              &workspace, &executor));
    CODE(0, aclnnSearchSorted(nullptr, 0, executor, nullptr));
    CODE(507018, aclrtSynchronizeStream(nullptr));
}

}  // namespace

int main() {
    const Device device;
    check_search<int8_t>();
    check_search<uint16_t>();
    check_search<int32_t>();
    check_search<uint64_t>();
    check_search<float>();
    check_search<double>();
    searches_in_rows_and_for_nan();
    one_number_is_searched_for();
    check_unique<int8_t>();
    check_unique<uint32_t>();
    check_unique<int64_t>();
    check_unique<float>();
    check_unique<double>();
    runs_are_shortened();
    distinct_rows_and_columns();
    nans_are_one_element();
    counts_and_histograms();
    membership();
    bad_arguments_are_refused();
    return std::min<int>(failures, 99);  // an exit status has eight bits
}

// Sums, products, extremes, all and any: every axis of every layout, types, special values, errors, and the same bits
// for any number of threads.
#include <sys/mman.h>

#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_trace.h"
#include "reduce_check.h"

namespace {

const Shape kShapes[] = {{}, {1}, {7}, {1000}, {3, 5}, {700, 3}, {3, 700}, {20, 33, 17}, {1, 70, 65}};

template <class T, class F>
void against(const char* name, const std::vector<T>& got, const std::vector<std::vector<int64_t>>& rows, F expected) {
    CHECK(got.size() == rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        const T want = expected(rows[i]);
        if (got[i] == want) continue;
        ++failures;
        std::printf("%s: output %zu of %zu differs\n", name, i, rows.size());
        return;
    }
}

// One input, one axis (-1: all of them): every fold against a plain loop. The numbers are such that the order is no
// matter.
template <class T, class Sum>
void check_axis(const Array<T>& x, const std::vector<T>& v, int axis, Layout layout) {
    const auto rows = rows_along(x.shape, axis);
    const Shape shape = without(x.shape, axis);
    const Ints dims(axis < 0 ? Shape{} : Shape{axis});
    Array<Sum> sum(shape, layout);
    RUN(0, aclnnReduceSum, x.handle, dims.handle, false, type_code<Sum>(), sum.handle);
    against<Sum>("sum", sum.read(), rows, [&](const std::vector<int64_t>& row) {
        Sum s = 0;
        for (const int64_t i : row) s = static_cast<Sum>(s + static_cast<Sum>(v[i]));
        return s;
    });
    Array<T> largest(shape, layout), smallest(shape, layout);
    RUN(0, aclnnAmax, x.handle, dims.handle, false, largest.handle);
    RUN(0, aclnnAmin, x.handle, dims.handle, false, smallest.handle);
    const auto extreme = [&](const std::vector<int64_t>& row, bool max) {
        T best = v[row[0]];
        for (const int64_t i : row) best = (max ? v[i] > best : v[i] < best) ? v[i] : best;
        return best;
    };
    against<T>("amax", largest.read(), rows, [&](const std::vector<int64_t>& row) { return extreme(row, true); });
    against<T>("amin", smallest.read(), rows, [&](const std::vector<int64_t>& row) { return extreme(row, false); });
    Array<bool> all(shape, layout), any(shape, layout);
    RUN(0, aclnnAll, x.handle, dims.handle, false, all.handle);
    RUN(0, aclnnAny, x.handle, dims.handle, false, any.handle);
    const auto zeros = [&](const std::vector<int64_t>& row) {
        size_t n = 0;
        for (const int64_t i : row) n += v[i] == T(0);
        return n;
    };
    against<bool>("all", all.read(), rows, [&](const std::vector<int64_t>& row) { return zeros(row) == 0; });
    against<bool>("any", any.read(), rows, [&](const std::vector<int64_t>& row) { return zeros(row) < row.size(); });
}

template <class T, class Sum = T>
void check_type() {
    for (const Shape& shape : kShapes) {
        for (const Layout layout : kLayouts) {
            Array<T> x(shape, small_numbers<T>(count(shape)), layout);
            const std::vector<T> v = x.read();
            const Layout out = layout == Layout::Broadcast ? Layout::Dense : layout;
            for (int axis = -1; axis < static_cast<int>(shape.size()); ++axis) check_axis<T, Sum>(x, v, axis, out);
        }
    }
}

void integers_wrap_in_the_output_type() {
    const Array<int8_t> x({4}, {100, 100, 100, 100});
    Array<int8_t> narrow({});
    Array<int64_t> wide({});
    RUN(0, aclnnReduceSum, x.handle, Ints({0}).handle, false, ACL_INT8, narrow.handle);
    RUN(0, aclnnReduceSum, x.handle, Ints({0}).handle, false, ACL_INT64, wide.handle);
    CHECK(narrow.read()[0] == static_cast<int8_t>(400) && wide.read()[0] == 400);
    RUN(0, aclnnProd, x.handle, ACL_INT64, wide.handle);
    CHECK(wide.read()[0] == 100000000);
}

// The error of a sum of n equal floats grows no faster than that of a pairwise sum.
void sums_are_pairwise() {
    const int64_t n = 1 << 20;
    const Array<float> x({n}, std::vector<float>(n, 0.1f));
    const double exact = static_cast<double>(0.1f) * static_cast<double>(n);
    Array<float> sum({});
    RUN(0, aclnnReduceSum, x.handle, Ints({}).handle, false, ACL_FLOAT, sum.handle);
    CHECK(std::fabs(sum.read()[0] - exact) <= 32 * 6e-8 * exact);
    const Array<float> tall({n / 4, 4}, std::vector<float>(n, 0.1f));
    Array<float> columns({4});
    RUN(0, aclnnReduceSum, tall.handle, Ints({0}).handle, false, ACL_FLOAT, columns.handle);
    for (const float c : columns.read()) CHECK(std::fabs(c - exact / 4) <= 128 * 6e-8 * exact / 4);
}

void nan_wins_and_is_true() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    for (const int64_t n : {1, 5, 16, 100, 5000}) {
        for (int64_t at = 0; at < n; at += 1 + n / 7) {
            std::vector<float> values(n, inf);
            values[at] = nan;
            const Array<float> x({n, 1}, values);
            Array<float> most({}), least({1});
            RUN(0, aclnnMax, x.handle, most.handle);
            RUN(0, aclnnAmin, x.handle, Ints({0}).handle, false, least.handle);
            CHECK(std::isnan(most.read()[0]) && std::isnan(least.read()[0]));
        }
    }
    const Array<float> x({2}, {nan, -0.0f});
    Array<bool> any({}), all({});
    RUN(0, aclnnAny, x.handle, Ints({0}).handle, false, any.handle);
    RUN(0, aclnnAll, x.handle, Ints({0}).handle, false, all.handle);
    CHECK(any.read()[0] && !all.read()[0]);
}

void complex_numbers() {
    using C = std::complex<float>;
    const Array<C> x({2, 2}, {C(1, 2), C(3, -1), C(1, 3), C(-2, 5)});
    Array<C> out({});
    RUN(0, aclnnReduceSum, x.handle, Ints({}).handle, false, ACL_COMPLEX64, out.handle);
    CHECK(out.read()[0] == C(3, 9));
    RUN(0, aclnnProd, x.handle, ACL_COMPLEX64, out.handle);
    CHECK(out.read()[0] == C(1, 2) * C(3, -1) * C(1, 3) * C(-2, 5));
    RUN(0, aclnnMax, x.handle, out.handle);
    CHECK(out.read()[0] == C(3, -1));
    Array<C> rows({2});
    RUN(0, aclnnAmax, x.handle, Ints({0}).handle, false, rows.handle);
    CHECK((rows.read() == std::vector<C>{C(1, 3), C(3, -1)}));
    RUN(0, aclnnTrace, x.handle, out.handle);
    CHECK(out.read()[0] == C(-1, 7));
}

void nothing_reduces_to_the_identity() {
    const Array<float> x({0, 3});
    Array<float> out({3});
    Array<bool> truth({3});
    const Ints first({0});
    RUN(0, aclnnReduceSum, x.handle, first.handle, false, ACL_FLOAT, out.handle);
    CHECK((out.read() == std::vector<float>(3, 0)));
    RUN(0, aclnnProdDim, x.handle, 0, false, ACL_FLOAT, out.handle);
    CHECK((out.read() == std::vector<float>(3, 1)));
    RUN(0, aclnnMean, x.handle, first.handle, false, ACL_FLOAT, out.handle);
    CHECK(std::isnan(out.read()[2]));
    RUN(0, aclnnAll, x.handle, first.handle, false, truth.handle);
    CHECK((truth.read() == std::vector<bool>(3, true)) && truth.memory.read<uint8_t>()[0] == 1);
    RUN(0, aclnnAny, x.handle, first.handle, false, truth.handle);
    CHECK((truth.read() == std::vector<bool>(3, false)));
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnAmax, x.handle, first.handle, false, out.handle);
    Array<float> none({0});
    RUN(0, aclnnAmax, x.handle, Ints({1}).handle, false, none.handle);
}

void means_and_both_extremes() {
    const Array<int32_t> x({2, 3}, {1, 2, 3, 4, 5, 7});
    Array<float> mean({2, 1});
    RUN(0, aclnnMean, x.handle, Ints({-1}).handle, true, ACL_FLOAT, mean.handle);
    CHECK((mean.read() == std::vector<float>{2, static_cast<float>(16.0 / 3)}));
    Array<int32_t> least({3}), most({3});
    RUN(0, aclnnAminmax, x.handle, Ints({0}).handle, false, least.handle, most.handle);
    CHECK((least.read() == std::vector<int32_t>{1, 2, 3}) && (most.read() == std::vector<int32_t>{4, 5, 7}));
    Array<float> copy({2, 3});
    RUN(0, aclnnMeanV2, x.handle, Ints({}).handle, false, true, copy.handle);
    CHECK((copy.read() == std::vector<float>{1, 2, 3, 4, 5, 7}));
}

void bad_arguments_are_refused() {
    const Array<float> x({2, 3});
    Array<float> out({2});
    Array<int32_t> integers({2});
    const Ints last({1}), beyond({2}), twice({1, -1});
    const auto sum = [&](long expected, const aclTensor* self, const aclIntArray* dims, aclDataType type,
                         aclTensor* to) { RUN(expected, aclnnReduceSum, self, dims, false, type, to); };
    sum(ACLNN_ERR_PARAM_NULLPTR, nullptr, last.handle, ACL_FLOAT, out.handle);
    sum(ACLNN_ERR_PARAM_NULLPTR, x.handle, nullptr, ACL_FLOAT, out.handle);
    sum(ACLNN_ERR_PARAM_NULLPTR, x.handle, last.handle, ACL_FLOAT, nullptr);
    sum(ACLNN_ERR_PARAM_INVALID, x.handle, beyond.handle, ACL_FLOAT, out.handle);
    sum(ACLNN_ERR_PARAM_INVALID, x.handle, twice.handle, ACL_FLOAT, out.handle);
    sum(ACLNN_ERR_PARAM_INVALID, x.handle, last.handle, ACL_INT32, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnReduceSum, x.handle, last.handle, true, ACL_FLOAT, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnAmax, x.handle, last.handle, false, integers.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnTrace, out.handle, out.handle);
    const Array<std::complex<float>> z({2});
    Array<float> real({});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnReduceSum, z.handle, Ints({}).handle, false, ACL_FLOAT, real.handle);
}

// Sums of awkward numbers over every axis, as bits.
void sum_bits(uint32_t* to) {
    const Device device;
    const struct {
        Shape shape;
        int axis;
    } cases[] = {{{1 << 20}, -1},  {{3, 400000}, 1}, {{300000, 3}, 0},
                 {{2000, 500}, 0}, {{2000, 500}, 1}, {{50, 400, 64}, 1}};
    for (const auto& c : cases) {
        std::vector<float> values;
        for (int64_t i = 0; i < count(c.shape); ++i) values.push_back(std::sin(static_cast<float>(i % 99991)) * 1e3f);
        const Array<float> x(c.shape, values);
        Array<float> out(without(c.shape, c.axis));
        const Ints dims(c.axis < 0 ? Shape{} : Shape{c.axis});
        RUN(0, aclnnReduceSum, x.handle, dims.handle, false, ACL_FLOAT, out.handle);
        uint32_t hash = 2166136261u;  // FNV-1a
        for (const float f : out.read()) {
            uint32_t bits;
            std::memcpy(&bits, &f, 4);
            hash = (hash ^ bits) * 16777619u;
        }
        *to++ = hash;
    }
}

void threads_change_no_bit() {
    void* const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    uint32_t* const bits = static_cast<uint32_t*>(shared);
    const char* const threads[] = {"1", "2", "8"};
    for (int t = 0; t < 3; ++t) {
        in_child("threads", [&] {
            setenv("PYASC_EMBEDDED_THREADS", threads[t], 1);
            sum_bits(bits + t * 6);
        });
    }
    CHECK(bits[0] != 0 && std::memcmp(bits, bits + 6, 24) == 0 && std::memcmp(bits, bits + 12, 24) == 0);
    munmap(shared, 4096);
}

}  // namespace

int main() {
    threads_change_no_bit();
    const Device device;
    check_type<bool, int64_t>();
    check_type<int8_t>();
    check_type<uint8_t, int64_t>();
    check_type<int16_t>();
    check_type<uint16_t>();
    check_type<int32_t, int64_t>();
    check_type<uint32_t>();
    check_type<int64_t>();
    check_type<uint64_t>();
    check_type<float>();
    check_type<double>();
    integers_wrap_in_the_output_type();
    sums_are_pairwise();
    nan_wins_and_is_true();
    complex_numbers();
    nothing_reduces_to_the_identity();
    means_and_both_extremes();
    bad_arguments_are_refused();
    return std::min<int>(failures, 99);  // an exit status has eight bits
}

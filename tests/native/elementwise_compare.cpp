// Comparisons, logic, bits, shifts, choices and bounds: edge values of every type, scalars that the type cannot hold,
// NaN.
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_bitwise_and_scalar.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_bitwise_not.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_equal.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_isclose.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_left_shift.h"
#include "aclnnop/aclnn_lerp_scalar.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_masked_fill_tensor.h"
#include "aclnnop/aclnn_nan_to_num.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "aclnnop/aclnn_right_shift.h"
#include "aclnnop/aclnn_s_where.h"
#include "reduce_check.h"

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class T>
std::vector<T> edges() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
        return {0, T(-0.0), 1, -1, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min(),
                2, T(0.1)};
    }
    return {0, 1, T(-1), Limits::min(), Limits::max(), 2, T(Limits::max() - 1), 64, 31, 7};
}

// All pairs of edge values, the first operand repeating along rows, the second along columns.
template <class T>
struct Pairs {
    std::vector<T> first, second;
    int64_t n;
    Pairs() {
        const std::vector<T> values = edges<T>();
        n = static_cast<int64_t>(values.size());
        for (int64_t i = 0; i < n * n; ++i) first.push_back(values[i / n]), second.push_back(values[i % n]);
    }
    Shape shape() const { return {n, n}; }
};

#define EXPECT_EACH(array, expression)                                                       \
    do {                                                                                     \
        const auto got = (array).read();                                                     \
        for (size_t i = 0; i < got.size(); ++i) {                                            \
            if (got[i] == (expression)) continue;                                            \
            ++failures;                                                                      \
            std::printf("%s:%d: element %zu: not %s\n", __FILE__, __LINE__, i, #expression); \
            break;                                                                           \
        }                                                                                    \
    } while (0)

template <class T>
void comparisons() {
    const Pairs<T> p;
    for (const Layout layout : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
        const Array<T> a(p.shape(), p.first, layout), b(p.shape(), p.second);
        Array<bool> out(p.shape(), layout);
        RUN(0, aclnnEqTensor, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, p.first[i] == p.second[i]);
        RUN(0, aclnnNeTensor, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, p.first[i] != p.second[i]);
        RUN(0, aclnnLtTensor, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, p.first[i] < p.second[i]);
        RUN(0, aclnnLeTensor, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, p.first[i] <= p.second[i]);
        RUN(0, aclnnGtTensor, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, p.first[i] > p.second[i]);
        RUN(0, aclnnGeTensor, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, p.first[i] >= p.second[i]);
        RUN(0, aclnnLogicalAnd, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, (p.first[i] != 0 && p.second[i] != 0));
        RUN(0, aclnnLogicalOr, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, (p.first[i] != 0 || p.second[i] != 0));
        RUN(0, aclnnLogicalXor, a.handle, b.handle, out.handle);
        EXPECT_EACH(out, ((p.first[i] != 0) != (p.second[i] != 0)));
        RUN(0, aclnnLogicalNot, a.handle, out.handle);
        EXPECT_EACH(out, (p.first[i] == 0));
    }
}

template <class T>
void bits() {
    const Pairs<T> p;
    const Array<T> a(p.shape(), p.first, Layout::Strided), b(p.shape(), p.second);
    Array<T> out(p.shape());
    constexpr int kBits = 8 * sizeof(T);
    RUN(0, aclnnBitwiseAndTensor, a.handle, b.handle, out.handle);
    EXPECT_EACH(out, T(p.first[i] & p.second[i]));
    RUN(0, aclnnBitwiseOrTensor, a.handle, b.handle, out.handle);
    EXPECT_EACH(out, T(p.first[i] | p.second[i]));
    RUN(0, aclnnBitwiseXorTensor, a.handle, b.handle, out.handle);
    EXPECT_EACH(out, T(p.first[i] ^ p.second[i]));
    RUN(0, aclnnBitwiseNot, a.handle, out.handle);
    EXPECT_EACH(out, T(~p.first[i]));
    const auto fits = [&](size_t i) { return !(p.second[i] < 0) && static_cast<uint64_t>(p.second[i]) < kBits; };
    RUN(0, aclnnLeftShift, a.handle, b.handle, out.handle);
    EXPECT_EACH(out, fits(i) ? static_cast<T>(static_cast<uint64_t>(p.first[i]) << p.second[i]) : T(0));
    RUN(0, aclnnRightShift, a.handle, b.handle, out.handle);
    EXPECT_EACH(out, fits(i) ? T(p.first[i] >> p.second[i]) : p.first[i] < 0 ? T(-1) : T(0));
    Array<T> self(p.shape(), p.first);
    const Number mask(int64_t{6});
    RUN(0, aclnnInplaceBitwiseAndScalar, self.handle, mask.handle);
    EXPECT_EACH(self, T(p.first[i] & 6));
}

template <class T>
void choices() {
    const Pairs<T> p;
    const auto same = [](T a, T b) { return a == b || (a != a && b != b); };
    std::vector<bool> mask;
    for (int64_t i = 0; i < p.n * p.n; ++i) mask.push_back(i % 3 == 1);
    const Array<bool> condition(p.shape(), mask);
    const Array<T> a(p.shape(), p.first, Layout::Fortran), b(p.shape(), p.second);
    Array<T> out(p.shape());
    RUN(0, aclnnSWhere, condition.handle, a.handle, b.handle, out.handle);
    const std::vector<T> chosen = out.read();
    for (size_t i = 0; i < chosen.size(); ++i) CHECK(same(chosen[i], mask[i] ? p.first[i] : p.second[i]));
    Array<T> filled(p.shape(), p.first);
    const Number nine(int64_t{9});
    RUN(0, aclnnInplaceMaskedFillScalar, filled.handle, condition.handle, nine.handle);
    const std::vector<T> after = filled.read();
    for (size_t i = 0; i < after.size(); ++i) CHECK(same(after[i], mask[i] ? T(9) : p.first[i]));
    const Array<T> low(Shape{}, {T(2)}), high(Shape{}, {T(7)});
    const Number two(int64_t{2}), seven(int64_t{7});
    const auto clamped = [](T x) { return x != x ? x : x < 2 ? T(2) : x > 7 ? T(7) : x; };
    for (const bool tensors : {false, true}) {
        if (tensors) {
            RUN(0, aclnnClampTensor, a.handle, low.handle, high.handle, out.handle);
        } else {
            RUN(0, aclnnClamp, a.handle, two.handle, seven.handle, out.handle);
        }
        const std::vector<T> got = out.read();
        for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i], clamped(p.first[i])));
    }
}

void scalars_out_of_range() {
    const Array<uint8_t> x({3}, {0, 7, 255});
    Array<bool> out({3});
    Array<uint8_t> clamped({3});
    const Number minus(int64_t{-1}), large(int64_t{300}), between(6.5);
    RUN(0, aclnnGtScalar, x.handle, minus.handle, out.handle);
    CHECK((out.read() == std::vector<bool>{true, true, true}));
    RUN(0, aclnnLtScalar, x.handle, large.handle, out.handle);
    CHECK((out.read() == std::vector<bool>{true, true, true}));
    RUN(0, aclnnEqScalar, x.handle, large.handle, out.handle);
    CHECK((out.read() == std::vector<bool>{false, false, false}));
    RUN(0, aclnnGtScalar, x.handle, between.handle, out.handle);
    CHECK((out.read() == std::vector<bool>{false, true, true}));
    RUN(0, aclnnClamp, x.handle, minus.handle, large.handle, clamped.handle);
    CHECK((clamped.read() == std::vector<uint8_t>{0, 7, 255}));
    RUN(0, aclnnClampMin, x.handle, large.handle, clamped.handle);
    CHECK((clamped.read() == std::vector<uint8_t>{255, 255, 255}));
}

void closeness() {
    const std::vector<float> x = {1, 1, kNan, kInfinity, -kInfinity, 0, kInfinity},
                             y = {1.000001F, 1.1F, kNan, kInfinity, kInfinity, 1e-9F, 1};
    const Array<float> a({7}, x), b({7}, y);
    Array<bool> out({7}), one(Shape{});
    RUN(0, aclnnIsClose, a.handle, b.handle, 1e-5, 1e-8, false, out.handle);
    CHECK((out.read() == std::vector<bool>{true, false, false, true, false, true, false}));
    RUN(0, aclnnIsClose, a.handle, b.handle, 1e-5, 1e-8, true, out.handle);
    CHECK((out.read() == std::vector<bool>{true, false, true, true, false, true, false}));
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnIsClose, a.handle, b.handle, -1.0, 1e-8, true, out.handle);
    const Array<float> p({2, 3}, {1, 2, 3, 4, 5, 6}), q({2, 3}, {1, 2, 3, 4, 5, 6}, Layout::Fortran),
        r({3, 2}, {1, 2, 3, 4, 5, 6});
    const Array<double> d({2, 3}, {1, 2, 3, 4, 5, 6.5});
    const auto equal = [&](const aclTensor* s, const aclTensor* t) {
        RUN(0, aclnnEqual, s, t, one.handle);
        return bool(one.read()[0]);
    };
    CHECK(equal(p.handle, q.handle));
    CHECK(!equal(p.handle, r.handle));
    CHECK(!equal(p.handle, d.handle));
    CHECK(!equal(a.handle, a.handle));  // it holds a NaN
    std::vector<int8_t> zeros(3000000);
    const Array<int8_t> big({3000000}, zeros);
    zeros[2999999] = 1;
    const Array<int8_t> other({3000000}, zeros);
    CHECK(equal(big.handle, big.handle));
    CHECK(!equal(big.handle, other.handle));
}

void mixtures() {
    const Array<float> x({4}, {1, 2, 3, 4}), y({4}, {5, 6, 7, 8}), z({4}, {2, 2, 4, 4});
    Array<float> out({4});
    const Number quarter(0.25), two(int64_t{2});
    RUN(0, aclnnLerps, x.handle, y.handle, quarter.handle, out.handle);
    CHECK((out.read() == std::vector<float>{2, 3, 4, 5}));
    RUN(0, aclnnAddcmul, x.handle, y.handle, z.handle, two.handle, out.handle);
    CHECK((out.read() == std::vector<float>{21, 26, 59, 68}));
    RUN(0, aclnnAddcdiv, x.handle, y.handle, z.handle, two.handle, out.handle);
    CHECK((out.read() == std::vector<float>{6, 8, 6.5F, 8}));
    const Array<float> odd({4}, {kNan, kInfinity, -kInfinity, 1.5F});
    RUN(0, aclnnNanToNum, odd.handle, 7.0F, 8.0F, 9.0F, out.handle);
    CHECK((out.read() == std::vector<float>{7, 8, 9, 1.5F}));
}

void refusals() {
    Array<float> a({3}), out({3});
    Array<bool> t({3}), pair({2});
    const Array<float> two({2});
    const Number one(int64_t{1});
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnClamp, a.handle, nullptr, nullptr, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnSWhere, a.handle, a.handle, a.handle, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnBitwiseNot, a.handle, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnBitwiseAndTensor, a.handle, a.handle, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnEqual, a.handle, a.handle, pair.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnEqTensor, a.handle, two.handle, t.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInplaceMaskedFillTensor, a.handle, t.handle, two.handle);
}

template <class T>
void integer() {
    comparisons<T>();
    bits<T>();
    choices<T>();
}

}  // namespace

int main() {
    const Device device;
    integer<int8_t>();
    integer<uint8_t>();
    integer<int16_t>();
    integer<uint16_t>();
    integer<int32_t>();
    integer<uint32_t>();
    integer<int64_t>();
    integer<uint64_t>();
    comparisons<float>();
    comparisons<double>();
    choices<float>();
    choices<double>();
    scalars_out_of_range();
    closeness();
    mixtures();
    refusals();
    return failures;
}

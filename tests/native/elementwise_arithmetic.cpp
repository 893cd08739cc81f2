// Arithmetic of two operands against exact integer and long double arithmetic: every type, layouts, edge values,
// scalars, in place, alpha, mixed types, and what is refused.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_n.h"
#include "aclnnop/aclnn_add_relu.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_gcd.h"
#include "aclnnop/aclnn_heaviside.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_maxn.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_sub.h"
#include "reduce_check.h"

namespace {

using Exact = __int128;
using Wrapping = unsigned __int128;  // the product of two uint64 is longer than Exact

// What an operation does to two elements: whole numbers exactly (the result wraps), floats in the type itself.
struct Operation {
    const char* name;
    aclnnStatus (*plan)(const aclTensor*, const aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**);
    aclnnStatus (*run)(void*, uint64_t, aclOpExecutor*, aclrtStream);
    Exact (*whole)(Exact, Exact);
    long double (*real)(long double, long double);
};

Number& one() {
    static Number value(int64_t{1});  // lives as long as the process
    return value;
}

aclnnStatus plan_add(const aclTensor* a, const aclTensor* b, aclTensor* out, uint64_t* size, aclOpExecutor** e) {
    return aclnnAddGetWorkspaceSize(a, b, one().handle, out, size, e);
}
aclnnStatus plan_sub(const aclTensor* a, const aclTensor* b, aclTensor* out, uint64_t* size, aclOpExecutor** e) {
    return aclnnSubGetWorkspaceSize(a, b, one().handle, out, size, e);
}
aclnnStatus plan_rsub(const aclTensor* a, const aclTensor* b, aclTensor* out, uint64_t* size, aclOpExecutor** e) {
    return aclnnRsubGetWorkspaceSize(a, b, one().handle, out, size, e);
}
aclnnStatus plan_trunc(const aclTensor* a, const aclTensor* b, aclTensor* out, uint64_t* size, aclOpExecutor** e) {
    return aclnnDivModGetWorkspaceSize(a, b, 1, out, size, e);
}

Exact floor_quotient(Exact a, Exact b) { return b == 0 ? 0 : a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }
Exact gcd(Exact a, Exact b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        const Exact r = a % b;
        a = b;
        b = r;
    }
    return a;
}
long double floor_remainder(long double a, long double b) {
    const long double r = std::fmod(a, b);
    if (r == 0) return std::copysign(0.0L, b);
    return (r < 0) != (b < 0) ? r + b : r;
}
long double floor_real(long double a, long double b) {
    if (b == 0 || std::isnan(a) || std::isnan(b)) return a / b;
    const long double r = std::fmod(a, b), quotient = (a - r) / b;
    return r != 0 && (r < 0) != (b < 0) ? quotient - 1 : quotient;
}

#define OPERATION(op, plan, whole, real) {#op, plan, op, whole, real}
const Operation kOperations[] = {
    OPERATION(
        aclnnAdd, plan_add, [](Exact a, Exact b) { return a + b; }, [](long double a, long double b) { return a + b; }),
    OPERATION(
        aclnnSub, plan_sub, [](Exact a, Exact b) { return a - b; }, [](long double a, long double b) { return a - b; }),
    OPERATION(
        aclnnRsub, plan_rsub, [](Exact a, Exact b) { return b - a; },
        [](long double a, long double b) { return b - a; }),
    OPERATION(
        aclnnMul, aclnnMulGetWorkspaceSize, [](Exact a, Exact b) { return Exact(Wrapping(a) * Wrapping(b)); },
        [](long double a, long double b) { return a * b; }),
    OPERATION(aclnnDiv, aclnnDivGetWorkspaceSize, nullptr, [](long double a, long double b) { return a / b; }),
    OPERATION(aclnnFloorDivide, aclnnFloorDivideGetWorkspaceSize, floor_quotient, floor_real),
    OPERATION(
        aclnnDivMod, plan_trunc, [](Exact a, Exact b) { return b == 0 ? 0 : a / b; },
        [](long double a, long double b) { return std::trunc(a / b); }),
    OPERATION(
        aclnnRemainderTensorTensor, aclnnRemainderTensorTensorGetWorkspaceSize,
        [](Exact a, Exact b) { return b == 0 ? 0 : a - b * floor_quotient(a, b); }, floor_remainder),
    OPERATION(
        aclnnFmodTensor, aclnnFmodTensorGetWorkspaceSize, [](Exact a, Exact b) { return b == 0 ? 0 : a % b; },
        [](long double a, long double b) { return std::fmod(a, b); }),
    OPERATION(
        aclnnMaximum, aclnnMaximumGetWorkspaceSize, [](Exact a, Exact b) { return a > b ? a : b; },
        [](long double a, long double b) { return std::isnan(a) || a >= b ? a : b; }),
    OPERATION(
        aclnnMinimum, aclnnMinimumGetWorkspaceSize, [](Exact a, Exact b) { return a < b ? a : b; },
        [](long double a, long double b) { return std::isnan(a) || a <= b ? a : b; }),
    OPERATION(aclnnGcd, aclnnGcdGetWorkspaceSize, gcd, nullptr),
};
#undef OPERATION

template <class T>
std::vector<T> edge_values() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
        return {0,
                T(-0.0),
                1,
                -1,
                T(0.5),
                -3,
                7,
                T(-7.5),
                T(100.25),
                Limits::infinity(),
                -Limits::infinity(),
                Limits::quiet_NaN(),
                Limits::denorm_min(),
                T(0.125),
                T(-2),
                T(1e4)};
    }
    return {0,
            1,
            2,
            3,
            7,
            100,
            T(-1),
            T(-2),
            T(-3),
            T(-100),
            Limits::min(),
            Limits::max(),
            T(Limits::max() - 1),
            T(Limits::min() + 1),
            5,
            T(-7)};
}

// The result nearest to the exact one. The edge values are such that long double has it.
template <class T>
bool as_expected(const Operation& op, T a, T b, T got) {
    if constexpr (std::is_integral_v<T>) {
        return got == static_cast<T>(static_cast<Wrapping>(op.whole(a, b)));
    } else {
        const T want = static_cast<T>(op.real(a, b));
        return std::isnan(want) ? std::isnan(got) : want == got;
    }
}

template <class T>
void check_type() {
    const std::vector<T> edges = edge_values<T>();
    const int64_t n = static_cast<int64_t>(edges.size());
    std::vector<T> rows, columns;
    for (int64_t i = 0; i < n * n; ++i) rows.push_back(edges[i / n]), columns.push_back(edges[i % n]);
    for (const Operation& op : kOperations) {
        if (std::is_integral_v<T> ? !op.whole : !op.real) continue;
        for (const Layout left : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
            for (const Layout right : {Layout::Dense, Layout::Strided, Layout::Broadcast}) {
                Array<T> a({n, n}, rows, left), b({n, n}, columns, right),
                    out({n, n}, right == Layout::Dense ? left : Layout::Dense);
                uint64_t size = 0;
                aclOpExecutor* executor = nullptr;
                CODE(0, op.plan(a.handle, b.handle, out.handle, &size, &executor));
                CODE(0, op.run(nullptr, size, executor, nullptr));
                CODE(0, aclrtSynchronizeStream(nullptr));
                const std::vector<T> got = out.read();
                for (int64_t i = 0; i < n * n; ++i) {
                    const T x = rows[i], y = right == Layout::Broadcast ? columns[i % n] : columns[i];
                    if (as_expected(op, x, y, got[i])) continue;
                    ++failures;
                    std::printf("%s(%g, %g) of type %d is %g\n", op.name, double(x), double(y), int(type_code<T>()),
                                double(got[i]));
                    break;
                }
            }
        }
    }
}

// Scalars and in place: the same values as with a tensor that repeats the scalar.
template <class T>
void check_scalars() {
    const std::vector<T> x = {1, 2, 3, 50, 7, 9, 100};
    const int64_t n = static_cast<int64_t>(x.size());
    const Number three(int64_t{3}), two(int64_t{2});
    Array<T> a({n}, x), out({n}), ref({n}, x);
    const auto expect = [&](const Array<T>& array, T (*f)(T)) {
        const std::vector<T> got = array.read();
        for (int64_t i = 0; i < n; ++i) CHECK(got[i] == f(x[i]));
    };
    RUN(0, aclnnAdds, a.handle, three.handle, one().handle, out.handle);
    expect(out, [](T v) { return T(v + 3); });
    RUN(0, aclnnAdds, a.handle, three.handle, two.handle, out.handle);
    expect(out, [](T v) { return T(v + 6); });
    RUN(0, aclnnSubs, a.handle, three.handle, one().handle, out.handle);
    expect(out, [](T v) { return T(v - 3); });
    RUN(0, aclnnRsubs, a.handle, three.handle, one().handle, out.handle);
    expect(out, [](T v) { return T(3 - v); });
    RUN(0, aclnnMuls, a.handle, three.handle, out.handle);
    expect(out, [](T v) { return T(v * 3); });
    RUN(0, aclnnFloorDivides, a.handle, three.handle, out.handle);
    expect(out, [](T v) { return T(int64_t(v) / 3); });
    RUN(0, aclnnRemainderScalarTensor, three.handle, a.handle, out.handle);
    expect(out, [](T v) { return T(3 % int64_t(v)); });
    RUN(0, aclnnPowTensorScalar, a.handle, two.handle, out.handle);
    expect(out, [](T v) { return T(v * v); });
    RUN(0, aclnnAdd, a.handle, a.handle, two.handle, out.handle);
    expect(out, [](T v) { return T(3 * v); });
    RUN(0, aclnnSub, a.handle, a.handle, three.handle, out.handle);
    expect(out, [](T v) { return T(-2 * v); });
    RUN(0, aclnnInplaceAdd, ref.handle, a.handle, one().handle);
    expect(ref, [](T v) { return T(v + v); });
    RUN(0, aclnnInplaceMuls, ref.handle, two.handle);
    expect(ref, [](T v) { return T(4 * v); });
    RUN(0, aclnnInplaceSubs, ref.handle, three.handle, one().handle);
    expect(ref, [](T v) { return T(4 * v - 3); });
}

void check_mixed_types() {
    const Array<int32_t> i({3}, {7, -7, 2147483647});
    const Array<float> f({3}, {2, 0.5F, -1});
    Array<float> f_out({3});
    Array<double> d_out({3});
    RUN(0, aclnnAdd, i.handle, f.handle, one().handle, f_out.handle);
    CHECK((f_out.read() == std::vector<float>{9, -6.5F, 2147483648.0F}));
    RUN(0, aclnnMul, f.handle, f.handle, d_out.handle);
    CHECK((d_out.read() == std::vector<double>{4, 0.25, 1}));
    RUN(0, aclnnDiv, i.handle, i.handle, d_out.handle);
    CHECK((d_out.read() == std::vector<double>{1, 1, 1}));
    const Array<int32_t> thirds({3}, {3, 3, 3});
    RUN(0, aclnnDiv, i.handle, thirds.handle, d_out.handle);
    CHECK((d_out.read() == std::vector<double>{7 / 3.0, -7 / 3.0, 2147483647 / 3.0}));
    RUN(0, aclnnDiv, i.handle, thirds.handle, f_out.handle);
    CHECK((f_out.read() == std::vector<float>{float(7 / 3.0), float(-7 / 3.0), float(2147483647 / 3.0)}));
    const Array<bool> b({3}, {true, false, true});
    Array<int32_t> i_out({3});
    RUN(0, aclnnAdd, i.handle, b.handle, one().handle, i_out.handle);
    CHECK((i_out.read() == std::vector<int32_t>{8, -7, -2147483647 - 1}));
}

void check_complex() {
    using C = std::complex<double>;
    const Array<C> a({3}, {{1, 2}, {1e300, 1e300}, {-3, 0.5}}), b({3}, {{2, -1}, {1e300, 1e300}, {0, 2}});
    Array<C> out({3});
    RUN(0, aclnnMul, a.handle, b.handle, out.handle);
    CHECK(std::abs(out.read()[0] - C(4, 3)) < 1e-15);
    RUN(0, aclnnDiv, a.handle, b.handle, out.handle);
    CHECK(std::abs(out.read()[0] - C(0, 1)) < 1e-15);
    CHECK(std::abs(out.read()[1] - C(1, 0)) < 1e-15);  // scaled: nothing overflows on the way
    RUN(0, aclnnPowTensorTensor, a.handle, b.handle, out.handle);
    CHECK(std::abs(out.read()[0] - std::pow(C(1, 2), C(2, -1))) < 1e-13);
}

void check_lists() {
    const Array<float> a({2}, {1, -5}), b({2}, {2, 3}), c({2}, {4, 1});
    Array<float> out({2});
    aclTensor* handles[] = {a.handle, b.handle, c.handle};
    aclTensorList* list = aclCreateTensorList(handles, 3);
    RUN(0, aclnnAddN, list, out.handle);
    CHECK((out.read() == std::vector<float>{7, -1}));
    RUN(0, aclnnMaxN, list, out.handle);
    CHECK((out.read() == std::vector<float>{4, 3}));
    RUN(0, aclnnAddRelu, a.handle, b.handle, one().handle, out.handle);
    CHECK((out.read() == std::vector<float>{3, 0}));
}

void check_empty_and_single() {
    Array<float> empty({0, 3}), other({3}, {1, 2, 3}), empty_out({0, 3});
    RUN(0, aclnnMul, empty.handle, other.handle, empty_out.handle);
    const Array<float> x(Shape{}, {2.5F}), y(Shape{}, {4});
    Array<float> out(Shape{});
    RUN(0, aclnnMul, x.handle, y.handle, out.handle);
    CHECK(out.read()[0] == 10);
}

void check_refusals() {
    Array<float> a({2, 3}), b({2, 2}), out({2, 3}), large({4, 2, 3});
    Array<int32_t> i({2, 3});
    Array<bool> t({2, 3});
    Array<uint32_t> u({2, 3});
    const Number half(0.5);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnMul, nullptr, a.handle, out.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnAdd, a.handle, a.handle, nullptr, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMul, a.handle, b.handle, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMul, a.handle, a.handle, large.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMul, a.handle, i.handle, large.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMul, a.handle, a.handle, t.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMul, u.handle, i.handle, i.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnSub, t.handle, t.handle, one().handle, t.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnAdd, i.handle, i.handle, half.handle, i.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnDivMod, a.handle, a.handle, 3, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInplaceAdd, b.handle, a.handle, one().handle);
}

}  // namespace

int main() {
    const Device device;
    check_type<int8_t>();
    check_type<uint8_t>();
    check_type<int16_t>();
    check_type<uint16_t>();
    check_type<int32_t>();
    check_type<uint32_t>();
    check_type<int64_t>();
    check_type<uint64_t>();
    check_type<float>();
    check_type<double>();
    check_scalars<int32_t>();
    check_scalars<int64_t>();
    check_scalars<float>();
    check_scalars<double>();
    check_mixed_types();
    check_complex();
    check_lists();
    check_empty_and_single();
    check_refusals();
    return failures;
}

// What is exact about one tensor: signs, rounding, parts, tests of floats and integer reciprocals, for every type, in
// dense and strided layouts, with complex numbers and their special values.
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_angle_v2.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_complex.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_is_inf.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_isneginf.h"
#include "aclnnop/aclnn_isposinf.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_polar.h"
#include "aclnnop/aclnn_real.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_signbit.h"
#include "aclnnop/aclnn_square.h"
#include "aclnnop/aclnn_trunc.h"
#include "reduce_check.h"

namespace {

template <class T>
bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

// The operator gives f of every element, to the bit (any NaN is as good as another).
#define EACH(op, In, Out, values, f)                                                                                 \
    for (const Layout layout : {Layout::Dense, Layout::Strided}) {                                                   \
        const std::vector<In> in = values;                                                                           \
        const Array<In> x({static_cast<int64_t>(in.size())}, in, layout);                                            \
        const Array<Out> out(x.shape, layout);                                                                       \
        RUN(0, op, x.handle, out.handle);                                                                            \
        const std::vector<Out> got = out.read();                                                                     \
        for (size_t i = 0; i < in.size(); ++i) {                                                                     \
            [[maybe_unused]] const In v = in[i];                                                                     \
            const Out wanted = f;                                                                                    \
            if (same<Out>(got[i], wanted)) continue;                                                                 \
            ++failures;                                                                                              \
            std::printf(#op "(%s, %zu bytes): element %zu, layout %d\n",                                             \
                        std::is_signed<In>::value ? "signed" : "unsigned", sizeof(In), i, static_cast<int>(layout)); \
        }                                                                                                            \
    }

template <class T>
std::vector<T> float_values() {
    using L = std::numeric_limits<T>;
    std::vector<T> x = {0,
                        1,
                        T(0.5),
                        T(1.5),
                        T(2.5),
                        T(0.49999997),
                        3,
                        T(1e6) + T(0.5),
                        T(8388609),
                        T(1e15),
                        L::max(),
                        L::min(),
                        L::denorm_min(),
                        L::infinity(),
                        L::quiet_NaN(),
                        T(-2.75)};
    for (size_t i = 0, n = x.size(); i < n; ++i) x.push_back(-x[i]);
    for (int i = 0; i < 100; ++i) x.push_back(T(i) * T(0.37) - 15);
    return x;
}

template <class T>
void test_floats() {
    const std::vector<T> x = float_values<T>();
    EACH(aclnnNeg, T, T, x, -v)
    EACH(aclnnAbs, T, T, x, std::fabs(v))
    EACH(aclnnSign, T, T, x, v > 0 ? T(1) : v < 0 ? T(-1) : v == 0 ? T(0) : v)
    EACH(aclnnSquare, T, T, x, v * v)
    EACH(aclnnFloor, T, T, x, std::floor(v))
    EACH(aclnnCeil, T, T, x, std::ceil(v))
    EACH(aclnnTrunc, T, T, x, std::trunc(v))
    EACH(aclnnRound, T, T, x, std::nearbyint(v))
    EACH(aclnnFrac, T, T, x, v - std::trunc(v))
    EACH(aclnnReciprocal, T, T, x, 1 / v)
    EACH(aclnnReal, T, T, x, v)
    EACH(aclnnSignbit, T, bool, x, std::signbit(v))
    EACH(aclnnIsFinite, T, bool, x, std::isfinite(v))
    EACH(aclnnIsInf, T, bool, x, std::isinf(v))
    EACH(aclnnIsPosInf, T, bool, x, std::isinf(v) && v > 0)
    EACH(aclnnIsNegInf, T, bool, x, std::isinf(v) && v < 0)
    EACH(aclnnAngleV2, T, T, x, v < 0 ? static_cast<T>(std::acos(-1.0L)) : v == v ? T(0) : v)
}

template <class T>
void test_integers() {
    using L = std::numeric_limits<T>;
    using U = std::make_unsigned_t<T>;
    const std::vector<T> x = {0, 1, 2, 3, T(-1), T(-2), T(-7), L::max(), L::min(), static_cast<T>(L::min() + 1), 100};
    constexpr bool kSigned = std::is_signed<T>::value;
    EACH(aclnnNeg, T, T, x, static_cast<T>(U(0) - static_cast<U>(v)))
    EACH(aclnnAbs, T, T, x, kSigned && v < T(0) ? static_cast<T>(U(0) - static_cast<U>(v)) : v)
    EACH(aclnnSign, T, T, x, static_cast<T>((v > T(0)) - (v < T(0))))
    EACH(aclnnSquare, T, T, x, static_cast<T>(uint64_t(v) * uint64_t(v)))
    EACH(aclnnFloor, T, T, x, v)
    EACH(aclnnRound, T, T, x, v)
    EACH(aclnnFrac, T, T, x, T(0))
    EACH(aclnnReciprocal, T, T, x, v == 0 ? (kSigned && sizeof(T) >= 4 ? L::min() : T(0)) : static_cast<T>(1 / v))
    EACH(aclnnReciprocal, T, float, x, sizeof(T) >= 4 ? static_cast<float>(1.0 / v) : 1.0f / v)
    EACH(aclnnSignbit, T, bool, x, v < T(0))
    EACH(aclnnIsFinite, T, bool, x, v == v)
    EACH(aclnnIsInf, T, bool, x, v != v)
}

template <class P>
void test_complex() {
    using C = std::complex<P>;
    const P inf = std::numeric_limits<P>::infinity(), nan = std::numeric_limits<P>::quiet_NaN();
    std::vector<P> re, im;
    std::vector<C> z;
    for (const P a : {P(0), P(-0.0), P(1), P(-3), inf, -inf, nan}) {
        for (const P b : {P(0), P(-0.0), P(4), inf, -inf, nan}) re.push_back(a), im.push_back(b), z.emplace_back(a, b);
    }
    EACH(aclnnNeg, C, C, z, C(-v.real(), -v.imag()))
    EACH(aclnnReal, C, P, z, v.real())
    EACH(aclnnAbs, C, P, z, std::hypot(v.real(), v.imag()))
    EACH(aclnnIsFinite, C, bool, z, std::isfinite(v.real()) && std::isfinite(v.imag()))
    EACH(aclnnIsInf, C, bool, z, std::isinf(v.real()) || std::isinf(v.imag()))
    const Array<P> real({static_cast<int64_t>(z.size())}, re), imag(real.shape, im);
    const Array<C> joined(real.shape), sign({5});
    RUN(0, aclnnComplex, real.handle, imag.handle, joined.handle);
    const std::vector<C> got = joined.read();
    for (size_t i = 0; i < z.size(); ++i) CHECK(same(got[i].real(), re[i]) && same(got[i].imag(), im[i]));
    const Array<C> points({5}, {C(0, 0), C(3, 4), C(-inf, 1), C(2, inf), C(0, -2)});
    RUN(0, aclnnSign, points.handle, sign.handle);
    const std::vector<C> wanted = {C(0, 0), C(P(0.6), P(0.8)), C(-1, 0), C(0, 1), C(0, -1)};
    for (size_t i = 0; i < wanted.size(); ++i) CHECK(std::abs(sign.read()[i] - wanted[i]) < 1e-6);
    const Array<P> length({3}, {2, 0, 1}), turn({3}, {P(1), P(2), P(-0.5)});
    const Array<C> polar({3});
    RUN(0, aclnnPolar, length.handle, turn.handle, polar.handle);
    for (int i = 0; i < 3; ++i) {
        CHECK(std::abs(polar.read()[i] - std::polar(length.read()[i], turn.read()[i])) < 1e-6);
    }
}

void test_decimals() {
    const std::vector<double> x = {0.125, 2.675, -1.5, 12345.678, 0.05, -0.05, 1e300, 0};
    const Array<double> in({8}, x), out({8});
    RUN(0, aclnnRoundDecimals, in.handle, 2, out.handle);
    for (size_t i = 0; i < 8; ++i) CHECK(out.read()[i] == std::nearbyint(x[i] * 100) / 100);
    RUN(0, aclnnRoundDecimals, in.handle, -2, out.handle);
    for (size_t i = 0; i < 8; ++i) CHECK(out.read()[i] == std::nearbyint(x[i] / 100) * 100);
    const Array<int32_t> whole({5}, {15, 25, -35, 149, 151}), rounded({5});
    RUN(0, aclnnRoundDecimals, whole.handle, -1, rounded.handle);
    CHECK((rounded.read() == std::vector<int32_t>{20, 20, -40, 150, 150}));
    RUN(0, aclnnRoundDecimals, whole.handle, 3, rounded.handle);
    CHECK(rounded.read() == whole.read());
    RUN(0, aclnnInplaceRoundDecimals, in.handle, 0);
    CHECK(in.read()[1] == 3);
}

void test_refusals() {
    const Array<float> f({3}), g({3});
    const Array<bool> b({3});
    const Array<std::complex<float>> z({3});
    RUN(161002, aclnnNeg, b.handle, b.handle);
    RUN(161002, aclnnIsInf, f.handle, g.handle);
    RUN(161002, aclnnAbs, z.handle, z.handle);
    RUN(161002, aclnnFloor, z.handle, z.handle);
    RUN(161001, aclnnAbs, f.handle, nullptr);
}

}  // namespace

int main() {
    const Device device;
    test_floats<float>();
    test_floats<double>();
    test_integers<int8_t>();
    test_integers<uint8_t>();
    test_integers<int16_t>();
    test_integers<uint16_t>();
    test_integers<int32_t>();
    test_integers<uint32_t>();
    test_integers<int64_t>();
    test_integers<uint64_t>();
    test_complex<float>();
    test_complex<double>();
    test_decimals();
    test_refusals();
    return failures;
}

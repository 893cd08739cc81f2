// Functions of one tensor against the C library's long double: errors in units of the last place over the whole range
// of bit patterns, layouts, integer inputs, signs of zero, in place, and what is refused.
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_asin.h"
#include "aclnnop/aclnn_asinh.h"
#include "aclnnop/aclnn_atan.h"
#include "aclnnop/aclnn_atan2.h"
#include "aclnnop/aclnn_atanh.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_lgamma.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_logaddexp.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_tan.h"
#include "aclnnop/aclnn_tanh.h"
#include "reduce_check.h"

namespace {

using Real = long double;

struct Function {
    const char* name;
    aclnnStatus (*plan)(const aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**);
    aclnnStatus (*run)(void*, uint64_t, aclOpExecutor*, aclrtStream);
    Real (*exact)(Real);
    double single, full;  // allowed errors of float and double, in units of the last place
};

aclnnStatus plan_log2(const aclTensor* x, aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
    return aclnnLog2GetWorkspaceSize(x, out, size, executor);
}

Real sigmoid(Real x) {
    const Real e = std::exp(-std::fabs(x));
    return (x < 0 ? e : 1) / (1 + e);
}
Real lgamma_of(Real x) {
    int sign;
    return lgammal_r(x, &sign);
}

#define FUNCTION(op, exact, single, full) {#op, op##GetWorkspaceSize, op, exact, single, full}
const Function kFunctions[] = {
    FUNCTION(aclnnExp, std::exp, 1.1, 1.5),
    FUNCTION(aclnnExp2, std::exp2, 1.1, 1.5),
    FUNCTION(aclnnExpm1, std::expm1, 1, 2.5),
    FUNCTION(aclnnLog, std::log, 1, 1),
    {"aclnnLog2", plan_log2, aclnnLog2, std::log2, 0.51, 1},
    FUNCTION(aclnnLog10, std::log10, 0.51, 1),
    FUNCTION(aclnnLog1p, std::log1p, 0.51, 1.5),
    FUNCTION(aclnnSqrt, std::sqrt, 0.5001, 0.5001),
    FUNCTION(
        aclnnRsqrt, [](Real x) { return 1 / std::sqrt(x); }, 0.51, 2),
    FUNCTION(
        aclnnReciprocal, [](Real x) { return 1 / x; }, 0.5001, 0.5001),
    FUNCTION(aclnnSin, std::sin, 0.51, 1),
    FUNCTION(aclnnCos, std::cos, 0.51, 1),
    FUNCTION(aclnnTan, std::tan, 0.51, 3),
    FUNCTION(aclnnAsin, std::asin, 0.51, 3),
    FUNCTION(aclnnAcos, std::acos, 0.51, 2),
    FUNCTION(aclnnAtan, std::atan, 0.51, 2),
    FUNCTION(aclnnSinh, std::sinh, 1, 2.5),
    FUNCTION(aclnnCosh, std::cosh, 1, 2),
    FUNCTION(aclnnTanh, std::tanh, 3, 3),
    FUNCTION(aclnnAsinh, std::asinh, 0.51, 2.5),
    FUNCTION(aclnnAcosh, std::acosh, 0.51, 3),
    FUNCTION(aclnnAtanh, std::atanh, 0.51, 2.5),
    FUNCTION(aclnnErf, std::erf, 0.6, 2),
    FUNCTION(aclnnErfc, std::erfc, 0.6, 4),
    FUNCTION(aclnnLgamma, lgamma_of, 0.51, 6),
    FUNCTION(aclnnSigmoid, sigmoid, 3, 3),
    FUNCTION(
        aclnnSilu, [](Real x) { return std::isinf(x) && x < 0 ? Real{0} : x * sigmoid(x); }, 4, 4),
};

template <class T>
double error_of(T got, Real exact) {
    const T rounded = static_cast<T>(exact);
    if (got == rounded || (std::isnan(got) && std::isnan(exact))) return 0;
    if (std::isnan(got) || std::isnan(exact) || std::isinf(got) || std::isinf(rounded)) return HUGE_VAL;
    int exponent;
    std::frexp(exact, &exponent);
    exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
    return static_cast<double>(std::fabs(got - exact) / std::ldexp(Real{1}, exponent - std::numeric_limits<T>::digits));
}

template <class T>
std::vector<T> special_values() {
    using L = std::numeric_limits<T>;
    std::vector<T> x = {0,
                        L::denorm_min(),
                        L::min(),
                        L::min() / 2,
                        L::max(),
                        L::infinity(),
                        L::quiet_NaN(),
                        1,
                        T(0.5),
                        2,
                        T(1.5),
                        T(2.5),
                        10,
                        100,
                        1000,
                        T(1e6),
                        T(1e10),
                        T(88.72283),
                        T(103.97),
                        T(709.78),
                        T(745.13),
                        127,
                        128,
                        149,
                        1023,
                        1024,
                        1074};
    for (size_t i = 0, n = x.size(); i < n; ++i) x.push_back(-x[i]);
    return x;
}

std::vector<float> samples(float) {
    std::vector<float> x = special_values<float>();
    for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 300007) {
        const uint32_t b = static_cast<uint32_t>(bits);
        float f;
        std::memcpy(&f, &b, sizeof(f));
        x.push_back(f);
    }
    return x;
}
std::vector<double> samples(double) {
    std::vector<double> x = special_values<double>();
    std::uniform_real_distribution<double> one(-1, 1);
    for (int i = 0; i < 4000; ++i) {
        const uint64_t b = generator()();
        double d;
        std::memcpy(&d, &b, sizeof(d));
        for (const double v : {d, one(generator()), 30 * one(generator()), 1 + one(generator()) / 64}) x.push_back(v);
    }
    return x;
}

template <class In, class Out>
void run(const Function& f, const Array<In>& x, const Array<Out>& out) {
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    CODE(0, f.plan(x.handle, out.handle, &workspace, &executor));
    if (executor == nullptr) return;
    CODE(0, f.run(nullptr, workspace, executor, nullptr));
    CODE(0, aclrtSynchronizeStream(nullptr));
}

template <class T>
void test_error(const Function& f) {
    const std::vector<T> values = samples(T{});
    const Shape shape = {static_cast<int64_t>(values.size())};
    for (const Layout layout : {Layout::Dense, Layout::Strided}) {
        const Array<T> x(shape, values, layout), out(shape, layout);
        run(f, x, out);
        const std::vector<T> got = out.read();
        const double allowed = sizeof(T) == 4 ? f.single : f.full;
        double worst = 0;
        size_t at = 0;
        for (size_t i = 0; i < values.size(); ++i) {
            const double error = error_of(got[i], f.exact(values[i]));
            if (error > worst) worst = error, at = i;
        }
        if (worst <= allowed) continue;
        ++failures;
        std::printf("%s(%.17g) is %.17g, not %.20Lg: %g units of the last place (%zu bytes, layout %d)\n", f.name,
                    static_cast<double>(values[at]), static_cast<double>(got[at]), f.exact(values[at]), worst,
                    sizeof(T), static_cast<int>(layout));
    }
}

// Integers are computed as the numbers they are, also where a float could not hold them (but a double can).
template <class In>
void test_integers(const Function& f) {
    std::vector<In> values = {0,
                              1,
                              2,
                              3,
                              7,
                              100,
                              static_cast<In>(123456789),
                              static_cast<In>(std::min<uint64_t>(std::numeric_limits<In>::max(), 1ull << 53))};
    const Array<In> x({8}, values);
    const Array<float> out({8});
    run(f, x, out);
    const std::vector<float> got = out.read();
    for (size_t i = 0; i < values.size(); ++i) CHECK(error_of(got[i], f.exact(values[i])) < 1);
}

void test_zero_signs() {
    const Array<float> x({2}, {-0.0f, 0.0f}), out({2});
    for (const Function& f : kFunctions) {
        run(f, x, out);
        const std::vector<float> got = out.read();
        for (int i = 0; i < 2; ++i) {
            const Real exact = f.exact(i == 0 ? -0.0L : 0.0L);
            if (exact == 0 && std::signbit(got[i]) != std::signbit(exact) && f.run != aclnnLgamma) {
                ++failures;
                std::printf("%s(%s0) has the wrong sign\n", f.name, i == 0 ? "-" : "");
            }
        }
    }
}

void test_shapes() {
    const Array<float> empty({0, 3}), nothing({0, 3});
    RUN(0, aclnnExp, empty.handle, nothing.handle);
    const Array<float> x({}, {1.0f}), out({});
    RUN(0, aclnnExp, x.handle, out.handle);
    CHECK(out.read()[0] == std::exp(1.0f));
    const Array<double> y({4, 5}, std::vector<double>(20, 0.5), Layout::Fortran);
    RUN(0, aclnnInplaceSqrt, y.handle);
    for (const double v : y.read()) CHECK(v == std::sqrt(0.5));
    const Array<float> a({3, 1}, {1, 2, 3}), b({4}, {1, 2, 3, 4}), angle({3, 4});
    RUN(0, aclnnAtan2, a.handle, b.handle, angle.handle);
    for (int i = 0; i < 12; ++i) CHECK(error_of(angle.read()[i], std::atan2(Real(i / 4 + 1), Real(i % 4 + 1))) < 1);
    RUN(0, aclnnLogAddExp, a.handle, b.handle, angle.handle);
    for (int i = 0; i < 12; ++i) {
        CHECK(error_of(angle.read()[i], std::log(std::exp(Real(i / 4 + 1)) + std::exp(Real(i % 4 + 1)))) < 1);
    }
}

void test_refusals() {
    const Array<float> x({3}), wide({4});
    const Array<int32_t> whole({3});
    const Array<std::complex<float>> complex({3});
    RUN(161002, aclnnSin, x.handle, wide.handle);
    RUN(161002, aclnnSin, x.handle, whole.handle);
    RUN(161002, aclnnSin, complex.handle, x.handle);
    RUN(161002, aclnnErf, complex.handle, complex.handle);
    RUN(161001, aclnnSin, nullptr, x.handle);
    RUN(161001, aclnnInplaceExp, nullptr);
}

}  // namespace

int main() {
    const Device device;
    for (const Function& f : kFunctions) {
        test_error<float>(f);
        test_error<double>(f);
        if (f.run != aclnnSin && f.run != aclnnLog1p) continue;
        test_integers<int32_t>(f);
        test_integers<int64_t>(f);
        test_integers<uint32_t>(f);
    }
    test_zero_signs();
    test_shapes();
    test_refusals();
    return failures;
}

// Activations against their formulas, and their gradients against central differences of those, in long double; gated
// units, prelu, and what is refused.
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_fast_gelu.h"
#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_glu.h"
#include "aclnnop/aclnn_glu_backward.h"
#include "aclnnop/aclnn_hardshrink.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_hardtanh.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_logsigmoid.h"
#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "aclnnop/aclnn_mish.h"
#include "aclnnop/aclnn_mish_backward.h"
#include "aclnnop/aclnn_prelu.h"
#include "aclnnop/aclnn_prelu_backward.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_selu.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_softplus_backward.h"
#include "aclnnop/aclnn_softshrink.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_swi_glu_grad.h"
#include "aclnnop/aclnn_swish.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "reduce_check.h"

namespace {

using Real = long double;
using Formula = Real (*)(Real);

Real sigmoid(Real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
Real softplus(Real x) { return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x))); }
Real relu(Real x) { return x > 0 ? x : 0; }
Real leaky(Real x) { return x > 0 ? x : x / 8; }
Real elu(Real x) { return Real{1.25} * (x > 0 ? x : Real{1.5} * std::expm1(x * Real{0.5})); }
Real selu(Real x) { return 1.0507009873554804934L * (x > 0 ? x : 1.6732632423543772848L * std::expm1(x)); }
Real silu(Real x) { return x * sigmoid(x); }
Real swish(Real x) { return x * sigmoid(x * Real{1.5}); }
Real mish(Real x) { return x * std::tanh(softplus(x)); }
Real fast_gelu(Real x) { return x * sigmoid(1.702L * x); }
Real gelu(Real x) { return x * std::erfc(-x / std::sqrt(Real{2})) / 2; }
Real gelu_tanh(Real x) { return x * sigmoid(2 * std::sqrt(2 / std::acos(Real{-1})) * (x + 0.044715L * x * x * x)); }
Real log_sigmoid(Real x) { return -softplus(-x); }
Real softplus2(Real x) { return 2 * x > 12 ? x : softplus(2 * x) / 2; }
Real hardsigmoid(Real x) { return std::fmin(std::fmax(x + 3, Real{0}), Real{6}) / 6; }
Real hardswish(Real x) { return x * hardsigmoid(x); }
Real hardtanh(Real x) { return std::fmin(std::fmax(x, Real{-1}), Real{2}); }
Real threshold(Real x) { return x > 1 ? x : 20; }
Real hardshrink(Real x) { return std::fabs(x) > 1 ? x : 0; }
Real softshrink(Real x) { return x > 1 ? x - 1 : x < -1 ? x + 1 : 0; }
Real tanh_of(Real x) { return std::tanh(x); }

// Off the corners of the piecewise ones, so that central differences hold.
template <class T>
std::vector<T> values() {
    std::vector<T> x;
    for (int i = -160; i < 160; ++i) x.push_back(static_cast<T>(i) / 8 + static_cast<T>(0.0625));
    return x;
}

template <class T>
void compare(const char* name, const std::vector<T>& got, const std::vector<Real>& exact, double tolerance,
             double floor) {
    for (size_t i = 0; i < got.size(); ++i) {
        if (std::fabs(got[i] - exact[i]) <= tolerance * std::fabs(exact[i]) + floor) continue;
        ++failures;
        std::printf("%s: element %zu is %.9g, not %.9Lg (%zu bytes)\n", name, i, static_cast<double>(got[i]), exact[i],
                    sizeof(T));
        return;
    }
}

template <class T>
constexpr double kForward = sizeof(T) == 4 ? 6e-7 : 1e-12;

// FORWARD: the operator gives the formula in both layouts. `...` are the scalars between self and out.
#define FORWARD(T, op, formula, ...)                                            \
    for (const Layout layout : {Layout::Dense, Layout::Strided}) {              \
        const Array<T> x({16, 20}, values<T>(), layout), out({16, 20}, layout); \
        RUN(0, op, x.handle, ##__VA_ARGS__, out.handle);                        \
        std::vector<Real> exact;                                                \
        for (const T v : values<T>()) exact.push_back(formula(v));              \
        compare(#op, out.read(), exact, kForward<T>, 1e-30);                    \
    }
// BACKWARD: from the input, or from the result (`of` is then the formula).
#define BACKWARD(T, op, formula, of, ...)                                                             \
    {                                                                                                 \
        std::vector<T> given, grad;                                                                   \
        std::vector<Real> exact;                                                                      \
        for (const T v : values<T>()) {                                                               \
            const Real h = 1e-6L, g = std::cos(Real{3} * v);                                          \
            grad.push_back(static_cast<T>(g));                                                        \
            given.push_back(static_cast<T>(of(v)));                                                   \
            exact.push_back(grad.back() * (formula(v + h) - formula(v - h)) / (2 * h));               \
        }                                                                                             \
        const Array<T> x({16, 20}, given), g({16, 20}, grad), out({16, 20}, Layout::Fortran);         \
        RUN(0, op, g.handle, x.handle, ##__VA_ARGS__, out.handle);                                    \
        compare(#op, out.read(), exact, sizeof(T) == 4 ? 1e-5 : 1e-9, sizeof(T) == 4 ? 1e-6 : 1e-11); \
    }
Real same(Real x) { return x; }

template <class T>
void test_forward() {
    const Number eighth(0.125), one(1.0), half(0.5), two(2.0), low(-1.0), twelve(12.0), twenty(20.0), alpha(1.5),
        scale(1.25);
    FORWARD(T, aclnnRelu, relu)
    FORWARD(T, aclnnLeakyRelu, leaky, eighth.handle)
    FORWARD(T, aclnnElu, elu, alpha.handle, scale.handle, half.handle)
    FORWARD(T, aclnnSelu, selu)
    FORWARD(T, aclnnSigmoid, sigmoid)
    FORWARD(T, aclnnLogSigmoid, log_sigmoid)
    FORWARD(T, aclnnSilu, silu)
    FORWARD(T, aclnnSwish, swish, alpha.handle)
    FORWARD(T, aclnnSwish, silu, nullptr)
    FORWARD(T, aclnnMish, mish)
    FORWARD(T, aclnnGelu, gelu_tanh)
    FORWARD(T, aclnnGeluV2, gelu, 0)
    FORWARD(T, aclnnGeluV2, gelu_tanh, 1)
    FORWARD(T, aclnnFastGelu, fast_gelu)
    FORWARD(T, aclnnSoftplus, softplus2, two.handle, twelve.handle)
    FORWARD(T, aclnnHardsigmoid, hardsigmoid)
    FORWARD(T, aclnnHardswish, hardswish)
    FORWARD(T, aclnnHardtanh, hardtanh, low.handle, two.handle)
    FORWARD(T, aclnnThreshold, threshold, one.handle, twenty.handle)
    FORWARD(T, aclnnHardshrink, hardshrink, one.handle)
    FORWARD(T, aclnnSoftshrink, softshrink, one.handle)
}

template <class T>
void test_backward() {
    const Number eighth(0.125), one(1.0), two(2.0), twelve(12.0), alpha(1.5);
    char none[] = "none", tanh[] = "tanh";
    BACKWARD(T, aclnnSigmoidBackward, sigmoid, sigmoid)
    BACKWARD(T, aclnnTanhBackward, tanh_of, tanh_of)
    BACKWARD(T, aclnnLogSigmoidBackward, log_sigmoid, same, nullptr)
    BACKWARD(T, aclnnSiluBackward, silu, same)
    BACKWARD(T, aclnnMishBackward, mish, same)
    BACKWARD(T, aclnnGeluBackward, gelu_tanh, same)
    BACKWARD(T, aclnnGeluBackwardV2, gelu, same, none)
    BACKWARD(T, aclnnGeluBackwardV2, gelu_tanh, same, tanh)
    BACKWARD(T, aclnnFastGeluBackward, fast_gelu, same)
    BACKWARD(T, aclnnSoftplusBackward, softplus2, same, two.handle, twelve.handle)
    BACKWARD(T, aclnnHardsigmoidBackward, hardsigmoid, same)
    BACKWARD(T, aclnnHardswishBackward, hardswish, same)
    BACKWARD(T, aclnnLeakyReluBackward, leaky, same, eighth.handle, false)
    BACKWARD(T, aclnnLeakyReluBackward, leaky, leaky, eighth.handle, true)
    BACKWARD(T, aclnnThresholdBackward, threshold, same, one.handle)
}

// out = a f(b) or f(a) b of the halves of the middle dimension.
template <class T>
void test_gated() {
    std::vector<T> x;
    for (int i = 0; i < 48; ++i) x.push_back(static_cast<T>(std::sin(i * 0.7) * 3));
    std::vector<Real> glu, swiglu;
    for (int i = 0; i < 48; ++i) {
        if (i / 4 % 4 >= 2) continue;
        glu.push_back(x[i] * sigmoid(x[i + 8]));
        swiglu.push_back(silu(x[i]) * x[i + 8]);
    }
    const Array<T> whole({3, 4, 4}, x, Layout::Strided), out({3, 2, 4}), odd({3, 2, 3});
    RUN(0, aclnnGlu, whole.handle, 1, out.handle);
    compare("aclnnGlu", out.read(), glu, kForward<T>, 0);
    RUN(0, aclnnSwiGlu, whole.handle, -2, out.handle);
    compare("aclnnSwiGlu", out.read(), swiglu, kForward<T>, 0);
    // d(sum out)/dx, with a gradient of ones
    const Array<T> ones({3, 2, 4}, std::vector<T>(24, 1)), slope({3, 4, 4});
    std::vector<Real> glu_slope(48), swiglu_slope(48);
    for (int i = 0; i < 48; ++i) {
        if (i / 4 % 4 >= 2) continue;
        const Real a = x[i], b = x[i + 8], s = sigmoid(a), t = sigmoid(b);
        glu_slope[i] = t, glu_slope[i + 8] = a * t * (1 - t);
        swiglu_slope[i] = b * (s + a * s * (1 - s)), swiglu_slope[i + 8] = silu(a);
    }
    RUN(0, aclnnGluBackward, ones.handle, whole.handle, 1, slope.handle);
    compare("aclnnGluBackward", slope.read(), glu_slope, 2e-6, 0);
    RUN(0, aclnnSwiGluGrad, ones.handle, whole.handle, 1, slope.handle);
    compare("aclnnSwiGluGrad", slope.read(), swiglu_slope, 2e-6, 1e-7);
    RUN(161002, aclnnGlu, whole.handle, 1, odd.handle);
    RUN(161002, aclnnGlu, whole.handle, 3, out.handle);
    RUN(161002, aclnnSwiGlu, odd.handle, 2, out.handle);
    RUN(161002, aclnnGluBackward, whole.handle, whole.handle, 1, slope.handle);
}

template <class T>
void test_prelu() {
    std::vector<T> x, w = {T(0.25), T(0.5), T(-1)};
    for (int i = 0; i < 24; ++i) x.push_back(static_cast<T>(i % 7 - 3));
    std::vector<Real> y, slope, sums(3);
    for (int i = 0; i < 24; ++i) {
        const int channel = i / 4 % 3;
        y.push_back(x[i] > 0 ? x[i] : x[i] * w[channel]);
        slope.push_back(x[i] > 0 ? 1 : w[channel]);
        sums[channel] += x[i] > 0 ? 0 : x[i];
    }
    const Array<T> in({2, 3, 4}, x, Layout::Fortran), weight({3}, w), out({2, 3, 4}),
        ones({2, 3, 4}, std::vector<T>(24, 1));
    const Array<T> weight_slope({3}), four({4});
    RUN(0, aclnnPrelu, in.handle, weight.handle, out.handle);
    compare("aclnnPrelu", out.read(), y, 0, 0);
    RUN(0, aclnnPreluBackward, ones.handle, in.handle, weight.handle, out.handle, weight_slope.handle);
    compare("aclnnPreluBackward", out.read(), slope, 0, 0);
    compare("aclnnPreluBackward", weight_slope.read(), sums, 0, 0);
    RUN(161002, aclnnPrelu, in.handle, four.handle, out.handle);
}

void test_integers_and_refusals() {
    const Array<int64_t> x({4}, {-5, 0, 3, int64_t{1} << 60}), out({4});
    const Number low(int64_t{-1}), high(int64_t{4}), zero(0.0);
    RUN(0, aclnnHardtanh, x.handle, low.handle, high.handle, out.handle);
    CHECK((out.read() == std::vector<int64_t>{-1, 0, 3, 4}));
    RUN(0, aclnnThreshold, x.handle, low.handle, high.handle, out.handle);
    CHECK((out.read() == std::vector<int64_t>{4, 0, 3, int64_t{1} << 60}));
    RUN(0, aclnnInplaceRelu, x.handle);
    CHECK((x.read() == std::vector<int64_t>{0, 0, 3, int64_t{1} << 60}));
    const Array<float> f({4}), g({4});
    RUN(161002, aclnnSigmoid, x.handle, out.handle);
    RUN(161002, aclnnGeluV2, f.handle, 2, g.handle);
    RUN(161002, aclnnSoftplus, f.handle, zero.handle, zero.handle, g.handle);
    RUN(161001, aclnnLeakyRelu, f.handle, nullptr, g.handle);
}

}  // namespace

int main() {
    const Device device;
    test_forward<float>();
    test_forward<double>();
    test_backward<float>();
    test_backward<double>();
    test_gated<float>();
    test_gated<double>();
    test_prelu<float>();
    test_prelu<double>();
    test_integers_and_refusals();
    return failures;
}

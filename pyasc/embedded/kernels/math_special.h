// Error functions, gamma functions, roots and the activations of neural networks. For *.isa.cpp files; precisions as in
// math_exp.h.
#pragma once

#include "kernels/math_trig.h"

namespace pyasc::PYASC_ISA {

// f of every element, for functions that libm computes.
template <class F> PYASC_INLINE vd each(vd x, F f) {
    for (int i = 0; i < kDoubles; ++i) x[i] = f(x[i]);
    return x;
}

// erf(x) / x in x^2, |x| <= 1; e^(x^2) erfc(x) / t in t = 1 / (1 + 0.4 x), 0.75 <= x <= 10.2
constexpr double kErf[] = {1.12837916706316034,     -0.376126384838232368,  0.112837827473304318,
                           -0.0268654458271888114,  0.00522107489257191334, -0.000848471164805981857,
                           0.000112705458713828649, -9.68014016060357024e-6};
constexpr double kErfc[] = {0.225675094666370692,  0.225699881415718248, 0.207274232132026214,  0.174455950857895863,
                            0.105484325924208161,  0.127572466133669632, -0.13956321134677206,  0.265721136011099503,
                            -0.346523562674385023, 0.195053503906878686, -0.0408540004405604708};

PYASC_INLINE vd erfc_far(vd a) {
    a = at_most(a, 10.2);
    const vd t = 1.0 / (1.0 + 0.4 * a);
    return exp<Single>(-a * a) * t * polynomial(kErfc, t);
}
template <class P> PYASC_INLINE vd erf(vd x) {
    if (P::full) return each(x, [](double v) { return ::erf(v); });
    const vd a = magnitude(x), z = a * a;
    return signed_as(a < 1.0 ? a * polynomial(kErf, z) : 1.0 - erfc_far(a), x);
}
template <class P> PYASC_INLINE vd erfc(vd x) {
    if (P::full) return each(x, [](double v) { return ::erfc(v); });
    const vd a = magnitude(x), z = a * a;
    const vd far = erfc_far(a);
    return a < 0.75 ? 1.0 - x * polynomial(kErf, z) : x < 0.0 ? 2.0 - far : far;
}

// The inverse of erf through Wichura's rational approximations of the normal quantile (Algorithm AS 241, PPND16, 1988).
namespace as241 {
constexpr double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                        1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                        3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr double b[] = {1.0,
                        4.2313330701600911252e+1,
                        6.8718700749205790830e+2,
                        5.3941960214247511077e+3,
                        2.1213794301586595867e+4,
                        3.9307895800092710610e+4,
                        2.8729085735721942674e+4,
                        5.2264952788528545610e+3};
constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                        3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                        2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double d[] = {1.0,
                        2.05319162663775882187e0,
                        1.67638483018380384940e0,
                        6.89767334985100004550e-1,
                        1.48103976427480074590e-1,
                        1.51986665636164571966e-2,
                        5.47593808499534494600e-4,
                        1.05075007164441684324e-9};
constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                        2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double f[] = {1.0,
                        5.99832206555887937690e-1,
                        1.36929880922735805310e-1,
                        1.48753612908506148525e-2,
                        7.86869131145613259100e-4,
                        1.84631831751005468180e-5,
                        1.42151175831644588870e-7,
                        2.04426310338993978564e-15};
}  // namespace as241

template <class P> PYASC_INLINE vd erfinv(vd x) {
    constexpr double kRootHalf = 0.70710678118654752440;
    const vd a = magnitude(x), q = 0.5 * a;
    const vd centre = 0.180625 - q * q;
    vd y = q * polynomial(as241::a, centre) / polynomial(as241::b, centre);
    const vl tail = a > 0.85;
    if (any(tail)) {
        const vd r = root(-log<P>(0.5 - q));
        const vd near = r - 1.6, far = r - 5.0;
        const vd outer = r <= 5.0 ? polynomial(as241::c, near) / polynomial(as241::d, near)
                                  : polynomial(as241::e, far) / polynomial(as241::f, far);
        y = tail ? outer : y;
    }
    y = a < 1.0 ? y * kRootHalf : a == 1.0 ? all(kInf) : all(kNaN);
    return signed_as(y, x);
}

template <class P> PYASC_INLINE vd cbrt(vd x) {
    constexpr double kRoot[] = {0.473330687905497843, 0.838159959732531195,   -0.469228558236411598,  // on [1, 2]
                                0.202777079974965742, -0.0503864761039947513, 0.00534853763046294436};
    constexpr double kCbrt2 = 1.25992104989487316477, kCbrt4 = 1.58740105196819947475;
    const vl tiny = magnitude(x) < 0x1p-1022;
    const vd a = magnitude(tiny ? x * 0x1p54 : x);
    vd k = (vd)((bits(a) >> 52) | 0x4330000000000000u) - (0x1p52 + 1023.0);
    k = tiny ? k - 54.0 : k;
    const vd m = (vd)((bits(a) & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    const vd third_magic = (k - 1.0) * (1.0 / 3) + kMagic, third = third_magic - kMagic, rest = k - third * 3.0;
    const vd scale = rest == 0.0 ? all(1.0) : rest == 1.0 ? all(2.0) : all(4.0);
    const vd v = m * scale;
    vd y = polynomial(kRoot, m) * (rest == 0.0 ? all(1.0) : rest == 1.0 ? all(kCbrt2) : all(kCbrt4));
    const vd cube = y * y * y;
    y = y * (cube + 2.0 * v) / (2.0 * cube + v);  // Halley: the error is cubed
    if (P::full) y = y - (y - v / (y * y)) * (1.0 / 3);  // Newton: rounds
    y = signed_as(y * power_of_two(third_magic), x);
    return x == 0.0 || !(magnitude(x) < kInf) ? x + x : y;
}

template <class P> PYASC_INLINE vd hypot(vd x, vd y) {
    if (!P::full) return root(x * x + y * y);  // no overflow from floats; inf and NaN are the caller's
    for (int i = 0; i < kDoubles; ++i) x[i] = ::hypot(x[i], y[i]);
    return x;
}

// sin(pi x) / (pi x): x is reduced exactly, by whole turns and then by half turns, before it meets pi.
template <class P> PYASC_INLINE vd sinc(vd x) {
    const vd turned = x - 2.0 * ((0.5 * x + kMagic) - kMagic);
    const vd n_magic = turned + kMagic, r = turned - (n_magic - kMagic);  // |r| <= 1/2
    const vd a = magnitude(r);
    const vl far = a > 0.25;
    const vd t = (far ? 0.5 - a : a) * kPi;
    const vd s = far ? cos_kernel<P>(t, vd{}) : sin_kernel<P>(t, vd{});
    vd y = (vd)(bits(s) ^ ((bits(n_magic) & 1u) << 63));
    y = (vd)(bits(y) ^ sign_of(r)) / (x * kPi);
    y = magnitude(x) >= 0x1p52 ? x - x : y;  // a multiple of pi; NaN for inf
    return x == 0.0 ? all(1.0) : y;
}

// The derivative of log gamma: recurrence up to x >= 10, then the asymptotic series (Abramowitz & Stegun 6.3.18), and
// reflection below zero. Near its zeros terms cancel: T has digits to spare.
template <class T> double digamma(T x, T (*tangent)(T), T (*logarithm)(T)) {
    constexpr T kSeries[] = {T{1} / 12, T{-1} / 120, T{1} / 252, T{-1} / 240, T{1} / 132, T{-691} / 32760, T{1} / 12};
    constexpr T kExactPi = 3.14159265358979323846264338327950288L;
    if (x == 0) return -__builtin_copysign(kInf, static_cast<double>(x));
    T y = 0;
    if (x < 0) {
        if (x <= -0x1p52 || x == static_cast<T>(static_cast<int64_t>(x))) return kNaN;  // a pole, or -inf
        const T r = x - static_cast<T>(static_cast<int64_t>(x - T{0.5}));  // truncated: to the nearest
        y = -kExactPi / tangent(kExactPi * r);
        x = 1 - x;
    }
    for (; x < 10; x += 1) y -= 1 / x;
    const T z = 1 / (x * x);
    T tail = 0;
    for (int i = 6; i >= 0; --i) tail = (tail + kSeries[i]) * z;
    return static_cast<double>(y + (logarithm(x) - T{0.5} / x - tail));
}
template <class P> PYASC_INLINE vd digamma(vd x) {
    if (P::full) return each(x, [](double v) { return digamma<long double>(v, ::tanl, ::logl); });
    return each(x, [](double v) { return digamma<double>(v, ::tan, ::log); });
}

template <class P> PYASC_INLINE vd lgamma(vd x) {
    return each(x, [](double v) {
        int sign;  // lgamma would write it to a global
        return ::lgamma_r(v, &sign);
    });
}

// Activations. All are written so that the small side keeps its relative accuracy.

// 1 / (1 + e^-x) as e^min(x,0) / (1 + e^-|x|)
template <class V, class E> PYASC_INLINE V sigmoid_from(V x, E e) { return (x < 0 ? e : V{} + 1) / (1 + e); }
template <class P> PYASC_INLINE vd sigmoid(vd x) { return sigmoid_from(x, exp<P>(-magnitude(x))); }
PYASC_INLINE vf sigmoid(vf x) { return sigmoid_from(x, exp(-magnitude(x))); }

// What x e^x f(x) is where e^x alone would be a denormal number and f is 1.
template <class P> PYASC_INLINE vd far_left(vd x, vd y) {
    if (P::full && any(x < -700.0)) {
        const vd half = exp<Full>(0.5 * x);
        y = x < -700.0 ? x * half * half : y;
    }
    return x == -kInf ? vd{} : y;
}

template <class P> PYASC_INLINE vd silu(vd x) { return far_left<P>(x, x * sigmoid<P>(x)); }
PYASC_INLINE vf silu(vf x) {
    x = at_least(x, -110.0f);  // the result is 0 from there on
    const ExpPartsF e = exp_parts(at_least(-magnitude(x), -110.0f));
    const vi half = e.n >> 1;
    const vf first = (1.0f + e.q) * (vf)((half + 127) << 23), rest = (vf)((e.n - half + 127) << 23);
    return (x < 0.0f ? x * first * rest : x) / (1.0f + first * rest);  // x before e^x becomes a denormal number
}

template <class P> PYASC_INLINE vd log_sigmoid(vd x) { return at_most(x, 0.0) - log1p_exp_negative<P>(x); }

// max(x, y) + log(1 + e^-|x - y|); equal infinities have no difference.
template <class P> PYASC_INLINE vd logaddexp(vd x, vd y) {
    const vd r = (x > y ? x : y) + log1p_exp_negative<P>(x - y);
    return x == y ? x + kLn2 : r;
}
template <class P> PYASC_INLINE vd logaddexp2(vd x, vd y) {
    const vd r = (x > y ? x : y) + log1p<P>(exp2<P>(-magnitude(x - y))) * kLog2E;
    return x == y ? x + 1.0 : r;
}

// x tanh(log(1 + e^x)): with e = e^x the tanh is e (e + 2) / (e (e + 2) + 2).
template <class P> PYASC_INLINE vd mish(vd x) {
    const vd e = exp<P>(at_most(x, 40.0)), n = e * (e + 2.0);
    return far_left<P>(x, x * (n / (n + 2.0)));
}

// x times the normal distribution function. For floats: erfc(a) as e^(-a^2) t times a polynomial in t = 1 / (1 + 0.4
// a), which at 8e-9 serves all 0 <= a <= 10.2.
template <class P> PYASC_INLINE vd gelu(vd x) {
    constexpr double kRootHalf = 0.70710678118654752440;
    if (P::full) {
        const vd y = 0.5 * x * erfc<P>(x * -kRootHalf);
        return x == -kInf ? vd{} : y;
    }
    constexpr double kTail[] = {0.225705558342418904,  0.22497831014237978,   0.214700493011745528,
                                0.130700317396127522,  0.269112518737868132,  -0.278862599349776113,
                                0.540816818177476982,  -0.493848273550592651, 0.195902604865663635,
                                -0.0292057394665196211};
    const vd a = at_most(magnitude(x) * kRootHalf, 10.2);
    const vd t = 1.0 / (1.0 + 0.4 * a);
    const vd tail = 0.5 * t * exp_bounded(-a * a) * polynomial(kTail, t);
    return at_least(x, -20.0) * (x < 0.0 ? tail : 1.0 - tail);
}
// Its approximation x (1 + tanh(u)) / 2 = x sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3)
template <class P> PYASC_INLINE vd gelu_tanh(vd x) {
    const vd u2 = 1.59576912160573071176 * (x + 0.044715 * x * x * x);
    const vd y = x * sigmoid<P>(u2);
    return x == -kInf ? vd{} : y;
}
template <class P> PYASC_INLINE vd fast_gelu(vd x) {  // CANN's: x sigmoid(1.702 x)
    const vd y = x * sigmoid<P>(1.702 * x);
    return x == -kInf ? vd{} : y;
}

}  // namespace pyasc::PYASC_ISA

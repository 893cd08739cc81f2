// Exponentials and logarithms of vectors. For *.isa.cpp files.
//
// A function of vd takes a precision: Full gives doubles, Single what a float result needs (relative error below
// 2^-26). Polynomials named in comments are minimax approximations found by Remez exchange in 50 digits.
#pragma once

#include "kernels/math_vec.h"

namespace pyasc::PYASC_ISA {

struct Full {
    static constexpr bool full = true;
    // (e^r - 1 - r) / r^2, |r| <= ln(2)/2
    static constexpr double exp[] = {0.500000000000001072,     0.166666666666664102,   0.0416666666665291892,
                                     0.00833333333349562717,   0.00138888889439225565, 0.000198412695047571521,
                                     0.0000248014927628370838, 2.75575873500230175e-6, 2.76303786148881834e-7,
                                     2.49999627521612272e-8};
    // (2 atanh(s) - 2s) / s^3 in s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1)
    static constexpr double log[] = {0.66666666666667349,  0.399999999994110765, 0.285714287432660291,
                                     0.222221984756828562, 0.181835697533481613, 0.153139029530244874,
                                     0.147975101797471137};
};
struct Single {
    static constexpr bool full = false;
    static constexpr double exp[] = {0.499999934137052153, 0.166665201067806118, 0.0416683939282096656,
                                     0.00836878051728470001, 0.00138144824276989803};
    static constexpr double log[] = {0.666666656412725077, 0.400003362244557903, 0.285372380094996765,
                                     0.235835744586479534};
};

constexpr double kLog2E = 1.44269504088896340736;
constexpr double kLn2 = 0.693147180559945309417;
constexpr double kLn2Hi = 0x1.62e42feep-1;  // 32 bits: its product with an exponent is exact
constexpr double kLn2Lo = 1.90821492927058770002e-10;
constexpr double kInf = __builtin_inf();
constexpr double kNaN = __builtin_nan("");

// x = n ln 2 + r, and e^r - 1.
struct ExpParts {
    vd n, n_magic, r, q;
};
template <class P> PYASC_INLINE ExpParts exp_parts(vd x) {
    ExpParts e;
    e.n_magic = x * kLog2E + kMagic;
    e.n = e.n_magic - kMagic;
    e.r = x - e.n * kLn2Hi - e.n * kLn2Lo;
    e.q = e.r + e.r * e.r * polynomial(P::exp, e.r);
    return e;
}

// For a float's result and |x| <= 700.
PYASC_INLINE vd exp_bounded(vd x) {
    const ExpParts e = exp_parts<Single>(x);
    return (1.0 + e.q) * power_of_two(e.n_magic);
}

template <class P> PYASC_INLINE vd exp(vd x) {
    if (!P::full) return exp_bounded(at_least(at_most(x, 300.0), -300.0));  // a double has the range to spare
    const ExpParts e = exp_parts<P>(at_least(at_most(x, 710.0), -746.0));
    return scaled(1.0 + e.q, e.n);
}

// e^x / 2, also where e^x overflows.
template <class P> PYASC_INLINE vd half_exp(vd x) {
    const ExpParts e = exp_parts<P>(at_least(at_most(x, 712.0), -746.0));
    return scaled(1.0 + e.q, e.n - 1.0);
}

template <class P> PYASC_INLINE vd exp2(vd x) {
    x = at_least(at_most(x, 1100.0), -1100.0);
    const vd n_magic = x + kMagic, n = n_magic - kMagic, r = (x - n) * kLn2;
    const vd p = 1.0 + (r + r * r * polynomial(P::exp, r));
    return P::full ? scaled(p, n) : p * power_of_two(at_least(at_most(n, 300.0), -300.0) + kMagic);
}

template <class P> PYASC_INLINE vd expm1(vd x) {
    const ExpParts e = exp_parts<P>(at_least(at_most(x, P::full ? 710.0 : 300.0), -42.0));
    const vd half = power_of_two(e.n_magic - 1.0);  // 2^(n-1): 2^n itself may overflow
    const vd y = (half * e.q + (half - 0.5)) * 2.0;
    return signed_as(e.n == 0.0 ? e.q : y, x);
}

// x = 2^k m with m around 1; only for finite x > 0.
struct LogParts {
    vd k, f, s, r, half_square;
};
template <class P> PYASC_INLINE LogParts log_parts(vd x) {
    const vl tiny = x < 0x1p-1022;
    x = tiny ? x * 0x1p54 : x;
    constexpr uint64_t kOne = 0x3ff0000000000000u, kRootHalf = 0x3fe6a09e667f3bcdu;
    const vul ix = bits(x) + (kOne - kRootHalf);
    LogParts l;
    const vul biased = (ix >> 52) | 0x4330000000000000u;  // as a double: 2^52 + k + 1023
    l.k = (vd)biased - (0x1p52 + 1023.0);
    l.k = tiny ? l.k - 54.0 : l.k;
    l.f = (vd)((ix & 0x000fffffffffffffu) + kRootHalf) - 1.0;
    l.s = l.f / (l.f + 2.0);
    const vd z = l.s * l.s;
    l.r = z * polynomial(P::log, z);
    l.half_square = 0.5 * l.f * l.f;
    return l;
}

// log(m) is f - half_square + s (half_square + r); what else has to be added is small: `tail`.
template <class P> PYASC_INLINE vd log_sum(const LogParts& l, vd tail) {
    if (!P::full) return l.k * kLn2 + (l.s * (2.0 + l.r) + tail);
    return l.k * kLn2Hi - ((l.half_square - (l.s * (l.half_square + l.r) + (l.k * kLn2Lo + tail))) - l.f);
}

// What a logarithm gives outside of 0 < x < inf.
PYASC_INLINE vd log_special(vd x, vd y) {
    y = x == 0.0 ? all(-kInf) : y;
    y = x < 0.0 ? all(kNaN) : y;
    return x == x && x < kInf ? y : x + x;
}
PYASC_INLINE vl log_is_special(vd x) { return ~(x > 0.0) | ~(x < kInf); }

template <class P> PYASC_INLINE vd log(vd x) {
    const vd y = log_sum<P>(log_parts<P>(x), vd{});
    const vl special = log_is_special(x);
    return __builtin_expect(any(special), 0) ? log_special(x, y) : y;
}

// The logarithm to another base: k k_hi + k k_lo + log(m) (b_hi + b_lo), with the leading products exact (the way
// FreeBSD's e_log10.c sums them).
template <class P> PYASC_INLINE vd log_base(vd x, double k_hi, double k_lo, double b_hi, double b_lo) {
    const LogParts l = log_parts<P>(x);
    vd y;
    if (!P::full) {
        y = l.k * k_hi + (l.k * k_lo + l.s * (2.0 + l.r) * (b_hi + b_lo));
    } else {
        const vd hi = (vd)(bits(l.f - l.half_square) & 0xffffffff00000000u);
        const vd lo = ((l.f - hi) - l.half_square) + l.s * (l.half_square + l.r);
        const vd high = hi * b_hi, whole = l.k * k_hi, sum = whole + high;
        y = ((whole - sum) + high) + (l.k * k_lo + ((lo + hi) * b_lo + lo * b_hi)) + sum;
    }
    const vl special = log_is_special(x);
    return __builtin_expect(any(special), 0) ? log_special(x, y) : y;
}
template <class P> PYASC_INLINE vd log2(vd x) {
    return log_base<P>(x, 1.0, 0.0, 1.44269504072144627571, 1.67517131648865118353e-10);
}
template <class P> PYASC_INLINE vd log10(vd x) {
    return log_base<P>(x, 3.01029995663611771306e-01, 3.69423907715893078616e-13, 4.34294481878168880939e-01,
                       2.50829467116452752298e-11);
}

template <class P> PYASC_INLINE vd log1p(vd x) {
    const vd u = 1.0 + x;
    LogParts l = log_parts<P>(u);
    // u is 1 + x rounded; what it lacks is added to the logarithm as lack / u.
    const vd lack = (x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0)) / u;
    const vl near = l.k == 0.0;
    l.f = near ? x : l.f;
    l.s = near ? x / (x + 2.0) : l.s;
    const vd z = l.s * l.s;
    l.r = z * polynomial(P::log, z);
    l.half_square = 0.5 * l.f * l.f;
    vd y = log_sum<P>(l, near ? vd{} : lack);
    y = x == 0.0 ? x : y;
    const vl special = log_is_special(u);
    return __builtin_expect(any(special), 0) ? log_special(u, y) : y;
}

// log(1 + e^-|x|), the correction of softplus and logaddexp.
template <class P> PYASC_INLINE vd log1p_exp_negative(vd x) { return log1p<P>(exp<P>(-magnitude(x))); }

// C99's pow for float: the logarithm's error, 2^-52, is multiplied by at most 150.
PYASC_INLINE vd pow_single(vd x, vd y) {
    const vd a = magnitude(x);
    vd r = exp2<Full>(y * log2<Full>(a));
    const vd whole = (y + kMagic) - kMagic, half = (y * 0.5 + kMagic) - kMagic;
    const vl big = magnitude(y) >= 0x1p51;  // an even integer
    const vl negative = x < 0.0;
    const vl odd = (half * 2.0 != y) & ~big;
    r = negative & odd ? -r : r;
    r = negative & (whole != y) & ~big ? all(kNaN) : r;
    const vl special = ~(a > 0.0) | ~(a < kInf) | ~(magnitude(y) < kInf);
    if (__builtin_expect(any(special), 0)) {
        for (int i = 0; i < kDoubles; ++i) {
            if (special[i]) r[i] = ::pow(x[i], y[i]);
        }
    }
    return r;
}

// The float versions, in float arithmetic.

// (e^r - 1 - r) / r^2 and (log(1 + f) - f + f^2/2) / f^3
constexpr float kExpF[] = {0.499999934f, 0.166665201f, 0.0416683939f, 0.00836878052f, 0.00138144824f};
constexpr float kLogF[] = {0.333333104f,  -0.249999866f, 0.200022263f, -0.166692519f, 0.142186638f,
                           -0.123843347f, 0.118729261f,  -0.11789866f, 0.0691554024f};

struct ExpPartsF {
    vi n;
    vf q;
};
PYASC_INLINE ExpPartsF exp_parts(vf x) {
    const vf n_magic = x * 1.44269504f + kMagicF, n = n_magic - kMagicF;
    const vf r = x - n * 0.693359375f - n * -2.12194440e-4f;
    return {(vi)n_magic - (vi)all(kMagicF), r + r * r * polynomial(kExpF, r)};
}

PYASC_INLINE vf exp(vf x) {
    const ExpPartsF e = exp_parts(at_least(at_most(x, 89.0f), -104.0f));
    return scaled(1.0f + e.q, e.n);
}

PYASC_INLINE vf exp2(vf x) {
    x = at_least(at_most(x, 129.0f), -151.0f);
    const vf n_magic = x + kMagicF, r = (x - (n_magic - kMagicF)) * 0.693147181f;
    return scaled(1.0f + (r + r * r * polynomial(kExpF, r)), (vi)n_magic - (vi)all(kMagicF));
}

PYASC_INLINE vf log_special(vf x, vf y) {
    y = x == 0.0f ? all(-__builtin_inff()) : y;
    y = x < 0.0f ? all(__builtin_nanf("")) : y;
    return x == x && x < __builtin_inff() ? y : x + x;
}

PYASC_INLINE vf log(vf x0) {
    const vi tiny = x0 < 0x1p-126f;
    const vf x = tiny ? x0 * 0x1p23f : x0;
    constexpr uint32_t kOne = 0x3f800000u, kRootHalf = 0x3f3504f3u;
    const vu ix = bits(x) + (kOne - kRootHalf);
    vi exponent = (vi)(ix >> 23) - 127;
    exponent = tiny ? exponent - 23 : exponent;
    const vf k = __builtin_convertvector(exponent, vf);
    const vf f = (vf)((ix & 0x007fffffu) + kRootHalf) - 1.0f;
    const vf z = f * f;
    vf y = f * z * polynomial(kLogF, f);
    y = k * -2.12194440e-4f + y;
    y = k * 0.693359375f + (f + (y - 0.5f * z));
    const vi special = ~(x0 > 0.0f) | ~(x0 < __builtin_inff());
    return __builtin_expect(any(special), 0) ? log_special(x0, y) : y;
}

}  // namespace pyasc::PYASC_ISA

// Circular and hyperbolic functions of vectors, and their inverses. For *.isa.cpp files; precisions as in math_exp.h.
#pragma once

#include "kernels/math_exp.h"

namespace pyasc::PYASC_ISA {

template <class P> struct TrigTables;
template <> struct TrigTables<Full> {
    // (sin(x) - x) / x^3 and (cos(x) - 1 + x^2/2) / x^4 in x^2, |x| <= pi/4
    static constexpr double sin[] = {-0.166666666666666319,  0.00833333333332236985,  -0.000198412698297710556,
                                     2.75573136786260823e-6, -2.50507559552280141e-8, 1.58966661573993842e-10};
    static constexpr double cos[] = {0.0416666666666665992,   -0.00138888888888740649, 0.0000248015872894435129,
                                     -2.75573143406701501e-7, 2.08757216253032798e-9,  -1.13595594166990502e-11};
    // (atan(x) - x) / x^3 in x^2, |x| <= tan(pi/8)
    static constexpr double atan[] = {-0.333333333333331977,  0.199999999999536611,   -0.142857142802038596,
                                      0.111111107838070846,   -0.0909089776689535788, 0.0769206035905217984,
                                      -0.0666310543052385267, 0.0584789724929532094,  -0.0503933034922781992,
                                      0.0380649464454808969,  -0.017907338106897076};
    // (asin(x) - x) / x^3 in x^2, |x| <= 1/2
    static constexpr double asin[] = {0.16666666666666763,   0.0749999999997009324, 0.0446428571752903792,
                                      0.0303819426750989773, 0.0223722159103902234, 0.0173515954288177068,
                                      0.0139810192926712739, 0.0113972875431763703, 0.0107893487071928093,
                                      0.0036720915943839314, 0.0217908526177944527, -0.0211169832702464483,
                                      0.0327023125095647646};
    // (sinh(x) - x) / x^3 in x^2, |x| <= 1
    static constexpr double sinh[] = {0.166666666666666674,   0.00833333333333313764, 0.00019841269841438521,
                                      2.75573191550621156e-6, 2.50521234436292714e-8, 1.60572367289216703e-10,
                                      7.75942473157630972e-13};
};
template <> struct TrigTables<Single> {
    static constexpr double sin[] = {-0.166666666415270301, 0.00833332937412377826, -0.000198393309961584059,
                                     2.71827446070718718e-6};
    static constexpr double cos[] = {0.0416666468072204213, -0.00138873644868374235, 0.0000244380911021130748};
    static constexpr double atan[] = {-0.333333325100724932, 0.199999047556406042,  -0.142820290002829196,
                                      0.110449228772087976,  -0.084774058050170445, 0.0474611296106220036};
    static constexpr double asin[] = {0.166666671915252677,  0.0749994800952138327, 0.0446602052872790238,
                                      0.0301097112242255599, 0.0246218898172402909, 0.00745788890438228083,
                                      0.034706899773309777};
    static constexpr double sinh[] = {0.166666664880049153, 0.00833335065018567052, 0.000198360557497342181,
                                      2.81750209465898991e-6};
};

constexpr double kPi = 3.14159265358979323846;
constexpr double kPiLo = 1.22464679914735317636e-16;
constexpr double kHalfPi = kPi / 2, kHalfPiLo = kPiLo / 2;

// x = n pi/2 + r (+ r_lo), |r| <= pi/4, by Cody and Waite's method: pi/2 in parts of 33 bits, whose products with n are
// exact.
constexpr double kReduceLimit = 1.6e6;  // n < 2^20
constexpr double kHalfPi1 = 1.57079632673412561417, kHalfPi2 = 6.07710050630396597660e-11,
                 kHalfPi3 = 2.02226624871116645580e-21, kHalfPi4 = 8.47842766036889956997e-32;
struct Reduced {
    vul n;
    vd r, r_lo;
};
template <class P> PYASC_INLINE Reduced reduce_angle(vd x) {
    const vd n_magic = x * (2.0 / kPi) + kMagic, n = n_magic - kMagic;
    Reduced a;
    a.n = bits(n_magic);
    const vd first = x - n * kHalfPi1;
    if (!P::full) {
        a.r = (first - n * kHalfPi2) - n * kHalfPi3;
        a.r_lo = vd{};
        return a;
    }
    const vd w = n * kHalfPi2, second = first - w, back = second - first;
    vd lo = (first - (second - back)) - (w + back);
    const vd w3 = n * kHalfPi3, third = second - w3, back3 = third - second;
    lo = lo + ((second - (third - back3)) - (w3 + back3)) - n * kHalfPi4;
    a.r = third + lo;
    a.r_lo = (third - a.r) + lo;
    return a;
}

template <class P> PYASC_INLINE vd sin_kernel(vd r, vd r_lo) {
    using T = TrigTables<P>;
    const vd z = r * r;
    if (!P::full) return r + r * z * polynomial(T::sin, z);
    const vd v = z * r;
    return r - ((z * (0.5 * r_lo - v * polynomial<1>(T::sin, z)) - r_lo) - v * T::sin[0]);
}

template <class P> PYASC_INLINE vd cos_kernel(vd r, vd r_lo) {
    const vd z = r * r, half = 0.5 * z, w = 1.0 - half;
    return w + (((1.0 - w) - half) + (z * z * polynomial(TrigTables<P>::cos, z) - r * r_lo));
}

enum class Circular { Sin, Cos, Tan };

template <class P, Circular kind> PYASC_INLINE vd circular(vd x) {
    const Reduced a = reduce_angle<P>(x);
    const vd s = sin_kernel<P>(a.r, a.r_lo), c = cos_kernel<P>(a.r, a.r_lo);
    const vl odd = (a.n & 1u) != 0u;
    vd y;
    if (kind == Circular::Sin) {
        y = (vd)(bits(odd ? c : s) ^ ((a.n & 2u) << 62));
        y = x == 0.0 ? x : y;
    } else if (kind == Circular::Cos) {
        y = (vd)(bits(odd ? s : c) ^ (((a.n + 1u) & 2u) << 62));
    } else {
        y = (odd ? -c : s) / (odd ? s : c);
        y = x == 0.0 ? x : y;
    }
    const vl large = ~(magnitude(x) < kReduceLimit);
    if (__builtin_expect(any(large), 0)) {
        return by_element(x, y, large, [](double v) {
            return kind == Circular::Sin ? ::sin(v) : kind == Circular::Cos ? ::cos(v) : ::tan(v);
        });
    }
    return y;
}

// Sine and cosine of floats: reduced by half turns, so that one odd polynomial serves, (sin(x) - x) / x^3 in x^2 for
// |x| <= pi/2. The cosine is the sine a quarter turn further, with an odd multiple of pi/2 taken away.
template <Circular kind> PYASC_INLINE vd half_turn_sine(vd x) {
    constexpr double kSine[] = {-0.166666666260468437, 0.00833333110407704058, -0.000198408675994338388,
                                2.75253522633394842e-6, -2.38883292180275486e-8};
    constexpr bool cosine = kind == Circular::Cos;
    const vd n_magic = (cosine ? x * (1.0 / kPi) - 0.5 : x * (1.0 / kPi)) + kMagic;
    const vd n = n_magic - kMagic, quarters = cosine ? n + n + 1.0 : n + n;
    const vd r = ((x - quarters * kHalfPi1) - quarters * kHalfPi2) - quarters * kHalfPi3;
    const vd z = r * r;
    const vd s = r + r * (z * polynomial(kSine, z));
    return (vd)(bits(s) ^ ((bits(n_magic) + (cosine ? 1u : 0u)) << 63));
}
template <Circular kind> PYASC_INLINE vf circular(vf x) {
    const vf y = in_double(x, [](vd v) __attribute__((always_inline)) { return half_turn_sine<kind>(v); });
    const vi large = ~(magnitude(x) < static_cast<float>(kReduceLimit));
    if (__builtin_expect(any(large), 0)) {
        return by_element(x, y, large, [](float v) {
            return static_cast<float>(kind == Circular::Sin ? ::sin(static_cast<double>(v))
                                                            : ::cos(static_cast<double>(v)));
        });
    }
    return x == 0.0f && kind == Circular::Sin ? x : y;
}

// The angle of (x, y) with both not negative: the quotient taken is always within tan(pi/8) of an eighth of the circle.
template <class P> PYASC_INLINE vd first_quadrant(vd y, vd x) {
    constexpr double kEighth = 0.41421356237309504880, kThreeEighths = 2.41421356237309504880;
    const vl steep = y > kThreeEighths * x, middle = y > kEighth * x;
    const vd num = steep ? -x : middle ? y - x : y;
    const vd den = steep ? y : middle ? y + x : x;
    const vd base = steep ? all(kHalfPi) : middle ? all(kHalfPi / 2) : vd{};
    const vd base_lo = steep ? all(kHalfPiLo) : middle ? all(kHalfPiLo / 2) : vd{};
    const vd u = num / den, z = u * u;
    return base + ((u * z * polynomial(TrigTables<P>::atan, z) + base_lo) + u);
}

template <class P> PYASC_INLINE vd atan(vd x) { return signed_as(first_quadrant<P>(magnitude(x), all(1.0)), x); }

template <class P> PYASC_INLINE vd atan2(vd y, vd x) {
    vd ax = magnitude(x), ay = magnitude(y);
    if (P::full) {  // neither the sum nor the products may overflow
        const vl huge = (ax > 0x1p1020) | (ay > 0x1p1020);
        ax = huge ? ax * 0.25 : ax;
        ay = huge ? ay * 0.25 : ay;
    }
    vd a = first_quadrant<P>(ay, ax);
    a = sign_of(x) != 0u ? kPi - (a - kPiLo) : a;
    a = signed_as(a, y);
    const vl special = ~((ax + ay > 0.0) & (ax + ay < kInf));
    if (__builtin_expect(any(special), 0)) {
        for (int i = 0; i < kDoubles; ++i) {
            if (special[i]) a[i] = ::atan2(y[i], x[i]);
        }
    }
    return a;
}

// asin below 1/2, and above it 2 asin(sqrt((1 - a) / 2)), which is taken from pi/2.
struct AsinParts {
    vl big;
    vd p;
};
template <class P> PYASC_INLINE AsinParts asin_parts(vd x) {
    const vd a = magnitude(x);
    const vl big = a > 0.5;
    const vd z = big ? 0.5 - 0.5 * a : a * a;
    const vd s = big ? root(z) : a;
    const vd p = s + s * z * polynomial(TrigTables<P>::asin, z);
    return {big, big ? p + p : p};
}
template <class P> PYASC_INLINE vd asin(vd x) {
    const AsinParts a = asin_parts<P>(x);
    return signed_as(a.big ? kHalfPi - (a.p - kHalfPiLo) : a.p, x);
}
template <class P> PYASC_INLINE vd acos(vd x) {
    const AsinParts a = asin_parts<P>(x);
    const vd p = (vd)(bits(a.p) ^ sign_of(x));
    const vd far = x < 0.0 ? kPi + (p + kPiLo) : a.p;
    return a.big ? far : kHalfPi - (p - kHalfPiLo);
}

template <class P> PYASC_INLINE vd sinh(vd x) {
    const vd a = magnitude(x), e = half_exp<P>(a), z = a * a;
    const vd y = a < 1.0 ? a + a * z * polynomial(TrigTables<P>::sinh, z) : e - 0.25 / e;
    return signed_as(y, x);
}
template <class P> PYASC_INLINE vd cosh(vd x) {
    const vd e = half_exp<P>(magnitude(x));
    return e + 0.25 / e;
}
template <class P> PYASC_INLINE vd tanh(vd x) {
    const vd t = expm1<P>(at_most(magnitude(x), 20.0) * 2.0);
    return signed_as(t / (t + 2.0), x);
}

template <class P> PYASC_INLINE vd asinh(vd x) {
    const vd a = magnitude(x);
    const vl big = a > 0x1p60;  // log(1 + a) is log(a)
    const vd y = log1p<P>(big ? a : a + a * a / (1.0 + root(a * a + 1.0)));
    return signed_as(big ? y + kLn2 : y, x);
}
template <class P> PYASC_INLINE vd acosh(vd x) {
    const vl big = x > 0x1p60;
    const vd t = x - 1.0;
    const vd y = log1p<P>(big ? x : t + root(t + t + t * t));
    return x < 1.0 ? all(kNaN) : big ? y + kLn2 : y;
}
template <class P> PYASC_INLINE vd atanh(vd x) {
    const vd a = magnitude(x);
    return signed_as(0.5 * log1p<P>((a + a) / (1.0 - a)), x);
}

// e^x - 1 in floats, for x >= 0 only.
PYASC_INLINE vf expm1_positive(vf x) {
    const ExpPartsF e = exp_parts(x);
    const vf s = (vf)((e.n + 127) << 23);
    return s * e.q + (s - 1.0f);
}
PYASC_INLINE vf tanh(vf x) {
    const vf t = expm1_positive(at_most(magnitude(x), 10.0f) * 2.0f);
    return signed_as(t / (t + 2.0f), x);
}

}  // namespace pyasc::PYASC_ISA

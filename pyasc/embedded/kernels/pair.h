// Complex numbers for kernels: two reals with NumPy's arithmetic and order. Included by *.isa.cpp files only.
#pragma once

namespace pyasc {
namespace {

// std::complex multiplies with C's recovery of infinities, which NumPy does not do and which does not vectorise.
template <class R>
struct Complex {
    R real, imag;
};
template <class R> Complex<R> operator+(Complex<R> a, Complex<R> b) { return {a.real + b.real, a.imag + b.imag}; }
template <class R> Complex<R> operator-(Complex<R> a, Complex<R> b) { return {a.real - b.real, a.imag - b.imag}; }
template <class R> Complex<R> operator*(Complex<R> a, Complex<R> b) {
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
// Smith's algorithm: scales by the larger part of the divisor, so that nothing overflows on the way (CACM 5, 1962,
// 435). Without branches, because which part is larger is a coin toss; by zero it divides both parts by +0.
template <class R> Complex<R> operator/(Complex<R> a, Complex<R> b) {
    const R real = b.real < 0 ? -b.real : b.real, imag = b.imag < 0 ? -b.imag : b.imag;
    const bool turned = !(real >= imag);
    const R large = turned ? b.imag : b.real, small = turned ? b.real : b.imag;
    const bool zero = (real == 0) & (imag == 0);
    const R ratio = small / large;
    const R scale = R(1) / (zero ? real : large + small * ratio);
    const R first = turned ? a.imag : a.real, second = turned ? a.real : a.imag;
    const R cross = zero ? R(0) : second * ratio, other = zero ? R(0) : first * ratio;
    const R difference = turned ? other - second : second - other;
    return {(first + cross) * scale, difference * scale};
}
// Lexicographic, and false where an imaginary part that would have to be compared is NaN.
template <class R> bool operator<(Complex<R> a, Complex<R> b) {
    return ((a.real < b.real) & (a.imag == a.imag) & (b.imag == b.imag)) | ((a.real == b.real) & (a.imag < b.imag));
}
template <class R> bool operator<=(Complex<R> a, Complex<R> b) {
    return ((a.real < b.real) & (a.imag == a.imag) & (b.imag == b.imag)) | ((a.real == b.real) & (a.imag <= b.imag));
}
template <class R> bool operator>=(Complex<R> a, Complex<R> b) { return b <= a; }
template <class R> bool operator==(Complex<R> a, Complex<R> b) { return (a.real == b.real) & (a.imag == b.imag); }
template <class R> bool operator!=(Complex<R> a, Complex<R> b) { return !(a == b); }
template <class R> bool is_nan(Complex<R> a) { return (a.real != a.real) | (a.imag != a.imag); }

}  // namespace
}  // namespace pyasc

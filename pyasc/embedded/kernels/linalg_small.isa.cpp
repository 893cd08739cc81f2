// Elimination with a matrix a lane: no branch depends on a value, rows are exchanged by choosing.
#include "kernels/linalg_small.h"

namespace pyasc::PYASC_ISA {
namespace {

// One register: of wider vectors the compiler would compute comparisons element by element.
#if defined(__AVX512F__)
constexpr int kBytes = 64;
#elif defined(__AVX2__)
constexpr int kBytes = 32;
#else
constexpr int kBytes = 16;
#endif
typedef float Floats __attribute__((vector_size(kBytes)));
typedef double Doubles __attribute__((vector_size(kBytes)));

template <class V>
struct Real {
    V re;
    static Real one() { return {V{} + 1}; }
};
template <class V>
struct Complex {
    V re, im;
    static Complex one() { return {V{} + 1, V{}}; }
};

template <class V> V positive(V x) { return x < 0 ? -x : x; }

template <class V> V size(const Real<V>& x) { return positive(x.re); }
template <class V> V size(const Complex<V>& x) { return positive(x.re) + positive(x.im); }

template <class V> Real<V> minus(const Real<V>& a) { return {-a.re}; }
template <class V> Complex<V> minus(const Complex<V>& a) { return {-a.re, -a.im}; }

template <class V> Real<V> times(const Real<V>& a, const Real<V>& b) { return {a.re * b.re}; }
template <class V> Complex<V> times(const Complex<V>& a, const Complex<V>& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// x -= a b
template <class V> void subtract(Real<V>* x, const Real<V>& a, const Real<V>& b) { x->re -= a.re * b.re; }
template <class V> void subtract(Complex<V>* x, const Complex<V>& a, const Complex<V>& b) {
    x->re = x->re - a.re * b.re + a.im * b.im;
    x->im = x->im - a.re * b.im - a.im * b.re;
}

template <class V> Real<V> over(const Real<V>& a, const Real<V>& b) { return {a.re / b.re}; }
// The divisor is scaled to a size of about 1, so that its square neither overflows nor vanishes; over infinity is 0.
template <class V> Complex<V> over(const Complex<V>& a, const Complex<V>& b) {
    const V scale = size(b), none{};
    const auto infinite = scale == none + __builtin_inf();
    const V re = infinite ? none : b.re / scale, im = infinite ? none : b.im / scale;
    const V square = infinite ? none + 1 : (re * re + im * im) * scale;
    return {(a.re * re + a.im * im) / square, (a.im * re - a.re * im) / square};
}

template <class V, class M> Real<V> choose(M mask, const Real<V>& a, const Real<V>& b) { return {mask ? a.re : b.re}; }
template <class V, class M> Complex<V> choose(M mask, const Complex<V>& a, const Complex<V>& b) {
    return {mask ? a.re : b.re, mask ? a.im : b.im};
}

template <class N, class M> void swap_where(M mask, N* a, N* b) {
    const N kept = *a;
    *a = choose(mask, *b, kept);
    *b = choose(mask, kept, *b);
}

// K: the order if it is known to the compiler, else 0.
template <class N, int K>
uint32_t eliminate(int order, int width, void* a_data, void* b_data, void* det_data) {
    const int n = K ? K : order;
    N *a = static_cast<N*>(a_data), *b = static_cast<N*>(b_data);
    N det = N::one();
    auto singular = size(det) < 0;  // false in every lane
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) {
            const auto larger = size(a[i * n + k]) > size(a[k * n + k]);
            for (int j = k; j < n; ++j) swap_where(larger, a + i * n + j, a + k * n + j);
            for (int j = 0; j < width; ++j) swap_where(larger, b + i * width + j, b + k * width + j);
            det = choose(larger, minus(det), det);
        }
        const auto zero = size(a[k * n + k]) == 0;
        singular |= zero;
        const N pivot = choose(zero, N::one(), a[k * n + k]);
        det = times(det, pivot);
        for (int i = k + 1; i < n; ++i) {
            const N factor = over(a[i * n + k], pivot);
            for (int j = k + 1; j < n; ++j) subtract(a + i * n + j, factor, a[k * n + j]);
            for (int j = 0; j < width; ++j) subtract(b + i * width + j, factor, b[k * width + j]);
        }
        a[k * n + k] = pivot;
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = 0; j < width; ++j) {
            N x = b[k * width + j];
            for (int i = k + 1; i < n; ++i) subtract(&x, a[k * n + i], b[i * width + j]);
            b[k * width + j] = over(x, a[k * n + k]);
        }
    }
    if (det_data) *static_cast<N*>(det_data) = choose(singular, N{}, det);
    uint32_t bits = 0;
    for (size_t l = 0; l < sizeof(singular) / sizeof(singular[0]); ++l) bits |= singular[l] ? 1u << l : 0u;
    return bits;
}

template <class N>
uint32_t choose_order(int n, int width, void* a, void* b, void* det) {
    switch (n) {
        case 2: return eliminate<N, 2>(n, width, a, b, det);
        case 3: return eliminate<N, 3>(n, width, a, b, det);
        case 4: return eliminate<N, 4>(n, width, a, b, det);
        default: return eliminate<N, 0>(n, width, a, b, det);
    }
}

Eliminate find(DType type) {
    constexpr int floats = kBytes / 4, doubles = kBytes / 8;
    switch (type) {
        case DType::F32: return {floats, choose_order<Real<Floats>>};
        case DType::F64: return {doubles, choose_order<Real<Doubles>>};
        case DType::C64: return {floats, choose_order<Complex<Floats>>};
        case DType::C128: return {doubles, choose_order<Complex<Doubles>>};
        default: return {};
    }
}

}  // namespace

extern const SmallKernels small_kernels = {find};

}  // namespace pyasc::PYASC_ISA

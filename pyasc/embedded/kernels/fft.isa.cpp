// Short Fourier transforms, one in each lane of a vector. The passes are Stockham's with decimation in frequency: no
// reordering of digits, every pass reads one buffer and writes the other.
#include "kernels/fft.h"

#include <cstring>

namespace pyasc::PYASC_ISA {
namespace {

#if defined(__AVX512F__)
#define PYASC_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define PYASC_VECTOR_BYTES 32
#else
#define PYASC_VECTOR_BYTES 16
#endif

template <class T> struct Lane;
template <> struct Lane<float> {
    typedef float type __attribute__((vector_size(PYASC_VECTOR_BYTES)));
    typedef float loose __attribute__((vector_size(PYASC_VECTOR_BYTES), aligned(4), may_alias));
    typedef int32_t mask __attribute__((vector_size(PYASC_VECTOR_BYTES)));
};
template <> struct Lane<double> {
    typedef double type __attribute__((vector_size(PYASC_VECTOR_BYTES)));
    typedef double loose __attribute__((vector_size(PYASC_VECTOR_BYTES), aligned(8), may_alias));
    typedef int64_t mask __attribute__((vector_size(PYASC_VECTOR_BYTES)));
};
template <class T> using V = typename Lane<T>::type;
template <class T> constexpr int kLanes = PYASC_VECTOR_BYTES / sizeof(T);

// The R-th roots of 1 with negative exponents, applied to R complex numbers in place.
template <class T, int R>
struct Butterfly {  // any R: sums with the table of roots
    static void apply(V<T>* r, V<T>* i, const T* roots) {
        V<T> yr[R], yi[R];
        for (int k = 0; k < R; ++k) {
            V<T> sr = r[0], si = i[0];
            for (int j = 1; j < R; ++j) {
                const int t = j * k % R;
                const T c = roots[2 * t], s = roots[2 * t + 1];
                sr += r[j] * c - i[j] * s;
                si += r[j] * s + i[j] * c;
            }
            yr[k] = sr;
            yi[k] = si;
        }
        for (int k = 0; k < R; ++k) r[k] = yr[k], i[k] = yi[k];
    }
};
template <class T>
struct Butterfly<T, 2> {
    static void apply(V<T>* r, V<T>* i, const T*) {
        const V<T> tr = r[1], ti = i[1];
        r[1] = r[0] - tr, i[1] = i[0] - ti;
        r[0] += tr, i[0] += ti;
    }
};
template <class T>
struct Butterfly<T, 3> {
    static void apply(V<T>* r, V<T>* i, const T*) {
        constexpr T kSine = T(0.86602540378443864676);
        const V<T> tr = r[1] + r[2], ti = i[1] + i[2];
        const V<T> sr = (i[1] - i[2]) * kSine, si = (r[2] - r[1]) * kSine;
        const V<T> mr = r[0] - tr * T(0.5), mi = i[0] - ti * T(0.5);
        r[0] += tr, i[0] += ti;
        r[1] = mr + sr, i[1] = mi + si;
        r[2] = mr - sr, i[2] = mi - si;
    }
};
template <class T>
struct Butterfly<T, 4> {
    static void apply(V<T>* r, V<T>* i, const T*) {
        const V<T> ar = r[0] + r[2], ai = i[0] + i[2], br = r[0] - r[2], bi = i[0] - i[2];
        const V<T> cr = r[1] + r[3], ci = i[1] + i[3], dr = i[1] - i[3], di = r[3] - r[1];  // -i (x1 - x3)
        r[0] = ar + cr, i[0] = ai + ci;
        r[1] = br + dr, i[1] = bi + di;
        r[2] = ar - cr, i[2] = ai - ci;
        r[3] = br - dr, i[3] = bi - di;
    }
};
template <class T>
struct Butterfly<T, 5> {
    static void apply(V<T>* r, V<T>* i, const T*) {
        constexpr T c1 = T(0.30901699437494742410), c2 = T(-0.80901699437494742410);
        constexpr T s1 = T(0.95105651629515357212), s2 = T(0.58778525229247312917);
        const V<T> ar = r[1] + r[4], ai = i[1] + i[4], br = r[2] + r[3], bi = i[2] + i[3];
        const V<T> cr = i[1] - i[4], ci = r[4] - r[1], dr = i[2] - i[3], di = r[3] - r[2];  // -i times the differences
        const V<T> m1r = r[0] + ar * c1 + br * c2, m1i = i[0] + ai * c1 + bi * c2;
        const V<T> m2r = r[0] + ar * c2 + br * c1, m2i = i[0] + ai * c2 + bi * c1;
        const V<T> n1r = cr * s1 + dr * s2, n1i = ci * s1 + di * s2;
        const V<T> n2r = cr * s2 - dr * s1, n2i = ci * s2 - di * s1;
        r[0] += ar + br, i[0] += ai + bi;
        r[1] = m1r + n1r, i[1] = m1i + n1i;
        r[4] = m1r - n1r, i[4] = m1i - n1i;
        r[2] = m2r + n2r, i[2] = m2i + n2i;
        r[3] = m2r - n2r, i[3] = m2i - n2i;
    }
};

// One pass. Element e is the pair x[2 e] (real parts), x[2 e + 1] (imaginary parts).
template <class T, int R>
void pass(const FftStage& st, const V<T>* x, V<T>* y) {
    const int64_t m = st.m, s = st.s;
    const T* const roots = static_cast<const T*>(st.roots);
    const T* w = static_cast<const T*>(st.twiddle);
    for (int64_t p = 0; p < m; ++p, w += 2 * (R - 1)) {
        for (int64_t q = 0; q < s; ++q) {
            V<T> r[R], i[R];
#pragma GCC unroll 16
            for (int j = 0; j < R; ++j) {
                const V<T>* const e = x + 2 * (q + s * (p + m * j));
                r[j] = e[0], i[j] = e[1];
            }
            Butterfly<T, R>::apply(r, i, roots);
            V<T>* const out = y + 2 * (q + s * R * p);
            out[0] = r[0], out[1] = i[0];
#pragma GCC unroll 16
            for (int k = 1; k < R; ++k) {
                const T c = w[2 * k - 2], d = w[2 * k - 1];
                out[2 * s * k] = r[k] * c - i[k] * d;
                out[2 * s * k + 1] = r[k] * d + i[k] * c;
            }
        }
    }
}

template <class T>
void run_stage(const FftStage& st, const V<T>* x, V<T>* y) {
    switch (st.radix) {
        case 2: return pass<T, 2>(st, x, y);
        case 3: return pass<T, 3>(st, x, y);
        case 4: return pass<T, 4>(st, x, y);
        case 5: return pass<T, 5>(st, x, y);
        case 7: return pass<T, 7>(st, x, y);
        case 11: return pass<T, 11>(st, x, y);
        default: return pass<T, 13>(st, x, y);
    }
}

template <class T>
bool adjacent(const int64_t* lane, int count) {
    if (count != kLanes<T>) return false;
    for (int l = 0; l < count; ++l) {
        if (lane[l] != l * int64_t(2 * sizeof(T))) return false;
    }
    return true;
}

template <class T>
void load(int64_t n, const FftLanes& l, V<T>* x) {
    constexpr int W = kLanes<T>;
    const T sign = l.conj_in ? T(-1) : T(1);
    if (adjacent<T>(l.in_lane, l.count)) {
        typename Lane<T>::mask even, odd;
        for (int k = 0; k < W; ++k) even[k] = 2 * k, odd[k] = 2 * k + 1;
        for (int64_t k = 0; k < n; ++k) {
            const char* const from = l.in + k * l.in_step;
            const V<T> low = *reinterpret_cast<const typename Lane<T>::loose*>(from);
            const V<T> high = *reinterpret_cast<const typename Lane<T>::loose*>(from + PYASC_VECTOR_BYTES);
            x[2 * k] = __builtin_shuffle(low, high, even);
            x[2 * k + 1] = __builtin_shuffle(low, high, odd) * sign;
        }
        return;
    }
    T* const parts = reinterpret_cast<T*>(x);
    if (l.count < W) std::memset(static_cast<void*>(x), 0, static_cast<size_t>(n) * 2 * PYASC_VECTOR_BYTES);
    constexpr int64_t kBlock = 16;  // elements of one lane after the other: a cache line or two of each
    for (int64_t first = 0; first < n; first += kBlock) {
        const int64_t end = first + kBlock < n ? first + kBlock : n;
        for (int j = 0; j < l.count; ++j) {
            const char* from = l.in + l.in_lane[j] + first * l.in_step;
            for (int64_t k = first; k < end; ++k, from += l.in_step) {
                const T* const c = reinterpret_cast<const T*>(from);
                parts[2 * k * W + j] = c[0];
                parts[(2 * k + 1) * W + j] = c[1] * sign;
            }
        }
    }
}

template <class T>
void store(int64_t n, const FftLanes& l, const V<T>* x) {
    constexpr int W = kLanes<T>;
    const T scale = T(l.scale), sign = l.conj_out ? -scale : scale;
    if (adjacent<T>(l.out_lane, l.count)) {
        typename Lane<T>::mask low, high;
        for (int k = 0; k < W; ++k) low[k] = k / 2 + (k % 2) * W, high[k] = W / 2 + k / 2 + (k % 2) * W;
        for (int64_t k = 0; k < n; ++k) {
            const V<T> r = x[2 * k] * scale, i = x[2 * k + 1] * sign;
            char* const to = l.out + k * l.out_step;
            *reinterpret_cast<typename Lane<T>::loose*>(to) = __builtin_shuffle(r, i, low);
            *reinterpret_cast<typename Lane<T>::loose*>(to + PYASC_VECTOR_BYTES) = __builtin_shuffle(r, i, high);
        }
        return;
    }
    const T* const parts = reinterpret_cast<const T*>(x);
    constexpr int64_t kBlock = 16;
    for (int64_t first = 0; first < n; first += kBlock) {
        const int64_t end = first + kBlock < n ? first + kBlock : n;
        for (int j = 0; j < l.count; ++j) {
            char* to = l.out + l.out_lane[j] + first * l.out_step;
            for (int64_t k = first; k < end; ++k, to += l.out_step) {
                T* const c = reinterpret_cast<T*>(to);
                c[0] = parts[2 * k * W + j] * scale;
                c[1] = parts[(2 * k + 1) * W + j] * sign;
            }
        }
    }
}

void root(const FftRoots& roots, int64_t power, double* c, double* s) {
    const double* const a = roots.coarse + 2 * (power >> roots.shift);
    const double* const b = roots.fine + 2 * (power & ((int64_t{1} << roots.shift) - 1));
    *c = a[0] * b[0] - a[1] * b[1];
    *s = a[0] * b[1] + a[1] * b[0];
}

// Element k of lane l times root^((first + l) k): the powers of a block's first element, times those of the next ones.
template <class T>
void twist(int64_t n, const FftLanes& l, V<T>* x) {
    constexpr int W = kLanes<T>, kBlock = 16;
    V<T> near_c[kBlock], near_s[kBlock];
    for (int k = 0; k < kBlock; ++k) {
        for (int j = 0; j < W; ++j) {
            double c = 1, s = 0;
            if (j < l.count && k < n) root(l.roots, (l.first + j) * k, &c, &s);
            near_c[k][j] = T(c), near_s[k][j] = T(s);
        }
    }
    for (int64_t first = 0; first < n; first += kBlock) {
        V<T> far_c, far_s;
        for (int j = 0; j < W; ++j) {
            double c = 1, s = 0;
            if (j < l.count) root(l.roots, (l.first + j) * first, &c, &s);
            far_c[j] = T(c), far_s[j] = T(s);
        }
        const int64_t end = first + kBlock < n ? first + kBlock : n;
        for (int64_t k = first; k < end; ++k) {
            const int near = static_cast<int>(k - first);
            const V<T> c = far_c * near_c[near] - far_s * near_s[near], s = far_c * near_s[near] + far_s * near_c[near];
            const V<T> r = x[2 * k], i = x[2 * k + 1];
            x[2 * k] = r * c - i * s;
            x[2 * k + 1] = r * s + i * c;
        }
    }
}

template <class T>
void run(const FftDirect& d, const FftLanes& l, void* work) {
    V<T>*x = static_cast<V<T>*>(work), *y = x + 2 * d.n;
    load<T>(d.n, l, x);
    for (int k = 0; k < d.stages; ++k) {
        run_stage<T>(d.stage[k], x, y);
        V<T>* const swap = x;
        x = y;
        y = swap;
    }
    if (l.roots.coarse != nullptr) twist<T>(d.n, l, x);
    store<T>(d.n, l, x);
}

}  // namespace

extern const FftKernels fft_kernels;
const FftKernels fft_kernels = {kLanes<float>, kLanes<double>, run<float>, run<double>};

#undef PYASC_VECTOR_BYTES

}  // namespace pyasc::PYASC_ISA

// Maxima and minima, and where they are. A nan wins over everything (the first one, where positions are asked for);
// complex numbers compare by real part, then imaginary part, as NumPy does.
#include "kernels/reduce_kernels.h"
#include "kernels/reduce_simd.h"

namespace pyasc::PYASC_ISA {
namespace {

template <class T>
PYASC_INLINE bool is_nan(T x) {
    return x != x;
}
template <class T>
PYASC_INLINE bool is_nan(std::complex<T> x) {
    return is_nan(x.real()) || is_nan(x.imag());
}

template <class T>
PYASC_INLINE bool less(T a, T b) {
    return a < b;
}
template <class T>
PYASC_INLINE bool less(std::complex<T> a, std::complex<T> b) {
    return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}

template <class T>
constexpr T lowest() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
}
template <class T>
constexpr T highest() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}

struct Max {
    // Written so that it is x86's maximum instruction, which gives b where either is nan.
    template <class V>
    PYASC_INLINE static V apply(V a, V b) {
        return a > b ? a : b;
    }
    template <class T>
    PYASC_INLINE static bool better(T a, T b) {
        return less(b, a);
    }
    template <class T>
    static constexpr T worst() {
        return lowest<T>();
    }
};

struct Min {
    template <class V>
    PYASC_INLINE static V apply(V a, V b) {
        return a < b ? a : b;
    }
    template <class T>
    PYASC_INLINE static bool better(T a, T b) {
        return less(a, b);
    }
    template <class T>
    static constexpr T worst() {
        return highest<T>();
    }
};

// Lanes (all bits set) where a or b is nan, as a vector of T.
PYASC_INLINE Vector<float> unordered(Vector<float> a, Vector<float> b) {
#if defined(__AVX2__)
    return _mm256_cmp_ps(a, b, _CMP_UNORD_Q);
#elif defined(__x86_64__)
    return _mm_cmpunord_ps(a, b);
#else
    return (Vector<float>)((a != a) | (b != b));
#endif
}
PYASC_INLINE Vector<double> unordered(Vector<double> a, Vector<double> b) {
#if defined(__AVX2__)
    return _mm256_cmp_pd(a, b, _CMP_UNORD_Q);
#elif defined(__x86_64__)
    return _mm_cmpunord_pd(a, b);
#else
    return (Vector<double>)((a != a) | (b != b));
#endif
}

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

// Which nans were seen: nothing at all for integers.
template <class T, bool = std::is_floating_point<T>::value>
struct Nans {
    PYASC_INLINE void see(Vector<T>, Vector<T>) {}
    PYASC_INLINE bool any() const { return false; }
};
template <class T>
struct Nans<T, true> {
    Vector<Bits<T>> seen = {};
    PYASC_INLINE void see(Vector<T> a, Vector<T> b) { seen |= (Vector<Bits<T>>)unordered(a, b); }
    PYASC_INLINE bool any() const {
        Bits<T> bits = 0;
        for (int i = 0; i < kLanes<T>; ++i) bits |= seen[i];
        return bits != 0;
    }
};

// One row of real elements. Sets *nan if there is one; the value is then meaningless.
template <class Op, class T>
PYASC_INLINE T extreme(const T* x, int64_t n, bool* nan) {
    constexpr int64_t L = kLanes<T>;
    T best = Op::template worst<T>();
    bool found = false;
    int64_t i = 0;
    if (n >= 2 * L) {
        Vector<T> acc[4];
        for (auto& a : acc) a = splat(best);
        Nans<T> nans;
        for (; i + 4 * L <= n; i += 4 * L) {
            __builtin_prefetch(x + i + 4096 / sizeof(T));
            const Vector<T> a = load(x + i), b = load(x + i + L), c = load(x + i + 2 * L), d = load(x + i + 3 * L);
            nans.see(a, b);
            nans.see(c, d);
            acc[0] = Op::apply(a, acc[0]);
            acc[1] = Op::apply(b, acc[1]);
            acc[2] = Op::apply(c, acc[2]);
            acc[3] = Op::apply(d, acc[3]);
        }
        for (; i + L <= n; i += L) {
            const Vector<T> a = load(x + i);
            nans.see(a, a);
            acc[0] = Op::apply(a, acc[0]);
        }
        Vector<T> all = Op::apply(Op::apply(acc[0], acc[1]), Op::apply(acc[2], acc[3]));
        all = fold_lanes<Op, 1, kLanes<T> / 2>(all);
        best = all[0];
        found = nans.any();
    }
    for (; i < n; ++i) {
        found |= is_nan(x[i]);
        best = Op::apply(x[i], best);
    }
    *nan = found;
    return best;
}

template <class T>
constexpr T quiet_nan() {
    return std::numeric_limits<T>::quiet_NaN();
}

template <class Op, class T>
void rows(const char* x, int64_t row_step, int64_t rows, int64_t n, char* out) {
    for (int64_t r = 0; r < rows; ++r) {
        bool nan;
        T best = extreme<Op>(reinterpret_cast<const T*>(x + r * row_step), n, &nan);
        if (std::is_floating_point<T>::value && nan) best = quiet_nan<T>();
        reinterpret_cast<T*>(out)[r] = best;
    }
}

template <class Op, class T>
PYASC_INLINE T one_column(T acc, T x) {
    return (Op::better(x, acc) || is_nan(x)) && !is_nan(acc) ? x : acc;
}

// Once an accumulator is nan it stays so: the comparison in `apply` is then false. Or-ing all bits into a lane makes it
// nan.
template <class T>
PYASC_INLINE Vector<T> poison(Vector<T> acc, Vector<T> a, Vector<T> b) {
    if constexpr (std::is_floating_point<T>::value) {
        return (Vector<T>)((Vector<Bits<T>>)acc | (Vector<Bits<T>>)unordered(a, b));
    } else {
        return acc;
    }
}

template <class Op, class T>
void columns(char* accumulators, const char* x, int64_t row_step, int64_t rows, int64_t width) {
    constexpr int64_t L = kLanes<T>;
    T* const acc = reinterpret_cast<T*>(accumulators);
    for (int64_t r = 0; r < rows; r += 4) {
        // The last group repeats its last row, which changes no extreme.
        const T* row[4];
        for (int64_t k = 0; k < 4; ++k) {
            row[k] = reinterpret_cast<const T*>(x + (r + k < rows ? r + k : rows - 1) * row_step);
        }
        int64_t j = 0;
        for (; j + L <= width; j += L) {
            const Vector<T> a = load(row[0] + j), b = load(row[1] + j), c = load(row[2] + j), d = load(row[3] + j);
            Vector<T> best = Op::apply(Op::apply(a, b), Op::apply(c, d));
            best = Op::apply(best, load(acc + j));
            store(acc + j, poison<T>(poison<T>(best, a, b), c, d));
        }
        for (; j < width; ++j) {
            for (const T* from : row) acc[j] = one_column<Op>(acc[j], from[j]);
        }
    }
}

template <class Op, class T>
void identity(char* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(out)[i] = Op::template worst<T>();
}

template <class Op, class T>
void complex_rows(const char* x, int64_t row_step, int64_t rows, int64_t n, char* out) {
    using C = std::complex<T>;
    for (int64_t r = 0; r < rows; ++r) {
        const C* const row = reinterpret_cast<const C*>(x + r * row_step);
        C best(Op::template worst<T>(), Op::template worst<T>());
        for (int64_t i = 0; i < n; ++i) best = one_column<Op>(best, row[i]);
        reinterpret_cast<C*>(out)[r] = best;
    }
}

template <class Op, class T>
void complex_columns(char* acc, const char* x, int64_t row_step, int64_t rows, int64_t width) {
    using C = std::complex<T>;
    C* const best = reinterpret_cast<C*>(acc);
    for (int64_t r = 0; r < rows; ++r) {
        const C* const row = reinterpret_cast<const C*>(x + r * row_step);
        for (int64_t j = 0; j < width; ++j) best[j] = one_column<Op>(best[j], row[j]);
    }
}

template <class Op, class T>
void complex_identity(char* out, int64_t n) {
    for (int64_t i = 0; i < 2 * n; ++i) reinterpret_cast<T*>(out)[i] = Op::template worst<T>();
}

// The first element that equals `value` (`nan`: that is nan). There is one.
template <class T>
PYASC_INLINE int64_t find_first(const T* x, int64_t n, T value, bool nan) {
    constexpr int64_t kChunk = 256 / sizeof(T);
    int64_t i = 0;
    if (nan) {
        while (i + 1 < n && !is_nan(x[i])) ++i;
        return i;
    }
    for (; i + kChunk <= n; i += kChunk) {
        unsigned char hit = 0;
        for (int64_t k = 0; k < kChunk; ++k) hit |= static_cast<unsigned char>(x[i + k] == value);
        if (hit != 0) break;
    }
    while (i + 1 < n && !(x[i] == value)) ++i;
    return i;
}

// Blocks that stay in the cache: the extreme of each, and only the best block is searched for its position.
template <class Op, class T>
PYASC_INLINE int64_t arg_row(const T* x, int64_t n, T* value) {
    constexpr int64_t kBlock = 16384 / sizeof(T);
    bool best_nan = false;
    T best = extreme<Op>(x, n < kBlock ? n : kBlock, &best_nan);
    int64_t at = 0;
    for (int64_t i = kBlock; i < n && !best_nan; i += kBlock) {
        bool nan = false;
        const T other = extreme<Op>(x + i, n - i < kBlock ? n - i : kBlock, &nan);
        if (!nan && !Op::better(other, best)) continue;
        best = other;
        best_nan = nan;
        at = i;
    }
    at += find_first(x + at, n - at < kBlock ? n - at : kBlock, best, best_nan);
    *value = x[at];
    return at;
}

template <class Op, class T>
PYASC_INLINE int64_t arg_row(const std::complex<T>* x, int64_t n, std::complex<T>* value) {
    int64_t at = 0;
    for (int64_t i = 1; i < n && !is_nan(x[at]); ++i) {
        if (Op::better(x[i], x[at]) || is_nan(x[i])) at = i;
    }
    *value = x[at];
    return at;
}

template <class Op, class T>
void arg_rows(const char* x, int64_t row_step, int64_t rows, int64_t n, int64_t* index, char* best) {
    for (int64_t r = 0; r < rows; ++r) {
        index[r] = arg_row<Op>(reinterpret_cast<const T*>(x + r * row_step), n, reinterpret_cast<T*>(best) + r);
    }
}

template <class Op, class T>
void arg_columns(char* values, int32_t* __restrict index, const char* x, int64_t row_step, int32_t first, int32_t rows,
                 int64_t width) {
    T* const __restrict best = reinterpret_cast<T*>(values);
    for (int32_t r = 0; r < rows; ++r) {
        const T* const __restrict row = reinterpret_cast<const T*>(x + r * row_step);
        for (int64_t j = 0; j < width; ++j) {
            const T old = best[j], now = row[j];
            const bool better = ((Op::better(now, old) ? 1 : 0) | (is_nan(now) ? 1 : 0)) & (is_nan(old) ? 0 : 1);
            best[j] = better ? now : old;
            index[j] = better ? first + r : index[j];
        }
    }
}

struct Kernels {
    FoldKernel fold;
    ArgKernel arg;
};

template <class Op, class T>
const Kernels* real_kernels() {
    static const Kernels k = {{rows<Op, T>, columns<Op, T>, identity<Op, T>}, {arg_rows<Op, T>, arg_columns<Op, T>}};
    return &k;
}

template <class Op, class T>
const Kernels* complex_kernels() {
    using C = std::complex<T>;
    static const Kernels k = {{complex_rows<Op, T>, complex_columns<Op, T>, complex_identity<Op, T>},
                              {arg_rows<Op, C>, arg_columns<Op, C>}};
    return &k;
}

template <class Op>
const Kernels* kernels(DType compute) {
    switch (compute) {
        case DType::I8: return real_kernels<Op, int8_t>();
        case DType::Bool:
        case DType::U8: return real_kernels<Op, uint8_t>();
        case DType::I16: return real_kernels<Op, int16_t>();
        case DType::U16: return real_kernels<Op, uint16_t>();
        case DType::I32: return real_kernels<Op, int32_t>();
        case DType::U32: return real_kernels<Op, uint32_t>();
        case DType::I64: return real_kernels<Op, int64_t>();
        case DType::U64: return real_kernels<Op, uint64_t>();
        case DType::F32: return real_kernels<Op, float>();
        case DType::F64: return real_kernels<Op, double>();
        case DType::C64: return complex_kernels<Op, float>();
        case DType::C128: return complex_kernels<Op, double>();
        default: return nullptr;
    }
}

const Kernels* both(Fold fold, DType compute) {
    return fold == Fold::Max ? kernels<Max>(compute) : kernels<Min>(compute);
}

const FoldKernel* find(Fold fold, DType compute) {
    const Kernels* const k = both(fold, compute);
    return k == nullptr ? nullptr : &k->fold;
}

const ArgKernel* arg(Fold fold, DType compute) {
    const Kernels* const k = both(fold, compute);
    return k == nullptr ? nullptr : &k->arg;
}

}  // namespace

extern const ExtremeKernels extreme_kernels = {find, arg};

}  // namespace pyasc::PYASC_ISA

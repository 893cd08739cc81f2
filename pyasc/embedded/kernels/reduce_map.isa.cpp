// The cheap element-wise steps around a fold.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernels/reduce_kernels.h"

namespace pyasc::PYASC_ISA {
namespace {

template <class T>
struct RealOf {
    using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
    using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;

template <class T>
inline bool is_nan(T x) {
    return x != x;
}
template <class T>
inline bool is_nan(std::complex<T> x) {
    return is_nan(x.real()) || is_nan(x.imag());
}

template <class T>
inline T square(T x) {
    return x * x;
}
template <class T>
inline T square(std::complex<T> x) {
    return x.real() * x.real() + x.imag() * x.imag();
}

inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float magnitude(std::complex<float> x) { return __builtin_hypotf(x.real(), x.imag()); }
inline double magnitude(std::complex<double> x) { return __builtin_hypot(x.real(), x.imag()); }

template <class T>
inline T finite_or_zero(T x) {
    return magnitude(x) == __builtin_inf() ? T(0) : x;
}

template <class T, class Out, class F>
inline void dense(const T* x, Out* y, int64_t n, const T* p, int64_t step, F f) {
    if (step == 0) {
        const T same = p == nullptr ? T(0) : *p;
        for (int64_t i = 0; i < n; ++i) y[i] = f(x[i], same);
    } else if (step == 1) {
        for (int64_t i = 0; i < n; ++i) y[i] = f(x[i], p[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) y[i] = f(x[i], p[i * step]);
    }
}

// One loop for every map: f(element, parameter), the parameter hoisted where it does not step. Results of another type
// go through a block of their own, because dst may be src.
template <class T, class Out, class F>
inline void each(const char* src, char* dst, int64_t n, const char* parameter, int64_t step, F f) {
    const T* const x = reinterpret_cast<const T*>(src);
    const T* const p = reinterpret_cast<const T*>(parameter);
    if constexpr (std::is_same<T, Out>::value) {
        dense(x, reinterpret_cast<Out*>(dst), n, p, step, f);
    } else {
        constexpr int64_t kBlock = 128;
        Out block[kBlock];
        for (int64_t i = 0; i < n; i += kBlock) {
            const int64_t m = n - i < kBlock ? n - i : kBlock;
            dense(x + i, block, m, step == 0 ? p : p + i * step, step, f);
            std::memcpy(dst + i * static_cast<int64_t>(sizeof(Out)), block, m * sizeof(Out));
        }
    }
}

template <Map map, class T>
void run(const char* src, char* dst, int64_t n, double argument, const char* parameter, int64_t step) {
    using R = Real<T>;
    if constexpr (map == Map::Square) {
        each<T, R>(src, dst, n, parameter, 0, [](T x, T) { return square(x); });
    } else if constexpr (map == Map::Abs) {
        each<T, R>(src, dst, n, parameter, 0, [](T x, T) { return magnitude(x); });
    } else if constexpr (map == Map::NonZero) {
        each<T, R>(src, dst, n, parameter, 0, [](T x, T) { return x != T(0) ? R(1) : R(0); });
    } else if constexpr (map == Map::NanToZero) {
        each<T, T>(src, dst, n, parameter, 0, [](T x, T) { return is_nan(x) ? T(0) : x; });
    } else if constexpr (map == Map::Deviation) {
        each<T, R>(src, dst, n, parameter, step, [](T x, T p) { return square(x - p); });
    } else if constexpr (map == Map::Minus) {
        each<T, T>(src, dst, n, parameter, step, [](T x, T p) { return x - finite_or_zero(p); });
    } else if constexpr (map == Map::Plus) {
        each<T, T>(src, dst, n, parameter, step, [](T x, T p) { return x + finite_or_zero(p); });
    } else {
        const R divisor = static_cast<R>(argument);
        each<T, T>(src, dst, n, parameter, 0, [divisor](T x, T) { return x / divisor; });
    }
}

template <class T>
MapFn find_for(Map map) {
    switch (map) {
        case Map::Square: return run<Map::Square, T>;
        case Map::Abs: return run<Map::Abs, T>;
        case Map::NonZero: return run<Map::NonZero, T>;
        case Map::NanToZero: return run<Map::NanToZero, T>;
        case Map::Deviation: return run<Map::Deviation, T>;
        case Map::Minus: return run<Map::Minus, T>;
        case Map::Plus: return run<Map::Plus, T>;
        case Map::Divide: return run<Map::Divide, T>;
    }
    return nullptr;
}

MapFn find(Map map, DType type) {
    switch (type) {
        case DType::F32: return find_for<float>(map);
        case DType::F64: return find_for<double>(map);
        case DType::C64: return find_for<c64>(map);
        case DType::C128: return find_for<c128>(map);
        default: return nullptr;
    }
}

}  // namespace

extern const MapKernels map_kernels = {find};

}  // namespace pyasc::PYASC_ISA

// The innermost loops of scans. A scan is one chain of dependent operations, so several rows run at once where there
// are.
#include "kernels/scan.h"

namespace pyasc::PYASC_ISA {
namespace {

struct Add {
    template <class T>
    static inline T apply(T a, T b) {
        return static_cast<T>(a + b);
    }
    static constexpr int identity = 0;
};

struct Multiply {
    template <class T>
    static inline T apply(T a, T b) {
        return static_cast<T>(a * b);
    }
    template <class T>
    static inline std::complex<T> apply(std::complex<T> a, std::complex<T> b) {
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }
    static constexpr int identity = 1;
};

template <class T>
inline const T& at(const char* p) {
    return *reinterpret_cast<const T*>(p);
}
template <class T>
inline T& at(char* p) {
    return *reinterpret_cast<T*>(p);
}

template <class Op, class T>
void row(const char* x, int64_t x_step, char* y, int64_t y_step, int64_t n, bool exclusive, char* carry) {
    T sum = at<T>(carry);
    for (int64_t i = 0; i < n; ++i) {
        const T next = Op::apply(sum, at<T>(x + i * x_step));  // read before y is written: they may be the same
        at<T>(y + i * y_step) = exclusive ? sum : next;
        sum = next;
    }
    at<T>(carry) = sum;
}

template <class Op, class T>
void four(const char* x, int64_t x_row, char* y, int64_t y_row, int64_t n) {
    T sum[4];
    for (auto& s : sum) s = T(Op::identity);
    const T* from[4];
    T* to[4];
    for (int k = 0; k < 4; ++k) {
        from[k] = reinterpret_cast<const T*>(x + k * x_row);
        to[k] = reinterpret_cast<T*>(y + k * y_row);
    }
    for (int64_t i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k) {
            sum[k] = Op::apply(sum[k], from[k][i]);
            to[k][i] = sum[k];
        }
    }
}

template <class T>
inline bool is_nan(T x) {
    return x != x;
}
template <class T>
inline bool is_nan(std::complex<T> x) {
    return is_nan(x.real()) || is_nan(x.imag());
}
template <class T>
inline bool less_equal(T a, T b) {
    return a <= b;
}
template <class T>
inline bool less_equal(std::complex<T> a, std::complex<T> b) {
    return a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag());
}

template <bool Largest, class T>
void extreme_row(const char* x, int64_t x_step, char* y, int64_t* index, int64_t n, int64_t first, char* best,
                 int64_t* best_index) {
    T value = at<T>(best);
    int64_t where = *best_index;
    for (int64_t i = 0; i < n; ++i) {
        const T now = at<T>(x + i * x_step);
        const bool wins = Largest ? less_equal(value, now) : less_equal(now, value);
        if (is_nan(now) || (wins && !is_nan(value))) {
            value = now;
            where = first + i;
        }
        reinterpret_cast<T*>(y)[i] = value;
        index[i] = where;
    }
    at<T>(best) = value;
    *best_index = where;
}

template <class T>
const ScanKernel* kernel(Fold fold) {
    static const ScanKernel sum = {row<Add, T>, four<Add, T>};
    static const ScanKernel prod = {row<Multiply, T>, four<Multiply, T>};
    return fold == Fold::Sum ? &sum : &prod;
}

const ScanKernel* find(Fold fold, DType compute) {
    switch (compute) {
        case DType::I8:
        case DType::U8: return kernel<uint8_t>(fold);
        case DType::I16:
        case DType::U16: return kernel<uint16_t>(fold);
        case DType::I32:
        case DType::U32: return kernel<uint32_t>(fold);
        case DType::I64:
        case DType::U64: return kernel<uint64_t>(fold);
        case DType::F32: return kernel<float>(fold);
        case DType::F64: return kernel<double>(fold);
        case DType::C64: return kernel<c64>(fold);
        case DType::C128: return kernel<c128>(fold);
        default: return nullptr;
    }
}

template <class T>
const ExtremeScanKernel* extreme_kernel(Fold fold) {
    static const ExtremeScanKernel max = {extreme_row<true, T>};
    static const ExtremeScanKernel min = {extreme_row<false, T>};
    return fold == Fold::Max ? &max : &min;
}

const ExtremeScanKernel* extreme(Fold fold, DType compute) {
    switch (compute) {
        case DType::I8: return extreme_kernel<int8_t>(fold);
        case DType::Bool:
        case DType::U8: return extreme_kernel<uint8_t>(fold);
        case DType::I16: return extreme_kernel<int16_t>(fold);
        case DType::U16: return extreme_kernel<uint16_t>(fold);
        case DType::I32: return extreme_kernel<int32_t>(fold);
        case DType::U32: return extreme_kernel<uint32_t>(fold);
        case DType::I64: return extreme_kernel<int64_t>(fold);
        case DType::U64: return extreme_kernel<uint64_t>(fold);
        case DType::F32: return extreme_kernel<float>(fold);
        case DType::F64: return extreme_kernel<double>(fold);
        case DType::C64: return extreme_kernel<c64>(fold);
        case DType::C128: return extreme_kernel<c128>(fold);
        default: return nullptr;
    }
}

}  // namespace

extern const ScanKernels scan_kernels = {find, extreme};

}  // namespace pyasc::PYASC_ISA

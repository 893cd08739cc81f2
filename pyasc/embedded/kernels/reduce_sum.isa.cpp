// Sums and products. Sums of floats are pairwise: blocks of 64 vectors in four accumulators, then a binary tree of
// blocks, so that the error grows with the logarithm of the length, as NumPy's does.
#include "kernels/reduce_kernels.h"
#include "kernels/reduce_simd.h"

namespace pyasc::PYASC_ISA {
namespace {

struct Add {
    template <class V>
    PYASC_INLINE static V apply(V a, V b) {
        return a + b;
    }
    template <class T>
    static constexpr T identity = T(0);
};

struct Multiply {
    template <class V>
    PYASC_INLINE static V apply(V a, V b) {
        return a * b;
    }
    template <class T>
    static constexpr T identity = T(1);
};

constexpr int kAccumulators = 4;
constexpr int kBlockSteps = 16;  // a block is this many times four 32-byte vectors

template <class T>
constexpr int64_t kWideLanes = 32 / static_cast<int64_t>(sizeof(T));

template <class Op, class T>
PYASC_INLINE Wide<T> load_wide(const T* x) {
    Wide<T> w;
    for (int p = 0; p < kParts; ++p) w.part[p] = load(x + p * kLanes<T>);
    return w;
}

// `steps` >= 1 times four wide vectors.
template <class Op, class T>
PYASC_INLINE Wide<T> fold_block(const T* x, int64_t steps) {
    constexpr int64_t L = kWideLanes<T>;
    Wide<T> acc[kAccumulators];
    for (int k = 0; k < kAccumulators; ++k) acc[k] = load_wide<Op>(x + k * L);
    for (int64_t s = 1; s < steps; ++s) {
        x += kAccumulators * L;
        __builtin_prefetch(x + 1024 / sizeof(T) * 4);
        for (int k = 0; k < kAccumulators; ++k) acc[k] = merge<Op>(acc[k], load_wide<Op>(x + k * L));
    }
    return merge<Op>(merge<Op>(acc[0], acc[1]), merge<Op>(acc[2], acc[3]));
}

// The vector part of a row: full blocks through a binary counter of partial results, then what is left.
// Returns how many elements were taken.
template <class Op, class T>
PYASC_INLINE int64_t fold_vectors(const T* x, int64_t n, Wide<T>* result) {
    constexpr int64_t L = kWideLanes<T>;
    constexpr int64_t step = kAccumulators * L;
    constexpr int64_t block = step * kBlockSteps;
    Wide<T> partial[48];
    int depth = 0;
    int64_t i = 0;
    for (int64_t b = 1; i + block <= n; i += block, ++b) {
        Wide<T> sum = fold_block<Op>(x + i, kBlockSteps);
        for (int64_t bits = b; (bits & 1) == 0; bits >>= 1) sum = merge<Op>(partial[--depth], sum);
        partial[depth++] = sum;
    }
    if (n - i >= step) {
        const int64_t steps = (n - i) / step;
        partial[depth++] = fold_block<Op>(x + i, steps);
        i += steps * step;
    }
    if (n - i >= L) {
        Wide<T> sum = load_wide<Op>(x + i);
        for (i += L; n - i >= L; i += L) sum = merge<Op>(sum, load_wide<Op>(x + i));
        partial[depth++] = sum;
    }
    Wide<T> sum = partial[--depth];
    while (depth > 0) sum = merge<Op>(partial[--depth], sum);
    *result = sum;
    return i;
}

// One row. Group 2: real and imaginary parts alternate, and n counts both.
template <class Op, int Group, class T>
PYASC_INLINE void fold_row(const T* x, int64_t n, T* out) {
    T tail[Group];
    for (int g = 0; g < Group; ++g) tail[g] = Op::template identity<T>;
    int64_t i = 0;
    if (n >= kWideLanes<T>) {
        Wide<T> wide;
        i = fold_vectors<Op>(x, n, &wide);
        fold_wide<Op, Group>(wide, tail);
    }
    for (; i < n; i += Group) {
        for (int g = 0; g < Group; ++g) tail[g] = static_cast<T>(Op::apply(tail[g], x[i + g]));
    }
    for (int g = 0; g < Group; ++g) out[g] = tail[g];
}

template <class Op, int Group, class T>
void rows(const char* x, int64_t row_step, int64_t rows, int64_t n, char* out) {
    T* const to = reinterpret_cast<T*>(out);
    for (int64_t r = 0; r < rows; ++r) {
        fold_row<Op, Group>(reinterpret_cast<const T*>(x + r * row_step), n * Group, to + r * Group);
    }
}

// Four rows at a time: the accumulators are read and written once for all four.
template <class Op, class T>
PYASC_INLINE void columns_by_four(T* acc, const char* x, int64_t row_step, int64_t width) {
    const T* const r0 = reinterpret_cast<const T*>(x);
    const T* const r1 = reinterpret_cast<const T*>(x + row_step);
    const T* const r2 = reinterpret_cast<const T*>(x + 2 * row_step);
    const T* const r3 = reinterpret_cast<const T*>(x + 3 * row_step);
    int64_t j = 0;
    for (; j + kLanes<T> <= width; j += kLanes<T>) {
        const Vector<T> low = Op::apply(load(r0 + j), load(r1 + j));
        const Vector<T> high = Op::apply(load(r2 + j), load(r3 + j));
        store(acc + j, Op::apply(load(acc + j), Op::apply(low, high)));
    }
    for (; j < width; ++j) {
        const T low = static_cast<T>(Op::apply(r0[j], r1[j]));
        const T high = static_cast<T>(Op::apply(r2[j], r3[j]));
        acc[j] = static_cast<T>(Op::apply(acc[j], static_cast<T>(Op::apply(low, high))));
    }
}

template <class Op, int Group, class T>
void columns(char* accumulators, const char* x, int64_t row_step, int64_t rows, int64_t width) {
    T* const acc = reinterpret_cast<T*>(accumulators);
    width *= Group;
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) columns_by_four<Op>(acc, x + r * row_step, row_step, width);
    for (; r < rows; ++r) {
        const T* const row = reinterpret_cast<const T*>(x + r * row_step);
        for (int64_t j = 0; j < width; ++j) acc[j] = static_cast<T>(Op::apply(acc[j], row[j]));
    }
}

template <class Op, class T>
void identity(char* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(out)[i] = T(Op::template identity<T>);
}

template <class T>
PYASC_INLINE std::complex<T> product(std::complex<T> a, std::complex<T> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class T>
void complex_product_rows(const char* x, int64_t row_step, int64_t rows, int64_t n, char* out) {
    using C = std::complex<T>;
    for (int64_t r = 0; r < rows; ++r) {
        const C* const row = reinterpret_cast<const C*>(x + r * row_step);
        C result(1, 0);
        for (int64_t i = 0; i < n; ++i) result = product(result, row[i]);
        reinterpret_cast<C*>(out)[r] = result;
    }
}

template <class T>
void complex_product_columns(char* acc, const char* x, int64_t row_step, int64_t rows, int64_t width) {
    using C = std::complex<T>;
    C* const to = reinterpret_cast<C*>(acc);
    for (int64_t r = 0; r < rows; ++r) {
        const C* const row = reinterpret_cast<const C*>(x + r * row_step);
        for (int64_t j = 0; j < width; ++j) to[j] = product(to[j], row[j]);
    }
}

template <class T>
const FoldKernel* real_kernel(Fold fold) {
    static const FoldKernel sum = {rows<Add, 1, T>, columns<Add, 1, T>, identity<Add, T>};
    static const FoldKernel prod = {rows<Multiply, 1, T>, columns<Multiply, 1, T>, identity<Multiply, T>};
    return fold == Fold::Sum ? &sum : &prod;
}

template <class T>
const FoldKernel* complex_kernel(Fold fold) {
    using C = std::complex<T>;
    static const FoldKernel sum = {rows<Add, 2, T>, columns<Add, 2, T>, identity<Add, C>};
    static const FoldKernel prod = {complex_product_rows<T>, complex_product_columns<T>, identity<Multiply, C>};
    return fold == Fold::Sum ? &sum : &prod;
}

// Sums and products that wrap are the same bits for signed and unsigned.
const FoldKernel* find(Fold fold, DType compute) {
    switch (compute) {
        case DType::I8:
        case DType::U8: return real_kernel<uint8_t>(fold);
        case DType::I16:
        case DType::U16: return real_kernel<uint16_t>(fold);
        case DType::I32:
        case DType::U32: return real_kernel<uint32_t>(fold);
        case DType::I64:
        case DType::U64: return real_kernel<uint64_t>(fold);
        case DType::F32: return real_kernel<float>(fold);
        case DType::F64: return real_kernel<double>(fold);
        case DType::C64: return complex_kernel<float>(fold);
        case DType::C128: return complex_kernel<double>(fold);
        default: return nullptr;
    }
}

}  // namespace

extern const SumKernels sum_kernels = {find};

}  // namespace pyasc::PYASC_ISA

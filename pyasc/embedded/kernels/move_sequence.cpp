// Sequences: arange and linspace in every type.
#include <cmath>

#include "kernels/copy.h"
#include "kernels/half.h"
#include "kernels/move.h"

namespace pyasc {
namespace {

constexpr int64_t kRow = 512;

template <class T>
void arange_of(const View& out, uint64_t start, uint64_t step) {
    generate(out, [=](int64_t begin, int64_t n, char* to) {
        T* const p = reinterpret_cast<T*>(to);
        const uint64_t first = start + static_cast<uint64_t>(begin) * step;
        for (int64_t i = 0; i < n; ++i) p[i] = static_cast<T>(first + static_cast<uint64_t>(i) * step);
    });
}

// `second` is given because it is rounded by itself: start + 1 * (second - start) may differ from it.
template <class T, class Index>
void arange_float(const View& out, T start, T second) {
    const T delta = second - start;
    generate(out, [=](int64_t begin, int64_t n, char* to) {
        T* const p = reinterpret_cast<T*>(to);
        for (int64_t i = 0; i < n; ++i) p[i] = start + static_cast<Index>(begin + i) * delta;
        if (begin <= 1 && begin + n > 1) p[1 - begin] = second;
    });
}

template <class Half>
void arange_half(const View& out, double start, double second) {
    Half h;
    narrow(static_cast<float>(start), &h);
    const float first = widen(h);
    narrow(static_cast<float>(second), &h);
    const float delta = widen(h) - first;
    generate(out, [=](int64_t begin, int64_t n, char* to) {
        Half* const p = reinterpret_cast<Half*>(to);
        for (int64_t i = 0; i < n; ++i) narrow(first + static_cast<float>(begin + i) * delta, p + i);
        if (begin <= 1 && begin + n > 1) narrow(first + delta, p + 1 - begin);
    });
}

// What is not an integer of the type counts as the integer that C makes of it.
int64_t truncate(double x) {
    if (!(x > -0x1p63)) return INT64_MIN;
    return x < 0x1p63 ? static_cast<int64_t>(x) : INT64_MAX;
}

}  // namespace

void fill_arange(const View& out, int64_t start, int64_t step) {
    const uint64_t a = static_cast<uint64_t>(start), d = static_cast<uint64_t>(step);
    switch (out.dtype) {
        case DType::Bool: return arange_of<bool>(out, a, d);
        case DType::I8:
        case DType::U8: return arange_of<uint8_t>(out, a, d);
        case DType::I16:
        case DType::U16: return arange_of<uint16_t>(out, a, d);
        case DType::I32:
        case DType::U32: return arange_of<uint32_t>(out, a, d);
        case DType::I64:
        case DType::U64: return arange_of<uint64_t>(out, a, d);
        default: return fill_arange(out, c128(static_cast<double>(start)), c128(static_cast<double>(step)));
    }
}

void fill_arange(const View& out, c128 start, c128 step) {
    const c128 second = start + step;
    switch (out.dtype) {
        case DType::F16: return arange_half<f16>(out, start.real(), second.real());
        case DType::BF16: return arange_half<bf16>(out, start.real(), second.real());
        case DType::F32: {
            return arange_float<float, float>(out, static_cast<float>(start.real()), static_cast<float>(second.real()));
        }
        case DType::F64: return arange_float<double, double>(out, start.real(), second.real());
        case DType::C64: return arange_float<c64, float>(out, c64(start), c64(second));
        case DType::C128: return arange_float<c128, double>(out, start, second);
        default: {
            const int64_t first = truncate(start.real());
            return fill_arange(
                out, first,
                static_cast<int64_t>(static_cast<uint64_t>(truncate(second.real())) - static_cast<uint64_t>(first)));
        }
    }
}

void fill_linspace(const View& out, double start, double end, double base) {
    const double intervals = static_cast<double>(out.size - 1), span = end - start, step = span / intervals;
    const bool whole = is_integer(out.dtype);
    const Inner convert = cast_inner(out.dtype, DType::F64);
    const int64_t last = out.size - 1;
    generate(out, [=, item = out.item()](int64_t begin, int64_t n, char* to) {
        double row[kRow];
        for (int64_t i = 0; i < n; i += kRow) {
            const int64_t m = n - i < kRow ? n - i : kRow;
            // products and sums in loops of their own: they must not be fused
            for (int64_t k = 0; k < m; ++k) {
                const double index = static_cast<double>(begin + i + k);
                row[k] = step == 0 ? index / intervals * span : index * step;
            }
            if (last == 0) row[0] = 0;
            for (int64_t k = 0; k < m; ++k) row[k] += start;
            if (last > 0 && begin + i + m > last) row[last - begin - i] = end;
            for (int64_t k = 0; base != 0 && k < m; ++k) row[k] = std::pow(base, row[k]);
            for (int64_t k = 0; whole && k < m; ++k) row[k] = std::floor(row[k]);
            char* data[] = {to + i * item, reinterpret_cast<char*>(row)};
            const int64_t steps[] = {item, 8};
            convert(data, steps, m);
        }
    });
}

}  // namespace pyasc

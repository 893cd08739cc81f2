// Index arithmetic and truth values, where vector instructions pay.
#include <cstring>

#include "kernels/index.h"

namespace pyasc {
namespace {

template <class I>
I load(const char* p) {
    I value;
    std::memcpy(&value, p, sizeof(I));
    return value;
}

template <class I>
bool in_range_of(const char* data, int64_t step, int64_t n, int64_t extent) {
    I low = 0, high = -1;
    if (step == static_cast<int64_t>(sizeof(I))) {
        const I* index = reinterpret_cast<const I*>(data);
        for (int64_t i = 0; i < n; ++i) {
            low = index[i] < low ? index[i] : low;
            high = index[i] > high ? index[i] : high;
        }
    } else {
        for (int64_t i = 0; i < n; ++i) {
            const I index = load<I>(data + i * step);
            low = index < low ? index : low;
            high = index > high ? index : high;
        }
    }
    return n <= 0 || (extent > 0 && low >= -extent && high < extent);
}

template <class I>
inline int64_t wrapped(I index, int64_t extent) {
    const int64_t wide = index;
    const int64_t at = wide + (wide < 0 ? extent : 0);
    return at >= 0 && at < extent ? at : 0;
}

template <class I>
void resolve_of(const char* data, int64_t step, int64_t n, int64_t extent, int64_t scale, int64_t* offset) {
    if (step == static_cast<int64_t>(sizeof(I))) {
        const I* index = reinterpret_cast<const I*>(data);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) offset[i] += wrapped(index[i], extent) * scale;
    } else {
        for (int64_t i = 0; i < n; ++i) offset[i] += wrapped(load<I>(data + i * step), extent) * scale;
    }
}

bool in_range(const char* data, int64_t step, bool wide, int64_t n, int64_t extent) {
    return wide ? in_range_of<int64_t>(data, step, n, extent) : in_range_of<int32_t>(data, step, n, extent);
}

void resolve(const char* data, int64_t step, bool wide, int64_t n, int64_t extent, int64_t scale, int64_t* offset) {
    if (wide) return resolve_of<int64_t>(data, step, n, extent, scale, offset);
    resolve_of<int32_t>(data, step, n, extent, scale, offset);
}

// T: how to read the element; Mask: the bits that decide (all but the sign of a float).
template <class T, T Mask>
void truth_bits(const char* data, int64_t step, int64_t n, uint8_t* out) {
    if (step == static_cast<int64_t>(sizeof(T))) {
        const T* item = reinterpret_cast<const T*>(data);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = (item[i] & Mask) != 0;
    } else {
        for (int64_t i = 0; i < n; ++i) out[i] = (load<T>(data + i * step) & Mask) != 0;
    }
}

template <class T, T Mask>
void truth_pairs(const char* data, int64_t step, int64_t n, uint8_t* out) {
    for (int64_t i = 0; i < n; ++i) {
        out[i] = ((load<T>(data + i * step) | load<T>(data + i * step + sizeof(T))) & Mask) != 0;
    }
}

void truth(DType type, const char* data, int64_t step, int64_t n, uint8_t* out) {
    switch (type) {
        case DType::Bool:
        case DType::I8:
        case DType::U8: return truth_bits<uint8_t, 0xff>(data, step, n, out);
        case DType::I16:
        case DType::U16: return truth_bits<uint16_t, 0xffff>(data, step, n, out);
        case DType::F16:
        case DType::BF16: return truth_bits<uint16_t, 0x7fff>(data, step, n, out);
        case DType::I32:
        case DType::U32: return truth_bits<uint32_t, ~uint32_t{0}>(data, step, n, out);
        case DType::F32: return truth_bits<uint32_t, ~uint32_t{0} / 2>(data, step, n, out);
        case DType::I64:
        case DType::U64: return truth_bits<uint64_t, ~uint64_t{0}>(data, step, n, out);
        case DType::F64: return truth_bits<uint64_t, ~uint64_t{0} / 2>(data, step, n, out);
        case DType::C64: return truth_pairs<uint32_t, ~uint32_t{0} / 2>(data, step, n, out);
        default: return truth_pairs<uint64_t, ~uint64_t{0} / 2>(data, step, n, out);
    }
}

int64_t count(const uint8_t* truth, int64_t n) {
    int64_t total = 0;
    for (int64_t i = 0; i < n;) {
        uint8_t part[16] = {};  // sixteen sums of at most 255 ones
        const int64_t rows = (n - i) / 16 < 255 ? (n - i) / 16 : 255;
        if (rows == 0) {
            for (; i < n; ++i) total += truth[i];
            break;
        }
        for (int64_t r = 0; r < rows; ++r, i += 16) {
            for (int k = 0; k < 16; ++k) part[k] = static_cast<uint8_t>(part[k] + truth[i + k]);
        }
        for (uint8_t p : part) total += p;
    }
    return total;
}

}  // namespace

namespace PYASC_ISA {
extern const IndexKernels index_kernels = {in_range, resolve, truth, count};
}

}  // namespace pyasc

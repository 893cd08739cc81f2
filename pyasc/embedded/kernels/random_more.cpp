// Draws that depend on other arrays: Bernoulli with a probability for each element, dropout, multinomial.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/copy.h"
#include "kernels/move.h"
#include "kernels/random.h"

namespace pyasc {
namespace {

constexpr int64_t kRow = 512;

// How many of the 2^32 words lie below p.
uint64_t threshold_of(double p) { return p > 0 ? static_cast<uint64_t>(std::min(p, 1.0) * 0x1p32 + 0.5) : 0; }

// The elements [begin, begin + n) of `v`, converted.
void read_row(const View& v, const Walk<1>& walk, Inner convert, int item, int64_t begin, int64_t n, char* out) {
    const int64_t step = row_step(walk, 0, v.item());
    each_row(walk, begin, begin + n, [&](const int64_t* offset, int64_t m) {
        char* data[] = {out, v.data + offset[0]};
        const int64_t steps[] = {item, step};
        convert(data, steps, m);
        out += m * item;
    });
}

bool good_row(const double* weight, int64_t n, int64_t needed, double* total) {
    int64_t positive = 0;
    *total = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (!(weight[i] >= 0) || std::isinf(weight[i])) return false;
        positive += weight[i] > 0;
        *total += weight[i];
    }
    return positive >= needed && std::isfinite(*total);
}

// With replacement: the place of total * u among the running sums.
void draw_with_replacement(uint64_t seed, uint64_t position, const double* weight, int64_t n, double* sums,
                           int64_t samples, int64_t* out) {
    double running = 0;
    int64_t last = 0;
    for (int64_t i = 0; i < n; ++i) {
        running += weight[i];
        sums[i] = running;
        if (weight[i] > 0) last = i;
    }
    double u[kRow];
    for (int64_t s = 0; s < samples; s += kRow) {
        const int64_t m = std::min(samples - s, kRow);
        random_kernels().doubles(seed, position + static_cast<uint64_t>(s), m, u);
        for (int64_t k = 0; k < m; ++k) {
            const int64_t at = std::upper_bound(sums, sums + n, u[k] * running) - sums;
            out[s + k] = std::min(at, last);  // rounding must not reach past the last possible element
        }
    }
}

// Without: each element waits for a time that is exponential with its weight as the rate; the first ones are drawn, in
// order. (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006.)
void draw_without_replacement(uint64_t seed, uint64_t position, const double* weight, int64_t n, double* wait,
                              int64_t* order, int64_t samples, int64_t* out) {
    random_kernels().doubles(seed, position, n, wait);
    for (int64_t i = 0; i < n; ++i) {
        order[i] = i;
        wait[i] = weight[i] > 0 ? -std::log1p(-wait[i]) / weight[i] : HUGE_VAL;
    }
    std::partial_sort(order, order + samples, order + n,
                      [wait](int64_t a, int64_t b) { return wait[a] != wait[b] ? wait[a] < wait[b] : a < b; });
    std::copy(order, order + samples, out);
}

}  // namespace

bool fill_bernoulli(uint64_t seed, uint64_t offset, const View& probability, const View& out) {
    const Inner read = cast_inner(DType::F64, probability.dtype), write = cast_inner(out.dtype, DType::Bool);
    if (read == nullptr || write == nullptr) return false;
    const Walk<1> walk = walk_of(probability);
    generate(out, [&](int64_t begin, int64_t n, char* to) {
        double p[kRow];
        uint32_t words[kRow];
        bool hit[kRow];
        for (int64_t i = 0; i < n; i += kRow) {
            const int64_t m = std::min(n - i, kRow);
            read_row(probability, walk, read, 8, begin + i, m, reinterpret_cast<char*>(p));
            random_kernels().words(seed, offset + static_cast<uint64_t>(begin + i), m, words);
            for (int64_t k = 0; k < m; ++k) hit[k] = words[k] < p[k] * 0x1p32;
            char* data[] = {to + i * out.item(), reinterpret_cast<char*>(hit)};
            const int64_t steps[] = {out.item(), 1};
            write(data, steps, m);
        }
    });
    return true;
}

void fill_mask(uint64_t seed, uint64_t offset, double p, int64_t n, int64_t bytes, uint8_t* out) {
    const uint64_t threshold = threshold_of(p);
    const bool none = threshold > 0xffffffffu;
    const uint32_t bound = static_cast<uint32_t>(threshold);
    View v;
    v.data = reinterpret_cast<char*>(out);
    v.dtype = DType::U8;
    v.ndim = 1;
    v.size = v.shape[0] = bytes;
    v.stride[0] = 1;
    generate(v, [&](int64_t begin, int64_t count, char* to) {
        const int64_t used =
            none ? 0 : std::clamp<int64_t>(n - begin * 8, 0, 8 * count);  // bits of elements that may stay
        uint32_t words[8 * 128];
        for (int64_t i = 0; i * 8 < used; i += 128) {
            const int64_t m = std::min<int64_t>(count - i, 128);
            random_kernels().words(seed, offset + static_cast<uint64_t>((begin + i) * 8), 8 * m, words);
            random_kernels().reach(words, bound, m, reinterpret_cast<uint8_t*>(to) + i);
        }
        if (used % 8 != 0) to[used / 8] &= static_cast<char>((1 << used % 8) - 1);
        const int64_t whole = (used + 7) / 8;
        std::memset(to + whole, 0, static_cast<size_t>(count - whole));
    });
}

// Halves go through float; the product is rounded to float first, as the operators compute it.
template <class T>
void apply_mask_as(const View& out, const View& in, const uint8_t* mask, double scale) {
    const DType type = dtype_of<T>::value;
    const Inner read = cast_inner(type, in.dtype), write = cast_inner(out.dtype, type);
    const Walk<1> walk = walk_of(in);
    generate(out, [&](int64_t begin, int64_t n, char* to) {  // pieces begin at multiples of 1024
        T x[kRow];
        for (int64_t i = 0; i < n; i += kRow) {
            const int64_t m = std::min(n - i, kRow);
            read_row(in, walk, read, sizeof(T), begin + i, m, reinterpret_cast<char*>(x));
            const uint8_t* bits = mask + (begin + i) / 8;
            if constexpr (std::is_same_v<T, float>) {
                random_kernels().mask(x, bits, static_cast<float>(scale), m, x);
            } else {
                for (int64_t k = 0; k < m; ++k) x[k] = bits[k / 8] >> (k % 8) & 1 ? x[k] * scale : 0.0;
            }
            char* data[] = {to + i * out.item(), reinterpret_cast<char*>(x)};
            const int64_t steps[] = {out.item(), sizeof(T)};
            write(data, steps, m);
        }
    });
}

bool apply_mask(const View& out, const View& in, const uint8_t* mask, double scale) {
    if (!is_float(out.dtype)) return false;
    if (out.dtype == DType::F64) {
        apply_mask_as<double>(out, in, mask, scale);
    } else {
        apply_mask_as<float>(out, in, mask, scale);
    }
    return true;
}

bool fill_multinomial(uint64_t seed, uint64_t offset, const View& weights, int64_t samples, bool replacement,
                      int64_t* out) {
    const int64_t n = weights.shape[weights.ndim - 1], rows = n == 0 ? 0 : weights.size / n;
    Scratch memory(n * 16);
    if (memory.data == nullptr) return false;
    double* const scratch = reinterpret_cast<double*>(memory.data);
    int64_t* const order = reinterpret_cast<int64_t*>(scratch + n);
    const double* weight = reinterpret_cast<const double*>(weights.data);
    double total;
    for (int64_t r = 0; r < rows; ++r) {
        if (!good_row(weight + r * n, n, replacement ? 1 : samples, &total)) return false;
    }
    for (int64_t r = 0; r < rows; ++r, weight += n, out += samples) {
        const uint64_t row = static_cast<uint64_t>(r);
        if (replacement) {
            draw_with_replacement(seed, offset + row * static_cast<uint64_t>(samples), weight, n, scratch, samples,
                                  out);
        } else {
            draw_without_replacement(seed, offset + row * static_cast<uint64_t>(n), weight, n, scratch, order, samples,
                                     out);
        }
    }
    return true;
}

}  // namespace pyasc

// Random numbers. Element i of a stream depends on (seed, offset + i) and the distribution only: not on threads, layout
// or how the work is cut. Drawing n elements and adding n to the offset therefore never repeats a draw.
#pragma once

#include <cstdint>

#include "kernels/isa.h"
#include "kernels/view.h"

namespace pyasc {

enum class Draw : uint8_t {
    Uniform,  // [a, b): floats with all bits of their significand random, integers truncated
    Normal,  // mean a, standard deviation b
    Exponential,  // mean a
    Integer,  // from, from + 1, …, from + range - 1
    Bernoulli,  // 1 with probability a, else 0
};

struct Distribution {
    Draw draw;
    DType dtype;
    uint64_t seed, offset;
    double a = 0, b = 0;
    int64_t from = 0;
    uint64_t range = 0;  // 0: all 2^64
};

struct RandomKernels {
    // Elements [first, first + n), dense. False, and nothing done, if the type has no such distribution.
    bool (*fill)(const Distribution& d, int64_t first, int64_t n, char* out);
    // One 32-bit word for every element, and one double in [0, 1) of 53 bits.
    void (*words)(uint64_t seed, uint64_t position, int64_t n, uint32_t* out);
    void (*doubles)(uint64_t seed, uint64_t position, int64_t n, double* out);
    // bits[i], lowest bit first: whether words 8 i … 8 i + 7 reach `bound`.
    void (*reach)(const uint32_t* words, uint32_t bound, int64_t n, uint8_t* bits);
    // out[i] = bit i of `mask` ? x[i] * scale : 0, for n elements; may be the same array.
    void (*mask)(const float* x, const uint8_t* mask, float scale, int64_t n, float* out);
};
PYASC_FAMILY(RandomKernels, random_kernels)

// Fills any layout, on several threads if it is worth it. False if the type has no such distribution.
bool fill_random(const Distribution& d, const View& out);

// out[i] = 1 with probability p[i] (a float of any kind, of out's shape), else 0.
bool fill_bernoulli(uint64_t seed, uint64_t offset, const View& probability, const View& out);

// Dropout masks: bit i is element i's, set with probability 1 - p; the bits of the last bytes that belong to no element
// are 0.
void fill_mask(uint64_t seed, uint64_t offset, double p, int64_t n, int64_t bytes, uint8_t* out);
// out = bit ? in * scale : 0, for floats; both of one type and shape. False for other types.
bool apply_mask(const View& out, const View& in, const uint8_t* mask, double scale);

// Draws from the distributions that the last dimension of `weights` (float64, contiguous) gives: numbers of elements,
// `out` contiguous of shape (rows, samples). False if some row has a negative or infinite weight, or too few positive
// ones.
bool fill_multinomial(uint64_t seed, uint64_t offset, const View& weights, int64_t samples, bool replacement,
                      int64_t* out);

// A random permutation of 0 … n - 1.
void random_permutation(uint64_t seed, uint64_t offset, int64_t n, int64_t* out);

}  // namespace pyasc

// Discrete Fourier transforms along one axis of complex arrays.
//
// Short lengths with small prime factors run as Stockham's autosort algorithm on as many transforms at once as a vector
// has lanes. Long ones are split into a grid whose columns and rows are short (Bailey's four steps); a length with a
// large prime factor is a convolution with a chirp (Bluestein).
#pragma once

#include <cstdint>

#include "kernels/isa.h"
#include "kernels/view.h"

namespace pyasc {

constexpr int kFftStages = 32;

struct FftStage {
    int radix;
    int64_t m, s;  // elements radix * m * s; s transforms of length radix * m lie interleaved
    const void* twiddle;  // for each p < m, radix - 1 complex numbers
    const void* roots;  // the radix-th roots of 1
};

struct FftDirect {
    int64_t n;
    int stages;
    FftStage stage[kFftStages];
};

// Powers of the n-th root of 1, as a coarse table times a fine one, in double.
struct FftRoots {
    const double* coarse = nullptr;
    const double* fine;
    int shift;
};

// Up to one vector of transforms at a time; steps and lanes in bytes.
struct FftLanes {
    const char* in;
    char* out;
    const int64_t *in_lane, *out_lane;
    int64_t in_step, out_step;
    int count;
    bool conj_in, conj_out;  // a transform in the other direction is the conjugate's conjugate
    double scale;
    FftRoots roots;  // if given: element k of lane l is multiplied with root^((first + l) k)
    int64_t first;
};

struct FftKernels {
    int lanes_f32, lanes_f64;
    // `work`: 4 n vectors, aligned to 64 bytes.
    void (*f32)(const FftDirect& d, const FftLanes& l, void* work);
    void (*f64)(const FftDirect& d, const FftLanes& l, void* work);
};
PYASC_FAMILY(FftKernels, fft_kernels)

// out = scale * the transform of `in` (C64 or C128, both of one type and shape) along `axis`, with a negative exponent
// if `forward`. False if there is no memory for intermediate results.
bool fft(const View& in, int axis, bool forward, double scale, const View& out);

}  // namespace pyasc

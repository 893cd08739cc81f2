// The innermost loops of reductions, one table per instruction set. They work on dense runs of compute types: integers
// of either sign, float, double and their complex pairs; bool is an unsigned byte, 16-bit floats have been widened.
#pragma once

#include "kernels/dtype.h"
#include "kernels/isa.h"

namespace pyasc {

enum class Fold : uint8_t { Sum, Prod, Max, Min };
constexpr int kFolds = 4;

struct FoldKernel {
    // out[i] = fold of the n dense elements at x + i * row_step bytes, for i < rows. n may be 0: the identity.
    void (*rows)(const char* x, int64_t row_step, int64_t rows, int64_t n, char* out);
    // acc[j] = fold(acc[j], x[r][j]) for r < rows, row r at x + r * row_step bytes, `width` dense elements each.
    void (*columns)(char* acc, const char* x, int64_t row_step, int64_t rows, int64_t width);
    void (*identity)(char* out, int64_t n);
};

struct ArgKernel {
    // index[i] = where the best of row i is (n >= 1), best[i] = that element.
    void (*rows)(const char* x, int64_t row_step, int64_t rows, int64_t n, int64_t* index, char* best);
    // best[j], index[j] = the better of themselves and the elements of rows `first`, first + 1, ... in column j.
    void (*columns)(char* best, int32_t* index, const char* x, int64_t row_step, int32_t first, int32_t rows,
                    int64_t width);
};

// What happens to elements before they are folded, or to results before they are stored (powers, exp and log come from
// math.h). Complex elements become real where the comment says so.
enum class Map : uint8_t {
    Square,     // |x|^2, real
    Abs,        // |x|, real
    NonZero,    // 1 or 0, real
    NanToZero,
    Deviation,  // |x - parameter|^2, real
    Minus,      // x - parameter, an infinite parameter counting as 0
    Plus,       // x + parameter, likewise
    Divide,     // x / argument
};

// dst[i] = map(src[i]); the parameter steps by `step` elements. Both sides dense; dst may be src.
using MapFn = void (*)(const char* src, char* dst, int64_t n, double argument, const char* parameter, int64_t step);

struct SumKernels {
    const FoldKernel* (*find)(Fold fold, DType compute);  // Sum and Prod; integers of either sign
};
struct ExtremeKernels {
    const FoldKernel* (*find)(Fold fold, DType compute);  // Max and Min
    const ArgKernel* (*arg)(Fold fold, DType compute);
};
struct MapKernels {
    MapFn (*find)(Map map, DType type);  // float, double and their complex pairs
};
PYASC_FAMILY(SumKernels, sum_kernels)
PYASC_FAMILY(ExtremeKernels, extreme_kernels)
PYASC_FAMILY(MapKernels, map_kernels)

}  // namespace pyasc

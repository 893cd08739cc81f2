// Reductions of any set of axes of any view. The order of additions depends on shapes and strides only, never on
// threads.
#pragma once

#include "kernels/loop.h"
#include "kernels/reduce_kernels.h"
#include "kernels/view.h"

namespace pyasc {

// One element-wise step: a map, a math function in place, or both.
struct Step {
    MapFn map = nullptr;
    double argument = 0;       // of the map
    Inner function = nullptr;  // of one input; `binary`: its second one is `exponent`
    bool binary = false;
    bool function_first = false;
    alignas(8) char exponent[8] = {};  // a float or double
};

struct Reduction {
    Fold fold = Fold::Sum;
    DType load = DType::None;     // elements are converted to this,
    DType compute = DType::None;  // mapped to this by `before`, and folded; results are converted to the output's type
    bool until_decided = false;  // All and Any: stop at the first element that decides (compute is Bool)
    Step before, after;
    const char* parameter = nullptr;  // one `load` element per output in C order, for maps that take one
};

// The fold of `in` over the axes in `mask` (bit d: axis d) into `out`, which has in's remaining axes, or all of them
// with length 1 for the reduced ones. Over no elements: the fold's identity.
void reduce(const Reduction& reduction, const View& in, uint32_t mask, const View& out);

// Positions of the extreme along `axis` (first occurrence; nan wins) to `index` (I32 or I64), and the extremes
// themselves to `value` unless it is null. Both have in's shape without the axis, or with length 1 there. The axis is
// not empty.
void arg_reduce(Fold fold, const View& in, int axis, const View& index, const View* value);

// The type a fold of elements of `type` is computed in: widened for 16-bit floats, otherwise the type itself.
constexpr DType compute_type(DType type) { return type == DType::F16 || type == DType::BF16 ? DType::F32 : type; }

const FoldKernel* find_fold(Fold fold, DType compute);  // null if there is none

}  // namespace pyasc

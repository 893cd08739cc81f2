// Reading and writing through arrays of indices. One engine serves the whole family: an array is reached at positions
// that index arrays choose, another one is walked in order, and both share the dimensions that lie at every position.
#pragma once

#include <cstdint>

#include "kernels/isa.h"
#include "kernels/move.h"

namespace pyasc {

struct IndexKernels {
    // Whether n indices, `step` bytes apart, all lie in [-extent, extent). `wide`: int64, otherwise int32.
    bool (*in_range)(const char* data, int64_t step, bool wide, int64_t n, int64_t extent);
    // offset[i] += index * scale, negative indices wrapped. What is out of range counts as 0: an index that another
    // stream changes after the check must not leave the array.
    void (*resolve)(const char* data, int64_t step, bool wide, int64_t n, int64_t extent, int64_t scale,
                    int64_t* offset);
    void (*truth)(DType type, const char* data, int64_t step, int64_t n, uint8_t* out);  // out[i] = element i != 0
    int64_t (*count)(const uint8_t* truth, int64_t n);
};
PYASC_FAMILY(IndexKernels, index_kernels)

// Byte offsets into the indexed array: a walk, plus for every index array its value times a scale.
struct Positions {
    struct Axis {
        const char* data;
        Walk<1> walk;
        bool wide;
        int64_t extent;  // indices lie in [-extent, extent)
        int64_t scale;   // bytes
    };
    int ndim = 0;
    int64_t shape[kMaxDims];
    Walk<1> walk;
    int axes = 0;
    Axis axis[kMaxDims];

    int64_t count() const { return walk.count; }
    void add_dim(int64_t n, int64_t step);                            // step in bytes
    void add_axis(const View& index, int64_t extent, int64_t scale);  // after all dimensions; index broadcasts to them
    void resolve(int64_t begin, int64_t end, int64_t* offset) const;
};

// 0, or a runtime code with a message that names the index and the axis.
int32_t check_indices(const char* op, const Positions& at);

struct Transfer {
    char* indexed;  // the array indices point into
    char* plain;  // the other one
    int item;
    Positions at;  // positions in `indexed`
    Walk<1> along;  // the same positions in `plain`
    Walk<2> rest;  // the dimensions at each position: array 0 is `indexed`, 1 is `plain`
};

// How a value that is written meets the one that is there.
enum class Combine : uint8_t { Assign, Add, Multiply, Maximum, Minimum };
struct CombineFns {
    // to[to_at[i]] op= from + i * from_step (or from[from_at[i]] if given), in order
    void (*at)(char* to, const int64_t* to_at, const char* from, const int64_t* from_at, int64_t from_step, int64_t n);
    void (*row)(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n);
};
// at == nullptr: this type has no such operation. Not for Assign.
CombineFns find_combine(Combine op, DType type);

void gather(const Transfer& t);  // plain <- indexed
// indexed <- plain, in order: of values for one place the last one wins, and sums do not depend on threads.
void scatter(const Transfer& t, CombineFns combine = {});

// Masks. An array's elements count as true where they are not zero.
constexpr int64_t kMaskBlock = 16384;
inline int64_t mask_blocks(int64_t n) { return (n + kMaskBlock - 1) / kMaskBlock; }
// before[b] = true elements in the blocks before b, for b in [0, blocks]; returns the total.
int64_t count_true(const View& v, int64_t* before);
// The elements of `self` where `mask` is true, dense. Both have one shape (broadcast with strides 0).
void select_true(const View& self, const View& mask, const int64_t* before, char* out);
// self[mask] = source[0], source[1], …; source is dense.
void scatter_true(const View& self, const View& mask, const int64_t* before, const char* source);
// Coordinates of the true elements: coordinate d of the r-th at out[r * row_step + d * dim_step].
void write_nonzero(const View& v, const int64_t* before, int64_t* out, int64_t row_step, int64_t dim_step);

}  // namespace pyasc

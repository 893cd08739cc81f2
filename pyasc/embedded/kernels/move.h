// Moving elements without looking at them: walks over shapes, reversed and rolled copies, padding, triangles.
#pragma once

#include <cstdint>

#include "kernels/pool.h"
#include "kernels/view.h"

namespace pyasc {

// Where the elements of a shape, taken in C order, lie in N arrays. Neighbouring dimensions that step as one are
// joined.
template <int N>
struct Walk {
    int ndim = 0;
    int64_t count = 1;
    int64_t shape[kMaxDims];
    int64_t step[N][kMaxDims];  // bytes, of any sign

    // One more dimension, inside all others.
    void add(int64_t n, const int64_t* steps) {
        count *= n;
        if (n == 1) return;
        bool joins = ndim > 0;
        for (int k = 0; joins && k < N; ++k) joins = step[k][ndim - 1] == steps[k] * n;
        if (joins) {
            shape[ndim - 1] *= n;
        } else {
            shape[ndim++] = n;
        }
        for (int k = 0; k < N; ++k) step[k][ndim - 1] = steps[k];
    }
};

// Calls f(offset, n) for every row piece of the elements [begin, end): it starts offset[k] bytes into array k and has n
// elements that are step[k][ndim - 1] bytes apart.
template <int N, class F>
void each_row(const Walk<N>& walk, int64_t begin, int64_t end, F&& f) {
    int64_t offset[N] = {};
    if (begin >= end) return;
    if (walk.ndim == 0) return f(offset, int64_t{1});
    const int last = walk.ndim - 1;
    int64_t index[kMaxDims], rest = begin;
    for (int d = last; d >= 0; --d) {
        index[d] = rest % walk.shape[d];
        rest /= walk.shape[d];
        for (int k = 0; k < N; ++k) offset[k] += index[d] * walk.step[k][d];
    }
    for (int64_t left = end - begin;;) {
        const int64_t room = walk.shape[last] - index[last], n = left < room ? left : room;
        f(offset, n);
        if ((left -= n) == 0) return;
        for (int k = 0; k < N; ++k) offset[k] -= index[last] * walk.step[k][last];
        index[last] = 0;
        for (int d = last - 1; d >= 0; --d) {
            for (int k = 0; k < N; ++k) offset[k] += walk.step[k][d];
            if (++index[d] < walk.shape[d]) break;
            index[d] = 0;
            for (int k = 0; k < N; ++k) offset[k] -= walk.shape[d] * walk.step[k][d];
        }
    }
}

// The elements of one array.
inline Walk<1> walk_of(const View& v) {
    Walk<1> walk;
    for (int d = 0; d < v.ndim; ++d) {
        const int64_t step = v.stride[d] * v.item();
        walk.add(v.shape[d], &step);
    }
    return walk;
}

// The step of the innermost dimension; an item for a walk over one element.
template <int N>
int64_t row_step(const Walk<N>& walk, int array, int item) {
    return walk.ndim == 0 ? item : walk.step[array][walk.ndim - 1];
}

// Runs make(begin, n, out) over pieces of [0, v.size), in C order, on several threads if it is worth it. `out` is
// dense: the array itself, or a buffer whose items are then copied to their places.
template <class Make>
void generate(const View& v, Make&& make);

// Copies n items of 1, 2, 4, 8 or 16 bytes. Steps in bytes; a `from_step` of 0 fills, a negative one reverses.
void copy_row(int item, char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n);

// Memory for the duration of one operator, 64-byte aligned. `data` is null when there is none left.
struct Scratch {
    explicit Scratch(int64_t bytes);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    char* data;
};

// v.reshape(-1) of a contiguous array, and the sub-array [begin, begin + n) along one dimension.
View flat_view(const View& v);
View part_of(const View& v, int dim, int64_t begin, int64_t n);
// Recomputes `size` after a change of `shape`.
void update_size(View* v);
bool same_shape(const View& a, const View& b);
// Gives v the strides of shape (shape, ndim) over which it broadcasts; false if it does not.
bool broadcast_to(View* v, const int64_t* shape, int ndim);
// Whether some byte may belong to both.
bool may_overlap(const View& a, const View& b);

// out[i * repeats + k] = src[i] along dimension dim, for k in [0, repeats).
void repeat_elements(const View& out, const View& src, int dim, int64_t repeats);

// copy_view for a `src` of dst's shape and type whose strides may be negative.
void move_view(const View& dst, const View& src);

// Where one dimension of the destination comes from: up to three segments, in order.
struct Segment {
    int64_t length;
    int64_t from;  // first source index
    int step;      // 1, -1, 0 (repeated); kFill: not from the source
};
constexpr int kFill = 2;
struct AxisMap {
    int segments = 0;
    Segment segment[3];
    void add(int64_t length, int64_t from, int step) {
        if (length > 0) segment[segments++] = {length, from, step};
    }
};

// Fills dst from src, a map for each dimension. `fill` points to one item, where a map says kFill.
void remap(const View& dst, const View& src, const AxisMap* maps, const void* fill);

// dst = src on and below (lower) or on and above the diagonal, 0 elsewhere; in the last two dimensions. May be the same
// array.
void triangle(const View& dst, const View& src, int64_t diagonal, bool lower);

// out[i] = start + i * step for integers (modulo 2^64); for the others as NumPy's arange: start, then steps of the
// difference between the first two elements, each in the type's own arithmetic.
void fill_arange(const View& out, int64_t start, int64_t step);
void fill_arange(const View& out, c128 start, c128 step);
// As numpy.linspace: computed in double, integers rounded down, the last element exactly `end`. `base` other than 0:
// base to that power.
void fill_linspace(const View& out, double start, double end, double base);

template <class Make>
void generate(const View& v, Make&& make) {
    constexpr int64_t kBuffer = 1024;
    const Walk<1> walk = walk_of(v);
    const int item = v.item();
    const int64_t step = row_step(walk, 0, item);
    const bool dense = walk.ndim == 0 || (walk.ndim == 1 && step == item);
    const auto piece = [&](int64_t begin, int64_t end) {
        if (dense) return make(begin, end - begin, v.data + begin * item);
        alignas(64) char buffer[kBuffer * 16];
        for (int64_t i = begin; i < end; i += kBuffer) {
            const int64_t n = end - i < kBuffer ? end - i : kBuffer;
            make(i, n, buffer);
            const char* from = buffer;
            each_row(walk, i, i + n, [&](const int64_t* offset, int64_t m) {
                copy_row(item, v.data + offset[0], step, from, item, m);
                from += m * item;
            });
        }
    };
    constexpr int64_t kGrain = 32768;
    if (v.size >= 2 * kGrain) return parallel_for(v.size, kGrain, piece);
    if (v.size > 0) piece(0, v.size);
}

}  // namespace pyasc

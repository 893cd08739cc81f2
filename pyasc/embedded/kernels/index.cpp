// The engine behind take, put and their kin: offsets are computed a block at a time into the first-level cache, then
// used.
#include "kernels/index.h"

#include <atomic>
#include <cstring>

#include "kernels/pool.h"
#include "runtime/error.h"

namespace pyasc {
namespace {

constexpr int64_t kBlock = 1024;    // positions whose offsets are kept at a time
constexpr int64_t kGrain = 32768;   // items worth handing to another thread
constexpr int32_t kVectorCoreException =
    507035;  // ACL_ERROR_RT_VECTOR_CORE_EXCEPTION: what an NPU reports for a bad address

struct Bytes16 {
    uint64_t low, high;
};

// The dimensions at each position, with the innermost one set apart if it is dense in the indexed array.
struct Split {
    Walk<2> outer;
    int64_t run = 1;              // items
    int64_t indexed_step, plain_step;
    int64_t unit;                 // bytes moved at once where the run is dense on both sides, else 0
};

Split split(const Transfer& t) {
    Split s;
    s.outer = t.rest;
    s.indexed_step = s.plain_step = t.item;
    const int last = t.rest.ndim - 1;
    if (last >= 0 && t.rest.step[0][last] == t.item) {
        s.run = t.rest.shape[last];
        s.plain_step = t.rest.step[1][last];
        s.outer.ndim = last;
        s.outer.count = s.run > 0 ? t.rest.count / s.run : 0;
    }
    s.unit = s.run == 1 || s.plain_step == t.item ? s.run * t.item : 0;
    return s;
}

// Walks with one dimension or none need no second list of offsets.
struct PlainSide {
    const Walk<1>& walk;
    int64_t list[kBlock];
    const int64_t* at = nullptr;  // null: base + i * step
    int64_t base = 0, step = 0;

    explicit PlainSide(const Walk<1>& w) : walk(w) {}
    void block(int64_t begin, int64_t end) {
        if (walk.ndim <= 1) {
            step = walk.ndim == 0 ? 0 : walk.step[0][0];
            base = begin * step;
            return;
        }
        at = list;
        int64_t* out = list;
        const int64_t row = walk.step[0][walk.ndim - 1];
        each_row(walk, begin, end, [&](const int64_t* offset, int64_t n) {
            for (int64_t i = 0; i < n; ++i) *out++ = offset[0] + i * row;
        });
    }
};

// Moves one unit for every position of a block: out of the indexed array (Get) or into it.
template <class T, bool Get>
void move_units(char* indexed, const int64_t* at, char* plain, const PlainSide& side, int64_t n) {
    T value;
    const int64_t* list = side.at;
    for (int64_t i = 0; i < n; ++i) {
        char* const a = indexed + at[i];
        char* const b = plain + (list != nullptr ? list[i] : i * side.step);
        std::memcpy(&value, Get ? a : b, sizeof(T));
        std::memcpy(Get ? b : a, &value, sizeof(T));
    }
}

template <bool Get>
void move_runs(const Transfer& t, const Split& s, char* indexed, const int64_t* at, char* plain, const PlainSide& side,
               int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        char* const a = indexed + at[i];
        char* const b = plain + (side.at != nullptr ? side.at[i] : i * side.step);
        if (s.unit != 0) {
            std::memmove(Get ? b : a, Get ? a : b, static_cast<size_t>(s.unit));
        } else if (Get) {
            copy_row(t.item, b, s.plain_step, a, s.indexed_step, s.run);
        } else {
            copy_row(t.item, a, s.indexed_step, b, s.plain_step, s.run);
        }
    }
}

template <bool Get>
void move_block(const Transfer& t, const Split& s, char* indexed, const int64_t* at, char* plain, const PlainSide& side,
                int64_t n) {
    switch (s.unit) {
        case 1: return move_units<uint8_t, Get>(indexed, at, plain, side, n);
        case 2: return move_units<uint16_t, Get>(indexed, at, plain, side, n);
        case 4: return move_units<uint32_t, Get>(indexed, at, plain, side, n);
        case 8: return move_units<uint64_t, Get>(indexed, at, plain, side, n);
        case 16: return move_units<Bytes16, Get>(indexed, at, plain, side, n);
        default: return move_runs<Get>(t, s, indexed, at, plain, side, n);
    }
}

void combine_block(const Split& s, CombineFns fns, char* indexed, const int64_t* at, char* plain, const PlainSide& side,
                   int64_t n) {
    if (s.run == 1) return fns.at(indexed, at, plain, side.at, side.step, n);
    for (int64_t i = 0; i < n; ++i) {
        fns.row(indexed + at[i], s.indexed_step, plain + (side.at != nullptr ? side.at[i] : i * side.step),
                s.plain_step, s.run);
    }
}

// f(indexed offset, plain offset) for the elements [begin, end) of the outer dimensions.
template <class F>
void each_outer(const Walk<2>& outer, int64_t begin, int64_t end, F&& f) {
    each_row(outer, begin, end, [&](const int64_t* offset, int64_t n) {
        for (int64_t i = 0; i < n; ++i) f(offset[0] + i * row_step(outer, 0, 0), offset[1] + i * row_step(outer, 1, 0));
    });
}

// Positions [begin, end) for the outer elements [from, to), block by block.
template <class F>
void each_block(const Transfer& t, const Split& s, int64_t begin, int64_t end, int64_t from, int64_t to, F&& f) {
    int64_t at[kBlock];
    PlainSide side(t.along);
    for (int64_t p = begin; p < end; p += kBlock) {
        const int64_t n = end - p < kBlock ? end - p : kBlock;
        t.at.resolve(p, p + n, at);
        side.block(p, p + n);
        each_outer(s.outer, from, to, [&](int64_t a, int64_t b) {
            f(t.indexed + a, at, t.plain + b + (side.at != nullptr ? 0 : side.base), side, n);
        });
    }
}

int64_t clamp(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

int64_t pieces(int64_t n, int64_t piece) { return (n + piece - 1) / piece; }

// Runs f(0..tasks) in the caller where threads would cost more than they save.
template <class F>
void run_tasks(int64_t tasks, int64_t items, F&& f) {
    if (items >= kGrain) return parallel(tasks, f);
    for (int64_t i = 0; i < tasks; ++i) f(i);
}

}  // namespace

void Positions::add_dim(int64_t n, int64_t step) {
    shape[ndim++] = n;
    walk.add(n, &step);
}

void Positions::add_axis(const View& index, int64_t extent, int64_t scale) {
    Axis& a = axis[axes++];
    a.data = index.data;
    a.walk = {};
    a.wide = index.dtype == DType::I64;
    a.extent = extent;
    a.scale = scale;
    for (int d = 0; d < ndim; ++d) {
        const int from = d - (ndim - index.ndim);
        const int64_t step = from < 0 || index.shape[from] == 1 ? 0 : index.stride[from] * index.item();
        a.walk.add(shape[d], &step);
    }
}

void Positions::resolve(int64_t begin, int64_t end, int64_t* offset) const {
    int64_t* out = offset;
    const int64_t row = row_step(walk, 0, 0);
    each_row(walk, begin, end, [&](const int64_t* at, int64_t n) {
        for (int64_t i = 0; i < n; ++i) *out++ = at[0] + i * row;
    });
    const IndexKernels& kernels = index_kernels();
    for (int k = 0; k < axes; ++k) {
        const Axis& a = axis[k];
        out = offset;
        each_row(a.walk, begin, end, [&](const int64_t* at, int64_t n) {
            kernels.resolve(a.data + at[0], row_step(a.walk, 0, a.wide ? 8 : 4), a.wide, n, a.extent, a.scale, out);
            out += n;
        });
    }
}

int32_t check_indices(const char* op, const Positions& at) {
    const IndexKernels& kernels = index_kernels();
    for (int k = 0; k < at.axes; ++k) {
        const Positions::Axis& a = at.axis[k];
        Walk<1> once;  // a broadcast index is read once
        for (int d = 0; d < a.walk.ndim; ++d) {
            if (a.walk.step[0][d] != 0 || a.walk.shape[d] == 0) once.add(a.walk.shape[d], &a.walk.step[0][d]);
        }
        const int64_t step = row_step(once, 0, a.wide ? 8 : 4);
        std::atomic<bool> good{true};
        const auto check = [&](int64_t begin, int64_t end) {
            each_row(once, begin, end, [&](const int64_t* offset, int64_t n) {
                if (!kernels.in_range(a.data + offset[0], step, a.wide, n, a.extent))
                    good.store(false, std::memory_order_relaxed);
            });
        };
        if (once.count < 2 * kGrain) {
            check(0, once.count);
        } else {
            parallel_for(once.count, kGrain, check);
        }
        if (good.load()) continue;
        int64_t bad = 0;
        each_row(once, 0, once.count, [&](const int64_t* offset, int64_t n) {
            for (int64_t i = 0; i < n; ++i) {
                const char* p = a.data + offset[0] + i * step;
                int32_t narrow;
                int64_t value;
                std::memcpy(&narrow, p, sizeof(narrow));
                value = narrow;
                if (a.wide) std::memcpy(&value, p, sizeof(value));
                if (value < -a.extent || value >= a.extent) bad = value;
            }
        });
        return fail(kVectorCoreException,
                    "%s: index %lld is out of range for a dimension of size %lld (index array %d); nothing "
                    "was written",
                    op, static_cast<long long>(bad), static_cast<long long>(a.extent), k);
    }
    return 0;
}

void gather(const Transfer& t) {
    const Split s = split(t);
    const int64_t count = t.at.count(), outer = s.outer.count;
    if (count == 0 || outer == 0 || s.run == 0) return;
    // long pieces of positions first, so that what they are taken from stays in the cache, then as many outer elements
    // as it takes
    const int64_t least = clamp(kGrain / s.run, 1, kBlock);
    const int64_t positions = clamp(kGrain / (s.run * clamp(outer, 1, kGrain)), least < count ? least : count, count);
    const int64_t outers = clamp(kGrain / (positions * s.run), 1, outer);
    const int64_t position_pieces = pieces(count, positions), outer_pieces = pieces(outer, outers);
    run_tasks(position_pieces * outer_pieces, count * outer * s.run, [&](int64_t task) {
        const int64_t p = task % position_pieces * positions, o = task / position_pieces * outers;
        each_block(t, s, p, clamp(p + positions, 0, count), o, clamp(o + outers, 0, outer),
                   [&](char* indexed, const int64_t* at, char* plain, const PlainSide& side, int64_t n) {
                       move_block<true>(t, s, indexed, at, plain, side, n);
                   });
    });
}

// One thread sees all positions, in order; threads share the other dimensions.
void scatter(const Transfer& t, CombineFns combine) {
    Split s = split(t);
    const int64_t count = t.at.count(), outer = s.outer.count, run = s.run;
    if (count == 0 || outer == 0 || run == 0) return;
    const int64_t slice = outer < 8 && run >= 2048 ? 1024 : run;
    const int64_t slices = pieces(run, slice);
    const int64_t outers = clamp(kGrain / (clamp(count, 1, kGrain) * slice), clamp(16 / slice, 1, outer), outer);
    const int64_t outer_pieces = pieces(outer, outers);
    run_tasks(outer_pieces * slices, count * outer * run, [&](int64_t task) {
        Split part = s;
        const int64_t o = task % outer_pieces * outers, begin = task / outer_pieces * slice;
        part.run = clamp(run - begin, 0, slice);
        if (part.unit != 0) part.unit = part.run * t.item;
        each_block(t, part, 0, count, o, clamp(o + outers, 0, outer),
                   [&](char* indexed, const int64_t* at, char* plain, const PlainSide& side, int64_t n) {
                       indexed += begin * part.indexed_step;
                       plain += begin * part.plain_step;
                       if (combine.at != nullptr) return combine_block(part, combine, indexed, at, plain, side, n);
                       move_block<false>(t, part, indexed, at, plain, side, n);
                   });
    });
}

}  // namespace pyasc

// Data movement by item size. Types never matter here.
#include "kernels/move.h"

#include <cstdlib>
#include <cstring>

#include "kernels/copy.h"
#include "kernels/pool.h"

namespace pyasc {
namespace {

constexpr int64_t kGrain = 32768;  // elements worth handing to another thread

struct Bytes16 {
    uint64_t low, high;
};

template <class T>
void copy_items(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n) {
    constexpr int64_t item = sizeof(T);
    T value;
    if (from_step == 0) {
        std::memcpy(&value, from, sizeof(T));
        if (to_step == item) {
            for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * item, &value, sizeof(T));
        } else {
            for (int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, &value, sizeof(T));
        }
    } else if (to_step == item && from_step == -item) {
        const char* end = from - (n - 1) * item;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) {
            std::memcpy(&value, end + (n - 1 - i) * item, sizeof(T));
            std::memcpy(to + i * item, &value, sizeof(T));
        }
    } else {
        for (int64_t i = 0; i < n; ++i) {
            std::memcpy(&value, from + i * from_step, sizeof(T));
            std::memcpy(to + i * to_step, &value, sizeof(T));
        }
    }
}

// Each of n items several times, dense.
template <class T>
void repeat_items(char* to, const char* from, int64_t from_step, int64_t n, int64_t repeats) {
    constexpr int64_t item = sizeof(T);
    T value;
    for (int64_t i = 0; i < n; ++i) {
        std::memcpy(&value, from + i * from_step, sizeof(T));
        for (int64_t k = 0; k < repeats; ++k) std::memcpy(to + k * item, &value, sizeof(T));
        to += repeats * item;
    }
}

void repeat_row(int item, char* to, const char* from, int64_t from_step, int64_t n, int64_t repeats) {
    switch (item) {
        case 1: return repeat_items<uint8_t>(to, from, from_step, n, repeats);
        case 2: return repeat_items<uint16_t>(to, from, from_step, n, repeats);
        case 4: return repeat_items<uint32_t>(to, from, from_step, n, repeats);
        case 8: return repeat_items<uint64_t>(to, from, from_step, n, repeats);
        default: return repeat_items<Bytes16>(to, from, from_step, n, repeats);
    }
}

template <int Item>
void move_inner(char* const* data, const int64_t* step, int64_t n) {
    copy_row(Item, data[0], step[0], data[1], step[1], n);
}

Inner find_move(int item) {
    switch (item) {
        case 1: return move_inner<1>;
        case 2: return move_inner<2>;
        case 4: return move_inner<4>;
        case 8: return move_inner<8>;
        default: return move_inner<16>;
    }
}

// The bytes an array may touch: [*begin, *end).
void span(const View& v, const char** begin, const char** end) {
    *begin = v.data;
    int64_t last = 0;
    for (int d = 0; d < v.ndim; ++d) last += (v.shape[d] - 1) * v.stride[d];
    *end = v.size == 0 ? v.data : v.data + (last + 1) * v.item();
}

void remap_from(const View& dst, const View& src, const AxisMap* maps, const void* fill, int dim) {
    while (dim < dst.ndim && maps[dim].segments == 1 && maps[dim].segment[0].step == 1 &&
           maps[dim].segment[0].from == 0)
        ++dim;
    if (dim == dst.ndim) return move_view(dst, src);
    int64_t at = 0;
    for (int i = 0; i < maps[dim].segments; ++i) {
        const Segment& s = maps[dim].segment[i];
        const View to = part_of(dst, dim, at, s.length);
        at += s.length;
        if (s.step == kFill) {
            fill_view(to, fill);
            continue;
        }
        View from = src;
        from.data += s.from * src.stride[dim] * src.item();
        from.stride[dim] *= s.step;
        from.shape[dim] = s.length;
        update_size(&from);
        remap_from(to, from, maps, fill, dim + 1);
    }
}

}  // namespace

void copy_row(int item, char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n) {
    if (to_step == item && from_step == item) {
        std::memmove(to, from, static_cast<size_t>(n) * item);
        return;
    }
    switch (item) {
        case 1: return copy_items<uint8_t>(to, to_step, from, from_step, n);
        case 2: return copy_items<uint16_t>(to, to_step, from, from_step, n);
        case 4: return copy_items<uint32_t>(to, to_step, from, from_step, n);
        case 8: return copy_items<uint64_t>(to, to_step, from, from_step, n);
        default: return copy_items<Bytes16>(to, to_step, from, from_step, n);
    }
}

Scratch::Scratch(int64_t bytes)
    : data(static_cast<char*>(std::aligned_alloc(64, (static_cast<size_t>(bytes) + 64) / 64 * 64))) {}
Scratch::~Scratch() { std::free(data); }

View flat_view(const View& v) {
    View flat = v;
    flat.ndim = 1;
    flat.shape[0] = v.size;
    flat.stride[0] = 1;
    return flat;
}

View part_of(const View& v, int dim, int64_t begin, int64_t n) {
    View part = v;
    part.data += begin * v.stride[dim] * v.item();
    part.shape[dim] = n;
    update_size(&part);
    return part;
}

void update_size(View* v) {
    v->size = 1;
    for (int d = 0; d < v->ndim; ++d) v->size *= v->shape[d];
}

bool same_shape(const View& a, const View& b) {
    if (a.ndim != b.ndim) return false;
    for (int d = 0; d < a.ndim; ++d) {
        if (a.shape[d] != b.shape[d]) return false;
    }
    return true;
}

bool broadcast_to(View* v, const int64_t* shape, int ndim) {
    View wide = *v;
    wide.ndim = ndim;
    for (int d = 0; d < v->ndim - ndim; ++d) {
        if (v->shape[d] != 1) return false;
    }
    for (int d = 0; d < ndim; ++d) {
        const int from = d - (ndim - v->ndim);
        const int64_t own = from < 0 ? 1 : v->shape[from];
        if (own != 1 && own != shape[d]) return false;
        wide.shape[d] = shape[d];
        wide.stride[d] = own == 1 ? 0 : v->stride[from];
    }
    update_size(&wide);
    *v = wide;
    return true;
}

bool may_overlap(const View& a, const View& b) {
    const char *a_begin, *a_end, *b_begin, *b_end;
    span(a, &a_begin, &a_end);
    span(b, &b_begin, &b_end);
    return a_begin < b_end && b_begin < a_end;
}

void repeat_elements(const View& out, const View& src, int dim, int64_t repeats) {
    if (out.size == 0) return;
    const int item = out.item();
    if (dim == out.ndim - 1 && out.stride[dim] == 1) {
        Walk<2> walk;
        for (int d = 0; d < src.ndim; ++d) {
            const int64_t steps[] = {out.stride[d] * (d == dim ? repeats : 1) * item, src.stride[d] * item};
            walk.add(src.shape[d], steps);
        }
        const int64_t to_step = repeats * item, from_step = row_step(walk, 1, item);
        parallel_for(walk.count, kGrain / repeats + 1, [&](int64_t begin, int64_t end) {
            each_row(walk, begin, end, [&](const int64_t* offset, int64_t n) {
                if (row_step(walk, 0, to_step) == to_step) {
                    return repeat_row(item, out.data + offset[0], src.data + offset[1], from_step, n, repeats);
                }
                for (int64_t i = 0; i < n; ++i) {
                    copy_row(item, out.data + offset[0] + i * row_step(walk, 0, 0), item,
                             src.data + offset[1] + i * from_step, 0, repeats);
                }
            });
        });
        return;
    }
    // one copy for each repetition: their rows are long
    for (int64_t k = 0; k < repeats; ++k) {
        View part = out;
        part.data += k * out.stride[dim] * item;
        part.stride[dim] *= repeats;
        part.shape[dim] = src.shape[dim];
        update_size(&part);
        copy_view(part, src);
    }
}

void move_view(const View& dst, const View& src) {
    bool reversed = false;
    for (int d = 0; d < src.ndim; ++d) reversed |= src.stride[d] < 0;
    if (!reversed) {
        copy_view(dst, src);
        return;
    }
    Loop loop;
    const View* inputs[] = {&src};
    if (plan_loop(&loop, find_move(dst.item()), 5, dst, inputs, 1) == -1) run_loop(loop);
}

void remap(const View& dst, const View& src, const AxisMap* maps, const void* fill) {
    if (dst.size > 0) remap_from(dst, src, maps, fill, 0);
}

void triangle(const View& dst, const View& src, int64_t diagonal, bool lower) {
    const int rows_dim = dst.ndim - 2, item = dst.item();
    const int64_t rows = dst.shape[rows_dim], columns = dst.shape[rows_dim + 1];
    if (dst.size == 0) return;
    Walk<2> walk;  // over the rows
    for (int d = 0; d <= rows_dim; ++d) {
        const int64_t steps[] = {dst.stride[d] * item, src.stride[d] * item};
        walk.add(dst.shape[d], steps);
    }
    const int64_t to_step = dst.stride[rows_dim + 1] * item, from_step = src.stride[rows_dim + 1] * item;
    const int64_t zero[2] = {0, 0};
    const auto one_row = [&](char* to, const char* from, int64_t row) {
        int64_t edge = row + diagonal + (lower ? 1 : 0);  // the first column that lies beyond the diagonal, or on it
        edge = edge < 0 ? 0 : edge > columns ? columns : edge;
        const int64_t keep = lower ? 0 : edge, kept = lower ? edge : columns - edge;
        const int64_t clear = lower ? edge : 0, cleared = columns - kept;
        if (to != from || to_step != from_step) {
            copy_row(item, to + keep * to_step, to_step, from + keep * from_step, from_step, kept);
        }
        copy_row(item, to + clear * to_step, to_step, reinterpret_cast<const char*>(zero), 0, cleared);
    };
    parallel_for(walk.count, kGrain / columns + 1, [&](int64_t begin, int64_t end) {
        int64_t row = begin;
        each_row(walk, begin, end, [&](const int64_t* offset, int64_t n) {
            for (int64_t i = 0; i < n; ++i, ++row) {
                one_row(dst.data + offset[0] + i * row_step(walk, 0, item),
                        src.data + offset[1] + i * row_step(walk, 1, item), row % rows);
            }
        });
    });
}

}  // namespace pyasc

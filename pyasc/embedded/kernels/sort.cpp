// Sorts and selections along an axis: rows are made dense, ordered, and gathered into the outputs.
#include "kernels/sort.h"

#include <atomic>
#include <cstring>

#include "kernels/copy.h"
#include "kernels/pool.h"
#include "kernels/sort_key.h"
#include "kernels/sort_order.h"

namespace pyasc {
namespace {

constexpr int64_t kRowsChunk = 32768;    // elements worth a chunk of rows
constexpr int64_t kGatherChunk = 65536;

// The rows of several views along one axis; the other axes are walked in C order of the first view.
struct Rows {
    int64_t count = 1;
    int ndim = 0;
    int64_t shape[kMaxDims];
    int64_t step[3][kMaxDims];  // bytes
    int64_t axis_step[3] = {};

    Rows(int axis, const View& first, const View* second, const View* third) {
        const View* const views[3] = {&first, second, third};
        for (int d = 0; d < first.ndim; ++d) {
            if (d == axis) continue;
            shape[ndim++] = first.shape[d];
            count *= first.shape[d];
        }
        for (int k = 0; k < 3; ++k) {
            if (views[k] == nullptr) continue;
            const View& v = *views[k];
            const bool has_axis = v.ndim == first.ndim;
            int to = 0;
            for (int d = 0, from = 0; d < first.ndim; ++d) {
                if (d == axis) {
                    if (has_axis) axis_step[k] = v.stride[from++] * v.item();
                    continue;
                }
                step[k][to++] = v.stride[from++] * v.item();
            }
        }
    }
    int64_t offset(int64_t row, int k) const {
        int64_t at = 0;
        for (int d = ndim - 1; d >= 0; --d) {
            at += row % shape[d] * step[k][d];
            row /= shape[d];
        }
        return at;
    }
};

template <class T>
void gather(const char* x, const uint64_t* order, int64_t n, char* out, int64_t step) {
    const T* const from = reinterpret_cast<const T*>(x);
    if (step == static_cast<int64_t>(sizeof(T))) {
        for (int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(out)[i] = from[sort_position(order[i])];
    } else {
        for (int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(out + i * step) = from[sort_position(order[i])];
    }
}

void gather_values(const char* x, int64_t item, const uint64_t* order, int64_t n, char* out, int64_t step) {
    parallel_for(n, kGatherChunk, [&](int64_t begin, int64_t end) {
        const uint64_t* const o = order + begin;
        char* const to = out + begin * step;
        switch (item) {
            case 1: return gather<uint8_t>(x, o, end - begin, to, step);
            case 2: return gather<uint16_t>(x, o, end - begin, to, step);
            case 4: return gather<uint32_t>(x, o, end - begin, to, step);
            case 8: return gather<uint64_t>(x, o, end - begin, to, step);
            default: return gather<c128>(x, o, end - begin, to, step);
        }
    });
}

template <class T>
void positions(const uint64_t* order, int64_t n, char* out, int64_t step) {
    if (step == static_cast<int64_t>(sizeof(T))) {
        for (int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(out)[i] = static_cast<T>(sort_position(order[i]));
    } else {
        for (int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(out + i * step) = static_cast<T>(sort_position(order[i]));
    }
}

void write_positions(const uint64_t* order, int64_t n, char* out, int64_t step, DType type) {
    parallel_for(n, kGatherChunk, [&](int64_t begin, int64_t end) {
        char* const to = out + begin * step;
        if (type == DType::I64) {
            positions<int64_t>(order + begin, end - begin, to, step);
        } else {
            positions<int32_t>(order + begin, end - begin, to, step);
        }
    });
}

void put_position(char* out, DType type, int64_t position) {
    if (type == DType::I64) {
        std::memcpy(out, &position, 8);
    } else {
        const int32_t narrow = static_cast<int32_t>(position);
        std::memcpy(out, &narrow, 4);
    }
}

// What the ordering of a row needs.
struct Work {
    uint64_t* order;
    uint64_t* spare;
    uint64_t* keys;
    const char* row;  // dense
};

// Calls f(row number, work) for every row, on several threads if there are many. False if memory ran out.
template <class F>
bool each_row(const View& in, int axis, const Rows& rows, F f) {
    const int64_t n = in.ndim == 0 ? 1 : in.shape[axis];
    const int64_t item = in.item();
    if (rows.count == 0) return true;
    const bool dense = rows.axis_step[0] == item || n <= 1;
    const size_t bytes = sort_order_bytes(in.dtype, n) + (dense ? 0 : static_cast<size_t>(n * item));
    const Inner copy = cast_inner(in.dtype, in.dtype);
    std::atomic<bool> failed{false};
    parallel_for(rows.count, n >= kRowsChunk ? 1 : kRowsChunk / (n + 8), [&](int64_t begin, int64_t end) {
        char* const memory = sort_memory(bytes);
        if (memory == nullptr) {
            failed.store(true);
            return;
        }
        Work work;
        work.order = reinterpret_cast<uint64_t*>(memory);
        work.spare = work.order + n;
        work.keys = sort_needs_keys(in.dtype) ? work.spare + n : nullptr;
        char* const copied = memory + sort_order_bytes(in.dtype, n);
        for (int64_t r = begin; r < end; ++r) {
            const char* const from = in.data + rows.offset(r, 0);
            work.row = from;
            if (!dense) {
                char* operands[2] = {copied, const_cast<char*>(from)};
                const int64_t steps[2] = {item, rows.axis_step[0]};
                copy(operands, steps, n);
                work.row = copied;
            }
            f(r, work);
        }
    });
    return !failed.load();
}

int64_t count_nan(const char* row, DType type, int64_t n, int64_t* first) {
    int64_t count = 0;
    if (!is_float(type) && !is_complex(type)) return 0;
    sort_dispatch(type, [&](auto element) {
        using T = decltype(element);
        for (int64_t i = 0; i < n; ++i) {
            if (!sort_is_nan(row + i * static_cast<int64_t>(sizeof(T)), type)) continue;
            if (count++ == 0) *first = i;
        }
    });
    return count;
}

}  // namespace

bool sort(const View& in, int axis, bool descending, const View* value, const View& index) {
    const Rows rows(axis, in, value, &index);
    const int64_t n = in.ndim == 0 ? 1 : in.shape[axis];
    return each_row(in, axis, rows, [&](int64_t r, const Work& w) {
        sort_order(w.row, in.dtype, n, descending, w.order, w.spare, w.keys);
        if (value != nullptr) {
            gather_values(w.row, in.item(), w.order, n, value->data + rows.offset(r, 1), rows.axis_step[1]);
        }
        write_positions(w.order, n, index.data + rows.offset(r, 2), rows.axis_step[2], index.dtype);
    });
}

bool sort_first(const View& in, int axis, int64_t k, bool descending, const View& value, const View& index) {
    const Rows rows(axis, in, &value, &index);
    const int64_t n = in.ndim == 0 ? 1 : in.shape[axis];
    return each_row(in, axis, rows, [&](int64_t r, const Work& w) {
        sort_order_first(w.row, in.dtype, n, k, descending, w.order, w.spare, w.keys);
        gather_values(w.row, in.item(), w.order, k, value.data + rows.offset(r, 1), rows.axis_step[1]);
        write_positions(w.order, k, index.data + rows.offset(r, 2), rows.axis_step[2], index.dtype);
    });
}

bool sort_select(const View& in, int axis, Choice choice, int64_t k, const View& value, const View* index) {
    const Rows rows(axis, in, &value, index);
    const int64_t n = in.ndim == 0 ? 1 : in.shape[axis];
    const int64_t item = in.item();
    return each_row(in, axis, rows, [&](int64_t r, const Work& w) {
        int64_t first_nan = 0;
        const int64_t nans = choice == Choice::Kth ? 0 : count_nan(w.row, in.dtype, n, &first_nan);
        int64_t wanted = k;
        if (choice != Choice::Kth) wanted = (n - nans - 1) / 2;
        int64_t position = first_nan;
        if (nans == 0 || (choice == Choice::NanMedian && nans < n)) {
            position = sort_order_kth(w.row, in.dtype, n, wanted, w.order, w.spare, w.keys);
        }
        std::memcpy(value.data + rows.offset(r, 1), w.row + position * item, item);
        if (index != nullptr) put_position(index->data + rows.offset(r, 2), index->dtype, position);
    });
}

}  // namespace pyasc

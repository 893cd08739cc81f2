// Binary searches, distinct elements and counting.
#include "kernels/search.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/pool.h"
#include "kernels/sort_key.h"
#include "kernels/sort_order.h"

namespace pyasc {
namespace {

constexpr int64_t kChunk = 4096;

// The total order of sort.h, on elements as they are stored.
template <class T>
bool before(T a, T b) {
    if constexpr (std::is_integral<T>::value) {
        return a < b;
    } else {
        return sort_key(a) < sort_key(b);
    }
}
template <class T>
bool before(std::complex<T> a, std::complex<T> b) {
    return sort_less(a, b);
}

// Four searches of the same sequence at once: the loads of one wait for those of the others.
template <class T, bool Right>
void search_block(const T* sequence, int64_t n, const T* values, int64_t count, int64_t* out) {
    constexpr int kTogether = 4;
    for (int64_t v = 0; v < count; v += kTogether) {
        const int together = count - v < kTogether ? static_cast<int>(count - v) : kTogether;
        T wanted[kTogether];
        const T* base[kTogether];
        for (int k = 0; k < kTogether; ++k) {
            wanted[k] = values[v + (k < together ? k : 0)];
            base[k] = sequence;
        }
        int64_t left = n;
        while (left > 1) {
            const int64_t half = left / 2;
            for (int k = 0; k < kTogether; ++k) {
                const T probe = base[k][half - 1];
                const bool past = Right ? !before(wanted[k], probe) : before(probe, wanted[k]);
                base[k] += past ? half : 0;
            }
            left -= half;
        }
        for (int k = 0; k < together; ++k) {
            int64_t at = base[k] - sequence;
            if (left == 1) at += Right ? !before(wanted[k], *base[k]) : before(*base[k], wanted[k]);
            out[v + k] = at;
        }
    }
}

template <class T>
int64_t search_through(const T* sequence, const int64_t* sorter, int64_t n, T wanted, bool right) {
    int64_t low = 0;
    for (int64_t left = n; left > 0;) {
        const int64_t half = left / 2;
        const T probe = sequence[sorter[low + half]];
        const bool past = right ? !before(wanted, probe) : before(probe, wanted);
        low = past ? low + half + 1 : low;
        left = past ? left - half - 1 : half;
    }
    return low;
}

void store_index(const int64_t* from, int64_t n, char* to, DType type) {
    if (type == DType::I64) {
        std::memcpy(to, from, n * 8);
    } else {
        for (int64_t i = 0; i < n; ++i) reinterpret_cast<int32_t*>(to)[i] = static_cast<int32_t>(from[i]);
    }
}

template <class T>
bool same(T a, T b) {
    return !before(a, b) && !before(b, a);
}

// Groups of equal neighbours in `order` (null: as they lie). f(group) is called for each element in turn.
template <class T>
int64_t group(const T* x, const uint64_t* order, int64_t n, char* value, int64_t* inverse, int64_t* counts) {
    T* const values = reinterpret_cast<T*>(value);
    int64_t groups = 0, begin = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t at = order == nullptr ? i : sort_position(order[i]);
        const int64_t last =
            i == 0 ? 0 : (order == nullptr ? i - 1 : static_cast<int64_t>(sort_position(order[i - 1])));
        if (i == 0 || !same(x[last], x[at])) {
            if (i > 0 && counts != nullptr) counts[groups - 1] = i - begin;
            begin = i;
            if (values != nullptr) values[groups] = x[at];
            ++groups;
        }
        if (inverse != nullptr) inverse[at] = groups - 1;
    }
    if (n > 0 && counts != nullptr) counts[groups - 1] = n - begin;
    return groups;
}

template <class T>
int compare_rows(const T* a, const T* b, int64_t width) {
    for (int64_t i = 0; i < width; ++i) {
        if (before(a[i], b[i])) return -1;
        if (before(b[i], a[i])) return 1;
    }
    return 0;
}

}  // namespace

bool search_sorted(const View& sequence, const View& values, const View* sorter, bool right, const View& index) {
    const int64_t n = sequence.ndim == 0 ? 1 : sequence.shape[sequence.ndim - 1];
    const bool shared = sequence.ndim <= 1;
    const int64_t row = shared ? values.size : values.shape[values.ndim - 1];
    if (values.size == 0) return true;
    const int64_t* const order = sorter == nullptr ? nullptr : reinterpret_cast<const int64_t*>(sorter->data);
    if (order != nullptr) {
        for (int64_t i = 0; i < sorter->size; ++i) {
            if (order[i] < 0 || order[i] >= n) return false;
        }
    }
    sort_dispatch(values.dtype, [&](auto element) {
        using T = decltype(element);
        const T* const all = reinterpret_cast<const T*>(values.data);
        parallel_for(values.size, kChunk, [&](int64_t begin, int64_t end) {
            int64_t found[256];
            while (begin < end) {
                const int64_t r = begin / row;
                const int64_t count = std::min<int64_t>({end - begin, row - begin % row, 256});
                const T* const s = reinterpret_cast<const T*>(sequence.data) + (shared ? 0 : r * n);
                if (order != nullptr) {
                    const int64_t* const o = order + (shared ? 0 : r * n);
                    for (int64_t i = 0; i < count; ++i) found[i] = search_through(s, o, n, all[begin + i], right);
                } else if (right) {
                    search_block<T, true>(s, n, all + begin, count, found);
                } else {
                    search_block<T, false>(s, n, all + begin, count, found);
                }
                store_index(found, count, index.data + begin * index.item(), index.dtype);
                begin += count;
            }
        });
    });
    return true;
}

int64_t unique(const View& in, bool consecutive, char* value, int64_t* inverse, int64_t* counts) {
    const int64_t n = in.size;
    const uint64_t* order = nullptr;
    if (!consecutive) {
        char* const memory = sort_memory(sort_order_bytes(in.dtype, n));
        if (memory == nullptr) return -1;
        uint64_t* const to = reinterpret_cast<uint64_t*>(memory);
        sort_order(in.data, in.dtype, n, false, to, to + n, sort_needs_keys(in.dtype) ? to + 2 * n : nullptr);
        order = to;
    }
    return sort_dispatch(in.dtype, [&](auto element) {
        using T = decltype(element);
        return group(reinterpret_cast<const T*>(in.data), order, n, value, inverse, counts);
    });
}

int64_t unique_rows(const char* x, DType type, int64_t rows, int64_t width, bool consecutive, int64_t* order,
                    int64_t* inverse, int64_t* counts) {
    return sort_dispatch(type, [&](auto element) -> int64_t {
        using T = decltype(element);
        const T* const data = reinterpret_cast<const T*>(x);
        for (int64_t i = 0; i < rows; ++i) order[i] = i;
        const auto less = [&](int64_t a, int64_t b) {
            return compare_rows(data + a * width, data + b * width, width) < 0;
        };
        if (!consecutive) std::stable_sort(order, order + rows, less);
        int64_t groups = 0, begin = 0;
        for (int64_t i = 0; i < rows; ++i) {
            const int64_t at = order[i];
            // order[groups - 1] has become the group's first row, which equals the row before this one.
            if (i == 0 || compare_rows(data + order[groups - 1] * width, data + at * width, width) != 0) {
                if (i > 0 && counts != nullptr) counts[groups - 1] = i - begin;
                begin = i;
                order[groups++] = at;
            }
            if (inverse != nullptr) inverse[at] = groups - 1;
        }
        if (rows > 0 && counts != nullptr) counts[groups - 1] = rows - begin;
        return groups;
    });
}

bool count_into(const int64_t* x, int64_t n, int64_t* counts, int64_t size) {
    for (int64_t i = 0; i < n; ++i) {
        if (static_cast<uint64_t>(x[i]) >= static_cast<uint64_t>(size)) return false;
        ++counts[x[i]];
    }
    return true;
}

bool count_into(const int64_t* x, const double* weights, int64_t n, double* sums, int64_t size) {
    for (int64_t i = 0; i < n; ++i) {
        if (static_cast<uint64_t>(x[i]) >= static_cast<uint64_t>(size)) return false;
        sums[x[i]] += weights[i];
    }
    return true;
}

}  // namespace pyasc

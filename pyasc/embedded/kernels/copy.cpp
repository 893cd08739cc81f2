// Copies between views. Rows by item size where the type stays, conversions where it changes; transposing copies of
// large arrays go tile by tile, so that every cache line is read once and written once.
#include "kernels/copy.h"

#include <algorithm>
#include <cstring>

#include "kernels/cast.h"
#include "kernels/pool.h"

namespace pyasc {
namespace {

struct Item16 {
    uint64_t half[2];
};

template <class T>
void copy_row(char* const* data, const int64_t* step, int64_t n) {
    char* const dst = data[0];
    const char* const src = data[1];
    const int64_t to = step[0], from = step[1];
    if (to == sizeof(T) && from == sizeof(T)) {
        std::memmove(dst, src, static_cast<size_t>(n) * sizeof(T));
    } else if (to == sizeof(T) && from == 0) {
        std::fill_n(reinterpret_cast<T*>(dst), n, *reinterpret_cast<const T*>(src));
    } else if (to == sizeof(T)) {
        for (int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(dst)[i] = *reinterpret_cast<const T*>(src + i * from);
    } else {
        for (int64_t i = 0; i < n; ++i)
            *reinterpret_cast<T*>(dst + i * to) = *reinterpret_cast<const T*>(src + i * from);
    }
}

Inner copy_inner(int item) {
    switch (item) {
        case 1: return copy_row<uint8_t>;
        case 2: return copy_row<uint16_t>;
        case 4: return copy_row<uint32_t>;
        case 8: return copy_row<uint64_t>;
        default: return copy_row<Item16>;
    }
}

// A plane of a loop in which the output runs densely along its last dimension and the input along dimension `across`.
struct Plane {
    int across, last;
    int64_t dst_step;  // of the output along `across`
    int64_t src_step;  // of the input along `last`
};

// dst[r][c] = src[c][r] for `rows` rows and `columns` columns, through a buffer of whole cache lines.
template <class T>
void transpose_tiles(char* dst, const char* src, const Plane& plane, int64_t rows, int64_t columns) {
    constexpr int64_t kTile = sizeof(T) == 1 ? 32 : 64 / sizeof(T);
    alignas(64) T tile[kTile][kTile];
    for (int64_t c = 0; c < columns; c += kTile) {
        const int64_t width = std::min(columns - c, kTile);
        for (int64_t r = 0; r < rows; r += kTile) {
            const int64_t height = std::min(rows - r, kTile);
            for (int64_t j = 0; j < width; ++j) {
                const T* const line = reinterpret_cast<const T*>(src + (c + j) * plane.src_step) + r;
                if (height == kTile) {
                    for (int64_t i = 0; i < kTile; ++i) tile[i][j] = line[i];
                } else {
                    for (int64_t i = 0; i < height; ++i) tile[i][j] = line[i];
                }
            }
            for (int64_t i = 0; i < height; ++i) {
                T* const line = reinterpret_cast<T*>(dst + (r + i) * plane.dst_step) + c;
                if (width == kTile) {
                    std::memcpy(line, tile[i], sizeof(tile[i]));
                } else {
                    std::memcpy(line, tile[i], static_cast<size_t>(width) * sizeof(T));
                }
            }
        }
    }
}

using Transpose = void (*)(char* dst, const char* src, const Plane& plane, int64_t rows, int64_t columns);

Transpose find_transpose(int item) {
    switch (item) {
        case 1: return transpose_tiles<uint8_t>;
        case 2: return transpose_tiles<uint16_t>;
        case 4: return transpose_tiles<uint32_t>;
        case 8: return transpose_tiles<uint64_t>;
        default: return transpose_tiles<Item16>;
    }
}

// Whether the copy is a transposition worth tiling.
bool find_plane(const Loop& loop, Plane* plane) {
    constexpr int64_t kSmall = 8;
    const int last = loop.ndim - 1;
    if (loop.count < 1024 || loop.shape[last] < kSmall || loop.step[0][last] != loop.item) return false;
    if (loop.step[1][last] == loop.item || loop.step[1][last] == 0) return false;
    for (int d = 0; d < last; ++d) {
        if (loop.step[1][d] != loop.item || loop.shape[d] < kSmall) continue;
        *plane = {d, last, loop.step[0][d], loop.step[1][last]};
        return true;
    }
    return false;
}

// Runs the planes of the loop in bands of rows, which depend on the shape only.
void run_transpose(const Loop& loop, const Plane& plane) {
    const Transpose transpose = find_transpose(loop.item);
    const int64_t rows = loop.shape[plane.across], columns = loop.shape[plane.last];
    const int64_t per_band = std::max<int64_t>(64, (int64_t{32768} / columns + 63) / 64 * 64);
    const int64_t bands = (rows + per_band - 1) / per_band;
    const auto run = [&](int64_t chunk) {
        const int64_t row = chunk % bands * per_band;
        char* dst = loop.data[0] + row * plane.dst_step;
        const char* src = loop.data[1] + row * loop.item;
        int64_t rest = chunk / bands;
        for (int d = plane.last - 1; d >= 0; --d) {
            if (d == plane.across) continue;
            dst += rest % loop.shape[d] * loop.step[0][d];
            src += rest % loop.shape[d] * loop.step[1][d];
            rest /= loop.shape[d];
        }
        transpose(dst, src, plane, std::min(per_band, rows - row), columns);
    };
    const int64_t chunks = loop.count / (rows * columns) * bands;
    if (loop.count < 65536) {
        for (int64_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
    } else {
        parallel(chunks, run);
    }
}

}  // namespace

Inner cast_inner(DType dst, DType src) {
    return dst == src ? copy_inner(item_size(dst)) : cast_kernels().find(dst, src);
}

bool copy_view(const View& dst, const View& src) {
    Loop loop;
    const View* const inputs[] = {&src};
    if (plan_loop(&loop, cast_inner(dst.dtype, src.dtype), dst.item(), dst, inputs, 1) >= 0) return false;
    Plane plane;
    if (dst.dtype == src.dtype && find_plane(loop, &plane)) {
        run_transpose(loop, plane);
    } else {
        run_loop(loop);
    }
    return true;
}

void fill_view(const View& dst, const void* item) {
    char value[sizeof(Item16)];
    std::memcpy(value, item, static_cast<size_t>(dst.item()));
    const View scalar = contiguous_view(value, dst.dtype, nullptr, 0);
    copy_view(dst, scalar);
}

View contiguous_view(void* data, DType dtype, const int64_t* shape, int ndim) {
    View view;
    view.data = static_cast<char*>(data);
    view.dtype = dtype;
    view.ndim = ndim;
    for (int d = ndim - 1; d >= 0; --d) {
        view.shape[d] = shape[d];
        view.stride[d] = view.size;
        view.size *= shape[d];
    }
    return view;
}

}  // namespace pyasc

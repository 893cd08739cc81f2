// Plans and runs element-wise loops: dimensions ordered and joined so that rows are long, long loops split over the
// pool.
#include "kernels/loop.h"

#include <algorithm>

#include "kernels/pool.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pyasc {
namespace {

constexpr int64_t kStreamOutput = int64_t{16} << 20;  // about half of a large last-level cache
constexpr int64_t kParallelCost = 500000;             // tenths of a nanosecond: 50 µs
constexpr int64_t kStreamRow = int64_t{64} << 10;     // bytes
constexpr int64_t kChunkCost = 300000;
constexpr int64_t kMaxChunks = 64;
constexpr int64_t kChunkMultiple = 1024;              // elements

// Whether dimension a of the loop belongs outside of b: larger steps first, the output's before the inputs'.
bool is_outer(const Loop& loop, int a, int b) {
    for (int k = 0; k < loop.operands; ++k) {
        if (loop.step[k][a] != loop.step[k][b]) return loop.step[k][a] > loop.step[k][b];
    }
    return false;
}

void swap_dims(Loop* loop, int a, int b) {
    std::swap(loop->shape[a], loop->shape[b]);
    for (int k = 0; k < loop->operands; ++k) std::swap(loop->step[k][a], loop->step[k][b]);
}

bool joins(const Loop& loop, int outer, int inner) {
    for (int k = 0; k < loop.operands; ++k) {
        if (loop.step[k][outer] != loop.step[k][inner] * loop.shape[inner]) return false;
    }
    return true;
}

void order_and_join(Loop* loop) {
    for (int d = 1; d < loop->ndim; ++d) {
        for (int e = d; e > 0 && is_outer(*loop, e, e - 1); --e) swap_dims(loop, e, e - 1);
    }
    int last = 0;  // dimensions [0, last] are done
    for (int d = 1; d < loop->ndim; ++d) {
        if (joins(*loop, last, d)) {
            loop->shape[last] *= loop->shape[d];
            for (int k = 0; k < loop->operands; ++k) loop->step[k][last] = loop->step[k][d];
        } else if (++last != d) {
            loop->shape[last] = loop->shape[d];
            for (int k = 0; k < loop->operands; ++k) loop->step[k][last] = loop->step[k][d];
        }
    }
    loop->ndim = last + 1;
}

// Elements [begin, end) of the loop, counted in its own order, row by row: row(data, step, n).
template <class Row>
void run_range(const Loop& loop, int64_t begin, int64_t end, const Row& row) {
    const int last = loop.ndim - 1;
    int64_t index[kMaxDims], step[kLoopOperands];
    char* data[kLoopOperands];
    int64_t rest = begin;
    for (int d = last; d >= 0; --d) {
        index[d] = rest % loop.shape[d];
        rest /= loop.shape[d];
    }
    for (int k = 0; k < loop.operands; ++k) {
        step[k] = loop.step[k][last];
        data[k] = loop.data[k];
        for (int d = 0; d <= last; ++d) data[k] += index[d] * loop.step[k][d];
    }
    for (int64_t left = end - begin;;) {
        const int64_t n = std::min(left, loop.shape[last] - index[last]);
        row(data, step, n);
        if ((left -= n) == 0) return;
        for (int k = 0; k < loop.operands; ++k) data[k] -= index[last] * step[k];
        index[last] = 0;
        for (int d = last - 1; d >= 0; --d) {
            for (int k = 0; k < loop.operands; ++k) data[k] += loop.step[k][d];
            if (++index[d] < loop.shape[d]) break;
            index[d] = 0;
            for (int k = 0; k < loop.operands; ++k) data[k] -= loop.shape[d] * loop.step[k][d];
        }
    }
}

// One row through blocks of the kernel's own types.
void run_converted_row(const Loop& loop, const Conversions& conversions, char* const* data, const int64_t* step,
                       int64_t n) {
    constexpr int64_t kBlock = 256, kMaxItem = 16;
    alignas(64) char buffer[kLoopOperands][kBlock * kMaxItem];
    char* row[kLoopOperands];
    int64_t row_step[kLoopOperands];
    for (int k = 0; k < loop.operands; ++k) {
        row_step[k] = conversions.cast[k] == nullptr || (k > 0 && step[k] == 0) ? step[k] : conversions.item[k];
    }
    for (int64_t i = 0; i < n; i += kBlock) {
        const int64_t m = std::min(n - i, kBlock);
        for (int k = 0; k < loop.operands; ++k) {
            row[k] = conversions.cast[k] == nullptr ? data[k] + i * step[k] : buffer[k];
            if (k == 0 || conversions.cast[k] == nullptr || (i > 0 && step[k] == 0)) continue;
            char* const pair[] = {buffer[k], data[k] + i * step[k]};
            const int64_t pair_step[] = {conversions.item[k], step[k]};
            conversions.cast[k](pair, pair_step, step[k] == 0 ? 1 : m);
        }
        loop.inner(row, row_step, m);
        if (conversions.cast[0] == nullptr) continue;
        char* const pair[] = {data[0] + i * step[0], buffer[0]};
        const int64_t pair_step[] = {step[0], conversions.item[0]};
        conversions.cast[0](pair, pair_step, m);
    }
}

#if defined(__SSE2__)
void prefetch(const char* data, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64) _mm_prefetch(data + i, _MM_HINT_T0);
}

// One long dense row of an output that no cache will hold: computed block by block in a buffer and stored from there
// without reading the output's lines first, which is a third of an addition's traffic.
void run_streamed_row(Inner inner, int operands, char* const* data, const int64_t* step, int64_t n) {
    constexpr int64_t kBytes = 2048;
    alignas(64) char buffer[kBytes];
    char* row[kLoopOperands];
    std::copy(data, data + operands, row);
    const auto advance = [&](int64_t m) {
        for (int k = 0; k < operands; ++k) row[k] += m * step[k];
        n -= m;
    };
    const int64_t head = (-reinterpret_cast<intptr_t>(data[0]) & 63) / step[0];
    if (head > 0) {
        inner(row, step, head);
        advance(head);
    }
    for (const int64_t m = kBytes / step[0]; n >= m; advance(m)) {
        char* const out = row[0];
        row[0] = buffer;
        for (int k = 1; k < operands; ++k) prefetch(row[k] + 2 * m * step[k], m * step[k]);
        inner(row, step, m);
        row[0] = out;
        for (int64_t i = 0; i < kBytes; i += 16) {
            _mm_stream_si128(reinterpret_cast<__m128i*>(out + i),
                             _mm_load_si128(reinterpret_cast<__m128i*>(buffer + i)));
        }
    }
    if (n > 0) inner(row, step, n);
    _mm_sfence();
}
#endif

// How many elements one chunk has. Depends on the loop only. Long runs through memory keep the prefetchers going, so
// there are not more chunks than balance needs.
int64_t chunk_elements(const Loop& loop) {
    const int64_t n = std::max(kChunkCost / std::max(loop.weight, 1), loop.count / kMaxChunks);
    return std::max((n + kChunkMultiple - 1) / kChunkMultiple, int64_t{1}) * kChunkMultiple;
}

}  // namespace

int plan_loop(Loop* loop, Inner inner, int32_t weight, const View& out, const View* const* inputs, int n) {
    loop->inner = inner;
    loop->weight = weight;
    loop->operands = n + 1;
    loop->count = out.size;
    loop->item = out.item();
    loop->data[0] = out.data;
    int ndim = 0;
    for (int d = 0; d < out.ndim; ++d) {
        if (out.shape[d] == 1) continue;
        loop->shape[ndim] = out.shape[d];
        loop->step[0][ndim++] = out.stride[d] * out.item();
    }
    for (int k = 0; k < n; ++k) {
        const View& in = *inputs[k];
        const int shift = out.ndim - in.ndim;
        loop->data[k + 1] = in.data;
        for (int d = 0; d < -shift; ++d) {
            if (in.shape[d] != 1) return k;
        }
        for (int d = 0, to = 0; d < out.ndim; ++d) {
            const int from = d - shift;
            const int64_t length = from < 0 ? 1 : in.shape[from];
            if (length != 1 && length != out.shape[d]) return k;
            if (out.shape[d] != 1) loop->step[k + 1][to++] = length == 1 ? 0 : in.stride[from] * in.item();
        }
    }
    loop->ndim = ndim;
    if (ndim > 1) {
        order_and_join(loop);
    } else if (ndim == 0) {  // one element: dense, so that kernels take their usual path
        loop->ndim = 1;
        loop->shape[0] = 1;
        loop->step[0][0] = out.item();
        for (int k = 0; k < n; ++k) loop->step[k + 1][0] = inputs[k]->item();
    }
    return -1;
}

void run_loop(const Loop& loop) {
    if (loop.count <= 0) return;
    const int last = loop.ndim - 1;
    if (loop.count <= kChunkMultiple || loop.count < kParallelCost / std::max(loop.weight, 1)) {
        if (last > 0) return run_range(loop, 0, loop.count, loop.inner);
        int64_t step[kLoopOperands];
        for (int k = 0; k < loop.operands; ++k) step[k] = loop.step[k][0];
        return loop.inner(loop.data, step, loop.count);
    }
    const int64_t chunk = chunk_elements(loop);
#if defined(__SSE2__)
    const bool dense = loop.item > 0 && loop.step[0][last] == loop.item;
    if (dense && loop.count > kStreamOutput / loop.item && loop.shape[last] >= kStreamRow / loop.item) {
        return parallel_for(loop.count, chunk, [&loop](int64_t begin, int64_t end) {
            run_range(loop, begin, end, [&loop](char* const* data, const int64_t* step, int64_t n) {
                run_streamed_row(loop.inner, loop.operands, data, step, n);
            });
        });
    }
#endif
    parallel_for(loop.count, chunk, [&loop](int64_t begin, int64_t end) { run_range(loop, begin, end, loop.inner); });
}

void run_loop(const Loop& loop, const Conversions& conversions) {
    if (loop.count <= 0) return;
    const auto row = [&](char* const* data, const int64_t* step, int64_t n) {
        run_converted_row(loop, conversions, data, step, n);
    };
    if (loop.count < kParallelCost / std::max(loop.weight, 1)) return run_range(loop, 0, loop.count, row);
    parallel_for(loop.count, chunk_elements(loop),
                 [&](int64_t begin, int64_t end) { run_range(loop, begin, end, row); });
}

}  // namespace pyasc

// Selecting by masks: one pass counts the true elements of every block, a second one knows where each block writes.
#include <cstring>

#include "kernels/index.h"
#include "kernels/pool.h"

namespace pyasc {
namespace {

constexpr int64_t kPart = 1024;  // elements packed in a local buffer before they are written

struct Bytes16 {
    uint64_t low, high;
};

// The truth values of elements [begin, end), at most kMaskBlock.
void truth_of(const View& v, const Walk<1>& walk, int64_t begin, int64_t end, uint8_t* out) {
    const IndexKernels& kernels = index_kernels();
    const int64_t step = row_step(walk, 0, v.item());
    each_row(walk, begin, end, [&](const int64_t* offset, int64_t n) {
        kernels.truth(v.dtype, v.data + offset[0], step, n, out);
        out += n;
    });
}

// Runs f(block, begin, end) over the blocks of n elements, on several threads from three blocks on.
template <class F>
void each_mask_block(int64_t n, F&& f) {
    auto one = [&](int64_t b) {
        f(b, b * kMaskBlock, b * kMaskBlock + kMaskBlock < n ? b * kMaskBlock + kMaskBlock : n);
    };
    const int64_t blocks = mask_blocks(n);
    if (blocks > 2) return parallel(blocks, one);
    for (int64_t b = 0; b < blocks; ++b) one(b);
}

// Whether the next eight truth values are all false.
bool none_of_eight(const uint8_t* truth) {
    uint64_t word;
    std::memcpy(&word, truth, 8);
    return word == 0;
}

// Calls f(i) for every i in [0, n) whose group of eight has a true value.
template <class F>
void each_candidate(const uint8_t* truth, int64_t n, F&& f) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        if (none_of_eight(truth + i)) continue;
        for (int64_t k = i; k < i + 8; ++k) f(k);
    }
    for (; i < n; ++i) f(i);
}

// Packs the true ones of n items without branches: every item is stored, the write position moves only past true ones.
template <class T>
char* pack(const char* from, int64_t step, const uint8_t* truth, int64_t n, char* out) {
    alignas(64) T buffer[kPart + 1];
    for (int64_t i = 0; i < n; i += kPart) {
        const int64_t m = n - i < kPart ? n - i : kPart;
        int64_t count = 0;
        each_candidate(truth + i, m, [&](int64_t k) {
            std::memcpy(&buffer[count], from + (i + k) * step, sizeof(T));
            count += truth[i + k];
        });
        std::memcpy(out, buffer, static_cast<size_t>(count) * sizeof(T));
        out += count * static_cast<int64_t>(sizeof(T));
    }
    return out;
}

// Without branches too: every item is written, with what it holds or with the next one of `from`, which is read up to
// `last`.
template <class T>
const char* unpack(char* to, int64_t step, const uint8_t* truth, int64_t n, const char* from, const char* last) {
    each_candidate(truth, n, [&](int64_t i) {
        T next, kept;
        std::memcpy(&next, from < last ? from : last, sizeof(T));
        std::memcpy(&kept, to + i * step, sizeof(T));
        kept = truth[i] ? next : kept;
        std::memcpy(to + i * step, &kept, sizeof(T));
        from += truth[i] * sizeof(T);
    });
    return from;
}

char* pack_items(int item, const char* from, int64_t step, const uint8_t* truth, int64_t n, char* out) {
    switch (item) {
        case 1: return pack<uint8_t>(from, step, truth, n, out);
        case 2: return pack<uint16_t>(from, step, truth, n, out);
        case 4: return pack<uint32_t>(from, step, truth, n, out);
        case 8: return pack<uint64_t>(from, step, truth, n, out);
        default: return pack<Bytes16>(from, step, truth, n, out);
    }
}

const char* unpack_items(int item, char* to, int64_t step, const uint8_t* truth, int64_t n, const char* from,
                         const char* last) {
    switch (item) {
        case 1: return unpack<uint8_t>(to, step, truth, n, from, last);
        case 2: return unpack<uint16_t>(to, step, truth, n, from, last);
        case 4: return unpack<uint32_t>(to, step, truth, n, from, last);
        case 8: return unpack<uint64_t>(to, step, truth, n, from, last);
        default: return unpack<Bytes16>(to, step, truth, n, from, last);
    }
}

// Writes the positions of the true ones of n elements, plus `first`, `step` apart; returns how many.
int64_t write_positions(const uint8_t* truth, int64_t n, int64_t first, int64_t* out, int64_t step) {
    int64_t buffer[kPart + 1], written = 0;
    for (int64_t i = 0; i < n; i += kPart) {
        const int64_t m = n - i < kPart ? n - i : kPart;
        int64_t count = 0;
        each_candidate(truth + i, m, [&](int64_t k) {
            buffer[count] = first + i + k;
            count += truth[i + k];
        });
        copy_row(8, reinterpret_cast<char*>(out + written * step), step * 8, reinterpret_cast<const char*>(buffer), 8,
                 count);
        written += count;
    }
    return written;
}

}  // namespace

int64_t count_true(const View& v, int64_t* before) {
    const Walk<1> walk = walk_of(v);
    const int64_t blocks = mask_blocks(v.size);
    each_mask_block(v.size, [&](int64_t b, int64_t begin, int64_t end) {
        uint8_t truth[kMaskBlock];
        truth_of(v, walk, begin, end, truth);
        before[b + 1] = index_kernels().count(truth, end - begin);
    });
    before[0] = 0;
    for (int64_t b = 0; b < blocks; ++b) before[b + 1] += before[b];
    return before[blocks];
}

void select_true(const View& self, const View& mask, const int64_t* before, char* out) {
    const Walk<1> walk = walk_of(self), mask_walk = walk_of(mask);
    const int item = self.item();
    const int64_t step = row_step(walk, 0, item);
    each_mask_block(self.size, [&](int64_t b, int64_t begin, int64_t end) {
        if (before[b] == before[b + 1]) return;
        uint8_t truth[kMaskBlock];
        truth_of(mask, mask_walk, begin, end, truth);
        const uint8_t* t = truth;
        char* to = out + before[b] * item;
        each_row(walk, begin, end, [&](const int64_t* offset, int64_t n) {
            to = pack_items(item, self.data + offset[0], step, t, n, to);
            t += n;
        });
    });
}

void scatter_true(const View& self, const View& mask, const int64_t* before, const char* source) {
    const Walk<1> walk = walk_of(self), mask_walk = walk_of(mask);
    const int item = self.item();
    const int64_t step = row_step(walk, 0, item);
    each_mask_block(self.size, [&](int64_t b, int64_t begin, int64_t end) {
        if (before[b] == before[b + 1]) return;
        uint8_t truth[kMaskBlock];
        truth_of(mask, mask_walk, begin, end, truth);
        const uint8_t* t = truth;
        const char* from = source + before[b] * item;
        const char* const last = source + (before[b + 1] - 1) * item;
        each_row(walk, begin, end, [&](const int64_t* offset, int64_t n) {
            from = unpack_items(item, self.data + offset[0], step, t, n, from, last);
            t += n;
        });
    });
}

void write_nonzero(const View& v, const int64_t* before, int64_t* out, int64_t row_step, int64_t dim_step) {
    const Walk<1> walk = walk_of(v);
    const int last = v.ndim - 1;
    if (last < 0) return;  // a 0-d array has no coordinates
    each_mask_block(v.size, [&](int64_t b, int64_t begin, int64_t end) {
        if (before[b] == before[b + 1]) return;
        uint8_t truth[kMaskBlock];
        truth_of(v, walk, begin, end, truth);
        int64_t index[kMaxDims], rest = begin;
        for (int d = last; d >= 0; --d) {
            index[d] = rest % v.shape[d];
            rest /= v.shape[d];
        }
        int64_t* to = out + before[b] * row_step;
        const uint8_t* t = truth;
        for (int64_t left = end - begin; left > 0;) {
            const int64_t room = v.shape[last] - index[last], n = left < room ? left : room;
            const int64_t found = write_positions(t, n, index[last], to + last * dim_step, row_step);
            for (int d = 0; d < last && found > 0; ++d) {
                for (int64_t i = 0; i < found; ++i) to[i * row_step + d * dim_step] = index[d];
            }
            to += found * row_step;
            t += n;
            left -= n;
            index[last] = 0;
            for (int d = last - 1; d >= 0 && ++index[d] == v.shape[d]; --d) index[d] = 0;
        }
    });
}

}  // namespace pyasc

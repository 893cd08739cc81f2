// Where the extremes along one axis are.
#include <cstring>

#include "kernels/copy.h"
#include "kernels/pool.h"
#include "kernels/reduce.h"
#include "kernels/reduce_layout.h"

namespace pyasc {
namespace {

constexpr int64_t kBuffer = 16384;      // bytes of converted elements at a time
constexpr int64_t kResults = 256;
constexpr int64_t kPartials = 64;
constexpr int64_t kChunk = 65536;
constexpr int64_t kColumnWidth = 4096;

struct ArgJob {
    const ReduceLayout* layout;
    const ArgKernel* kernel;
    const char* in;
    char* index;
    char* value;  // null: not wanted
    int64_t size;
    Inner fetch, store_index, store_index32, store_value;
    bool convert;
};

void move_row(Inner inner, char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n) {
    char* operands[2] = {to, const_cast<char*>(from)};
    const int64_t steps[2] = {to_step, from_step};
    inner(operands, steps, n);
}

// The best so far of one row: partial winners wait here and compete as soon as there are many.
struct Contest {
    const ArgJob& job;
    alignas(16) char best[kPartials * 16];
    int64_t index[kPartials];
    int64_t count = 0;

    explicit Contest(const ArgJob& j) : job(j) {}
    void settle() {
        int64_t winner;
        char value[16];
        job.kernel->rows(best, 0, 1, count, &winner, value);
        std::memcpy(best, value, job.size);
        index[0] = index[winner];
        count = 1;
    }
    void enter(const char* row, int64_t n, int64_t first) {
        if (count == kPartials) settle();
        job.kernel->rows(row, 0, 1, n, index + count, best + count * job.size);
        index[count++] += first;
    }
};

// Positions [begin, end) of the row at `base`.
void arg_stream(const ArgJob& job, const char* base, int64_t begin, int64_t end, int64_t* index, char* best) {
    alignas(64) char buffer[kBuffer];
    Contest contest(job);
    const int64_t step = job.layout->row_in();
    const int64_t block = job.convert ? kBuffer / job.size : end - begin;
    for (int64_t at = begin; at < end; at += block) {
        const int64_t n = end - at < block ? end - at : block;
        const char* from = base + at * step;
        if (job.convert) {
            move_row(job.fetch, buffer, job.size, from, step, n);
            from = buffer;
        }
        contest.enter(from, n, at);
    }
    contest.settle();
    *index = contest.index[0];
    std::memcpy(best, contest.best, job.size);
}

void arg_long(const ArgJob& job, const char* base, int64_t* index, char* best) {
    const int64_t length = job.layout->length;
    int64_t chunk = (length + kPartials - 1) / kPartials;
    if (chunk < kChunk) chunk = kChunk;
    const int64_t chunks = (length + chunk - 1) / chunk;
    Contest contest(job);
    contest.count = chunks;
    parallel(chunks, [&](int64_t c) {
        const int64_t end = c * chunk + chunk < length ? c * chunk + chunk : length;
        arg_stream(job, base, c * chunk, end, contest.index + c, contest.best + c * job.size);
    });
    contest.settle();
    *index = contest.index[0];
    std::memcpy(best, contest.best, job.size);
}

void store(const ArgJob& job, const int64_t* index, const char* best, int64_t n, int64_t out, int64_t second) {
    const ReduceLayout& l = *job.layout;
    move_row(job.store_index, job.index + out, l.run_out(), reinterpret_cast<const char*>(index), 8, n);
    if (job.value != nullptr) move_row(job.store_value, job.value + second, l.run_index(), best, job.size, n);
}

void rows_range(const ArgJob& job, int64_t begin, int64_t end) {
    const ReduceLayout& l = *job.layout;
    const int64_t run = l.run(), step = l.run_in();
    int64_t index[kResults];
    alignas(16) char best[kResults * 16];
    const bool split = l.outputs < 16 && l.length >= 2 * kChunk;
    while (begin < end) {
        int64_t count = run - begin % run;
        if (count > end - begin) count = end - begin;
        if (count > kResults) count = kResults;
        int64_t in, out, second;
        l.locate(begin, &in, &out, &second);
        const char* const base = job.in + in;
        if (!job.convert && !split) {
            job.kernel->rows(base, step, count, l.length, index, best);
        } else {
            for (int64_t i = 0; i < count; ++i) {
                if (split) {
                    arg_long(job, base + i * step, index + i, best + i * job.size);
                } else {
                    arg_stream(job, base + i * step, 0, l.length, index + i, best + i * job.size);
                }
            }
        }
        store(job, index, best, count, out, second);
        begin += count;
    }
}

void arg_rows(const ArgJob& job) {
    const ReduceLayout& l = *job.layout;
    if (l.outputs < 16 && l.length >= 2 * kChunk) return rows_range(job, 0, l.outputs);
    const int64_t grain = l.length >= kChunk ? 1 : kChunk / (l.length + 16);
    parallel_for(l.outputs, grain < 1 ? 1 : grain, [&](int64_t begin, int64_t end) { rows_range(job, begin, end); });
}

// Columns [column, column + width) of an outer position.
void column_block(const ArgJob& job, int64_t first, int64_t width) {
    const ReduceLayout& l = *job.layout;
    alignas(64) char best[kColumnWidth * 16];
    alignas(64) char buffer[kColumnWidth * 16];
    int32_t index[kColumnWidth];
    int64_t in, out, second;
    l.locate(first, &in, &out, &second);
    const char* from = job.in + in;
    const int64_t step = l.row_in();
    move_row(job.fetch, best, job.size, from, l.run_in(), width);
    std::memset(index, 0, width * sizeof(index[0]));
    const int32_t rows = static_cast<int32_t>(l.length);
    if (!job.convert) {
        job.kernel->columns(best, index, from + step, step, 1, rows - 1, width);
    } else {
        for (int32_t r = 1; r < rows; ++r) {
            move_row(job.fetch, buffer, job.size, from + r * step, l.run_in(), width);
            job.kernel->columns(best, index, buffer, 0, r, 1, width);
        }
    }
    move_row(job.store_index32, job.index + out, l.run_out(), reinterpret_cast<const char*>(index), 4, width);
    if (job.value != nullptr) move_row(job.store_value, job.value + second, l.run_index(), best, job.size, width);
}

void arg_columns(const ArgJob& job) {
    const ReduceLayout& l = *job.layout;
    const int64_t run = l.run();
    const int64_t blocks = (run + kColumnWidth - 1) / kColumnWidth;
    const int64_t work = (run < kColumnWidth ? run : kColumnWidth) * l.length;
    parallel_for(l.outputs / run * blocks, work >= kChunk ? 1 : kChunk / (work + 16), [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t column = task % blocks * kColumnWidth;
            const int64_t left = run - column;
            column_block(job, task / blocks * run + column, left < kColumnWidth ? left : kColumnWidth);
        }
    });
}

}  // namespace

void arg_reduce(Fold fold, const View& in, int axis, const View& index, const View* value) {
    ReduceLayout layout;
    plan_reduce(&layout, in, in.ndim == 0 ? 0 : 1u << axis, index, value);
    if (layout.outputs == 0) return;
    const DType compute = compute_type(in.dtype);
    ArgJob job;
    job.layout = &layout;
    job.kernel = extreme_kernels().arg(fold, compute);
    job.in = in.data;
    job.index = index.data;
    job.value = value == nullptr ? nullptr : value->data;
    job.size = item_size(compute);
    job.fetch = cast_inner(compute, in.dtype);
    job.store_index = cast_inner(index.dtype, DType::I64);
    job.store_index32 = cast_inner(index.dtype, DType::I32);
    job.store_value = value == nullptr ? nullptr : cast_inner(value->dtype, compute);
    const bool columns = layout.kept > 0 && layout.length > 1 && layout.length < INT32_MAX && layout.run() >= 16 &&
                         layout.run_in() != 0 && layout.run_in() < layout.row_in();
    const int64_t dense_step = columns ? layout.run_in() : layout.row_in();
    job.convert = in.dtype != compute || (dense_step != in.item() && layout.length > 1);
    return columns ? arg_columns(job) : arg_rows(job);
}

}  // namespace pyasc

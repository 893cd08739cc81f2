// Reductions: the choice of driver, and the one for reduced elements that lie next to each other.
#include "kernels/reduce.h"

#include <atomic>
#include <cstring>

#include "kernels/copy.h"
#include "kernels/pool.h"
#include "kernels/reduce_job.h"

namespace pyasc {
namespace {

constexpr int64_t kPartials = 64;        // partial results of a long row before they are folded themselves
constexpr int64_t kSplitLength = 131072; // rows this long are cut into chunks, if there are few of them
constexpr int64_t kSplitRows = 16;

void call_function(const Step& step, char* data, int64_t n, int64_t size) {
    if (step.function == nullptr) return;
    char* operands[kLoopOperands] = {data, data, const_cast<char*>(step.exponent)};
    const int64_t steps[kLoopOperands] = {size, size, 0};
    step.function(operands, steps, n);
}

bool decided(const ReduceJob& job, const char* result) {
    return job.what->until_decided && (*result != 0) == (job.what->fold == Fold::Max);
}

// Folds reduced positions [begin, end) of the output whose elements start at `base`.
void fold_stream(const ReduceJob& job, const char* base, int64_t begin, int64_t end, const char* parameter,
                 char* result) {
    alignas(64) char buffer[16384];
    char partial[kPartials * 16];
    const bool whole_rows = !job.convert && !job.what->until_decided;
    const int64_t block = whole_rows ? end - begin : static_cast<int64_t>(sizeof(buffer)) / job.load_size;
    ReducedWalk walk(*job.layout, base, begin);
    int64_t partials = 0;
    for (int64_t at = begin; at < end;) {
        const int64_t want = end - at < block ? end - at : block;
        const char* from;
        int64_t got = walk.next(want, &from);
        if (job.convert) {
            // Short runs are packed together before they are folded.
            char* operands[2] = {buffer, const_cast<char*>(from)};
            const int64_t steps[2] = {job.load_size, job.layout->row_in()};
            job.fetch(operands, steps, got);
            while (got < want) {
                const int64_t more = walk.next(want - got, &from);
                operands[0] = buffer + got * job.load_size;
                operands[1] = const_cast<char*>(from);
                job.fetch(operands, steps, more);
                got += more;
            }
            job.prepare(buffer, got, parameter, 0);
            from = buffer;
        }
        job.fold->rows(from, 0, 1, got, partial + partials * job.size);
        at += got;
        if (decided(job, partial + partials * job.size)) {
            std::memcpy(result, partial + partials * job.size, job.size);
            return;
        }
        if (++partials == kPartials) {
            job.fold->rows(partial, 0, 1, kPartials, partial);
            partials = 1;
        }
    }
    job.fold->rows(partial, 0, 1, partials, result);
}

// A long row in chunks, whose partial results are folded in order.
void fold_long(const ReduceJob& job, const char* base, const char* parameter, char* result) {
    const int64_t length = job.layout->length;
    int64_t chunk = (length + kPartials - 1) / kPartials;
    if (chunk < kReduceChunk) chunk = kReduceChunk;
    chunk = (chunk + 4095) / 4096 * 4096;
    alignas(64) char partial[kPartials * 16];
    const int64_t chunks = (length + chunk - 1) / chunk;
    std::atomic<bool> stop{false};
    job.fold->identity(partial, chunks);
    parallel(chunks, [&](int64_t c) {
        if (stop.load(std::memory_order_relaxed)) return;
        char* const to = partial + c * job.size;
        fold_stream(job, base, c * chunk, c * chunk + chunk < length ? c * chunk + chunk : length, parameter, to);
        if (decided(job, to)) stop.store(true, std::memory_order_relaxed);
    });
    job.fold->rows(partial, 0, 1, chunks, result);
}

// Several short rows that have to be converted: fetched together where they follow each other.
void fold_short(const ReduceJob& job, const char* base, int64_t step, int64_t rows, const char* parameter,
                int64_t parameter_step, char* results) {
    alignas(64) char buffer[16384];
    const ReduceLayout& l = *job.layout;
    const int64_t n = l.length;
    const int64_t batch = static_cast<int64_t>(sizeof(buffer)) / 16 / n;
    const bool flat = l.reduced <= 1 && step == n * l.row_in();
    for (int64_t r = 0; r < rows; r += batch) {
        const int64_t m = rows - r < batch ? rows - r : batch;
        const int64_t calls = flat ? 1 : m;
        for (int64_t i = 0; i < calls; ++i) {
            ReducedWalk walk(l, base + (r + i) * step, 0);
            for (int64_t at = 0; at < n;) {
                const char* from;
                const int64_t got = flat ? m * n : walk.next(n - at, &from);
                if (flat) from = base + r * step;
                char* operands[2] = {buffer + (i * n + at) * job.load_size, const_cast<char*>(from)};
                const int64_t steps[2] = {job.load_size, l.row_in()};
                job.fetch(operands, steps, got);
                at += got;
            }
        }
        int64_t prepared_step = n * job.size;
        if (parameter == nullptr) {
            job.prepare(buffer, m * n, nullptr, 0);
        } else {
            prepared_step = n * job.load_size;
            for (int64_t i = 0; i < m; ++i) {
                job.prepare(buffer + i * n * job.load_size, n, parameter + (r + i) * parameter_step * job.load_size, 0);
            }
        }
        job.fold->rows(buffer, prepared_step, m, n, results + r * job.size);
    }
}

// `count` outputs that follow each other along the innermost kept dimension.
void fold_run(const ReduceJob& job, const char* base, int64_t count, const char* parameter, char* results) {
    const ReduceLayout& l = *job.layout;
    const int64_t step = l.run_in();
    if (!job.convert && l.reduced <= 1 && !(job.what->until_decided && l.length > 8192)) {
        job.fold->rows(base, step, count, l.length, results);
        return;
    }
    if (job.convert && l.length <= 512) return fold_short(job, base, step, count, parameter, l.run_index(), results);
    for (int64_t i = 0; i < count; ++i) {
        const char* const p = parameter == nullptr ? nullptr : parameter + i * l.run_index() * job.load_size;
        fold_stream(job, base + i * step, 0, l.length, p, results + i * job.size);
    }
}

void rows_range(const ReduceJob& job, int64_t begin, int64_t end) {
    const ReduceLayout& l = *job.layout;
    const int64_t run = l.run();
    alignas(64) char results[kReduceResults * 16];
    while (begin < end) {
        int64_t count = run - begin % run;
        if (count > end - begin) count = end - begin;
        if (count > kReduceResults) count = kReduceResults;
        int64_t in, out, index;
        l.locate(begin, &in, &out, &index);
        const char* const parameter = job.parameter(index);
        char* const to = job.out + out;
        const bool direct = job.same_output(l.run_out()) || (count == 1 && !job.finish);
        char* const at = direct ? to : results;
        fold_run(job, job.in + in, count, parameter, at);
        if (!direct) job.complete(results, count, parameter, l.run_index(), to, l.run_out());
        begin += count;
    }
}

// Everything is the identity.
void no_elements(const ReduceJob& job) {
    const ReduceLayout& l = *job.layout;
    char results[16];
    for (int64_t i = 0; i < l.outputs; ++i) {
        int64_t in, out, index;
        l.locate(i, &in, &out, &index);
        job.fold->identity(results, 1);
        if (job.what->compute == DType::Bool) results[0] = results[0] != 0;  // folded as a byte, whose largest is 255
        job.complete(results, 1, job.parameter(index), 0, job.out + out, 0);
    }
}

bool prefers_columns(const ReduceLayout& l) {
    if (l.kept == 0 || l.reduced == 0) return l.kept > 0;
    return l.run_in() != 0 && (l.run_in() < l.row_in() || l.row_in() == 0);
}

}  // namespace

void ReduceJob::prepare(char* data, int64_t n, const char* parameter, int64_t step) const {
    const Step& before = what->before;
    if (before.map != nullptr) before.map(data, data, n, before.argument, parameter, step);
    call_function(before, data, n, size);
}

void ReduceJob::complete(char* results, int64_t n, const char* parameter, int64_t step, char* to,
                         int64_t to_step) const {
    const Step& after = what->after;
    if (after.function_first) call_function(after, results, n, size);
    if (after.map != nullptr) after.map(results, results, n, after.argument, parameter, step);
    if (!after.function_first) call_function(after, results, n, size);
    char* operands[2] = {to, results};
    const int64_t steps[2] = {to_step, size};
    store(operands, steps, n);
}

const FoldKernel* find_fold(Fold fold, DType compute) {
    return fold == Fold::Sum || fold == Fold::Prod ? sum_kernels().find(fold, compute)
                                                   : extreme_kernels().find(fold, compute);
}

void reduce_rows(const ReduceJob& job) {
    const ReduceLayout& l = *job.layout;
    if (l.outputs < kSplitRows && l.length >= kSplitLength) {
        for (int64_t i = 0; i < l.outputs; ++i) {
            int64_t in, out, index;
            l.locate(i, &in, &out, &index);
            char result[16];
            fold_long(job, job.in + in, job.parameter(index), result);
            job.complete(result, 1, job.parameter(index), 0, job.out + out, 0);
        }
        return;
    }
    const int64_t grain = l.length >= kReduceChunk ? 1 : kReduceChunk / (l.length + 16);
    parallel_for(l.outputs, grain < 1 ? 1 : grain, [&](int64_t begin, int64_t end) { rows_range(job, begin, end); });
}

void reduce(const Reduction& reduction, const View& in, uint32_t mask, const View& out) {
    ReduceLayout layout;
    plan_reduce(&layout, in, mask, out, nullptr);
    if (layout.outputs == 0) return;
    ReduceJob job;
    job.what = &reduction;
    job.layout = &layout;
    job.fold = find_fold(reduction.fold, reduction.compute);
    job.in = in.data;
    job.out = out.data;
    job.in_size = in.item();
    job.load_size = item_size(reduction.load);
    job.size = item_size(reduction.compute);
    job.out_size = out.item();
    job.fetch = cast_inner(reduction.load, in.dtype);
    job.store = cast_inner(out.dtype, reduction.compute);
    const bool mapped = reduction.before.map != nullptr || reduction.before.function != nullptr;
    const bool columns = prefers_columns(layout);
    const int64_t dense_step = columns ? layout.run_in() : layout.row_in();
    const int64_t dense_length = columns ? layout.run() : layout.row();
    job.convert = mapped || in.dtype != reduction.load || (dense_step != job.in_size && dense_length != 1);
    job.finish =
        out.dtype != reduction.compute || reduction.after.map != nullptr || reduction.after.function != nullptr;
    if (layout.length == 0) return no_elements(job);
    return columns ? reduce_columns(job) : reduce_rows(job);
}

}  // namespace pyasc

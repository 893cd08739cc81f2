// Reductions whose results lie next to each other: whole rows are folded into a block of accumulators.
#include <cstring>
#include <memory>
#include <new>

#include "kernels/copy.h"
#include "kernels/pool.h"
#include "kernels/reduce_job.h"

namespace pyasc {
namespace {

constexpr int64_t kGroupRows = 256;      // rows folded one after the other before their sum is added to the total
constexpr int64_t kNarrowBytes = 512;    // rows up to this long are folded several at a time
constexpr int64_t kNarrowWidth = 2048;
constexpr int64_t kMaxSplits = 16;

// A block of columns of one outer position.
struct Block {
    const char* in;
    const char* parameter;
    int64_t width;
};

bool pairwise(const ReduceJob& job) {
    return job.what->fold == Fold::Sum && (is_float(job.what->compute) || is_complex(job.what->compute));
}

// Rows one after the other with the same step. `spare` has room for another row of accumulators.
void fold_rows(const ReduceJob& job, const char* x, int64_t step, int64_t rows, int64_t width, char* acc, char* spare) {
    if (rows <= 2 * kGroupRows || !pairwise(job)) {
        job.fold->columns(acc, x, step, rows, width);
        return;
    }
    for (int64_t r = 0; r < rows; r += kGroupRows) {
        job.fold->identity(spare, width);
        job.fold->columns(spare, x + r * step, step, rows - r < kGroupRows ? rows - r : kGroupRows, width);
        job.fold->columns(acc, spare, 0, 1, width);
    }
}

// Narrow dense rows are one long row folded into itself.
void fold_narrow(const ReduceJob& job, const char* x, int64_t rows, int64_t width, char* acc, char* spare) {
    alignas(64) char wide[2 * kNarrowWidth];
    const int64_t bytes = width * job.size;
    const int64_t together = kNarrowWidth / bytes;
    const int64_t groups = rows / together;
    job.fold->identity(wide, together * width);
    fold_rows(job, x, together * bytes, groups, together * width, wide, wide + kNarrowWidth);
    job.fold->columns(acc, wide, bytes, together, width);
    const int64_t done = groups * together;
    fold_rows(job, x + done * bytes, bytes, rows - done, width, acc, spare);
}

// Reduced positions [begin, end) of elements that can be folded where they are.
void fold_direct(const ReduceJob& job, const Block& block, int64_t begin, int64_t end, char* acc, char* spare) {
    ReducedWalk walk(*job.layout, block.in, begin);
    const int64_t step = job.layout->row_in();
    const int64_t bytes = block.width * job.size;
    for (int64_t at = begin; at < end;) {
        const char* from;
        const int64_t rows = walk.next(end - at, &from);
        if (step == bytes && bytes <= kNarrowBytes && rows * bytes >= 8 * kNarrowWidth) {
            fold_narrow(job, from, rows, block.width, acc, spare);
        } else {
            fold_rows(job, from, step, rows, block.width, acc, spare);
        }
        at += rows;
    }
}

// Loads `rows` rows, dense, into `buffer`.
void fetch_rows(const ReduceJob& job, const char* from, int64_t rows, int64_t width, char* buffer) {
    const int64_t column_step = job.layout->run_in(), row_step = job.layout->row_in();
    const bool flat = row_step == width * column_step;
    const int64_t n = flat ? rows * width : width;
    const int64_t steps[2] = {job.load_size, column_step};
    for (int64_t r = 0; r < (flat ? 1 : rows); ++r) {
        char* operands[2] = {buffer + r * width * job.load_size, const_cast<char*>(from + r * row_step)};
        job.fetch(operands, steps, n);
    }
}

void fold_converted(const ReduceJob& job, const Block& block, int64_t begin, int64_t end, char* acc, char* spare) {
    alignas(64) char buffer[kReduceBuffer];
    const int64_t width = block.width;
    const int64_t batch = kReduceBuffer / (width * job.load_size);
    const int64_t group = batch > kGroupRows ? batch : kGroupRows / batch * batch;
    const bool grouped = pairwise(job) && end - begin > 2 * group;
    ReducedWalk walk(*job.layout, block.in, begin);
    if (grouped) job.fold->identity(spare, width);
    int64_t in_group = 0;
    for (int64_t at = begin; at < end;) {
        const char* from;
        const int64_t rows = walk.next(end - at < batch ? end - at : batch, &from);
        fetch_rows(job, from, rows, width, buffer);
        int64_t prepared_step = width * job.size;
        if (block.parameter == nullptr) {
            job.prepare(buffer, rows * width, nullptr, 0);
        } else {
            prepared_step = width * job.load_size;
            for (int64_t r = 0; r < rows; ++r) {
                job.prepare(buffer + r * width * job.load_size, width, block.parameter, job.layout->run_index());
            }
        }
        job.fold->columns(grouped ? spare : acc, buffer, prepared_step, rows, width);
        at += rows;
        in_group += rows;
        if (grouped && (in_group >= group || at == end)) {
            job.fold->columns(acc, spare, 0, 1, width);
            job.fold->identity(spare, width);
            in_group = 0;
        }
    }
}

void fold_block(const ReduceJob& job, const Block& block, int64_t begin, int64_t end, char* acc) {
    alignas(64) char spare[kReduceBlockBytes];
    job.fold->identity(acc, block.width);
    if (job.convert) {
        fold_converted(job, block, begin, end, acc, spare);
    } else {
        fold_direct(job, block, begin, end, acc, spare);
    }
}

// How the columns are cut: `blocks` of at most `width` for each of `outer` positions.
struct Cut {
    int64_t outer, blocks, width, splits;
};

Cut cut_columns(const ReduceJob& job) {
    const ReduceLayout& l = *job.layout;
    Cut cut;
    const int64_t run = l.run();
    cut.outer = l.outputs / run;
    const int64_t most = job.convert ? kReduceBuffer / 4 / job.load_size : kReduceBlockBytes / job.size;
    cut.blocks = (run + most - 1) / most;
    cut.width = ((run + cut.blocks - 1) / cut.blocks + 63) / 64 * 64;
    if (cut.width > run) cut.width = run;
    cut.blocks = (run + cut.width - 1) / cut.width;
    cut.splits = 1;
    const int64_t work = l.outputs * l.length;
    if (cut.outer * cut.blocks < 8 && work >= 16 * kReduceChunk && l.outputs * job.size <= 2 * kReduceBlockBytes) {
        cut.splits = work / (4 * kReduceChunk);
        if (cut.splits > kMaxSplits) cut.splits = kMaxSplits;
        if (cut.splits > l.length / 64) cut.splits = l.length / 64;
        if (cut.splits < 1) cut.splits = 1;
    }
    return cut;
}

// Calls f(block, first output in C order of the walk, output address, parameter) for a task.
template <class F>
void with_block(const ReduceJob& job, const Cut& cut, int64_t task, F f) {
    const ReduceLayout& l = *job.layout;
    const int64_t column = task % cut.blocks * cut.width;
    const int64_t first = task / cut.blocks * l.run() + column;
    int64_t in, out, index;
    l.locate(first, &in, &out, &index);
    const int64_t left = l.run() - column;
    const Block block = {job.in + in, job.parameter(index), left < cut.width ? left : cut.width};
    f(block, first, job.out + out);
}

void run_task(const ReduceJob& job, const Cut& cut, int64_t task) {
    with_block(job, cut, task, [&](const Block& block, int64_t, char* to) {
        alignas(64) char local[kReduceBlockBytes];
        const bool direct = job.same_output(job.layout->run_out());
        char* const acc = direct ? to : local;
        fold_block(job, block, 0, job.layout->length, acc);
        if (!direct)
            job.complete(acc, block.width, block.parameter, job.layout->run_index(), to, job.layout->run_out());
    });
}

// Few columns and many rows: the rows are cut as well, each part into accumulators of its own. False without the
// memory.
bool run_split(const ReduceJob& job, const Cut& cut) {
    const ReduceLayout& l = *job.layout;
    const int64_t bytes = l.outputs * job.size;
    const std::unique_ptr<char[]> partial(new (std::nothrow) char[cut.splits * bytes]);
    if (partial == nullptr) return false;
    const int64_t tasks = cut.outer * cut.blocks;
    parallel(cut.splits * tasks, [&](int64_t c) {
        const int64_t part = c / tasks;
        with_block(job, cut, c % tasks, [&](const Block& block, int64_t first, char*) {
            fold_block(job, block, l.length * part / cut.splits, l.length * (part + 1) / cut.splits,
                       partial.get() + part * bytes + first * job.size);
        });
    });
    for (int64_t task = 0; task < tasks; ++task) {
        with_block(job, cut, task, [&](const Block& block, int64_t first, char* to) {
            char* const acc = partial.get() + first * job.size;
            job.fold->columns(acc, acc + bytes, bytes, cut.splits - 1, block.width);
            job.complete(acc, block.width, block.parameter, l.run_index(), to, l.run_out());
        });
    }
    return true;
}

}  // namespace

void reduce_columns(const ReduceJob& job) {
    const Cut cut = cut_columns(job);
    if (cut.splits > 1 && run_split(job, cut)) return;
    const int64_t tasks = cut.outer * cut.blocks;
    const int64_t work = cut.width * job.layout->length + 16;
    parallel_for(tasks, work >= kReduceChunk ? 1 : kReduceChunk / work, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) run_task(job, cut, task);
    });
}

}  // namespace pyasc

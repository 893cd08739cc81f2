// Scans: rows in blocks that are converted where the types differ, or whole rows at a time if the axis is not the
// innermost.
#include "kernels/scan.h"

#include <cstring>

#include "kernels/copy.h"
#include "kernels/pool.h"
#include "kernels/reduce.h"
#include "kernels/reduce_layout.h"

namespace pyasc {
namespace {

constexpr int64_t kBlock = 1024;
constexpr int64_t kColumnWidth = 4096;
constexpr int64_t kChunk = 32768;

// The other dimensions, as a reduction's kept ones; `axis_in`, `axis_out`: bytes from one element to the next.
struct ScanJob {
    ReduceLayout layout;  // kept_out: the output, kept_index: the second output, in bytes
    const ScanKernel* kernel;
    const ExtremeScanKernel* extreme;
    const FoldKernel* fold;
    const char* in;
    char* out;
    char* index;
    int64_t length, axis_in, axis_out, axis_index;
    int64_t size, in_size, out_size;
    Inner fetch, store, store_index;
    bool convert_in, convert_out, exclusive;
};

void move_row(Inner inner, char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n) {
    char* operands[2] = {to, const_cast<char*>(from)};
    const int64_t steps[2] = {to_step, from_step};
    inner(operands, steps, n);
}

// A view of `out` without the axis, for the layout of the other dimensions.
View without_axis(const View& v, int axis) {
    View w = v;
    if (v.ndim == 0) return w;
    w.ndim = v.ndim - 1;
    for (int d = axis; d < w.ndim; ++d) {
        w.shape[d] = v.shape[d + 1];
        w.stride[d] = v.stride[d + 1];
    }
    return w;
}

void plan(ScanJob* job, const View& in, int axis, const View& out, const View* second, DType compute) {
    const View out_rest = without_axis(out, axis);
    View second_rest;
    if (second != nullptr) second_rest = without_axis(*second, axis);
    plan_reduce(&job->layout, in, in.ndim == 0 ? 0 : 1u << axis, out_rest, second == nullptr ? nullptr : &second_rest);
    job->in = in.data;
    job->out = out.data;
    job->index = second == nullptr ? nullptr : second->data;
    job->length = in.ndim == 0 ? 1 : in.shape[axis];
    job->in_size = in.item();
    job->out_size = out.item();
    job->size = item_size(compute);
    job->axis_in = in.ndim == 0 ? 0 : in.stride[axis] * job->in_size;
    job->axis_out = in.ndim == 0 ? 0 : out.stride[axis] * job->out_size;
    job->axis_index = in.ndim == 0 || second == nullptr ? 0 : second->stride[axis] * second->item();
    job->fetch = cast_inner(compute, in.dtype);
    job->store = cast_inner(out.dtype, compute);
    job->convert_in = in.dtype != compute;
    job->convert_out = out.dtype != compute;
}

void scan_row(const ScanJob& job, const char* x, char* y) {
    alignas(64) char buffer[kBlock * 16];
    alignas(16) char carry[16];
    job.fold->identity(carry, 1);
    if (!job.convert_in && !job.convert_out) {
        job.kernel->row(x, job.axis_in, y, job.axis_out, job.length, job.exclusive, carry);
        return;
    }
    for (int64_t i = 0; i < job.length; i += kBlock) {
        const int64_t n = job.length - i < kBlock ? job.length - i : kBlock;
        move_row(job.fetch, buffer, job.size, x + i * job.axis_in, job.axis_in, n);
        job.kernel->row(buffer, job.size, buffer, job.size, n, job.exclusive, carry);
        move_row(job.store, y + i * job.axis_out, job.axis_out, buffer, job.size, n);
    }
}

void scan_rows(const ScanJob& job, int64_t begin, int64_t end) {
    const ReduceLayout& l = job.layout;
    const bool dense =
        !job.convert_in && !job.convert_out && !job.exclusive && job.axis_in == job.size && job.axis_out == job.size;
    while (begin < end) {
        int64_t in, out, index;
        l.locate(begin, &in, &out, &index);
        int64_t count = l.run() - begin % l.run();
        if (count > end - begin) count = end - begin;
        int64_t i = 0;
        if (dense) {
            for (; i + 4 <= count; i += 4) {
                job.kernel->four(job.in + in + i * l.run_in(), l.run_in(), job.out + out + i * l.run_out(), l.run_out(),
                                 job.length);
            }
        }
        for (; i < count; ++i) scan_row(job, job.in + in + i * l.run_in(), job.out + out + i * l.run_out());
        begin += count;
    }
}

// Whole rows across the axis: the running row is folded with the next one and stored.
void scan_columns(const ScanJob& job, int64_t first, int64_t width) {
    const ReduceLayout& l = job.layout;
    alignas(64) char sum[kColumnWidth * 16];
    alignas(64) char buffer[kColumnWidth * 16];
    int64_t in, out, index;
    l.locate(first, &in, &out, &index);
    const bool direct = !job.convert_in && l.run_in() == job.size;
    job.fold->identity(sum, width);
    for (int64_t r = 0; r < job.length; ++r) {
        const char* x = job.in + in + r * job.axis_in;
        char* const y = job.out + out + r * job.axis_out;
        if (!direct || job.exclusive) {
            move_row(job.fetch, buffer, job.size, x, l.run_in(), width);  // the output may be the input
            x = buffer;
        }
        if (job.exclusive) move_row(job.store, y, l.run_out(), sum, job.size, width);
        job.fold->columns(sum, x, 0, 1, width);
        if (!job.exclusive) move_row(job.store, y, l.run_out(), sum, job.size, width);
    }
}

void scan_extreme_row(const ScanJob& job, const char* x, char* y, char* index) {
    alignas(64) char values[kBlock * 16];
    alignas(64) char loaded[kBlock * 16];
    int64_t positions[kBlock];
    alignas(16) char best[16];
    int64_t best_index = 0;
    move_row(job.fetch, best, job.size, x, job.axis_in, 1);
    for (int64_t i = 0; i < job.length; i += kBlock) {
        const int64_t n = job.length - i < kBlock ? job.length - i : kBlock;
        const char* from = x + i * job.axis_in;
        int64_t step = job.axis_in;
        if (job.convert_in) {
            move_row(job.fetch, loaded, job.size, from, step, n);
            from = loaded;
            step = job.size;
        }
        job.extreme->row(from, step, values, positions, n, i, best, &best_index);
        move_row(job.store, y + i * job.axis_out, job.axis_out, values, job.size, n);
        move_row(job.store_index, index + i * job.axis_index, job.axis_index, reinterpret_cast<char*>(positions), 8, n);
    }
}

}  // namespace

void scan(Fold fold, const View& in, int axis, const View& out, bool exclusive, bool reverse) {
    if (in.size == 0) return;
    const DType compute = compute_type(out.dtype);
    ScanJob job;
    plan(&job, in, axis, out, nullptr, compute);
    job.kernel = scan_kernels().find(fold, compute);
    job.fold = find_fold(fold, compute);
    job.exclusive = exclusive;
    const ReduceLayout& l = job.layout;
    const bool columns = l.kept > 0 && l.run() >= 16 && l.run_in() != 0 && l.run_in() < job.axis_in;
    if (reverse) {
        job.in += (job.length - 1) * job.axis_in;
        job.out += (job.length - 1) * job.axis_out;
        job.axis_in = -job.axis_in;
        job.axis_out = -job.axis_out;
    }
    if (!columns) {
        const int64_t grain = job.length >= kChunk ? 1 : (kChunk / job.length + 3) / 4 * 4;
        parallel_for(l.outputs, grain, [&](int64_t begin, int64_t end) { scan_rows(job, begin, end); });
        return;
    }
    const int64_t run = l.run(), blocks = (run + kColumnWidth - 1) / kColumnWidth;
    const int64_t work = (run < kColumnWidth ? run : kColumnWidth) * job.length;
    parallel_for(l.outputs / run * blocks, work >= kChunk ? 1 : kChunk / work, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t column = task % blocks * kColumnWidth, left = run - column;
            scan_columns(job, task / blocks * run + column, left < kColumnWidth ? left : kColumnWidth);
        }
    });
}

void scan_extreme(Fold fold, const View& in, int axis, const View& value, const View& index) {
    if (in.size == 0) return;
    const DType compute = compute_type(in.dtype);
    ScanJob job;
    plan(&job, in, axis, value, &index, compute);
    job.extreme = scan_kernels().extreme(fold, compute);
    job.store_index = cast_inner(index.dtype, DType::I64);
    const int64_t grain = job.length >= kChunk ? 1 : kChunk / job.length;
    parallel_for(job.layout.outputs, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            int64_t in_at, out_at, index_at;
            job.layout.locate(i, &in_at, &out_at, &index_at);
            scan_extreme_row(job, job.in + in_at, job.out + out_at, job.index + index_at);
        }
    });
}

}  // namespace pyasc

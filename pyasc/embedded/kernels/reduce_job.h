// One reduction under way: what its two drivers (rows, columns) share.
#pragma once

#include "kernels/reduce.h"
#include "kernels/reduce_layout.h"

namespace pyasc {

constexpr int64_t kReduceBuffer = 65536;    // bytes of converted elements at a time
constexpr int64_t kReduceResults = 256;     // results finished at a time
constexpr int64_t kReduceChunk = 65536;     // elements worth a chunk of their own
constexpr int64_t kReduceBlockBytes = 131072;  // accumulators of a block of columns: the prefetchers need long rows

struct ReduceJob {
    const Reduction* what;
    const ReduceLayout* layout;
    const FoldKernel* fold;
    const char* in;
    char* out;
    int64_t in_size, load_size, size, out_size;
    Inner fetch;   // input type to load type
    Inner store;   // compute type to output type
    bool convert;  // elements cannot be folded as they lie in memory
    bool finish;   // results cannot be written as they are folded

    bool same_output(int64_t step) const { return !finish && step == out_size; }
    // Dense elements of load type through `before` into compute type, in place. `parameter`: null for none.
    void prepare(char* data, int64_t n, const char* parameter, int64_t step) const;
    // `n` dense results through `after` and into the output. Overwrites them.
    void complete(char* results, int64_t n, const char* parameter, int64_t step, char* to, int64_t to_step) const;
    const char* parameter(int64_t index) const {
        return what->parameter == nullptr ? nullptr : what->parameter + index * load_size;
    }
};

void reduce_rows(const ReduceJob& job);
void reduce_columns(const ReduceJob& job);

}  // namespace pyasc

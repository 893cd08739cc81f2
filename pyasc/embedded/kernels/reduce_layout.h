// How a reduction walks its operands: kept and reduced dimensions apart, each outermost first by the input's step, with
// neighbours that step as one joined.
#pragma once

#include "kernels/view.h"

namespace pyasc {

struct ReduceLayout {
    int kept = 0;
    int reduced = 0;
    int64_t outputs = 1;  // product of the kept lengths
    int64_t length = 1;  // product of the reduced lengths
    int64_t kept_shape[kMaxDims];
    int64_t kept_in[kMaxDims];  // steps in bytes
    int64_t kept_out[kMaxDims];
    int64_t
        kept_index[kMaxDims];  // steps in elements of a C-order array of the outputs, or of a second output in bytes
    int64_t reduced_shape[kMaxDims];
    int64_t reduced_in[kMaxDims];

    // The innermost dimension of each kind, as one of length 1 where there is none.
    int64_t run() const { return kept == 0 ? 1 : kept_shape[kept - 1]; }
    int64_t run_in() const { return kept == 0 ? 0 : kept_in[kept - 1]; }
    int64_t run_out() const { return kept == 0 ? 0 : kept_out[kept - 1]; }
    int64_t run_index() const { return kept == 0 ? 0 : kept_index[kept - 1]; }
    int64_t row() const { return reduced == 0 ? 1 : reduced_shape[reduced - 1]; }
    int64_t row_in() const { return reduced == 0 ? 0 : reduced_in[reduced - 1]; }

    // Where kept position `at` lies: byte offsets, and an element offset into the C-order array.
    void locate(int64_t at, int64_t* in, int64_t* out, int64_t* index) const;
    // Byte offset of reduced position `at`.
    int64_t locate_reduced(int64_t at) const;
};

// `second`: a view of a second output for kept_index; null: a C-order array of the outputs.
void plan_reduce(ReduceLayout* layout, const View& in, uint32_t mask, const View& out, const View* second);

// Walks the runs of the innermost reduced dimension from any position on.
struct ReducedWalk {
    ReducedWalk(const ReduceLayout& layout, const char* base, int64_t at);
    // At most `limit` elements that follow each other with the innermost step; moves past them.
    int64_t next(int64_t limit, const char** from);

  private:
    const ReduceLayout& layout_;
    const char* at_;
    int64_t in_row_;
    int64_t index_[kMaxDims];
};

}  // namespace pyasc

// Contiguous stand-ins for operands whose kernels want no strides.
#pragma once

#include "kernels/copy.h"
#include "kernels/move.h"
#include "ops/rearrange.h"

namespace pyasc {

// An input as a C-order array: itself, or a copy.
struct DenseInput {
    View view;
    // nullptr: an optional input that is not there.
    explicit DenseInput(const View* v) : DenseInput(v == nullptr ? View() : *v) {}
    explicit DenseInput(const View& v) : memory_(v.contiguous() ? 0 : v.size * v.item()) {
        view = contiguous_view(v.contiguous() ? v.data : memory_.data, v.dtype, v.shape, v.ndim);
        if (!v.contiguous() && memory_.data != nullptr) copy_view(view, v);
        ok_ = v.contiguous() || memory_.data != nullptr;
    }
    bool ok() const { return ok_; }

  private:
    Scratch memory_;
    bool ok_;
};

// An output as a C-order array; finish() moves what was written to where it belongs.
struct DenseOutput {
    View view;
    explicit DenseOutput(const View& v) : memory_(v.contiguous() ? 0 : v.size * v.item()), target_(v) {
        view = contiguous_view(v.contiguous() ? v.data : memory_.data, v.dtype, v.shape, v.ndim);
        ok_ = v.contiguous() || memory_.data != nullptr;
    }
    bool ok() const { return ok_; }
    void finish() const {
        if (view.data != target_.data) copy_view(target_, view);
    }

  private:
    Scratch memory_;
    const View& target_;
    bool ok_;
};

inline int32_t no_memory() {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the host has no memory left for intermediate results; use smaller arrays");
}

}  // namespace pyasc

// Plans the walk of a reduction.
#include "kernels/reduce_layout.h"

#include <utility>

namespace pyasc {
namespace {

struct Dim {
    int64_t shape, in, out, index;
};

// Outermost first: large steps before small ones, broadcast dimensions before all.
bool outer(const Dim& a, const Dim& b) { return a.in == 0 ? b.in != 0 : b.in != 0 && a.in > b.in; }

bool joins(const Dim& a, const Dim& b) {
    return a.in == b.in * b.shape && a.out == b.out * b.shape && a.index == b.index * b.shape;
}

// Sorts (few dimensions, mostly in order already) and joins; returns how many remain.
int tidy(Dim* dims, int n) {
    for (int i = 1; i < n; ++i) {
        for (int j = i; j > 0 && outer(dims[j], dims[j - 1]); --j) std::swap(dims[j], dims[j - 1]);
    }
    int kept = 0;
    for (int i = 0; i < n; ++i) {
        if (kept > 0 && joins(dims[kept - 1], dims[i])) {
            dims[i].shape *= dims[kept - 1].shape;
            --kept;
        }
        dims[kept++] = dims[i];
    }
    return kept;
}

}  // namespace

void plan_reduce(ReduceLayout* layout, const View& in, uint32_t mask, const View& out, const View* second) {
    Dim kept[kMaxDims], reduced[kMaxDims];
    int kept_count = 0, reduced_count = 0;
    const bool keeps_axes = out.ndim == in.ndim;
    const int64_t in_item = in.item(), out_item = out.item();
    int axis_out = out.ndim;
    int64_t dense = 1;
    for (int d = in.ndim - 1; d >= 0; --d) {
        const bool is_reduced = (mask >> d & 1) != 0;
        if (keeps_axes || !is_reduced) --axis_out;
        if (is_reduced) {
            layout->length *= in.shape[d];
            if (in.shape[d] != 1) reduced[reduced_count++] = {in.shape[d], in.stride[d] * in_item, 0, 0};
            continue;
        }
        layout->outputs *= in.shape[d];
        if (in.shape[d] != 1) {
            const int64_t index = second == nullptr ? dense : second->stride[axis_out] * second->item();
            kept[kept_count++] = {in.shape[d], in.stride[d] * in_item, out.stride[axis_out] * out_item, index};
        }
        dense *= in.shape[d];
    }
    for (int i = 0; i < kept_count / 2; ++i) std::swap(kept[i], kept[kept_count - 1 - i]);
    for (int i = 0; i < reduced_count / 2; ++i) std::swap(reduced[i], reduced[reduced_count - 1 - i]);
    layout->kept = tidy(kept, kept_count);
    layout->reduced = tidy(reduced, reduced_count);
    for (int i = 0; i < layout->kept; ++i) {
        layout->kept_shape[i] = kept[i].shape;
        layout->kept_in[i] = kept[i].in;
        layout->kept_out[i] = kept[i].out;
        layout->kept_index[i] = kept[i].index;
    }
    for (int i = 0; i < layout->reduced; ++i) {
        layout->reduced_shape[i] = reduced[i].shape;
        layout->reduced_in[i] = reduced[i].in;
    }
}

void ReduceLayout::locate(int64_t at, int64_t* in, int64_t* out, int64_t* index) const {
    *in = *out = *index = 0;
    for (int d = kept - 1; d >= 0; --d) {
        const int64_t i = d == 0 ? at : at % kept_shape[d];
        at = d == 0 ? 0 : at / kept_shape[d];
        *in += i * kept_in[d];
        *out += i * kept_out[d];
        *index += i * kept_index[d];
    }
}

int64_t ReduceLayout::locate_reduced(int64_t at) const {
    int64_t offset = 0;
    for (int d = reduced - 1; d >= 0; --d) {
        offset += at % reduced_shape[d] * reduced_in[d];
        at /= reduced_shape[d];
    }
    return offset;
}

ReducedWalk::ReducedWalk(const ReduceLayout& layout, const char* base, int64_t at) : layout_(layout) {
    in_row_ = at % layout.row();
    at_ = base + layout.locate_reduced(at);
    at /= layout.row();
    for (int d = layout.reduced - 2; d >= 0; --d) {
        index_[d] = at % layout.reduced_shape[d];
        at /= layout.reduced_shape[d];
    }
}

int64_t ReducedWalk::next(int64_t limit, const char** from) {
    *from = at_;
    const int64_t left = layout_.row() - in_row_;
    if (limit < left) {
        in_row_ += limit;
        at_ += limit * layout_.row_in();
        return limit;
    }
    at_ -= in_row_ * layout_.row_in();
    in_row_ = 0;
    for (int d = layout_.reduced - 2; d >= 0; --d) {
        at_ += layout_.reduced_in[d];
        if (++index_[d] < layout_.reduced_shape[d]) break;
        at_ -= layout_.reduced_shape[d] * layout_.reduced_in[d];
        index_[d] = 0;
    }
    return left;
}

}  // namespace pyasc

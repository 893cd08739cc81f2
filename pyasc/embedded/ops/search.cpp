// Searching sorted sequences, membership, and counting.
#include <cmath>
#include <cstring>

#include "aclnnop/aclnn_bincount.h"
#include "aclnnop/aclnn_histc.h"
#include "aclnnop/aclnn_isin.h"
#include "aclnnop/aclnn_isin_tensor_scalar.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "kernels/copy.h"
#include "kernels/search.h"
#include "ops/elementwise.h"
#include "ops/reduce_common.h"
#include "ops/search_common.h"

namespace pyasc {
namespace {

constexpr int64_t kBlock = 1024;

void require_sequence(Call& call, const View& sequence, const View* sorter, bool int32, const View& out) {
    call.require(sequence.ndim >= 1, "sortedSequence has no dimension to search along");
    if (sorter != nullptr) {
        call.require(sorter->dtype == DType::I64, "sorter is %s; it must be int64", dtype_name(sorter->dtype));
        require_shape(call, "sorter", *sorter, sequence);
    }
    call.require(out.dtype == (int32 ? DType::I32 : DType::I64), "out is %s but outInt32 is %s", dtype_name(out.dtype),
                 int32 ? "true" : "false");
}

int32_t run_search(const View& sequence, const View& values, const View* sorter, bool right, const View& out) {
    const DenseInput dense_sequence(sequence), dense_values(values);
    const DenseInput dense_sorter(sorter);
    DenseOutput dense_out(out);
    if (!dense_sequence.ok() || !dense_values.ok() || !dense_sorter.ok() || !dense_out.ok()) return no_memory();
    if (!search_sorted(dense_sequence.view, dense_values.view, sorter == nullptr ? nullptr : &dense_sorter.view, right,
                       dense_out.view)) {
        return fail(ACL_ERROR_RT_AICPU_EXCEPTION, "sorter holds a position outside sortedSequence's last dimension");
    }
    dense_out.finish();
    return 0;
}

int64_t search_cost(const View& sequence, const View& values) {
    return 100 + values.size * 30 + (sequence.contiguous() ? 0 : sequence.size);
}

// A number as an element of an integer or float sequence. A fraction among integers is rounded up and goes to the left.
struct Needle {
    Item item;
    bool left = false;
};

bool make_needle(const aclScalar* s, DType type, Needle* needle) {
    if (!is_integer(type) || is_integer(s->dtype) || s->dtype == DType::Bool) return s->store(type, needle->item.bytes);
    aclScalar whole = *s;
    whole.dtype = DType::F64;
    whole.f = std::ceil(s->as_double());
    needle->left = whole.f != s->as_double();
    return whole.store(type, needle->item.bytes);
}

// Whether any of `tests` equals the element.
int32_t run_is_in(const View& tests, const Item& element, bool invert, const View& out) {
    const Scratch memory(tests.size);
    if (memory.data == nullptr && tests.size > 0) return no_memory();
    const View equal = contiguous_view(memory.data, DType::Bool, tests.shape, tests.ndim);
    View one = contiguous_view(const_cast<char*>(element.bytes), tests.dtype, nullptr, 0);
    const View* inputs[] = {&tests, &one};
    Loop loop;
    plan_loop(&loop, binary_inner(Binary::Equal, tests.dtype), 5, equal, inputs, 2);
    if (tests.size > 0) run_loop(loop);
    Reduction any;
    any.fold = Fold::Max;
    any.load = any.compute = DType::Bool;
    any.until_decided = true;
    bool found = false;
    reduce(any, equal, all_axes(equal), contiguous_view(&found, DType::Bool, nullptr, 0));
    found = found != invert;
    fill_view(out, &found);
    return 0;
}

// Calls f(converted elements, n) for blocks of a dense view.
template <class T, class F>
bool each_block(const View& dense, F f) {
    const Inner convert = cast_inner(dtype_of<T>::value, dense.dtype);
    T block[kBlock];
    for (int64_t i = 0; i < dense.size; i += kBlock) {
        const int64_t n = dense.size - i < kBlock ? dense.size - i : kBlock;
        char* operands[2] = {reinterpret_cast<char*>(block), dense.data + i * dense.item()};
        const int64_t steps[2] = {sizeof(T), dense.item()};
        convert(operands, steps, n);
        if (!f(block, n, i)) return false;
    }
    return true;
}

int32_t outside(int64_t size) {
    return fail(ACL_ERROR_RT_AICPU_EXCEPTION, "self holds a number that is negative or not less than out's length, %ld",
                static_cast<long>(size));
}

int32_t run_bincount(const View& self, const View* weights, const View& out) {
    const DenseInput dense(self);
    const DenseInput dense_weights(weights);
    const Scratch sums(out.size * 8 + 8);
    if (!dense.ok() || !dense_weights.ok() || sums.data == nullptr) return no_memory();
    std::memset(sums.data, 0, out.size * 8);
    if (weights == nullptr) {
        int64_t* const counts = reinterpret_cast<int64_t*>(sums.data);
        const bool inside = each_block<int64_t>(
            dense.view, [&](const int64_t* x, int64_t n, int64_t) { return count_into(x, n, counts, out.size); });
        if (!inside) return outside(out.size);
        copy_view(out, contiguous_view(sums.data, DType::I64, out.shape, out.ndim));
        return 0;
    }
    const Inner convert = cast_inner(DType::F64, dense_weights.view.dtype);
    const int64_t item = dense_weights.view.item();
    const bool inside = each_block<int64_t>(dense.view, [&](const int64_t* x, int64_t n, int64_t first) {
        double w[kBlock];
        char* operands[2] = {reinterpret_cast<char*>(w), dense_weights.view.data + first * item};
        const int64_t steps[2] = {8, item};
        convert(operands, steps, n);
        return count_into(x, w, n, reinterpret_cast<double*>(sums.data), out.size);
    });
    if (!inside) return outside(out.size);
    copy_view(out, contiguous_view(sums.data, DType::F64, out.shape, out.ndim));
    return 0;
}

// The extent of the data where none was given.
void find_extent(const View& dense, double* low, double* high) {
    *low = INFINITY;
    *high = -INFINITY;
    each_block<double>(dense, [&](const double* x, int64_t n, int64_t) {
        for (int64_t i = 0; i < n; ++i) {
            *low = x[i] < *low ? x[i] : *low;
            *high = x[i] > *high ? x[i] : *high;
        }
        return true;
    });
    if (!(*low <= *high)) *low = *high = 0;
}

int32_t run_histc(const View& self, int64_t bins, double low, double high, const View& out) {
    const DenseInput dense(self);
    const Scratch counted(bins * 8);
    if (!dense.ok() || counted.data == nullptr) return no_memory();
    if (low == high) find_extent(dense.view, &low, &high);
    if (low == high) {
        low -= 1;
        high += 1;
    }
    int64_t* const counts = reinterpret_cast<int64_t*>(counted.data);
    std::memset(counts, 0, bins * 8);
    if (!std::isfinite(low) || !std::isfinite(high)) {
        return fail(ACL_ERROR_RT_AICPU_EXCEPTION, "self extends from %g to %g; give finite min and max", low, high);
    }
    const double scale = static_cast<double>(bins) / (high - low);
    each_block<double>(dense.view, [&](const double* x, int64_t n, int64_t) {
        for (int64_t i = 0; i < n; ++i) {
            if (!(x[i] >= low && x[i] <= high)) continue;
            const int64_t bin = static_cast<int64_t>((x[i] - low) * scale);
            ++counts[bin < bins ? bin : bins - 1];
        }
        return true;
    });
    copy_view(out, contiguous_view(counted.data, DType::I64, out.shape, out.ndim));
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnSearchSortedGetWorkspaceSize(const aclTensor* sortedSequence, const aclTensor* self, bool outInt32,
                                              bool right, const aclTensor* sorter, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSearchSorted", workspaceSize, executor);
    call.in("sortedSequence", sortedSequence).in("self", self).optional("sorter", sorter).out("out", out);
    if (!call.ok()) return call.status();
    const View& sequence = call.input(0);
    const View& values = call.input(1);
    const bool has_sorter = call.inputs() == 3;
    call.require(sequence.dtype == values.dtype, "sortedSequence is %s but self is %s; they must have one dtype",
                 dtype_name(sequence.dtype), dtype_name(values.dtype));
    require_sequence(call, sequence, has_sorter ? &call.input(2) : nullptr, outInt32, call.output(0));
    require_shape(call, "out", call.output(0), values);
    bool matches = sequence.ndim == 1 || sequence.ndim == values.ndim;
    for (int d = 0; matches && d + 1 < sequence.ndim; ++d) matches = sequence.shape[d] == values.shape[d];
    call.require(matches,
                 "sortedSequence has shape %s and self %s; all dimensions but the last must be the same, or "
                 "sortedSequence has one",
                 ShapeText(sequence).text, ShapeText(values).text);
    return call.run(search_cost(sequence, values), [right, has_sorter](const Operands& o) {
        return run_search(o.in[0], o.in[1], has_sorter ? &o.in[2] : nullptr, right, o.out[0]);
    });
}
PYASC_PHASE2(aclnnSearchSorted)

aclnnStatus aclnnSearchSortedsGetWorkspaceSize(const aclTensor* sortedSequence, const aclScalar* self,
                                               const bool outInt32, const bool right, const aclTensor* sorter,
                                               aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnSearchSorteds", workspaceSize, executor);
    call.in("sortedSequence", sortedSequence).scalar("self", self).optional("sorter", sorter).out("out", out);
    if (!call.ok()) return call.status();
    const View& sequence = call.input(0);
    const bool has_sorter = call.inputs() == 2;
    call.require(sequence.ndim == 1, "sortedSequence has %d dimensions; one number is searched for in one",
                 sequence.ndim);
    require_sequence(call, sequence, has_sorter ? &call.input(1) : nullptr, outInt32, call.output(0));
    call.require(call.output(0).size == 1, "out has %ld elements; the position of one number is one",
                 static_cast<long>(call.output(0).size));
    Needle needle;
    if (!call.ok()) return call.status();
    if (!make_needle(self, sequence.dtype, &needle)) {
        call.require(false, "self, %g, is not representable as %s, sortedSequence's type", self->as_double(),
                     dtype_name(sequence.dtype));
    }
    return call.run(search_cost(sequence, call.output(0)), [needle, right, has_sorter](const Operands& o) {
        char bytes[16];
        std::memcpy(bytes, needle.item.bytes, sizeof(bytes));
        const View value = contiguous_view(bytes, o.in[0].dtype, o.out[0].shape, o.out[0].ndim);
        return run_search(o.in[0], value, has_sorter ? &o.in[1] : nullptr, right && !needle.left, o.out[0]);
    });
}
PYASC_PHASE2(aclnnSearchSorteds)

// `assumeUnique` only promises something; nothing is gained from it here.
aclnnStatus aclnnIsInTensorScalarGetWorkspaceSize(const aclTensor* element, const aclScalar* testElement,
                                                  bool assumeUnique, bool invert, aclTensor* out,
                                                  uint64_t* workspaceSize, aclOpExecutor** executor) {
    static_cast<void>(assumeUnique);
    Call call("aclnnIsInTensorScalar", workspaceSize, executor);
    return binary(call, invert ? Binary::NotEqual : Binary::Equal, Tensor{"element", element},
                  Scalar{"testElement", testElement}, Tensor{"out", out});
}
PYASC_PHASE2(aclnnIsInTensorScalar)

aclnnStatus aclnnIsInScalarTensorGetWorkspaceSize(const aclScalar* element, const aclTensor* testElements,
                                                  bool assumeUnique, bool invert, aclTensor* out,
                                                  uint64_t* workspaceSize, aclOpExecutor** executor) {
    static_cast<void>(assumeUnique);
    Call call("aclnnIsInScalarTensor", workspaceSize, executor);
    call.scalar("element", element).in("testElements", testElements).out("out", out);
    if (!call.ok()) return call.status();
    const View& tests = call.input(0);
    call.require(call.output(0).dtype == DType::Bool && call.output(0).size == 1,
                 "out is %s with %ld elements; whether one number is in testElements is one bool",
                 dtype_name(call.output(0).dtype), static_cast<long>(call.output(0).size));
    // What the tests' type cannot represent is not among them.
    Needle needle;
    const bool possible = make_needle(element, tests.dtype, &needle) && !needle.left;
    const Item item = needle.item;
    return call.run(reduce_cost(tests), [item, possible, invert](const Operands& o) -> int32_t {
        if (possible) return run_is_in(o.in[0], item, invert, o.out[0]);
        fill_view(o.out[0], &invert);
        return 0;
    });
}
PYASC_PHASE2(aclnnIsInScalarTensor)

aclnnStatus aclnnBincountGetWorkspaceSize(const aclTensor* self, const aclTensor* weights, int64_t minlength,
                                          aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnBincount", workspaceSize, executor);
    call.in("self", self).optional("weights", weights).out("out", out);
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    const bool weighted = call.inputs() == 2;
    call.require(is_integer(in.dtype) && in.ndim == 1,
                 "self is %s with %d dimensions; integers in one dimension are counted", dtype_name(in.dtype), in.ndim);
    if (weighted) {
        call.require(!is_complex(call.input(1).dtype), "weights are %s; they must be real",
                     dtype_name(call.input(1).dtype));
        require_shape(call, "weights", call.input(1), in);
    }
    const View& counts = call.output(0);
    call.require(minlength >= 0 && counts.ndim == 1 && counts.size >= minlength,
                 "out has shape %s but minlength is %ld; out has one dimension that is no shorter, and minlength is "
                 "not negative",
                 ShapeText(counts).text, static_cast<long>(minlength));
    return call.run(100 + 4 * in.size + counts.size, [weighted](const Operands& o) {
        return run_bincount(o.in[0], weighted ? &o.in[1] : nullptr, o.out[0]);
    });
}
PYASC_PHASE2(aclnnBincount)

aclnnStatus aclnnHistcGetWorkspaceSize(const aclTensor* self, int64_t bins, const aclScalar* min, const aclScalar* max,
                                       aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnHistc", workspaceSize, executor);
    call.in("self", self).scalar("min", min).scalar("max", max).out("out", out);
    if (!call.ok()) return call.status();
    call.require(!is_complex(call.input(0).dtype), "self is %s; a histogram is one of real numbers",
                 dtype_name(call.input(0).dtype));
    const double low = min->as_double(), high = max->as_double();
    call.require(bins > 0, "bins is %ld; there must be one", static_cast<long>(bins));
    call.require(std::isfinite(low) && std::isfinite(high) && low <= high,
                 "min is %g and max is %g; both must be finite, min not above max", low, high);
    require_shape(call, "out", call.output(0), &bins, 1);
    return call.run(100 + 4 * call.input(0).size + bins,
                    [bins, low, high](const Operands& o) { return run_histc(o.in[0], bins, low, high, o.out[0]); });
}
PYASC_PHASE2(aclnnHistc)

}  // extern "C"

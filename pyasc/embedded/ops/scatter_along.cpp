// Writing along one dimension: index_add, index_copy, index_fill, and the gradient of embedding.
#include "aclnnop/aclnn_embedding_dense_backward.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "kernels/binary.h"
#include "kernels/copy.h"
#include "ops/index.h"

namespace pyasc {
namespace {

int64_t along_cost(const View& out, const View& plain) { return move_cost(out.size + 2 * plain.size, out.item()); }

// Checks index and source against the array they will be written into.
void check_along(Call& call, const View& array, const View& index, const View& source, int64_t* dim) {
    require_int(call, "index", index.dtype);
    call.require(index.ndim <= 1, "index has %d dimensions; it must have 1", index.ndim).axis("dim", dim, array.ndim);
    if (!call.ok()) return;
    int64_t shape[kMaxDims];
    const View a = at_least_1d(array);
    const int ndim = along_shape(a, at_least_1d(index), static_cast<int>(*dim), 0, shape);
    if (source.ndim == 0 && array.ndim == 0) return;
    require_shape(call, "source", at_least_1d(source), shape, ndim);
}

// source * alpha, in `memory`.
View scaled(const View& source, const Item& alpha, char* memory) {
    const View product = contiguous_view(memory, source.dtype, source.shape, source.ndim);
    View factor = source;
    factor.data = const_cast<char*>(alpha.bytes);
    factor.ndim = 0;
    factor.size = 1;
    const View* inputs[] = {&source, &factor};
    Loop loop;
    plan_loop(&loop, binary_inner(Binary::Mul, source.dtype), 10, product, inputs, 2);
    run_loop(loop);
    return product;
}

int32_t plan_index_add(Call& call, const char* op, const aclTensor* self, int64_t dim, const aclTensor* index,
                       const aclTensor* source, const aclScalar* alpha, const aclTensor* out) {
    if (!call.in("self", self).in("source", source).out("out", out).same_dtype().in("index", index).ok())
        return call.status();
    const View& v = call.input(0);
    Item factor = {};
    if (!store_scalar(call, "alpha", alpha, v.dtype, &factor)) return call.status();
    check_along(call, v, call.input(2), call.input(1), &dim);
    require_shape(call, "out", call.output(0), v);
    if (!call.ok()) return call.status();
    const bool plain = is_complex(v.dtype) ? alpha->imag == 0 && alpha->as_double() == 1 : alpha->as_double() == 1;
    return call.run(along_cost(v, call.input(1)), [op, dim, factor, plain](const Operands& o) {
        const View& out = o.out[0];
        const Aside source(o.in[1], out), index(at_least_1d(o.in[2]), out);
        const Scratch product(plain ? 0 : source.view.size * out.item());
        if (!source.ok() || !index.ok() || product.data == nullptr) return no_memory(op);
        const View from = plain ? source.view : scaled(source.view, factor, product.data);
        Transfer t;
        plan_along(&t, at_least_1d(out), at_least_1d(from), index.view, static_cast<int>(dim));
        const int32_t status = check_indices(op, t.at);
        if (status != 0) return status;
        copy_unless_same(out, o.in[0]);
        scatter(t, find_combine(Combine::Add, out.dtype));
        return 0;
    });
}

// Operands: selfRef, source, index, and the copy of the result if there is one.
int32_t plan_index_copy(Call& call, const char* op, int64_t dim) {
    check_along(call, call.output(0), call.input(1), call.input(0), &dim);
    if (!call.ok()) return call.status();
    return call.run(along_cost(call.input(0), call.input(0)), [op, dim](const Operands& o) {
        const View& self = o.out[0];
        const Aside source(o.in[0], self), index(at_least_1d(o.in[1]), self);
        if (!source.ok() || !index.ok()) return no_memory(op);
        Transfer t;
        plan_along(&t, at_least_1d(self), at_least_1d(source.view), index.view, static_cast<int>(dim));
        const int32_t status = check_indices(op, t.at);
        if (status == 0) scatter(t);
        return status;
    });
}

// Writes one item at every index along dim.
int32_t fill_along(const char* op, const View& self, const View& index, int dim, const Item& value) {
    View plain = at_least_1d(self);
    plain.data = const_cast<char*>(value.bytes);
    for (int d = 0; d < plain.ndim; ++d) plain.stride[d] = 0;
    plain.shape[dim] = index.size;
    Transfer t;
    plan_along(&t, at_least_1d(self), plain, index, dim);
    const int32_t status = check_indices(op, t.at);
    if (status == 0) scatter(t);
    return status;
}

// Operands: (self,) index, out or selfRef.
int32_t plan_index_fill(Call& call, const char* op, int64_t dim, const aclScalar* value, bool in_place) {
    if (!call.ok()) return call.status();
    const View &out = call.output(0), &index = call.input(in_place ? 0 : 1);
    Item item = {};
    if (!store_scalar(call, "value", value, out.dtype, &item)) return call.status();
    require_int(call, "index", index.dtype);
    call.require(index.ndim <= 1, "index has %d dimensions; it must have 1", index.ndim).axis("dim", &dim, out.ndim);
    if (!in_place && call.ok()) require_shape(call, "out", out, call.input(0));
    if (!call.ok()) return call.status();
    return call.run(along_cost(out, out), [op, dim, item, in_place](const Operands& o) {
        const View& out = o.out[0];
        const Aside index(at_least_1d(o.in[in_place ? 0 : 1]), out);
        if (!index.ok()) return no_memory(op);
        if (!in_place) copy_unless_same(out, o.in[0]);
        return fill_along(op, out, index.view, static_cast<int>(dim), item);
    });
}

// The same with indices from the host, which are checked at once.
struct HostIndices {
    int64_t* data;
    int64_t n;
    HostIndices(const int64_t* from, int64_t count) : data(new (std::nothrow) int64_t[count]), n(count) {
        for (int64_t i = 0; data != nullptr && i < n; ++i) data[i] = from[i];
    }
    HostIndices(HostIndices&& other) noexcept : data(other.data), n(other.n) { other.data = nullptr; }
    HostIndices(const HostIndices&) = delete;
    ~HostIndices() { delete[] data; }
};

int32_t plan_index_fill_host(Call& call, const char* op, int64_t dim, const aclIntArray* index, const aclScalar* value,
                             bool in_place) {
    if (!call.ints("index", index).ok()) return call.status();
    const View& out = call.output(0);
    Item item = {};
    if (!store_scalar(call, "value", value, out.dtype, &item)) return call.status();
    call.axis("dim", &dim, out.ndim);
    if (!in_place && call.ok()) require_shape(call, "out", out, call.input(0));
    const int64_t length = !call.ok() || out.ndim == 0 ? 1 : out.shape[dim];
    for (uint64_t i = 0; i < index->size && call.ok(); ++i) {
        call.require(index->data[i] >= -length && index->data[i] < length,
                     "index[%lu] is %ld, out of range for a dimension of size %ld", i, index->data[i], length);
    }
    if (!call.ok()) return call.status();
    HostIndices indices(index->data, static_cast<int64_t>(index->size));
    return call.run(along_cost(out, out), [op, dim, item, in_place, indices = std::move(indices)](const Operands& o) {
        if (indices.data == nullptr) return no_memory(op);
        if (!in_place) copy_unless_same(o.out[0], o.in[0]);
        const View at = contiguous_view(indices.data, DType::I64, &indices.n, 1);
        return fill_along(op, o.out[0], at, static_cast<int>(dim), item);
    });
}

// Divides each row of `total` by how often its index occurs.
int32_t divide_by_frequency(const View& total, const View& indices) {
    const int64_t rows = total.shape[0], zero = 0;
    Scratch counts(rows * 8), divisors(rows * total.item());
    if (counts.data == nullptr || divisors.data == nullptr) return no_memory("aclnnEmbeddingDenseBackward");
    const View count = contiguous_view(counts.data, DType::I64, &rows, 1);
    fill_view(count, &zero);
    int64_t one = 1;
    View ones = indices;
    ones.data = reinterpret_cast<char*>(&one);
    ones.dtype = DType::I64;
    for (int d = 0; d < ones.ndim; ++d) ones.stride[d] = 0;
    Transfer tally;
    plan_along(&tally, count, ones, indices, 0);
    scatter(tally, find_combine(Combine::Add, DType::I64));
    int64_t* n = reinterpret_cast<int64_t*>(counts.data);
    for (int64_t i = 0; i < rows; ++i) n[i] += n[i] == 0;
    View divisor = contiguous_view(divisors.data, total.dtype, &rows, 1);
    copy_view(divisor, count);
    divisor.ndim = 2;
    divisor.shape[1] = divisor.stride[1] = 1;
    const View* inputs[] = {&total, &divisor};
    Loop loop;
    plan_loop(&loop, binary_inner(Binary::Div, total.dtype), 20, total, inputs, 2);
    run_loop(loop);
    return 0;
}

// Rows of grad added up by index. Halves are summed in float.
int32_t run_embedding_gradient(const View& out, const View& grad, const View& indices, uint64_t padding,
                               bool by_frequency) {
    const char* op = "aclnnEmbeddingDenseBackward";
    const DType type = out.dtype == DType::F64 ? DType::F64 : DType::F32;
    Scratch sums(out.size * item_size(type)), values(grad.size * item_size(type));
    if (sums.data == nullptr || values.data == nullptr) return no_memory(op);
    const View total = contiguous_view(sums.data, type, out.shape, 2);
    const View rows = contiguous_view(values.data, type, grad.shape, grad.ndim);
    const int64_t zero = 0;
    fill_view(total, &zero);
    copy_view(rows, grad);
    Transfer t;
    plan_along(&t, total, rows, indices, 0);
    int32_t status = check_indices(op, t.at);
    if (status != 0) return status;
    scatter(t, find_combine(Combine::Add, type));
    if (by_frequency) status = divide_by_frequency(total, indices);
    if (status != 0) return status;
    if (padding < static_cast<uint64_t>(out.shape[0]))
        fill_view(part_of(total, 0, static_cast<int64_t>(padding), 1), &zero);
    copy_view(out, total);
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnIndexAddGetWorkspaceSize(const aclTensor* self, const int64_t dim, const aclTensor* index,
                                          const aclTensor* source, const aclScalar* alpha, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnIndexAdd", workspaceSize, executor);
    return plan_index_add(call, "aclnnIndexAdd", self, dim, index, source, alpha, out);
}
PYASC_PHASE2(aclnnIndexAdd)

// `mode` chooses between speed and precision; there is one way here.
aclnnStatus aclnnIndexAddV2GetWorkspaceSize(const aclTensor* self, const int64_t dim, const aclTensor* index,
                                            const aclTensor* source, const aclScalar* alpha, int64_t /*mode*/,
                                            aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnIndexAddV2", workspaceSize, executor);
    return plan_index_add(call, "aclnnIndexAddV2", self, dim, index, source, alpha, out);
}
PYASC_PHASE2(aclnnIndexAddV2)

aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclTensor* index,
                                                  const aclTensor* source, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
    Call call("aclnnInplaceIndexCopy", workspaceSize, executor);
    if (!call.inout("selfRef", selfRef).in("source", source).same_dtype().in("index", index).ok()) return call.status();
    return plan_index_copy(call, "aclnnInplaceIndexCopy", dim);
}
PYASC_PHASE2(aclnnInplaceIndexCopy)

aclnnStatus aclnnIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclTensor* index,
                                           const aclTensor* source, aclTensor* outRef, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("aclnnIndexCopy", workspaceSize, executor);
    if (!call.in("selfRef", selfRef).in("source", source).out("outRef", outRef).same_dtype().in("index", index).ok())
        return call.status();
    check_along(call, call.input(0), call.input(2), call.input(1), &dim);
    require_shape(call, "outRef", call.output(0), call.input(0));
    if (!call.ok()) return call.status();
    return call.run(along_cost(call.input(0), call.input(1)), [dim](const Operands& o) {
        const View& out = o.out[0];
        const Aside source(o.in[1], out), index(at_least_1d(o.in[2]), out);
        if (!source.ok() || !index.ok()) return no_memory("aclnnIndexCopy");
        Transfer t;
        plan_along(&t, at_least_1d(out), at_least_1d(source.view), index.view, static_cast<int>(dim));
        const int32_t status = check_indices("aclnnIndexCopy", t.at);
        if (status != 0) return status;
        copy_unless_same(out, o.in[0]);
        scatter(t);
        return 0;
    });
}
PYASC_PHASE2(aclnnIndexCopy)

aclnnStatus aclnnIndexFillGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                           const aclScalar* value, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
    Call call("aclnnIndexFill", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype().in("index", index);
    return plan_index_fill(call, "aclnnIndexFill", dim, value, false);
}
PYASC_PHASE2(aclnnIndexFill)

aclnnStatus aclnnInplaceIndexFillGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclTensor* index,
                                                  const aclScalar* value, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
    Call call("aclnnInplaceIndexFill", workspaceSize, executor);
    call.inout("selfRef", selfRef).in("index", index);
    return plan_index_fill(call, "aclnnInplaceIndexFill", dim, value, true);
}
PYASC_PHASE2(aclnnInplaceIndexFill)

aclnnStatus aclnnIndexFillTensorGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclIntArray* index,
                                                 const aclScalar* value, aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
    Call call("aclnnIndexFillTensor", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    return plan_index_fill_host(call, "aclnnIndexFillTensor", dim, index, value, false);
}
PYASC_PHASE2(aclnnIndexFillTensor)

aclnnStatus aclnnInplaceIndexFillTensorGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclIntArray* index,
                                                        const aclScalar* value, uint64_t* workspaceSize,
                                                        aclOpExecutor** executor) {
    Call call("aclnnInplaceIndexFillTensor", workspaceSize, executor);
    call.inout("selfRef", selfRef);
    return plan_index_fill_host(call, "aclnnInplaceIndexFillTensor", dim, index, value, true);
}
PYASC_PHASE2(aclnnInplaceIndexFillTensor)

aclnnStatus aclnnEmbeddingDenseBackwardGetWorkspaceSize(const aclTensor* grad, const aclTensor* indices,
                                                        uint64_t numWeights, uint64_t paddingIdx, bool scaleGradByFreq,
                                                        const aclTensor* out, uint64_t* workspaceSize,
                                                        aclOpExecutor** executor) {
    Call call("aclnnEmbeddingDenseBackward", workspaceSize, executor);
    if (!call.in("grad", grad).out("out", out).same_dtype().in("indices", indices).ok()) return call.status();
    const View &g = call.input(0), &at = call.input(1), &to = call.output(0);
    require_int(call, "indices", at.dtype);
    call.require(is_float(to.dtype), "grad is %s; it must be a float", dtype_name(to.dtype));
    call.require(to.ndim == 2 && static_cast<uint64_t>(to.shape[0]) == numWeights, "out has shape %s for %lu weights",
                 ShapeText(to).text, numWeights);
    if (!call.ok()) return call.status();
    int64_t shape[kMaxDims];
    require_shape(call, "grad", g, shape, along_shape(to, at, 0, 0, shape));
    if (!call.ok()) return call.status();
    return call.run(along_cost(to, g), [paddingIdx, scaleGradByFreq](const Operands& o) {
        return run_embedding_gradient(o.out[0], o.in[0], o.in[1], paddingIdx, scaleGradByFreq);
    });
}
PYASC_PHASE2(aclnnEmbeddingDenseBackward)

}  // extern "C"

// Filling a tensor with one value.
#include <cstring>

#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_zero.h"
#include "kernels/copy.h"
#include "kernels/half.h"
#include "meta/plan.h"

namespace pyasc {
namespace {

// Zero is all bits clear in every type.
template <int item>
void zero_row(char* const* data, const int64_t* step, int64_t n) {
    if (step[0] == item) {
        std::memset(data[0], 0, static_cast<size_t>(n * item));
        return;
    }
    for (int64_t i = 0; i < n; ++i) std::memset(data[0] + i * step[0], 0, item);
}

Inner zero_inner(DType t) {
    switch (item_size(t)) {
        case 1: return zero_row<1>;
        case 2: return zero_row<2>;
        case 4: return zero_row<4>;
        case 8: return zero_row<8>;
        default: return zero_row<16>;
    }
}

int32_t weight(DType t) { return item_size(t) / 2 + 1; }

// The number 1 of type t, converted by the same kernel that converts arrays.
void fill_ones(const View& view) {
    float one = 1;
    alignas(16) char item[16];
    char* const data[] = {item, reinterpret_cast<char*>(&one)};
    const int64_t step[] = {view.item(), sizeof(one)};
    cast_inner(view.dtype, DType::F32)(data, step, 1);
    fill_view(view, item);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnInplaceZeroGetWorkspaceSize(aclTensor* selfRef, uint64_t* size, aclOpExecutor** executor) {
    Call call("aclnnInplaceZero", size, executor);
    const DType t = call.inout("selfRef", selfRef).dtype(0);
    return call.loop(zero_inner(t), weight(t));
}
PYASC_PHASE2(aclnnInplaceZero)

aclnnStatus aclnnInplaceOneGetWorkspaceSize(const aclTensor* selfRef, uint64_t* size, aclOpExecutor** executor) {
    Call call("aclnnInplaceOne", size, executor);
    call.inout("selfRef", selfRef);
    if (!call.ok()) return call.status();
    return call.run(50 + call.output(0).size / 4, [](const Operands& o) { fill_ones(o.out[0]); });
}
PYASC_PHASE2(aclnnInplaceOne)

aclnnStatus aclnnInplaceFillScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* value, uint64_t* size,
                                                   aclOpExecutor** executor) {
    Call call("aclnnInplaceFillScalar", size, executor);
    const DType t = call.inout("selfRef", selfRef).dtype(0);
    return call.loop_with_scalar(call.ok() ? cast_inner(t, t) : nullptr, weight(t), value, t);
}
PYASC_PHASE2(aclnnInplaceFillScalar)

aclnnStatus aclnnInplaceFillTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* value, uint64_t* size,
                                                   aclOpExecutor** executor) {
    Call call("aclnnInplaceFillTensor", size, executor);
    call.inout("selfRef", selfRef).in("value", value);
    if (!call.ok()) return call.status();
    call.require(call.input(0).size == 1, "value has %ld elements; exactly one is allowed", call.input(0).size);
    const DType t = call.output(0).dtype;
    return call.loop(cast_inner(t, call.input(0).dtype), weight(t));
}
PYASC_PHASE2(aclnnInplaceFillTensor)

}  // extern "C"

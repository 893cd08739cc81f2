// New addresses for the operands of an executor, between two runs of a repeatable one.
#include "meta/executor.h"
#include "meta/slots.h"
#include "meta/tensor.h"

namespace pyasc {
namespace {

enum Direction { kInputs = 1, kOutputs = 2, kBoth = 3 };

// Which operand a caller means when the tensor is not one that phase 1 saw.
struct Index {
    bool by_list;
    size_t number;   // of the tensor, or of the list among the parameters
    size_t element;
};

uint64_t number_of(const Place& place, const Index& index) {
    return index.by_list ? place.parameter() : place.position();
}

void put_address(aclOpExecutor* e, bool output, int index, char* data) {
    if (e->work == Work::Closure) {
        e->views[output ? e->in.count + index : index].data = data;
    } else if (!output) {
        e->loop.data[1 + index + e->scalar_first] = data;
    } else if (index == 0) {
        e->loop.data[0] = data;
    }
}

int32_t replace(const char* caller, aclOpExecutor* e, bool output, int index, void* address) {
    const Operand& operand = (output ? e->out : e->in).data[index];
    char* base = static_cast<char*>(address);
    if (operand.extent > 0) {
        BlockRef block;
        const DType dtype = DType::None;  // alignment was judged with the first address; 32 bytes keep it
        if (!find_block(base, &block)) {
            return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is not in device memory", caller, address);
        }
        if (check_block(block, base, operand.first, operand.extent, dtype) != Fault::None) {
            return fail(ACLNN_ERR_PARAM_INVALID,
                        "%s: %s needs %ld bytes at %p + %ld, which leave the device block of %zu bytes at %p", caller,
                        operand.name, operand.extent, address, operand.first, block.size,
                        static_cast<void*>(block.base));
        }
        if (reinterpret_cast<uintptr_t>(base) % 32 != 0) {
            return fail(ACLNN_ERR_PARAM_INVALID, "%s: the address %p is not aligned to 32 bytes", caller, address);
        }
        base += operand.first;
    }
    put_address(e, output, index, base);
    return ACLNN_SUCCESS;
}

// Replaces the address wherever `tensor` is an operand. -1: nowhere.
int32_t replace_tensor(const char* caller, aclOpExecutor* e, int directions, const aclTensor* tensor, void* address) {
    int32_t status = -1;
    for (const bool output : {false, true}) {
        if (!(directions & (output ? kOutputs : kInputs))) continue;
        const OperandList& list = output ? e->out : e->in;
        for (int k = 0; k < list.count; ++k) {
            if (list.data[k].tensor != tensor) continue;
            status = replace(caller, e, output, k, address);
            if (status != 0) return status;
        }
    }
    return status;
}

int32_t replace_index(const char* caller, aclOpExecutor* e, int directions, const Index& index, void* address) {
    uint64_t before = 0;
    for (const bool output : {false, true}) {
        if (!(directions & (output ? kOutputs : kInputs))) continue;
        const OperandList& list = output ? e->out : e->in;
        for (int k = 0; k < list.count; ++k) {
            const Place& place = list.data[k].place;
            if (before + number_of(place, index) == index.number &&
                (!index.by_list || place.element() == index.element)) {
                return replace(caller, e, output, k, address);
            }
        }
        before += number_of(list.next, index);
    }
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: index %zu was null in phase 1; it cannot get an address now", caller,
                index.number);
}

int32_t check_index(const char* caller, const aclOpExecutor* e, int directions, const Index& index) {
    uint64_t count = 0;
    if (directions & kInputs) count += number_of(e->in.next, index);
    if (directions & kOutputs) count += number_of(e->out.next, index);
    if (index.number < count) return ACLNN_SUCCESS;
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: index %zu is out of range; %s has %lu of these", caller, index.number,
                e->op, count);
}

int32_t set_operand(const char* caller, aclOpExecutor* e, int directions, const Index& index, aclTensor* tensor,
                    void* address) {
    if (!e || !tensor) return fail(ACLNN_ERR_INNER_NULLPTR, "%s: the %s is null", caller, e ? "tensor" : "executor");
    if (!live(e))
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is no executor, or one that was used up", caller,
                    static_cast<void*>(e));
    if (!live(tensor))
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is no live tensor", caller, static_cast<void*>(tensor));
    if (int32_t status = check_index(caller, e, directions, index)) return status;
    int32_t status = replace_tensor(caller, e, directions, tensor, address);
    if (status < 0) status = replace_index(caller, e, directions, index, address);
    if (status == 0) set_address(tensor, address);  // CANN keeps the address in the tensor
    return status;
}

int32_t set_element(const char* caller, aclOpExecutor* e, int directions, size_t parameter, size_t element,
                    const aclTensorList* list, void* address) {
    if (!e || !list) return fail(ACLNN_ERR_INNER_NULLPTR, "%s: the %s is null", caller, e ? "list" : "executor");
    if (!live(list))
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is no live tensor list", caller, static_cast<const void*>(list));
    if (element >= list->size) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: element %zu of a list of %lu", caller, element, list->size);
    }
    return set_operand(caller, e, directions, Index{true, parameter, element}, list->data[element], address);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

// Every function has an older spelling with a capital A.
#define SET_ADDRESS(words, directions)                                                                            \
    aclnnStatus aclSet##words##Addr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) { \
        return set_operand("aclSet" #words "Addr", executor, directions, Index{false, index, 0}, tensor, addr);   \
    }                                                                                                             \
    aclnnStatus AclSet##words##Addr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) { \
        return aclSet##words##Addr(executor, index, tensor, addr);                                                \
    }
SET_ADDRESS(Tensor, kBoth)
SET_ADDRESS(InputTensor, kInputs)
SET_ADDRESS(OutputTensor, kOutputs)
#undef SET_ADDRESS

#define SET_ADDRESS(words, directions)                                                                           \
    aclnnStatus aclSetDynamic##words##Addr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,  \
                                           aclTensorList* tensors, void* addr) {                                 \
        return set_element("aclSetDynamic" #words "Addr", executor, directions, irIndex, relativeIndex, tensors, \
                           addr);                                                                                \
    }                                                                                                            \
    aclnnStatus AclSetDynamic##words##Addr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,  \
                                           aclTensorList* tensors, void* addr) {                                 \
        return aclSetDynamic##words##Addr(executor, irIndex, relativeIndex, tensors, addr);                      \
    }
SET_ADDRESS(Tensor, kBoth)
SET_ADDRESS(InputTensor, kInputs)
SET_ADDRESS(OutputTensor, kOutputs)
#undef SET_ADDRESS

}  // extern "C"

// aclTensor: creation, judgement and the questions one may ask about it.
#include "meta/tensor.h"

#include <algorithm>
#include <new>

#include "meta/slots.h"
#include "runtime/error.h"

namespace pyasc {
namespace {

struct TypeRow {
    const char* name;
    DType dtype;
    uint8_t bits;
};

// By aclDataType; rows without a name are numbers CANN does not use.
const TypeRow kTypes[] = {
    {"ACL_FLOAT", DType::F32, 32},
    {"ACL_FLOAT16", DType::F16, 16},
    {"ACL_INT8", DType::I8, 8},
    {"ACL_INT32", DType::I32, 32},
    {"ACL_UINT8", DType::U8, 8},
    {nullptr, DType::None, 8},
    {"ACL_INT16", DType::I16, 16},
    {"ACL_UINT16", DType::U16, 16},
    {"ACL_UINT32", DType::U32, 32},
    {"ACL_INT64", DType::I64, 64},
    {"ACL_UINT64", DType::U64, 64},
    {"ACL_DOUBLE", DType::F64, 64},
    {"ACL_BOOL", DType::Bool, 8},
    {"ACL_STRING", DType::None, 128},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {"ACL_COMPLEX64", DType::C64, 64},
    {"ACL_COMPLEX128", DType::C128, 128},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {"ACL_BF16", DType::BF16, 16},
    {nullptr, DType::None, 8},
    {"ACL_INT4", DType::None, 4},
    {"ACL_UINT1", DType::None, 1},
    {nullptr, DType::None, 8},
    {nullptr, DType::None, 8},
    {"ACL_COMPLEX32", DType::None, 32},
    {"ACL_HIFLOAT8", DType::None, 8},
    {"ACL_FLOAT8_E5M2", DType::None, 8},
    {"ACL_FLOAT8_E4M3FN", DType::None, 8},
    {"ACL_FLOAT8_E8M0", DType::None, 8},
    {"ACL_FLOAT6_E3M2", DType::None, 6},
    {"ACL_FLOAT6_E2M3", DType::None, 6},
    {"ACL_FLOAT4_E2M1", DType::None, 4},
    {"ACL_FLOAT4_E1M2", DType::None, 4},
};
constexpr unsigned kTypeCount = sizeof kTypes / sizeof kTypes[0];

const TypeRow& type_row(aclDataType t) {
    const unsigned i = static_cast<unsigned>(t);
    return kTypes[i < kTypeCount ? i : 5];
}

// Positions in bytes of a view, from counts of elements. False: they do not fit.
bool byte_range(aclTensor* t, int64_t span, unsigned bits) {
    int64_t first, extent;
    if (__builtin_mul_overflow(t->offset, int64_t{bits}, &first)) return false;
    if (__builtin_mul_overflow(span + 1, int64_t{bits}, &extent)) return false;
    t->first = first / 8;
    t->extent = (extent + 7) / 8;
    return true;
}

// Copies shape and strides, and finds what is wrong with them; Fault::None if nothing. `span`: from the first to the
// last element.
Fault lay_out(aclTensor* t, const int64_t* shape, int ndim, const int64_t* stride, int64_t* span) {
    int64_t size = 1, reach = 0, shape_signs = 0, stride_signs = 0;
    bool contiguous = true, overflow = false, reach_overflow = false;
    for (int d = ndim - 1; d >= 0; --d) {
        const int64_t n = shape[d], step = stride ? stride[d] : size;
        t->view.shape[d] = n;
        t->view.stride[d] = step;
        contiguous &= n == 1 || step == size;
        shape_signs |= n;
        stride_signs |= step;
        int64_t last;
        reach_overflow |=
            __builtin_mul_overflow(n - (n > 0), step, &last) || __builtin_add_overflow(reach, last, &reach);
        overflow |= __builtin_mul_overflow(size, n, &size);
    }
    t->view.ndim = ndim;
    t->view.size = size;
    t->contiguous = contiguous || size == 0;
    t->key = layout_key(*t);
    *span = reach;
    if (shape_signs < 0) return Fault::NegativeDim;
    if (stride_signs < 0 && !(overflow && !stride)) return Fault::NegativeStride;
    if (t->offset < 0) return Fault::NegativeOffset;
    if (overflow) return Fault::TooLarge;
    if (size == 0) return Fault::Empty;
    return reach_overflow || reach == INT64_MAX ? Fault::TooLarge : Fault::None;
}

// Looks up the block of the tensor's address. `fault` is what the layout said.
void locate(aclTensor* t, Fault fault) {
    // As numbers: the position may be absurd, and is only used once it is known to lie in the block.
    t->view.data = t->base
                       ? reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(t->base) + static_cast<uint64_t>(t->first))
                       : nullptr;
    t->block = BlockRef();
    if (fault == Fault::None) {
        if (!t->base) {
            fault = Fault::NoAddress;
        } else if (!find_block(t->base, &t->block)) {
            fault = Fault::NotDevice;
        } else {
            fault = check_block(t->block, t->base, t->first, t->extent, t->view.dtype);
        }
    }
    t->fault = t->view.dtype == DType::None ? Fault::UnknownDtype : fault;
}

// All of creation that cannot fail. `t` is a fresh slot or a live tensor that is made anew.
void fill(aclTensor* t, const int64_t* shape, uint64_t ndim, aclDataType dtype, const int64_t* stride, int64_t offset,
          aclFormat format, const int64_t* storage, uint64_t storage_ndim, void* data) {
    const TypeRow& type = type_row(dtype);
    t->acl_dtype = dtype;
    t->format = format;
    t->offset = offset;
    t->base = static_cast<char*>(data);
    t->view.dtype = type.dtype;
    t->item = static_cast<uint8_t>(item_size(type.dtype));
    t->storage_ndim = static_cast<uint8_t>(storage_ndim);
    for (uint64_t d = 0; d < storage_ndim; ++d) t->storage[d] = storage[d];
    int64_t span;
    Fault fault = lay_out(t, shape, static_cast<int>(ndim), stride, &span);
    t->first = t->extent = 0;
    if (fault == Fault::None && !byte_range(t, span, type.bits)) fault = Fault::TooLarge;
    locate(t, fault);
}

// What creation does refuse: it could not be kept.
int32_t check_counts(const char* caller, const int64_t* shape, uint64_t ndim, const int64_t* storage,
                     uint64_t storage_ndim) {
    if (!shape && ndim > 0) {
        return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: viewDims is null but viewDimsNum is %lu", caller, ndim);
    }
    if (!storage && storage_ndim > 0) {
        return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: storageDims is null but storageDimsNum is %lu", caller, storage_ndim);
    }
    if (ndim > kMaxDims || storage_ndim > kMaxDims) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %lu view and %lu storage dimensions, at most %d are allowed", caller,
                    ndim, storage_ndim, kMaxDims);
    }
    return ACLNN_SUCCESS;
}

int32_t check_tensor(const char* caller, const aclTensor* t) {
    if (live(t)) return ACLNN_SUCCESS;
    if (!t) return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: the tensor is null", caller);
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is no aclTensor, or one that was destroyed", caller,
                static_cast<const void*>(t));
}

// For the getters: the tensor and one or two places for the answer.
int32_t check_question(const char* caller, const aclTensor* t, const void* out, const void* count) {
    if (!out || !count) return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: a place for the answer is null", caller);
    return check_tensor(caller, t);
}

// The caller frees it with delete[].
int32_t answer(const char* caller, const int64_t* values, uint64_t n, int64_t** out, uint64_t* count) {
    int64_t* copy = new (std::nothrow) int64_t[n];
    if (!copy) return fail(ACLNN_ERR_INNER, "%s: out of host memory", caller);
    std::copy(values, values + n, copy);
    *out = copy;
    *count = n;
    return ACLNN_SUCCESS;
}

}  // namespace

DType to_dtype(aclDataType t) { return type_row(t).dtype; }

const char* acl_dtype_name(aclDataType t) {
    const char* name = t == ACL_DT_UNDEFINED ? "ACL_DT_UNDEFINED" : type_row(t).name;
    return name ? name : "an unknown aclDataType";
}

aclDataType to_acl(DType t) {
    static const aclDataType types[] = {
        ACL_BOOL,   ACL_INT8,    ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32,     ACL_UINT32,     ACL_INT64,
        ACL_UINT64, ACL_FLOAT16, ACL_BF16,  ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128, ACL_DT_UNDEFINED};
    return types[static_cast<int>(t)];
}

Fault check_block(const BlockRef& block, const char* base, int64_t first, int64_t extent, DType dtype) {
    const uint64_t from = static_cast<uint64_t>(base - block.base) + static_cast<uint64_t>(first);
    if (from + static_cast<uint64_t>(extent) > block.size) return Fault::OutsideBlock;
    const int item = item_size(dtype), align = item == 16 ? 8 : item;  // complex128 is aligned as its parts
    if (item > 1 && from % static_cast<unsigned>(align) != 0) return Fault::Misaligned;  // blocks are aligned
    return Fault::None;
}

void set_address(aclTensor* t, void* address) {
    t->base = static_cast<char*>(address);
    switch (t->fault) {
        case Fault::None:
        case Fault::NoAddress:
        case Fault::NotDevice:
        case Fault::OutsideBlock:
        case Fault::Misaligned: return locate(t, Fault::None);
        default: return locate(t, t->fault);
    }
}

}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t* stride,
                           int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                           void* tensorData) {
    if (check_counts("aclCreateTensor", viewDims, viewDimsNum, storageDims, storageDimsNum) != 0) return nullptr;
    aclTensor* t = take<aclTensor>();
    if (!t) {
        fail(ACLNN_ERR_INNER, "aclCreateTensor: no room for more tensors; destroy those no longer needed");
        return nullptr;
    }
    t->owner = nullptr;
    fill(t, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum, tensorData);
    set_live(t);
    return t;
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t* stride, int64_t offset, aclFormat format, const int64_t* storageDims,
                          uint64_t storageDimsNum, void* tensorDataAddr) {
    if (int32_t status = check_tensor("aclInitTensor", tensor)) return status;
    if (int32_t status = check_counts("aclInitTensor", viewDims, viewDimsNum, storageDims, storageDimsNum))
        return status;
    fill(tensor, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum, tensorDataAddr);
    return ACLNN_SUCCESS;
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
    if (!tensor) return ACLNN_SUCCESS;
    if (int32_t status = check_tensor("aclDestroyTensor", tensor)) return status;
    give(const_cast<aclTensor*>(tensor));
    return ACLNN_SUCCESS;
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
    if (int32_t status = check_tensor("aclSetRawTensorAddr", tensor)) return status;
    set_address(tensor, addr);
    return ACLNN_SUCCESS;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
    if (int32_t status = check_question("aclGetRawTensorAddr", tensor, addr, addr)) return status;
    *addr = tensor->base;
    return ACLNN_SUCCESS;
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
    if (int32_t status = check_question("aclGetViewShape", tensor, viewDims, viewDimsNum)) return status;
    return answer("aclGetViewShape", tensor->view.shape, static_cast<uint64_t>(tensor->view.ndim), viewDims,
                  viewDimsNum);
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue, uint64_t* stridesNum) {
    if (int32_t status = check_question("aclGetViewStrides", tensor, stridesValue, stridesNum)) return status;
    return answer("aclGetViewStrides", tensor->view.stride, static_cast<uint64_t>(tensor->view.ndim), stridesValue,
                  stridesNum);
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims, uint64_t* storageDimsNum) {
    if (int32_t status = check_question("aclGetStorageShape", tensor, storageDims, storageDimsNum)) return status;
    return answer("aclGetStorageShape", tensor->storage, tensor->storage_ndim, storageDims, storageDimsNum);
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
    if (int32_t status = check_question("aclGetViewOffset", tensor, offset, offset)) return status;
    *offset = tensor->offset;
    return ACLNN_SUCCESS;
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
    if (int32_t status = check_question("aclGetFormat", tensor, format, format)) return status;
    *format = tensor->format;
    return ACLNN_SUCCESS;
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
    if (int32_t status = check_question("aclGetDataType", tensor, dataType, dataType)) return status;
    *dataType = tensor->acl_dtype;
    return ACLNN_SUCCESS;
}

}  // extern "C"

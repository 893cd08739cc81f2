// The objects behind the handles of libnnopbase. They live in one reserved address range, slots never change their type
// and are never unmapped, so any pointer can be asked whether it is a live handle: by range, alignment and magic.
#pragma once

#include <cstdint>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"
#include "kernels/view.h"
#include "runtime/arena.h"

namespace pyasc {

// What an operator has to know about a tensor before it touches it. CANN creates odd tensors without complaint, so they
// are judged when they are made and refused when an operator is given one.
enum class Fault : uint8_t {
    None,  // data in a device block, every element inside it (the block must still be alive)
    Empty,  // no elements, so no data is needed
    NoAddress,  // no data yet: legal for a repeatable executor, whose addresses come later
    NotDevice,  // the address is not in a live device block
    OutsideBlock,  // some element lies outside the block
    Misaligned,  // the first element is not aligned to its type
    NegativeDim,
    NegativeStride,
    NegativeOffset,
    TooLarge,  // sizes or byte positions overflow
    UnknownDtype,  // the embedded device does not compute on the type
};

}  // namespace pyasc

struct aclTensor {
    // What phase 1 reads of every operand comes first.
    uint32_t magic;
    aclDataType acl_dtype;
    aclFormat format;
    bool contiguous;  // the view, C order
    pyasc::Fault fault;
    uint8_t item;  // bytes of an element, 0 for types the device does not compute on
    uint8_t storage_ndim;
    pyasc::BlockRef block;  // the device block of `base`; base == nullptr: not in device memory
    int64_t first;  // bytes from base to the first element
    int64_t extent;  // bytes from the first element to the end of the last one; 0: no elements
    uint64_t key;  // see layout_key
    char* base;  // tensorData
    int64_t offset;  // elements
    pyasc::View view;  // data already includes the offset; dtype None for types the embedded device does not compute on
    int64_t storage[pyasc::kMaxDims];
    const aclTensorList* owner;  // the list that destroys this tensor, if any
};

struct aclScalar {
    uint32_t magic;
    aclDataType acl_dtype;
    const aclScalarList* owner;  // the list that destroys this scalar, if any
    pyasc::DType dtype;
    union {
        double f;  // real part
        int64_t i;  // integers and bool, exact
        uint64_t u;  // uint64
    };
    double imag;
    double as_double() const;
    int64_t as_int() const;
    // Writes the value as an element of `t` to `out` (16 bytes of room); false if it cannot be (complex to real, out of
    // range).
    bool store(pyasc::DType t, void* out) const;
};

struct aclIntArray {
    uint32_t magic;
    uint64_t size;
    int64_t* data;
};
struct aclFloatArray {
    uint32_t magic;
    uint64_t size;
    float* data;
};
struct aclBoolArray {
    uint32_t magic;
    uint64_t size;
    bool* data;
};
struct aclTensorList {
    uint32_t magic;
    uint64_t size;
    aclTensor** data;
};
struct aclScalarList {
    uint32_t magic;
    uint64_t size;
    aclScalar** data;
};

namespace pyasc {

// What phase 1 compares of operands, in one word: dtype (8 bits), whether the view is strided (1 bit), number of
// dimensions (7 bits), number of elements (48 bits). Never 0. Contiguous views of one key have one shape if they have
// one dimension.
constexpr uint64_t kKeyDtype = 0xff, kKeyStrided = 0x100;
inline uint64_t layout_key(const aclTensor& t) {
    return static_cast<uint64_t>(t.view.size) << 16 | static_cast<uint64_t>(t.view.ndim) << 9 |
           (t.contiguous ? 0 : kKeyStrided) | static_cast<uint64_t>(t.view.dtype);
}

DType to_dtype(aclDataType t);  // None if the device does not compute on it
aclDataType to_acl(DType t);

// Whether `p` is a live handle of that kind. nullptr is not.
bool is_live(const aclTensor* p);
bool is_live(const aclScalar* p);
bool is_live(const aclIntArray* p);
bool is_live(const aclFloatArray* p);
bool is_live(const aclBoolArray* p);
bool is_live(const aclTensorList* p);
bool is_live(const aclScalarList* p);

}  // namespace pyasc

// Element-wise operators on top of Call: in which type they compute, and how operands of other types get there.
#pragma once

#include "kernels/binary.h"
#include "meta/plan.h"

namespace pyasc {

// The type aclnn computes a mixture of two in, which is PyTorch's rule; None if they do not go together (uint16, uint32
// and uint64 go with nothing but themselves).
DType promote(DType a, DType b);

// The same with a scalar: one of the tensor's kind (bool < integer < float < complex) or a lower one leaves the
// tensor's type. Where a kind is gained, its size follows `out` if that is a double or complex128.
DType promote(DType tensor, const aclScalar* scalar, DType out);

// Whether aclnn stores a result of one type in an output of the other.
bool converts(DType from, DType to);

// A kernel and where its inputs come from: the call's tensors, in any order, and constants. Operands of other types
// than the kernel's are converted block by block.
struct Formula {
    Inner inner = nullptr;  // null: the types are not supported
    int32_t weight = 0;
    DType result = DType::None;  // of the kernel
    int8_t inputs = 0;
    int8_t constants = 0;
    int8_t source[kLoopOperands - 1];  // a tensor input's index, or -1 - index of a constant
    DType type[kLoopOperands - 1];     // the kernel's
    alignas(16) char constant[kLoopOperands - 1][16];

    Formula& tensor(int index, DType t);
    // A constant of type t. False if the scalar has no such value.
    bool scalar(const aclScalar* s, DType t);
    Formula& number(double value);  // an F64 constant
};

// Ends the call with a formula.
int32_t finish(Call& call, const Formula& formula);

// Whole operators of one kernel. The tensors' and scalars' names are the parameters' of the header.
struct Tensor {
    const char* name;
    const aclTensor* tensor;
};
struct Scalar {
    const char* name;
    const aclScalar* scalar;
};
int32_t binary(Call& call, Binary op, Tensor a, Tensor b, Tensor out);
int32_t binary(Call& call, Binary op, Tensor a, Scalar b, Tensor out);
int32_t binary(Call& call, Binary op, Scalar a, Tensor b, Tensor out);

// The type in which `op` computes operands of the promoted type t for an output of type `out`.
DType computing_type(Binary op, DType t, DType out);

}  // namespace pyasc

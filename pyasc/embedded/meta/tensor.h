// Tensors, for the other files of this folder.
#pragma once

#include "meta/handle.h"

namespace pyasc {

// Gives the tensor another address and judges it again.
void set_address(aclTensor* t, void* address);

// Whether the elements, laid out from `base`, lie in a live device block and are aligned; the fault if not.
Fault check_block(const BlockRef& block, const char* base, int64_t first, int64_t extent, DType dtype);

const char* acl_dtype_name(aclDataType t);  // "ACL_INT4"

}  // namespace pyasc

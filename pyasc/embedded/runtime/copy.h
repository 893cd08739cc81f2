// Whether host memory is pinned, which decides how a copy behaves.
#pragma once

#include <cstddef>

namespace pyasc {

bool is_pinned(const void* p, size_t size);  // all of it, by aclrtMallocHost or aclrtHostRegister

}  // namespace pyasc

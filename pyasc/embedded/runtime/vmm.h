// Memory that programs map themselves: addresses, physical memory, and what lies where.
#pragma once

#include "runtime/arena.h"

namespace pyasc {

// The run of mapped memory around `p`. It lives as long as the mapping that holds `p` itself.
bool find_mapped(const void* p, BlockRef* out);
int mapped_device(const void* p);  // 0 if nothing is mapped there

}  // namespace pyasc

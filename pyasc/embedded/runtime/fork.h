// What a forked child may do. The workers of a device do not survive a fork, so a child of a process that has used a
// device gets one clear error from every call that would need them; one forked before that starts afresh.
#pragma once

#include <cstdint>

namespace pyasc {

extern bool forked_child;  // written once, by the only thread of a child

void note_device_use();  // from here on children are refused

int32_t fail_forked(const char* function);

}  // namespace pyasc

// The hook that marks a forked child.
#include "runtime/fork.h"

#include <pthread.h>

#include <mutex>

#include "acl/acl_rt.h"
#include "runtime/context.h"
#include "runtime/error.h"

namespace pyasc {

bool forked_child = false;

namespace {

void mark_child() {
    forked_child = true;
    forget_current_context();  // so that the hot path needs no test of its own: it finds no context
}

}  // namespace

void note_device_use() {
    static std::once_flag& once = *new std::once_flag;
    std::call_once(once, [] { pthread_atfork(nullptr, nullptr, mark_child); });
}

int32_t fail_forked(const char* function) {
    return fail(
        ACL_ERROR_RT_DEV_SETUP_ERROR,
        "%s: this process was forked after its parent had used the device, whose worker threads do not survive a "
        "fork; start children with the 'spawn' method, or fork before the first use of the device",
        function);
}

}  // namespace pyasc

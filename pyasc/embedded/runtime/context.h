// Devices and contexts, and what each thread has made current.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/slots.h"

namespace pyasc {

class Stream;

constexpr int kSysParams = 3;  // aclSysParamOpt counts from 0

struct alignas(256) Context {
    std::atomic<void*> self{nullptr};
    std::atomic<void*> closing{nullptr};  // the handle again, while and after it is being destroyed
    Stream* default_stream = nullptr;     // set before `self`, never changed after
    int device = 0;
    bool primary = false;
    std::vector<Stream*> streams;  // without the default one; under runtime_mutex()
    std::atomic<int64_t> params[kSysParams];
    std::atomic<bool> param_set[kSysParams];
};

struct Device {
    std::atomic<void*> primary{nullptr};  // handle of its primary context
    uint64_t references = 0;              // SetDevice minus ResetDevice
    int contexts = 0;                     // all of them; memory goes with the last
    std::vector<bool> peers;              // which devices it may reach
};

extern Slots<Context> contexts;

std::mutex& runtime_mutex();  // guards devices and lists; never held while waiting for work
std::vector<Device>& devices();
const std::vector<Context*>& live_contexts();  // with the mutex held

// "defaultDevice" of the configuration: threads without a context then set that device by themselves. -1: none.
void set_default_device(int device);
int default_device();

int32_t check_device(const char* function, int32_t device);  // 0, or 107001
int32_t set_up_device(const char* function);                 // arenas and settings; 0, or 507033

// What is current is one handle, so that looking it up is one load of thread-local memory. It may be stale.
struct CurrentContext {
    void* handle;           // explicit_handle, or else the primary context that SetDevice referred to
    void* explicit_handle;  // by SetCurrentContext or CreateContext
    void* primary;
};
extern thread_local CurrentContext current_handles __attribute__((tls_model("initial-exec")));

void forget_current_context();

inline Context* current_context_or_null() { return contexts.find(current_handles.handle); }

// The current context, or nullptr with *status (and a message) set: 107002, or 507033 in a forked child.
Context* require_context(const char* function, int32_t* status);

}  // namespace pyasc

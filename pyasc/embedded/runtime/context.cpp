// Contexts: created, made current for a thread, destroyed.
#include "runtime/context.h"

#include <algorithm>

#include "runtime/arena.h"
#include "runtime/capture.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/settings.h"
#include "runtime/stream.h"

namespace pyasc {

Slots<Context> contexts(4096);
Slots<Stream> streams(16384);
thread_local CurrentContext current_handles = {nullptr, nullptr, nullptr};

namespace {

struct Shared {
    Shared() : devices(settings().visible.size()) {
        for (Device& d : devices) d.peers.resize(devices.size());
    }
    std::mutex mutex;
    std::vector<Device> devices;
    std::vector<Context*> contexts;
    std::atomic<int> default_device{-1};
};

Shared& shared() {
    static Shared& instance = *new Shared;  // leaked: threads may use the runtime while the process ends
    return instance;
}

void set_current(void* explicit_handle, void* primary) {
    current_handles = {explicit_handle ? explicit_handle : primary, explicit_handle, primary};
}

int32_t fail_no_context(const char* function) {
    if (forked_child) return fail_forked(function);
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "%s: this thread has no current context; call aclrtSetDevice or aclrtSetCurrentContext first",
                function);
}

}  // namespace

std::mutex& runtime_mutex() { return shared().mutex; }
std::vector<Device>& devices() { return shared().devices; }
const std::vector<Context*>& live_contexts() { return shared().contexts; }
void set_default_device(int device) { shared().default_device.store(device); }
int default_device() { return shared().default_device.load(); }

void forget_current_context() { current_handles = {nullptr, nullptr, nullptr}; }

Context* require_context(const char* function, int32_t* status) {
    Context* c = current_context_or_null();
    if (c) return c;
    const int automatic = forked_child ? -1 : default_device();
    if (automatic >= 0 && !current_handles.handle) {
        *status = aclrtSetDevice(automatic);
        return *status == 0 ? current_context_or_null() : nullptr;
    }
    *status = fail_no_context(function);
    return nullptr;
}

namespace {

Context* create_context(int device, bool primary) {
    void* handle = nullptr;
    Context* c = contexts.take(&handle);
    if (!c) return nullptr;
    c->device = device;
    c->primary = primary;
    for (int i = 0; i < kSysParams; ++i) c->param_set[i] = false;
    c->default_stream = create_stream(c, 0, 0);
    if (!c->default_stream) {
        contexts.give(c);
        return nullptr;
    }
    c->self.store(handle, std::memory_order_release);
    shared().contexts.push_back(c);
    ++devices()[static_cast<size_t>(device)].contexts;
    if (primary) devices()[static_cast<size_t>(device)].primary.store(handle, std::memory_order_release);
    return c;
}

// Hides the context from everybody; with the mutex held.
void begin_close(Context* c) {
    void* handle = c->self.load(std::memory_order_relaxed);
    c->closing.store(handle, std::memory_order_release);
    c->self.store(nullptr, std::memory_order_release);  // from here on nobody finds it
    if (c->primary) devices()[static_cast<size_t>(c->device)].primary.store(nullptr, std::memory_order_release);
    auto& live = shared().contexts;
    live.erase(std::remove(live.begin(), live.end(), c), live.end());
}

// Without the mutex: what the streams still run may call the runtime.
void finish_close(Context* c, bool force) {
    std::vector<Stream*> all;
    {
        std::lock_guard<std::mutex> lock(runtime_mutex());
        all.swap(c->streams);
    }
    all.push_back(c->default_stream);
    for (Stream* s : all) {
        drop_capture(s);
        s->self.store(nullptr, std::memory_order_release);
        destroy_stream(s, force);
    }
    std::lock_guard<std::mutex> lock(runtime_mutex());
    Device& device = devices()[static_cast<size_t>(c->device)];
    if (--device.contexts == 0) release_device_memory(c->device);
    c->closing.store(nullptr, std::memory_order_release);
    contexts.give(c);
}

// A host function cannot end the context whose stream runs it: that would wait for the function itself.
int32_t check_not_inside(const char* function, const Context* c) {
    Stream* s = Stream::running_on();
    if (!s || s->context.load(std::memory_order_relaxed) != c) return 0;
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "%s: called from a task of one of the context's streams; use another thread", function);
}

int32_t reset_device(const char* function, int32_t device, bool force) {
    if (forked_child) return fail_forked(function);
    if (int32_t status = check_device(function, device)) return status;
    Context* c;
    {
        std::lock_guard<std::mutex> lock(runtime_mutex());
        Device& d = devices()[static_cast<size_t>(device)];
        c = contexts.find(d.primary.load(std::memory_order_relaxed));
        if (d.references == 0 || !c)
            return fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
                        "%s: device %d is not set, or was already reset as often as it was set", function, device);
        if (!force && d.references > 1) {
            --d.references;
            return 0;
        }
        if (int32_t status = check_not_inside(function, c)) return status;
        d.references = 0;
        begin_close(c);
    }
    finish_close(c, force);
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
    if (!context) return fail(ACL_ERROR_INVALID_PARAM, "aclrtCreateContext: context is null");
    if (forked_child) return fail_forked("aclrtCreateContext");
    if (int32_t status = check_device("aclrtCreateContext", device)) return status;
    if (int32_t status = set_up_device("aclrtCreateContext")) return status;
    std::lock_guard<std::mutex> lock(runtime_mutex());
    Context* c = create_context(device, false);
    if (!c)
        return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "aclrtCreateContext: too many contexts or streams; destroy some");
    *context = c->self.load(std::memory_order_relaxed);
    set_current(*context, current_handles.primary);
    return 0;
}

aclError aclrtDestroyContext(aclrtContext context) {
    if (!context) return fail(ACL_ERROR_INVALID_PARAM, "aclrtDestroyContext: context is null");
    if (forked_child) return fail_forked("aclrtDestroyContext");
    Context* c;
    {
        std::lock_guard<std::mutex> lock(runtime_mutex());
        c = contexts.find(context);
        Context* dead = c ? nullptr : contexts.find_dead(context);
        if (dead && dead->closing.load(std::memory_order_acquire) == context)
            return fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "aclrtDestroyContext: context %p is being destroyed",
                        context);
        if (!c)
            return fail(ACL_ERROR_RT_CONTEXT_NULL,
                        "aclrtDestroyContext: %p is no context; it was destroyed, or never was one", context);
        if (c->primary)
            return fail(ACL_ERROR_RT_CONTEXT_NULL,
                        "aclrtDestroyContext: %p is the primary context of device %d; use aclrtResetDevice(%d)",
                        context, c->device, c->device);
        if (int32_t status = check_not_inside("aclrtDestroyContext", c)) return status;
        begin_close(c);
    }
    if (current_handles.explicit_handle == context) set_current(nullptr, current_handles.primary);
    finish_close(c, false);
    return 0;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
    if (!context) return fail(ACL_ERROR_INVALID_PARAM, "aclrtSetCurrentContext: context is null");
    if (forked_child) return fail_forked("aclrtSetCurrentContext");
    if (!contexts.find(context))
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtSetCurrentContext: %p is no context; it was destroyed, or never was one", context);
    set_current(context, current_handles.primary);
    return 0;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
    if (!context) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetCurrentContext: context is null");
    int32_t status = 0;
    Context* c = require_context("aclrtGetCurrentContext", &status);
    if (c) *context = current_handles.handle;
    return status;
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
    if (!stream) return fail(ACL_ERROR_INVALID_PARAM, "aclrtCtxGetCurrentDefaultStream: stream is null");
    int32_t status = 0;
    Context* c = require_context("aclrtCtxGetCurrentDefaultStream", &status);
    if (c) *stream = c->default_stream->self.load(std::memory_order_acquire);
    return status;
}

aclError aclrtSetDevice(int32_t device) {
    if (forked_child) return fail_forked("aclrtSetDevice");
    if (int32_t status = check_device("aclrtSetDevice", device)) return status;
    if (int32_t status = set_up_device("aclrtSetDevice")) return status;
    std::lock_guard<std::mutex> lock(runtime_mutex());
    Device& d = devices()[static_cast<size_t>(device)];
    if (!d.primary.load(std::memory_order_relaxed) && !create_context(device, true))
        return fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "aclrtSetDevice: too many contexts or streams; destroy some");
    ++d.references;
    set_current(nullptr, d.primary.load(std::memory_order_relaxed));
    return 0;
}

aclError aclrtResetDevice(int32_t device) { return reset_device("aclrtResetDevice", device, false); }
aclError aclrtResetDeviceForce(int32_t device) { return reset_device("aclrtResetDeviceForce", device, true); }

}  // extern "C"

// aclrt*Stream*: the C interface of streams.
#include <sys/types.h>

#include <algorithm>
#include <cstring>

#include "runtime/capture.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/stream.h"

namespace pyasc {
namespace {

// Work that a program builds or a device schedules by itself is never waited for.
constexpr uint32_t kNeverWaited = ACL_STREAM_PERSISTENT | ACL_STREAM_DEVICE_USE_ONLY | ACL_STREAM_CPU_SCHEDULE;
constexpr uint32_t kKnownFlags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT |
                                 ACL_STREAM_HUGE | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
constexpr uint32_t kLowestPriority = 7;

std::atomic<uint64_t> execute_timeout_us{0};

int32_t fail_null(const char* function, const char* name) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, name);
}

int32_t create(const char* function, aclrtStream* out, uint32_t priority, uint32_t flags) {
    if (!out) return fail_null(function, "stream");
    int32_t status = 0;
    Context* c = require_context(function, &status);
    if (!c) return status;
    Stream* s = create_stream(c, std::min(priority, kLowestPriority), flags & kKnownFlags);
    if (!s) return fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "%s: too many streams; destroy some", function);
    void* handle = s->self.load(std::memory_order_relaxed);
    bool adopted;
    {
        std::lock_guard<std::mutex> lock(runtime_mutex());
        adopted = c->self.load(std::memory_order_relaxed) != nullptr;
        if (adopted) c->streams.push_back(s);
    }
    if (!adopted) {
        s->self.store(nullptr, std::memory_order_release);
        destroy_stream(s, true);
        return fail(ACL_ERROR_RT_CONTEXT_NULL, "%s: the context was destroyed by another thread", function);
    }
    *out = handle;
    return 0;
}

int32_t destroy(const char* function, aclrtStream stream, bool force) {
    if (!stream) return fail_null(function, "stream");
    int32_t status = 0;
    Stream* s = require_stream(function, stream, false, &status);
    if (!s) return status;
    if (Stream::running_on() == s)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: called from a task of this stream; let another thread destroy it",
                    function);
    if (s->capture() && !force)
        return fail(ACL_ERROR_RT_STREAM_CAPTURED, "%s: the stream is being captured; end the capture first", function);
    {
        std::lock_guard<std::mutex> lock(runtime_mutex());
        Context* c = s->context.load(std::memory_order_relaxed);
        void* expected = stream;
        auto it = std::find(c->streams.begin(), c->streams.end(), s);
        if (it == c->streams.end() || !s->self.compare_exchange_strong(expected, nullptr))
            return fail(ACL_ERROR_RT_PARAM_INVALID,
                        "%s: %p is the default stream of its context, or another thread destroys it", function, stream);
        c->streams.erase(it);
    }
    drop_capture(s);
    destroy_stream(s, force);
    return 0;
}

int32_t synchronize(const char* function, aclrtStream stream, int32_t timeout) {
    int32_t status = 0;
    Stream* s = require_stream(function, stream, false, &status);
    if (!s) return status;
    if (s->flags & kNeverWaited) return 0;
    if (s->capture())
        return fail(ACL_ERROR_RT_STREAM_CAPTURED,
                    "%s: the stream is being captured, nothing runs; end the capture first", function);
    return s->synchronize(deadline_after(timeout), function);
}

int32_t set_failure_mode(const char* function, Stream* s, uint64_t mode) {
    if (mode > ACL_STOP_ON_FAILURE)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: failure mode %llu; it is continue 0 or stop 1", function,
                    static_cast<unsigned long long>(mode));
    s->set_stop_on_failure(mode == ACL_STOP_ON_FAILURE);
    return 0;
}

int32_t set_overflow(const char* function, Stream* s, uint32_t flag) {
    if (flag > 1) return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: flag %u; it is 0 or 1", function, flag);
    s->overflow_switch.store(flag, std::memory_order_relaxed);
    return 0;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtCreateStream(aclrtStream* stream) { return create("aclrtCreateStream", stream, 0, 0); }

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
    return create("aclrtCreateStreamWithConfig", stream, priority, flag);
}

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() { return new aclrtStreamConfigHandle{}; }

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
    if (!handle) return fail_null("aclrtDestroyStreamConfigHandle", "handle");
    delete handle;
    return 0;
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr, const void* value,
                                 size_t size) {
    const char* function = "aclrtSetStreamConfigOpt";
    if (!handle || !value) return fail_null(function, handle ? "attrValue" : "handle");
    struct Field {
        void* where;
        size_t size;
    } fields[] = {{&handle->workptr, sizeof handle->workptr},
                  {&handle->workSize, sizeof handle->workSize},
                  {&handle->flag, sizeof handle->flag},
                  {&handle->priority, sizeof handle->priority}};
    const int a = static_cast<int>(attr);
    if (a < 0 || a > ACL_RT_STREAM_PRIORITY)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: there is no attribute %d", function, a);
    if (size != fields[a].size)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: attribute %d has %zu bytes, %zu were given", function, a,
                    fields[a].size, size);
    memcpy(fields[a].where, value, size);
    return 0;
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
    if (!handle) return fail_null("aclrtCreateStreamV2", "handle");
    return create("aclrtCreateStreamV2", stream, handle->priority, static_cast<uint32_t>(handle->flag));
}

aclError aclrtDestroyStream(aclrtStream stream) { return destroy("aclrtDestroyStream", stream, false); }
aclError aclrtDestroyStreamForce(aclrtStream stream) { return destroy("aclrtDestroyStreamForce", stream, true); }

aclError aclrtSynchronizeStream(aclrtStream stream) { return synchronize("aclrtSynchronizeStream", stream, -1); }

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
    if (timeout < -1 || timeout == 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtSynchronizeStreamWithTimeout: timeout %d; it is milliseconds, or -1 for ever", timeout);
    return synchronize("aclrtSynchronizeStreamWithTimeout", stream, timeout);
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* result) {
    if (!result) return fail_null("aclrtStreamQuery", "status");
    int32_t status = 0;
    Stream* s = require_stream("aclrtStreamQuery", stream, false, &status);
    if (!s) return status;
    if (s->capture()) return fail(ACL_ERROR_RT_STREAM_CAPTURED, "aclrtStreamQuery: the stream is being captured");
    *result = s->idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return 0;
}

aclError aclrtStreamAbort(aclrtStream stream) {
    if (!stream) return fail_null("aclrtStreamAbort", "stream");
    int32_t status = 0;
    Stream* s = require_stream("aclrtStreamAbort", stream, false, &status);
    if (s) s->abort();
    return status;
}

aclError aclrtStreamStop(aclrtStream stream) { return aclrtStreamAbort(stream); }

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
    if (!stream) return fail_null("aclrtSetStreamFailureMode", "stream");
    int32_t status = 0;
    Stream* s = require_stream("aclrtSetStreamFailureMode", stream, false, &status);
    return s ? set_failure_mode("aclrtSetStreamFailureMode", s, mode) : status;
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
    int32_t status = 0;
    Stream* s = require_stream("aclrtSetStreamOverflowSwitch", stream, false, &status);
    return s ? set_overflow("aclrtSetStreamOverflowSwitch", s, flag) : status;
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
    if (!flag) return fail_null("aclrtGetStreamOverflowSwitch", "flag");
    int32_t status = 0;
    Stream* s = require_stream("aclrtGetStreamOverflowSwitch", stream, false, &status);
    if (s) *flag = s->overflow_switch.load(std::memory_order_relaxed);
    return status;
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr attr, aclrtStreamAttrValue* value) {
    const char* function = "aclrtSetStreamAttribute";
    if (!value) return fail_null(function, "value");
    int32_t status = 0;
    Stream* s = require_stream(function, stream, false, &status);
    if (!s) return status;
    switch (attr) {
        case ACL_STREAM_ATTR_FAILURE_MODE: return set_failure_mode(function, s, value->failureMode);
        case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK: return set_overflow(function, s, value->overflowSwitch);
        case ACL_STREAM_ATTR_USER_CUSTOM_TAG: s->tag.store(value->userCustomTag); return 0;
        case ACL_STREAM_ATTR_CACHE_OP_INFO: s->cache_op_info.store(value->cacheOpInfoSwitch); return 0;
        default:
            return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: attribute %d does not exist or cannot be changed", function,
                        static_cast<int>(attr));
    }
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr attr, aclrtStreamAttrValue* value) {
    const char* function = "aclrtGetStreamAttribute";
    if (!value) return fail_null(function, "value");
    int32_t status = 0;
    Stream* s = require_stream(function, stream, false, &status);
    if (!s) return status;
    switch (attr) {
        case ACL_STREAM_ATTR_FAILURE_MODE: value->failureMode = s->stop_on_failure(); return 0;
        case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK: value->overflowSwitch = s->overflow_switch.load(); return 0;
        case ACL_STREAM_ATTR_USER_CUSTOM_TAG: value->userCustomTag = s->tag.load(); return 0;
        case ACL_STREAM_ATTR_CACHE_OP_INFO: value->cacheOpInfoSwitch = s->cache_op_info.load(); return 0;
        case ACL_STREAM_ATTR_PRIORITY: value->streamPriority = s->priority; return 0;
        default:
            return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no attribute %d", function, static_cast<int>(attr));
    }
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* id) {
    if (!id) return fail_null("aclrtStreamGetId", "streamId");
    int32_t status = 0;
    Stream* s = require_stream("aclrtStreamGetId", stream, false, &status);
    if (s) *id = static_cast<int32_t>(s->id);
    return status;
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
    if (!flags) return fail_null("aclrtStreamGetFlags", "flags");
    int32_t status = 0;
    Stream* s = require_stream("aclrtStreamGetFlags", stream, false, &status);
    if (s) *flags = s->flags;
    return status;
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
    if (!priority) return fail_null("aclrtStreamGetPriority", "priority");
    int32_t status = 0;
    Stream* s = require_stream("aclrtStreamGetPriority", stream, false, &status);
    if (s) *priority = s->priority;
    return status;
}

aclError aclrtGetStreamAvailableNum(uint32_t* count) {
    if (!count) return fail_null("aclrtGetStreamAvailableNum", "streamCount");
    int32_t status = 0;
    if (!require_context("aclrtGetStreamAvailableNum", &status)) return status;
    *count = static_cast<uint32_t>(streams.available());
    return 0;
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* least, int32_t* greatest) {
    if (!least || !greatest)
        return fail_null("aclrtDeviceGetStreamPriorityRange", least ? "greatestPriority" : "leastPriority");
    *least = static_cast<int32_t>(kLowestPriority);
    *greatest = 0;
    return 0;
}

// How long one operator may run. The embedded device never gives up on one; the value is kept for whoever asks.
aclError aclrtSetOpExecuteTimeOut(uint32_t seconds) {
    execute_timeout_us.store(uint64_t{1000000} * seconds);
    return 0;
}
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t ms) {
    execute_timeout_us.store(uint64_t{1000} * ms);
    return 0;
}
aclError aclrtSetOpExecuteTimeOutV2(uint64_t us, uint64_t* actual) {
    if (!actual) return fail_null("aclrtSetOpExecuteTimeOutV2", "actualTimeout");
    execute_timeout_us.store(us);
    *actual = us;
    return 0;
}
aclError aclrtGetOpExecuteTimeout(uint32_t* const ms) {
    if (!ms) return fail_null("aclrtGetOpExecuteTimeout", "timeoutMs");
    *ms = static_cast<uint32_t>(execute_timeout_us.load() / 1000);
    return 0;
}

}  // extern "C"

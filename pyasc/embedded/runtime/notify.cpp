// Notifies: a flag (or, the counting kind, a number) that one stream sets and another waits for and clears; and words
// of device memory used in the same way.
#include <atomic>
#include <mutex>

#include "acl/acl_rt.h"
#include "runtime/arena.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/signal.h"
#include "runtime/slots.h"
#include "runtime/stream.h"

namespace pyasc {
namespace {

constexpr int64_t kCost = 200;  // nanoseconds to set a number and tell others

struct alignas(256) Notify {
    std::atomic<void*> self{nullptr};
    std::mutex mutex;
    uint32_t value = 0;
    uint32_t record(aclrtCntNotifyRecordMode mode, uint32_t v) {
        std::lock_guard<std::mutex> lock(mutex);
        switch (mode) {
            case ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE: return value = v;
            case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE: return value += v;
            case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE: return value |= v;
            default: return value &= v;
        }
    }
    bool take(aclrtCntNotifyWaitMode mode, uint32_t v, bool clear) {
        std::lock_guard<std::mutex> lock(mutex);
        bool met = false;
        switch (mode) {
            case ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE: met = value < v; break;
            case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE: met = value == v; break;
            case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE: met = value > v; break;
            case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE: met = value >= v; break;
            case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE: met = (value & v) == v; break;
        }
        if (met && clear) value = 0;
        return met;
    }
};

// The two kinds have handles of their own, so that one is never taken for the other.
Slots<Notify> flags(1 << 16), counters(1 << 16);

struct NotifyTask : Task {
    Slots<Notify>* kind;
    void* handle;
    int mode;
    uint32_t value;
    uint32_t timeout;  // seconds; 0: for ever
    bool clear;
    Notify* find() const { return kind->find(handle); }
};

int32_t run_record(Task* task) {
    auto* t = static_cast<NotifyTask*>(task);
    if (Notify* n = t->find()) n->record(static_cast<aclrtCntNotifyRecordMode>(t->mode), t->value);
    signal().notify();
    return 0;
}

int32_t run_wait(Task* task) {
    auto* t = static_cast<NotifyTask*>(task);
    const int64_t ms = t->timeout ? int64_t{1000} * t->timeout : -1;
    bool gone = false, met = false;
    Stream::block(deadline_after(ms), [&] {
        Notify* n = t->find();
        gone = n == nullptr;
        met = n && n->take(static_cast<aclrtCntNotifyWaitMode>(t->mode), t->value, t->clear);
        return gone || met;
    });
    if (met || (!gone && ms < 0)) return 0;  // or aborted, which the waiters of the stream hear otherwise
    return fail(ACL_ERROR_RT_WAIT_TIMEOUT,
                gone ? "a stream waited for a notify that was destroyed"
                     : "a stream waited %u s for a notify that did not come",
                t->timeout);
}

int32_t fail_null(const char* function, const char* name) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, name);
}

Notify* require(const char* function, Slots<Notify>& kind, void* handle, int32_t* status) {
    Notify* n = kind.find(handle);
    if (forked_child)
        *status = fail_forked(function);
    else if (!handle)
        *status = fail_null(function, "notify");
    else if (!n)
        *status = fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is no notify; it was destroyed, or never was one", function,
                       handle);
    return *status == 0 ? n : nullptr;
}

int32_t create(const char* function, Slots<Notify>& kind, void** out) {
    if (!out) return fail_null(function, "notify");
    int32_t status = 0;
    if (!require_context(function, &status)) return status;
    void* handle = nullptr;
    Notify* n = kind.take(&handle);
    if (!n) return fail(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "%s: too many notifies; destroy some", function);
    n->value = 0;
    n->self.store(handle, std::memory_order_release);
    *out = handle;
    return 0;
}

int32_t destroy(const char* function, Slots<Notify>& kind, void* handle) {
    int32_t status = 0;
    Notify* n = require(function, kind, handle, &status);
    if (!n) return status;
    void* expected = handle;
    if (!n->self.compare_exchange_strong(expected, nullptr))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is destroyed by another thread", function, handle);
    kind.give(n);
    signal().notify();
    return 0;
}

int32_t get_id(const char* function, Slots<Notify>& kind, void* handle, uint32_t* id) {
    if (!id) return fail_null(function, "notifyId");
    int32_t status = 0;
    Notify* n = require(function, kind, handle, &status);
    if (n) *id = kind.index_of(n);
    return status;
}

int32_t enqueue(const char* function, Slots<Notify>& kind, void* handle, aclrtStream stream, bool wait, int mode,
                uint32_t value, uint32_t timeout, bool clear) {
    int32_t status = 0;
    if (!require(function, kind, handle, &status) || !require_stream(function, stream, true, &status)) return status;
    auto* task = new NotifyTask;
    task->run = wait ? run_wait : run_record;
    task->release = [](Task* t) { delete static_cast<NotifyTask*>(t); };
    task->cost = wait ? kWorkerOnly : kCost;
    task->kind = &kind;
    task->handle = handle;
    task->mode = mode;
    task->value = value;
    task->timeout = timeout;
    task->clear = clear;
    return submit(stream, task);
}

struct ValueTask : Task {
    uint64_t* where;
    uint64_t value;
    uint32_t flag;
};

bool value_reached(uint64_t seen, uint64_t value, uint32_t flag) {
    switch (flag) {
        case ACL_STREAM_WAIT_VALUE_GEQ: return seen >= value;
        case ACL_STREAM_WAIT_VALUE_EQ: return seen == value;
        case ACL_STREAM_WAIT_VALUE_AND: return (seen & value) != 0;
        default: return ~(seen | value) != 0;
    }
}

int32_t run_value_write(Task* task) {
    auto* t = static_cast<ValueTask*>(task);
    __atomic_store_n(t->where, t->value, __ATOMIC_RELEASE);
    signal().notify();
    return 0;
}

// The value may also come from a copy or from the host, which tell nobody: so look now and then.
int32_t run_value_wait(Task* task) {
    auto* t = static_cast<ValueTask*>(task);
    auto reached = [t] { return value_reached(__atomic_load_n(t->where, __ATOMIC_ACQUIRE), t->value, t->flag); };
    while (!reached()) {
        const auto deadline = deadline_after(1);
        if (!Stream::block(deadline, reached) && Clock::now() < deadline) return 0;  // aborted
    }
    return 0;
}

int32_t enqueue_value(const char* function, void* where, uint64_t value, uint32_t flag, aclrtStream stream, bool wait) {
    if (!where) return fail_null(function, "devAddr");
    int32_t status = 0;
    if (!require_stream(function, stream, true, &status)) return status;
    BlockRef block;
    if (reinterpret_cast<uintptr_t>(where) % sizeof(uint64_t) != 0 || !find_block(where, &block) ||
        block.size - static_cast<size_t>(static_cast<char*>(where) - block.base) < sizeof(uint64_t))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is not eight aligned bytes of live device memory", function,
                    where);
    if (wait ? flag > ACL_STREAM_WAIT_VALUE_NOR : flag != 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: flag %u; %s", function, flag,
                    wait ? "it is GEQ 0, EQ 1, AND 2 or NOR 3" : "it is reserved and must be 0");
    auto* task = new ValueTask;
    task->run = wait ? run_value_wait : run_value_write;
    task->release = [](Task* t) { delete static_cast<ValueTask*>(t); };
    task->cost = wait ? kWorkerOnly : kCost;
    task->where = static_cast<uint64_t*>(where);
    task->value = value;
    task->flag = flag;
    return submit(stream, task);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t) { return create("aclrtCreateNotify", flags, notify); }
aclError aclrtDestroyNotify(aclrtNotify notify) { return destroy("aclrtDestroyNotify", flags, notify); }
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* id) { return get_id("aclrtGetNotifyId", flags, notify, id); }

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
    return enqueue("aclrtRecordNotify", flags, notify, stream, false, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 1, 0,
                   false);
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
    return enqueue("aclrtWaitAndResetNotify", flags, notify, stream, true, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 1,
                   timeout, true);
}

aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
    if (!notifies || num == 0)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtNotifyBatchReset: notifies is null, or num is 0");
    for (size_t i = 0; i < num; ++i) {
        int32_t status = 0;
        Notify* n = require("aclrtNotifyBatchReset", flags, notifies[i], &status);
        if (!n) return status;
        n->record(ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 0);
    }
    return 0;
}

aclError aclrtCntNotifyCreate(aclrtCntNotify* notify, uint64_t) {
    return create("aclrtCntNotifyCreate", counters, notify);
}
aclError aclrtCntNotifyDestroy(aclrtCntNotify notify) { return destroy("aclrtCntNotifyDestroy", counters, notify); }
aclError aclrtCntNotifyGetId(aclrtCntNotify notify, uint32_t* id) {
    return get_id("aclrtCntNotifyGetId", counters, notify, id);
}

aclError aclrtCntNotifyRecord(aclrtCntNotify notify, aclrtStream stream, aclrtCntNotifyRecordInfo* info) {
    const char* function = "aclrtCntNotifyRecord";
    if (!info) return fail_null(function, "info");
    const int mode = static_cast<int>(info->mode);
    if (mode < 0 || mode == 3 || mode > ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: mode %d; it is set 0, add 1, or 2, and 4", function, mode);
    return enqueue(function, counters, notify, stream, false, mode, info->value, 0, false);
}

aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify notify, aclrtStream stream, aclrtCntNotifyWaitInfo* info) {
    const char* function = "aclrtCntNotifyWaitWithTimeout";
    if (!info) return fail_null(function, "info");
    const int mode = static_cast<int>(info->mode);
    if (mode < 0 || mode > ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: mode %d; it is 0 (less) to 4 (equal under the mask)", function,
                    mode);
    return enqueue(function, counters, notify, stream, true, mode, info->value, info->timeout, info->isClear != 0);
}

aclError aclrtCntNotifyReset(aclrtCntNotify notify, aclrtStream stream) {
    return enqueue("aclrtCntNotifyReset", counters, notify, stream, false, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 0,
                   0, false);
}

aclError aclrtValueWrite(void* where, uint64_t value, uint32_t flag, aclrtStream stream) {
    return enqueue_value("aclrtValueWrite", where, value, flag, stream, false);
}

aclError aclrtValueWait(void* where, uint64_t value, uint32_t flag, aclrtStream stream) {
    return enqueue_value("aclrtValueWait", where, value, flag, stream, true);
}

}  // extern "C"

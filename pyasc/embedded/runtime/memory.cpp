// Allocation: device memory, pinned host memory, registered host memory, and what is known about a pointer.
#include <cstdio>
#include <cstring>
#include <map>
#include <shared_mutex>

#include "runtime/arena.h"
#include "runtime/context.h"
#include "runtime/copy.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/settings.h"
#include "runtime/stream.h"

namespace pyasc {
namespace {

// Host memory of others that aclrtHostRegister pinned, by its first byte.
struct Registered {
    std::shared_mutex mutex;
    std::map<const char*, size_t> ranges;
    std::atomic<size_t> count{0};
};

Registered& registered() {
    static Registered& instance = *new Registered;
    return instance;
}

bool in_registered(const void* p, size_t size) {
    Registered& r = registered();
    if (r.count.load(std::memory_order_acquire) == 0) return false;
    std::shared_lock<std::shared_mutex> lock(r.mutex);
    const char* c = static_cast<const char*>(p);
    auto it = r.ranges.upper_bound(c);
    if (it == r.ranges.begin()) return false;
    --it;
    return static_cast<size_t>(c - it->first) + size <= it->second;
}

int32_t fail_memory(const char* function, size_t size, int arena, const char* where) {
    const ArenaStats s = arena_stats(arena);
    return fail(
        ACL_ERROR_RT_MEMORY_ALLOCATION,
        "%s: no %s for %zu bytes (%.1f MiB): %zu of %zu bytes are in use, the largest gap has %zu; free some, or "
        "set PYASC_EMBEDDED_MEMORY to more before the first use",
        function, where, size, static_cast<double>(size) / (1 << 20), s.used, s.total, s.largest_free);
}

// CANN asks its driver for 32 bytes more than the caller did, in multiples of 32.
constexpr size_t kPadding = 32, kUnit = 32;

int32_t device_malloc(const char* function, void** out, size_t size, size_t padding) {
    if (!out) return fail(ACL_ERROR_INVALID_PARAM, "%s: devPtr is null", function);
    if (size == 0) return fail(ACL_ERROR_INVALID_PARAM, "%s: size is 0; ask for at least one byte", function);
    int32_t status = 0;
    Context* c = require_context(function, &status);
    if (!c) return status;
    char* p = nullptr;
    if (size <= SIZE_MAX - padding - kUnit) p = allocate_block(c->device, (size + padding + kUnit - 1) / kUnit * kUnit);
    if (!p) return fail_memory(function, size, c->device, "device memory");
    *out = p;
    return 0;
}

int32_t host_malloc(const char* function, void** out, size_t size) {
    if (!out) return fail(ACL_ERROR_INVALID_PARAM, "%s: hostPtr is null", function);
    if (size == 0) return fail(ACL_ERROR_INVALID_PARAM, "%s: size is 0; ask for at least one byte", function);
    int32_t status = 0;
    if (!require_context(function, &status)) return status;
    char* p = allocate_block(kHostArena, size);
    if (!p) return fail_memory(function, size, kHostArena, "pinned host memory");
    *out = p;
    return 0;
}

int32_t release(const char* function, void* p, bool device) {
    if (!p) return fail(ACL_ERROR_INVALID_PARAM, "%s: the pointer is null", function);
    if (forked_child) return fail_forked(function);
    BlockRef block;
    const bool known = device ? find_block(p, &block) : find_pinned(p, &block);
    if (known && free_block(p)) return 0;
    if (known)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p lies inside a block that begins at %p; free that", function, p,
                    static_cast<void*>(block.base));
    return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is not memory from %s, or was already freed", function, p,
                device ? "aclrtMalloc" : "aclrtMallocHost");
}

int32_t synchronize_current_device(const char* function) {
    Context* c = current_context_or_null();
    return c ? synchronize_all(c->device, kForever, function) : 0;
}

int32_t register_host(const char* function, void* p, uint64_t size) {
    if (!p || size == 0)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: ptr %p, size %llu", function, p,
                    static_cast<unsigned long long>(size));
    int32_t status = 0;
    if (!require_context(function, &status)) return status;
    Registered& r = registered();
    std::unique_lock<std::shared_mutex> lock(r.mutex);
    const char* c = static_cast<const char*>(p);
    auto next = r.ranges.lower_bound(c);
    const bool overlaps = (next != r.ranges.end() && next->first < c + size) ||
                          (next != r.ranges.begin() && std::prev(next)->first + std::prev(next)->second > c);
    if (overlaps)
        return fail(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "%s: %p..+%llu overlaps memory that is registered",
                    function, p, static_cast<unsigned long long>(size));
    r.ranges[c] = size;
    r.count.store(r.ranges.size(), std::memory_order_release);
    return 0;
}

}  // namespace

bool is_pinned(const void* p, size_t size) {
    BlockRef block;
    if (find_pinned(p, &block))
        return static_cast<size_t>(static_cast<const char*>(p) - block.base) + size <= block.size;
    return in_registered(p, size);
}

}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtMalloc(void** out, size_t size, aclrtMemMallocPolicy policy) {
    const bool giant = policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
    return device_malloc("aclrtMalloc", out, size, giant ? 0 : kPadding);
}

aclError aclrtMallocAlign32(void** out, size_t size, aclrtMemMallocPolicy) {
    return device_malloc("aclrtMallocAlign32", out, size, 0);
}

aclError aclrtMallocCached(void** out, size_t size, aclrtMemMallocPolicy) {
    return device_malloc("aclrtMallocCached", out, size, kPadding);
}

aclError aclrtMallocWithCfg(void** out, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig*) {
    return device_malloc("aclrtMallocWithCfg", out, size, kPadding);
}

aclError aclrtMallocForTaskScheduler(void** out, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig*) {
    return device_malloc("aclrtMallocForTaskScheduler", out, size, kPadding);
}

aclError aclrtFree(void* p) { return release("aclrtFree", p, true); }

aclError aclrtFreeWithDevSync(void* p) {
    if (!p || forked_child) return release("aclrtFreeWithDevSync", p, true);
    const int32_t work = synchronize_current_device("aclrtFreeWithDevSync");
    const int32_t status = release("aclrtFreeWithDevSync", p, true);
    return status ? status : work;
}

aclError aclrtMallocHost(void** out, size_t size) { return host_malloc("aclrtMallocHost", out, size); }

aclError aclrtMallocHostWithCfg(void** out, uint64_t size, aclrtMallocConfig*) {
    return host_malloc("aclrtMallocHostWithCfg", out, size);
}

aclError aclrtFreeHost(void* p) { return release("aclrtFreeHost", p, false); }

aclError aclrtFreeHostWithDevSync(void* p) {
    if (!p || forked_child) return release("aclrtFreeHostWithDevSync", p, false);
    const int32_t work = synchronize_current_device("aclrtFreeHostWithDevSync");
    const int32_t status = release("aclrtFreeHostWithDevSync", p, false);
    return status ? status : work;
}

aclError aclrtHostRegister(void* p, uint64_t size, aclrtHostRegisterType, void** device) {
    if (!device) return fail(ACL_ERROR_INVALID_PARAM, "aclrtHostRegister: devPtr is null");
    const int32_t status = register_host("aclrtHostRegister", p, size);
    if (status == 0) *device = p;  // host and device share one address space
    return status;
}

aclError aclrtHostRegisterV2(void* p, uint64_t size, uint32_t) { return register_host("aclrtHostRegisterV2", p, size); }

aclError aclrtHostGetDevicePointer(void* host, void** device, uint32_t) {
    if (!host || !device)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtHostGetDevicePointer: pHost %p, pDevice %p", host,
                    static_cast<void*>(device));
    if (!is_pinned(host, 1))
        return fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "aclrtHostGetDevicePointer: %p is not registered host memory",
                    host);
    *device = host;
    return 0;
}

aclError aclrtHostUnregister(void* p) {
    if (!p) return fail(ACL_ERROR_INVALID_PARAM, "aclrtHostUnregister: ptr is null");
    if (forked_child) return fail_forked("aclrtHostUnregister");
    Registered& r = registered();
    std::unique_lock<std::shared_mutex> lock(r.mutex);
    if (r.ranges.erase(static_cast<const char*>(p)) == 0)
        return fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
                    "aclrtHostUnregister: %p is not the start of registered memory", p);
    r.count.store(r.ranges.size(), std::memory_order_release);
    return 0;
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
    if (!free || !total)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetMemInfo: free %p, total %p", static_cast<void*>(free),
                    static_cast<void*>(total));
    const int a = static_cast<int>(attr);
    if (a < ACL_DDR_MEM || a > ACL_MEM_P2P_HUGE1G)
        return fail(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "aclrtGetMemInfo: there is no kind of memory %d", a);
    int32_t status = 0;
    Context* c = require_context("aclrtGetMemInfo", &status);
    if (!c) return status;
    const ArenaStats s = arena_stats(c->device);  // one kind of memory, whatever it is called
    *total = s.total;
    *free = s.total - s.used;
    return 0;
}

aclError aclrtGetMemUsageInfo(int32_t device, aclrtMemUsageInfo* info, size_t wanted, size_t* got) {
    if (!info || !got || wanted == 0)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetMemUsageInfo: memUsageInfo %p, outputNum %p, inputNum %zu",
                    static_cast<void*>(info), static_cast<void*>(got), wanted);
    if (forked_child) return fail_forked("aclrtGetMemUsageInfo");
    if (int32_t status = check_device("aclrtGetMemUsageInfo", device)) return status;
    if (int32_t status = set_up_device("aclrtGetMemUsageInfo")) return status;
    const ArenaStats s = arena_stats(device);
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "pyasc");
    info->curMemSize = s.used;
    info->memPeakSize = s.peak;
    *got = 1;
    return 0;
}

aclError aclrtPointerGetAttributes(const void* p, aclrtPtrAttributes* attributes) {
    if (!p || !attributes)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtPointerGetAttributes: ptr %p, attributes %p", p,
                    static_cast<void*>(attributes));
    memset(attributes, 0, sizeof *attributes);
    BlockRef block;
    attributes->pageSize = 4096;
    attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    if (find_block(p, &block)) {
        attributes->location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
        attributes->location.id = static_cast<uint32_t>(device_of(p));
        attributes->pageSize = 2 << 20;
    } else if (is_pinned(p, 1)) {
        attributes->location.type = ACL_MEM_LOCATION_TYPE_HOST;
    }
    return 0;
}

aclError aclrtMemGetAddressRange(void* p, void** base, size_t* size) {
    BlockRef block;
    if (!p || !find_block(p, &block))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMemGetAddressRange: %p is not in live device memory", p);
    if (base) *base = block.base;
    if (size) *size = block.size;
    return 0;
}

// Host and device see the same caches.
aclError aclrtMemFlush(void* p, size_t size) {
    return p && size ? 0 : fail(ACL_ERROR_INVALID_PARAM, "aclrtMemFlush: devPtr %p, size %zu", p, size);
}

aclError aclrtMemInvalidate(void* p, size_t size) {
    return p && size ? 0 : fail(ACL_ERROR_INVALID_PARAM, "aclrtMemInvalidate: devPtr %p, size %zu", p, size);
}

}  // extern "C"

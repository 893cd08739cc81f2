// aclrtReserveMemAddress, aclrtMallocPhysical, aclrtMapMem and their counterparts: physical memory is an anonymous
// file, mapped into the device's address range where the program wants it.
#include "runtime/vmm.h"

#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <shared_mutex>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/slots.h"

namespace pyasc {
namespace {

constexpr size_t kPage = size_t{2} << 20;  // granularity of all sizes and addresses
constexpr int kMaxMappings = 1 << 20;

struct alignas(256) Physical {
    std::atomic<void*> self{nullptr};
    int file = -1;
    int device = 0;
    size_t size = 0;
    int users = 0;  // the handle, retained handles and mappings; under the mutex
    aclrtPhysicalMemProp properties;
};

Slots<Physical> physicals(1 << 16);

struct Mapping {
    size_t size;
    Physical* physical;
    char* reservation;
    uint32_t index;
    uint32_t generation;
};

struct Shared {
    std::shared_mutex mutex;
    std::map<char*, size_t> reservations;
    std::map<char*, Mapping> mappings;
    std::vector<uint32_t> spare;
    uint32_t next_index = 0;
};

Shared& shared() {
    static Shared& instance = *new Shared;
    return instance;
}

template <class Map>
typename Map::iterator containing(Map& map, const void* p) {
    auto it = map.upper_bound(static_cast<char*>(const_cast<void*>(p)));
    return it == map.begin() ? map.end() : std::prev(it);
}

std::map<char*, Mapping>::iterator mapping_at(const void* p) {
    auto& mappings = shared().mappings;
    auto it = containing(mappings, p);
    if (it != mappings.end() && static_cast<size_t>(static_cast<const char*>(p) - it->first) >= it->second.size)
        it = mappings.end();
    return it;
}

// With the mutex held.
void drop(Physical* p) {
    if (--p->users > 0) return;
    p->self.store(nullptr, std::memory_order_release);
    close(p->file);
    charge_device(p->device, -static_cast<int64_t>(p->size));
    physicals.give(p);
}

int32_t unmap(std::map<char*, Mapping>::iterator it) {
    const Mapping m = it->second;
    void* p = mmap(it->first, m.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (p == MAP_FAILED) return fail(ACL_ERROR_RT_MEMORY_FREE, "aclrtUnmapMem: the system refuses to unmap %p", p);
    block_generation(m.index).fetch_add(1, std::memory_order_release);
    shared().spare.push_back(m.index);
    shared().mappings.erase(it);
    drop(m.physical);
    return 0;
}

bool whole_pages(size_t n) { return n != 0 && n % kPage == 0; }

// A gap of that size among the reservations, first fit; `wanted` if it is free. nullptr: none.
char* find_gap(size_t size, char* wanted) {
    size_t room = 0;
    char* const begin = mappable_range(&room);
    auto& all = shared().reservations;
    char* at = begin;
    for (auto it = all.begin();; ++it) {
        char* const end = it == all.end() ? begin + room : it->first;
        if (wanted && wanted >= at && wanted <= end && static_cast<size_t>(end - wanted) >= size) return wanted;
        if (!wanted && static_cast<size_t>(end - at) >= size) return at;
        if (it == all.end()) return nullptr;
        at = it->first + it->second;
    }
}

int32_t fail_null(const char* function, const char* name) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, name);
}

int32_t fail_share(const char* function) {
    return fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        "%s: memory of the embedded device cannot be shared between processes; use threads, or copy through host "
        "memory",
        function);
}

Physical* require_physical(const char* function, aclrtDrvMemHandle handle, int32_t* status) {
    Physical* p = handle ? physicals.find(handle) : nullptr;
    if (forked_child)
        *status = fail_forked(function);
    else if (!handle)
        *status = fail_null(function, "handle");
    else if (!p)
        *status = fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is no physical memory; it was freed, or never was", function,
                       handle);
    return *status == 0 ? p : nullptr;
}

int32_t check_map(char* at, size_t size, size_t offset, const Physical* p, char** reservation) {
    if (!whole_pages(size) || reinterpret_cast<uintptr_t>(at) % kPage != 0 || offset % kPage != 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtMapMem: address %p, size %zu and offset %zu must be multiples of %zu", static_cast<void*>(at),
                    size, offset, kPage);
    if (offset > p->size || size > p->size - offset)
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtMapMem: offset %zu and size %zu reach beyond the %zu bytes of the handle", offset, size,
                    p->size);
    auto it = containing(shared().reservations, at);
    if (it == shared().reservations.end() || static_cast<size_t>(at - it->first) > it->second ||
        size > it->second - static_cast<size_t>(at - it->first))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMapMem: %p..+%zu is not inside a range of aclrtReserveMemAddress",
                    static_cast<void*>(at), size);
    auto next = shared().mappings.lower_bound(at);
    if (mapping_at(at) != shared().mappings.end() || (next != shared().mappings.end() && next->first < at + size))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMapMem: something is mapped in %p..+%zu already; unmap it first",
                    static_cast<void*>(at), size);
    *reservation = it->first;
    return 0;
}

int32_t reserve_address(const char* function, void** out, size_t size, size_t alignment, void* wanted) {
    if (!out) return fail_null(function, "virPtr");
    if (size == 0) return fail(ACL_ERROR_INVALID_PARAM, "%s: size is 0", function);
    if (alignment != 0 && (alignment > kPage || (alignment & (alignment - 1))))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: alignment %zu; 0 or a power of two up to %zu", function, alignment,
                    kPage);
    int32_t status = 0;
    if (!require_context(function, &status)) return status;
    const size_t bytes = size > SIZE_MAX - kPage ? SIZE_MAX : (size + kPage - 1) / kPage * kPage;
    std::unique_lock<std::shared_mutex> lock(shared().mutex);
    char* at = wanted && reinterpret_cast<uintptr_t>(wanted) % kPage == 0 ? find_gap(bytes, static_cast<char*>(wanted))
                                                                          : nullptr;
    if (!at) at = find_gap(bytes, nullptr);  // the address is a wish
    if (!at)
        return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no room for %zu bytes of addresses; release some", function,
                    size);
    shared().reservations[at] = bytes;
    *out = at;
    return 0;
}

}  // namespace

bool find_mapped(const void* p, BlockRef* out) {
    if (forked_child) return false;  // the lock may have been held at the fork
    std::shared_lock<std::shared_mutex> lock(shared().mutex);
    auto& mappings = shared().mappings;
    const auto it = mapping_at(p);
    if (it == mappings.end()) return false;
    auto joins = [](auto a, auto b) {
        return a->first + a->second.size == b->first && a->second.reservation == b->second.reservation;
    };
    auto first = it, last = it;
    while (first != mappings.begin() && joins(std::prev(first), first)) --first;
    while (std::next(last) != mappings.end() && joins(last, std::next(last))) ++last;
    *out = {first->first, static_cast<size_t>(last->first + last->second.size - first->first), it->second.index,
            it->second.generation};
    return true;
}

int mapped_device(const void* p) {
    if (forked_child) return 0;
    std::shared_lock<std::shared_mutex> lock(shared().mutex);
    const auto it = mapping_at(p);
    return it == shared().mappings.end() ? 0 : it->second.physical->device;
}

}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtReserveMemAddress(void** out, size_t size, size_t alignment, void* wanted, uint64_t) {
    return reserve_address("aclrtReserveMemAddress", out, size, alignment, wanted);
}

aclError aclrtReserveMemAddressNoUCMemory(void** out, size_t size, size_t alignment, void* wanted, uint64_t) {
    return reserve_address("aclrtReserveMemAddressNoUCMemory", out, size, alignment, wanted);
}

aclError aclrtReleaseMemAddress(void* p) {
    const char* function = "aclrtReleaseMemAddress";
    if (!p) return fail_null(function, "virPtr");
    if (forked_child) return fail_forked(function);
    std::unique_lock<std::shared_mutex> lock(shared().mutex);
    auto it = shared().reservations.find(static_cast<char*>(p));
    if (it == shared().reservations.end())
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is not from aclrtReserveMemAddress, or was released", function,
                    p);
    auto mapped = shared().mappings.lower_bound(it->first);
    if (mapped != shared().mappings.end() && mapped->first < it->first + it->second)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: memory is still mapped at %p; unmap it first", function,
                    static_cast<void*>(mapped->first));
    shared().reservations.erase(it);
    return 0;
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* properties, aclrtMemGranularityOptions option,
                                          size_t* granularity) {
    const char* function = "aclrtMemGetAllocationGranularity";
    if (!properties || !granularity) return fail_null(function, properties ? "granularity" : "prop");
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM && option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: there is no option %d", function, static_cast<int>(option));
    *granularity = kPage;
    return 0;
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* out, size_t size, const aclrtPhysicalMemProp* properties,
                             uint64_t flags) {
    const char* function = "aclrtMallocPhysical";
    if (!out || !properties) return fail_null(function, out ? "prop" : "handle");
    if (flags != 0) return fail(ACL_ERROR_INVALID_PARAM, "%s: flags is reserved and must be 0", function);
    if (!whole_pages(size))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: size %zu is not a multiple of %zu", function, size, kPage);
    int32_t status = 0;
    if (!require_context(function, &status)) return status;
    const bool host = properties->location.type == ACL_MEM_LOCATION_TYPE_HOST;
    const int device = host ? 0 : static_cast<int>(properties->location.id);
    if ((status = check_device(function, device))) return status;
    const ArenaStats s = arena_stats(device);
    if (size > s.total || !charge_device(device, static_cast<int64_t>(size)))
        return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no room for %zu bytes: %zu of %zu are in use", function, size,
                    s.used, s.total);
    void* handle = nullptr;
    Physical* p = physicals.take(&handle);
    const int file = p ? memfd_create("pyasc device memory", MFD_CLOEXEC) : -1;
    if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) {
        if (file >= 0) close(file);
        if (p) physicals.give(p);
        charge_device(device, -static_cast<int64_t>(size));
        return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "%s: the system has no file for %zu bytes", function, size);
    }
    p->file = file;
    p->device = device;
    p->size = size;
    p->users = 1;
    p->properties = *properties;
    p->self.store(handle, std::memory_order_release);
    *out = handle;
    return 0;
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
    int32_t status = 0;
    if (!require_physical("aclrtFreePhysical", handle, &status)) return status;
    std::unique_lock<std::shared_mutex> lock(shared().mutex);
    Physical* p = physicals.find(handle);
    if (!p) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtFreePhysical: %p is freed by another thread", handle);
    drop(p);  // what is mapped stays until it is unmapped
    return 0;
}

aclError aclrtMapMem(void* at, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t) {
    if (!at) return fail_null("aclrtMapMem", "virPtr");
    int32_t status = 0;
    Physical* p = require_physical("aclrtMapMem", handle, &status);
    if (!p) return status;
    Shared& s = shared();
    std::unique_lock<std::shared_mutex> lock(s.mutex);
    char* reservation = nullptr;
    if ((status = check_map(static_cast<char*>(at), size, offset, p, &reservation))) return status;
    if (s.spare.empty() && s.next_index == kMaxMappings)
        return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "aclrtMapMem: too many mappings; unmap some");
    void* got = mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, p->file, static_cast<off_t>(offset));
    if (got == MAP_FAILED)
        return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMapMem: the system refuses to map %zu bytes", size);
    uint32_t index;
    if (s.spare.empty()) {
        index = first_mapped_index() + s.next_index++;
    } else {
        index = s.spare.back();
        s.spare.pop_back();
    }
    const uint32_t generation = block_generation(index).fetch_add(1, std::memory_order_acq_rel) + 1;
    ++p->users;
    s.mappings[static_cast<char*>(at)] = {size, p, reservation, index, generation};
    return 0;
}

aclError aclrtUnmapMem(void* p) {
    if (!p) return fail_null("aclrtUnmapMem", "virPtr");
    if (forked_child) return fail_forked("aclrtUnmapMem");
    std::unique_lock<std::shared_mutex> lock(shared().mutex);
    auto it = shared().mappings.find(static_cast<char*>(p));
    if (it == shared().mappings.end())
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtUnmapMem: nothing was mapped to begin at %p", p);
    return unmap(it);
}

aclError aclrtMemSetAccess(void* p, size_t size, aclrtMemAccessDesc* desc, size_t count) {
    if (!p || !desc) return fail_null("aclrtMemSetAccess", p ? "desc" : "virPtr");
    BlockRef run;
    const bool mapped = find_block(p, &run) && size <= run.size - static_cast<size_t>(static_cast<char*>(p) - run.base);
    if (!mapped || size == 0 || count == 0)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMemSetAccess: %p..+%zu is not mapped, or count %zu is 0", p, size,
                    count);
    return 0;  // every device reads and writes all memory
}

aclError aclrtMemGetAccess(void* p, aclrtMemLocation* location, uint64_t* flag) {
    if (!p || !location || !flag) return fail_null("aclrtMemGetAccess", "an argument");
    BlockRef run;
    if (!find_block(p, &run)) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMemGetAccess: nothing is mapped at %p", p);
    *flag = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    return 0;
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* properties) {
    if (!properties) return fail_null("aclrtMemGetAllocationPropertiesFromHandle", "prop");
    int32_t status = 0;
    Physical* p = require_physical("aclrtMemGetAllocationPropertiesFromHandle", handle, &status);
    if (p) *properties = p->properties;
    return status;
}

aclError aclrtMemRetainAllocationHandle(void* at, aclrtDrvMemHandle* handle) {
    const char* function = "aclrtMemRetainAllocationHandle";
    if (!at || !handle) return fail_null(function, at ? "handle" : "virPtr");
    if (forked_child) return fail_forked(function);
    std::unique_lock<std::shared_mutex> lock(shared().mutex);
    auto it = mapping_at(at);
    if (it == shared().mappings.end())
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: nothing is mapped at %p", function, at);
    ++it->second.physical->users;
    *handle = it->second.physical->self.load(std::memory_order_relaxed);
    return 0;
}

// Between processes.

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType, uint64_t, uint64_t* out) {
    if (!out) return fail_null("aclrtMemExportToShareableHandle", "shareableHandle");
    int32_t status = 0;
    if (!require_physical("aclrtMemExportToShareableHandle", handle, &status)) return status;
    return fail_share("aclrtMemExportToShareableHandle");
}

aclError aclrtMemImportFromShareableHandle(uint64_t, int32_t, aclrtDrvMemHandle* handle) {
    if (!handle) return fail_null("aclrtMemImportFromShareableHandle", "handle");
    return fail_share("aclrtMemImportFromShareableHandle");
}

aclError aclrtMemSetPidToShareableHandle(uint64_t, int32_t* pid, size_t) {
    if (!pid) return fail_null("aclrtMemSetPidToShareableHandle", "pid");
    return fail_share("aclrtMemSetPidToShareableHandle");
}

aclError aclrtIpcMemGetExportKey(void* p, size_t, char* key, size_t, uint64_t) {
    if (!p || !key) return fail_null("aclrtIpcMemGetExportKey", p ? "key" : "devPtr");
    return fail_share("aclrtIpcMemGetExportKey");
}

aclError aclrtIpcMemImportByKey(void** p, const char* key, uint64_t) {
    if (!p || !key) return fail_null("aclrtIpcMemImportByKey", p ? "key" : "devPtr");
    return fail_share("aclrtIpcMemImportByKey");
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t) {
    if (!key || !pid) return fail_null("aclrtIpcMemSetImportPid", key ? "pid" : "key");
    return fail_share("aclrtIpcMemSetImportPid");
}

aclError aclrtIpcMemClose(const char* key) {
    if (!key) return fail_null("aclrtIpcMemClose", "key");
    return fail_share("aclrtIpcMemClose");
}

}  // extern "C"

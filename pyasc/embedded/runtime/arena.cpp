// The address range of all arenas: first those of the devices, each at a multiple of a power of two so that an address
// says which it is in, then addresses for memory that programs map themselves, then pinned host memory.
#include "runtime/arena.h"

#include "runtime/allocator.h"
#include "runtime/settings.h"
#include "runtime/vmm.h"

namespace pyasc {
namespace {

constexpr size_t kAlign = size_t{2} << 20;
constexpr size_t kMostMappable = size_t{512} << 30;

struct Space {
    char* base = nullptr;
    size_t arena_bytes = 0;   // of the devices, from `base` on
    size_t device_bytes = 0;  // and with what can be mapped
    size_t bytes = 0;         // and with pinned memory
    size_t capacity = 0;      // of one arena
    int shift = 0;
    std::vector<Arena> devices;
    Arena host;
    Record* records = nullptr;

    size_t offset(const void* p) const { return reinterpret_cast<uintptr_t>(p) - reinterpret_cast<uintptr_t>(base); }
    // The arena of an offset and the offset in it; nullptr in between.
    Arena* arena(size_t* at) {
        Arena* a = &host;
        if (*at < arena_bytes) {
            a = &devices[*at >> shift];
            *at &= (size_t{1} << shift) - 1;
        } else if (*at < device_bytes || *at >= bytes) {
            return nullptr;
        } else {
            *at -= device_bytes;
        }
        return *at < capacity ? a : nullptr;
    }
};

Space nothing;  // until the arenas stand
std::atomic<Space*> space_pointer{&nothing};

Space& space() { return *space_pointer.load(std::memory_order_acquire); }

Space* build() {
    auto* s = new Space;
    const size_t count = settings().visible.size();
    s->capacity = settings().memory;
    while ((size_t{1} << s->shift) < s->capacity) ++s->shift;
    const size_t stride = size_t{1} << s->shift;
    s->arena_bytes = stride * count;
    s->device_bytes = s->arena_bytes + std::min(kMostMappable, 16 * s->arena_bytes);
    s->bytes = s->device_bytes + stride;
    void* p = mmap(nullptr, s->bytes + kAlign, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    s->records = reserve_zeros<Record>((count + 2) << kRecordShift);
    if (p == MAP_FAILED || !s->records) return nullptr;
    s->base = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(p) + kAlign - 1) / kAlign * kAlign);
    s->devices = std::vector<Arena>(count);
    auto reserve = [s](Arena* a, size_t offset, size_t index) {
        return a->reserve(s->base + offset, s->capacity, static_cast<uint32_t>(index << kRecordShift), s->records);
    };
    for (size_t d = 0; d < count; ++d)
        if (!reserve(&s->devices[d], d << s->shift, d)) return nullptr;
    return reserve(&s->host, s->device_bytes, count) ? s : nullptr;
}

Arena& arena(int number) { return number == kHostArena ? space().host : space().devices[static_cast<size_t>(number)]; }

}  // namespace

bool set_up_arenas() {
    static std::mutex& mutex = *new std::mutex;
    if (space_pointer.load(std::memory_order_acquire) != &nothing) return true;
    std::lock_guard<std::mutex> lock(mutex);
    if (space_pointer.load(std::memory_order_relaxed) != &nothing) return true;
    Space* s = build();
    if (s) space_pointer.store(s, std::memory_order_release);
    return s != nullptr;
}

bool is_device_memory(const void* p) {
    const Space& s = space();
    return s.offset(p) < s.device_bytes;
}

int device_of(const void* p) {
    const Space& s = space();
    const size_t offset = s.offset(p);
    return offset < s.arena_bytes ? static_cast<int>(offset >> s.shift) : mapped_device(p);
}

bool find_block(const void* p, BlockRef* out) {
    Space& s = space();
    size_t at = s.offset(p);
    if (at >= s.device_bytes) return false;
    if (at >= s.arena_bytes) return find_mapped(p, out);
    const Arena* a = s.arena(&at);
    return a && a->find(at, out);
}

bool find_pinned(const void* p, BlockRef* out) {
    Space& s = space();
    size_t at = s.offset(p);
    const Arena* a = at >= s.device_bytes ? s.arena(&at) : nullptr;
    return a && a->find(at, out);
}

bool block_alive(uint32_t index, uint32_t generation) {
    const Record* records = space().records;
    return records && records[index].generation.load(std::memory_order_acquire) == generation;
}

char* allocate_block(int number, size_t size) { return arena(number).allocate(size); }

bool free_block(void* p) {
    Space& s = space();
    size_t at = s.offset(p);
    Arena* a = at < s.bytes ? s.arena(&at) : nullptr;
    return a && a->release(at);
}

void release_device_memory(int device) { arena(device).release_all(); }

ArenaStats arena_stats(int number) { return arena(number).stats(); }

bool charge_device(int device, int64_t bytes) { return arena(device).charge(bytes); }

char* mappable_range(size_t* size) {
    const Space& s = space();
    *size = s.device_bytes - s.arena_bytes;
    return s.base + s.arena_bytes;
}

uint32_t first_mapped_index() { return static_cast<uint32_t>((space().devices.size() + 1) << kRecordShift); }

std::atomic<uint32_t>& block_generation(uint32_t index) { return space().records[index].generation; }

}  // namespace pyasc

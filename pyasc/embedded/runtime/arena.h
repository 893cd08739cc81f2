// Which memory is device memory. One reserved address range holds the arenas of all devices and is never unmapped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pyasc {

// A block handed out by aclrtMalloc. `index` and `generation` tell later, at the cost of one load, whether it still
// lives.
struct BlockRef {
    char* base = nullptr;
    size_t size = 0;
    uint32_t index = 0;
    uint32_t generation = 0;
};

// The live block that contains `p`; false if there is none.
bool find_block(const void* p, BlockRef* out);

// Whether the block that `find_block` returned has not been freed since. Lock-free, a few instructions.
bool block_alive(uint32_t index, uint32_t generation);

// Whether `p` lies in some device's arena at all. Two comparisons.
bool is_device_memory(const void* p);

// For the runtime itself. Arena d is device d's.

constexpr int kHostArena = -1;  // pinned host memory

bool set_up_arenas();  // reserves the range; false if there is no address space. Thread-safe, cheap when done

char* allocate_block(int arena, size_t size);    // aligned to 512; nullptr if there is no room
bool free_block(void* p);                        // false if no live block begins there
bool find_pinned(const void* p, BlockRef* out);  // like find_block, for pinned host memory
int device_of(const void* p);                    // of device memory, whether live or not
void release_device_memory(int device);          // frees every block

struct ArenaStats {
    size_t total, used, peak, largest_free;
};
ArenaStats arena_stats(int arena);
bool charge_device(int device, int64_t bytes);  // physical memory outside the arena; false if there is no room

// What vmm.cpp builds upon: addresses it may map, and block indices that are its own.
char* mappable_range(size_t* size);
uint32_t first_mapped_index();
std::atomic<uint32_t>& block_generation(uint32_t index);

}  // namespace pyasc

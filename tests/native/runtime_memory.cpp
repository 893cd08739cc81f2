// Allocation, exhaustion and what comes back; copies and fills with all that can be wrong about them.
#include <algorithm>
#include <fstream>
#include <random>
#include <string>

#include "runtime_check.h"

namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kTotal = 256 * kMiB;

void* device(size_t size) {
    void* p = nullptr;
    CODE(0, aclrtMalloc(&p, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return p;
}

void* pinned(size_t size) {
    void* p = nullptr;
    CODE(0, aclrtMallocHost(&p, size));
    return p;
}

size_t free_bytes() {
    size_t free = 0, total = 0;
    CODE(0, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    CHECK(total == kTotal);
    return free;
}

size_t resident() {
    std::ifstream file("/proc/self/statm");
    size_t pages = 0;
    file >> pages >> pages;
    return pages * static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
}

void allocation_codes() {
    void* p = nullptr;
    CODE(100000, aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(100000, aclrtMalloc(&p, 0, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(100000, aclrtMallocHost(nullptr, 8));
    CODE(100000, aclrtMallocHost(&p, 0));
    CODE(100000, aclrtFree(nullptr));
    CODE(100000, aclrtFreeHost(nullptr));
    for (int policy : {0, 1, 2, 3, 4, 5, 6, 7, 256, 4096, 12345}) {
        CODE(0, aclrtMalloc(&p, 1000, static_cast<aclrtMemMallocPolicy>(policy)));
        CHECK(reinterpret_cast<uintptr_t>(p) % 512 == 0);
        std::memset(p, 1, 1032);  // the padding is there
        CODE(0, aclrtFree(p));
    }
    CODE(0, aclrtMallocAlign32(&p, 1000, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(0, aclrtFree(p));
    CODE(107000, aclrtFree(p));  // twice
    for (void* bad : bad_handles(p)) {
        CODE(107000, aclrtFree(bad));
        CODE(107000, aclrtFreeHost(bad));
    }
    p = device(4096);
    void* host = pinned(64);
    CHECK(reinterpret_cast<uintptr_t>(host) % 64 == 0);
    CODE(107000, aclrtFree(static_cast<char*>(p) + 512));  // inside a block
    CODE(107000, aclrtFreeHost(p));
    CODE(107000, aclrtFree(host));
    std::thread([=] { CODE(0, aclrtFree(p)); }).join();  // needs no context
    CODE(0, aclrtFreeHost(host));
    size_t a, b;
    CODE(100000, aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &b));
    CODE(107016, aclrtGetMemInfo(static_cast<aclrtMemAttr>(99), &a, &b));
    CODE(107016, aclrtGetMemInfo(static_cast<aclrtMemAttr>(-1), &a, &b));
}

void exhaustion() {
    const size_t before = free_bytes();
    CHECK(before == kTotal);
    void* p = nullptr;
    CHECK(aclrtMalloc(&p, kTotal + 1, ACL_MEM_MALLOC_HUGE_FIRST) == 207001);
    const char* text = aclGetRecentErrMsg();
    CHECK(text && std::strncmp(text, "EL0004", 6) == 0 && std::strstr(text, std::to_string(kTotal + 1).c_str()) &&
          std::strstr(text, std::to_string(kTotal).c_str()));
    for (size_t huge : {SIZE_MAX, SIZE_MAX - 31, SIZE_MAX / 2, kTotal * 4})
        CODE(207001, aclrtMalloc(&p, huge, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(0, aclrtMallocAlign32(&p, kTotal, ACL_MEM_MALLOC_HUGE_FIRST));  // to the last byte
    CHECK(free_bytes() == 0);
    void* q = nullptr;
    CODE(207001, aclrtMalloc(&q, 1, ACL_MEM_MALLOC_HUGE_FIRST));
    CODE(0, aclrtFree(p));
    CHECK(free_bytes() == before);
    std::vector<void*> blocks;
    while (aclrtMalloc(&p, kMiB, ACL_MEM_MALLOC_HUGE_FIRST) == 0) blocks.push_back(p);
    aclGetRecentErrMsg();
    CHECK(blocks.size() == 255);
    for (size_t i = 0; i < blocks.size(); i += 2) CODE(0, aclrtFree(blocks[i]));
    CODE(207001, aclrtMalloc(&p, 2 * kMiB, ACL_MEM_MALLOC_HUGE_FIRST));  // only gaps
    for (size_t i = 1; i < blocks.size(); i += 2) CODE(0, aclrtFree(blocks[i]));
    CODE(0, aclrtMallocAlign32(&p, kTotal, ACL_MEM_MALLOC_HUGE_FIRST));  // which have become one
    CODE(0, aclrtFree(p));
    CODE(0, aclrtSetDevice(1));  // each device has its own
    p = device(kMiB);
    CHECK(free_bytes() < kTotal);
    CODE(0, aclrtSetDevice(0));
    CHECK(free_bytes() == kTotal);
    CODE(0, aclrtResetDevice(1));  // its memory goes with it
    CODE(107000, aclrtFree(p));
}

// Blocks of all sizes, taken and given back in random order, never overlap.
void random_blocks() {
    std::mt19937 random(7);
    struct Block {
        char* p;
        size_t size;
        char fill;
    };
    std::vector<Block> blocks;
    for (int i = 0; i < 20000; ++i) {
        if (blocks.size() > 150 || (!blocks.empty() && random() % 3 == 0)) {
            const size_t k = random() % blocks.size();
            const Block b = blocks[k];
            CHECK(b.p[0] == b.fill && b.p[b.size - 1] == b.fill && b.p[b.size / 2] == b.fill);
            CODE(0, aclrtFree(b.p));
            blocks[k] = blocks.back();
            blocks.pop_back();
        } else {
            const size_t size = 1 + random() % (size_t{1} << random() % 20);
            void* p = device(size);
            if (!p) return;
            blocks.push_back({static_cast<char*>(p), size, static_cast<char>(random())});
            std::memset(p, blocks.back().fill, size);
        }
    }
    for (const Block& b : blocks) CODE(0, aclrtFree(b.p));
    CHECK(free_bytes() == kTotal);
}

// Freed memory goes back to the system beyond a bound (a quarter of so small a device).
void residency() {
    void* p = device(200 * kMiB);
    const size_t base = resident();
    std::memset(p, 1, 200 * kMiB);
    CHECK(resident() > base + 190 * kMiB);
    CODE(0, aclrtFree(p));
    CHECK(resident() < base + 70 * kMiB);
    p = device(32 * kMiB);
    std::memset(p, 1, 32 * kMiB);
    const size_t small = resident();
    CODE(0, aclrtFree(p));
    CHECK(resident() + kMiB > small);  // below it, pages stay for the next allocation
}

void attributes() {
    char* p = static_cast<char*>(device(1000));
    char* host = static_cast<char*>(pinned(1000));
    char other[4];
    aclrtPtrAttributes a;
    CODE(0, aclrtPointerGetAttributes(p + 999, &a));
    CHECK(a.location.type == ACL_MEM_LOCATION_TYPE_DEVICE && a.location.id == 0);
    CODE(0, aclrtPointerGetAttributes(host + 999, &a));
    CHECK(a.location.type == ACL_MEM_LOCATION_TYPE_HOST);
    CODE(0, aclrtPointerGetAttributes(other, &a));
    CHECK(a.location.type == ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    CODE(100000, aclrtPointerGetAttributes(nullptr, &a));
    void *base = nullptr, *mapped = nullptr;
    size_t size = 0;
    CODE(0, aclrtMemGetAddressRange(p + 500, &base, &size));
    CHECK(base == p && size >= 1000 && size <= 1063);
    static char own[8192];
    CODE(0, aclrtHostRegister(own, sizeof own, ACL_HOST_REGISTER_MAPPED, &mapped));
    CODE(507910, aclrtHostRegister(own + 100, 8, ACL_HOST_REGISTER_MAPPED, &mapped));
    CODE(0, aclrtPointerGetAttributes(own + 8191, &a));
    CHECK(a.location.type == ACL_MEM_LOCATION_TYPE_HOST && mapped == own);
    CODE(0, aclrtHostUnregister(own));
    CODE(507911, aclrtHostUnregister(own));
    CODE(0, aclrtFree(p));
    CODE(0, aclrtFreeHost(host));
}

void copies() {
    char* p = static_cast<char*>(device(1000));
    std::vector<char> in(1000), out(1000, 0);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<char>(i * 7);
    CODE(0, aclrtMemcpy(nullptr, 0, nullptr, 0, static_cast<aclrtMemcpyKind>(99)));  // nothing to do is never wrong
    CODE(100000, aclrtMemcpy(nullptr, 8, in.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE));
    CODE(100000, aclrtMemcpy(p, 8, nullptr, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    for (int kind : {-1, 6, 7, 99}) CODE(100000, aclrtMemcpy(p, 8, in.data(), 8, static_cast<aclrtMemcpyKind>(kind)));
    CODE(107000, aclrtMemcpy(p, 7, in.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE));
    CODE(0, aclrtMemcpy(p, 8, p, 8, ACL_MEMCPY_DEVICE_TO_DEVICE));
    CODE(107000, aclrtMemcpy(p + 500, 1000, in.data(), 1000, ACL_MEMCPY_HOST_TO_DEVICE));  // beyond the block
    for (int kind = 0; kind <= 5; ++kind) {  // the pointers decide, not the kind
        std::fill(out.begin(), out.end(), 0);
        CODE(0, aclrtMemcpy(p, 1000, in.data(), 1000, static_cast<aclrtMemcpyKind>(kind)));
        CODE(0, aclrtMemcpy(out.data(), 1000, p, 1000, static_cast<aclrtMemcpyKind>(kind)));
        CHECK(in == out);
    }
    std::fill(out.begin(), out.end(), 0);
    CODE(0, aclrtMemcpy(out.data(), 1000, in.data(), 1000, ACL_MEMCPY_HOST_TO_HOST));
    CHECK(in == out);
    CODE(0, aclrtFree(p));
    CODE(107000, aclrtMemcpy(out.data(), 8, p, 8, ACL_MEMCPY_DEVICE_TO_HOST));  // freed
}

void asynchronous_copies() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    char* p = static_cast<char*>(device(64));
    char* host = static_cast<char*>(pinned(64));
    char pageable[64] = {}, back[64] = {};
    std::memset(host, 3, 64);
    std::memset(pageable, 4, 64);
    CODE(0, aclrtMemcpyAsync(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT, s));
    CODE(100000, aclrtMemcpyAsync(p, 64, nullptr, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    CODE(100000, aclrtMemcpyAsync(p, 64, host, 64, static_cast<aclrtMemcpyKind>(6), s));
    CODE(107000, aclrtMemcpyAsync(p, 63, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    CODE(207000, aclrtMemcpyAsync(back, 64, pageable, 64, ACL_MEMCPY_HOST_TO_HOST, s));
    CODE(207000, aclrtMemcpyAsync(back, 64, host, 64, ACL_MEMCPY_DEFAULT, s));
    Gate gate;
    gate.hold(s);
    CODE(0, aclrtMemcpyAsync(p, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));  // pinned: returns at once
    CHECK(p[0] != 3 || gate.open);
    std::thread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        gate.open = true;
    });
    CODE(0, aclrtMemcpyAsync(back, 64, p, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));  // pageable: waits, then is done
    CHECK(gate.open && back[63] == 3);
    opener.join();
    CODE(0, aclrtMemcpyAsync(p, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    CHECK(p[63] == 4);
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtFree(p));
    CODE(0, aclrtFreeHost(host));
}

void two_dimensions() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    char* p = static_cast<char*>(device(400));
    char in[100], out[100];
    for (int i = 0; i < 100; ++i) in[i] = static_cast<char>(i);
    const auto up = ACL_MEMCPY_HOST_TO_DEVICE, down = ACL_MEMCPY_DEVICE_TO_HOST;
    CODE(100000, aclrtMemcpy2d(nullptr, 40, in, 10, 10, 10, up));
    CODE(100000, aclrtMemcpy2d(p, 40, in, 10, 11, 10, up));
    CODE(100000, aclrtMemcpy2d(p, 9, in, 10, 10, 10, up));
    for (int kind : {0, 5, 6, 99})
        CODE(100000, aclrtMemcpy2d(p, 40, in, 10, 10, 10, static_cast<aclrtMemcpyKind>(kind)));
    CODE(100000, aclrtMemcpy2d(out, 10, in, 10, 10, 10, ACL_MEMCPY_DEFAULT));
    CODE(100000, aclrtMemcpy2d(p, SIZE_MAX / 2, in, SIZE_MAX / 2, 10, 10, up));
    CODE(107000, aclrtMemcpy2d(p, 400, in, 10, 10, 10, up));  // rows beyond the block
    CODE(0, aclrtMemcpy2d(p, 40, in, 10, 0, 10, up));
    CODE(0, aclrtMemcpy2d(p, 40, in, 10, 10, 0, up));
    std::memset(p, 99, 400);
    CODE(0, aclrtMemcpy2d(p, 40, in, 10, 10, 10, up));
    CHECK(p[0] == 0 && p[9] == 9 && p[10] == 99 && p[40] == 10 && p[369] == 99 && p[370] == 99);
    CODE(0, aclrtMemcpy2d(out, 10, p, 40, 10, 10, down));
    CHECK(std::memcmp(in, out, 100) == 0);
    std::memset(out, 0, 100);
    CODE(0, aclrtMemcpy2dAsync(out, 10, p, 40, 10, 10, ACL_MEMCPY_DEFAULT, s));
    CHECK(std::memcmp(in, out, 100) == 0);
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtFree(p));
}

void fills() {
    char* p = static_cast<char*>(device(100));
    char* host = static_cast<char*>(pinned(100));
    char pageable[100];
    CODE(0, aclrtMemset(nullptr, 0, 0, 0));
    CODE(100000, aclrtMemset(nullptr, 8, 0, 8));
    CODE(107000, aclrtMemset(p, 7, 0, 8));
    CODE(107000, aclrtMemset(p, 5000, 0, 5000));
    CODE(107000, aclrtMemset(pageable, 8, 0, 8));
    CODE(0, aclrtMemset(p, 100, 0x1A5, 100));  // the low byte counts
    CHECK(p[0] == static_cast<char>(0xA5) && p[99] == static_cast<char>(0xA5));
    CODE(0, aclrtMemset(host, 100, -1, 50));
    CHECK(host[49] == -1);
    CODE(107000, aclrtMemsetAsync(pageable, 8, 0, 8, nullptr));
    CODE(0, aclrtMemsetAsync(p, 100, 9, 100, nullptr));
    CODE(0, aclrtSynchronizeStream(nullptr));
    CHECK(p[99] == 9);
    CODE(0, aclrtFree(p));
    CODE(0, aclrtFreeHost(host));
}

}  // namespace

int main() {
    setenv("PYASC_EMBEDDED_MEMORY", "256M", 1);
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    allocation_codes();
    exhaustion();
    random_blocks();
    if (!std::getenv("PYASC_NATIVE_CONFIG")) residency();  // sanitizers keep memory of their own
    attributes();
    copies();
    asynchronous_copies();
    two_dimensions();
    fills();
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
    return failures;
}

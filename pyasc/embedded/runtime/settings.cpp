// PYASC_EMBEDDED_DEVICES, PYASC_EMBEDDED_MEMORY, PYASC_EMBEDDED_SOC and ASCEND_RT_VISIBLE_DEVICES.
#include "runtime/settings.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace pyasc {
namespace {

constexpr int kDefaultDevices = 2;
constexpr int kMaxDevices = 64;
constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kSmallestMemory = 64 * kHugePage / 2;  // 64 MiB
constexpr size_t kLargestMemory = size_t{1} << 40;
constexpr size_t kDefaultCap = size_t{64} << 30;  // what the largest Ascend 910B boards have

const char* variable(const char* name) {
    const char* value = getenv(name);
    return value && *value ? value : nullptr;
}

void complain(Settings* s, const char* name, const char* value, const char* wanted) {
    if (!s->problem.empty()) return;
    s->problem = std::string(name) + "='" + value + "' is not " + wanted;
}

// "8G", "512M", "64KiB", "1073741824"; 0 if it is none of these.
size_t parse_size(const char* text) {
    char* end = nullptr;
    const double number = strtod(text, &end);
    if (end == text || !(number > 0) || number > 1e18) return 0;
    double unit = 1;
    const char* letters = "KMGT";
    const char* letter = *end ? strchr(letters, *end & ~0x20) : nullptr;
    if (letter) {
        for (const char* l = letters; l <= letter; ++l) unit *= 1024;
        ++end;
        if (*end == 'i') ++end;
    }
    if (*end == 'B' || *end == 'b') ++end;
    return *end == 0 && number * unit < 1e18 ? static_cast<size_t>(number * unit) : 0;
}

// The smaller of the machine's memory and this process's control group.
size_t usable_memory() {
    size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
    for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream file(path);
        unsigned long long limit = 0;
        if (file >> limit && limit > 0) bytes = std::min<size_t>(bytes, limit);
    }
    return bytes;
}

int read_devices(Settings* s) {
    const char* text = variable("PYASC_EMBEDDED_DEVICES");
    if (!text) return kDefaultDevices;
    char* end = nullptr;
    const long n = strtol(text, &end, 10);
    if (*end == 0 && n >= 1 && n <= kMaxDevices) return static_cast<int>(n);
    complain(s, "PYASC_EMBEDDED_DEVICES", text, "a number from 1 to 64");
    return kDefaultDevices;
}

// A list such as "1,0". As with other drivers, the first entry that is no device ends it.
void read_visible(Settings* s, int count) {
    const char* text = getenv("ASCEND_RT_VISIBLE_DEVICES");
    if (!text) {
        for (int i = 0; i < count; ++i) s->visible.push_back(i);
        return;
    }
    while (*text) {
        char* end = nullptr;
        const long id = strtol(text, &end, 10);
        const bool known = std::find(s->visible.begin(), s->visible.end(), id) != s->visible.end();
        if (end == text || id < 0 || id >= count || known) return;
        s->visible.push_back(static_cast<int>(id));
        while (*end == ' ') ++end;
        if (*end != ',') return;
        text = end + 1;
    }
}

void read_memory(Settings* s, int count) {
    // Nine tenths of what there is, shared evenly: several devices may be full at once.
    s->memory = std::min(kDefaultCap, usable_memory() / 10 * 9 / static_cast<size_t>(count));
    if (const char* text = variable("PYASC_EMBEDDED_MEMORY")) {
        const size_t bytes = parse_size(text);
        if (bytes < kSmallestMemory || bytes > kLargestMemory)
            complain(s, "PYASC_EMBEDDED_MEMORY", text, "a size such as 512M or 8G, at least 64M and at most 1024G");
        else
            s->memory = bytes;
    }
    s->memory = std::max(kSmallestMemory, s->memory) / kHugePage * kHugePage;
}

Settings read() {
    Settings s;
    const int count = read_devices(&s);
    read_visible(&s, count);
    read_memory(&s, count);
    if (const char* soc = variable("PYASC_EMBEDDED_SOC")) {
        if (strncmp(soc, "Ascend", 6) == 0)
            s.soc = soc;
        else
            complain(&s, "PYASC_EMBEDDED_SOC", soc, "the name of a chip such as Ascend910B or Ascend910B1");
    }
    return s;
}

}  // namespace

const Settings& settings() {
    static const Settings& instance = *new Settings(read());  // leaked: read until the very end of the process
    return instance;
}

int processors() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

}  // namespace pyasc

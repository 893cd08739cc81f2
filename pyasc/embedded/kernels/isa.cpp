// Chooses the instruction set: the best one this machine runs, or the one PYASC_EMBEDDED_ISA names.
#include "kernels/isa.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pyasc {
namespace {

#define PYASC_ISA_NAME(isa, unused) #isa,
constexpr const char* kNames[] = {PYASC_ISAS(PYASC_ISA_NAME, )};
#undef PYASC_ISA_NAME
constexpr int kLevels = sizeof(kNames) / sizeof(kNames[0]);

bool runs_here(int level) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    switch (level) {
        case 0: return true;  // x86-64-v2 is what the rest of the library is compiled for
        case 1: return __builtin_cpu_supports("x86-64-v3");
        default: return __builtin_cpu_supports("x86-64-v4");
    }
#else
    return level == 0;
#endif
}

int choose() {
    int best = 0;
    for (int level = 1; level < kLevels; ++level) {
        if (runs_here(level)) best = level;
    }
    const char* wanted = std::getenv("PYASC_EMBEDDED_ISA");
    if (wanted == nullptr || *wanted == '\0') return best;
    for (int level = 0; level < kLevels; ++level) {
        if (std::strcmp(wanted, kNames[level]) != 0) continue;
        if (runs_here(level)) return level;
        std::fprintf(stderr, "pyasc: PYASC_EMBEDDED_ISA=%s, but this processor cannot run %s; using %s\n", wanted,
                     wanted, kNames[best]);
        return best;
    }
    std::fprintf(stderr, "pyasc: PYASC_EMBEDDED_ISA=%s is unknown; this build has", wanted);
    for (const char* name : kNames) std::fprintf(stderr, " %s", name);
    std::fprintf(stderr, "; using %s\n", kNames[best]);
    return best;
}

}  // namespace

int isa_level() {
    static const int level = choose();
    return level;
}

const char* isa_name() { return kNames[isa_level()]; }

}  // namespace pyasc

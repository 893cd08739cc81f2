// What each thread remembers about devices.
#pragma once

#include <cstdint>

namespace pyasc {

constexpr int kMaxDevices = 64;

struct ThreadState {
    int device = -1;  // whose context is current on this thread; -1: none yet
    int chosen = 0;   // the device the user chose (`with device(1):`)
    void* queues[kMaxDevices] = {};  // the current Queue of each device; null: its default one
};

inline ThreadState& thread_state() {
    static thread_local ThreadState state;
    return state;
}

}  // namespace pyasc

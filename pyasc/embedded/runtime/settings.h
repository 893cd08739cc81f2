// What the environment asks of the embedded device. Read once, when first needed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pyasc {

struct Settings {
    std::vector<int> visible;   // physical numbers of the devices, by the number users see
    size_t memory = 0;          // bytes of each device
    std::string soc;            // the chip to be as strict as; empty: none
    std::string problem;        // why the device cannot be set up, or empty
};

const Settings& settings();

// The number of user's device `d` is valid.
inline bool is_device(int d) { return d >= 0 && static_cast<size_t>(d) < settings().visible.size(); }

int processors();  // that this process may run on

}  // namespace pyasc

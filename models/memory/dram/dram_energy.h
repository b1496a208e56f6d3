// The energy of a DRAM channel, from counts of its commands and times of its banks: by the currents of the data sheet,
// as is usual (Micron TN-46-12). Only of the rail that feeds the array: no interface, no termination, no power-down.
#pragma once

#include <cstdint>

#include "models/memory/dram/device.h"

namespace models {

// Of a channel.
struct DramActivity {
    std::uint64_t activates = 0, reads = 0, writes = 0;  // commands; the last two: bursts
    std::uint64_t refreshes = 0, bank_refreshes = 0;
    std::uint64_t active_cycles = 0;      // with a row open
    std::uint64_t precharged_cycles = 0;  // with none, refreshing or not
};

struct DramEnergy {                                         // joules
    double activate = 0, read = 0, write = 0, refresh = 0;  // above standby
    double active_standby = 0, precharge_standby = 0;
    double total() const { return activate + read + write + refresh + active_standby + precharge_standby; }
};

// `devices`: in lockstep in the channel.
DramEnergy dram_energy(const DramActivity& activity, const DramDevice& device, int devices);

}  // namespace models

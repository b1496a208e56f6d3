// The array of main memory, priced by its commands and the currents of its device (models/memory/dram/dram_energy.h).
// What moves data between it and the GPU is a structure of the table like any other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/energy/machine_values.h"
#include "io/results.h"

namespace energy {

struct DramPart {
    std::string name;  // "activate", ...
    bool is_standby = false;
    std::vector<double> frames_pJ;
};

// None where the machine's memory is no device with commands (dram.model). Throws engine::InputError if the results do
// not have what it takes.
std::vector<DramPart> price_dram(const io::Results& results, const MachineValues& machine);

}  // namespace energy

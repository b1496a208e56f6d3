// The table that a run ends with.
#pragma once

#include <string>

#include "io/results.h"

namespace experiments {

// One row per frame and one for all: cycles, simulated time, IPC, hit rates, DRAM traffic, image, the
// busiest unit (bottleneck.h), simulation speed.
std::string summary_table(const io::Results& results);

// Totals for the /performance group.
std::vector<io::NamedNumber> performance_totals(const io::Results& results);

}  // namespace experiments

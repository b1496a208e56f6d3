// What a run cost, as a table for people.
#pragma once

#include <string>

#include "experiments/energy/pricing.h"
#include "io/results.h"

namespace experiments {

std::string energy_report(const energy::Energy& energy, const energy::Table& table, const io::Results& results);

}  // namespace experiments

// Energy tables in TOML. experiments/energy/README.md says how to write one, energy/tables/ has some.
//
// Everything a person can get wrong in it is an engine::ConfigError of one line that starts with FILE:LINE:COLUMN:
// unknown keys (with the nearest known one), wrong types, negative values, a low figure above the typical one, a kind
// of unit that is named twice or has no component, an array or leakage that is not there.
#pragma once

#include <filesystem>

#include "experiments/energy/table.h"

namespace energy {

Table read_table(const std::filesystem::path& path);

}  // namespace energy

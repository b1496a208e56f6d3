// What this program was built from, as CMake saw it.
#pragma once

#include <string>
#include <vector>

#include "io/results.h"

namespace experiments {

// "tessera 0.1.0 git:0123abc-dirty"
std::string version_text();

// Compiler, flags, libraries: for the provenance of results.
std::vector<io::NamedText> build_provenance();

// Where the machine presets and the workloads are: in the source tree, and beside an installed program.
std::vector<std::string> machine_folders();
std::vector<std::string> workload_folders();
// Folders of energy tables, the same.
std::vector<std::string> energy_table_folders();

}  // namespace experiments

// `tessera run`: frame traces on a simulated machine, on threads and MPI ranks.
#pragma once

#include "engine/ranks.h"

namespace CLI {
class App;
}

namespace experiments {

// `ranks` must outlive the parsing of the command line.
void add_run_command(CLI::App& app, const engine::Ranks& ranks);

}  // namespace experiments

// `tessera run`: frame traces on a simulated machine, on threads and MPI ranks.
#pragma once

#include "engine/ranks.h"

namespace CLI {
class App;
}

namespace experiments {

// Both must outlive the parsing of the command line. `code`: the program's exit code, where nothing fails.
void add_run_command(CLI::App& app, const engine::Ranks& ranks, int& code);

}  // namespace experiments

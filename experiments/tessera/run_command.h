// `tessera run`: frame traces on a simulated machine, on threads and MPI ranks.
#pragma once

#include "engine/ranks.h"

namespace experiments {

class Commands;

// Both must outlive the parsing of the command line. `code`: the program's exit code, where nothing fails.
void add_run_command(Commands& commands, const engine::Ranks& ranks, int& code);

}  // namespace experiments

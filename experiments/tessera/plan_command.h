// `tessera plan`: how a machine would be partitioned, and how fast that would be with 1 to 256 workers.
#pragma once

#include "engine/ranks.h"

namespace experiments {

class Commands;

// `ranks` must outlive the parsing of the command line.
void add_plan_command(Commands& commands, const engine::Ranks& ranks);

}  // namespace experiments

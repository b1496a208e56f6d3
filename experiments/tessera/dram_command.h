// `tessera dram`: main memory alone, under a synthetic load or a trace of addresses.
#pragma once

namespace experiments {

class Commands;

void add_dram_command(Commands& commands);

}  // namespace experiments

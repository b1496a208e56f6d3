// `tessera dram`: main memory alone, under a synthetic load or a trace of addresses.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_dram_command(CLI::App& app);

}  // namespace experiments

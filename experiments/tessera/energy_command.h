// tessera energy: what a finished run cost, by an energy table.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_energy_command(CLI::App& app);

}  // namespace experiments

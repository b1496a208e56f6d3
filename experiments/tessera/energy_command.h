// tessera energy: what a finished run cost, by an energy table.
#pragma once

namespace experiments {

class Commands;

void add_energy_command(Commands& commands);

}  // namespace experiments

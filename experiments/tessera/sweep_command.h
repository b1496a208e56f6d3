// `tessera sweep`: many runs of the machine, each with other settings.
#pragma once

namespace experiments {

class Commands;

// `code`: becomes the exit code of the program.
void add_sweep_command(Commands& commands, int& code);

}  // namespace experiments

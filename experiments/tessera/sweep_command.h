// `tessera sweep`: many runs of the machine, each with other settings.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

// `code`: becomes the exit code of the program.
void add_sweep_command(CLI::App& app, int& code);

}  // namespace experiments

// `tessera compare`: in what two runs differ, and where in simulated time they part.
#pragma once

namespace experiments {

class Commands;

// `exit_code` is set when the command has run: 0 the results are equal, 1 they differ.
void add_compare_command(Commands& commands, int& exit_code);

}  // namespace experiments

// `tessera trace`: what a GPU has to do for a recording, and the pictures.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_trace_command(CLI::App& app);

}  // namespace experiments

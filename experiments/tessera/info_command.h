// `tessera info`: what a recording or a frame trace holds.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_info_command(CLI::App& app);

}  // namespace experiments

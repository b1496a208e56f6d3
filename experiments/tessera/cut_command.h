// `tessera cut`: some frames of a recording as a recording of their own.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_cut_command(CLI::App& app);

}  // namespace experiments

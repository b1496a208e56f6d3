// `tessera params`: the reference of all machine parameters.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_params_command(CLI::App& app);

}  // namespace experiments

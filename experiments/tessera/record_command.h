// `tessera record`: a recording of what an application draws.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_record_command(CLI::App& app);

}  // namespace experiments

// `tessera cache`: one cache alone, under a trace of addresses.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_cache_command(CLI::App& app);

}  // namespace experiments

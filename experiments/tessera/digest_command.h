// `tessera digest`: the fingerprint of results, recomputed from what is stored.
#pragma once

namespace CLI {
class App;
}

namespace experiments {

void add_digest_command(CLI::App& app);

}  // namespace experiments

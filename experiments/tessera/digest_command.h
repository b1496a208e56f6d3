// `tessera digest`: the fingerprint of results, recomputed from what is stored.
#pragma once

namespace experiments {

class Commands;

void add_digest_command(Commands& commands);

}  // namespace experiments

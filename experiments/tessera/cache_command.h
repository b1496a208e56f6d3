// `tessera cache`: one cache alone, under a trace of addresses.
#pragma once

namespace experiments {

class Commands;

void add_cache_command(Commands& commands);

}  // namespace experiments

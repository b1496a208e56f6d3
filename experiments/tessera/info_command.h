// `tessera info`: what a recording or a frame trace holds.
#pragma once

namespace experiments {

class Commands;

void add_info_command(Commands& commands);

}  // namespace experiments

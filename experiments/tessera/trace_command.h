// `tessera trace`: what a GPU has to do for a recording, and the pictures.
#pragma once

namespace experiments {

class Commands;

void add_trace_command(Commands& commands);

}  // namespace experiments

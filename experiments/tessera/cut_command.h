// `tessera cut`: some frames of a recording as a recording of their own.
#pragma once

namespace experiments {

class Commands;

void add_cut_command(Commands& commands);

}  // namespace experiments

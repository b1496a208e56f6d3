// `tessera record`: a recording of what an application draws.
#pragma once

namespace experiments {

class Commands;

void add_record_command(Commands& commands);

}  // namespace experiments

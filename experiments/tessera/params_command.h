// `tessera params`: the reference of all machine parameters.
#pragma once

namespace experiments {

class Commands;

void add_params_command(Commands& commands);

}  // namespace experiments

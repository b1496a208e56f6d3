// Which shader programs cost most: the table that a run ends with.
#pragma once

#include <string>

#include "io/results.h"

namespace experiments {

// The programs on whose account cores spent most cycles in all frames, and what they waited for most. Empty where no
// core had a warp.
std::string program_table(const io::Results& results);

}  // namespace experiments

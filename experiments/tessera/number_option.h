// Numbers on the command line.
#pragma once

#include <cstdint>
#include <limits>

#include "experiments/tessera/options.h"

namespace experiments {

// Lets pass whole numbers in decimal digits, without a sign, from `least` to `most`; what it refuses it answers with
// that range. CLI11 by itself wraps what is negative or too large, and takes a leading zero for base 8.
ValueCheck whole_number(std::uint64_t least, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace experiments

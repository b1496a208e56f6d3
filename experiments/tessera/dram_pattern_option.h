// What `tessera dram --pattern` says.
#pragma once

#include <string>

#include "models/memory/dram/dram_pattern.h"

namespace experiments {

// "random", "stride:4096". Sets the order and whether it is a chase; throws ConfigError.
void read_pattern(const std::string& text, models::DramPattern& pattern);

// A share above 0 (or from 0), up to 1; `option`: for the message.
double read_share(const std::string& option, const std::string& text, bool may_be_zero);

}  // namespace experiments

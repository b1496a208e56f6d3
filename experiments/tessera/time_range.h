// A stretch of simulated time, as --log-messages names it: FROM:TO in ticks, without TO.
#pragma once

#include <string>

#include "engine/units.h"

namespace experiments {

struct TimeRange {
    engine::Time from = 0, to = 0;
    bool empty() const { return from >= to; }
    std::string text() const { return std::to_string(from) + ":" + std::to_string(to); }
};

// Throws engine::ConfigError that names the option.
TimeRange parse_time_range(const std::string& text);

}  // namespace experiments

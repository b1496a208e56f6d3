// Wall time, for people and for waiting: it reaches no result.
#pragma once

#include <chrono>

namespace engine {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace engine

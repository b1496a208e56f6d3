// The share of a computer's time that a container or a service manager leaves to this process: the CPU bandwidth limit
// of its control groups, version 2 (cpu.max) or 1 (cpu.cfs_quota_us). The scheduler stops all threads together when
// they have used it up, so threads beyond it only get in each other's way.
#pragma once

#include <optional>
#include <string>

namespace engine {

// In whole CPUs, rounded down, but at least one; the least of all groups it is in. None: no limit, or none that can be
// read. `root`: the folder that /proc and /sys are in, for tests.
std::optional<int> cpu_quota(const std::string& root = "");

}  // namespace engine

#include "engine/threads/cpu_quota.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace engine {

namespace {

using std::filesystem::path;

// Microseconds of CPU time in a period of so many; false: not limited.
bool read_limit(const path& group, double& quota, double& period) {
    if (std::ifstream file(group / "cpu.max"); file >> quota >> period) return true;  // not of "max 100000"
    std::ifstream quota_file(group / "cpu.cfs_quota_us"), period_file(group / "cpu.cfs_period_us");
    return quota_file >> quota && period_file >> period;
}

// Whether a list such as "cpu,cpuacct" has this in it.
bool holds(const std::string& list, const std::string& word) {
    return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// The group of a line of /proc/self/cgroup, NUMBER:CONTROLLERS:PATH, and where all of its kind are; false: another
// kind.
bool find_group(const std::string& line, const path& all, path& top, path& group) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) return false;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !holds(controllers, "cpu")) return false;
    top = controllers.empty() ? all : all / "cpu";
    group = (top / path(line.substr(second + 1)).relative_path()).lexically_normal();
    return true;
}

}  // namespace

std::optional<int> cpu_quota(const path& root) {
    constexpr double most = std::numeric_limits<int>::max();
    double least = most;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        path top, group;
        if (!find_group(line, root / "sys/fs/cgroup", top, group)) continue;
        // A container that does not see the groups around it finds its own at the top.
        for (;; group = group.parent_path()) {
            double quota = 0, period = 0;
            if (read_limit(group, quota, period) && quota > 0 && period > 0)
                least = std::min(least, std::max(1.0, quota / period));
            if (group == top || !group.has_relative_path()) break;
        }
    }
    return least < most ? std::optional<int>(static_cast<int>(least)) : std::nullopt;
}

}  // namespace engine

#include "engine/threads/cpu_quota.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace engine {

namespace {

// Paths are plain strings, as std::filesystem::path does not survive a lack of memory.

// Microseconds of CPU time in a period of so many; false: not limited.
bool read_limit(const std::string& group, double& quota, double& period) {
    if (std::ifstream file(group + "/cpu.max"); file >> quota >> period) return true;  // not of "max 100000"
    std::ifstream quota_file(group + "/cpu.cfs_quota_us"), period_file(group + "/cpu.cfs_period_us");
    return quota_file >> quota && period_file >> period;
}

// Whether a list such as "cpu,cpuacct" has this in it.
bool holds(const std::string& list, const std::string& word) {
    return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// Of a line of /proc/self/cgroup, NUMBER:CONTROLLERS:PATH, where all groups of its kind are, and the path from there;
// false: another kind.
bool find_group(const std::string& line, std::string& all, std::string& group) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) return false;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !holds(controllers, "cpu")) return false;
    all = controllers.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    group = line.substr(second + 1);
    return true;
}

}  // namespace

std::optional<int> cpu_quota(const std::string& root) {
    constexpr double most = std::numeric_limits<int>::max();
    double least = most;
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        std::string all, group;
        if (!find_group(line, all, group)) continue;
        // Outwards. A container that does not see the groups around it finds its own at the top.
        for (;; group.erase(group.rfind('/'))) {
            double quota = 0, period = 0;
            if (read_limit(root + all + group, quota, period) && quota > 0 && period > 0)
                least = std::min(least, std::max(1.0, quota / period));
            if (group.find('/') == std::string::npos) break;
        }
    }
    return least < most ? std::optional<int>(static_cast<int>(least)) : std::nullopt;
}

}  // namespace engine

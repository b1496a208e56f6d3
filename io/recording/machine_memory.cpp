#include "io/recording/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

namespace io {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// A file with one number; "max", or no file, is no limit.
std::uint64_t read_limit(const std::filesystem::path& file) {
    std::uint64_t bytes = 0;
    return std::ifstream(file) >> bytes ? bytes : unlimited;
}

std::uint64_t address_space() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : unlimited;
}

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

std::uint64_t group_memory(const std::string& membership, const std::filesystem::path& mounted) {
    std::uint64_t least = unlimited;
    std::istringstream lines(membership);
    for (std::string line; std::getline(lines, line);) {  // NUMBER:CONTROLLERS:/GROUP
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool second_version = controllers == ",,";
        if (!second_version && controllers.find(",memory,") == std::string::npos) continue;
        const std::filesystem::path top = second_version ? mounted : mounted / "memory";
        // Every group above limits those below it.
        const char* const file = second_version ? "memory.max" : "memory.limit_in_bytes";
        std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path();
        for (; !group.empty(); group = group.parent_path()) least = std::min(least, read_limit(top / group / file));
        least = std::min(least, read_limit(top / file));
    }
    return least;
}

std::uint64_t machine_memory() {
    const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return std::min(
        {pages * page_bytes, group_memory(text_of("/proc/self/cgroup"), "/sys/fs/cgroup"), address_space()});
}

}  // namespace io

#include "io/recording/memory_share.h"

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

namespace io {

std::uint64_t memory_share() {
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 1L));
    std::uint64_t bytes = pages * static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 1L));
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
    return bytes / 2;
}

}  // namespace io

#include "engine/threads/allowed_cpus.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

#include <sched.h>

#include "engine/threads/cpu_quota.h"

namespace engine {

CpuSet allowed_cpus() {
    cpu_set_t mask;
    CpuSet cpus(sizeof mask / sizeof(std::uint64_t));
    if (::sched_getaffinity(0, sizeof mask, &mask) == 0) {
        std::memcpy(cpus.data(), &mask, sizeof mask);
        return cpus;
    }
    const std::size_t all = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 64 * cpus.size());
    for (std::size_t cpu = 0; cpu < all; ++cpu) cpus[cpu / 64] |= std::uint64_t{1} << cpu % 64;
    return cpus;
}

int cpu_count(const CpuSet& cpus) {
    return std::transform_reduce(cpus.begin(), cpus.end(), 0, std::plus<>(),
                                 [](std::uint64_t word) { return std::popcount(word); });
}

int usable_cpus(const CpuSet& cpus) {
    const int count = cpu_count(cpus);
    return std::min(count, cpu_quota().value_or(count));
}

}  // namespace engine

// The CPUs that this process may use: launchers such as mpirun and Slurm, taskset and containers narrow them.
#pragma once

#include <cstdint>
#include <vector>

namespace engine {

// Logical processors as bits by number, as many words in every process.
using CpuSet = std::vector<std::uint64_t>;

// Those that the calling thread may run on; where the system does not say, as beyond 1024 CPUs, all, up to 1024.
CpuSet allowed_cpus();
int cpu_count(const CpuSet& cpus);
// How many threads may run on them at once: as many, or what control groups leave of that (engine/threads/cpu_quota.h).
int usable_cpus(const CpuSet& cpus);

}  // namespace engine

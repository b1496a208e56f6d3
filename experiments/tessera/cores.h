// How many threads this process may run at once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/ranks.h"
#include "engine/threads/allowed_cpus.h"

namespace experiments {

// Cores in the affinity mask of the process, which launchers such as mpirun narrow, or as many as its container leaves
// it time for.
int available_cores();

// Threads where none are asked for: one for every available core, as far as oneTBB has so many.
int default_threads();
// Of so many threads those that gain something in a simulation of so many processes, at least one.
int worthwhile_threads(int threads, std::size_t processes);

// `asked` threads, or by default default_threads(), or one under MPI. Warns if there are more than cores.
int choose_threads(int asked);
// The same for the threads of every rank. Collective; rank 0 warns.
int choose_threads(int asked, const engine::Ranks& ranks);

// What a rank brings.
struct RankShare {
    int node = 0;  // number of the first rank of its computer
    int threads = 1;
    engine::CpuSet cores;  // that it may use
};
// What is to be said of ranks that have more threads than cores, alone or with the others of their node; may be empty.
std::string crowding(const std::vector<RankShare>& ranks);

}  // namespace experiments

#include "experiments/tessera/cores.h"

#include <algorithm>
#include <string>
#include <thread>

#include <sched.h>

#include "io/log.h"

namespace experiments {

int available_cores() {
    cpu_set_t mask;
    if (::sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int choose_threads(int asked, int ranks, bool tell) {
    const int cores = available_cores();
    const int threads = asked > 0 ? asked : ranks > 1 ? 1 : cores;
    if (tell && threads > cores)
        io::log_warning(std::to_string(threads) + " threads on " + std::to_string(cores) +
                        (ranks > 1 ? " cores of this rank; mpirun --bind-to none, or --map-by slot:PE=N, gives it more"
                                   : " available cores"));
    return threads;
}

}  // namespace experiments

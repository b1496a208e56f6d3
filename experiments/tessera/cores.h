// How many threads this process may run at once.
#pragma once

namespace experiments {

// Cores in the affinity mask of the process, which launchers such as mpirun narrow.
int available_cores();

// `asked` threads, or by default all available cores, or one under MPI; warns if a rank has more threads than cores.
int choose_threads(int asked, int ranks, bool tell);

}  // namespace experiments

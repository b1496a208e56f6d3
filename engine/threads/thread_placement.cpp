#include "engine/threads/thread_placement.h"

#include <sched.h>

namespace engine {

namespace {
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of one thread
thread_local ThreadPlacement::Member* member = nullptr;
}  // namespace

ThreadPlacement::Member::Member(ThreadPlacement& spread, int thread)
    : spread_(spread),
      thread_(static_cast<std::size_t>(thread)),
      before_(member) {
    member = this;
    spread_.settle(thread_);
}

ThreadPlacement::Member::~Member() {
    spread_.cpus_[thread_].store(nowhere, std::memory_order_relaxed);
    member = before_;
}

void ThreadPlacement::settle() {
    if (member != nullptr) member->spread_.settle(member->thread_);
}

// What the others said may be out of date. Then the wrong one moves, or two do, and one of them again at its next wait.
void ThreadPlacement::settle(std::size_t thread) {
    const int here = sched_getcpu();
    if (here < 0) return;
    cpu_set_t taken;  // CPU_SET() and CPU_ISSET() heed the limit of 1024 CPUs
    CPU_ZERO(&taken);
    for (std::size_t other = 0; other < cpus_.size(); ++other)
        if (const int cpu = cpus_[other].load(std::memory_order_relaxed); other != thread && cpu != nowhere)
            CPU_SET(cpu - 1, &taken);
    cpu_set_t allowed, both, free;
    if (CPU_ISSET(here, &taken) && sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        CPU_AND(&both, &allowed, &taken);
        CPU_XOR(&free, &allowed, &both);
        if (CPU_COUNT(&free) > 0 && sched_setaffinity(0, sizeof free, &free) == 0)
            sched_setaffinity(0, sizeof allowed, &allowed);
    }
    cpus_[thread].store(sched_getcpu() + 1, std::memory_order_relaxed);
}

}  // namespace engine

// Worker: runs its processes, one window after the other, on one thread.
#pragma once

#include <atomic>
#include <vector>

#include "engine/logical_process.h"

namespace engine {

class Worker {
  public:
    void own(LogicalProcess* process) { processes_.push_back(process); }

    // Advances every process to `until`.
    void advance(Time until) {
        for (LogicalProcess* process : processes_)
            if (process->next_event() < until) process->advance(until);
    }
    Time next_event() const {
        Time least = never;
        for (const LogicalProcess* process : processes_) least = std::min(least, process->next_event());
        return least;
    }

  private:
    std::vector<LogicalProcess*> processes_;  // in the order of Simulation::add()
};

}  // namespace engine

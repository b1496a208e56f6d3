// Run: one call of Simulation::run() on this rank. Deals the processes to workers, connects the workers, lets them
// work, and puts together what all ranks have to say about it.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/meeting.h"
#include "engine/simulation.h"
#include "engine/summary.h"
#include "engine/transport/exchange.h"
#include "engine/transport/lane.h"
#include "engine/worker.h"

namespace engine {

class Run {
  public:
    // The plan fits the simulation and the ranks there are.
    Run(const Simulation& simulation, const Plan& plan, const RunOptions& options);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // The same on all ranks, but for wall times. Throws what the lowest-numbered complaining process threw, with its
    // name, and InternalError if processes are unfinished.
    RunReport operator()();

  private:
    int owner(const LogicalProcess& process) const;
    bool is_here(int worker) const { return worker / plan_.threads == rank_; }
    Worker& worker_here(int worker) { return *workers_[static_cast<std::size_t>(worker % plan_.threads)]; }
    void connect();
    transport::Lane& lane(int from, int to, std::size_t channels);
    Time window() const;  // the least lookahead of all channels

    void work(int thread, Time length);
    Summary summary(double seconds) const;
    [[noreturn]] void complain(const Summary& all) const;
    bool waits_for_other_ranks() const;
    std::string standstill() const;

    const Simulation& simulation_;
    const Plan& plan_;
    const RunOptions& options_;
    int rank_;
    bool spin_;
    std::unique_ptr<transport::Exchange> exchange_;  // null if there is one rank
    Meeting meeting_;
    std::vector<std::unique_ptr<Worker>> workers_;         // of this rank, by thread
    std::vector<std::unique_ptr<transport::Lane>> lanes_;  // by from * threads + to; null where no channel leads
    std::atomic<Time> window_start_ = 0;
};

}  // namespace engine

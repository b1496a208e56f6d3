// Run: one call of Simulation::run() on this rank, or a part of one, with one plan. Gives the processes to workers,
// connects the workers, lets them work, and puts together what all ranks have to say about it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/events/windows.h"
#include "engine/scheduling/stop_condition.h"
#include "engine/scheduling/summary.h"
#include "engine/scheduling/worker.h"
#include "engine/simulation.h"
#include "engine/threads/pinning.h"
#include "engine/threads/worker_group.h"
#include "engine/transport/interconnect.h"
#include "engine/transport/shared_block.h"

namespace engine {

// What the parts of a run have in common.
struct RunSetting {
    const RunOptions& options;
    const transport::Nodes& nodes;
    const Cores* cores;  // null: threads are not pinned
    bool spin;           // every worker has a core of its own
    WorkerGroup& group;
};

class Run {
  public:
    // The plan fits the simulation and the ranks there are. `seconds`: of wall time until it is stopped
    // (StopCondition::end_of_trial); below 0: no limit.
    Run(Simulation& simulation, const Plan& plan, const RunSetting& setting, double seconds);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // The same on all ranks, but for speed. Throws what the process threw whose failure counts (by window, then by
    // number), with its name, and InternalError if processes are unfinished.
    RunReport operator()();
    // After a run that was stopped: the messages to processes of this rank that are under way.
    std::vector<Envelope> take_in_flight();
    // After a run whose time was up: events in a second of it.
    double rate(const RunReport& report) const {
        return static_cast<double>(report.messages + report.steps) / stop_.seconds();
    }

  private:
    using Links = std::map<std::pair<int, int>, Time>;  // by (from, to), workers: the least lookahead of its channels

    int worker_of(const LogicalProcess& process) const {
        return plan_.worker.empty() ? 0 : plan_.worker[static_cast<std::size_t>(process.number())];
    }
    bool is_here(int worker) const { return worker / plan_.threads == rank_; }
    Worker& local(int worker) const { return *workers_[static_cast<std::size_t>(worker % plan_.threads)]; }
    template <class F>
    void for_each_worker(F f) const {  // of this rank
        for (const auto& worker : workers_)
            if (worker != nullptr) f(*worker);
    }
    Links find_links() const;
    std::vector<int> find_participants() const;
    std::vector<int> ranks_of_participants() const;
    std::vector<Interconnect::Link> ends_of_links() const;
    void make_workers();
    std::vector<bool> find_wide() const;
    void connect();
    void route(const std::map<std::pair<int, int>, transport::Outgoing*>& links);

    void work(int thread);
    void set_up_meters();
    void set_up_causes(WorkLog& log);
    Summary summary(double seconds) const;
    WorkerReport report_of(const Worker& worker, double seconds, Profile& profile) const;
    void add_messages_sent(Profile& profile) const;
    std::vector<std::uint32_t> positions() const;
    [[noreturn]] void fail(const Summary& all) const;
    std::uint64_t progress() const;
    bool is_blocked_on_remote() const;
    std::string stall_report() const;

    Simulation& simulation_;
    const Plan& plan_;
    const RunOptions& options_;
    const int rank_;
    const RunSetting& setting_;
    const Windows windows_;
    const Links links_;                    // of all ranks
    const std::vector<int> participants_;  // workers with a process or a transport, of all ranks
    const Interconnect interconnect_;      // the reduction, its slots, and the links in their order
    StopCondition stop_;
    std::vector<std::unique_ptr<Worker>> workers_;           // of this rank, by thread; null: does not take part
    std::vector<std::vector<transport::Outgoing*>> routes_;  // of bundles, by thread and process
    std::unique_ptr<Causes> causes_;                         // null: not asked for
    CycleScale scale_;
    std::vector<std::uint32_t> positions_;  // of the ports that send from here, at the beginning
};

}  // namespace engine

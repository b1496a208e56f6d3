// Run: one call of Simulation::run() on this rank. Deals the processes to workers, connects the workers, lets them
// work, and puts together what all ranks have to say about it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/crew.h"
#include "engine/fabric.h"
#include "engine/simulation.h"
#include "engine/summary.h"
#include "engine/transport/shared_block.h"
#include "engine/windows.h"
#include "engine/worker.h"

namespace engine {

class Run {
  public:
    // The plan fits the simulation and the ranks there are.
    Run(Simulation& simulation, const Plan& plan, const RunOptions& options);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // The same on all ranks, but for speed. Throws what the process threw that complained first (by window, then by
    // number), with its name, and InternalError if processes are unfinished.
    RunReport operator()();
    // After a run that was stopped: the messages to processes of this rank that are under way.
    std::vector<Envelope> take_in_flight();
    // The plan, as it turned out to be best.
    Plan best_plan() const { return {plan_.ranks, plan_.threads, owner_}; }

  private:
    struct Lead {
        Time lookahead;               // the least of the channels that lead over a link
        std::map<int, Time> senders;  // processes, by number, with the least of theirs
    };
    using Links = std::map<std::pair<int, int>, Lead>;  // by (from, to): workers

    int owner(const LogicalProcess& process) const {
        return owner_.empty() ? 0 : owner_[static_cast<std::size_t>(process.number_)];
    }
    bool is_here(int worker) const { return worker / plan_.threads == rank_; }
    Links find_links() const;
    std::vector<int> find_participants() const;
    void make_workers();
    void connect();
    void make_crew();
    Verdict plan_deal(const Loads& mine);
    void deal(Time window);
    void migrate(Time window);
    transport::Outgoing* way(int from, int to) const;  // null: none leads from here
    void route(bool alone);
    std::vector<int> ranks_of_participants() const;
    std::vector<Fabric::Link> ends_of_links() const;

    void work(int thread);
    void set_up_meters();
    void set_up_causes(WorkLog& log);
    Summary summary(double seconds) const;
    WorkerReport report_of(const Worker& worker, double seconds, Profile& profile) const;
    void add_messages_sent(Profile& profile) const;
    std::vector<std::uint32_t> positions() const;
    [[noreturn]] void complain(const Summary& all) const;
    std::uint64_t progress() const;
    bool is_innocent() const;
    std::string standstill() const;

    Simulation& simulation_;
    const Plan& plan_;
    const RunOptions& options_;
    const int rank_;
    const transport::Nodes nodes_;
    const bool spin_;
    const Windows windows_;
    std::vector<int> owner_;                                    // worker of each process; empty: 0 for all
    Links links_;                                               // of all ranks
    std::map<std::pair<int, int>, std::size_t> link_numbers_;   // in the fabric, of those there were first
    std::vector<int> planned_;                                  // the next owners
    std::vector<bool> may_travel_;                              // processes, to another rank
    const std::vector<int> participants_;                       // workers that own a process or a courier, of all ranks
    const Fabric fabric_;                                       // the meeting, its seats, and the links in their order
    std::vector<std::unique_ptr<Worker>> workers_;              // of this rank, by thread; null: does not take part
    std::map<std::pair<int, int>, transport::Outgoing*> ways_;  // from the workers of this rank to others
    std::vector<std::vector<transport::Outgoing*>> routes_;     // the same for bundles, by thread and process
    std::unique_ptr<Crew> crew_;                                // null: every worker does its own work only
    std::unique_ptr<Causes> causes_;                            // null: nobody asks for them
    StampScale scale_;
    std::vector<std::uint32_t> positions_;  // of the ports that send from here, at the beginning
};

}  // namespace engine

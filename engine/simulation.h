// Simulation: owns the logical processes of a machine, wires them, and runs them on any number of threads and ranks
// with one result. Every rank builds the whole machine and runs its share.
//
//     Simulation simulation;
//     auto& core = simulation.add<Core>(0);
//     auto& cache = simulation.add<Cache>();
//     simulation.connect(core.reads, cache.reads, 4);
//     core.wake_at(0);
//     const RunReport report = simulation.run(Plan{});
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/block.h"
#include "engine/bundle.h"
#include "engine/events/message_hash.h"
#include "engine/events/message_log.h"
#include "engine/instruments/report.h"
#include "engine/instruments/timeline.h"
#include "engine/instruments/work_log.h"
#include "engine/plan.h"

namespace engine {

struct RunSetting;

// For tests of what happens when the kernel itself fails: of the null messages of one worker to another one, those of
// this time and later are lost on the way.
struct LostNullMessages {
    int from = -1, to = -1;  // workers of the plan; -1: none are lost
    Time time = 0;
};

struct RunOptions {
    // Wall seconds without a completed window after which the run is given up: one line names what every worker waits
    // for, and the program ends with exit code 1 on all ranks. 0: never.
    double stall_seconds = 300;
    // Called by the main thread of rank 0 about every 100 ms of wall time with the simulated time reached.
    std::function<void(Time)> progress = {};
    // Where synchronising costs more than several workers bring, one of them does everything. To find out, both ways
    // are tried three times for this many wall seconds, and the faster one goes on for a stretch of at most half a
    // second; ranks always work. Below 0: all workers always work.
    double trial_seconds = 2e-3;
    // Not 0: a seed for schedule fuzzing: workers are delayed at random, which must not change anything but the speed
    // (engine/threads/jitter.h).
    std::uint64_t fuzz_seed = 0;
    // Every thread stays on a core of its own, as far as there are cores that this program may use.
    bool pin = false;
    // Ranks of one node share memory; false: they send each other messages as if each were on a node of its own.
    bool share_memory = true;
    // Becomes the number of a signal, on any of the ranks, when the run is to stop (engine/threads/stop_request.h). All
    // ranks then stop at the same time: the earliest end of a window that no worker has run past. Null: no signals.
    const std::atomic<int>* stop_requested = nullptr;
    LostNullMessages lost_null_messages = {};
    // Stop before this time, at the start of the window in which it lies. What is under way stays under way: another
    // run() goes on from there, and the machine can be saved. `never`: run to the end, which is a ConfigError if that
    // is not before end_of_time.
    Time until = never;
    // Every how many windows a worker measures one completely, for what the report says about wall times. At least 1.
    unsigned measure_every = 127;
    Timeline* timeline = nullptr;  // where to note what the workers of this rank did when
    WorkLog* work_log = nullptr;   // where to note every measured window; for plans of one worker
};

class Simulation {
  public:
    Simulation();
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    template <std::derived_from<LogicalProcess> L, class... Arguments>
    L& add(Arguments&&... arguments) {
        auto process = std::make_unique<L>(std::forward<Arguments>(arguments)...);
        L& reference = *process;
        adopt(std::move(process));
        return reference;
    }

    // Throws ConfigError naming the ports if the latency is not positive or a port is connected already.
    template <Message M>
    void connect(Out<M>& from, In<M>& to, Time latency) {
        join(from, to, latency);
    }

    // A bundle: channels of one latency from each of these ports to each of those. Senders and receivers are numbered
    // as listed. Throws ConfigError as connect() does.
    template <Message M>
    void connect_all(const std::vector<FanOut<M>*>& from, const std::vector<FanIn<M>*>& to, Time latency) {
        join_all({from.begin(), from.end()}, {to.begin(), to.end()}, latency);
    }

    // Another order of the messages that arrive at a process at the same time, drawn from the seed: of its input ports,
    // and of the senders of each bundle; channels stay FIFO. It is a part of the model: the results of one seed are the
    // same for every plan, those of another one may differ. 0: as declared. To be called before the first run.
    void permute_ties(std::uint64_t seed);
    std::uint64_t tie_seed() const { return tie_seed_; }

    // Runs until every process sleeps and no message is in flight, on every rank; all ranks return, or throw, the same.
    // May be called again; processes that shall run on another rank then must be of kinds that have serialize(). Throws
    // ConfigError if the machine is not wired completely or the plan does not fit, InternalError if processes are
    // unfinished at the end, and what a process throws, with its name. After a run that was stopped the next one goes
    // on from there.
    RunReport run(const Plan& plan, const RunOptions& options = {});

    // Time of the last event so far, or where the last run was stopped; equal on all ranks.
    Time now() const { return now_; }

    // The grid of time on which processes are advanced and runs may be stopped, in ticks: the least lookahead of all
    // channels, unless it is limited.
    Time window_length() const;
    // For tests, before the first run: what processes compute must not depend on where windows end. At least 1.
    void limit_windows(Time ticks) { longest_window_ = ticks; }

    // Values of the counters of all processes, in order of add() and of declaration, from whichever rank ran them.
    // To be called by all ranks; complete on rank 0.
    std::vector<std::uint64_t> collect_counters() const;

    // What the series of all processes have noted since the last call, from whichever rank ran them; in order of add()
    // and of declaration. To be called by all ranks; complete on rank 0.
    struct TakenSeries {
        const Series* series;
        std::vector<std::uint64_t> values;
    };
    std::vector<TakenSeries> take_series();

    // What every process has consumed so far, as hashes; the same whatever the plan. To be called by all ranks, after a
    // run; complete on rank 0.
    MessageHashes collect_message_hashes() const;

    // Keeps the messages that are consumed at `from` and later, before `to`, but at most the first `limit` of them. To
    // be called before the runs in question; what an earlier call kept is forgotten.
    void log_messages(Time from, Time to, std::size_t limit = 1'000'000);
    // What was kept, the same whatever the plan. To be called by all ranks; complete on rank 0.
    MessageLog collect_message_log() const;

    const std::vector<std::unique_ptr<LogicalProcess>>& processes() const { return processes_; }
    Graph graph() const;
    std::vector<NamedChannel> named_channels() const;

    // That has run a process, so that its state is there.
    int rank_of(const LogicalProcess& process) const {
        return rank_.empty() ? 0 : rank_[static_cast<std::size_t>(process.number())];
    }

  private:
    struct Part {
        RunReport report;
        double rate = 0;  // events a second, if its time was up
    };
    RunReport run_faster_way(const Plan& plan, const RunSetting& setting);
    Part run_part(const Plan& plan, const RunSetting& setting, double seconds);

    friend class Run;
    friend class Checkpoint;
    friend class Migration;
    friend struct ProcessState;
    struct Channel {
        SingleOut* from;
        InPort* to;
    };
    struct Bundle {
        std::vector<FanOutPort*> from;
        std::vector<InPort*> to;
        std::vector<FanOutPort::Target> targets;  // the same, as the senders see them; it stays where it is
    };
    struct Origin {
        const InPort* to;
        const SingleOut* single;
        const Bundle* bundle;  // null: a channel by itself
    };
    using Origins = std::map<std::pair<int, int>, Origin>;
    void adopt(std::unique_ptr<LogicalProcess> process);
    void join(SingleOut& from, InPort& to, Time latency);
    void join_all(std::vector<FanOutPort*> from, std::vector<InPort*> to, Time latency);
    void mark_connected(const std::string& ends, Port& port);
    void check_wiring() const;
    void order_ties();
    void share_inputs();
    Origins find_origins() const;
    void check_plan(const Plan& plan) const;

    std::vector<std::unique_ptr<LogicalProcess>> processes_;
    std::vector<Channel> channels_;
    std::vector<Bundle> bundles_;
    std::vector<int> rank_;            // that runs a process; empty before the first run
    std::vector<Envelope> in_flight_;  // of the processes of this rank, between a run that was stopped and the next
    std::uint64_t tie_seed_ = 0;
    Time longest_window_ = never;
    bool ties_are_ordered_ = false;
    std::unique_ptr<MessageRecorders> log_;  // null: nothing is logged
    Time now_ = 0;
};

}  // namespace engine

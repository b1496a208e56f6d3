// The frames of the workloads, one after another, on the machine; and what they count, into results.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/instruments/timeline.h"
#include "engine/ranks.h"
#include "engine/simulation.h"
#include "experiments/tessera/run_checkpoint.h"
#include "experiments/tessera/run_keeper.h"
#include "experiments/tessera/run_length.h"
#include "experiments/tessera/run_request.h"
#include "experiments/tessera/workloads.h"
#include "io/progress.h"
#include "io/run_folder.h"
#include "models/machine.h"

namespace experiments {

// In one results file.
inline constexpr std::size_t most_logged_messages = 1'000'000;

class MachineRun {
  public:
    // What rank 0 writes; elsewhere nothing of it is looked at.
    struct Output {
        io::RunFolder* folder = nullptr;
        const io::OutputFile* timeline = nullptr;  // none: no timeline is wanted
        RunIdentity& identity;                     // of the run
    };

    // Everything must outlive the run. `progress`: where it begins, with the provenance of its results and the segment
    // that this start of the program does; the run takes it on, the results on rank 0 only.
    MachineRun(const RunRequest& request, const engine::Ranks& ranks, const models::MachineParameters& parameters,
               const Output& output, RunProgress& progress);

    // Collective. Every workload meets a machine with cold caches, each of its frames the machine as the frame before
    // left it. Simulated time goes on from one workload to the next. Frames are committed to results.h5 as they are
    // done, but not so often that it costs more than some hundredths of the time. True: all frames are done. False: a
    // signal asked for a stop (engine/threads/stop_request.h, on any rank), or --stop-after did; a checkpoint of the
    // moment, which may be in the middle of a frame, and the frames done until then are in the folder, and it has been
    // said so. An error, too, goes on only when they are committed; engine::ConfigError where simulated time ends.
    bool run(const std::vector<OpenWorkload>& workloads);

  private:
    struct Totals {
        double quads = 0, quads_done = 0, cycles_done = 0;
    };
    struct Target {
        const OpenWorkload& workload;
        engine::Simulation& simulation;
        models::Machine& machine;
        models::FrameTrace& trace;
    };
    bool run_workloads(const std::vector<OpenWorkload>& workloads);
    bool run_workload(const OpenWorkload& workload);
    bool run_frame(const Target& target, io::ResultsCollector& collector);
    bool run_to_end(const Target& target, const models::Frame& frame);
    void finish_frame(const Target& target, const models::Frame& frame, io::ResultsCollector& collector);
    void load(const Target& target, models::Frame& frame);
    void restore(engine::Simulation& simulation);
    bool pause(const engine::Simulation* simulation, engine::Time reached, int signal = 0);
    void write_checkpoint(const engine::Simulation* simulation);
    void count_totals(const std::vector<OpenWorkload>& workloads);
    void end_by_error() noexcept;
    [[noreturn]] void throw_out_of_time(const OpenWorkload& workload, std::uint32_t frame) const;
    engine::RunOptions run_options() const;
    void begin_results(const OpenWorkload& workload, const engine::Simulation& simulation,
                       const io::ResultsCollector& collector);
    void log_messages(engine::Simulation& simulation) const;
    void add_log(const engine::Simulation& simulation);
    void check_laws(const Target& target, std::size_t position, const models::Ledger& ledger,
                    const models::Records& programs, engine::Time end) const;
    void show_progress(const OpenWorkload& workload, const models::Frame& frame, std::uint64_t cycles);
    void plan(const engine::Simulation& simulation);
    void write_timeline() const;

    const RunRequest& request_;
    const engine::Ranks& ranks_;
    const models::MachineParameters& parameters_;
    const Output& output_;
    RunProgress& at_;
    io::Results& results_;
    Milestone stop_, checkpoint_;
    std::string why_;  // it stops
    io::Progress progress_;
    Totals totals_;
    engine::Plan plan_;
    engine::Profile profile_;  // of what has run since the program started, the same on all ranks
    engine::Timeline timeline_{200'000};
    std::unique_ptr<RunKeeper> keeper_;  // on rank 0
};

}  // namespace experiments

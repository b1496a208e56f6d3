// The frames of the workloads, one after another, on the machine; and what they count, into results.
#pragma once

#include <chrono>
#include <vector>

#include "engine/ranks.h"
#include "engine/simulation.h"
#include "engine/timeline.h"
#include "experiments/tessera/run_request.h"
#include "experiments/tessera/workloads.h"
#include "io/progress.h"
#include "io/results.h"
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
        std::string machine;                       // the contents of resolved.toml
    };

    // Everything must outlive the run. `results` comes with its provenance; rank 0 fills in the rest.
    MachineRun(const RunRequest& request, const engine::Ranks& ranks, const models::MachineParameters& parameters,
               const Output& output, io::Results& results);

    // Collective. Every workload meets a machine with cold caches, each of its frames the machine as the frame before
    // left it. Simulated time goes on from one workload to the next. Frames are committed to results.h5 as they are
    // done, but not so often that it costs more than some hundredths of the time. Stops in the middle of a frame when a
    // signal asks for it (engine/stop_request.h, on any rank), commits the frames done until then, says so, and returns
    // the signal, on all ranks; 0 if all frames are done. An error, too, goes on only when they are committed;
    // engine::ConfigError where simulated time ends.
    int run(const std::vector<OpenWorkload>& workloads);

  private:
    struct Totals {
        double quads = 0, quads_done = 0, cycles_done = 0;
    };
    int run_workloads(const std::vector<OpenWorkload>& workloads);
    int run_workload(const OpenWorkload& workload, std::uint32_t number);
    void end_early(const std::string& why);
    void end_by_error() noexcept;
    [[noreturn]] void throw_out_of_time(const OpenWorkload& workload, std::uint32_t frame) const;
    engine::RunOptions run_options() const;
    void add_workload(const OpenWorkload& workload);
    void log_messages(engine::Simulation& simulation) const;
    void add_log(const engine::Simulation& simulation);
    static void check_laws(const models::Machine& machine, const models::Ledger& ledger,
                           const models::FrameTrace& trace, std::uint32_t frame, engine::Time begin, engine::Time end);
    void show_progress(const OpenWorkload& workload, const models::Frame& frame, std::uint64_t cycles);
    void write_image(const OpenWorkload& workload, std::size_t position) const;
    engine::Plan plan_for(const engine::Simulation& simulation, const OpenWorkload& workload) const;
    void write_timeline() const;
    void commit();

    const RunRequest& request_;
    const engine::Ranks& ranks_;
    const models::MachineParameters& parameters_;
    const Output& output_;
    io::Results& results_;
    io::Progress progress_;
    Totals totals_;
    engine::Timeline timeline_{200'000};
    engine::Time time_ = 0;  // simulated, at the end of the last workload
    bool several_ = false;   // workloads: their images get folders of their own
    std::chrono::steady_clock::time_point last_commit_ = std::chrono::steady_clock::now();
    double commit_seconds_ = 0;  // what the last one took
    std::size_t committed_ = 0;  // frames

    struct Picture {
        const OpenWorkload* workload;
        std::size_t position;
    };
    std::vector<Picture> pictures_;  // of frames that are not committed yet
};

}  // namespace experiments

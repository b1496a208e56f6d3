// What `tessera run` was asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/tessera/frame_range.h"
#include "experiments/tessera/run_length.h"
#include "experiments/tessera/time_range.h"
#include "io/progress.h"

namespace experiments {

struct RunRequest {
    std::string machine;                           // a TOML file or a preset's name
    std::vector<std::filesystem::path> workloads;  // frame traces or recordings
    std::filesystem::path output;                  // folder
    FrameRange frames;
    int threads = 1;  // of each rank
    std::string partition;
    std::uint64_t fuzz_seed = 0;  // for delays of threads; 0: none
    bool pin = false;
    std::filesystem::path profile_from;  // results whose profile the partition goes by; empty: cost hints
    std::filesystem::path profile;       // where to write a timeline of wall time; empty: nowhere
    std::vector<std::string> overrides;
    bool force = false;
    std::filesystem::path resume;  // the folder of a run that goes on; empty: a new run
    bool resumes() const { return !resume.empty(); }
    struct {
        bool frames = false, tie_seed = false, log = false;
    } given;  // on the command line
    RunLength stop_after, checkpoint_every;
    Milestone::Clock::time_point began = Milestone::Clock::now();  // from where their wall time counts
    bool share_memory = true;                                      // between the ranks of a node
    std::uint64_t tie_seed = 0;  // another order of messages that arrive at one time; 0: as declared
    TimeRange log;               // messages to be logged; empty: none
    io::Progress::Style progress = io::Progress::Style::automatic;
    double watchdog = 300;                           // wall seconds without progress; 0: no limit
    engine::Time end_of_time = engine::end_of_time;  // ticks, over all workloads; tests set an earlier one
};

}  // namespace experiments

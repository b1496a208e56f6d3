// What rank 0 keeps of a run in its folder while it goes on: resolved.toml, results.h5 with the frames done so far,
// their images, and checkpoints.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/wall_clock.h"
#include "experiments/tessera/run_checkpoint.h"
#include "experiments/tessera/workloads.h"
#include "io/run_folder.h"

namespace experiments {

class RunKeeper {
  public:
    // Both must outlive it. `several`: workloads, so that their images get folders of their own.
    RunKeeper(io::RunFolder& folder, RunIdentity& identity, RunProgress& progress, bool several);

    // The last of the results' frames is done: they are committed to results.h5, but not so often that it costs more
    // than some hundredths of the time.
    void keep_frame(const OpenWorkload& workload, std::size_t position);
    // All frames done so far, if that has not been done.
    void commit();
    void commit_complete();
    // Commits, so that images and results are there of what a run that goes on does not do again. `log`: the messages
    // of the workload under way.
    void write_checkpoint(const engine::MessageLog& log);
    // Commits, and says on standard error what there is. `why`: "stopped by SIGTERM".
    void end_early(const std::string& why);

  private:
    void prepare();
    void write_image(const OpenWorkload& workload, std::size_t position) const;
    void write_results();

    io::RunFolder& folder_;
    RunIdentity& identity_;
    RunProgress& progress_;
    io::Results& results_;
    bool several_, prepared_ = false;
    engine::Clock::time_point last_commit_ = engine::Clock::now();
    double commit_seconds_ = 0.05;  // what the last one took; before the first, a guess that lets a second pass
    std::size_t committed_;         // frames

    struct Picture {
        const OpenWorkload* workload;
        std::size_t position;
    };
    std::vector<Picture> pictures_;  // of frames that are not committed yet
};

}  // namespace experiments

// The folder that a run of the machine writes into:
//
//     results.h5       the frames done so far, complete whenever it is looked at
//     resolved.toml    the machine, every parameter
//     images/          frame_NNNN.png of the frames in results.h5; with several workloads in a folder for each
//     traces/          frame traces of the recordings among the workloads
//     checkpoint       only while the run is not complete: what it can go on from; checkpoint_previous: the one before
//     replaced/        (replaced_2, ...) all this of an earlier run, while the one that replaces it is not complete
//
// One run at a time has the folder (output_lock.h). With --force results of an earlier run are put aside when the first
// file of the new run is written, come back if it fails before it has results of its own, and go when it is complete.
// What stands there and is not Tessera's own is never touched: where a name is needed that something else has, or a
// folder that goes holds something else, the run is refused before it begins (output.h). A run that goes on takes the
// folder over as it is.
#pragma once

#include <filesystem>
#include <vector>

#include "io/checkpoint_file.h"
#include "io/output.h"

namespace io {

class RunFolder {
  public:
    // Creates the folder if absent; changes nothing in it.
    RunFolder(std::filesystem::path path, const OutputPolicy& policy);
    // Of a run that goes on. Throws engine::ConfigError if there is no such folder.
    explicit RunFolder(std::filesystem::path path);
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    ~RunFolder();

    // Before the first file is written, and whenever one might be it.
    void make_room();
    // After results.h5 or a checkpoint has been written.
    void keep() { kept_ = true; }
    // After results.h5 has been written with all frames.
    void complete();

    std::filesystem::path results() const { return path_ / "results.h5"; }
    std::filesystem::path machine() const { return path_ / "resolved.toml"; }
    std::filesystem::path images() const { return path_ / "images"; }
    std::filesystem::path traces() const { return path_ / "traces"; }
    CheckpointPaths checkpoints() const { return {path_ / "checkpoint", path_ / "checkpoint_previous"}; }

    // True for a path that is one of the above or in one of them.
    static bool is_reserved(const std::filesystem::path& folder, const std::filesystem::path& path);

  private:
    void give_back() noexcept;

    std::vector<std::filesystem::path> created_;  // folders, the deepest first
    std::filesystem::path path_;
    OutputLock lock_;
    std::vector<std::filesystem::path> earlier_;   // what of an earlier run stands in the folder itself
    std::vector<std::filesystem::path> replaced_;  // folders of what was put aside, the last one by this run
    bool room_made_ = false, kept_ = false;
};

}  // namespace io

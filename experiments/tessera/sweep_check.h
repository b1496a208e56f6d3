// Whether what stands in a sweep's folder is of the machine and the frames that its points name now.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "io/sweep_file.h"

namespace experiments {

// What is wrong with the file whatever points it makes: machines, frames and parameters that do not exist, values out
// of their ranges. What does not fit together is seen when a point is run. Throws engine::ConfigError with
// FILE:LINE:COLUMN.
void check_sweep(const io::Sweep& sweep);

class SweepCheck {
  public:
    // `frames`: of the sweep, as for --frames; empty: all.
    explicit SweepCheck(std::string frames) : frames_(std::move(frames)) {}

    // `folder`: of a point that was run, to its end or not. Throws engine::ConfigError that names what differs: a
    // parameter of its machine, the frames of its trace, or its recording, if the trace of that is still there.
    void check(const io::SweepPoint& point, const std::filesystem::path& folder);

  private:
    const std::string& digest_of(const std::filesystem::path& workload);

    std::string frames_;
    std::map<std::filesystem::path, std::string>
        digests_;  // of recordings, and of the frames of traces; points share them
};

}  // namespace experiments

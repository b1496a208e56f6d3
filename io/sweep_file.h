// The file that describes a sweep: settings of machines, workloads, and which of them are run together. TOML:
//
//     machine = "bifrost32"              a preset, or a machine's file; or machines = [...]
//     workloads = ["a.h5", "b.h5"]       frame traces or recordings
//     frames = "1-2"                     of each workload, as --frames [all]
//     threads = 1                        of each run [1]
//     checkpoint_every = "10 min"        of each run, as --checkpoint-every
//
//     [set]                              for every point
//     "l2.ways" = 16
//     [grid]                             every combination of these ...
//     "fragment_processor.warps" = [8, 16, 32]
//     "network.kind" = ["bus", "mesh"]
//     [zip]                              ... with the first of each of these, the second, ...
//     "texture_cache.capacity" = ["16 KiB", "32 KiB"]
//     "texture_cache.ways" = [4, 8]
//     [[list]]                           ... and with each of these tables; `name` names it
//     name = "ideal"
//     "l2.latency" = 1
//
// A point is a machine, a workload and settings. Later settings win: [set], [grid], [zip], [[list]]. Relative paths are
// those from the folder of the file.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace io {

struct SweepPoint {
    std::string name;  // of its folder: what tells it from the others, and a hash of all that it is
    std::string machine;
    std::filesystem::path workload;
    std::vector<std::pair<std::string, std::string>> settings;  // parameter, value: as for --set
};

struct Sweep {
    std::string frames, checkpoint_every;  // empty: not given
    int threads = 1;
    std::vector<SweepPoint> points;
    std::vector<std::string> varied;  // parameters of [grid], [zip] and [[list]], each once, in the order of the file
};

// What the file says may be wrong only in its form here: whether parameters, workloads and machines exist is seen when
// a point is run. Throws engine::ConfigError with FILE:LINE:COLUMN, engine::IoError if it cannot be read.
Sweep read_sweep(const std::filesystem::path& path);

}  // namespace io

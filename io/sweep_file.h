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
//     [slurm]                            of the tasks of a batch job, each of which runs a point
//     time = "2 h"                       limit of a task: it is stopped with a checkpoint, and queued again
//     margin = "2 min"                   so long before the limit [2 min; a quarter of the limit if that is less]
//     least = "30 s"                     how long it runs at least whenever it starts [30 s; a quarter of the limit]
//     restarts = 100                     how often it is queued again [100]
//     memory = "4 GiB"                   [what the cluster gives]
//     partition = "long"                 [that of the cluster]
//     account = "gpu-models"             [that of the user]
//     options = ["--constraint=avx2"]    for sbatch
//     setup = ["module load openmpi"]    lines of shell, before the point is run
//
// A point is a machine, a workload and settings. What varies in [grid], [zip] or [[list]], each parameter in one of
// them, wins over [set]. Relative paths are those from the folder of the file, so that a point is the same from
// wherever the file is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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

// As it stands in the file.
struct SweepText {
    std::string where;  // "sweep.toml:3:8: ", for errors
    std::string key;    // of the file, or a parameter's name
    std::string text;
};

struct SlurmTask {
    double time = 0, margin = 0, least = 0;  // seconds
    int restarts = 100;
    std::int64_t memory = 0;         // bytes; 0: not given
    std::string partition, account;  // empty: not given
    std::vector<std::string> options, setup;
};

struct Sweep {
    std::string frames, checkpoint_every;  // empty: not given
    int threads = 1;
    std::vector<SweepPoint> points;
    std::vector<std::string> varied;  // parameters of [grid], [zip] and [[list]], each once, in the order of the file
    std::optional<SlurmTask> slurm;
    std::vector<SweepText> settings;  // every value of [set], [grid], [zip] and [[list]]
    std::vector<SweepText> others;    // machine, machines, frames, checkpoint_every
};

// What the file says may be wrong only in its form here: whether parameters and machines exist is for others to say.
// Throws engine::ConfigError with FILE:LINE:COLUMN, engine::IoError if it cannot be read.
Sweep read_sweep(const std::filesystem::path& path);

}  // namespace io

// A sweep as a job array of Slurm: a task a point, with the number of the point. A task is stopped with a checkpoint
// before its time limit and puts itself back into the queue, from where it goes on.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "io/sweep_file.h"

namespace experiments {

// Paths are absolute: tasks may run on any node, from any folder.
struct SlurmJob {
    std::filesystem::path program, spec, folder;
    std::vector<std::size_t> points;  // that are to be run, ascending
    int at_once = 0;                  // 0: as many as the cluster lets

    std::filesystem::path script() const { return folder / "job.sh"; }
    std::filesystem::path number() const { return folder / "job.number"; }  // of the job that was submitted last
};

// As sbatch --array has it: "0,3,5-9%4".
std::string array_expression(const std::vector<std::size_t>& numbers, int at_once);

// What job.sh holds. Throws engine::ConfigError if the sweep has no [slurm], or a path cannot be written into it.
std::string job_script(const SlurmJob& job, const io::Sweep& sweep);

// Submits job.sh, notes its number, and returns it. Throws engine::ConfigError if the job submitted before is not over,
// engine::IoError with what sbatch says if that does not take it.
std::string submit(const SlurmJob& job);

}  // namespace experiments

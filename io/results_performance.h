// The group /performance of results.h5 (results_file.h): how fast a run was and what its processes cost, which the
// partition `balanced` can go by.
#pragma once

#include <filesystem>

#include "engine/instruments/profile.h"
#include "engine/plan.h"
#include "io/hdf5_file.h"
#include "io/results.h"

namespace io {

void write_performance(Hdf5Group& root, const Results& results);

// What the processes and channels of this machine cost in an earlier run. Throws engine::ConfigError if the results are
// those of a machine with other processes or channels; and as read_results() does.
engine::Profile read_profile(const std::filesystem::path& path, const engine::Graph& graph);

}  // namespace io

// A timeline as JSON that chrome://tracing and ui.perfetto.dev show: a row for every worker (process: rank, thread:
// thread), slices in wall time. See engine/timeline.h for what is in it.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/plan.h"
#include "engine/timeline.h"

namespace io {

// The timelines of the ranks; the graph has the names of the processes. Throws engine::IoError.
void write_timeline(const std::filesystem::path& path, const std::vector<engine::Timeline>& ranks,
                    const engine::Graph& graph);

}  // namespace io

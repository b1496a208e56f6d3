// A timeline as JSON that chrome://tracing and ui.perfetto.dev show: a row for every worker (process: rank, thread:
// thread), slices in wall time. See engine/instruments/timeline.h for what is in it.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/instruments/timeline.h"
#include "engine/plan.h"
#include "io/recording/file.h"

namespace io {

// True if the file's first bytes are those that write_timeline() writes.
bool is_timeline(const std::filesystem::path& path);

// The timelines of the ranks; the graph has the names of the processes. Throws engine::IoError.
void write_timeline(const std::filesystem::path& path, const std::vector<engine::Timeline>& ranks,
                    const engine::Graph& graph, Existing existing = Existing::replace);

}  // namespace io

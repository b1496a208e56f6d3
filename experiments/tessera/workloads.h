// The workloads of a run: frame traces as they are, recordings traced into the output folder first.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/ranks.h"
#include "experiments/tessera/run_request.h"
#include "io/frame_trace_file.h"

namespace experiments {

struct OpenWorkload {
    std::filesystem::path given;  // as on the command line
    std::string label;            // its file name without suffixes; different for every workload
    std::unique_ptr<io::FrameTraceFile> trace;
    std::vector<std::size_t> frames;  // positions in the trace of the frames wanted
};

// Collective. Every rank opens every trace; rank 0 traces recordings.
std::vector<OpenWorkload> open_workloads(const RunRequest& request, const engine::Ranks& ranks);

}  // namespace experiments

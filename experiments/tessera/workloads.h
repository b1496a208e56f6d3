// The workloads of a run: frame traces as they are, recordings traced first.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/ranks.h"
#include "experiments/tessera/run_request.h"
#include "io/frame_trace_file.h"
#include "io/recording/temporary_name.h"

namespace experiments {

// Where traces of recordings go.
struct TraceFolder {
    std::filesystem::path path;
    bool temporary = false;                     // they go when the program ends, however
    bool reuse = false;                         // those that are there already
    std::function<void()> before_writing = {};  // called on rank 0
    // Asked on every rank before a recording is traced, on rank 0 between its frames, too: true leaves the workloads
    // from this one on without a trace.
    std::function<bool()> stops = [] { return false; };
};

struct OpenWorkload {
    std::filesystem::path given;                // as on the command line
    std::string label;                          // its file name without suffixes; different for every workload
    io::TemporaryName temporary;                // of the trace
    std::unique_ptr<io::FrameTraceFile> trace;  // none: it was to stop before
    std::vector<std::size_t> frames;            // positions in the trace of the frames wanted
};

// Collective. Every rank opens every trace; rank 0 traces recordings.
std::vector<OpenWorkload> open_workloads(const RunRequest& request, const TraceFolder& traces,
                                         const engine::Ranks& ranks);

}  // namespace experiments

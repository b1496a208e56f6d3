// What a checkpoint of a run holds: of what it is one, and how far the run has come. io/checkpoint_file.h stores it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/archive.h"
#include "engine/instruments/report.h"
#include "experiments/tessera/frame_range.h"
#include "experiments/tessera/time_range.h"
#include "experiments/tessera/workloads.h"
#include "io/results.h"

namespace experiments {

// What decides the results: with any other, the rest of a run is no continuation of its beginning.
struct RunIdentity {
    struct Workload {
        std::string given, label;  // as in the results
        std::string path;          // absolute
        std::string digest;        // of the trace; empty: the run was stopped before there was one
        void serialize(engine::Archive& archive) { archive(given, label, path, digest); }
    };
    std::string program;  // version
    std::string machine;  // the contents of resolved.toml
    std::vector<Workload> workloads;
    FrameRange frames;
    std::uint64_t tie_seed = 0;
    TimeRange log;
    std::string known_from = "the checkpoint";  // for errors, not stored

    void serialize(engine::Archive& archive) { archive(program, machine, workloads, frames, tie_seed, log); }
};

// What one start of the program did of a run; no part of the results.
struct RunSegment {
    std::string start_time, host, partition;
    std::int32_t ranks = 1, threads = 1;
    engine::Time from = 0, to = 0;  // ticks since the run began

    void serialize(engine::Archive& archive) { archive(start_time, host, partition, ranks, threads, from, to); }
};

struct RunProgress {
    std::uint32_t workload = 0,
                  frame = 0;              // the next frame: in the list of workloads, in that of the workload's frames
    engine::Time time = 0;                // ticks, at the beginning of the workload
    std::vector<std::byte> machine;       // engine/checkpoint.h; empty: as it is when the workload begins
    std::vector<std::uint64_t> counters;  // of the machine, at the end of the frame before; empty: zeros

    bool under_way = false;    // the machine is in the middle of the frame
    engine::Time start = 0;    // of that frame, in the time of the workload
    engine::RunReport report;  // of what was done of it

    io::Results results;
    std::vector<RunSegment> segments;

    void serialize(engine::Archive& archive) {
        archive(workload, frame, time, machine, counters, under_way, start, report, results, segments);
    }
};

struct RunCheckpoint {
    RunIdentity identity;
    RunProgress progress;
};

std::vector<std::byte> to_bytes(RunIdentity& identity, RunProgress& progress);
// Throws engine::ConfigError if another version of the program wrote it, engine::InputError if these are not the bytes
// of a checkpoint; `path`: where they come from.
RunCheckpoint to_checkpoint(std::span<const std::byte> bytes, const std::filesystem::path& path);

// Of the workloads of a run.
std::vector<RunIdentity::Workload> identify(const std::vector<OpenWorkload>& workloads);

}  // namespace experiments

#include "experiments/tessera/workloads.h"

#include <algorithm>
#include <cstdint>

#include "engine/error.h"
#include "experiments/tessera/agreement.h"
#include "experiments/tessera/command_line.h"
#include "experiments/tessera/cores.h"
#include "experiments/tessera/tracing.h"
#include "io/file.h"
#include "io/log.h"

namespace experiments {

namespace {

// "game" of "captures/game.vtr.zst"; "game_2" if there is a "game" before it.
std::string label_of(const std::filesystem::path& path, const std::vector<OpenWorkload>& before) {
    const std::string name = path.filename().string();
    const std::string stem = name.substr(0, name.find('.', 1));
    std::string label = stem;
    const auto taken = [&](const OpenWorkload& other) { return other.label == label; };
    for (int n = 2; std::any_of(before.begin(), before.end(), taken); ++n) label = stem + "_" + std::to_string(n);
    return label;
}

// Traces the recording with all cores. False: it was to stop before.
bool trace_on_the_way(const RunRequest& request, const OpenWorkload& workload, const std::filesystem::path& trace,
                      const std::function<bool()>& stops, const engine::Ranks& ranks) {
    TraceRequest tracing;
    tracing.recording = workload.given;
    tracing.trace = trace;
    tracing.frames = request.frames;
    tracing.threads = default_threads();
    tracing.command_line = command_line();
    io::create_folder(trace.parent_path());
    tracing.after_each = [&ranks] { ranks.give_sign(); };
    tracing.stops = stops;
    const TraceReport report = trace_recording(tracing, [&](const TracedFrame& frame) {
        if (request.progress != io::Progress::Style::none)
            io::log_note("traced frame " + std::to_string(frame.number) + " of " + workload.given.string());
    });
    return !report.stopped;
}

void choose_frames(const RunRequest& request, OpenWorkload& workload) {
    for (std::size_t i = 0; i < workload.trace->frame_count(); ++i)
        if (request.frames.contains(workload.trace->frame_number(i))) workload.frames.push_back(i);
    if (!workload.frames.empty()) return;
    std::string held = "no frames";
    if (const std::size_t count = workload.trace->frame_count(); count != 0)
        held = "frames " + std::to_string(workload.trace->frame_number(0)) + " to " +
               std::to_string(workload.trace->frame_number(count - 1));
    throw engine::InputError(workload.given.string() + ": holds " + held + "; none of them is in " +
                             request.frames.text());
}

}  // namespace

std::vector<OpenWorkload> open_workloads(const RunRequest& request, const TraceFolder& traces,
                                         const engine::Ranks& ranks) {
    std::vector<OpenWorkload> workloads;
    bool stopped = false;
    for (const std::filesystem::path& path : request.workloads) {
        OpenWorkload workload{path, label_of(path, workloads), {}, nullptr, {}};
        if (stopped) {
            workloads.push_back(std::move(workload));
            continue;
        }
        ranks.name_stage("opening " + workload.label);
        const std::filesystem::path traced = traces.path / (workload.label + ".h5");
        bool is_there = false, is_trace = false;
        on_all_ranks(ranks, [&] {
            is_there = traces.reuse && io::exists(traced);
            is_trace = !is_there && io::FrameTraceFile::recognises(path);
        });
        const std::filesystem::path trace = is_trace ? path : traced;
        if (!is_trace && !is_there) {
            bool stops = ranks.any(traces.stops());
            on_first_rank(ranks, [&] {
                if (stops) return;
                if (traces.before_writing) traces.before_writing();
                if (traces.temporary) workload.temporary = io::TemporaryName(trace);
                stops = !trace_on_the_way(request, workload, trace, traces.stops, ranks);
            });
            stopped = ranks.any(stops);
        }
        if (!stopped)
            on_all_ranks(ranks, [&] {
                workload.trace = std::make_unique<io::FrameTraceFile>(trace, request.threads);
                choose_frames(request, workload);
                const std::uint32_t last = workload.trace->frame_number(workload.trace->frame_count() - 1);
                const std::string missing = frames_missing(request.frames, path.string(), last);
                if (ranks.rank() == 0 && !missing.empty()) io::log_warning(missing);
            });
        workloads.push_back(std::move(workload));
    }
    return workloads;
}

}  // namespace experiments

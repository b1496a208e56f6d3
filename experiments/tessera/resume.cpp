#include "experiments/tessera/resume.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "engine/error.h"
#include "experiments/tessera/agreement.h"
#include "experiments/tessera/machine_file.h"
#include "experiments/tessera/open_recording.h"
#include "io/checkpoint_file.h"
#include "io/config_file.h"
#include "io/digest.h"
#include "io/file.h"
#include "io/frame_trace_file.h"
#include "io/log.h"
#include "io/results.h"
#include "io/results_file.h"

namespace experiments {

namespace {

[[noreturn]] void refuse(const RunIdentity& identity, const RunRequest& request, const std::string& what,
                         const std::string& found, const std::string& expected) {
    throw engine::ConfigError("--resume " + request.output.string() + ": " + what + " is " + found + ", in " +
                              identity.known_from + " it is " + expected +
                              "; leave it out to go on, or start another run");
}

// Of a workload of which no more than its place is known.
void check_path(const RunIdentity& identity, const RunRequest& request, const std::filesystem::path& given,
                const std::filesystem::path& expected) {
    std::error_code error;
    if (std::filesystem::absolute(given).lexically_normal() != expected.lexically_normal() &&
        !std::filesystem::equivalent(given, expected, error))
        refuse(identity, request, "a workload", given.string(), expected.string());
}

// What was run, as far as results tell.
RunIdentity identity_of(const io::Results& results, const RunRequest& request) {
    RunIdentity identity;
    identity.known_from = "the results, which are complete,";
    identity.tie_seed = results.determinism.tie_seed;
    identity.log = {results.determinism.log_from, results.determinism.log_to};
    for (const io::WorkloadResult& workload : results.workloads)
        identity.workloads.push_back({workload.path, workload.label, workload.path, workload.digest});
    bool has_frames = false;
    for (const io::NamedText& entry : results.provenance) {
        if (entry.name == "resolved_toml") identity.machine = entry.text;
        if (entry.name != "frames") continue;
        identity.frames = parse_frame_range(entry.text);
        has_frames = true;
    }
    if (has_frames) return identity;
    // Of older results no more is known than that the range holds the frames that are there.
    const auto outside = [&](const io::FrameResult& frame) { return !request.frames.contains(frame.number); };
    const bool may_be = std::none_of(results.frames.begin(), results.frames.end(), outside);
    if (may_be)
        identity.frames = request.frames;
    else
        identity.frames = {results.frames.front().number, results.frames.back().number};
    return identity;
}

// The trace that the run made of a recording tells which one it was. False: it is gone, or does not know.
bool check_recording(const RunIdentity& identity, const RunRequest& request, std::size_t number) {
    const std::filesystem::path& given = request.workloads[number];
    const RunIdentity::Workload& expected = identity.workloads[number];
    const std::filesystem::path traced = request.output / "traces" / (expected.label + ".h5");
    const std::string digest = digest_of_traced_recording(traced);
    if (digest.empty()) return false;
    const std::string found = digest_of_recording(open_recording(given));
    if (found != digest)
        refuse(identity, request, "the digest of workload " + given.string(), found, digest + " of " + expected.given);
    return true;
}

// The frames of a workload that were run, in the trace given for it.
void check_workload(const RunIdentity& identity, const RunRequest& request, const io::Results& results,
                    std::size_t number) {
    const std::filesystem::path& given = request.workloads[number];
    const RunIdentity::Workload& expected = identity.workloads[number];
    if (!io::FrameTraceFile::recognises(given)) {
        if (!check_recording(identity, request, number) &&
            given.filename() != std::filesystem::path(expected.given).filename())
            refuse(identity, request, "workload " + std::to_string(number + 1), given.string(), expected.given);
        return;
    }
    std::set<std::uint32_t> numbers;
    for (const io::FrameResult& frame : results.frames)
        if (frame.workload == number) numbers.insert(frame.number);
    const io::FrameTraceFile trace(given);
    io::Digest digest;
    for (std::size_t i = 0; i < trace.frame_count(); ++i)
        if (numbers.contains(trace.frame_number(i))) digest.add(trace.digest_of(i));
    if (digest.hex() != expected.digest)
        refuse(identity, request, "the digest of workload " + given.string(), digest.hex(), expected.digest);
}

}  // namespace

bool has_complete_results(const std::filesystem::path& folder) {
    const std::filesystem::path results = folder / "results.h5";
    try {
        return io::exists(results) && io::is_complete(results);
    } catch (const engine::InputError&) {
        return false;
    }
}

RunCheckpoint read_checkpoint(const io::RunFolder* folder, const engine::Ranks& ranks) {
    io::StoredCheckpoint stored;
    on_first_rank(ranks, [&] {
        stored = io::read_checkpoint(folder->checkpoints());
        if (stored.complaint.empty()) return;
        io::log_warning(stored.complaint + "; going on from the one before, " + stored.path.string());
        // Or it would take the place of the good one when the next is written.
        std::filesystem::remove(folder->checkpoints().newest);
    });
    ranks.broadcast(stored.bytes);
    RunCheckpoint checkpoint;
    on_all_ranks(ranks, [&] { checkpoint = to_checkpoint(stored.bytes, stored.path); });
    return checkpoint;
}

void complete_request(const RunIdentity& identity, RunRequest& request) {
    if (request.given.frames && request.frames.text() != identity.frames.text())
        refuse(identity, request, "--frames", request.frames.text(), identity.frames.text());
    if (request.given.tie_seed && request.tie_seed != identity.tie_seed)
        refuse(identity, request, "--tie-seed", std::to_string(request.tie_seed), std::to_string(identity.tie_seed));
    if (request.given.log && request.log.text() != identity.log.text())
        refuse(identity, request, "--log-messages", request.log.text(),
               identity.log.empty() ? "none" : identity.log.text());
    request.frames = identity.frames;
    request.tie_seed = identity.tie_seed;
    request.log = identity.log;
    if (request.workloads.empty())
        for (const RunIdentity::Workload& workload : identity.workloads) request.workloads.emplace_back(workload.path);
    if (request.workloads.size() != identity.workloads.size())
        refuse(identity, request, "the number of workloads", std::to_string(request.workloads.size()),
               std::to_string(identity.workloads.size()));
    for (std::size_t i = 0; i < request.workloads.size(); ++i)
        if (identity.workloads[i].digest.empty())
            check_path(identity, request, request.workloads[i], identity.workloads[i].path);
}

void check_recordings(const RunIdentity& identity, const RunRequest& request) {
    for (std::size_t i = 0; i < std::min(request.workloads.size(), identity.workloads.size()); ++i)
        if (!identity.workloads[i].digest.empty() && !io::FrameTraceFile::recognises(request.workloads[i]))
            (void)check_recording(identity, request, i);
}

void resume_machine(const RunIdentity& identity, const RunRequest& request, models::MachineParameters& parameters) {
    models::MachineParameters stored;
    io::read_resolved(identity.machine, request.output / "resolved.toml", stored);
    if (!request.machine.empty()) {
        (void)read_machine(request.machine, request.overrides, parameters);
    } else {
        io::read_resolved(identity.machine, request.output / "resolved.toml", parameters);
        io::override_parameters(request.overrides, parameters);
    }
    if (const auto difference = io::first_difference(parameters, stored))
        refuse(identity, request, "the machine's " + difference->parameter, difference->value, difference->other);
}

void resume_workloads(RunIdentity& identity, const RunRequest& request, std::vector<OpenWorkload>& workloads) {
    std::vector<RunIdentity::Workload>& expected = identity.workloads;
    for (std::size_t i = 0; i < workloads.size(); ++i) {
        if (workloads[i].trace != nullptr) {
            const std::string digest = workloads[i].trace->digest();
            if (expected[i].digest.empty()) expected[i].digest = digest;
            if (digest != expected[i].digest)
                refuse(identity, request, "the digest of workload " + workloads[i].given.string(), digest,
                       expected[i].digest);
        }
        workloads[i].given = expected[i].given;
        workloads[i].label = expected[i].label;
    }
}

void check_against_results(RunRequest request, models::MachineParameters& parameters) {
    const bool machine_is_given = !request.machine.empty() || !request.overrides.empty();
    const bool all_is_given = machine_is_given || !request.workloads.empty() || !request.profile_from.empty();
    if (!all_is_given && !request.given.frames && !request.given.tie_seed && !request.given.log) return;
    const io::Results results = io::read_results(request.output / "results.h5");
    const RunIdentity identity = identity_of(results, request);
    const std::size_t given = request.workloads.size();
    complete_request(identity, request);
    if (machine_is_given || !request.profile_from.empty()) resume_machine(identity, request, parameters);
    for (std::size_t i = 0; i < given; ++i) check_workload(identity, request, results, i);
}

}  // namespace experiments

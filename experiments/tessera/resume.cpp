#include "experiments/tessera/resume.h"

#include "engine/error.h"
#include "experiments/tessera/agreement.h"
#include "experiments/tessera/machine_file.h"
#include "io/checkpoint_file.h"
#include "io/config_file.h"
#include "io/file.h"
#include "io/log.h"
#include "io/results_file.h"

namespace experiments {

namespace {

[[noreturn]] void refuse(const RunRequest& request, const std::string& what, const std::string& found,
                         const std::string& expected) {
    throw engine::ConfigError("--resume " + request.output.string() + ": " + what + " is " + found +
                              ", in the checkpoint it is " + expected +
                              "; leave it out to go on, or start another run");
}

// Of a workload of which no more than its place is known.
void check_path(const RunRequest& request, const std::filesystem::path& given, const std::filesystem::path& expected) {
    std::error_code error;
    if (std::filesystem::absolute(given).lexically_normal() != expected.lexically_normal() &&
        !std::filesystem::equivalent(given, expected, error))
        refuse(request, "a workload", given.string(), expected.string());
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
        refuse(request, "--frames", request.frames.text(), identity.frames.text());
    if (request.given.tie_seed && request.tie_seed != identity.tie_seed)
        refuse(request, "--tie-seed", std::to_string(request.tie_seed), std::to_string(identity.tie_seed));
    if (request.given.log && request.log.text() != identity.log.text())
        refuse(request, "--log-messages", request.log.text(), identity.log.empty() ? "none" : identity.log.text());
    request.frames = identity.frames;
    request.tie_seed = identity.tie_seed;
    request.log = identity.log;
    if (request.workloads.empty())
        for (const RunIdentity::Workload& workload : identity.workloads) request.workloads.emplace_back(workload.path);
    if (request.workloads.size() != identity.workloads.size())
        refuse(request, "the number of workloads", std::to_string(request.workloads.size()),
               std::to_string(identity.workloads.size()));
    for (std::size_t i = 0; i < request.workloads.size(); ++i)
        if (identity.workloads[i].digest.empty()) check_path(request, request.workloads[i], identity.workloads[i].path);
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
        refuse(request, "the machine's " + difference->parameter, difference->value, difference->other);
}

void resume_workloads(RunIdentity& identity, const RunRequest& request, std::vector<OpenWorkload>& workloads) {
    std::vector<RunIdentity::Workload>& expected = identity.workloads;
    for (std::size_t i = 0; i < workloads.size(); ++i) {
        if (workloads[i].trace != nullptr) {
            const std::string digest = workloads[i].trace->digest();
            if (expected[i].digest.empty()) expected[i].digest = digest;
            if (digest != expected[i].digest)
                refuse(request, "the digest of workload " + workloads[i].given.string(), digest, expected[i].digest);
        }
        workloads[i].given = expected[i].given;
        workloads[i].label = expected[i].label;
    }
}

}  // namespace experiments

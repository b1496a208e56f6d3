#include "experiments/tessera/run_checkpoint.h"

#include "engine/error.h"
#include "experiments/tessera/version.h"

namespace experiments {

std::vector<std::byte> to_bytes(RunIdentity& identity, RunProgress& progress) {
    std::vector<std::byte> bytes;
    engine::Archive archive(&bytes);
    archive(identity, progress);
    return bytes;
}

// The version comes first: of what another one wrote no more is looked at.
RunCheckpoint to_checkpoint(std::span<const std::byte> bytes, const std::filesystem::path& path) {
    RunCheckpoint checkpoint;
    try {
        std::string program;
        engine::Archive{bytes}(program);
        if (program != version_text())
            throw engine::ConfigError(path.string() + " was written by " + program + ", and this is " + version_text() +
                                      ", which may simulate otherwise: go on with that program, or start anew");
        engine::Archive archive(bytes);
        archive(checkpoint.identity, checkpoint.progress);
        if (!archive.is_at_end())
            throw engine::InputError("byte " + std::to_string(archive.position()) + ": expected the end");
    } catch (const engine::InputError& error) {
        throw engine::InputError(path.string() + ": no checkpoint of a run: " + error.what());
    }
    return checkpoint;
}

std::vector<RunIdentity::Workload> identify(const std::vector<OpenWorkload>& workloads) {
    std::vector<RunIdentity::Workload> identities;
    for (const OpenWorkload& workload : workloads)
        identities.push_back({workload.given.string(), workload.label,
                              std::filesystem::absolute(workload.given).string(),
                              workload.trace == nullptr ? std::string() : workload.trace->digest()});
    return identities;
}

}  // namespace experiments

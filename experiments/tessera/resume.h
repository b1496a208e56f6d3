// `tessera run --resume DIR`: a run goes on from the checkpoint in its folder. What decides the results (machine,
// workloads, frames, tie seed, messages to be logged) is that of the checkpoint; whoever gives it again must give the
// same. All else, such as ranks, threads and partition, may be other than before.
//
// A run that is complete has nothing to go on with. What is given with --resume is checked against its results all the
// same: whoever asks for something else is not told that it is there.
#pragma once

#include <vector>

#include "engine/ranks.h"
#include "experiments/tessera/run_checkpoint.h"
#include "experiments/tessera/run_request.h"
#include "experiments/tessera/workloads.h"
#include "io/run_folder.h"
#include "models/machine_parameters.h"

namespace experiments {

// False too if its results are damaged: they are written anew.
bool has_complete_results(const std::filesystem::path& folder);

// Collective; `folder` on rank 0. The newest checkpoint that is not damaged; another one than the newest is told of,
// and the damaged one removed. Throws as io::read_checkpoint() and to_checkpoint() do.
RunCheckpoint read_checkpoint(const io::RunFolder* folder, const engine::Ranks& ranks);

// Completes the request from the checkpoint, except for the machine. These throw engine::ConfigError that names what
// was given and differs.
void complete_request(const RunIdentity& identity, RunRequest& request);

// Of those whose traces are there. Before complete_request(), as it is about those that were given.
void check_recordings(const RunIdentity& identity, const RunRequest& request);

// Sets the parameters: as the request says, if it says anything.
void resume_machine(const RunIdentity& identity, const RunRequest& request, models::MachineParameters& parameters);

// Names the workloads as the results do; notes the digests of those that the checkpoint has none of.
void resume_workloads(RunIdentity& identity, const RunRequest& request, std::vector<OpenWorkload>& workloads);

// Of a run that is complete; sets the machine's parameters. Throws as the above do, and if a workload cannot be read.
void check_against_results(RunRequest request, models::MachineParameters& parameters);

}  // namespace experiments

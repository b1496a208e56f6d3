// What a pipeline is made of, and where in the machine it is.
#pragma once

#include "models/core/core_time.h"
#include "models/core/instruction_trace.h"
#include "models/core/resident_warps.h"
#include "models/core/shader_core_parameters.h"
#include "models/memory/cache.h"

namespace models {

struct PipelineSite {
    engine::CounterScope scope;
    int core;  // among those of its host
    const ShaderCoreParameters& parameters;
    const Workload& workload;
    engine::Time period;
    Cache& instruction_cache;
    std::size_t most_groups;  // of a warp
    ResidentWarps& warps;
    CoreTime& time;
    InstructionTrace& trace;
};

}  // namespace models

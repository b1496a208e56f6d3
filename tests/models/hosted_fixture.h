// A component of a machine that plays a small scene, behind the memory port of a host, before a memory that answers
// after a fixed time.
#pragma once

#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/bench.h"
#include "tests/models/scene.h"

namespace models {

class HostedTest : public testing::Test {
  protected:
    explicit HostedTest(Rendering rendering = Rendering::tiled, std::uint32_t command_bytes = 0)
        : workload({Address{1} << 30U, rendering, parameters.tiling, false, false, false, command_bytes}) {}

    // When the scene is complete.
    void build_host(engine::Time memory_time, int credits = 64) {
        workload.load(scene.trace, scene.finish());
        host = &simulation.add<bench::Host>(credits);
        memory = &host->attach_memory(simulation, memory_time);
    }

    MachineParameters parameters;
    Scene scene;
    Workload workload;
    engine::Simulation simulation;
    bench::Host* host = nullptr;
    bench::Memory* memory = nullptr;
};

}  // namespace models

// A whole GPU with its memory: builds every block from the parameters and connects them. The only place that knows
// which block talks to which.
//
//     engine::Simulation simulation;
//     models::MachineParameters parameters;      // bifrost32; or as a TOML file says
//     models::Gpu gpu(simulation, parameters);
//     gpu.load_frame(trace, trace.frames[0]);
//     gpu.start();
//     const auto report = simulation.run(plan);  // cycles of the frame: gpu.cycles(report.end - start of the run)
//
// Every rank builds the whole machine and loads every frame; the plan says which rank runs which process. Frames follow
// one another on an idle machine whose caches stay warm. A line that a frame leaves dirty in the L2 cache stays there.
#pragma once

#include <vector>

#include "engine/simulation.h"
#include "models/machine_parameters.h"
#include "models/workload.h"

namespace models {

class Geometry;
class Raster;
class FragmentProcessor;
class Blending;
class L2Slice;
class DramChannel;

class Gpu {
  public:
    // Checks the parameters (ConfigError). They must outlive the GPU.
    Gpu(engine::Simulation& simulation, const MachineParameters& parameters);

    // Between runs. The frame must live until the next one is loaded. Throws InputError if the frame is not consistent
    // or does not fit the machine.
    void load_frame(const FrameTrace& trace, const Frame& frame);

    // The next run executes the frame.
    void start();

    const Clocks& clocks() const { return clocks_; }
    // GPU cycles in a time, rounded up.
    std::uint64_t cycles(engine::Time time) const {
        return static_cast<std::uint64_t>((time + clocks_.gpu - 1) / clocks_.gpu);
    }

  private:
    const MachineParameters& checked(const MachineParameters& parameters) const;
    void connect_pipeline(engine::Simulation& simulation);
    void connect_memory(engine::Simulation& simulation);

    const MachineParameters& parameters_;
    Clocks clocks_;
    Workload workload_;
    bool loaded_ = false;
    Geometry* geometry_ = nullptr;
    Raster* raster_ = nullptr;
    Blending* blending_ = nullptr;
    std::vector<FragmentProcessor*> fragment_processors_;
    std::vector<L2Slice*> l2_slices_;
    std::vector<DramChannel*> dram_channels_;
};

}  // namespace models

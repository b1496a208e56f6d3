// For tests of whole machines: frames are played, and every law is checked after each.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/checkpoint.h"
#include "models/machine.h"
#include "models/processes/l2_slice.h"

namespace bench {

// Counters of processes of a kind, summed.
inline std::uint64_t total(const engine::Simulation& simulation, const std::string& kind, const std::string& name) {
    std::uint64_t sum = 0;
    for (const auto& process : simulation.processes())
        for (const engine::CounterInfo& info : process->counters().all())
            if (info.owner.kind == kind && info.name == name) sum += *info.value;
    return sum;
}

// Every line of the L2 cache that became dirty is dirty, went back or was overwritten; those written past the cache
// went, too.
inline void expect_no_line_lost(const engine::Simulation& simulation) {
    std::uint64_t dirty = 0;
    for (const auto& process : simulation.processes())
        if (const auto* slice = dynamic_cast<const models::L2Slice*>(process.get()))
            dirty += slice->cache().dirty_lines();
    EXPECT_EQ(total(simulation, "l2_slice", "dirtied") + total(simulation, "l2_slice", "written_around"),
              total(simulation, "l2_slice", "write_backs") + total(simulation, "l2_slice", "overwritten") + dirty);
}

// Takes what is checked from the simulation, which other code may have run.
class LawCheck {
  public:
    LawCheck(const engine::Simulation& simulation, const models::Machine& machine)
        : simulation_(simulation),
          machine_(machine) {}

    // The frame that ended lasted from `begin` to `end`.
    void frame_ended(const models::FrameTrace& trace, engine::Time begin, engine::Time end) {
        const std::vector<std::uint64_t> now = simulation_.collect_counters();
        const models::Ledger since(simulation_.processes(), now, counters_);
        expect_none(since.violations(machine_.laws()));
        expect_none(machine_.check_work(since, trace));
        expect_none(since.violations(machine_.laws(), begin, end));
        expect_none(models::Ledger(simulation_.processes(), now).violations(machine_.laws()));
        expect_no_line_lost(simulation_);
        counters_ = now;
    }
    const std::vector<std::uint64_t>& counters() const { return counters_; }  // at the end of the last frame

  private:
    static void expect_none(const std::vector<models::Violation>& found) {
        for (const models::Violation& violation : found) ADD_FAILURE() << violation.text();
    }
    const engine::Simulation& simulation_;
    const models::Machine& machine_;
    std::vector<std::uint64_t> counters_;
};

// Plays a frame. Returns the GPU cycles it took.
inline std::uint64_t play(engine::Simulation& simulation, models::Machine& machine, LawCheck& laws,
                          const models::FrameTrace& trace, const models::Frame& frame, const engine::Plan& plan = {},
                          const engine::RunOptions& options = {}) {
    machine.load_frame(trace, frame);
    machine.start();
    const engine::Time begin = simulation.now();
    const engine::Time end = simulation.run(plan, options).end;
    machine.end_frame();
    laws.frame_ended(trace, begin, end);
    return machine.cycles(end - begin);
}

// Gives processes to threads in turn: `shift` + 1 neighbours to each, to thread `shift` first.
inline engine::Plan plan_of(const engine::Simulation& simulation, int threads, int shift = 0) {
    engine::Plan plan;
    plan.threads = threads;
    for (std::size_t i = 0; i < simulation.processes().size(); ++i)
        plan.worker.push_back((static_cast<int>(i) / (shift + 1) + shift) % threads);
    return plan;
}

// A frame on a machine of its own, which plays it whole, or to a time, or from there.
struct OneFrame {
    OneFrame(const models::MachineParameters& parameters, const models::FrameTrace& trace, const models::Frame& frame)
        : machine(simulation, parameters) {
        machine.load_frame(trace, frame);
    }
    // Each returns when the frame ended.
    engine::Time play() {
        machine.start();
        return end_on(plan_of(simulation, 1));
    }
    engine::Time go_on_from(const std::vector<std::byte>& checkpoint, int threads, int shift = 0) {
        engine::Checkpoint::read(simulation, checkpoint);
        return end_on(plan_of(simulation, threads, shift));
    }
    // The checkpoint.
    std::vector<std::byte> play_until(engine::Time time, int threads) {
        machine.start();
        engine::RunOptions options;
        options.until = time;
        simulation.run(plan_of(simulation, threads), options);
        return engine::Checkpoint::write(simulation);
    }

    engine::Simulation simulation;
    models::Machine machine;

  private:
    engine::Time end_on(const engine::Plan& plan) {
        const engine::Time end = simulation.run(plan).end;
        machine.end_frame();
        return end;
    }
};

// The ways in which frames are rendered, with what each needs.
struct Way {
    const char *mode, *organisation, *distribution, *pipeline = "in_order";
    void set(models::MachineParameters& parameters) const {
        parameters.rendering.mode.set(mode);
        parameters.rendering.organisation.set(organisation);
        parameters.raster.distribution.set(distribution);
        parameters.fragment_processor.pipeline.set(pipeline);
        parameters.vertex_processor.pipeline.set(pipeline);
    }
    std::string name() const { return std::string(mode) + ", " + organisation + ", " + pipeline; }
};
inline constexpr Way ways[] = {{"immediate", "raster_per_gpu", "position"},
                               {"tiled", "raster_per_gpu", "round_robin"},
                               {"tiled", "tile_per_core", "round_robin"},
                               {"tiled_hidden_surface_removal", "raster_per_gpu", "round_robin"},
                               {"tiled_hidden_surface_removal", "tile_per_core", "round_robin"},
                               {"tiled_hidden_surface_removal", "raster_per_gpu", "round_robin", "collector"},
                               {"tiled", "tile_per_core", "round_robin", "collector"},
                               {"tiled", "raster_per_gpu", "round_robin", "baseline"},
                               {"immediate", "raster_per_gpu", "position", "squash"}};

// `group`: "l2", or "dram.flat".
inline void set(engine::ParameterGroup& root, const std::string& group, const std::string& name,
                const std::string& value) {
    const std::size_t dot = group.find('.');
    for (engine::ParameterGroup* each : root.groups()) {
        if (each->name() != group.substr(0, dot)) continue;
        if (dot != std::string::npos) return set(*each, group.substr(dot + 1), name, value);
        for (engine::ParameterBase* parameter : each->parameters())
            if (parameter->name() == name) return parameter->set(value);
    }
    FAIL() << group << "." << name;
}

}  // namespace bench

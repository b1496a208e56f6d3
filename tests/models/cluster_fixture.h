// A cluster of cores for tests: quads come for its cores, vertices for all, and memory answers after a fixed time.
// Cycles are ticks. The instruction caches are warmed by a quad that is sent alone to every core; cycles count from
// `second`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "models/machine_parameters.h"
#include "models/processes/cluster.h"
#include "tests/models/bench.h"
#include "tests/models/scene.h"

namespace models {

inline Operand temporary(std::uint32_t index) {
    Operand operand;
    operand.file = RegisterFile::temporary;
    operand.components = 15;
    operand.index = static_cast<std::uint16_t>(index);
    return operand;
}
inline Instruction make(Opcode opcode, std::uint32_t destination, std::uint32_t source) {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.kind = class_of(opcode);
    instruction.source_count = 1;
    instruction.destination = temporary(destination);
    instruction.sources[0] = temporary(source);
    return instruction;
}
// The frame that a cluster has begun, to its end, where nothing may be left and all laws hold.
inline void run_frame(engine::Simulation& simulation, Cluster& cluster) {
    simulation.run({});
    cluster.end_frame();
    EXPECT_EQ(cluster.unfinished(), "");
    Laws laws;
    cluster.add_laws(laws);
    bench::expect_obeyed(laws, simulation);
}

class ClusterFixture : public testing::Test {
  protected:
    using Time = engine::Time;
    using Blocks = std::vector<BlockNumber>;
    static constexpr Time memory_time = 100, second = 10'000;
    // From the departure of a request from its cache: injection, a wire there, memory, a wire back.
    static constexpr Time trip = 1 + 1 + memory_time + 1;
    // Of a texture access: 4 cycles of addresses, 2 of the cache, 8 of the filter; what has come is read from the
    // cache.
    static constexpr Time texture_hit = 4 + 2 + 8, texture_miss = 4 + 2 + trip + 2 + 8;

    ClusterFixture() {
        scene.pass();
        scene.draw();
        scene.primitive();
    }
    void program(const std::vector<Instruction>& instructions, std::uint32_t number = Scene::fragment_program) {
        scene.trace.programs[number].instructions = instructions;
        const std::uint32_t lanes = Scene::all_lanes(scene.trace.programs[number].stage);
        scene.trace.programs[number].paths = {{{0, static_cast<std::uint16_t>(instructions.size()), lanes}}};
    }
    // Runs are of all lanes.
    void path(const Path& path, std::uint32_t number = Scene::fragment_program) {
        const std::uint32_t lanes = Scene::all_lanes(scene.trace.programs[number].stage);
        path_of_lanes(path, number);
        for (PathRun& run : scene.trace.programs[number].paths.back()) run.lanes = lanes;
    }
    void path_of_lanes(const Path& path, std::uint32_t number = Scene::fragment_program) {
        scene.trace.programs[number].paths.push_back(path);
    }
    // A quad of tile 0, of the last draw, with an access for each texture instruction. Returns its number.
    std::uint32_t add_quad(const std::vector<Blocks>& accesses, std::uint16_t path_number = 0) {
        scene.quad(0, quads_ % 16, quads_ / 16 % 16);
        details_.push_back({path_number, static_cast<std::uint32_t>(scene.frame.accesses.size())});
        for (const Blocks& blocks : accesses) {
            scene.frame.accesses.push_back(
                {static_cast<std::uint32_t>(scene.frame.blocks.size()), static_cast<std::uint16_t>(blocks.size())});
            scene.frame.blocks.insert(scene.frame.blocks.end(), blocks.begin(), blocks.end());
        }
        return quads_++;
    }
    // Quads that come for a core together `cycle` cycles after `second`.
    void warp(Time cycle, const std::vector<std::uint32_t>& numbers, int core = 0) {
        arrivals_.push_back({second + cycle, core, numbers});
    }
    void quad(Time cycle, const std::vector<Blocks>& accesses = {}, std::uint16_t path_number = 0, int core = 0) {
        warp(cycle, {add_quad(accesses, path_number)}, core);
    }
    // At the start, for every core.
    void warm(const std::vector<Blocks>& accesses = {}) {
        for (int core = 0; core < cores; ++core) arrivals_.push_back({0, core, {add_quad(accesses)}});
    }
    // A warp of the vertices that the first draw of vertices names at these positions from `first`.
    void vertices(Time time, std::uint32_t draw, std::uint32_t first, std::uint32_t count) {
        ShadeVertices message{draw, first, {}};
        for (std::uint32_t bit = 0; bit < count; ++bit) message.mask[bit / 64] |= std::uint64_t{1} << bit % 64;
        vertex_arrivals_.emplace_back(time, message);
    }

    // A draw of vertices that are named in their order, each with an attribute in a line of its own.
    std::uint32_t vertex_draw(std::uint32_t count, const std::vector<std::uint16_t>& paths = {}) {
        Draw& draw = scene.draw(DrawKind::geometry);
        draw.first_attribute = static_cast<std::uint32_t>(scene.frame.attributes.size());
        draw.attribute_count = 1;
        scene.frame.attributes.push_back({Address{0x2000 + 0x100 * draw.first_attribute} * block_bytes, 64, 16, 0});
        draw.first_vertex = static_cast<std::uint32_t>(scene.frame.vertices.size());
        draw.first_fetch = static_cast<std::uint32_t>(scene.frame.fetches.size());
        draw.vertex_count = draw.fetch_count = count;
        for (std::uint32_t v = 0; v < count; ++v) {
            scene.frame.vertices.push_back({v, 0, paths.empty() ? std::uint16_t{0} : paths[v], 0});
            scene.frame.fetches.push_back(v);
        }
        return static_cast<std::uint32_t>(scene.frame.draws.size() - 1);
    }
    std::vector<std::uint32_t> counts_back() const {
        std::vector<std::uint32_t> counts;
        for (const auto& arrival : vertices_back->arrivals) counts.push_back(arrival.message.count);
        return counts;
    }

    void run() {
        finish_scene();
        workload.load(scene.trace, scene.frame);
        MemoryPortShape port{1, 64, 1, 1, block_bytes};
        port.observed.pipeline_cores = pipeline_cores;
        port.observed.pipeline_to = engine::never;
        const auto rows = static_cast<std::size_t>(cores_shade_fragments ? cores : 0);
        cluster = &simulation.add<Cluster>(
            Cluster::Shape{"cluster", "fragment_processor", 0, cores, 1, parameters.fragment_processor,
                           parameters.texture_unit, cores_shade_fragments ? &parameters.texture_cache : nullptr,
                           has_vertex_cache ? &parameters.vertex_cache : nullptr, parameters.instruction_cache,
                           parameters.constant_cache, std::vector<int>(rows, queue_entries),
                           std::vector<int>(rows, colour_entries), 8, patience, 1, port},
            workload);
        memory = &simulation.add<bench::Memory>("memory", -1, memory_time);
        simulation.connect(cluster->memory.requests, memory->in, 1);
        simulation.connect(memory->out, cluster->replies, 1);
        for (int core = 0; core < (cores_shade_fragments ? cores : 0); ++core) connect_core(core);
        if (has_vertex_cache) {
            auto& source = simulation.add<bench::Source<ShadeVertices>>("vertices");
            simulation.connect(source.out, cluster->vertices[0], 1);
            vertices_back = &simulation.add<bench::Sink<VerticesShaded>>("vertices_back");
            simulation.connect(cluster->vertices_shaded[0], vertices_back->in, 1);
            for (const auto& [time, message] : vertex_arrivals_) source.send_at(time, message);
        }
        cluster->begin_frame();
        run_frame(simulation, *cluster);
    }
    // The cycle after `second` in which each quad of a core, but the first, was handed on: a cycle later it leaves, and
    // takes one for the wire.
    std::vector<Time> complete(int core = 0) const {
        std::vector<Time> cycles;
        const auto& seen = blenders.at(static_cast<std::size_t>(core))->seen;
        for (std::size_t i = 1; i < seen.size(); ++i) cycles.push_back(seen[i].first - 1 - 1 - second);
        return cycles;
    }
    // Of all cores.
    std::uint64_t of_cores(const std::string& name) const {
        return bench::counter(*cluster, name, "fragment_processor");
    }
    std::uint64_t of(const std::string& kind, const std::string& name) const {
        return bench::counter(*cluster, name, kind);
    }

    MachineParameters parameters;
    Scene scene;
    int cores = 1, queue_entries = 64, colour_entries = 64;
    bool cores_shade_fragments = true, has_vertex_cache = false;
    Time patience = 8;
    int pipeline_cores = 0;  // whose instructions are recorded
    Workload workload{{1 << 30, Rendering::tiled, parameters.tiling}};
    engine::Simulation simulation;
    Cluster* cluster = nullptr;
    bench::Memory* memory = nullptr;
    std::vector<bench::Blender*> blenders;        // by core
    std::vector<bench::Sink<QuadsTaken>*> taken;  // by core
    bench::Sink<VerticesShaded>* vertices_back = nullptr;

  private:
    struct Arrival {
        Time time;
        int core;
        std::vector<std::uint32_t> quads;
    };
    struct Details {
        std::uint16_t path;
        std::uint32_t first_access;
    };
    void finish_scene() {
        scene.finish();
        for (std::size_t i = 0; i < details_.size(); ++i) {
            scene.frame.quads[i].path = details_[i].path;
            scene.frame.quads[i].first_access = details_[i].first_access;
        }
    }
    // Messages leave their sources a tick before they come.
    void connect_core(int core) {
        blenders.push_back(&simulation.add<bench::Blender>("blender", core, 1));
        taken.push_back(&simulation.add<bench::Sink<QuadsTaken>>("taken", core));
        simulation.connect(cluster->shaded[core], blenders.back()->in, 1);
        simulation.connect(blenders.back()->out, cluster->blended[core], 1);
        simulation.connect(cluster->taken[core], taken.back()->in, 1);
        const std::string name = "quads" + std::to_string(core);
        if (cluster->quads.size() > 0) {
            auto& source = simulation.add<bench::Source<ShadeQuad>>(name);
            simulation.connect(source.out, cluster->quads[core], 1);
            for (const Arrival& arrival : arrivals_)
                if (arrival.core == core) source.send_at(std::max<Time>(0, arrival.time - 1), {arrival.quads.at(0), 0});
        } else {
            auto& source = simulation.add<bench::Source<ShadeWarp>>(name);
            simulation.connect(source.out, cluster->warps[core], 1);
            for (const Arrival& arrival : arrivals_) {
                if (arrival.core != core) continue;
                ShadeWarp message;
                message.first = arrival.quads.at(0);
                message.count = static_cast<std::uint8_t>(arrival.quads.size());
                for (std::size_t i = 1; i < arrival.quads.size(); ++i)
                    message.distance.at(i - 1) = static_cast<std::int16_t>(arrival.quads[i] - message.first);
                source.send_at(std::max<Time>(0, arrival.time - 1), message);
            }
        }
    }
    std::vector<Arrival> arrivals_;
    std::vector<Details> details_;
    std::vector<std::pair<Time, ShadeVertices>> vertex_arrivals_;
    std::uint32_t quads_ = 0;
};

}  // namespace models

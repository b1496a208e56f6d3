// A whole GPU with its memory: builds every process from the parameters and connects them. The only place that knows
// which process talks to which, and that computes the shapes that two of them share (a queue and its credits).
//
//     engine::Simulation simulation;
//     models::MachineParameters parameters;      // bifrost32; or as a TOML file says
//     models::Machine machine(simulation, parameters);
//     machine.load_frame(trace, trace.frames[0]);
//     machine.start();
//     const auto report = simulation.run(plan);  // cycles of the frame: machine.cycles(report.end - start of the run)
//     machine.end_frame();
//
// Every rank builds the whole machine and loads every frame; the plan says which rank runs which process. Frames follow
// one another on an idle machine whose caches stay warm. A line that a frame leaves dirty in the L2 cache stays there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/simulation.h"
#include "models/base/laws.h"
#include "models/base/records.h"
#include "models/base/time_series.h"
#include "models/machine_parameters.h"
#include "models/memory/home_exit.h"
#include "models/memory/memory_port.h"
#include "models/pipeline/access_processor.h"
#include "models/pipeline/tiled_front_end.h"
#include "models/workload/workload.h"

namespace models {

class ColourStage;
class Dispatch;
class Geometry;
class ImmediateRaster;
class Raster;
class Rasteriser;
class Cluster;
class Colour;
class TileDispatcher;
class L2Slice;
class Mmu;
class DramChannel;
class HomeNetwork;
template <engine::Message M>
class Network;

class Machine {
  public:
    // Checks the parameters (ConfigError). They must outlive the machine.
    Machine(engine::Simulation& simulation, const MachineParameters& parameters);

    // Between runs. The frame must live until the next one is loaded. Throws InputError if the frame is not consistent
    // or does not fit the machine. `for_each`: on which threads it is looked through.
    void load_frame(const FrameTrace& trace, const Frame& frame, const ForEach& for_each = in_turn);

    // A machine that goes on in the middle of a trace is told of the frames before, if it remembers something of them.
    bool remembers_frames() const { return parameters_.colour.transaction_elimination(); }
    void pass_over(const FrameTrace& trace, const Frame& frame, const ForEach& for_each = in_turn) {
        workload_.pass_over(trace, frame, for_each);
    }

    // The next run executes the frame.
    void start();

    // After a run that executed it whole: before its counters are collected.
    void end_frame();

    // After end_frame(): what was observed of the frame besides its counters. To be called by all ranks; complete on
    // rank 0.
    struct Observations {
        std::vector<TimeSeries> series;  // observe.bandwidth_every, observe.census_every
        std::vector<Records> records;    // programs (core/program_records.h); observe.pipeline_cores
    };
    Observations take_observations(engine::Simulation& simulation) const;

    const Clocks& clocks() const { return clocks_; }
    // GPU cycles in a time, rounded up.
    std::uint64_t cycles(engine::Time time) const {
        return static_cast<std::uint64_t>((time + clocks_.gpu - 1) / clocks_.gpu);
    }

    // What the counters of any frame must satisfy; and those of this frame, which is the one that is loaded.
    const Laws& laws() const { return laws_; }
    std::vector<Violation> check_work(const Ledger& ledger, const FrameTrace& trace,
                                      const ForEach& for_each = in_turn) const;
    // The programs of a frame did what its counters say that the cores did.
    std::vector<Violation> check_programs(const Ledger& ledger, const Records& programs) const;

  private:
    void check_registers(const FrameTrace& trace) const;
    const MachineParameters& checked(const MachineParameters& parameters) const;
    MemoryPortShape memory_port() const;
    // Three ways to put raster and colour together: of each a process for all, both in every cluster, or blending in
    // every cluster.
    bool has_tiles_per_core() const { return parameters_.rendering.organisation() == Organisation::tile_per_core; }
    bool is_immediate() const { return parameters_.is_immediate(); }
    bool is_tiled_per_gpu() const { return !is_immediate() && !has_tiles_per_core(); }
    std::vector<int> shares(int entries) const;
    std::optional<AccessProcessor::Shape> access_processor() const;
    const AccessProcessor* built_access_processor() const;
    int clusters() const { return parameters_.texture_caches(); }
    void add_geometry(engine::Simulation& simulation);
    void add_vertex_processors(engine::Simulation& simulation);
    void add_clusters(engine::Simulation& simulation);
    void add_raster_and_colour(engine::Simulation& simulation);
    void add_immediate_raster(engine::Simulation& simulation);
    void add_memory(engine::Simulation& simulation);
    void add_mmu(engine::Simulation& simulation);
    // The texture caches are one: machine_home.cpp.
    bool has_home() const { return parameters_.home.applies(clusters()); }
    bool has_directory() const;
    bool has_tables_of_cores() const;
    HomeExit::Shape home_exit(int cluster) const;
    void add_home(engine::Simulation& simulation);
    void connect_home(engine::Simulation& simulation);
    void add_home_laws();
    void add_networks(engine::Simulation& simulation, int processors);
    int peer_requests() const;
    int dram_entries(int slice, int channel) const;
    std::vector<Cluster*> vertex_shaders() const { return vertex_processors_.empty() ? clusters_ : vertex_processors_; }
    void connect_pipeline(engine::Simulation& simulation);
    void connect_raster(engine::Simulation& simulation, engine::Time latency);
    void connect_tiles(engine::Simulation& simulation, engine::Time latency);
    void connect_immediate(engine::Simulation& simulation, engine::Time latency);
    template <class FrontEnd>
    void connect_cores(FrontEnd& front_end, engine::Simulation& simulation, engine::Time latency);
    template <class FrontEnd>
    void connect_prefetches(FrontEnd& front_end, engine::Simulation& simulation, engine::Time latency);
    void connect_memory(engine::Simulation& simulation);
    void connect_peers(engine::Simulation& simulation);
    // act(process) with every process that sends requests to memory, in the order of their numbers.
    template <class Act>
    void for_each_requester(const Act& act) const;
    std::vector<const MemoryPort*> memory_ports() const;
    void add_laws();  // machine_laws.cpp
    void add_tile_laws();
    // Of the one for all cores, or of every cluster; of the first two none in immediate rendering.
    std::vector<const TiledFrontEnd*> front_ends() const;
    std::vector<const ColourStage*> colour_stages() const;
    std::vector<const Rasteriser*> rasterisers() const;
    std::vector<const Dispatch*> dispatches() const;

    const MachineParameters& parameters_;
    Clocks clocks_;
    std::string answering_unit_;
    Workload workload_;
    Laws laws_;
    Geometry* geometry_ = nullptr;
    // What the machine does not have is null.
    Raster* raster_ = nullptr;
    Colour* colour_ = nullptr;
    TileDispatcher* tile_dispatcher_ = nullptr;
    ImmediateRaster* immediate_raster_ = nullptr;
    TiledFrontEnd::Shape front_end_;
    std::vector<Cluster*> vertex_processors_, clusters_;
    Network<MemoryRequest>* request_network_ = nullptr;
    Network<MemoryReply>* response_network_ = nullptr;
    std::vector<L2Slice*> l2_slices_;
    Mmu* mmu_ = nullptr;  // none if translation is free
    std::vector<DramChannel*> dram_channels_;
    HomeNetwork* home_network_ = nullptr;
};

}  // namespace models

#include "models/machine.h"

#include <algorithm>

#include "models/workload/frame_work.h"
#include "models/processes/cluster.h"
#include "models/processes/colour.h"
#include "models/processes/dram_channel.h"
#include "models/processes/geometry.h"
#include "models/processes/immediate_raster.h"
#include "models/processes/l2_slice.h"
#include "models/processes/raster.h"
#include "models/processes/tile_dispatcher.h"

namespace models {

using engine::Time;

Machine::Machine(engine::Simulation& simulation, const MachineParameters& parameters)
    : parameters_(checked(parameters)),
      clocks_(parameters.clocks()),
      workload_({static_cast<Address>(parameters.dram.size.count()), parameters.rendering.mode(), parameters.tiling,
                 parameters.colour.resolve() == Resolve::on_chip, parameters.colour.transaction_elimination()}),
      front_end_{parameters.raster, parameters.tiling, parameters.tile_cache, parameters.rendering.mode(),
                 parameters.colour.tile_buffers(), clocks_.gpu} {
    add_geometry(simulation);
    add_raster_and_colour(simulation);
    add_vertex_processors(simulation);
    add_clusters(simulation);
    add_memory(simulation);
    connect_pipeline(simulation);
    connect_memory(simulation);
    add_laws();
}

const MachineParameters& Machine::checked(const MachineParameters& parameters) const {
    parameters.check_all();
    return parameters;
}

MemoryPortShape Machine::memory_port() const {
    const std::int64_t width = parameters_.network.link_width.count();
    return {parameters_.l2.slices(), parameters_.l2.requests_per_port(), clocks_.gpu,
            parameters_.network.injection_latency.count() * clocks_.gpu, (block_bytes + width - 1) / width * clocks_.gpu};
}

void Machine::add_geometry(engine::Simulation& simulation) {
    const bool unified = parameters_.has_unified_cores();
    const int processors = unified ? parameters_.fragment_processor.count() / parameters_.cluster.cores()
                                   : parameters_.vertex_processor.count();
    geometry_ = &simulation.add<Geometry>(
        Geometry::Shape{parameters_.geometry,
                        parameters_.tiling,
                        {processors, parameters_.vertices_per_warp(), clocks_.gpu},
                        parameters_.network.hop.count() * clocks_.gpu,
                        memory_port(),
                        unified ? "fragment_processor" : "vertex_processor",
                        is_immediate() ? parameters_.tiling.triangle_queue() : 0},
        workload_);
}

// Of the entries of a queue, those of each core.
std::vector<int> Machine::shares(int entries) const {
    const int cores = parameters_.fragment_processor.count();
    std::vector<int> all;
    for (int i = 0; i < cores; ++i) all.push_back(share_of(entries, cores, i));
    return all;
}

void Machine::add_immediate_raster(engine::Simulation& simulation) {
    const Time hop = parameters_.network.hop.count() * clocks_.gpu;
    immediate_raster_ = &simulation.add<ImmediateRaster>(
        ImmediateRaster::Shape{parameters_.raster,
                               parameters_.depth_cache,
                               parameters_.tiling.triangle_queue(),
                               clusters(),
                               parameters_.colour.queue(),
                               {parameters_.fragment_processor.count(), parameters_.fragment_processor.groups_per_warp(),
                                parameters_.raster.fragment_queue(), clocks_.gpu},
                               clocks_.gpu,
                               parameters_.network.credit_patience.count() * clocks_.gpu,
                               hop,
                               memory_port()},
        workload_);
}

void Machine::add_raster_and_colour(engine::Simulation& simulation) {
    const int cores = parameters_.fragment_processor.count();
    const Time hop = parameters_.network.hop.count() * clocks_.gpu;
    if (is_immediate()) {
        add_immediate_raster(simulation);
        return;
    }
    if (has_tiles_per_core()) {
        tile_dispatcher_ = &simulation.add<TileDispatcher>(
            TileDispatcher::Shape{clusters(), parameters_.colour.tile_buffers() + 1,
                                  clocks_.gpu, hop},
            workload_);
        return;
    }
    raster_ = &simulation.add<Raster>(
        Raster::Shape{front_end_,
                      {cores, parameters_.fragment_processor.groups_per_warp(), parameters_.raster.fragment_queue(),
                       clocks_.gpu},
                      hop,
                      memory_port()},
        workload_);
    colour_ = &simulation.add<Colour>(
        Colour::Shape{parameters_.colour, shares(parameters_.colour.queue()), clocks_.gpu,
                      parameters_.network.credit_patience.count() * clocks_.gpu, hop, memory_port()},
        workload_);
}

void Machine::add_vertex_processors(engine::Simulation& simulation) {
    const ShaderCoreParameters& core = parameters_.vertex_processor;
    const int warps = 2 * parameters_.geometry.vertex_queue();  // of a vertex each, at worst
    for (int i = 0; i < core.count(); ++i)
        vertex_processors_.push_back(&simulation.add<Cluster>(
            Cluster::Shape{"vertex_processor", "vertex_processor", i, 1, clocks_.gpu, core, parameters_.texture_unit,
                           nullptr, &parameters_.vertex_cache, parameters_.instruction_cache, {}, {},
                           static_cast<std::size_t>(warps), parameters_.network.credit_patience.count() * clocks_.gpu,
                           parameters_.network.hop.count() * clocks_.gpu, memory_port()},
            workload_));
}

void Machine::add_clusters(engine::Simulation& simulation) {
    const ShaderCoreParameters& core = parameters_.fragment_processor;
    const int cores = parameters_.cluster.cores();
    const bool unified = parameters_.has_unified_cores();
    const int warps = unified ? 2 * parameters_.geometry.vertex_queue() : 0;
    const auto of_cluster = [&](int entries, int cluster) {
        const std::vector<int> all = shares(entries);
        return std::vector<int>(all.begin() + cluster * cores, all.begin() + (cluster + 1) * cores);
    };
    for (int i = 0; i < clusters(); ++i) {
        const std::vector<int> fragment_entries = of_cluster(parameters_.raster.fragment_queue(), i);
        const std::vector<int> colour_entries = of_cluster(parameters_.colour.queue(), i);
        clusters_.push_back(&simulation.add<Cluster>(
            Cluster::Shape{"cluster", "fragment_processor", i, cores, clocks_.gpu, core, parameters_.texture_unit,
                           &parameters_.texture_cache, unified ? &parameters_.vertex_cache : nullptr,
                           parameters_.instruction_cache, fragment_entries, colour_entries,
                           static_cast<std::size_t>(warps), parameters_.network.credit_patience.count() * clocks_.gpu,
                           parameters_.network.hop.count() * clocks_.gpu, memory_port(),
                           has_tiles_per_core() ? &front_end_ : nullptr,
                           is_immediate() ? &parameters_.pixel_cache : nullptr, &parameters_.colour,
                           unified ? parameters_.vertices_per_warp() : 0},
            workload_));
    }
}

// Of each channel's queue, for this slice: an equal share for every slice that has lines of the channel.
std::vector<int> Machine::dram_entries(int slice) const {
    const int slices = parameters_.l2.slices(), channels = parameters_.dram.channels();
    const auto interleave = static_cast<int>(parameters_.dram.interleave.count() / block_bytes);
    const auto reaches = [&](int from, int channel) {
        for (std::int64_t block = from; block < std::int64_t{slices} * interleave * channels; block += slices)
            if (block / interleave % channels == channel) return true;
        return false;
    };
    std::vector<int> entries;
    for (int channel = 0; channel < channels; ++channel) {
        int sharers = 0, index = 0;
        for (int s = 0; s < slices; ++s) {
            if (!reaches(s, channel)) continue;
            if (s < slice) ++index;
            ++sharers;
        }
        entries.push_back(reaches(slice, channel) ? share_of(parameters_.dram.queue(), sharers, index) : 0);
    }
    return entries;
}

void Machine::add_memory(engine::Simulation& simulation) {
    const int pipeline = is_tiled_per_gpu() ? 3 : is_immediate() ? 2 : 1;  // geometry, raster, colour
    const int ports = pipeline + static_cast<int>(vertex_processors_.size() + clusters_.size());
    const auto interleave = static_cast<std::uint32_t>(parameters_.dram.interleave.count() / block_bytes);
    for (int i = 0; i < parameters_.l2.slices(); ++i)
        l2_slices_.push_back(&simulation.add<L2Slice>(L2Slice::Shape{
            parameters_.l2, i, ports, dram_entries(i), interleave, clocks_.gpu, memory_port().data_injection}));
    for (int i = 0; i < parameters_.dram.channels(); ++i)
        dram_channels_.push_back(&simulation.add<DramChannel>(
            DramChannel::Shape{parameters_.dram, i, parameters_.l2.slices(), clocks_.dram}));
}

void Machine::connect_pipeline(engine::Simulation& simulation) {
    const Time latency = parameters_.network.pipeline_latency.count() * clocks_.gpu;
    int number = 0;
    for (Cluster* cluster : vertex_shaders()) {
        simulation.connect(geometry_->vertices[number], cluster->vertices[0], latency);
        simulation.connect(cluster->vertices_shaded[0], geometry_->shaded[number], latency);
        ++number;
    }
    if (is_immediate())
        connect_immediate(simulation, latency);
    else if (has_tiles_per_core())
        connect_tiles(simulation, latency);
    else
        connect_raster(simulation, latency);
}

void Machine::connect_raster(engine::Simulation& simulation, Time latency) {
    simulation.connect(geometry_->ready[0], raster_->ready, latency);
    simulation.connect(raster_->freed, geometry_->freed[0], latency);
    simulation.connect(raster_->starts, colour_->starts, latency);
    simulation.connect(raster_->ends, colour_->ends, latency);
    simulation.connect(raster_->skipped, colour_->skipped, latency);
    simulation.connect(colour_->free_tiles, raster_->free_tiles, latency);
    simulation.connect(colour_->stored, raster_->stored, latency);
    simulation.connect(colour_->stored_for_geometry, geometry_->stored, latency);
    connect_cores(*raster_, simulation, latency);
    int core = 0;
    for (Cluster* cluster : clusters_)
        for (int i = 0; i < parameters_.cluster.cores(); ++i, ++core) {
            simulation.connect(cluster->shaded[i], colour_->quads[core], latency);
            simulation.connect(colour_->blended[core], cluster->blended[i], latency);
        }
}

// Warps from the raster front end to every core, and their credits back.
template <class FrontEnd>
void Machine::connect_cores(FrontEnd& front_end, engine::Simulation& simulation, Time latency) {
    int core = 0;
    for (Cluster* cluster : clusters_)
        for (int i = 0; i < parameters_.cluster.cores(); ++i, ++core) {
            if (front_end.quads.size() > 0)
                simulation.connect(front_end.quads[core], cluster->quads[i], latency);
            else
                simulation.connect(front_end.warps[core], cluster->warps[i], latency);
            simulation.connect(cluster->taken[i], front_end.taken[core], latency);
        }
}

void Machine::connect_immediate(engine::Simulation& simulation, Time latency) {
    simulation.connect(geometry_->primitives[0], immediate_raster_->primitives, latency);
    simulation.connect(immediate_raster_->primitives_taken, geometry_->primitives_taken[0], latency);
    simulation.connect(immediate_raster_->stored_for_geometry, geometry_->stored, latency);
    connect_cores(*immediate_raster_, simulation, latency);
    int number = 0;
    for (Cluster* cluster : clusters_) {
        simulation.connect(cluster->depth_tests[0], immediate_raster_->tests[number], latency);
        simulation.connect(immediate_raster_->tested[number], cluster->depth_tested[0], latency);
        simulation.connect(cluster->quads_blended[0], immediate_raster_->blended[number], latency);
        simulation.connect(immediate_raster_->flushes[number], cluster->flushes[0], latency);
        simulation.connect(cluster->flushed[0], immediate_raster_->flushed[number], latency);
        ++number;
    }
}

void Machine::connect_tiles(engine::Simulation& simulation, Time latency) {
    simulation.connect(geometry_->ready[0], tile_dispatcher_->ready, latency);
    simulation.connect(tile_dispatcher_->freed, geometry_->freed[0], latency);
    simulation.connect(tile_dispatcher_->stored_for_geometry, geometry_->stored, latency);
    int number = 0;
    for (Cluster* cluster : clusters_) {
        simulation.connect(tile_dispatcher_->tiles[number], cluster->tiles[0], latency);
        simulation.connect(cluster->rasterised[0], tile_dispatcher_->rasterised[number], latency);
        simulation.connect(cluster->stored[0], tile_dispatcher_->stored[number], latency);
        ++number;
    }
}

void Machine::connect_memory(engine::Simulation& simulation) {
    const Time there = parameters_.network.request_latency.count() * clocks_.gpu;
    const Time back = parameters_.network.response_latency.count() * clocks_.gpu;
    const Time memory = parameters_.network.memory_latency.count() * clocks_.gpu;
    for (int s = 0; s < parameters_.l2.slices(); ++s) {
        L2Slice& slice = *l2_slices_[static_cast<std::size_t>(s)];
        int port = 0;
        const auto attach = [&](auto& requester) {
            simulation.connect(requester.memory.requests[s], slice.requests[port], there);
            simulation.connect(slice.replies[port], requester.replies[s], back);
            ++port;
        };
        for (Cluster* cluster : clusters_) attach(*cluster);
        for (Cluster* processor : vertex_processors_) attach(*processor);
        attach(*geometry_);
        if (raster_ != nullptr) attach(*raster_);
        if (colour_ != nullptr) attach(*colour_);
        if (immediate_raster_ != nullptr) attach(*immediate_raster_);
        for (int c = 0; c < parameters_.dram.channels(); ++c) {
            DramChannel& channel = *dram_channels_[static_cast<std::size_t>(c)];
            simulation.connect(slice.dram_requests[c], channel.requests[s], memory);
            simulation.connect(channel.replies[s], slice.dram_replies[c], memory);
        }
    }
}

void Machine::load_frame(const FrameTrace& trace, const Frame& frame) {
    workload_.load(trace, frame);
    geometry_->begin_frame();
    if (tile_dispatcher_ != nullptr) tile_dispatcher_->begin_frame();
    if (raster_ != nullptr) raster_->begin_frame();
    if (colour_ != nullptr) colour_->begin_frame();
    if (immediate_raster_ != nullptr) immediate_raster_->begin_frame();
    for (Cluster* processor : vertex_processors_) processor->begin_frame();
    for (Cluster* cluster : clusters_) cluster->begin_frame();
}

void Machine::start() {
    geometry_->wake_at(0);  // not before now
}

void Machine::end_frame() {
    geometry_->end_frame();
    if (raster_ != nullptr) raster_->end_frame();
    if (colour_ != nullptr) colour_->end_frame();
    if (immediate_raster_ != nullptr) immediate_raster_->end_frame();
    for (Cluster* processor : vertex_processors_) processor->end_frame();
    for (Cluster* cluster : clusters_) cluster->end_frame();
    for (L2Slice* slice : l2_slices_) slice->end_frame();
    for (DramChannel* channel : dram_channels_) channel->end_frame();
}

std::vector<const TiledFrontEnd*> Machine::front_ends() const {
    if (raster_ != nullptr) return {&raster_->front_end()};
    std::vector<const TiledFrontEnd*> all;
    for (const Cluster* cluster : clusters_)
        if (cluster->tile_renderer() != nullptr) all.push_back(&cluster->tile_renderer()->front_end());
    return all;
}

std::vector<const ColourStage*> Machine::colour_stages() const {
    if (colour_ != nullptr) return {&colour_->stage()};
    std::vector<const ColourStage*> all;
    for (const Cluster* cluster : clusters_)
        if (cluster->tile_renderer() != nullptr) all.push_back(&cluster->tile_renderer()->stage());
    return all;
}

std::vector<const Rasteriser*> Machine::rasterisers() const {
    if (immediate_raster_ != nullptr) return {&immediate_raster_->rasteriser()};
    std::vector<const Rasteriser*> all;
    for (const TiledFrontEnd* front_end : front_ends()) all.push_back(&front_end->rasteriser());
    return all;
}

std::vector<const Dispatch*> Machine::dispatches() const {
    if (raster_ != nullptr) return {&raster_->dispatch()};
    if (immediate_raster_ != nullptr) return {&immediate_raster_->dispatch()};
    std::vector<const Dispatch*> all;
    for (const Cluster* cluster : clusters_) all.push_back(&cluster->tile_renderer()->dispatch());
    return all;
}

// Each process has its own laws; these are between them.
void Machine::add_laws() {
    geometry_->add_laws(laws_);
    if (raster_ != nullptr) raster_->add_laws(laws_);
    if (colour_ != nullptr) colour_->add_laws(laws_);
    if (immediate_raster_ != nullptr) immediate_raster_->add_laws(laws_);
    Sum received, finished, vertices, reads, writes, served_reads, served_writes, misses, written, dram_reads,
        dram_writes;
    const auto add_port = [&](const MemoryPort& memory) {
        reads.add(memory.reads);
        writes.add(memory.writes);
    };
    for (const std::vector<Cluster*>& row : {clusters_, vertex_processors_})
        for (const Cluster* cluster : row) {
            cluster->add_laws(laws_);
            add_port(cluster->memory);
            vertices.add(cluster->vertices_out);
        }
    for (const Cluster* cluster : clusters_)
        for (std::size_t core = 0; core < cluster->cores(); ++core) {
            received.add(cluster->quads_in(core));
            finished.add(cluster->quads_out(core));
        }
    add_port(geometry_->memory);
    if (raster_ != nullptr) add_port(raster_->memory);
    if (colour_ != nullptr) add_port(colour_->memory);
    if (immediate_raster_ != nullptr) add_port(immediate_raster_->memory);
    for (const L2Slice* slice : l2_slices_) {
        slice->add_laws(laws_);
        served_reads.add(slice->reads);
        served_writes.add(slice->writes);
        misses.add(slice->misses);
        written.add(slice->write_backs);
        written.add(slice->written_through);
    }
    for (const DramChannel* channel : dram_channels_) {
        channel->add_laws(laws_);
        dram_reads.add(channel->reads);
        dram_writes.add(channel->writes);
    }
    Sum handed, blended, tested_late;
    for (const Dispatch* dispatch : dispatches()) handed.add(dispatch->quads_taken);
    for (const ColourStage* stage : colour_stages()) blended.add(stage->quads_in);
    for (const Cluster* cluster : clusters_)
        if (cluster->pixel_stage() != nullptr) {
            blended.add(cluster->pixel_stage()->quads_in);
            tested_late.add(cluster->pixel_stage()->quads_late_depth);
        }
    laws_.equal("quads handed to cores = quads received by them", handed, received);
    laws_.equal("quads handed on by cores = quads received by the colour stage", finished, blended);
    laws_.equal("vertices sent = vertices shaded", {geometry_->fetcher().vertices_sent}, vertices);
    laws_.equal("reads of all processors = reads served by the L2 cache", reads, served_reads);
    laws_.equal("writes of all processors = writes served by the L2 cache", writes, served_writes);
    laws_.equal("lines read from DRAM = misses of the L2 cache", dram_reads, misses);
    laws_.equal("lines written to DRAM = write-backs of the L2 cache and lines written through", dram_writes, written);
    if (is_immediate()) {
        laws_.equal("primitives handed on = primitives set up", {geometry_->primitives_out},
                    {immediate_raster_->rasteriser().primitives_set_up});
        laws_.equal("quads whose depth is tested after shading = tests of them", tested_late,
                    {immediate_raster_->depth().quads_late});
    } else {
        add_tile_laws();
    }
}

void Machine::add_tile_laws() {
    Sum rendered, stored, entries;
    for (const TiledFrontEnd* front_end : front_ends()) {
        rendered.add(front_end->tiles);
        entries.add(front_end->fetcher().primitives);
    }
    for (const ColourStage* stage : colour_stages()) stored.add(stage->tiles_finished);
    laws_.equal("tiles rendered = tiles finished", rendered, stored);
    laws_.equal("list entries written = list entries read", {geometry_->builder()->list_entries}, entries);
}

std::vector<Violation> Machine::check_work(const Ledger& ledger, const FrameTrace& trace) const {
    const FrameWork work = count_work(trace, workload_);
    std::vector<Violation> found;
    const auto equal = [&](const char* law, const Sum& counted, std::uint64_t expected) {
        if (const std::uint64_t value = ledger.of(counted); value != expected) found.push_back({law, value, expected});
    };
    const auto at_most = [&](const char* law, std::uint64_t least, std::uint64_t most) {
        if (least > most) found.push_back({law, least, most});
    };
    Sum quads, killed, passes;
    for (const Rasteriser* rasteriser : rasterisers()) quads.add(rasteriser->quads_rasterised);
    for (const TiledFrontEnd* front_end : front_ends()) killed.add(front_end->quads_killed);
    if (is_immediate()) killed.add(immediate_raster_->quads_killed);
    passes.add(raster_ != nullptr             ? raster_->passes
               : immediate_raster_ != nullptr ? immediate_raster_->passes
                                              : tile_dispatcher_->passes);
    Sum unchanged;
    for (const ColourStage* stage : colour_stages()) unchanged.add(stage->tiles_unchanged);
    Sum warp_instructions, thread_instructions, threads, accesses, blocks;
    for (const Cluster* processor : vertex_processors_) threads.add(processor->core(0).threads_launched);
    for (const Cluster* cluster : clusters_) {
        accesses.add(cluster->texture_unit().accesses);
        blocks.add(cluster->texture_unit().blocks_read);
        for (std::size_t i = 0; i < cluster->cores(); ++i) {
            threads.add(cluster->core(i).threads_launched);
            warp_instructions.add(cluster->core(i).warp_instructions);
            thread_instructions.add(cluster->core(i).thread_instructions);
        }
    }
    equal("passes rendered = passes of the frame", passes, workload_.passes());
    equal("draws executed = draws of the frame", {geometry_->draws}, work.draws);
    equal("primitives handed on = primitives of the frame", {geometry_->primitives_out}, work.primitives);
    equal("indices fetched = indices of the frame", {geometry_->fetcher().indices}, work.indices);
    at_most("vertices named by the frame <= vertices shaded", work.vertices,
            ledger.of(geometry_->fetcher().vertices_sent));
    equal("quads rasterised = quads of the frame", quads, work.quads);
    equal("quads that end with the early depth test = those of the frame", killed, work.killed);
    equal("tiles not stored as they are unchanged = those of the frame", unchanged, work.unchanged_tiles);
    equal("threads started = fragments of the frame + vertices sent", threads,
          work.fragments + ledger.of(geometry_->fetcher().vertices_sent));
    if (parameters_.geometry.uploads() != UploadPath::free)
        equal("lines uploaded = those of the frame", {geometry_->uploader().lines_uploaded}, work.upload_lines);
    if (vertex_processors_.empty()) return found;  // vertices run on the same cores, some of them several times
    equal("texture accesses executed = those of the frame", accesses, work.accesses);
    equal("lines looked up for textures = those of the frame", blocks, work.blocks);
    equal("instructions of threads = those of the frame", thread_instructions, work.thread_instructions);
    if (parameters_.fragment_processor.groups_per_warp() == 1)
        equal("instructions of fragment warps = lengths of the quads' paths", warp_instructions, work.quad_instructions);
    else
        at_most("instructions of fragment warps <= lengths of the quads' paths", ledger.of(warp_instructions),
                work.quad_instructions);
    return found;
}

}  // namespace models

// Which process of a machine talks to which.
#include "models/machine_processes.h"

namespace models {

using engine::Time;

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
    if (parameters_.access_execute.enabled()) connect_prefetches(front_end, simulation, latency);
}

// What quads will access to every cluster, and the entries of the prefetch queue back.
template <class FrontEnd>
void Machine::connect_prefetches(FrontEnd& front_end, engine::Simulation& simulation, Time latency) {
    int number = 0;
    for (Cluster* cluster : clusters_) {
        simulation.connect(front_end.prefetches[number], cluster->prefetches[0], latency);
        simulation.connect(cluster->prefetches_taken[0], front_end.prefetched[number], latency);
        ++number;
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
    const auto ticks = [this](const Parameter<Cycles>& latency) { return latency.count() * clocks_.gpu; };
    const Time deliver = ticks(parameters_.network.delivery_latency);
    const Time request = ticks(parameters_.network.request_latency);
    const Time respond = ticks(parameters_.network.response_latency);
    const Time memory = ticks(parameters_.network.memory_latency);
    int number = 0;
    for_each_requester([&](auto& process) {
        simulation.connect(process.memory.requests, request_network_->in[number], request);
        simulation.connect(response_network_->out[number], process.replies, deliver);
        ++number;
    });
    if (mmu_ != nullptr) {
        simulation.connect(request_network_->out[parameters_.l2.slices()], mmu_->requests, deliver);
        simulation.connect(mmu_->answers, response_network_->in[parameters_.l2.slices()], respond);
    }
    if (parameters_.has_remote_l1()) connect_peers(simulation);
    for (int s = 0; s < parameters_.l2.slices(); ++s) {
        L2Slice& slice = *l2_slices_[static_cast<std::size_t>(s)];
        simulation.connect(request_network_->out[s], slice.requests, deliver);
        simulation.connect(slice.replies, response_network_->in[s], respond);
        for (int c = 0; c < parameters_.dram.channels(); ++c) {
            DramChannel& channel = *dram_channels_[static_cast<std::size_t>(c)];
            simulation.connect(slice.dram_requests[c], channel.requests[s], memory);
            simulation.connect(channel.replies[s], slice.dram_replies[c], memory);
        }
    }
}

// Clusters ask one another by the networks: behind the slices and the MMU they are what is asked, and answers.
void Machine::connect_peers(engine::Simulation& simulation) {
    const Time deliver = parameters_.network.delivery_latency.count() * clocks_.gpu;
    const Time respond = parameters_.network.response_latency.count() * clocks_.gpu;
    int place = parameters_.l2.slices() + (mmu_ != nullptr ? 1 : 0);
    for (Cluster* cluster : clusters_) {
        simulation.connect(request_network_->out[place], cluster->peer_requests[0], deliver);
        simulation.connect(cluster->snoop_port()->answers[0], response_network_->in[place], respond);
        ++place;
    }
}

}  // namespace models

#include "models/gpu.h"

#include "models/blending.h"
#include "models/dram_channel.h"
#include "models/fragment_processor.h"
#include "models/geometry.h"
#include "models/l2_slice.h"
#include "models/raster.h"

namespace models {

Gpu::Gpu(engine::Simulation& simulation, const MachineParameters& parameters)
    : parameters_(checked(parameters)),
      clocks_(parameters),
      workload_(parameters) {
    geometry_ = &simulation.add<Geometry>(parameters, workload_);
    raster_ = &simulation.add<Raster>(parameters, workload_);
    for (int i = 0; i < parameters.fragment_processor.count(); ++i)
        fragment_processors_.push_back(&simulation.add<FragmentProcessor>(i, parameters, workload_));
    blending_ = &simulation.add<Blending>(parameters, workload_);
    const int requesters = parameters.fragment_processor.count() + 3;
    for (int i = 0; i < parameters.l2.slices(); ++i)
        l2_slices_.push_back(&simulation.add<L2Slice>(i, parameters, requesters));
    for (int i = 0; i < parameters.dram.channels(); ++i)
        dram_channels_.push_back(&simulation.add<DramChannel>(i, parameters, parameters.l2.slices()));
    connect_pipeline(simulation);
    connect_memory(simulation);
}

const MachineParameters& Gpu::checked(const MachineParameters& parameters) const {
    parameters.check_all();
    return parameters;
}

void Gpu::connect_pipeline(engine::Simulation& simulation) {
    const engine::Time latency = parameters_.network.pipeline_latency.count() * clocks_.gpu;
    simulation.connect(geometry_->ready, raster_->ready, latency);
    simulation.connect(raster_->freed, geometry_->freed, latency);
    simulation.connect(raster_->starts, blending_->starts, latency);
    simulation.connect(raster_->ends, blending_->ends, latency);
    simulation.connect(blending_->free_tiles, raster_->free_tiles, latency);
    simulation.connect(blending_->stored, raster_->stored, latency);
    for (int i = 0; i < parameters_.fragment_processor.count(); ++i) {
        FragmentProcessor& processor = *fragment_processors_[static_cast<std::size_t>(i)];
        simulation.connect(raster_->quads[i], processor.quads, latency);
        simulation.connect(processor.taken, raster_->taken[i], latency);
        simulation.connect(processor.shaded, blending_->quads[i], latency);
        simulation.connect(blending_->blended[i], processor.blended, latency);
    }
}

void Gpu::connect_memory(engine::Simulation& simulation) {
    const engine::Time there = parameters_.network.request_latency.count() * clocks_.gpu;
    const engine::Time back = parameters_.network.response_latency.count() * clocks_.gpu;
    const engine::Time memory = parameters_.network.memory_latency.count() * clocks_.gpu;
    for (int s = 0; s < parameters_.l2.slices(); ++s) {
        L2Slice& slice = *l2_slices_[static_cast<std::size_t>(s)];
        int port = 0;
        const auto attach = [&](auto& requester) {
            simulation.connect(requester.memory.requests[s], slice.requests[port], there);
            simulation.connect(slice.replies[port], requester.replies[s], back);
            ++port;
        };
        for (FragmentProcessor* processor : fragment_processors_) attach(*processor);
        attach(*geometry_);
        attach(*raster_);
        attach(*blending_);
        for (int c = 0; c < parameters_.dram.channels(); ++c) {
            DramChannel& channel = *dram_channels_[static_cast<std::size_t>(c)];
            simulation.connect(slice.dram_requests[c], channel.requests[s], memory);
            simulation.connect(channel.replies[s], slice.dram_replies[c], memory);
        }
    }
}

void Gpu::load_frame(const FrameTrace& trace, const Frame& frame) {
    if (loaded_)
        for (FragmentProcessor* processor : fragment_processors_) processor->end_frame();
    loaded_ = false;
    workload_.load(trace, frame);
    loaded_ = true;
    geometry_->begin_frame();
    raster_->begin_frame();
    for (FragmentProcessor* processor : fragment_processors_) processor->begin_frame();
}

void Gpu::start() {
    geometry_->wake_at(0);  // not before now
}

}  // namespace models

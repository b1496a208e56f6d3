// A machine from frame to frame: what is loaded before one, closed after it, and what was observed in between.
#include <array>
#include <map>
#include <string>
#include <utility>

#include "models/core/program_records.h"
#include "models/machine.h"
#include "models/machine_processes.h"
#include "models/memory/home/owner_records.h"

namespace models {

void Machine::check_registers(const FrameTrace& trace) const {
    for (std::size_t i = 0; i < trace.programs.size(); ++i) {
        const bool on_fragment_cores =
            trace.programs[i].stage == ShaderStage::fragment || parameters_.has_unified_cores();
        models::check_registers(on_fragment_cores ? parameters_.fragment_processor : parameters_.vertex_processor,
                                workload_.program(static_cast<std::uint32_t>(i)), "program " + std::to_string(i));
    }
}

void Machine::load_frame(const FrameTrace& trace, const Frame& frame, const ForEach& for_each) {
    workload_.load(trace, frame, for_each);
    check_registers(trace);
    geometry_->begin_frame();
    if (tile_dispatcher_ != nullptr) tile_dispatcher_->begin_frame();
    if (raster_ != nullptr) raster_->begin_frame();
    if (colour_ != nullptr) colour_->begin_frame();
    if (immediate_raster_ != nullptr) immediate_raster_->begin_frame();
    for (Cluster* processor : vertex_processors_) processor->begin_frame();
    for (Cluster* cluster : clusters_) cluster->begin_frame();
    if (parameters_.geometry.uploads() == UploadPath::dram) {
        const BlockRuns written = workload_.uploads().placed(memory_port().placement);
        if (!written.empty())
            for (L2Slice* slice : l2_slices_) slice->drop(written);
    }
    for (DramChannel* channel : dram_channels_) channel->begin_frame();
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
    if (mmu_ != nullptr) mmu_->end_frame();
    request_network_->end_frame();
    response_network_->end_frame();
    if (home_network_ != nullptr) home_network_->end_frame();
    for (L2Slice* slice : l2_slices_) slice->end_frame();
    for (DramChannel* channel : dram_channels_) channel->end_frame();
}

namespace {

using TakenSeries = std::map<const engine::Series*, std::vector<std::uint64_t>>;  // looked up, never walked

// What every core has noted in series_of(core).
template <class SeriesOf>
std::vector<CoreNotes> notes_of(const std::array<const std::vector<Cluster*>*, 2>& clusters, TakenSeries& taken,
                                const SeriesOf& series_of) {
    std::vector<CoreNotes> all;
    for (std::uint32_t kind = 0; kind < clusters.size(); ++kind) {
        std::uint32_t number = 0;
        for (const Cluster* cluster : *clusters[kind])
            for (std::size_t core = 0; core < cluster->cores(); ++core)
                all.push_back({kind, number++, std::move(taken[&series_of(cluster->core(core))])});
    }
    return all;
}

}  // namespace

Machine::Observations Machine::take_observations(engine::Simulation& simulation) const {
    const ObserveParameters& observe = parameters_.observe;
    Observations all;
    TakenSeries taken;
    for (engine::Simulation::TakenSeries& one : simulation.take_series()) taken[one.series] = std::move(one.values);
    if (taken.empty()) return all;  // on another rank
    if (observe.bandwidth_every().count > 0) {
        std::vector<std::vector<std::uint64_t>> channels;
        for (const DramChannel* channel : dram_channels_) channels.push_back(std::move(taken[&channel->bandwidth()]));
        all.series.push_back(bandwidth_of(channels));
    }
    if (observe.census_every().count > 0) {
        std::vector<std::vector<std::uint64_t>> caches;
        for (const Cluster* cluster : clusters_) caches.push_back(std::move(taken[&cluster->census()]));
        all.series.push_back(count_sharers(caches, has_home()));
    }
    const std::array clusters{&clusters_, &vertex_processors_};  // as core_kinds
    all.records.push_back(program_records(
        notes_of(clusters, taken, [](const ShaderCore& core) -> auto& { return core.warps().programs().series; })));
    if (observe.pipeline_cores() > 0)
        all.records.push_back(instruction_records(
            notes_of(clusters, taken, [](const ShaderCore& core) -> auto& { return core.trace().series; })));
    if (observe.owners() && home_network_ != nullptr && home_network_->has_table())
        all.records.push_back(
            owner_records(taken[&home_network_->owners()], static_cast<std::uint32_t>(parameters_.home.buckets())));
    if (observe.owners() && has_tables_of_cores()) {
        std::vector<std::vector<std::uint64_t>> claims;
        for (const Cluster* cluster : clusters_) claims.push_back(std::move(taken[&cluster->home()->claims]));
        const std::vector<std::uint64_t>& epochs = taken[&home_network_->owners()];
        all.records.push_back(claim_records(claims, epochs.empty() ? 0 : epochs.front()));
    }
    return all;
}

}  // namespace models

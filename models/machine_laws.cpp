// The laws between the processes of a machine, and between a frame and what the machine did of it.
#include <array>
#include <string>

#include "models/core/core_notes.h"
#include "models/core/filter_cost.h"
#include "models/machine.h"
#include "models/machine_processes.h"
#include "models/workload/frame_work.h"

namespace models {

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

const AccessProcessor* Machine::built_access_processor() const {
    return raster_ != nullptr             ? raster_->access_processor()
           : immediate_raster_ != nullptr ? immediate_raster_->access_processor()
                                          : nullptr;
}

// Each process has its own laws; these are between them.
void Machine::add_laws() {
    geometry_->add_laws(laws_);
    if (raster_ != nullptr) raster_->add_laws(laws_);
    if (colour_ != nullptr) colour_->add_laws(laws_);
    if (immediate_raster_ != nullptr) immediate_raster_->add_laws(laws_);
    Sum received, finished, vertices, reads, writes, served_reads, served_writes, misses, waited, late, written,
        dram_reads, dram_writes;
    for (const std::vector<Cluster*>& row : {clusters_, vertex_processors_})
        for (const Cluster* cluster : row) {
            cluster->add_laws(laws_);
            vertices.add(cluster->vertices_out);
        }
    for (const Cluster* cluster : clusters_)
        for (std::size_t core = 0; core < cluster->cores(); ++core) {
            received.add(cluster->quads_in(core));
            finished.add(cluster->quads_out(core));
        }
    Sum requests, replies, asked;
    for (const MemoryPort* port : memory_ports()) {
        reads.add(port->reads);
        writes.add(port->writes);
        requests.add(port->reads);
        requests.add(port->writes);
        replies.add(port->replies);
        late.add(port->l2_misses);
        if (port->pages_asked() == nullptr) continue;
        asked.add(*port->pages_asked());
        requests.add(*port->pages_asked());
        replies.add(*port->pages_told());
    }
    for_each_requester([&]<class Process>(const Process& process) {
        Sum redirected;
        if constexpr (std::is_same_v<Process, Cluster>)
            if (process.snoop_port() != nullptr) redirected.add(process.snoop_port()->redirected);
        process.memory.add_laws(laws_, process.name(), redirected);
    });
    if (mmu_ != nullptr) {
        mmu_->add_laws(laws_);
        laws_.equal("pages asked for by all processors = questions to the MMU", asked, {mmu_->questions});
    }
    request_network_->add_laws(laws_);
    response_network_->add_laws(laws_);
    for (const L2Slice* slice : l2_slices_) {
        slice->add_laws(laws_);
        served_reads.add(slice->reads);
        served_writes.add(slice->writes);
        misses.add(slice->cache().misses);
        misses.add(slice->cache().prefetches);
        waited.add(slice->waited);
        written.add(slice->cache().written_back);
        written.add(slice->cache().passed_on);
        written.add(slice->cache().written_through);
    }
    for (const DramChannel* channel : dram_channels_) {
        channel->add_laws(laws_);
        dram_reads.add(channel->reads());
        dram_writes.add(channel->writes());
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
    // Requests of other caches: answered by those, or passed on to the L2 cache.
    Sum answered{response_network_->traffic().messages_in}, lines = reads, asked_of_l2 = reads;
    if (const AccessProcessor* access = built_access_processor()) {
        Sum looked_for, redirected, peer_requests;
        for (const Cluster* cluster : clusters_) {
            const SnoopPort& port = *cluster->snoop_port();
            looked_for.add(port.lookups);
            redirected.add(port.redirected);
            peer_requests.add(port.peer_requests);
            requests.add(port.redirected);
            requests.add(port.peer_passed_on);
            answered.add(port.peer_passed_on);
            lines.add(port.redirected);
            asked_of_l2.add(port.peer_passed_on);
        }
        laws_.equal("blocks asked of other caches = those that their snoop ports looked for", redirected,
                    peer_requests);
        laws_.equal("addresses sent ahead to caches = lookups of their snoop ports", {access->addresses_sent},
                    looked_for);
        laws_.equal("quads whose accesses are known ahead = quads handed to cores", {access->quads}, handed);
    }
    laws_.equal("requests of all processors = messages of the request network", requests,
                {request_network_->traffic().messages_in});
    laws_.equal("messages of the request network = messages of the response network, and requests passed on",
                {request_network_->traffic().messages_out}, answered);
    laws_.equal("messages of the response network = replies to all processors",
                {response_network_->traffic().messages_out}, replies);
    laws_.equal("requests with data = writes of all processors", {request_network_->traffic().data_messages}, writes);
    Sum data{response_network_->traffic().data_messages};
    for (const L2Slice* slice : l2_slices_)
        if (slice->owners() != nullptr) {
            data.add(slice->owners()->sent_on);
            served_reads.add(slice->owners()->sent_on);
        }
    laws_.equal("replies with data, and reads sent on to cores = reads of all processors", data, lines);
    laws_.equal("reads of all processors = reads served by the L2 cache or sent on to cores", asked_of_l2,
                served_reads);
    laws_.equal("writes of all processors = writes served by the L2 cache", writes, served_writes);
    laws_.equal("answers that waited for a line = requests that waited for one in the L2 cache", late, waited);
    laws_.equal("lines read from DRAM = lines fetched by the L2 cache", dram_reads, misses);
    laws_.equal("lines written to DRAM = lines that the L2 cache sent there", dram_writes, written);
    add_home_laws();
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

std::vector<Violation> Machine::check_work(const Ledger& ledger, const FrameTrace& trace,
                                           const ForEach& for_each) const {
    const FrameWork work = count_work(trace, workload_, FilterCost(parameters_.texture_unit), for_each);
    std::vector<Violation> found;
    const auto equal = [&](const char* law, const Sum& counted, std::uint64_t expected) {
        if (const std::uint64_t value = ledger.of(counted); value != expected) found.push_back({law, value, expected});
    };
    const auto at_most = [&](const char* law, std::uint64_t least, std::uint64_t most) {
        if (least > most) found.push_back({law, least, most});
    };
    Sum quads, killed, depth_only, passes;
    for (const Rasteriser* rasteriser : rasterisers()) quads.add(rasteriser->quads_rasterised);
    const auto add_tested = [&](const TestedQuads& tested) {
        killed.add(tested.killed);
        depth_only.add(tested.depth_only);
    };
    for (const TiledFrontEnd* front_end : front_ends()) add_tested(front_end->quads);
    if (is_immediate()) add_tested(immediate_raster_->tested_quads);
    passes.add(raster_ != nullptr             ? raster_->passes
               : immediate_raster_ != nullptr ? immediate_raster_->passes
                                              : tile_dispatcher_->passes);
    Sum unchanged;
    for (const ColourStage* stage : colour_stages()) unchanged.add(stage->tiles_unchanged);
    Sum warp_instructions, thread_instructions, threads, accesses, samples, filter_cycles, blocks;
    for (const Cluster* processor : vertex_processors_) threads.add(processor->core(0).warps().threads_launched);
    for (const Cluster* cluster : clusters_) {
        accesses.add(cluster->texture_unit().accesses);
        samples.add(cluster->texture_unit().samples);
        filter_cycles.add(cluster->texture_unit().filter_cycles);
        blocks.add(cluster->texture_unit().blocks_read);
        for (std::size_t i = 0; i < cluster->cores(); ++i) {
            threads.add(cluster->core(i).warps().threads_launched);
            warp_instructions.add(cluster->core(i).warps().warp_instructions);
            thread_instructions.add(cluster->core(i).warps().thread_instructions);
        }
    }
    equal("passes rendered = passes of the frame", passes, workload_.passes());
    equal("draws executed = draws of the frame", {geometry_->draws}, work.draws);
    equal("lines of commands read = those of the frame", {geometry_->command_reader().command_lines},
          workload_.commands().lines());
    equal("primitives handed on = primitives of the frame", {geometry_->primitives_out}, work.primitives);
    equal("indices fetched = indices of the frame", {geometry_->fetcher().indices}, work.indices);
    at_most("vertices named by the frame <= vertices shaded", work.vertices,
            ledger.of(geometry_->fetcher().vertices_sent));
    equal("quads rasterised = quads of the frame", quads, work.quads);
    equal("quads killed = those of the frame", killed, work.killed);
    equal("quads of depth alone = those of the frame", depth_only, work.depth_only);
    equal("tiles not stored as they are unchanged = those of the frame", unchanged, work.unchanged_tiles);
    equal("threads started = fragments of the frame + vertices sent", threads,
          work.fragments + ledger.of(geometry_->fetcher().vertices_sent));
    if (parameters_.geometry.uploads() != UploadPath::free)
        equal("lines uploaded = those of the frame", {geometry_->uploader().lines_uploaded}, work.upload_lines);
    if (const AccessProcessor* access = built_access_processor())
        equal("texture accesses known ahead = those of the frame", {access->accesses}, work.accesses);
    // Unified cores count vertices, too, some of them several times: what fragments ask for is the least then.
    const bool unified = vertex_processors_.empty();
    const auto of_fragments = [&](const char* law, bool and_vertices, const Sum& counted, std::uint64_t expected) {
        const std::uint64_t value = ledger.of(counted);
        if (and_vertices ? value < expected : value != expected) found.push_back({law, value, expected});
    };
    const bool vertices_read = unified && !workload_.frame().vertex_accesses.empty();
    of_fragments("texture accesses executed = those of the frame", vertices_read, accesses, work.accesses);
    of_fragments("bilinear samples taken = those of the frame", vertices_read, samples, work.samples);
    of_fragments("cycles of texture filters = those that the frame takes", vertices_read, filter_cycles,
                 work.filter_cycles);
    of_fragments("blocks looked up for textures = those of the frame", vertices_read, blocks, work.blocks);
    of_fragments("instructions of threads = those of the frame", unified, thread_instructions,
                 work.thread_instructions);
    if (unified) return found;
    if (parameters_.fragment_processor.groups_per_warp() == 1)
        equal("instructions of fragment warps = lengths of the quads' paths", warp_instructions,
              work.quad_instructions);
    else
        at_most("instructions of fragment warps <= lengths of the quads' paths", ledger.of(warp_instructions),
                work.quad_instructions);
    return found;
}

std::vector<Violation> Machine::check_programs(const Ledger& ledger, const Records& programs) const {
    std::vector<Violation> found;
    const auto equal = [&](std::uint32_t kind, const std::string& column, std::uint64_t counted) {
        const std::vector<std::uint64_t>& kinds = programs.find("core_kind")->values;
        const std::vector<std::uint64_t>& values = programs.find(column)->values;
        std::uint64_t sum = 0;
        for (std::size_t row = 0; row < kinds.size(); ++row)
            if (kinds[row] == kind) sum += values[row];
        if (sum != counted)
            found.push_back({std::string(core_kinds[kind]) + ": " + column + " of all programs = those of all cores",
                             sum, counted});
    };
    std::uint32_t kind = 0;
    for (const std::vector<Cluster*>* clusters : {&clusters_, &vertex_processors_}) {
        Sum warps, threads, warp_instructions, thread_instructions, textures;
        std::array<Sum, core_states> cycles;
        for (const Cluster* cluster : *clusters) {
            textures.add(cluster->texture_unit().accesses);
            for (std::size_t i = 0; i < cluster->cores(); ++i) {
                const ShaderCore& core = cluster->core(i);
                warps.add(core.warps().warps_launched);
                threads.add(core.warps().threads_launched);
                warp_instructions.add(core.warps().warp_instructions);
                thread_instructions.add(core.warps().thread_instructions);
                for (std::size_t state = 0; state < core_states; ++state) cycles[state].add(core.time().cycles[state]);
            }
        }
        equal(kind, "warps", ledger.of(warps));
        equal(kind, "threads", ledger.of(threads));
        equal(kind, "warp_instructions", ledger.of(warp_instructions));
        equal(kind, "thread_instructions", ledger.of(thread_instructions));
        equal(kind, "texture_accesses", ledger.of(textures));
        for (std::size_t state = 0; state < core_states; ++state) {
            const std::string column = "cycles_" + std::string(core_state_names[state]);
            if (programs.find(column) != nullptr) equal(kind, column, ledger.of(cycles[state]));
        }
        ++kind;
    }
    return found;
}

}  // namespace models

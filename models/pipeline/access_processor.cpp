#include "models/pipeline/access_processor.h"

#include "models/base/laws.h"

namespace models {

AccessProcessor::AccessProcessor(const engine::CounterScope& scope, const Shape& shape, const Workload& workload)
    : quads(scope, "quads", "1", "quads whose accesses are to be known ahead"),
      accesses(scope, "accesses", "1", "their texture accesses"),
      accesses_dependent(scope, "accesses_dependent", "1",
                         "of them, those whose place a texture read before decides: loss of decoupling"),
      addresses(scope, "addresses", "1", "blocks that the quads will access, of textures known ahead and of pixels"),
      addresses_dropped(scope, "addresses_dropped", "1", "of them, those of quads whose turn came too late"),
      addresses_sent(scope, "addresses_sent", "1", "of them, those sent to the caches"),
      sources_named(scope, "sources_named", "1", "of them, those with another cache that is likely to hold the block"),
      workload_(workload),
      cluster_cores_(static_cast<std::uint32_t>(shape.cluster_cores)),
      has_pixels_(shape.has_pixels),
      waiting_(shape.quads),
      queue_(shape.queue) {}

const DecodedProgram& AccessProcessor::program_of(std::uint32_t quad) const {
    return workload_.program(workload_.draw_of(quad).fragment_program);
}

void AccessProcessor::take(const FormedWarp& warp, int core) {
    const Frame& frame = workload_.frame();
    for (std::uint32_t i = 0; i < warp.count; ++i) {
        const DecodedProgram& program = program_of(warp.quads[i]);
        Waiting quad;
        quad.quad = warp.quads[i];
        quad.pass = workload_.pass_of_tile(warp.tile);
        quad.cluster = static_cast<std::uint32_t>(core) / cluster_cores_;
        quad.textures = TextureCursor::of(program, frame.quads[quad.quad].path);
        quad.access = frame.quads[quad.quad].first_access;
        ++quads;
        for (TextureCursor at = quad.textures; !at.is_done(); at.advance(program)) {
            ++accesses;
            accesses_dependent += program.dependent[at.counter];
        }
        addresses += addresses_left(quad);
        if (waiting_.full()) {
            addresses_dropped += addresses_left(waiting_.front());
            waiting_.pop();
        }
        waiting_.push(quad);
    }
}

std::uint64_t AccessProcessor::addresses_left(Waiting quad) const {
    std::uint64_t count = 0;
    for (AccessQueue::Entry entry; next_address(quad, entry);) ++count;
    return count;
}

// Of the oldest quad, into the queue, which has room.
void AccessProcessor::compute_next() {
    AccessQueue::Entry entry;
    if (!next_address(waiting_.front(), entry))
        waiting_.pop();
    else if (queue_.push(entry).source != AccessQueue::no_cache)
        ++sources_named;
}

// False if there is none left.
bool AccessProcessor::next_address(Waiting& quad, AccessQueue::Entry& entry) const {
    entry.quad = quad.quad;
    return next_texture_block(quad, entry) || (has_pixels_ && next_pixel_line(quad, entry));
}

bool AccessProcessor::next_texture_block(Waiting& quad, AccessQueue::Entry& entry) const {
    const DecodedProgram& program = program_of(quad.quad);
    for (; !quad.textures.is_done(); quad.textures.advance(program), ++quad.access, quad.block = 0) {
        const TextureAccess& access = workload_.frame().accesses[quad.access];
        if (program.dependent[quad.textures.counter] != 0 || quad.block == access.block_count) continue;
        entry.block = workload_.frame().blocks[access.first_block + quad.block++];
        entry.program_counter = static_cast<std::uint16_t>(quad.textures.counter);
        entry.cache =
            static_cast<std::uint16_t>(PrefetchBlock::caches_of_cluster * quad.cluster + PrefetchBlock::textures);
        return true;
    }
    return false;
}

bool AccessProcessor::next_pixel_line(Waiting& quad, AccessQueue::Entry& entry) const {
    const Draw& draw = workload_.draw_of(quad.quad);
    const Workload::Targets& targets = workload_.targets(quad.pass);
    const Workload::Place& place = workload_.place(quad.quad);
    for (; quad.target < targets.colour.size(); ++quad.target, quad.line = 0) {
        if ((draw.colour_mask >> 4U * quad.target & 15U) == 0 || targets.colour[quad.target].count() == 0) continue;
        const SurfaceBlocks::Run run = targets.colour[quad.target].of_quad(place.x, place.y);
        if (quad.line == run.count) continue;
        entry.block = run.block(quad.line++);
        entry.program_counter = 0;
        entry.cache =
            static_cast<std::uint16_t>(PrefetchBlock::caches_of_cluster * quad.cluster + PrefetchBlock::pixels);
        return true;
    }
    return false;
}

void AccessProcessor::add_laws(Laws& laws) const {
    laws.equal("access processor: addresses = sent to caches + dropped", {addresses},
               {addresses_sent, addresses_dropped});
}

}  // namespace models

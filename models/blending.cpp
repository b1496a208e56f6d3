#include "models/blending.h"

#include <algorithm>
#include <cassert>

namespace models {

using engine::never;
using engine::Time;

Blending::Blending(const MachineParameters& parameters, const Workload& workload)
    : Clocked("blending", -1, Clocks(parameters).gpu),
      workload_(workload),
      quads_per_cycle_(parameters.blending.quads_per_cycle()),
      latency_(parameters.blending.latency.count() * period()),
      buffers_(static_cast<std::size_t>(parameters.blending.tile_buffers())),
      tiles_(buffers_.size()),
      quads(this, "quads", parameters.fragment_processor.count(), engine::handler<&Blending::on_quad>),
      replies(this, "replies", parameters.l2.slices(), engine::handler<&Blending::on_reply>),
      blended(this, "blended", parameters.fragment_processor.count(), period()),
      free_tiles(this, "free_tiles", period()),
      stored(this, "stored", period()),
      memory(this, MemoryPortShape(parameters, Cycles{1})) {
    const int processors = parameters.fragment_processor.count();
    for (int i = 0; i < processors; ++i)
        queues_.emplace_back(static_cast<std::size_t>(share_of(parameters.blending.colour_queue(), processors, i)));
}

void Blending::on_start(const TileStart& start) {
    const Pass& pass = workload_.frame().passes[start.pass];
    TileBuffer& buffer = buffers_[start.buffer];
    assert(!buffer.in_use);
    buffer.in_use = true;
    buffer.ended = buffer.last_of_pass = false;
    buffer.expected = buffer.blended = 0;
    buffer.loads_sent = buffer.loads_done = buffer.stores_sent = 0;
    buffer.next_ordinal.fill(0);
    buffer.place_free.fill(0);
    collect_blocks(pass, start.tile, buffer);
    tiles_.push(start.buffer);
}

void Blending::collect_blocks(const Pass& pass, std::uint32_t tile, TileBuffer& buffer) const {
    const std::uint32_t x = tile % pass.tiles_x, y = tile / pass.tiles_x;
    buffer.loads.clear();
    buffer.stores.clear();
    for (const Surface& surface : pass.colour) {
        const SurfaceBlocks blocks(surface);
        if (pass.colour_load) blocks.append(x, y, buffer.loads);
        if (pass.colour_store) blocks.append(x, y, buffer.stores);
    }
    if (pass.depth_store) SurfaceBlocks(pass.depth).append(x, y, buffer.stores);
}

void Blending::on_end(const TileEnd& end) {
    TileBuffer& buffer = buffers_[end.buffer];
    assert(buffer.in_use && !buffer.ended);
    buffer.ended = true;
    buffer.expected = end.quads;
    buffer.last_of_pass = end.last_of_pass;
}

void Blending::on_quad(const ShadedQuad& quad, int processor) {
    queue_quads_ += queued_;
    ++quads_in_;
    ++queued_;
    queues_[static_cast<std::size_t>(processor)].push(quad);
}

void Blending::on_reply(const MemoryReply& reply, int slice) {
    memory.take_reply(slice);
    if (reply.operation == MemoryOperation::read)
        ++buffers_[reply.tag.entry].loads_done;
    else
        --stores_in_flight_;
}

Time Blending::step() {
    const bool loading = send_loads();
    const bool blending = blend_quads();
    const bool storing = store_tile();
    if (pass_ending_ && stores_in_flight_ == 0) {
        pass_ending_ = false;
        stored.send({}, period());
    }
    if (loading || blending || storing) return now() + period();
    return std::max(next_place_free_, now() + period());
}

// One line a cycle, for the first tile that still needs some. True if there may be more to do in the next cycle.
bool Blending::send_loads() {
    for (std::uint32_t i = tiles_.first_number(); i != tiles_.end_number(); ++i) {
        const std::uint32_t index = tiles_.numbered(i);
        TileBuffer& buffer = buffers_[index];
        if (buffer.loads_sent == buffer.loads.size()) continue;
        const BlockNumber block = buffer.loads[buffer.loads_sent];
        if (!memory.can_send(block)) return false;
        MemoryRequest request;
        request.block = block;
        request.tag = RequestTag::of(0, index);
        memory.send(now(), request, period());
        ++buffer.loads_sent;
        ++lines_loaded_;
        return true;
    }
    return false;
}

// True if something was blended, so that more may be possible in the next cycle.
bool Blending::blend_quads() {
    next_place_free_ = never;
    if (queued_ == 0) return false;
    if (blend_free_ > now()) {
        next_place_free_ = blend_free_;
        return false;
    }
    int done = 0;
    for (std::size_t i = 0; i < queues_.size() && done < quads_per_cycle_; ++i) {
        const std::size_t processor = turn_ + i < queues_.size() ? turn_ + i : turn_ + i - queues_.size();
        if (queues_[processor].empty() || !blend_head(processor)) continue;
        ++done;
        if (done == quads_per_cycle_) turn_ = processor + 1 < queues_.size() ? processor + 1 : 0;
    }
    if (done > 0) ++cycles_blend_;
    return done > 0;
}

bool Blending::blend_head(std::size_t processor) {
    const ShadedQuad& shaded = queues_[processor].front();
    TileBuffer& buffer = buffers_[shaded.buffer];
    assert(buffer.in_use);
    const Frame& frame = workload_.frame();
    const Quad& quad = frame.quads[shaded.quad];
    const std::size_t place = std::size_t{quad.y} * (trace_tile_pixels / 2) + quad.x;
    if (!buffer.loaded() || buffer.next_ordinal[place] != shaded.ordinal) return false;
    if (buffer.place_free[place] > now()) {
        next_place_free_ = std::min(next_place_free_, buffer.place_free[place]);
        return false;
    }
    const Draw& draw = frame.draws[frame.primitives[quad.primitive].draw];
    ++buffer.next_ordinal[place];
    buffer.place_free[place] = now() + latency_;
    blend_free_ = std::max(blend_free_, now() + std::max<Time>(draw.colour_targets, 1) * period());
    ++buffer.blended;
    ++quads_blended_;
    --queued_;
    queues_[processor].pop();
    blended[static_cast<int>(processor)].send({}, period());
    return true;
}

// One line a cycle of the oldest tile, if it is complete. True if there may be more to do in the next cycle.
bool Blending::store_tile() {
    if (tiles_.empty()) return false;
    const std::uint32_t index = tiles_.front();
    TileBuffer& buffer = buffers_[index];
    if (!buffer.complete()) return false;
    if (buffer.stores_sent < buffer.stores.size()) {
        const BlockNumber block = buffer.stores[buffer.stores_sent];
        if (!memory.can_send(block)) return false;
        MemoryRequest request;
        request.block = block;
        request.operation = MemoryOperation::write_line;
        memory.send(now(), request, period());
        ++buffer.stores_sent;
        ++stores_in_flight_;
        ++lines_stored_;
        ++cycles_store_;
    }
    if (buffer.stores_sent == buffer.stores.size()) finish_tile(index);
    return true;
}

void Blending::finish_tile(std::uint32_t index) {
    TileBuffer& buffer = buffers_[index];
    buffer.in_use = false;
    if (buffer.last_of_pass) pass_ending_ = true;
    tiles_.pop();
    ++tiles_finished_;
    free_tiles.send({static_cast<std::uint8_t>(index)}, period());
}

std::string Blending::unfinished() const {
    std::string text;
    const auto say = [&](bool condition, const std::string& what) {
        if (condition) text += (text.empty() ? "" : ", ") + what;
    };
    say(queued_ > 0, std::to_string(queued_) + " quads queued");
    say(!tiles_.empty(), std::to_string(tiles_.size()) + " tiles under way");
    say(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " answers awaited");
    return text;
}

}  // namespace models

#include "models/pipeline/colour_stage.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"
#include "models/workload/surface_blocks.h"

namespace models {

using engine::Time;

namespace {

constexpr std::size_t most_storing = 128;  // tiles whose lines are on their way

}  // namespace

ColourStage::ColourStage(const engine::CounterScope& scope, const ColourParameters& parameters, int sources,
                         const Workload& workload, MemoryPort& memory, int part, Time period)
    : quads_in(scope, "quads_in", "1", "quads received"),
      quads_blended(scope, "quads_blended", "1", "quads blended"),
      quads_late_depth(scope, "quads_late_depth", "1", "of them, those whose depth was tested after shading"),
      lines_loaded(scope, "lines_loaded", "1", "lines of old colours read"),
      lines_stored(scope, "lines_stored", "1", "lines of finished tiles written"),
      tiles_finished(scope, "tiles", "1", "tiles finished"),
      tiles_unchanged(scope, "tiles_unchanged", "1", "of them, those not stored as memory has their colours already"),
      workload_(workload),
      memory_(&memory),
      part_(part),
      quads_per_cycle_(static_cast<std::uint32_t>(parameters.quads_per_cycle())),
      late_depth_(static_cast<std::uint32_t>(parameters.late_depth.count())),
      cost_(parameters),
      store_(parameters.flush() == Flush::dram ? MemoryOperation::write_through : MemoryOperation::write_line),
      period_(period),
      latency_(parameters.latency.count() * period),
      entries_(static_cast<std::size_t>(std::max(parameters.queue(), sources))),
      ready_(entries_.size()),
      buffers_(static_cast<std::size_t>(parameters.tile_buffers())),
      tiles_(buffers_.size()),
      storing_(most_storing),
      time(scope,
           {{{"idle", Activity::starved, "raster"},
             {"blend", Activity::busy},
             {"store", Activity::busy},
             {"waits_old_colours", Activity::starved, memory.answered_by()},
             {"waits_same_place", Activity::starved, scope.kind()},
             {"waits_order", Activity::starved, "fragment_processor"},
             {"waits_memory", Activity::blocked, MemoryPort::room_of},
             {"waits_quads", Activity::starved, "fragment_processor"},
             {"waits_first_quad", Activity::starved, "raster"},
             {"waits_stores", Activity::starved, memory.answered_by()}}},
           period) {
    for (std::size_t i = entries_.size(); i-- > 0;) free_.push_back(static_cast<std::uint16_t>(i));
}

void ColourStage::begin_tile(Time /*now*/, std::uint32_t pass_number, std::uint32_t tile, std::uint32_t index) {
    TileBuffer& buffer = buffers_[index];
    assert(buffer.in_use == 0);
    buffer.in_use = 1;
    buffer.pass = pass_number;
    buffer.ended = 0;
    buffer.expected = buffer.blended = 0;
    buffer.loads_sent = buffer.loads_done = buffer.stores_sent = 0;
    buffer.waiting.fill(nobody);
    buffer.next_ordinal.fill(0);
    buffer.place_free.fill(0);
    collect_blocks(pass_number, tile, buffer);
    tiles_.push(index);
}

// A tile whose samples are brought together on chip is stored where the next pass would have stored it.
void ColourStage::collect_blocks(std::uint32_t number, std::uint32_t tile, TileBuffer& buffer) {
    const Pass& pass = workload_.frame().passes[number];
    const std::uint32_t resolving = workload_.resolves().resolving(number);
    const Pass& stores = resolving == none ? pass : workload_.frame().passes[resolving];
    const std::uint32_t x = tile % pass.tiles_x, y = tile / pass.tiles_x;
    buffer.loads.clear();
    buffer.stores.clear();
    if (pass.colour_load)
        for (const Surface& surface : pass.colour) SurfaceBlocks(surface).append(x, y, buffer.loads);
    if (workload_.signatures().is_unchanged(pass, tile))
        ++tiles_unchanged;
    else if (stores.colour_store)
        for (const Surface& surface : stores.colour) SurfaceBlocks(surface).append(x, y, buffer.stores);
    buffer.colour_stores = static_cast<std::uint32_t>(buffer.stores.size());
    if (pass.depth_store) SurfaceBlocks(pass.depth).append(x, y, buffer.stores);
}

void ColourStage::end_tile(std::uint32_t index, std::uint32_t quads) {
    TileBuffer& buffer = buffers_[index];
    assert(buffer.in_use != 0 && buffer.ended == 0);
    buffer.ended = 1;
    buffer.expected = quads;
}

void ColourStage::take_quad(Time now, std::uint32_t quad_number, std::uint32_t buffer_number, std::uint32_t source) {
    const Quad& quad = workload_.frame().quads[quad_number];
    const std::uint32_t place = std::uint32_t{quad.y} * quads_across_tile + quad.x;
    TileBuffer& buffer = buffers_[buffer_number];
    assert(buffer.in_use != 0 && !free_.empty());
    ++quads_in;
    ++queued_;
    const std::uint16_t index = free_.back();
    free_.pop_back();
    entries_[index] = {now,
                       quad_number,
                       static_cast<std::uint16_t>(source),
                       static_cast<std::uint16_t>(buffer_number),
                       static_cast<std::uint16_t>(place),
                       buffer.waiting[place],
                       workload_.quads().ordinal(quad_number)};
    buffer.waiting[place] = index;
    if (buffer.is_loaded()) release(now, buffer, place);
}

// The quad whose turn it is at a place becomes ready, if it is there.
void ColourStage::release(Time now, TileBuffer& buffer, std::uint32_t place) {
    std::uint16_t* link = &buffer.waiting[place];
    while (*link != nobody && entries_[*link].ordinal != buffer.next_ordinal[place]) link = &entries_[*link].next;
    if (*link == nobody) return;
    const std::uint16_t index = *link;
    *link = entries_[index].next;
    // Only who reads the old colour waits until it is there; who does not writes a cycle after it.
    const bool reads = reads_old_colours(workload_.draw_of(entries_[index].quad));
    entries_[index].ready_at = std::max(now, buffer.place_free[place] - (reads ? 0 : latency_ - period_));
    ready_.push(index);
}

// One line a cycle, for the first tile that still needs some. True if there may be more to do in the next cycle.
bool ColourStage::send_loads(Time now) {
    for (std::uint32_t i = tiles_.first_number(); i != tiles_.end_number(); ++i) {
        const std::uint32_t index = tiles_.numbered(i);
        TileBuffer& buffer = buffers_[index];
        if (buffer.loads_sent == buffer.loads.size()) continue;
        const BlockNumber block = buffer.loads[buffer.loads_sent];
        if (!memory_->can_send(block)) return false;
        MemoryRequest request;
        request.block = block;
        request.tag = RequestTag::of(part_, index);
        request.client = MemoryClient::colour;
        memory_->send(now, request, period_);
        ++buffer.loads_sent;
        ++lines_loaded;
        return true;
    }
    return false;
}

std::uint32_t ColourStage::blend_cost(const Entry& entry) {
    const Draw& draw = workload_.draw_of(entry.quad);
    std::uint32_t cost = cost_.of(draw);
    if (tests_late(draw)) {
        cost += late_depth_;
        ++quads_late_depth;
    }
    return cost;
}

// One line a cycle of the oldest tile, if it is complete.
bool ColourStage::store_line(Time now) {
    if (tiles_.empty()) return false;
    TileBuffer& buffer = buffers_[tiles_.front()];
    if (!buffer.is_complete() || buffer.stores_sent == buffer.stores.size()) return false;
    const BlockNumber block = buffer.stores[buffer.stores_sent];
    if (!memory_->can_send(block) || (!is_storing_ && storing_.full())) return false;
    if (!is_storing_) storing_.push({buffer.pass, 0, 0});
    is_storing_ = true;
    MemoryRequest request;
    request.block = block;
    // The answer says of which tile it is.
    request.tag = RequestTag::of(part_, (storing_.end_number() - 1) % most_storing);
    request.operation = store_;
    request.client = buffer.stores_sent < buffer.colour_stores ? MemoryClient::colour : MemoryClient::depth;
    memory_->send(now, request, period_);
    ++buffer.stores_sent;
    ++storing_.back().in_flight;
    ++lines_stored;
    return true;
}

void ColourStage::on_reply(Time now, const MemoryReply& reply) {
    if (reply.operation != MemoryOperation::read) {
        --storing_.numbered(reply.tag.entry).in_flight;
        return;
    }
    TileBuffer& buffer = buffers_[reply.tag.entry];
    ++buffer.loads_done;
    if (!buffer.is_loaded()) return;
    for (std::uint32_t place = 0; place < places_of_tile; ++place) release(now, buffer, place);
}

// When it neither blends nor stores.
ColourStage::State ColourStage::waits_for() const {
    if (tiles_.empty()) return storing_.empty() ? State::idle : State::stores_awaited;
    const TileBuffer& oldest = buffers_[tiles_.front()];
    if (oldest.is_complete()) return State::memory_busy;
    if (!oldest.is_loaded()) return State::old_colours;
    if (!ready_.empty()) return State::same_place;
    if (queued_ > 0) return State::order;
    return oldest.ended == 0 && oldest.blended == 0 ? State::first_quad_awaited : State::quads_awaited;
}

std::string ColourStage::unfinished() const {
    std::string text;
    if (queued_ > 0) text = std::to_string(queued_) + " quads queued";
    if (!tiles_.empty()) text += (text.empty() ? "" : ", ") + std::to_string(tiles_.size()) + " tiles under way";
    return text;
}

void ColourStage::add_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": quads received = quads blended", {quads_in}, {quads_blended});
    time.add_laws(laws, name);
}

void ColourStage::serialize(engine::Archive& archive) {
    archive(entries_, free_, ready_, queued_, blend_free_, buffers_, tiles_, storing_, is_storing_, time);
}

}  // namespace models

#include "models/raster.h"

#include <algorithm>
#include <cassert>

#include "models/surface_blocks.h"

namespace models {
namespace {

using engine::never;
using engine::Time;

constexpr int tile_cache_client = 0, depth_client = 1;

}  // namespace

Raster::Raster(const MachineParameters& parameters, const Workload& workload)
    : Clocked("raster", -1, Clocks(parameters).gpu),
      workload_(workload),
      attributes_per_cycle_(static_cast<std::uint32_t>(parameters.raster.attributes_per_cycle())),
      quads_per_cycle_(static_cast<std::uint32_t>(parameters.raster.quads_per_cycle())),
      quads_in_test_(static_cast<std::uint32_t>(parameters.raster.early_depth_quads())),
      test_latency_(parameters.raster.early_depth_latency.count() * period()),
      load_delay_(parameters.tile_cache.latency.count() * period()),
      test_(std::size_t{quads_in_test_} + 1),
      buffers_(static_cast<std::size_t>(parameters.blending.tile_buffers())),
      open_(buffers_.size()),
      distribution_(static_cast<QuadDistribution::Policy>(parameters.raster.distribution.index()),
                    parameters.fragment_processor.count(), parameters.raster.fragment_queue()),
      taken(this, "taken", parameters.fragment_processor.count(), engine::handler<&Raster::on_taken>),
      replies(this, "replies", parameters.l2.slices(), engine::handler<&Raster::on_reply>),
      freed(this, "freed", period()),
      quads(this, "quads", parameters.fragment_processor.count(), period()),
      starts(this, "starts", period()),
      ends(this, "ends", period()),
      memory(this, MemoryPortShape(parameters, parameters.tile_cache.latency())),
      tile_cache_({&counters(), "tile_cache_"}, parameters.tile_cache, memory, tile_cache_client, period()),
      fetcher_({&counters(), ""}, parameters.tiling, tile_cache_) {}

void Raster::begin_frame() {
    pass_ = passes_ready_ = 0;
}

void Raster::on_pass(const PassReady& message) {
    assert(message.pass == passes_ready_);
    passes_ready_ = message.pass + 1;
}

void Raster::on_taken(const QuadsTaken& message, int processor) {
    distribution_.give_back(processor, message.count);
}

void Raster::on_tile_free(const TileFree& message) {
    buffers_[message.buffer].free = true;
}

void Raster::on_stored(const PassStored& /*message*/) {
    pass_active_ = false;
    freed.send({pass_}, period());
    ++passes_;
    ++pass_;
}

void Raster::on_reply(const MemoryReply& reply, int slice) {
    memory.take_reply(slice);
    if (reply.tag.client == depth_client)
        ++buffers_[reply.tag.entry].loads_done;
    else
        for (const std::uint32_t waiter : tile_cache_.fill(reply.tag)) fetcher_.fill(waiter);
    fetcher_.retry();
}

Time Raster::step() {
    bool active = begin_pass();
    if (!pass_active_) return active ? now() + period() : never;
    active |= hand_out();
    active |= emit_quads();
    active |= take_item();
    active |= open_tile();
    active |= load_depths();
    active |= fetcher_.step(now());
    return next_step(active);
}

bool Raster::begin_pass() {
    if (pass_active_ || pass_ == passes_ready_) return false;
    const PolygonLists& lists = workload_.lists(pass_);
    if (lists.order.empty()) {  // nothing to render
        freed.send({pass_}, period());
        ++passes_;
        ++pass_;
        return true;
    }
    pass_active_ = true;
    tiles_opened_ = 0;
    tile_cache_.invalidate([](const CacheArray::Line&) { return true; });
    fetcher_.begin_pass(lists, workload_.frame().passes[pass_].first_tile);
    return true;
}

// Tested quads go to processors; those that failed go nowhere. True if something moved.
bool Raster::hand_out() {
    bool moved = false;
    for (std::uint32_t i = 0; i < quads_per_cycle_ && !test_.empty(); ++i) {
        const InTest& head = test_.front();
        if (head.ready_at > now() || !hand_out_one(head)) break;
        test_.pop();
        moved = true;
    }
    return moved;
}

bool Raster::hand_out_one(const InTest& head) {
    BufferState& buffer = buffers_[head.buffer];
    if (head.quad == none) {
        ends.send({buffer.handed_out, head.buffer, head.last_of_pass}, period());
        ++tiles_;
        return true;
    }
    const Quad& quad = workload_.frame().quads[head.quad];
    if (quad.early_pass == 0) {
        ++quads_killed_;
        return true;
    }
    const Pass& pass = workload_.frame().passes[pass_];
    const std::uint32_t tile = head.tile - pass.first_tile;
    constexpr std::uint32_t side = trace_tile_pixels / 2;
    const int processor =
        distribution_.choose(tile % pass.tiles_x * side + quad.x, tile / pass.tiles_x * side + quad.y);
    if (processor < 0) {
        ++waits_for_processor_;
        return false;
    }
    distribution_.take(processor);
    std::uint16_t& ordinal = buffer.ordinals[std::size_t{quad.y} * side + quad.x];
    quads[processor].send({head.quad, head.tile, ordinal++, head.buffer}, period());
    ++buffer.handed_out;
    ++quads_out_;
    return true;
}

// Quads of the primitive that is set up enter the early depth test.
bool Raster::emit_quads() {
    bool moved = false;
    if (emitting_ == none && setting_up_ != none && set_up_at_ <= now()) {
        emitting_ = setting_up_;
        setting_up_ = none;
        moved = true;
    }
    const std::vector<Quad>& all = workload_.frame().quads;
    for (std::uint32_t i = 0; i < quads_per_cycle_ && emitting_ != none; ++i) {
        const bool left = tile_.next_quad < tile_.end_quad && all[tile_.next_quad].primitive == emitting_;
        if (!left) {
            emitting_ = none;
            return true;
        }
        if (test_.size() >= quads_in_test_) return moved;
        test_.push({tile_.next_quad++, tile_.tile, tile_.buffer, false, now() + test_latency_});
        ++quads_rasterised_;
        moved = true;
    }
    return moved;
}

// The next of what the tile fetcher has queued.
bool Raster::take_item() {
    if (fetcher_.empty() || setting_up_ != none) return false;
    const TileFetcher::Item& item = fetcher_.front();
    if (!item.ready(now())) return false;
    if (item.kind == TileFetcher::Kind::primitive)
        set_up(item);
    else if (!(item.kind == TileFetcher::Kind::tile_begin ? begin_tile() : end_tile(item)))
        return false;
    fetcher_.pop();
    return true;
}

// Gives the next tile of the pass a tile buffer, if there is one.
bool Raster::open_tile() {
    const PolygonLists& lists = workload_.lists(pass_);
    if (tiles_opened_ == lists.order.size()) return false;
    const auto free = std::find_if(buffers_.begin(), buffers_.end(), [](const BufferState& b) { return b.free; });
    if (free == buffers_.end()) return false;
    const Pass& pass = workload_.frame().passes[pass_];
    free->free = false;
    free->tile = lists.order[tiles_opened_++];
    free->handed_out = 0;
    free->ordinals.fill(0);
    free->depth_loads.clear();
    free->loads_sent = free->loads_done = 0;
    if (pass.depth_load)
        SurfaceBlocks(pass.depth).append(free->tile % pass.tiles_x, free->tile / pass.tiles_x, free->depth_loads);
    const auto buffer = static_cast<std::uint8_t>(free - buffers_.begin());
    open_.push(buffer);
    starts.send({pass_, free->tile, buffer}, period());
    return true;
}

// One line of old depths a cycle, for the first open tile that needs some.
bool Raster::load_depths() {
    for (std::uint32_t i = open_.first_number(); i != open_.end_number(); ++i) {
        const std::uint8_t index = open_.numbered(i);
        BufferState& buffer = buffers_[index];
        if (buffer.loads_sent == buffer.depth_loads.size()) continue;
        MemoryRequest request;
        request.block = buffer.depth_loads[buffer.loads_sent];
        request.tag = RequestTag::of(depth_client, index);
        request.attribution.tile = workload_.frame().passes[pass_].first_tile + buffer.tile;
        if (!memory.can_send(request.block)) return false;
        memory.send(now(), request, load_delay_);
        ++buffer.loads_sent;
        ++depth_lines_loaded_;
        return true;
    }
    return false;
}

bool Raster::begin_tile() {
    if (emitting_ != none || open_.empty()) return false;
    const std::uint8_t index = open_.front();
    const BufferState& buffer = buffers_[index];
    if (buffer.loads_done < buffer.depth_loads.size()) return false;
    const std::uint32_t tile_number = workload_.frame().passes[pass_].first_tile + buffer.tile;
    const Tile& tile = workload_.frame().tiles[tile_number];
    tile_ = {tile_number, index, tile.first_quad, tile.first_quad + tile.quad_count};
    open_.pop();
    return true;
}

bool Raster::end_tile(const TileFetcher::Item& item) {
    if (emitting_ != none || test_.full()) return false;
    assert(tile_.next_quad == tile_.end_quad);
    test_.push({none, tile_.tile, tile_.buffer, item.last_of_pass, now() + test_latency_});
    return true;
}

void Raster::set_up(const TileFetcher::Item& item) {
    const Frame& frame = workload_.frame();
    const std::uint32_t attributes = frame.draws[frame.primitives[item.primitive].draw].varying_count;
    const std::uint32_t cycles = std::max(1U, (attributes + attributes_per_cycle_ - 1) / attributes_per_cycle_);
    setting_up_ = item.primitive;
    set_up_at_ = now() + cycles * period();
    ++primitives_set_up_;
}

Time Raster::next_step(bool active) const {
    if (active) return now() + period();
    Time next = never;
    const auto consider = [&](Time t) {
        if (t > now()) next = std::min(next, t);
    };
    if (setting_up_ != none) consider(set_up_at_);
    if (!test_.empty()) consider(test_.front().ready_at);
    consider(fetcher_.next_event(now()));
    return next;
}

std::string Raster::unfinished() const {
    std::string text;
    const auto say = [&](bool condition, const std::string& what) {
        if (condition) text += (text.empty() ? "" : ", ") + what;
    };
    say(pass_active_, "pass " + std::to_string(pass_) + " under way");
    say(!test_.empty(), std::to_string(test_.size()) + " quads in the early depth test");
    say(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " lines awaited");
    say(!distribution_.complete(), "credits of fragment queues missing");
    return text;
}

}  // namespace models

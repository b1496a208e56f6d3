#include "models/pipeline/tiled_front_end.h"

#include <algorithm>

#include "models/base/laws.h"
#include "models/workload/surface_blocks.h"

namespace models {

using engine::never;
using engine::Time;

namespace {

constexpr std::size_t tiles_ahead = 4;  // of those with tile buffers, for the fetchers to work on

}  // namespace

TiledFrontEnd::TiledFrontEnd(const engine::CounterScope& scope, int index, const Shape& shape, const Workload& workload,
                             MemoryPort& memory, int cache_part, int depth_part)
    : quads(scope),
      tiles(scope, "tiles", "1", "tiles rendered"),
      hidden_surface_quads(scope, "hidden_surface_quads", "1",
                           "quads rasterised by the pass that finds hidden surfaces"),
      hidden_surface_cycles(scope, "hidden_surface_cycles", "cycle",
                            "cycles of the pass that finds hidden surfaces: its quads' and at least one a primitive"),
      depth_lines_loaded(scope, "depth_lines_loaded", "1", "lines of old depths read"),
      workload_(workload),
      memory_(&memory),
      depth_part_(depth_part),
      hides_(shape.rendering == Rendering::tiled_hidden_surface_removal),
      deals_by_position_(shape.raster.distribution() == DistributionPolicy::position),
      quads_per_cycle_(static_cast<std::uint32_t>(shape.raster.quads_per_cycle())),
      quads_in_test_(static_cast<std::uint32_t>(shape.raster.early_depth_quads())),
      hidden_quads_per_cycle_(static_cast<std::uint32_t>(shape.raster.hidden_surface_quads_per_cycle())),
      period_(shape.period),
      test_latency_(shape.raster.early_depth_latency.count() * period_),
      load_delay_(shape.tile_cache.latency.count() * period_),
      jobs_(static_cast<std::size_t>(shape.tile_buffers) + tiles_ahead),
      buffer_free_(static_cast<std::size_t>(shape.tile_buffers), 1),
      test_(std::size_t{quads_in_test_} + 1),
      depth_blocks_(buffer_free_.size()),
      rasteriser_(scope, shape.raster, workload, period_),
      cache_({scope.list, {"tile_cache", index}}, shape.tile_cache.shape(period_),
             {memory, cache_part, MemoryClient::tile_lists}),
      fetcher_(scope, "", 0, shape.tiling, workload, cache_),
      hidden_fetcher_(scope, "hidden_surface_", 1, shape.tiling, workload, cache_),
      time(scope,
           {{{"waits_tiles", Activity::starved, shape.fed_by},
             {"idle", Activity::starved, frame_done},
             {"waits_passes", Activity::starved, "colour"},
             {"busy", Activity::busy},
             {"set_up", Activity::busy},
             {"waits_fetch", Activity::starved, memory.answered_by()},
             {"waits_hidden_surfaces", Activity::starved, scope.kind()},
             {"waits_tile_buffer", Activity::blocked, "colour"},
             {"waits_old_depths", Activity::starved, memory.answered_by()},
             {"waits_cores", Activity::blocked, "fragment_processor"}}},
           period_) {}

void TiledFrontEnd::begin_frame(Time now) {
    time.enter(now, State::tiles_awaited);
    cached_pass_ = none;
}

void TiledFrontEnd::push(std::uint32_t pass, std::uint32_t tile, bool last_of_pass) {
    TileJob pushed;
    pushed.pass = pass;
    pushed.tile = tile;
    pushed.last_of_pass = last_of_pass ? 1 : 0;
    pushed.frame_tile = workload_.frame().passes[pass].first_tile + tile;
    jobs_.push(pushed);
}

// Gives the fetcher its next tile. The lines of a parameter buffer that the cache holds are those of two passes before.
bool TiledFrontEnd::feed(TileFetcher& fetcher, std::uint32_t& next) {
    if (next == jobs_.end_number() || !fetcher.wants_tile()) return false;
    const TileJob& tile = job(next++);
    if (cached_pass_ == none || tile.pass > cached_pass_) {
        cached_pass_ = tile.pass;
        const PolygonLists& lists = workload_.lists(tile.pass);
        const auto first = static_cast<BlockNumber>(lists.records.front() / block_bytes);
        const auto count = static_cast<BlockNumber>(lists.bytes / block_bytes);
        cache_.invalidate_range(first, count);
    }
    fetcher.begin_tile(tile.pass, tile.tile);
    return true;
}

// Gives the next tile a tile buffer, if there is one.
bool TiledFrontEnd::open_next() {
    if (opened_ == jobs_.end_number()) return false;
    const auto free = std::find(buffer_free_.begin(), buffer_free_.end(), 1);
    if (free == buffer_free_.end()) return false;
    *free = 0;
    TileJob& tile = job(opened_++);
    tile.buffer = static_cast<std::uint32_t>(free - buffer_free_.begin());
    std::vector<BlockNumber>& blocks = depth_blocks_[tile.buffer];
    blocks.clear();
    const Pass& pass = workload_.frame().passes[tile.pass];
    if (pass.depth_load) SurfaceBlocks(pass.depth).append(tile.tile % pass.tiles_x, tile.tile / pass.tiles_x, blocks);
    tile.loads = static_cast<std::uint32_t>(blocks.size());
    if (tile.loads > 0) ++loading_;
    return true;
}

// One line of old depths a cycle, for the first open tile that needs some.
bool TiledFrontEnd::load_depths(Time now) {
    for (std::uint32_t number = jobs_.first_number(); number != opened_; ++number) {
        TileJob& tile = job(number);
        if (tile.loads_sent == tile.loads) continue;
        MemoryRequest request;
        request.block = depth_blocks_[tile.buffer][tile.loads_sent];
        request.tag = RequestTag::of(depth_part_, tile.buffer);
        request.client = MemoryClient::depth;
        request.attribution.tile = tile.frame_tile;
        if (!memory_->can_send(request.block)) return false;
        memory_->send(now, request, load_delay_);
        if (++tile.loads_sent == tile.loads) --loading_;
        ++depth_lines_loaded;
        return true;
    }
    return false;
}

// The hidden-surface pass: at most one tile ahead of the one that is rasterised, as there are two depth buffers.
bool TiledFrontEnd::find_hidden(Time now) {
    if (hidden_free_at_ > now) return false;
    if (!in_hidden_tile_) {
        if (hidden_ == jobs_.end_number() || hidden_ - rasterised_ > 1) return false;
        const TileJob& tile = job(hidden_);
        const Pass& pass = workload_.frame().passes[tile.pass];
        if (pass.depth_load && (tile.buffer == none || tile.loads_done < tile.loads)) return false;
        in_hidden_tile_ = true;
        return true;
    }
    if (hidden_fetcher_.is_empty() || !hidden_fetcher_.front().is_ready(now)) return false;
    const TileFetcher::Item& item = hidden_fetcher_.front();
    const Frame& frame = workload_.frame();
    if (item.ends_tile()) {
        job(hidden_++).hidden_done = 1;
        in_hidden_tile_ = false;
    } else {
        std::uint32_t cycles = 1;
        if (workload_.quads().hides(frame.primitives[item.primitive].draw)) {
            const std::uint32_t count = item.quads_end - item.first_quad;
            hidden_surface_quads += count;
            cycles = std::max(1U, (count + hidden_quads_per_cycle_ - 1) / hidden_quads_per_cycle_);
        }
        hidden_surface_cycles += cycles;
        hidden_free_at_ = now + cycles * period_;
    }
    hidden_fetcher_.pop();
    return true;
}

bool TiledFrontEnd::begin_tile() {
    if (in_tile_ || rasterised_ == opened_) return false;
    const TileJob& tile = job(rasterised_);
    if (tile.loads_done < tile.loads || (hides_ && tile.hidden_done == 0)) return false;
    in_tile_ = true;
    return true;
}

// The next of what the fetcher has read: a primitive is set up, or the tile ends.
bool TiledFrontEnd::take_item(Time now) {
    if (!in_tile_ || fetcher_.is_empty() || !rasteriser_.can_set_up()) return false;
    const TileFetcher::Item& item = fetcher_.front();
    if (!item.is_ready(now)) return false;
    if (item.ends_tile()) {
        if (rasteriser_.is_emitting() || test_.full()) return false;
        test_.push({now + test_latency_, none, none});
        in_tile_ = false;
        ++rasterised_;
    } else {
        rasteriser_.set_up(now, item.primitive, {item.first_quad, item.quads_end});
    }
    fetcher_.pop();
    return true;
}

Dispatch::Place TiledFrontEnd::place(std::uint32_t number, const TileJob& tile) const {
    if (!deals_by_position_) return {tile.frame_tile, tile.buffer, 0, 0};
    const Quad& quad = workload_.frame().quads[number];
    const Pass& pass = workload_.frame().passes[tile.pass];
    return {tile.frame_tile, tile.buffer, tile.tile % pass.tiles_x * quads_across_tile + quad.x,
            tile.tile / pass.tiles_x * quads_across_tile + quad.y};
}

void TiledFrontEnd::on_tile_line(Time now, RequestTag tag) {
    for (const std::uint32_t waiter : cache_.fill(now, tag))
        (fetcher_.owns(waiter) ? fetcher_ : hidden_fetcher_).fill(waiter);
}

void TiledFrontEnd::on_depth_line(RequestTag tag) {
    for (std::uint32_t number = jobs_.first_number(); number != opened_; ++number)
        if (job(number).buffer == tag.entry) ++job(number).loads_done;
}

void TiledFrontEnd::retry() {
    fetcher_.retry();
    hidden_fetcher_.retry();
}

TiledFrontEnd::State TiledFrontEnd::state(Time now, bool emitted, bool refused) const {
    if (emitted) return State::busy;
    if (refused) return State::cores;
    if (jobs_.empty()) return without_tiles();
    if (rasteriser_.is_emitting()) return State::busy;
    if (rasteriser_.is_setting_up()) return State::set_up;
    if (in_tile_) return State::fetching;
    if (rasterised_ == jobs_.end_number()) return test_.empty() ? without_tiles() : State::busy;
    return of_next_tile(now);
}

TiledFrontEnd::State TiledFrontEnd::without_tiles() const {
    return coming_ == Coming::tiles  ? State::tiles_awaited
           : coming_ == Coming::held ? State::passes_awaited
                                     : State::idle;
}

// Why it is not begun. The hidden-surface pass, which has to be through with it, may wait itself.
TiledFrontEnd::State TiledFrontEnd::of_next_tile(Time now) const {
    const TileJob& tile = jobs_.numbered(rasterised_);
    if (tile.buffer == none) return State::tile_buffer;
    if (tile.loads_done < tile.loads) return State::old_depths;
    if (!hides_ || tile.hidden_done != 0) return State::set_up;  // in the next cycle
    const bool has_item = !hidden_fetcher_.is_empty() && hidden_fetcher_.front().is_ready(now);
    return in_hidden_tile_ && hidden_free_at_ <= now && !has_item ? State::fetching : State::hidden_surfaces;
}

Time TiledFrontEnd::next_step(Time now, bool active) const {
    if (active) return now + period_;
    Time next = std::min(rasteriser_.next_event(now), next_of_others(now));
    if (!test_.empty() && test_.front().ready_at > now) next = std::min(next, test_.front().ready_at);
    return next;
}

// Fetchers and hidden surfaces.
Time TiledFrontEnd::next_of_others(Time now) const {
    Time next = never;
    const auto consider = [&](Time t) {
        if (t > now) next = std::min(next, t);
    };
    consider(fetcher_.next_event(now));
    if (hides_) {
        consider(hidden_free_at_);
        consider(hidden_fetcher_.next_event(now));
    }
    return next;
}

void TiledFrontEnd::add_laws(Laws& laws, const std::string& name) const {
    quads.add_laws(laws, name, rasteriser_.quads_rasterised);
    laws.equal(name + ": primitives read for tiles = primitives set up", {fetcher_.primitives},
               {rasteriser_.primitives_set_up});
    cache_.add_laws(laws, name + "'s tile cache");
    time.add_laws(laws, name);
}

void TiledFrontEnd::serialize(engine::Archive& archive) {
    archive(jobs_, coming_, buffer_free_, opened_, loading_, fetched_, rasterised_, in_tile_, rasteriser_, test_,
            tested_, cached_pass_, hidden_fetched_, hidden_, in_hidden_tile_, hidden_free_at_, depth_blocks_, cache_,
            fetcher_, hidden_fetcher_, time);
}

}  // namespace models

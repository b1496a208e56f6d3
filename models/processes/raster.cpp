#include "models/processes/raster.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"
#include "models/base/unfinished.h"

namespace models {

using engine::Time;

namespace {

constexpr int cache_part = 0, depth_part = 1;
constexpr std::uint32_t passes_in_flight = 32;  // begun and not yet stored

}  // namespace

Raster::Raster(const Shape& shape, const Workload& workload)
    : Clocked("raster", -1, shape.front_end.period),
      workload_(workload),
      hop_(shape.hop),
      interpolation_(shape.front_end.raster.interpolation_latency.count() * period()),
      taken(this, "taken", shape.dispatch.cores, engine::handler<&Raster::on_taken>),
      prefetched(this, "prefetched", shape.clusters, engine::handler<&Raster::on_prefetched>),
      replies(this, "replies", engine::handler<&Raster::on_reply>),
      freed(this, "freed", hop_),
      quads(this, "quads", shape.dispatch.warp_quads == 1 ? shape.dispatch.cores : 0, interpolation_),
      warps(this, "warps", shape.dispatch.warp_quads == 1 ? 0 : shape.dispatch.cores, interpolation_),
      prefetches(this, "prefetches", shape.clusters, hop_),
      starts(this, "starts", hop_),
      ends(this, "ends", hop_),
      skipped(this, "skipped", hop_),
      memory(this, shape.memory, shape.front_end.tile_cache.latency.count() * period()),
      front_end_(&counters(), -1, shape.front_end, workload, memory, cache_part, depth_part),
      dispatch_(&counters(), shape.front_end.raster, shape.dispatch),
      access_(make_access_processor({&counters(), {"access_processor", -1}}, shape.access, workload)) {}

void Raster::begin_frame() {
    ready_passes_ = stored_ = pass_ = tile_ = 0;
    front_end_.begin_frame(now());
}

void Raster::on_pass(const PassReady& message) {
    assert(message.pass == ready_passes_);
    ready_passes_ = message.pass + 1;
}

void Raster::on_taken(const QuadsTaken& message, int core) {
    dispatch_.give_back(core, message.count);
}

void Raster::on_reply(const MemoryReply& reply) {
    if (memory.take_reply(now(), reply)) {
        if (reply.tag.part == depth_part)
            front_end_.on_depth_line(reply.tag);
        else
            front_end_.on_tile_line(now(), reply.tag);
    }
    front_end_.retry();
}

Time Raster::step() {
    if (access_) access_->step(*this);
    const bool fed = feed();
    dispatch_.send_forming(now(), false, *this);
    const auto goes_on_at = [&](Time t) {
        return !fed && t < dispatch_.next_timeout(now()) && !(access_ && access_->has_work()) && go_on_at(t);
    };
    const Time next = front_end_.step(now(), *this, goes_on_at);
    return std::min({fed || (access_ && access_->has_work()) ? now() + period() : engine::never, next,
                     std::max(dispatch_.next_timeout(now()), now() + period())});
}

// One tile of the pass whose turn it is. True if there may be more.
bool Raster::feed() {
    const bool held = pass_ < ready_passes_ &&
                      (stored_ < workload_.order().stored_before(pass_) || pass_ - stored_ >= passes_in_flight);
    front_end_.set_coming(pass_ == workload_.passes() ? TiledFrontEnd::Coming::nothing
                          : held                      ? TiledFrontEnd::Coming::held
                                                      : TiledFrontEnd::Coming::tiles);
    if (!front_end_.has_room() || pass_ == ready_passes_ || held) return false;
    const std::vector<std::uint32_t>& order = workload_.lists(pass_).order;
    if (order.empty()) {  // nothing to render; what is told of passes is told in their order
        if (!front_end_.is_idle()) return false;
        freed.send({pass_}, hop_);
        skipped.send({pass_}, hop_);
        ++passes;
        ++pass_;
        return true;
    }
    const bool last = tile_ + 1 == order.size();
    front_end_.push(pass_, order[tile_++], last);
    if (last) {
        tile_ = 0;
        ++passes;
        ++pass_;
    }
    return true;
}

void Raster::open_tile(const TiledFrontEnd::TileJob& tile) {
    starts.send(
        {tile.pass, tile.tile, static_cast<std::uint16_t>(tile.buffer), static_cast<std::uint16_t>(tile.last_of_pass)},
        hop_);
}

bool Raster::end_tile(const TiledFrontEnd::TileJob& tile) {
    if (!dispatch_.send_forming(now(), true, *this)) return false;
    ends.send({tile.quads_taken, tile.buffer}, hop_);
    if (tile.last_of_pass != 0) freed.send({tile.pass}, hop_);
    return true;
}

void Raster::send_warp(int core, const FormedWarp& warp) {
    if (access_) access_->take(warp, core);
    if (quads.size() > 0)
        quads[core].send({warp.quads[0], warp.buffer}, interpolation_);
    else
        warps[core].send(message_of(warp), interpolation_);
}

std::string Raster::unfinished() const {
    Unfinished work;
    work.add_if(pass_ < ready_passes_, "pass " + std::to_string(pass_) + " waits for earlier ones");
    work.add_if(!front_end_.is_idle(), "tiles under way");
    work.add_if(!dispatch_.is_complete(), "credits of cores missing");
    work.add_if(access_ && !access_->is_idle(), "blocks to be fetched ahead");
    work.add_if(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " lines awaited");
    return work.text();
}

void Raster::add_laws(Laws& laws) const {
    front_end_.add_laws(laws, "raster");
    if (access_) access_->add_laws(laws);
    laws.equal("quads that go on to be shaded = quads handed to cores", {front_end_.quads.out},
               {dispatch_.quads_taken});
    Sum requested, answered{memory.replies};
    requested.add(memory.reads);
    requested.add(memory.writes);
    laws.equal("raster: requests to the L2 cache = answers", requested, answered);
    const Cache& cache = front_end_.cache();
    laws.equal("raster: lines requested = misses of the tile cache + old depths", requested,
               {cache.misses, cache.prefetches, front_end_.depth_lines_loaded});
}

void Raster::serialize(engine::Archive& archive) {
    archive(ready_passes_, stored_, pass_, tile_, memory, front_end_, dispatch_);
    if (access_) archive(*access_);
}

}  // namespace models

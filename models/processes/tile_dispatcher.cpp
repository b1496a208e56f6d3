#include "models/processes/tile_dispatcher.h"

#include <algorithm>

namespace models {

using engine::never;
using engine::Time;

TileDispatcher::TileDispatcher(const Shape& shape, const Workload& workload)
    : Clocked("tile_dispatcher", -1, shape.period),
      workload_(workload),
      hop_(shape.hop),
      room_of_all_(static_cast<std::uint32_t>(shape.tiles)),
      room_(static_cast<std::size_t>(shape.clusters), room_of_all_),
      rasterised(this, "rasterised", shape.clusters, engine::handler<&TileDispatcher::on_rasterised>),
      stored(this, "stored", shape.clusters, engine::handler<&TileDispatcher::on_stored>),
      freed(this, "freed", hop_),
      stored_for_geometry(this, "stored_for_geometry", hop_),
      tiles(this, "tiles", shape.clusters, hop_) {}

void TileDispatcher::on_rasterised(const TileRasterised& message, int cluster) {
    ++room_[static_cast<std::size_t>(cluster)];
    rasterising_.store_tile(message.pass);
}

Time TileDispatcher::step() {
    const bool active = begin_pass() || give_tile();
    tell_passes();
    return active ? now() + period() : never;
}

bool TileDispatcher::begin_pass() {
    if (pass_begun_ || pass_ == ready_passes_ || stored_ < workload_.order().stored_before(pass_) ||
        rasterising_.is_full() || storing_.is_full())
        return false;
    rasterising_.begin_pass(pass_);
    storing_.begin_pass(pass_);
    pass_begun_ = true;
    return true;
}

bool TileDispatcher::give_tile() {
    if (!pass_begun_) return false;
    const std::vector<std::uint32_t>& order = workload_.lists(pass_).order;
    if (tile_ < order.size()) {
        const int cluster = choose();
        if (cluster < 0) return false;
        --room_[static_cast<std::size_t>(cluster)];
        turn_ = static_cast<std::size_t>(cluster) + 1 < room_.size() ? static_cast<std::size_t>(cluster) + 1 : 0;
        tiles[cluster].send({pass_, order[tile_++]}, hop_);
        ++tiles_given;
        rasterising_.begin_tile(pass_);
        storing_.begin_tile(pass_);
    }
    if (tile_ < order.size()) return true;
    rasterising_.end_pass(pass_);
    storing_.end_pass(pass_);
    tile_ = 0;
    pass_begun_ = false;
    ++pass_;
    ++passes;
    return true;
}

int TileDispatcher::choose() const {
    int best = -1;
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < room_.size() && most < room_of_all_; ++i) {
        const std::size_t cluster = turn_ + i < room_.size() ? turn_ + i : turn_ + i - room_.size();
        if (room_[cluster] <= most) continue;
        best = static_cast<int>(cluster);
        most = room_[cluster];
    }
    return best;
}

void TileDispatcher::tell_passes() {
    for (std::uint32_t pass = 0; rasterising_.take_stored(pass);) freed.send({pass}, hop_);
    for (std::uint32_t pass = 0; storing_.take_stored(pass);) {
        stored_ = pass + 1;
        stored_for_geometry.send({pass}, hop_);
        wake_at(now() + period());  // another pass may have waited for it
    }
}

std::string TileDispatcher::unfinished() const {
    if (pass_ < ready_passes_) return "pass " + std::to_string(pass_) + " is not given whole";
    return storing_.is_empty() ? "" : "tiles are not stored";
}

void TileDispatcher::serialize(engine::Archive& archive) {
    archive(ready_passes_, stored_, pass_, tile_, pass_begun_, room_, turn_, rasterising_, storing_);
}

}  // namespace models

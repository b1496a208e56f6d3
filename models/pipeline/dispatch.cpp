#include "models/pipeline/dispatch.h"

#include <algorithm>
#include <cassert>

namespace models {

ShadeWarp message_of(const FormedWarp& warp) {
    ShadeWarp message;
    message.first = warp.quads[0];
    message.tile = warp.tile;
    message.count = static_cast<std::uint8_t>(warp.count);
    message.buffer = static_cast<std::uint8_t>(warp.buffer);
    for (std::uint32_t i = 1; i < warp.count; ++i)
        message.distance[i - 1] = static_cast<std::int16_t>(std::int64_t{warp.quads[i]} - warp.quads[0]);
    return message;
}

Dispatch::Dispatch(const engine::CounterScope& scope, const RasterParameters& parameters, const Shape& shape)
    : quads_taken(scope, "quads_out", "1", "quads handed to cores"),
      warps_sent(scope, "warps_out", "1", "warps handed to cores"),
      waits_for_core(scope, "waits_for_core", "1", "quads and warps that found no room in a core's queue"),
      policy_(parameters.distribution()),
      warp_quads_(static_cast<std::uint32_t>(shape.warp_quads)),
      timeout_(parameters.warp_timeout.count() * shape.period),
      across_(1) {
    assert(warp_quads_ <= FormedWarp::most);
    for (int i = 0; i < shape.cores; ++i) entries_.push_back(share_of(shape.entries, shape.cores, i));
    credits_ = entries_;
    const auto count = static_cast<std::uint32_t>(shape.cores);
    for (std::uint32_t a = 1; a * a <= count; ++a)
        if (count % a == 0) across_ = a;
    down_ = count / across_;
    const bool deals_warps = policy_ == DistributionPolicy::round_robin || policy_ == DistributionPolicy::least_loaded;
    forming_.resize(deals_warps ? 1 : credits_.size());
}

std::size_t Dispatch::former_of(const Place& place) const {
    switch (policy_) {
        case DistributionPolicy::position:
            return place.y % down_ * across_ + place.x % across_;
        case DistributionPolicy::tile:
            return place.tile % credits_.size();
        case DistributionPolicy::quad_round_robin: {
            std::size_t core = turn_;
            do {
                if (credits_[core] > static_cast<int>(forming_[core].count)) return core;
                core = behind(core);
            } while (core != turn_);
            return core;  // which it waits for
        }
        case DistributionPolicy::round_robin:
        case DistributionPolicy::least_loaded:
            break;
    }
    return 0;
}

// The core for a warp of so many quads; -1 if it has to wait.
int Dispatch::choose(std::size_t former, std::uint32_t quads) const {
    const auto needed = static_cast<int>(quads);
    if (forming_.size() > 1 || credits_.size() == 1) return credits_[former] >= needed ? static_cast<int>(former) : -1;
    int best = -1, most = needed - 1;
    for (std::size_t i = 0; i < credits_.size(); ++i) {
        const std::size_t core = turn_ + i < credits_.size() ? turn_ + i : turn_ + i - credits_.size();
        if (credits_[core] <= most) continue;
        best = static_cast<int>(core);
        most = credits_[core];
        if (policy_ == DistributionPolicy::round_robin || most == entries_.front()) break;
    }
    return best;
}

engine::Time Dispatch::next_timeout(engine::Time now) const {
    if (open_ == 0) return engine::never;
    engine::Time next = engine::never;
    for (const FormedWarp& warp : forming_)
        if (warp.count > 0 && warp.count < warp_quads_ && warp.since + timeout_ > now)
            next = std::min(next, warp.since + timeout_);
    return next;
}

void Dispatch::give_back(int core, std::uint32_t quads) {
    const auto i = static_cast<std::size_t>(core);
    credits_[i] += static_cast<int>(quads);
    assert(credits_[i] <= entries_[i]);
}

void Dispatch::serialize(engine::Archive& archive) {
    archive(credits_, forming_, open_, waiting_, turn_);
}

}  // namespace models

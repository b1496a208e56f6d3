#include "models/pipeline/rasteriser.h"

#include <algorithm>
#include <cassert>

namespace models {

using engine::Time;

Rasteriser::Rasteriser(const engine::CounterScope& scope, const RasterParameters& parameters, const Workload& workload,
                       Time period)
    : primitives_set_up(scope, "primitives", "1", "primitives set up, once for each tile in tile-based rendering"),
      quads_rasterised(scope, "quads", "1", "quads rasterised"),
      workload_(workload),
      per_quad_(parameters.interpolation() == Interpolation::per_quad),
      attributes_per_cycle_(static_cast<std::uint32_t>(parameters.attributes_per_cycle())),
      quads_per_cycle_(static_cast<std::uint32_t>(parameters.quads_per_cycle())),
      period_(period) {}

void Rasteriser::set_up(Time now, std::uint32_t primitive, Quads quads) {
    assert(can_set_up());
    setting_up_ = primitive;
    next_quads_ = quads;
    set_up_at_ = now + (per_quad_ ? period_ : attribute_time(primitive));
    ++primitives_set_up;
}

std::uint32_t Rasteriser::attributes(std::uint32_t primitive) const {
    const Frame& frame = workload_.frame();
    return frame.draws[frame.primitives[primitive].draw].varying_count;
}

Time Rasteriser::attribute_time(std::uint32_t primitive) const {
    return std::max(1U, (attributes(primitive) + attributes_per_cycle_ - 1) / attributes_per_cycle_) * period_;
}

Time Rasteriser::next_event(Time now) const {
    Time next = engine::never;
    if (setting_up_ != none && set_up_at_ > now) next = set_up_at_;
    if (emitting_ != none && emit_at_ > now) next = std::min(next, emit_at_);
    return next;
}

void Rasteriser::serialize(engine::Archive& archive) {
    archive(setting_up_, emitting_, next_quads_.next, next_quads_.end, quads_.next, quads_.end, set_up_at_, emit_at_);
}

}  // namespace models

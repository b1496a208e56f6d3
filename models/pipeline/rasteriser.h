// The rasteriser: sets primitives up, one after the other, and turns each into its quads. While the quads of one come
// out the next is set up, so no cycle is lost between them. A component: its host says which quads a primitive has, as
// a range of positions in a list of the host's, and takes them one by one.
//
// With attributes interpolated by the quad as many quads leave in a cycle as have all theirs in it; one that has more
// than a cycle's takes whole cycles.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/archive.h"
#include "engine/counter.h"
#include "models/pipeline/raster_parameters.h"
#include "models/workload/workload.h"

namespace models {

class Rasteriser {
  public:
    struct Quads {
        std::uint32_t next = 0, end = 0;
        bool empty() const { return next == end; }
    };
    Rasteriser(const engine::CounterScope& scope, const RasterParameters& parameters, const Workload& workload,
               engine::Time period);

    bool can_set_up() const { return setting_up_ == none; }
    void set_up(engine::Time now, std::uint32_t primitive, Quads quads);

    bool is_setting_up() const { return setting_up_ != none; }
    bool is_emitting() const { return emitting_ != none; }
    std::uint32_t emitting() const { return emitting_; }  // primitive
    bool is_idle() const { return setting_up_ == none && emitting_ == none; }

    // One cycle. `accept(position)` takes a quad, or is false: not now. True if something happened.
    template <class Accept>
    bool step(engine::Time now, Accept&& accept) {
        bool moved = false;
        std::uint32_t attributes_left = attributes_per_cycle_;  // where every quad takes its own
        for (std::uint32_t i = 0; i < quads_per_cycle_;) {
            if (emitting_ == none) {
                if (setting_up_ == none || set_up_at_ > now) return moved;
                emitting_ = setting_up_;
                quads_ = next_quads_;
                setting_up_ = none;
                moved = true;
            }
            if (!quads_.empty()) {
                const std::uint32_t wanted = per_quad_ ? attributes(emitting_) : 0;
                if (emit_at_ > now || (i > 0 && wanted > attributes_left) || !accept(quads_.next)) return moved;
                ++quads_.next;
                ++quads_rasterised;
                attributes_left -= std::min(wanted, attributes_left);
                if (wanted > attributes_per_cycle_) emit_at_ = now + attribute_time(emitting_);
                moved = true;
                ++i;
            }
            if (quads_.empty()) emitting_ = none;
        }
        return moved;
    }
    // The next time after now at which it can go on by itself, or never.
    engine::Time next_event(engine::Time now) const;

    void serialize(engine::Archive& archive);

    engine::Counter primitives_set_up, quads_rasterised;

  private:
    std::uint32_t attributes(std::uint32_t primitive) const;
    engine::Time attribute_time(std::uint32_t primitive) const;

    // Shape.
    const Workload& workload_;
    bool per_quad_;
    std::uint32_t attributes_per_cycle_, quads_per_cycle_;
    engine::Time period_;

    // State.
    std::uint32_t setting_up_ = none, emitting_ = none;  // primitives
    Quads next_quads_, quads_;                           // of them
    engine::Time set_up_at_ = 0, emit_at_ = 0;
};

}  // namespace models

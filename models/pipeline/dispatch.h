// Dispatch: packs the quads that passed the early depth test into warps, and gives the warps to cores. A component; its
// sink sends them: `send_warp(core, warp)`.
//
// A warp takes quads of one program and one tile, in the order in which they come, until it is full, has waited for
// raster.warp_timeout, or the tile ends. Credits stand for the entries of the cores' queues, in quads.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "engine/archive.h"
#include "engine/counter.h"
#include "engine/units.h"
#include "models/frame_trace/frame_trace.h"
#include "models/pipeline/raster_parameters.h"
#include "models/workload/messages.h"

namespace models {

// Of so many entries that are shared out: those of one of the sharers. Where they cannot be equal, the first ones get
// one more.
constexpr int share_of(int entries, int sharers, int index) {
    return entries / sharers + (index < entries % sharers ? 1 : 0);
}

// Quads that are shaded together.
struct FormedWarp {
    static constexpr std::size_t most = ShadeWarp::most;
    std::uint32_t tile = 0;     // in Frame::tiles
    std::uint32_t program = 0;  // in FrameTrace::programs
    std::uint32_t count = 0;
    std::uint32_t buffer = 0;                    // tile buffer
    std::uint32_t has_waited = 0, spare = 0;     // it found no room
    engine::Time since = 0;                      // when its first quad came
    std::array<std::uint32_t, most> quads = {};  // in Frame::quads
};

// How a core is told of it.
ShadeWarp message_of(const FormedWarp& warp);

class Dispatch {
  public:
    struct Shape {
        int cores, warp_quads;
        int entries;  // of all cores' queues
        engine::Time period;
    };
    Dispatch(const engine::CounterScope& scope, const RasterParameters& parameters, const Shape& shape);

    struct Place {
        std::uint32_t tile, buffer;  // as in FormedWarp
        std::uint32_t x, y;          // on the screen, in squares of quads that one core gets all of
    };
    // Takes a quad. False if it has to wait for a core.
    template <class Sink>
    bool take(engine::Time now, std::uint32_t quad, std::uint32_t program, const Place& place, Sink& sink) {
        const std::size_t former = former_of(place);
        FormedWarp& warp = forming_[former];
        const bool fits = warp.count > 0 && warp.count < warp_quads_ && warp.program == program &&
                          warp.tile == place.tile && are_near(quad, warp.quads[0]);
        if (warp.count > 0 && !fits && !send(former, sink)) return false;
        if (warp.count == 0 && !has_core(former)) {
            if (std::exchange(waiting_, quad) != quad) ++waits_for_core;
            return false;
        }
        if (warp.count == 0) {
            warp.has_waited = 0;
            warp.tile = place.tile;
            warp.program = program;
            warp.buffer = place.buffer;
            warp.since = now;
            ++open_;
        }
        warp.quads[warp.count++] = quad;
        ++quads_taken;
        if (policy_ == DistributionPolicy::quad_round_robin) turn_ = behind(former);
        if (warp.count == warp_quads_) send(former, sink);
        return true;
    }
    // Sends what forms: warps that waited too long, or all. True if none is left that should go.
    template <class Sink>
    bool send_forming(engine::Time now, bool all, Sink& sink) {
        if (open_ == 0) return true;
        bool sent_all = true;
        for (std::size_t former = 0; former < forming_.size(); ++former) {
            const FormedWarp& warp = forming_[former];
            const bool goes = warp.count > 0 && (all || warp.count == warp_quads_ || now - warp.since >= timeout_);
            if (goes && !send(former, sink)) sent_all = false;
        }
        return sent_all;
    }
    // When the next warp that forms will have waited for too long; never without one. One that has, or is full, waits
    // for a core to give something back.
    engine::Time next_timeout(engine::Time now) const;

    // A core has taken quads out of its queue.
    void give_back(int core, std::uint32_t quads);

    bool is_complete() const { return open_ == 0 && credits_ == entries_; }  // all credits are here

    void serialize(engine::Archive& archive);

    engine::Counter quads_taken, warps_sent, waits_for_core;

  private:
    static bool are_near(std::uint32_t a, std::uint32_t b) {
        return std::abs(std::int64_t{a} - b) <= ShadeWarp::most_distance;
    }
    std::size_t former_of(const Place& place) const;
    std::size_t behind(std::size_t core) const { return core + 1 < credits_.size() ? core + 1 : 0; }
    bool has_core(std::size_t former) const { return choose(former, 1) >= 0; }
    int choose(std::size_t former, std::uint32_t quads) const;

    template <class Sink>
    bool send(std::size_t former, Sink& sink) {
        FormedWarp& warp = forming_[former];
        const int core = choose(former, warp.count);
        if (core < 0) {
            if (std::exchange(warp.has_waited, 1) == 0) ++waits_for_core;
            return false;
        }
        credits_[static_cast<std::size_t>(core)] -= static_cast<int>(warp.count);
        if (policy_ != DistributionPolicy::quad_round_robin) turn_ = behind(static_cast<std::size_t>(core));
        sink.send_warp(core, warp);
        ++warps_sent;
        warp.count = 0;
        --open_;
        return true;
    }

    // Shape.
    DistributionPolicy policy_;
    std::uint32_t warp_quads_;
    engine::Time timeout_;
    std::uint32_t across_, down_;  // cores of a rectangle on the screen, for `position`

    // State.
    std::vector<int> entries_, credits_;  // by core
    std::vector<FormedWarp> forming_;     // one; by core where each quad is given to one
    std::uint32_t open_ = 0;              // of forming_, those with quads
    std::uint32_t waiting_ = none;        // the last quad that found no room
    std::size_t turn_ = 0;                // core to begin with
};

}  // namespace models

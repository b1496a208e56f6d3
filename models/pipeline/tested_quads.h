// Where quads go that have been through the early depth test: on to be shaded, or nowhere. Counters that a tile-based
// front end and an immediate one share.
#pragma once

#include "engine/counter.h"
#include "models/base/laws.h"
#include "models/workload/workload.h"

namespace models {

struct TestedQuads {
    explicit TestedQuads(const engine::CounterScope& scope)
        : killed(scope, "quads_killed", "1", "quads that are not shaded as all their lanes are hidden"),
          depth_only(scope, "quads_depth_only", "1",
                     "quads, hidden or not, of draws of which depth is all that is drawn: none is shaded"),
          out(scope, "quads_shaded", "1", "quads that go on to be shaded") {}

    // One that no lane of is shaded.
    void end(const Workload& workload, std::uint32_t quad) {
        ++(is_depth_only(workload.draw_of(quad)) ? depth_only : killed);
    }
    void add_laws(Laws& laws, const std::string& name, const engine::Counter& rasterised) const {
        laws.equal(name + ": quads rasterised = quads killed + quads of depth alone + quads shaded", {rasterised},
                   {killed, depth_only, out});
    }

    engine::Counter killed, depth_only, out;
};

}  // namespace models

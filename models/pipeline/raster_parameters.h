// Parameters of rasterisation: the front end that turns primitives into quads, and their way to the cores.
#pragma once

#include "models/base/clocks.h"

namespace models {

enum class Interpolation : std::uint8_t { per_primitive, per_quad };
enum class DistributionPolicy : std::uint8_t { round_robin, quad_round_robin, position, least_loaded, tile };

struct RasterParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> attributes_per_cycle{
        this, "attributes_per_cycle", 1, {1, 64}, "attributes set up or interpolated per cycle", "paper 004, Table I"};
    Choice<Interpolation> interpolation{
        this,
        "interpolation",
        {{"per_primitive", Interpolation::per_primitive}, {"per_quad", Interpolation::per_quad}},
        Interpolation::per_primitive,
        "what attributes_per_cycle limits: the set-up of a primitive, or every quad of it",
        "paper 004, Table I says \"1 attribute/cycle\"; section II-B can be read either way"};
    Parameter<int> quads_per_cycle{
        this, "quads_per_cycle", 1, {1, 16}, "quads rasterised, tested and handed out per cycle", "design"};
    Parameter<int> early_depth_quads{
        this, "early_depth_quads", 8, {1, 1024}, "quads in flight in the early depth test", "paper 004, Table I"};
    Parameter<Cycles> early_depth_latency{this,
                                          "early_depth_latency",
                                          {4},
                                          {{1}, {64}},
                                          "cycles of the early depth test of a quad, the depth buffer's one included",
                                          "design; depth buffer 1 cycle: paper 004, Table I"};
    Parameter<int> hidden_surface_quads_per_cycle{this,
                                                  "hidden_surface_quads_per_cycle",
                                                  1,
                                                  {1, 64},
                                                  "quads rasterised and tested per cycle by the pass that finds hidden "
                                                  "surfaces one tile ahead",
                                                  "paper 004, section II-C: a second rasteriser and depth test"};
    Choice<DistributionPolicy> distribution{
        this,
        "distribution",
        {{"round_robin", DistributionPolicy::round_robin},
         {"quad_round_robin", DistributionPolicy::quad_round_robin},
         {"position", DistributionPolicy::position},
         {"least_loaded", DistributionPolicy::least_loaded},
         {"tile", DistributionPolicy::tile}},
        DistributionPolicy::round_robin,
        "which core gets a warp: the next with room, a fixed one for each place on the screen, the one with most room, "
        "or one for all of a tile; quad_round_robin: a warp forms for every core, of the quads that it gets in turn",
        "design"};
    Parameter<Cycles> warp_timeout{this,
                                   "warp_timeout",
                                   {16},
                                   {{0}, {10'000}},
                                   "cycles after which a warp that is not full goes all the same",
                                   "design: a few primitives' worth"};
    Parameter<Cycles> interpolation_latency{this,
                                            "interpolation_latency",
                                            {6},
                                            {{1}, {64}},
                                            "cycles from the choice of a core to the warp's departure: interpolation "
                                            "of its attributes, forming of the warp",
                                            "design"};
    Parameter<int> fragment_queue{this,
                                  "fragment_queue",
                                  64,
                                  {1, 65536},
                                  "entries (quads) between raster and cores, shared out among the cores as equally as "
                                  "can be",
                                  "paper 004, Table I (233 bytes an entry)"};
};

}  // namespace models

// Parameters of blending, of the tile buffers and of their way to memory.
#pragma once

#include "models/base/clocks.h"

namespace models {

enum class Flush : std::uint8_t { dram, l2 };
enum class Resolve : std::uint8_t { memory, on_chip };

struct ColourParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> queue{this,
                         "queue",
                         64,
                         {1, 65536},
                         "entries (quads) between cores and blending, shared out among the cores as equally as can be",
                         "paper 004, Table I (24 bytes an entry)"};
    Parameter<int> quads_per_cycle{this, "quads_per_cycle", 1, {1, 32}, "quads blended per cycle", "design"};
    Parameter<Cycles> latency{this,
                              "latency",
                              {1},
                              {{1}, {64}},
                              "cycles from a quad's blending until the next at its place that reads the old colour",
                              "paper 004, Table I: colour buffer 1 cycle"};
    Parameter<Cycles> late_depth{this,
                                 "late_depth",
                                 {1},
                                 {{0}, {64}},
                                 "cycles that a depth test after shading takes of the unit",
                                 "design; depth buffer 1 cycle: paper 004, Table I"};
    Parameter<int> tile_buffers{
        this,
        "tile_buffers",
        2,
        {1, 16},
        "tiles that may be under way between raster and memory",
        "Mesa panfrost, pan_props.c: half of the tile buffer is usable when tiles are pipelined"};
    Choice<Flush> flush{this,
                        "flush",
                        {{"dram", Flush::dram}, {"l2", Flush::l2}},
                        Flush::dram,
                        "where a finished tile is written: past the L2 cache, or into it",
                        "paper 004, section II-B: the colour buffer is flushed into DRAM"};
    Parameter<Cycles> blend{this,
                            "blend",
                            {0},
                            {{0}, {64}},
                            "cycles that reading an old colour takes of the unit, beside those of writing",
                            "design: the tile buffer has a port for each"};
    Parameter<int> samples_per_cycle{this,
                                     "samples_per_cycle",
                                     4,
                                     {1, 16},
                                     "samples of a pixel blended per cycle",
                                     "Arm Valhall: four samples at full rate"};
    Choice<Resolve> resolve{
        this,
        "resolve",
        {{"memory", Resolve::memory}, {"on_chip", Resolve::on_chip}},
        Resolve::on_chip,
        "where the samples of a tile are brought together if that is all that the next pass does: in that pass, or in "
        "the tile buffer, so that they never go to memory",
        "design: EXT_multisampled_render_to_texture"};
    engine::Flag transaction_elimination{
        this, "transaction_elimination", false,
        "a tile whose colours have the hash of what was last stored in its place is not stored again",
        "Arm, Transaction Elimination; the papers' machines do not have it"};
};

}  // namespace models

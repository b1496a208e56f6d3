// Parameters of the texture unit.
#pragma once

#include "models/base/clocks.h"

namespace models {

struct TextureUnitParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> accesses{this,
                            "accesses",
                            16,
                            {1, 256},
                            "texture accesses of quads (or vertices) in the unit, from the core to the filter",
                            "design"};
    Parameter<Cycles> address_latency{this,
                                      "address_latency",
                                      {4},
                                      {{1}, {256}},
                                      "cycles from the core to the first lookup: level of detail and addresses",
                                      "design"};
    Parameter<int> blocks_per_cycle{
        this,
        "blocks_per_cycle",
        4,
        {1, 64},
        "lines looked up per cycle for one access; a bilinear quad touches up to 4, a trilinear one up to 8",
        "Arm Valhall performance guide: one bilinear quad a cycle, trilinear at half rate"};
    Parameter<int> samples_per_cycle{
        this,
        "samples_per_cycle",
        4,
        {1, 64},
        "bilinear samples filtered per cycle; a pixel needs one for each level of detail and slice of a volume",
        "Arm Valhall performance guide: 4 a cycle; trilinear, volumes at half rate, anisotropy N at 1/N"};
    Parameter<int> texel_bytes_per_cycle{
        this,
        "texel_bytes_per_cycle",
        4,
        {1, 64},
        "bytes of a texel that the filter takes per cycle; wider ones take several, compressed ones count as 4",
        "Arm Valhall performance guide: texels of more than 32 bits at half rate"};
    Parameter<Cycles> filter_latency{this,
                                     "filter_latency",
                                     {8},
                                     {{0}, {256}},
                                     "cycles from the filter's first cycle to the filtered colour in its register; "
                                     "an access that takes n cycles of it is there n - 1 later",
                                     "design"};
    Choice<bool> results_in_order{this,
                                  "results",
                                  {{"as_they_come", false}, {"in_order", true}},
                                  false,
                                  "accesses leave the unit as their lines come, or in the order in which they came",
                                  "design; in_order: Igehy et al. 1998, prefetching in a texture cache architecture"};
};

}  // namespace models

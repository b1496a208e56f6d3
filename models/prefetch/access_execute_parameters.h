// Parameters of decoupled access/execute (paper 000, section 3).
#pragma once

#include "models/base/clocks.h"

namespace models {

struct AccessExecuteParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    engine::Flag enabled{this, "enabled", false,
                         "blocks of textures and pixels are fetched while the quads that will access them wait for "
                         "their core",
                         "paper 000, section 3; the other papers' machines do not"};
    Parameter<int> queue{this,
                         "queue",
                         16,
                         {1, 256},
                         "entries (blocks) of the prefetch queue, from the address until the cache has looked for it",
                         "paper 000, Table 1 (40 bits an entry)"};
};

}  // namespace models

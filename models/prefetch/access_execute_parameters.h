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
    Parameter<int> source_bits{this,
                               "source_bits",
                               8,
                               {1, 32},
                               "low bits of a block's number that are compared with the entries of the queue, to find "
                               "another cache that may hold it",
                               "paper 000, section 3.4"};
    Choice<bool> source_window{this,
                               "source_window",
                               {{"all", true}, {"active", false}},
                               true,
                               "entries that are compared: all until they are written over, or those whose cache has "
                               "not looked yet",
                               "paper 000, section 3.4: a circular buffer whose inactive entries are not cleared"};
    engine::Flag remote_l1{this, "remote_l1", false,
                           "a block that is not there is asked of the other cache that is likely to hold it, which "
                           "passes the request on to the L2 cache if it does not",
                           "paper 000, section 3.4"};
};

}  // namespace models

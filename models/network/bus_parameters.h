// Parameters of the shared bus.
#pragma once

#include "models/base/clocks.h"

namespace models {

struct BusParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<Bytes> width{this,
                           "width",
                           {64},
                           {{1}, {1024}},
                           "bytes of data a cycle, each way; a message takes at least one cycle",
                           "design: the papers name no width; a line a cycle"};
};

}  // namespace models

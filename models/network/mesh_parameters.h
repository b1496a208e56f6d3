// Parameters of the two-dimensional mesh.
#pragma once

#include "models/base/clocks.h"
#include "models/network/placement.h"

namespace models {

struct MeshParameters : ParameterGroup {
    using ParameterGroup::ParameterGroup;
    Parameter<int> columns{this, "columns", 8, {1, 64}, "routers in a row", "design: a router for each of 32 cores"};
    Parameter<int> rows{this, "rows", 4, {1, 64}, "routers in a column", "design: a router for each of 32 cores"};
    Parameter<Bytes> link_width{
        this, "link_width", {16}, {{1}, {1024}}, "bytes of a flit, of which a link carries one a cycle", "design"};
    Parameter<Bytes> header{
        this, "header", {8}, {{1}, {64}}, "bytes of address and command, which travel before the data", "design"};
    Parameter<int> buffer{this,
                          "buffer",
                          4,
                          {1, 1024},
                          "flits that an input of a router has room for; with 1 a link carries one every other cycle",
                          "design"};
    Choice<Placement> placement{
        this,
        "placement",
        {{"spread", Placement::spread}, {"edge", Placement::edge}},
        Placement::spread,
        "where the L2 slices are: spread evenly over the routers, or at the left and right edge in turn, beside memory",
        "design"};
};

}  // namespace models

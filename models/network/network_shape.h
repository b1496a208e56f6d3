// What an interconnect is built of; widths in bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/units.h"
#include "models/network/placement.h"

namespace models {

struct MeshShape {
    int columns = 1, rows = 1;
    std::uint32_t link_width = 1, header = 0, buffer = 1;  // flits that an input of a router has room for
    std::vector<NodeNumber> input_nodes, output_nodes;     // where each input and output is attached
};

struct NetworkShape {
    int inputs, outputs;
    engine::Time period;
    std::uint32_t bus_width = 1, port_width = 1;  // of the bus; of an output of the crossbar
    MeshShape mesh = {};
    std::string_view senders = "requesters";  // the kind of unit that it gets messages from, as a TimeAccount has it
};

}  // namespace models

// Which router of a mesh each endpoint is attached to; several share one where there are more of them than routers.
// Nodes are numbered row by row.
#pragma once

#include <cstdint>
#include <vector>

namespace models {

using NodeNumber = std::uint16_t;

enum class Placement : std::uint8_t { spread, edge };

// Processors: one after the other over all nodes, and again from the first.
std::vector<NodeNumber> place_in_turn(int endpoints, int columns, int rows);

// Slices of a cache. `spread`: each in the middle of an equal share of the nodes. `edge`: from the first row down, left
// edge before right edge, and again from the first row.
std::vector<NodeNumber> place_slices(Placement placement, int slices, int columns, int rows);

}  // namespace models

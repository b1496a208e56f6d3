#include "models/network/placement.h"

namespace models {

std::vector<NodeNumber> place_in_turn(int endpoints, int columns, int rows) {
    std::vector<NodeNumber> nodes;
    for (int i = 0; i < endpoints; ++i) nodes.push_back(static_cast<NodeNumber>(i % (columns * rows)));
    return nodes;
}

std::vector<NodeNumber> place_slices(Placement placement, int slices, int columns, int rows) {
    std::vector<NodeNumber> nodes;
    for (int i = 0; i < slices; ++i) {
        const int middle = (2 * i + 1) * columns * rows / (2 * slices);
        const int edge = i / 2 % rows * columns + (i % 2 == 0 ? 0 : columns - 1);
        nodes.push_back(static_cast<NodeNumber>(placement == Placement::spread ? middle : edge));
    }
    return nodes;
}

}  // namespace models

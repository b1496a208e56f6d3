// Where the quads of a batch lie in a render target.
#pragma once

#include <cstdint>

#include "models/functional/shader_batch.h"

namespace models::functional {

// Quads are worked on in order, so a batch may hold the same pixels twice.
struct QuadPositions {
    int count = 0;                      // quads in use, from 0
    std::uint16_t x[batch_quads] = {};  // pixel of the top left lane, even
    std::uint16_t y[batch_quads] = {};
};

}  // namespace models::functional

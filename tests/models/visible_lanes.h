// For frames made by hand: fills what the trace says of the lanes of quads beyond their coverage and early test, as the
// renderer does for draws without stencil writes: what an opaque quad with colours covers behind it is hidden.
#pragma once

#include <array>

#include "models/workload/shaded_quads.h"

namespace models {

inline void find_visible_lanes(Frame& frame) {
    for (const Tile& tile : frame.tiles) {
        std::array<std::uint8_t, places_of_tile> hidden{};
        for (std::uint32_t q = tile.first_quad + tile.quad_count; q-- > tile.first_quad;) {
            Quad& quad = frame.quads[q];
            const Draw& draw = frame.draws[frame.primitives[quad.primitive].draw];
            quad.early_test = quad.shaded = quad.written = quad.visible = quad.early_pass;
            if (!draw.early_depth || !draw.depth_write || draw.blend != 0) continue;
            std::uint8_t& above = hidden[std::size_t{quad.y} * quads_across_tile + quad.x];
            quad.visible = static_cast<std::uint8_t>(quad.early_pass & ~above);
            if (draw.colour_mask != 0) above = static_cast<std::uint8_t>(above | quad.early_pass);
        }
    }
}

}  // namespace models

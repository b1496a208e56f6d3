// Which lanes of each quad are shaded, as the way of rendering decides, and in which order the quads of one place meet
// in the tile buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/for_each.h"
#include "models/frame_trace/frame_trace.h"
#include "models/workload/tiling_parameters.h"

namespace models {

inline constexpr std::uint32_t quads_across_tile = trace_tile_pixels / 2;
inline constexpr std::uint32_t places_of_tile = quads_across_tile * quads_across_tile;

class ShadedQuads {
  public:
    void load(const Frame& frame, Rendering rendering, const ForEach& for_each = in_turn);

    // Lanes of a quad (in Frame::quads) that are shaded; 0: it ends with the early depth test.
    std::uint8_t lanes(std::uint32_t quad) const { return lanes_[quad]; }
    // How many quads are shaded before it at its place of the tile.
    std::uint16_t ordinal(std::uint32_t quad) const { return ordinals_[quad]; }
    // The draw's quads go through the depth pass of hidden-surface removal: it is opaque, tested early and written to
    // depth (Quad::visible).
    bool hides(std::uint32_t draw) const { return hides_[draw] != 0; }

  private:
    void load_tile(const Frame& frame, const Tile& tile, Rendering rendering);

    std::vector<std::uint8_t> lanes_;
    std::vector<std::uint16_t> ordinals_;
    std::vector<std::uint8_t> hides_;  // by draw
};

// Depth and stencil alone are wanted of the draw, and known before shading.
inline bool is_depth_only(const Draw& draw) {
    return draw.early_depth && draw.colour_mask == 0;
}
// Depth or stencil are tested or written after shading.
inline bool tests_late(const Draw& draw) {
    return !draw.early_depth && (draw.depth_test || draw.depth_write || draw.stencil_test || draw.stencil_write);
}

// The old colour of a target is needed.
inline bool reads_old_colours(const Draw& draw) {
    return (draw.blend | draw.partial) != 0;
}

}  // namespace models

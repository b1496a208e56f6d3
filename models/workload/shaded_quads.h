// Which lanes of each quad are shaded, as the way of rendering decides, and in which order the quads of one place meet
// in the tile buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"
#include "models/workload/tiling_parameters.h"

namespace models {

inline constexpr std::uint32_t quads_across_tile = trace_tile_pixels / 2;
inline constexpr std::uint32_t places_of_tile = quads_across_tile * quads_across_tile;

class ShadedQuads {
  public:
    void load(const Frame& frame, Rendering rendering);

    // Lanes of a quad (in Frame::quads) that are shaded; 0: it ends with the early depth test.
    std::uint8_t lanes(std::uint32_t quad) const { return lanes_[quad]; }
    // How many quads are shaded before it at its place of the tile.
    std::uint16_t ordinal(std::uint32_t quad) const { return ordinals_[quad]; }
    // A draw whose quads the hidden-surface pass rasterises: opaque, tested early, written to depth.
    static bool hides(const Draw& draw) {
        return draw.early_depth && draw.depth_test && draw.depth_write && !draw.blend;
    }
    // Depth alone is wanted of the draw, and known before shading.
    static bool depth_only(const Draw& draw) { return draw.early_depth && draw.colour_targets == 0; }

  private:
    void load_tile(const Frame& frame, const Tile& tile, Rendering rendering);

    std::vector<std::uint8_t> lanes_;
    std::vector<std::uint16_t> ordinals_;
};

}  // namespace models

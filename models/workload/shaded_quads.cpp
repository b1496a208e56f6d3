#include "models/workload/shaded_quads.h"

#include <algorithm>
#include <array>

#include "engine/error.h"

namespace models {
namespace {

bool is_opaque(const Pass& pass, const Draw& draw) {
    if (draw.kind == DrawKind::clear || !draw.early_depth || !draw.depth_write || draw.stencil_write || draw.discards)
        return false;
    if (draw.colour_mask == 0) return true;
    const auto bound = std::count_if(pass.colour.begin(), pass.colour.end(),
                                     [](const Surface& surface) { return surface.bytes_per_texel != 0; });
    return draw.blend == 0 && draw.partial == 0 && draw.colour_targets == bound;
}

}  // namespace

void ShadedQuads::load(const Frame& frame, Rendering rendering, const ForEach& for_each) {
    lanes_.assign(frame.quads.size(), 0);
    ordinals_.assign(frame.quads.size(), 0);
    hides_.assign(frame.draws.size(), 0);
    for (const Pass& pass : frame.passes)
        for (std::uint32_t d = pass.first_draw; d < pass.first_draw + pass.draw_count; ++d)
            hides_[d] = is_opaque(pass, frame.draws[d]) ? 1 : 0;
    Bands(frame.tiles.size(), Bands::tiles).for_each_row(for_each, [&](std::size_t tile) {
        load_tile(frame, frame.tiles[tile], rendering);
    });
}

void ShadedQuads::load_tile(const Frame& frame, const Tile& tile, Rendering rendering) {
    std::array<std::uint32_t, places_of_tile> shaded{};
    const bool removes_hidden = rendering == Rendering::tiled_hidden_surface_removal;
    for (std::uint32_t q = tile.first_quad; q < tile.first_quad + tile.quad_count; ++q) {
        const Quad& quad = frame.quads[q];
        if (is_depth_only(frame.draws[frame.primitives[quad.primitive].draw])) continue;
        const auto lanes = static_cast<std::uint8_t>(removes_hidden ? quad.shaded & quad.visible : quad.shaded);
        lanes_[q] = lanes;
        if (lanes == 0) continue;
        const std::uint32_t ordinal = shaded[std::size_t{quad.y} * quads_across_tile + quad.x]++;
        if (ordinal > 0xffff)
            throw engine::InputError("frame " + std::to_string(frame.number) +
                                     ": expected at most 65536 layers at one place of a tile, found more");
        ordinals_[q] = static_cast<std::uint16_t>(ordinal);
    }
}

}  // namespace models

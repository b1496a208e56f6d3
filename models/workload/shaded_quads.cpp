#include "models/workload/shaded_quads.h"

#include <array>

#include "engine/error.h"

namespace models {

void ShadedQuads::load(const Frame& frame, Rendering rendering) {
    lanes_.assign(frame.quads.size(), 0);
    ordinals_.assign(frame.quads.size(), 0);
    for (const Tile& tile : frame.tiles) load_tile(frame, tile, rendering);
}

void ShadedQuads::load_tile(const Frame& frame, const Tile& tile, Rendering rendering) {
    std::array<std::uint8_t, places_of_tile> hidden{};
    const auto place = [](const Quad& quad) { return std::size_t{quad.y} * quads_across_tile + quad.x; };
    for (std::uint32_t q = tile.first_quad + tile.quad_count; q-- > tile.first_quad;) {
        const Quad& quad = frame.quads[q];
        const Draw& draw = frame.draws[frame.primitives[quad.primitive].draw];
        std::uint8_t lanes = quad.early_pass;
        if (rendering == Rendering::tiled_hidden_surface_removal && hides(draw)) {
            lanes = static_cast<std::uint8_t>(lanes & ~hidden[place(quad)]);
            if (!depth_only(draw))  // what writes no colour leaves the one before it to be seen
                hidden[place(quad)] = static_cast<std::uint8_t>(hidden[place(quad)] | quad.early_pass);
        }
        lanes_[q] = depth_only(draw) ? std::uint8_t{0} : lanes;
    }
    std::array<std::uint32_t, places_of_tile> shaded{};
    for (std::uint32_t q = tile.first_quad; q < tile.first_quad + tile.quad_count; ++q) {
        if (lanes_[q] == 0) continue;
        const std::uint32_t ordinal = shaded[place(frame.quads[q])]++;
        if (ordinal > 0xffff)
            throw engine::InputError("frame " + std::to_string(frame.number) +
                                     ": expected at most 65536 layers at one place of a tile, found more");
        ordinals_[q] = static_cast<std::uint16_t>(ordinal);
    }
}

}  // namespace models

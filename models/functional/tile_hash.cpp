#include "models/functional/tile_hash.h"

#include <algorithm>

#include "models/functional/texture/content_hash.h"

namespace models::functional {

std::uint64_t hash_of_tile(const SurfaceView& surface, std::uint32_t width, std::uint32_t height, std::uint32_t tile_x,
                           std::uint32_t tile_y) {
    const std::uint32_t x = tile_x * trace_tile_pixels, y = tile_y * trace_tile_pixels;
    const std::size_t row_bytes = std::size_t{std::min(trace_tile_pixels, width - x)} * surface.format->block_bytes;
    ContentHash hash;
    for (std::uint32_t sample = 0; sample < surface.samples; ++sample) {
        const SurfaceView view = surface.sample(sample);
        for (std::uint32_t row = y; row < std::min(y + trace_tile_pixels, height); ++row) {
            hash.add_bytes({view.texel(x, row), row_bytes});
        }
    }
    return hash.value();
}

}  // namespace models::functional

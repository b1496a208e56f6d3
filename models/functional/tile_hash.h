// Hashes of the tiles of a pass: of the colours that are in its targets.
#pragma once

#include <cstdint>

#include "models/functional/texture/resource.h"

namespace models::functional {

// Of the pixels of a tile in all samples. `width` and `height` are the pass's: of a compressed surface, in blocks.
std::uint64_t hash_of_tile(const SurfaceView& surface, std::uint32_t width, std::uint32_t height, std::uint32_t tile_x,
                           std::uint32_t tile_y);

}  // namespace models::functional

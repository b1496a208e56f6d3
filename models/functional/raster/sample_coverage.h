// Which of the four samples of each pixel a primitive covers, as quads of 2x2 pixels within a tile. Exact like
// coverage.h; the samples lie where llvmpipe has them.
#pragma once

#include <cstdint>

#include "models/functional/raster/coverage.h"
#include "models/functional/texture/resource.h"

namespace models::functional {

// From the corner of a pixel, in pixels.
struct SamplePosition {
    float x = 0, y = 0;
};
inline constexpr SamplePosition sample_positions[multisamples] = {
    {0.375F, 0.125F}, {0.875F, 0.375F}, {0.125F, 0.625F}, {0.625F, 0.875F}};

inline constexpr SamplePosition pixel_centre{0.5F, 0.5F};

// Coverage: bit 4 s + i is sample s of pixel i, numbered as in CoveredQuad; never 0.
struct SampledQuad {
    std::uint8_t x = 0, y = 0;  // in quads within the tile
    std::uint16_t coverage = 0;

    bool operator==(const SampledQuad&) const = default;
};

// The pixels of which a sample is covered.
constexpr std::uint8_t covered_pixels(std::uint16_t samples) {
    return static_cast<std::uint8_t>((samples | samples >> 4 | samples >> 8 | samples >> 12) & 0xf);
}

// The covered quads of a tile, row by row, from left to right.
struct TileSamples {
    std::int32_t count = 0;
    SampledQuad quads[tile_quads * tile_quads];
};

// `primitive` was set up with several samples; without, all samples of a pixel are covered when its centre is.
void cover_samples(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y, TileSamples& out);

}  // namespace models::functional

#include "models/functional/raster/sample_coverage.h"

#include <algorithm>

namespace models::functional {

namespace {

// Rows of the box where a level edge is not negative: c + b y >= 0.
void narrow_rows(const Edge& edge, Region& box) {
    const std::int64_t slope = edge.b;
    if (slope == 0) {
        if (edge.c < 0) box = {};
        return;
    }
    const std::int64_t size = slope < 0 ? -slope : slope;
    std::int64_t quotient = (slope < 0 ? edge.c : -edge.c) / size;
    const std::int64_t remainder = (slope < 0 ? edge.c : -edge.c) % size;
    if (slope < 0) {
        quotient -= remainder < 0 ? 1 : 0;
        box.y1 = static_cast<std::int32_t>(std::min<std::int64_t>(box.y1, quotient));
    } else {
        quotient += remainder > 0 ? 1 : 0;
        box.y0 = static_cast<std::int32_t>(std::max<std::int64_t>(box.y0, quotient));
    }
}

// The primitive with the sample at the corner of the pixel: shifted against the sample's position.
RasterPrimitive at_sample(const RasterPrimitive& primitive, const SamplePosition& sample) {
    const auto x = static_cast<std::int64_t>(sample.x * subpixels), y = static_cast<std::int64_t>(sample.y * subpixels);
    RasterPrimitive shifted;
    shifted.box = primitive.box;
    for (int i = 0; i < primitive.edge_count; ++i) {
        Edge edge = primitive.edges[i];
        edge.c = (edge.c * subpixels + primitive.fraction[i] + edge.a * x + edge.b * y) >> subpixel_bits;
        if (edge.a == 0)
            narrow_rows(edge, shifted.box);
        else
            shifted.edges[shifted.edge_count++] = edge;
    }
    return shifted;
}

// The samples of a tile, by quad.
struct SampleGrid {
    std::int32_t first_row = tile_quads, last_row = -1;
    std::uint16_t quads[tile_quads][tile_quads] = {};

    void add(const TileCoverage& covered, unsigned sample, unsigned copies) {
        for (std::int32_t i = 0; i < covered.count; ++i) {
            const CoveredQuad& quad = covered.quads[i];
            quads[quad.y][quad.x] |= static_cast<std::uint16_t>(quad.coverage * copies << (4 * sample));
            first_row = std::min<std::int32_t>(first_row, quad.y);
            last_row = std::max<std::int32_t>(last_row, quad.y);
        }
    }
};

}  // namespace

void cover_samples(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y, TileSamples& out) {
    SampleGrid grid;
    TileCoverage covered;
    if (primitive.multisample) {
        for (unsigned sample = 0; sample < multisamples; ++sample) {
            cover_tile(at_sample(primitive, sample_positions[sample]), tile_x, tile_y, covered);
            grid.add(covered, sample, 1);
        }
    } else {
        cover_tile(primitive, tile_x, tile_y, covered);
        grid.add(covered, 0, 0x1111);
    }
    out.count = 0;
    for (std::int32_t y = grid.first_row; y <= grid.last_row; ++y) {
        for (std::int32_t x = 0; x < tile_quads; ++x) {
            if (grid.quads[y][x] == 0) continue;
            out.quads[out.count++] = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), grid.quads[y][x]};
        }
    }
}

}  // namespace models::functional

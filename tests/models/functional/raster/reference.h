// What the rasteriser is checked against: every pixel tested one by one in 128-bit integers, with the fill rule as an
// infinitely small shift of the sample (to the right, and by much less down or up).
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/functional/raster/coverage.h"
#include "models/functional/raster/setup.h"

namespace models::functional::reference {

__extension__ using Wide = __int128;
using Pixel = std::pair<std::int32_t, std::int32_t>;

struct Point {
    std::int64_t x = 0, y = 0;  // 1/256 pixel
};

inline Point snapped(float x, float y, float offset = 0.5F) {
    return {static_cast<std::int64_t>(std::nearbyint((x - offset) * 256)),
            static_cast<std::int64_t>(std::nearbyint((y - offset) * 256))};
}

inline Wide cross(const Point& p, const Point& q, const Point& r) {
    return Wide(q.x - p.x) * Wide(r.y - p.y) - Wide(q.y - p.y) * Wide(r.x - p.x);
}

inline bool inside(const std::vector<Point>& corners, const Point& sample, bool bottom_edge_rule) {
    const Wide area = cross(corners[0], corners[1], corners[2]);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point& p = corners[i];
        const Point& q = corners[(i + 1) % corners.size()];
        Wide value = cross(p, q, sample);
        if (value == 0) value = p.y - q.y;                                 // the sample shifted to the right
        if (value == 0) value = bottom_edge_rule ? p.x - q.x : q.x - p.x;  // and down, or up
        if (area > 0 ? value < 0 : value > 0) return false;
    }
    return area != 0;
}

inline std::set<Pixel> covered(const std::vector<Point>& corners, const Region& region, bool bottom_edge_rule = false) {
    std::set<Pixel> pixels;
    for (std::int32_t y = region.y0; y <= region.y1; ++y) {
        for (std::int32_t x = region.x0; x <= region.x1; ++x)
            if (inside(corners, {std::int64_t{x} * 256, std::int64_t{y} * 256}, bottom_edge_rule)) pixels.emplace(x, y);
    }
    return pixels;
}

// How often the tiles of a region say that a pixel is covered.
inline std::map<Pixel, int> rasterised(const RasterPrimitive& primitive) {
    std::map<Pixel, int> pixels;
    const Region& box = primitive.box;
    TileCoverage coverage;
    for (std::int32_t ty = box.y0 / tile_pixels; ty <= box.y1 / tile_pixels; ++ty) {
        for (std::int32_t tx = box.x0 / tile_pixels; tx <= box.x1 / tile_pixels; ++tx) {
            cover_tile(primitive, tx, ty, coverage);
            for (int i = 0; i < coverage.count; ++i) {
                const CoveredQuad& quad = coverage.quads[i];
                for (int lane = 0; lane < 4; ++lane) {
                    if ((quad.coverage >> lane & 1) == 0) continue;
                    ++pixels[{tx * tile_pixels + 2 * quad.x + (lane & 1), ty * tile_pixels + 2 * quad.y + (lane >> 1)}];
                }
            }
        }
    }
    return pixels;
}

// The pixels covered; fails (an impossible pixel) when one is covered twice.
inline std::set<Pixel> rasterised_once(const RasterPrimitive& primitive) {
    std::set<Pixel> pixels;
    for (const auto& [pixel, times] : rasterised(primitive)) pixels.insert(times == 1 ? pixel : Pixel{-1, -1});
    return pixels;
}

}  // namespace models::functional::reference

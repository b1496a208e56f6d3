#include "models/functional/raster/coverage.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace models::functional {

namespace {

// The pixels of the primitive's box in a tile, relative to the tile's first pixel.
Region box_in_tile(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y) {
    const std::int32_t x = tile_x * tile_pixels, y = tile_y * tile_pixels;
    const Region tile = {x, y, x + tile_pixels - 1, y + tile_pixels - 1};
    const Region box = intersection(primitive.box, tile);
    return {box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y};
}

std::int64_t value_at(const Edge& edge, std::int32_t x, std::int32_t y) {
    return edge.c + static_cast<std::int64_t>(edge.a) * x + static_cast<std::int64_t>(edge.b) * y;
}

// Range of an edge function over the pixels of a box.
struct EdgeRange {
    std::int64_t least = 0, most = 0;
};
EdgeRange range_over(const Edge& edge, std::int64_t first, const Region& box) {
    const std::int64_t across = static_cast<std::int64_t>(edge.a) * (box.x1 - box.x0);
    const std::int64_t down = static_cast<std::int64_t>(edge.b) * (box.y1 - box.y0);
    return {first + std::min<std::int64_t>(across, 0) + std::min<std::int64_t>(down, 0),
            first + std::max<std::int64_t>(across, 0) + std::max<std::int64_t>(down, 0)};
}

struct Quotient {
    std::int64_t quotient = 0, remainder = 0;  // 0 <= remainder < divisor
};
Quotient divide(std::int64_t dividend, std::int64_t divisor) {
    Quotient result = {dividend / divisor, dividend % divisor};
    if (result.remainder < 0) result = {result.quotient - 1, result.remainder + divisor};
    return result;
}

// Where one edge starts or ends the span of covered pixels of a row, stepped from row to row without dividing:
// a x + e >= 0 is x >= -floor(e / a) for a > 0 and x <= floor(e / -a) for a < 0, and e grows by b in every row.
class SpanEnd {
  public:
    SpanEnd() = default;
    SpanEnd(const Edge& edge, std::int64_t first_row)
        : bounds_left_(edge.a > 0),
          divisor_(std::abs(static_cast<std::int64_t>(edge.a))),
          at_(divide(first_row, divisor_)),
          step_(divide(edge.b, divisor_)) {}

    void narrow(std::int64_t& left, std::int64_t& right) const {
        if (bounds_left_)
            left = std::max(left, -at_.quotient);
        else
            right = std::min(right, at_.quotient);
    }
    void next_row() {
        at_.quotient += step_.quotient;
        at_.remainder += step_.remainder;
        if (at_.remainder >= divisor_) {
            at_.remainder -= divisor_;
            ++at_.quotient;
        }
    }

  private:
    bool bounds_left_ = false;
    std::int64_t divisor_ = 1;
    Quotient at_, step_;
};

// The edges that cross the box, as ends of spans in columns of the tile.
struct Crossing {
    SpanEnd ends[4];
    int count = 0;
};

// False when the primitive covers nothing of the box.
bool find_crossing(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y, const Region& box,
                   Crossing& crossing) {
    for (int i = 0; i < primitive.edge_count; ++i) {
        const Edge& edge = primitive.edges[i];
        const std::int64_t row =
            value_at(edge, tile_x * tile_pixels, tile_y * tile_pixels + box.y0);  // column 0 of the tile
        const EdgeRange range = range_over(edge, row + static_cast<std::int64_t>(edge.a) * box.x0, box);
        if (range.most < 0) return false;
        if (range.least >= 0) continue;
        assert(edge.a != 0 && "level edges are sides of the box");
        crossing.ends[crossing.count++] = SpanEnd(edge, row);
    }
    return true;
}

std::uint32_t row_mask(Crossing& crossing, const Region& box) {
    std::int64_t left = box.x0, right = box.x1;
    for (int i = 0; i < crossing.count; ++i) {
        crossing.ends[i].narrow(left, right);
        crossing.ends[i].next_row();
    }
    if (left > right) return 0;
    return (~0U << left) & (~0U >> (31 - right));
}

void add_quads(std::uint32_t top, std::uint32_t bottom, std::int32_t row, TileCoverage& out) {
    const std::uint32_t both = top | bottom;
    if (both == 0) return;
    const int first = __builtin_ctz(both) / 2, last = (31 - __builtin_clz(both)) / 2;
    CoveredQuad* next = out.quads + out.count;
    for (int x = first; x <= last; ++x) {
        const std::uint32_t coverage = (top >> (2 * x) & 3) | (bottom >> (2 * x) & 3) << 2;
        *next = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(coverage)};
        next += coverage != 0;
    }
    out.count = static_cast<std::int32_t>(next - out.quads);
}

}  // namespace

static_assert(tile_pixels == 32, "a row of a tile is a word of 32 bits");

void cover_tile(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y, TileCoverage& out) {
    out.count = 0;
    const Region box = box_in_tile(primitive, tile_x, tile_y);
    if (box.empty()) return;
    Crossing crossing;
    if (!find_crossing(primitive, tile_x, tile_y, box, crossing)) return;
    for (std::int32_t row = box.y0 / 2; row <= box.y1 / 2; ++row) {
        const std::uint32_t top = 2 * row >= box.y0 ? row_mask(crossing, box) : 0;
        const std::uint32_t bottom = 2 * row + 1 <= box.y1 ? row_mask(crossing, box) : 0;
        add_quads(top, bottom, row, out);
    }
}

bool touches_tile(const RasterPrimitive& primitive, std::int32_t tile_x, std::int32_t tile_y) {
    Region box = box_in_tile(primitive, tile_x, tile_y);
    if (box.empty()) return false;
    if (primitive.multisample) box = {box.x0, box.y0, box.x1 + 1, box.y1 + 1};  // samples lie between corners
    for (int i = 0; i < primitive.edge_count; ++i) {
        const Edge& edge = primitive.edges[i];
        const std::int64_t first = value_at(edge, tile_x * tile_pixels + box.x0, tile_y * tile_pixels + box.y0);
        if (range_over(edge, first, box).most < 0) return false;
    }
    return true;
}

}  // namespace models::functional

#include "models/workload/primitive_order.h"

namespace models {

PrimitiveOrder::PrimitiveOrder(const Frame& frame, const Pass& pass) {
    std::uint32_t end = 0;
    bool found = false;
    for (std::uint32_t d = pass.first_draw; d < pass.first_draw + pass.draw_count; ++d) {
        const Draw& draw = frame.draws[d];
        if (draw.primitive_count == 0) continue;
        if (!found) first_primitive_ = draw.first_primitive;
        found = true;
        end = draw.first_primitive + draw.primitive_count;
    }
    // A counting sort: how many quads each primitive has, where they begin, and then each quad to its place.
    first_quad_.assign(end - first_primitive_ + 1, 0);
    const std::uint32_t tiles_end = pass.first_tile + pass.tiles_x * pass.tiles_y;
    const auto for_quads = [&](auto&& visit) {
        for (std::uint32_t t = pass.first_tile; t < tiles_end; ++t) {
            const Tile& tile = frame.tiles[t];
            for (std::uint32_t q = tile.first_quad; q < tile.first_quad + tile.quad_count; ++q)
                visit(q, frame.quads[q].primitive - first_primitive_);
        }
    };
    for_quads([&](std::uint32_t /*quad*/, std::uint32_t primitive) { ++first_quad_[primitive + 1]; });
    for (std::size_t i = 1; i < first_quad_.size(); ++i) first_quad_[i] += first_quad_[i - 1];
    quads_.resize(first_quad_.back());
    std::vector<std::uint32_t> next = first_quad_;
    for_quads([&](std::uint32_t quad, std::uint32_t primitive) { quads_[next[primitive]++] = quad; });
}

}  // namespace models

#include "models/workload/resolves.h"

#include <algorithm>

namespace models {
namespace {

bool has_samples(const Frame& frame, const Pass& pass) {
    const auto* const draws = frame.draws.data() + pass.first_draw;
    return pass.draw_count > 0 && draws[0].samples > 1;
}

std::uint32_t written_pixels(const Frame& frame, const Pass& pass) {
    std::uint32_t pixels = 0;
    for (std::uint32_t t = pass.first_tile; t < pass.first_tile + pass.tiles_x * pass.tiles_y; ++t)
        for (std::uint32_t q = 0; q < frame.tiles[t].quad_count; ++q)
            pixels +=
                static_cast<std::uint32_t>(__builtin_popcount(frame.quads[frame.tiles[t].first_quad + q].written));
    return pixels;
}

bool resolves(const Frame& frame, const PassOrder& order, std::uint32_t number) {
    const Pass& from = frame.passes[number - 1];
    const Pass& to = frame.passes[number];
    const bool have_the_shape = has_samples(frame, from) && !has_samples(frame, to) && from.colour.size() == 1 &&
                                to.colour.size() == 1 && from.width == to.width && from.height == to.height &&
                                to.colour_store && !to.depth_store && to.draw_count == 1 &&
                                frame.draws[to.first_draw].kind == DrawKind::transfer;
    if (!have_the_shape || written_pixels(frame, to) != to.width * to.height) return false;
    if (!order.reads_only(number, from.colour[0])) return false;
    for (auto later = number + 1; later < frame.passes.size(); ++later)
        if (order.reads(later, from.colour[0])) return false;
    return true;
}

}  // namespace

void Resolves::load(const Frame& frame, const PassOrder& order, bool enabled) {
    resolved_.assign(frame.passes.size(), 0);
    if (!enabled) return;
    for (std::uint32_t pass = 1; pass < frame.passes.size(); ++pass)
        if (!is_resolved(pass - 1) && resolves(frame, order, pass)) resolved_[pass] = 1;
}

}  // namespace models

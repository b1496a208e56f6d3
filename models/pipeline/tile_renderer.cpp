#include "models/pipeline/tile_renderer.h"

#include "models/base/laws.h"

namespace models {

TileRenderer::TileRenderer(engine::CounterList* counters, const Shape& shape, const Workload& workload,
                           MemoryPort& memory)
    : period_(shape.front_end.period),
      interpolation_(shape.front_end.raster.interpolation_latency.count() * period_),
      front_end_({counters, {"raster", shape.index}}, shape.index, shape.front_end, workload, memory, shape.first_part,
                 shape.first_part + 1),
      dispatch_({counters, {"raster", shape.index}}, shape.front_end.raster, shape.dispatch),
      stage_({counters, {"colour", shape.index}}, shape.colour, shape.dispatch.cores, workload, memory,
             shape.first_part + 2, period_) {}

void TileRenderer::end_frame(engine::Time now) {
    front_end_.end_frame(now);
    stage_.time.settle(now);
}

void TileRenderer::on_reply(engine::Time now, const MemoryReply& reply, int part) {
    if (part == 0)
        front_end_.on_tile_line(now, reply.tag);
    else if (part == 1)
        front_end_.on_depth_line(reply.tag);
    else
        stage_.on_reply(now, reply);
}

std::string TileRenderer::unfinished() const {
    const std::string rest = stage_.unfinished();
    if (front_end_.is_idle()) return rest;
    return "tiles under way" + (rest.empty() ? "" : ", " + rest);
}

void TileRenderer::add_laws(Laws& laws, const std::string& name) const {
    front_end_.add_laws(laws, name + "'s raster");
    stage_.add_laws(laws, name + "'s colour stage");
}

}  // namespace models

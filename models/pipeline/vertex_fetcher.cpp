#include "models/pipeline/vertex_fetcher.h"

#include <algorithm>
#include <cassert>

namespace models {

using engine::Time;

VertexFetcher::VertexFetcher(const engine::CounterScope& scope, const GeometryParameters& parameters,
                             const Shape& shape, const Workload& workload, MemoryPort& memory, int part)
    : indices(scope, "indices", "1", "vertices named by draws"),
      vertices_reused(scope, "vertices_reused", "1", "of them, those that were shaded shortly before"),
      vertices_sent(scope, "vertices_sent", "1", "vertices given to vertex processors"),
      index_lines(scope, "index_lines", "1", "lines of indices read"),
      workload_(workload),
      memory_(&memory),
      part_(part),
      processors_(static_cast<std::uint32_t>(shape.processors)),
      warp_vertices_(static_cast<std::uint32_t>(shape.warp_vertices)),
      post_transform_entries_(static_cast<std::uint32_t>(parameters.post_transform_entries())),
      indices_per_cycle_(static_cast<std::uint32_t>(parameters.vertices_per_cycle())),
      period_(shape.period),
      arrived_(static_cast<std::size_t>(parameters.index_lines())),
      stream_(static_cast<std::size_t>(parameters.index_queue())) {
    assert(shape.processors < reused);
}

void VertexFetcher::begin_draw(std::uint32_t draw_index) {
    const Frame& frame = workload_.frame();
    const Draw& draw = frame.draws[draw_index];
    draw_ = draw_index;
    position_ = shaded_ = 0;
    shaded_as_.assign(draw.vertex_count, 0);
    forming_count_ = 0;
    std::fill(arrived_.begin(), arrived_.end(), std::uint8_t{0});
    line_ = lines_end_ = 0;
    if (draw.index_bytes == 0 || draw.fetch_count == 0) return;
    // Every instance reads the same indices again.
    const std::uint32_t instances = frame.vertices[draw.first_vertex + draw.vertex_count - 1].instance -
                                    frame.vertices[draw.first_vertex].instance + 1;
    indices_ = instances != 0 && draw.fetch_count % instances == 0 ? draw.fetch_count / instances : draw.fetch_count;
    first_line_ = draw.index_address / block_bytes;
    lines_ = (draw.index_address + std::uint64_t{indices_} * draw.index_bytes - 1) / block_bytes - first_line_ + 1;
    lines_end_ = lines_ * (draw.fetch_count / indices_);
}

std::uint64_t VertexFetcher::line_of(std::uint32_t position) const {
    const Draw& draw = workload_.frame().draws[draw_];
    const Address address = draw.index_address + std::uint64_t{position % indices_} * draw.index_bytes;
    return position / indices_ * lines_ + address / block_bytes - first_line_;
}

bool VertexFetcher::request_line(Time now) {
    if (line_ == lines_end_ || line_ - line_of(position_) >= arrived_.size()) return false;
    MemoryRequest request;
    request.block = static_cast<BlockNumber>(first_line_ + line_ % lines_);
    const std::size_t place = line_ % arrived_.size();
    request.tag = RequestTag::of(part_, place);
    request.client = MemoryClient::index;
    request.attribution.draw = draw_;
    if (!memory_->can_send(request.block)) return false;
    memory_->send(now, request, period_);
    arrived_[place] = 0;
    ++line_;
    ++index_lines;
    return true;
}

// The warp that forms goes when it is whole, when it can name no further index, and when no further one can come before
// it has gone: all indices that assembly has not taken are its own or behind it.
bool VertexFetcher::must_go() const {
    if (forming_count_ == 0) return false;
    const std::uint32_t behind = position_ - forming_.first;
    return forming_count_ == warp_vertices_ || behind >= ShadeVertices::span ||
           (stream_.full() && behind >= stream_.size()) || position_ == workload_.frame().draws[draw_].fetch_count;
}

// Takes the next index if its line is there. False if it has to wait.
bool VertexFetcher::take_index() {
    const Draw& draw = workload_.frame().draws[draw_];
    if (position_ == draw.fetch_count || stream_.full()) return false;
    if (draw.index_bytes > 0) {
        const std::uint64_t line = line_of(position_);
        if (line >= line_ || arrived_[line % arrived_.size()] == 0) return false;
    }
    const std::uint32_t vertex = workload_.frame().fetches[draw.first_fetch + position_];
    ++indices;
    const bool known = shaded_as_[vertex] != 0 &&
                       (post_transform_entries_ == 0 || shaded_ - shaded_as_[vertex] < post_transform_entries_);
    if (known) {
        ++vertices_reused;
        stream_.push(reused);
    } else {
        if (forming_count_ == 0) forming_ = {draw_, position_, {}};
        const std::uint32_t bit = position_ - forming_.first;
        forming_.mask[bit / 64] |= std::uint64_t{1} << bit % 64;
        ++forming_count_;
        shaded_as_[vertex] = ++shaded_;
        stream_.push(static_cast<std::uint16_t>(turn_));
    }
    ++position_;
    return true;
}

void VertexFetcher::serialize(engine::Archive& archive) {
    archive(draw_, position_, indices_, first_line_, lines_, line_, lines_end_, arrived_, shaded_, shaded_as_, forming_,
            forming_count_, turn_, stream_);
}

}  // namespace models

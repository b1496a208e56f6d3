#include "models/vertex_fetcher.h"

#include <algorithm>
#include <cassert>

namespace models {

using engine::Time;

VertexFetcher::VertexFetcher(engine::CounterList* counters, const MachineParameters& parameters,
                             const Workload& workload, MemoryPort& memory, int client)
    : workload_(workload),
      memory_(&memory),
      client_(client),
      post_transform_entries_(static_cast<std::uint32_t>(parameters.geometry.post_transform_entries())),
      indices_per_cycle_(static_cast<std::uint32_t>(parameters.geometry.vertices_per_cycle())),
      period_(Clocks(parameters).gpu),
      arrived_(static_cast<std::size_t>(parameters.geometry.index_lines())),
      stream_(static_cast<std::size_t>(parameters.geometry.index_queue())),
      fetches_(counters, "indices", "1", "vertices named by draws"),
      reused_(counters, "vertices_reused", "1", "of them, those that were shaded shortly before"),
      index_lines_(counters, "index_lines", "1", "lines of indices read") {
    assert(parameters.vertex_processor.count() <= reused);  // numbers of processors are below it
}

void VertexFetcher::begin_draw(std::uint32_t draw_index) {
    const Frame& frame = workload_.frame();
    const Draw& draw = frame.draws[draw_index];
    draw_ = draw_index;
    position_ = shaded_ = 0;
    shaded_as_.assign(draw.vertex_count, 0);
    forming_.draw = draw_index;
    forming_.count = 0;
    std::fill(arrived_.begin(), arrived_.end(), false);
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

bool VertexFetcher::step(Time now, std::vector<VertexProcessor*>& processors) {
    if (draw_ == none) return false;
    bool active = request_line(now);
    const Draw& draw = workload_.frame().draws[draw_];
    for (std::uint32_t i = 0; i < indices_per_cycle_; ++i) {
        // A warp goes when it is whole, and when no further index can come before it has gone.
        const bool whole = forming_.count == processors[turn_]->warp_size();
        const bool last = forming_.count > 0 && (position_ == draw.fetch_count || stream_.full());
        if (whole || last) active |= give_warp(processors);
        if (forming_.count == processors[turn_]->warp_size() || !take_index()) break;
        active = true;
    }
    if (position_ == draw.fetch_count && forming_.count == 0) {
        draw_ = none;
        active = true;
    }
    return active;
}

bool VertexFetcher::request_line(Time now) {
    if (line_ == lines_end_ || line_ - line_of(position_) >= arrived_.size()) return false;
    MemoryRequest request;
    request.block = static_cast<BlockNumber>(first_line_ + line_ % lines_);
    const std::size_t place = line_ % arrived_.size();
    request.tag = RequestTag::of(client_, place);
    request.attribution.draw = draw_;
    if (!memory_->can_send(request.block)) return false;
    memory_->send(now, request, period_);
    arrived_[place] = false;
    ++line_;
    ++index_lines_;
    return true;
}

// Takes the next index if its line is there. False if it has to wait.
bool VertexFetcher::take_index() {
    const Draw& draw = workload_.frame().draws[draw_];
    if (position_ == draw.fetch_count || stream_.full()) return false;
    if (draw.index_bytes > 0) {
        const std::uint64_t line = line_of(position_);
        if (line >= line_ || !arrived_[line % arrived_.size()]) return false;
    }
    const std::uint32_t vertex = workload_.frame().fetches[draw.first_fetch + position_++];
    ++fetches_;
    const bool known = shaded_as_[vertex] != 0 &&
                       (post_transform_entries_ == 0 || shaded_ - shaded_as_[vertex] < post_transform_entries_);
    if (known) {
        ++reused_;
        stream_.push(reused);
        return true;
    }
    shaded_as_[vertex] = ++shaded_;
    forming_.vertices[forming_.count++] = draw.first_vertex + vertex;
    stream_.push(static_cast<std::uint8_t>(turn_));
    return true;
}

bool VertexFetcher::give_warp(std::vector<VertexProcessor*>& processors) {
    if (!processors[turn_]->has_room()) return false;
    processors[turn_]->push(forming_);
    forming_.count = 0;
    turn_ = turn_ + 1 < processors.size() ? turn_ + 1 : 0;
    return true;
}

}  // namespace models

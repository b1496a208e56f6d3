#include "models/core/vertex_input.h"

#include <algorithm>
#include <bit>

namespace models {

VertexInput::VertexInput(const engine::CounterScope& scope, std::size_t warps, const Workload& workload, Cache& cache)
    : attribute_lines(scope, "attribute_lines", "1", "lines looked up for attributes"),
      workload_(workload),
      cache_(&cache),
      input_(warps) {}

void VertexInput::push(const ShadeVertices& message) {
    const Frame& frame = workload_.frame();
    const Draw& draw = frame.draws[message.draw];
    Warp warp;
    warp.draw = message.draw;
    for (std::uint32_t word = 0; word < message.mask.size(); ++word)
        for (std::uint64_t rest = message.mask[word]; rest != 0; rest &= rest - 1) {
            const std::uint32_t fetch = message.first + word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
            warp.vertices[warp.count++] = draw.first_vertex + frame.fetches[draw.first_fetch + fetch];
        }
    warp.is_requested = draw.attribute_count == 0 ? 1 : 0;
    if (warp.is_requested == 0) next_attribute(warp);
    input_.push(warp);
}

void VertexInput::pop() {
    if (fetching_ == input_.first_number()) ++fetching_;
    input_.pop();
}

// Says where the attribute to be fetched next lies.
void VertexInput::next_attribute(Warp& warp) const {
    const Frame& frame = workload_.frame();
    const VertexAttribute& attribute = frame.attributes[frame.draws[warp.draw].first_attribute + warp.attribute];
    warp.first = attribute_address(attribute, frame.vertices[warp.vertices[warp.vertex]]);
    warp.last = warp.first + std::max(attribute.bytes, 1U) - 1;
    warp.next = static_cast<BlockNumber>(warp.first / block_bytes);
}

bool VertexInput::step(engine::Time now) {
    if (refused_) return false;
    while (fetching_ != input_.end_number() && input_.numbered(fetching_).is_requested != 0) ++fetching_;
    if (fetching_ == input_.end_number()) return false;
    Warp& warp = input_.numbered(fetching_);
    Attribution attribution;
    attribution.draw = warp.draw;
    const auto outcome = cache_->read(now, warp.next, waiter_bit | (fetching_ & ~waiter_bit), attribution,
                                      sectors_between(warp.next, warp.first, warp.last));
    if (outcome == Cache::Outcome::busy) return true;
    if (outcome == Cache::Outcome::refused) {
        refused_ = true;
        return false;
    }
    warp.outstanding += Cache::lines_awaited(outcome);
    warp.ready_at = now + cache_->latency();
    ++attribute_lines;
    if (++warp.next <= warp.last / block_bytes) return true;
    if (++warp.attribute == workload_.frame().draws[warp.draw].attribute_count) {
        warp.attribute = 0;
        ++warp.vertex;
    }
    warp.is_requested = warp.vertex == warp.count ? 1 : 0;
    if (warp.is_requested == 0) next_attribute(warp);
    return true;
}

}  // namespace models

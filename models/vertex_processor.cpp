#include "models/vertex_processor.h"

#include <algorithm>

namespace models {
namespace {

using engine::Time;

constexpr std::uint32_t attribute_waiter = 0x80000000U;  // | number of the input; else a texture access

std::string prefix(int index) {
    return "vertex_processor_" + std::to_string(index) + "_";
}

}  // namespace

VertexProcessor::VertexProcessor(engine::CounterList* counters, int index, const MachineParameters& parameters,
                                 const Workload& workload, MemoryPort& memory, int first_client)
    : workload_(workload),
      vertex_queue_(static_cast<std::uint32_t>(parameters.geometry.vertex_queue())),
      warp_size_(static_cast<std::uint32_t>(parameters.vertex_processor.groups_per_warp())),
      input_(
          static_cast<std::size_t>(parameters.geometry.vertex_queue() / parameters.vertex_processor.groups_per_warp())),
      resident_(static_cast<std::size_t>(parameters.vertex_processor.warps())),
      period_(Clocks(parameters).gpu),
      vertex_cache_({counters, prefix(index) + "vertex_cache_"}, parameters.vertex_cache, memory, first_client,
                    period_),
      instruction_cache_({counters, prefix(index) + "instruction_cache_"}, parameters.instruction_cache, memory,
                         first_client + 1, period_),
      core_({counters, prefix(index)}, parameters.vertex_processor, parameters.texture_unit,
            {&vertex_cache_, &instruction_cache_}, period_),
      attribute_lines_({counters, prefix(index)}, "attribute_lines", "1", "lines looked up for attributes"),
      vertices_shaded_({counters, prefix(index)}, "vertices", "1", "vertices shaded") {}

void VertexProcessor::begin_frame() {
    core_.begin_frame(workload_.registers(), workload_.frame().vertex_blocks.data());
}

void VertexProcessor::push(const VertexWarp& warp) {
    Input input;
    input.warp = warp;
    input.requested = workload_.frame().draws[warp.draw].attribute_count == 0;
    if (!input.requested) next_attribute(input);
    input_.push(input);
}

// Puts the lines of the attribute to be fetched next into `next` and `end`.
void VertexProcessor::next_attribute(Input& input) const {
    const Frame& frame = workload_.frame();
    const Draw& draw = frame.draws[input.warp.draw];
    const VertexAttribute& attribute = frame.attributes[draw.first_attribute + input.attribute];
    const Address address = attribute_address(attribute, frame.vertices[input.warp.vertices[input.vertex]]);
    input.next = static_cast<BlockNumber>(address / block_bytes);
    input.end = static_cast<BlockNumber>((address + std::max(attribute.bytes, 1U) - 1) / block_bytes + 1);
}

Time VertexProcessor::step(Time now) {
    const bool retired = retire(now);
    const bool launched = launch(now);
    const bool fetched = fetch_attributes(now);
    const Time next = core_.step(now);
    if (retired || launched || fetched) return now + period_;
    if (!input_.empty() && input_.front().requested && input_.front().ready_at > now)
        return std::min(next, input_.front().ready_at);
    return next;
}

// One line a cycle, for the oldest warp that still needs some. True if one was looked up.
bool VertexProcessor::fetch_attributes(Time now) {
    if (refused_) return false;
    while (fetching_ != input_.end_number() && input_.numbered(fetching_).requested) ++fetching_;
    if (fetching_ == input_.end_number()) return false;
    Input& input = input_.numbered(fetching_);
    Attribution attribution;
    attribution.draw = input.warp.draw;
    const auto outcome =
        vertex_cache_.read(now, input.next, attribute_waiter | (fetching_ & ~attribute_waiter), attribution);
    if (outcome == LineCache::Outcome::refused) {
        refused_ = true;
        return false;
    }
    if (outcome == LineCache::Outcome::waiting) ++input.outstanding;
    input.ready_at = now + vertex_cache_.latency();
    ++attribute_lines_;
    if (++input.next < input.end) return true;
    if (++input.attribute == workload_.frame().draws[input.warp.draw].attribute_count) {
        input.attribute = 0;
        ++input.vertex;
    }
    input.requested = input.vertex == input.warp.count;
    if (!input.requested) next_attribute(input);
    return true;
}

bool VertexProcessor::launch(Time now) {
    if (input_.empty() || !core_.has_room()) return false;
    const Input& input = input_.front();
    if (!input.requested || input.outstanding > 0 || input.ready_at > now) return false;
    const Frame& frame = workload_.frame();
    std::array<ShaderCore::Group, VertexWarp::most> groups;
    for (std::uint32_t i = 0; i < input.warp.count; ++i) {
        const Vertex& vertex = frame.vertices[input.warp.vertices[i]];
        groups[i] = {vertex.path, 1, frame.vertex_accesses.data() + vertex.first_access};
    }
    Attribution attribution;
    attribution.draw = input.warp.draw;
    core_.launch(now, workload_.program(frame.draws[input.warp.draw].vertex_program), {groups.data(), input.warp.count},
                 attribution);
    resident_.push(input.warp.count);
    if (fetching_ == input_.first_number()) ++fetching_;
    input_.pop();
    return true;
}

bool VertexProcessor::retire(Time now) {
    if (!core_.oldest_done(now) || shaded_ + resident_.front() > vertex_queue_) return false;
    shaded_ += resident_.front();
    vertices_shaded_ += resident_.front();
    resident_.pop();
    core_.retire();
    return true;
}

void VertexProcessor::on_vertex_line(Time now, RequestTag tag) {
    for (const std::uint32_t waiter : vertex_cache_.fill(tag)) {
        if ((waiter & attribute_waiter) != 0)
            --input_.numbered(waiter & ~attribute_waiter).outstanding;
        else
            core_.texture_arrived(now, waiter);
    }
}

void VertexProcessor::on_instruction_line(Time now, RequestTag tag) {
    for (const std::uint32_t waiter : instruction_cache_.fill(tag)) core_.instruction_arrived(now, waiter);
}

void VertexProcessor::retry(Time now) {
    refused_ = false;
    core_.retry(now);
}

}  // namespace models

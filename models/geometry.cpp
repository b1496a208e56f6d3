#include "models/geometry.h"

#include <algorithm>

namespace models {

using engine::never;
using engine::Time;

Geometry::Geometry(const MachineParameters& parameters, const Workload& workload)
    : Clocked("geometry", -1, Clocks(parameters).gpu),
      workload_(workload),
      draw_cost_(parameters.geometry.draw_cost.count() * period()),
      vertices_per_cycle_(parameters.geometry.vertices_per_cycle()),
      replies(this, "replies", parameters.l2.slices(), engine::handler<&Geometry::on_reply>),
      ready(this, "ready", period()),
      memory(this, MemoryPortShape(parameters, Cycles{1})),
      fetcher_(&counters(), parameters, workload, memory, 2 * parameters.vertex_processor.count()),
      builder_(&counters(), parameters, workload, memory, 2 * parameters.vertex_processor.count() + 1) {
    for (int i = 0; i < parameters.vertex_processor.count(); ++i) {
        owned_processors_.push_back(
            std::make_unique<VertexProcessor>(&counters(), i, parameters, workload, memory, 2 * i));
        processors_.push_back(owned_processors_.back().get());
    }
}

void Geometry::begin_frame() {
    pass_ = 0;
    for (VertexProcessor* processor : processors_) processor->begin_frame();
}

void Geometry::on_reply(const MemoryReply& reply, int slice) {
    memory.take_reply(slice);
    const std::size_t client = reply.tag.client, processor = client / 2;
    if (processor == processors_.size()) {
        if (client % 2 == 0)
            fetcher_.on_index_line(reply.tag);
        else
            builder_.on_written();
    } else if (client % 2 == 0) {
        processors_[processor]->on_vertex_line(now(), reply.tag);
    } else {
        processors_[processor]->on_instruction_line(now(), reply.tag);
    }
    for (VertexProcessor* each : processors_) each->retry(now());
}

Time Geometry::step() {
    bool active = begin_pass();
    if (!pass_active_) return never;
    active |= builder_.step(now(), assembling_ == pass().draw_count);
    active |= assemble();
    Time next = never;
    for (VertexProcessor* processor : processors_) next = std::min(next, processor->step(now()));
    active |= fetcher_.step(now(), processors_);
    active |= issue_draw();
    active |= end_pass();
    if (active) return now() + period();
    if (issued_ < pass().draw_count && command_free_ > now()) next = std::min(next, command_free_);
    return next;
}

bool Geometry::begin_pass() {
    if (pass_active_ || pass_ == workload_.passes() || buffers_free_ == 0) return false;
    pass_active_ = true;
    --buffers_free_;
    issued_ = assembling_ = assembled_ = emitted_ = emitted_in_pass_ = 0;
    builder_.begin_pass(pass_);
    return true;
}

// The command processor takes its time over a draw, then hands it to the vertex fetcher.
bool Geometry::issue_draw() {
    if (issued_ == pass().draw_count || command_free_ > now()) return false;
    const Draw& draw = workload_.frame().draws[pass().first_draw + issued_];
    if (draw.kind == DrawKind::geometry) {
        if (!fetcher_.ready_for_draw()) return false;
        fetcher_.begin_draw(pass().first_draw + issued_);
    }
    command_free_ = now() + draw_cost_;
    ++issued_;
    ++draws_;
    return true;
}

// One primitive a cycle goes on, vertices_per_cycle vertices come in. True if something happened.
bool Geometry::assemble() {
    if (assembling_ == issued_) return false;
    const Draw& draw = workload_.frame().draws[pass().first_draw + assembling_];
    bool active = emit_primitive(draw);
    for (int i = 0; i < vertices_per_cycle_ && assemble_vertex(draw); ++i) active = true;
    const std::uint32_t vertices = draw.kind == DrawKind::geometry ? draw.fetch_count : 0;
    if (assembled_ < vertices || emitted_ < draw.primitive_count) return active;
    assembled_primitives_ += draw.assembled_primitives;
    culled_primitives_ += draw.culled_primitives;
    assembled_ = emitted_ = 0;
    ++assembling_;
    return true;
}

bool Geometry::assemble_vertex(const Draw& draw) {
    RingQueue<std::uint8_t>& indices = fetcher_.stream();
    if (draw.kind != DrawKind::geometry || assembled_ == draw.fetch_count || indices.empty()) return false;
    if (primitive_ready(draw)) return false;  // assembly has no place to keep primitives
    const std::uint8_t source = indices.front();
    if (source != VertexFetcher::reused) {
        if (processors_[source]->shaded() == 0) return false;
        processors_[source]->take_shaded();
    }
    indices.pop();
    ++assembled_;
    ++vertices_assembled_;
    return true;
}

// The next primitive has all its vertices.
bool Geometry::primitive_ready(const Draw& draw) const {
    if (emitted_ == draw.primitive_count) return false;
    const auto& vertices = workload_.frame().primitives[draw.first_primitive + emitted_].vertices;
    return draw.kind != DrawKind::geometry || std::max({vertices[0], vertices[1], vertices[2]}) < assembled_;
}

bool Geometry::emit_primitive(const Draw& draw) {
    if (!primitive_ready(draw) || !builder_.has_room()) return false;
    builder_.push(emitted_in_pass_++);
    ++emitted_;
    return true;
}

bool Geometry::end_pass() {
    if (assembling_ < pass().draw_count || !builder_.drained()) return false;
    ready.send({pass_}, period());
    pass_active_ = false;
    ++pass_;
    return true;
}

std::string Geometry::unfinished() const {
    std::string text;
    const auto say = [&](bool condition, const std::string& what) {
        if (condition) text += (text.empty() ? "" : ", ") + what;
    };
    say(pass_active_, "pass " + std::to_string(pass_) + " under way, draw " + std::to_string(assembling_) + " of it");
    say(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " answers awaited");
    say(buffers_free_ != 2, "parameter buffers not given back");
    return text;
}

}  // namespace models

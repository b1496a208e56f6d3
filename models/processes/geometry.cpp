#include "models/processes/geometry.h"

#include <algorithm>

#include "models/base/laws.h"
#include "models/base/unfinished.h"

namespace models {

using engine::never;
using engine::Time;

namespace {

constexpr int index_part = 0, list_part = 1, upload_part = 2, command_part = 3;

}  // namespace

Geometry::Geometry(const Shape& shape, const Workload& workload)
    : Clocked("geometry", -1, shape.fetcher.period),
      workload_(workload),
      draw_cost_(shape.geometry.draw_cost.count() * period()),
      hop_(shape.hop),
      vertices_per_cycle_(shape.geometry.vertices_per_cycle()),
      most_outstanding_(2 * static_cast<std::uint32_t>(shape.geometry.vertex_queue())),
      stream_room_(static_cast<std::uint32_t>(shape.streamed_primitives)),
      outstanding_(static_cast<std::size_t>(shape.fetcher.processors)),
      shaded_(outstanding_.size()),
      freed(this, "freed", shape.streamed_primitives == 0 ? 1 : 0, engine::handler<&Geometry::on_freed>),
      shaded(this, "shaded", shape.fetcher.processors, engine::handler<&Geometry::on_shaded>),
      replies(this, "replies", engine::handler<&Geometry::on_reply>),
      primitives_taken(this, "primitives_taken", shape.streamed_primitives == 0 ? 0 : 1,
                       engine::handler<&Geometry::on_primitives_taken>),
      ready(this, "ready", shape.streamed_primitives == 0 ? 1 : 0, hop_),
      primitives(this, "primitives", shape.streamed_primitives == 0 ? 0 : 1, hop_),
      vertices(this, "vertices", shape.fetcher.processors, hop_),
      memory(this, shape.memory, period()),
      time(&counters(),
           {{{"idle", Activity::starved, frame_done},
             {"commands", Activity::busy},
             {"waits_commands", Activity::starved, memory.answered_by()},
             {"waits_indices", Activity::starved, memory.answered_by()},
             {"waits_vertices", Activity::starved, shape.vertex_shaders},
             {"assembly", Activity::busy},
             {"lists", Activity::busy},
             {"waits_memory", Activity::blocked, MemoryPort::room_of},
             {"waits_raster", Activity::blocked, "raster"},
             {"waits_passes", Activity::starved, "colour"},
             {"uploads", Activity::busy},
             {"waits_lists", Activity::starved, memory.answered_by()}}},
           period()),
      command_reader_(&counters(), shape.geometry, workload, memory, command_part, period()),
      fetcher_(&counters(), shape.geometry, shape.fetcher, workload, memory, index_part),
      uploader_(&counters(), shape.geometry.uploads(), workload, memory, upload_part, period()) {
    if (shape.streamed_primitives == 0)
        builder_ = std::make_unique<ListBuilder>(&counters(), shape.tiling, shape.geometry.triangle_queue(), workload,
                                                 memory, list_part, period());
}

void Geometry::begin_frame() {
    pass_ = stored_ = 0;
    command_reader_.begin_frame();
    uploader_.begin_frame();
}

void Geometry::on_shaded(const VerticesShaded& message, int processor) {
    shaded_[static_cast<std::size_t>(processor)] += message.count;
}

void Geometry::on_reply(const MemoryReply& reply) {
    if (!memory.take_reply(now(), reply)) return;
    if (reply.tag.part == index_part)
        fetcher_.on_index_line(reply.tag);
    else if (reply.tag.part == list_part)
        builder_->on_written();
    else if (reply.tag.part == command_part)
        command_reader_.on_line(reply.tag);
}

bool Geometry::send_vertices(int processor, const ShadeVertices& warp, std::uint32_t count) {
    std::uint32_t& outstanding = outstanding_[static_cast<std::size_t>(processor)];
    if (outstanding + count > most_outstanding_) return false;
    outstanding += count;
    vertices[processor].send(warp, hop_);
    return true;
}

Time Geometry::step() {
    bool active = begin_pass(), assembled = false, built = false;
    active |= command_reader_.step(now());
    if (pass_active_) {
        built = !streams() && builder_->step(now(), assembling_ == draws_of_pass());
        active |= built;
        assembled = assemble();
        active |= assembled;
        active |= fetcher_.step(now(), *this);
        active |= issue_draw();
        active |= end_pass();
    }
    const bool uploaded = uploader_.step(now());  // last, as nothing waits for it
    time.enter(now(), state(assembled, built, uploaded));
    if (active || uploaded) return now() + period();
    return pass_active_ && issued_ < draws_of_pass() && command_free_ > now() ? command_free_ : never;
}

bool Geometry::begin_pass() {
    if (pass_active_ || pass_ == workload_.passes() || (!streams() && buffers_free_ == 0) ||
        stored_ < workload_.order().stored_before_vertices(pass_))
        return false;
    pass_active_ = true;
    issued_ = assembling_ = assembled_ = emitted_ = emitted_in_pass_ = 0;
    if (streams()) return true;
    --buffers_free_;
    builder_->begin_pass(pass_);
    return true;
}

// The command processor takes its time over a draw, then hands it to the vertex fetcher.
bool Geometry::issue_draw() {
    if (issued_ == draws_of_pass() || command_free_ > now() || !command_reader_.has_draw()) return false;
    const Draw& draw = workload_.frame().draws[next_draw()];
    if (draw.kind == DrawKind::geometry) {
        if (!fetcher_.ready_for_draw()) return false;
        fetcher_.begin_draw(next_draw());
    }
    command_free_ = now() + draw_cost_;
    command_reader_.take_draw();
    ++issued_;
    ++draws;
    return true;
}

// One primitive a cycle goes on, vertices_per_cycle vertices come in. True if something happened.
bool Geometry::assemble() {
    if (assembling_ == issued_) return false;
    const Draw& draw = workload_.frame().draws[pass().first_draw + assembling_];
    bool active = emit_primitive(draw);
    for (int i = 0; i < vertices_per_cycle_ && assemble_vertex(draw); ++i) active = true;
    const std::uint32_t count = draw.kind == DrawKind::geometry ? draw.fetch_count : 0;
    if (assembled_ < count || emitted_ < draw.primitive_count) return active;
    if (streams() && draw.kind == DrawKind::clear) {
        if (!has_room()) return active;
        stream({none, pass().first_draw + assembling_});
    }
    assembled_primitives += draw.assembled_primitives;
    culled_primitives += draw.culled_primitives;
    assembled_ = emitted_ = 0;
    ++assembling_;
    return true;
}

bool Geometry::assemble_vertex(const Draw& draw) {
    RingQueue<std::uint16_t>& indices = fetcher_.stream();
    if (draw.kind != DrawKind::geometry || assembled_ == draw.fetch_count || indices.empty()) return false;
    if (primitive_ready(draw)) return false;  // assembly has no place to keep primitives
    const std::uint16_t source = indices.front();
    if (source != VertexFetcher::reused) {
        if (shaded_[source] == 0) return false;
        --shaded_[source];
        --outstanding_[source];
    }
    indices.pop();
    ++assembled_;
    ++vertices_assembled;
    return true;
}

// The next primitive has all its vertices.
bool Geometry::primitive_ready(const Draw& draw) const {
    if (emitted_ == draw.primitive_count) return false;
    const auto& corners = workload_.frame().primitives[draw.first_primitive + emitted_].vertices;
    return draw.kind != DrawKind::geometry || std::max({corners[0], corners[1], corners[2]}) < assembled_;
}

bool Geometry::emit_primitive(const Draw& draw) {
    if (!primitive_ready(draw) || !has_room()) return false;
    if (streams())
        stream({draw.first_primitive + emitted_, pass().first_draw + assembling_});
    else
        builder_->push(emitted_in_pass_++);
    ++emitted_;
    ++primitives_out;
    return true;
}

void Geometry::stream(const StreamedPrimitive& item) {
    primitives[0].send(item, hop_);
    --stream_room_;
}

bool Geometry::end_pass() {
    if (assembling_ < draws_of_pass() || (streams() ? !has_room() : !builder_->drained())) return false;
    if (streams())
        stream({none, none});
    else
        ready[0].send({pass_}, hop_);
    pass_active_ = false;
    ++pass_;
    return true;
}

// Uploads are what it does when nothing is left to be executed: they go on beside all else.
Geometry::State Geometry::state(bool assembled, bool built, bool uploaded) const {
    if (assembled) return State::assembly;
    if (!pass_active_) {
        if (pass_ == workload_.passes())
            return uploaded ? State::uploads : uploader_.is_done() ? State::idle : State::memory_busy;
        return !streams() && buffers_free_ == 0 ? State::raster : State::passes;
    }
    if (streams() && (!has_room() || assembling_ == draws_of_pass())) return State::raster;
    if (!has_room() || assembling_ == draws_of_pass())
        return built ? State::lists : builder_->all_sent() ? State::lists_awaited : State::memory_busy;
    if (assembling_ < issued_) return fetcher_.awaits_indices() ? State::indices_awaited : State::vertices_awaited;
    return command_free_ > now() || command_reader_.has_draw() ? State::commands : State::commands_awaited;
}

std::string Geometry::unfinished() const {
    Unfinished work;
    work.add_if(pass_active_,
                "pass " + std::to_string(pass_) + " under way, draw " + std::to_string(assembling_) + " of it");
    work.add_if(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " answers awaited");
    work.add_if(buffers_free_ != 2, "parameter buffers not given back");
    return work.text();
}

void Geometry::add_laws(Laws& laws) const {
    time.add_laws(laws, "geometry");
    laws.equal("indices fetched = vertices assembled", {fetcher_.indices}, {vertices_assembled});
    laws.equal("indices fetched = vertices reused + vertices sent", {fetcher_.indices},
               {fetcher_.vertices_reused, fetcher_.vertices_sent});
    Sum reads, writes, written{uploader_.lines_uploaded}, requested, answered{memory.replies};
    reads.add(memory.reads);
    writes.add(memory.writes);
    requested.add(memory.reads);
    requested.add(memory.writes);
    laws.equal("geometry: requests to the L2 cache = answers", requested, answered);
    laws.equal("geometry: lines requested = lines of indices and of commands", reads,
               {fetcher_.index_lines, command_reader_.command_lines});
    if (!streams()) {
        written.add(builder_->whole_lines);
        written.add(builder_->part_lines);
        laws.equal("primitives handed on = primitives written to the parameter buffer", {primitives_out},
                   {builder_->primitives});
    }
    laws.equal("geometry: writes = lines and parts written to the parameter buffer + lines uploaded", writes, written);
}

void Geometry::serialize(engine::Archive& archive) {
    archive(pass_, stored_, pass_active_, buffers_free_, issued_, command_free_, assembling_, assembled_, emitted_,
            emitted_in_pass_, stream_room_, outstanding_, shaded_, memory, time, command_reader_, fetcher_, uploader_);
    if (!streams()) archive(*builder_);
}

}  // namespace models

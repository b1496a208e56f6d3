// A cycle of a cluster: warps start, leave their cores and are handed on. All that a step calls stands beside it, so
// that the compiler can inline it.
#include <algorithm>
#include <bit>

#include "models/processes/cluster.h"

namespace models {

using engine::never;
using engine::Time;

Time Cluster::step() {
    census_.look(now(), texture_cache_.get());
    bool active = step_constants();
    int number = 0;
    for (const auto& core : cores_) active |= step_core(*core, number++);
    if (vertex_input_) {
        active |= return_vertices();
        active |= start_vertices();
        active |= vertex_input_->step(now());
    }
    Time next = active ? now() + period() : never;
    if (home_) next = std::min(next, home_->step(now(), *texture_cache_));
    if (texture_unit_.next() <= now()) texture_unit_.step(now(), *this);
    Time core_next = cores_.size() == 1 ? cores_[0]->core.step(now(), texture_unit_) : step_cores();
    number = 0;
    if (has_fragments_)
        for (const auto& core : cores_) next = std::min(next, step_queue(*core, number++));
    if (tile_renderer_) next = std::min(next, tile_renderer_->step(now(), *this));
    if (pixel_stage_) next = std::min(next, step_pixels());
    if (snoop_port_) next = std::min(next, step_snoop_port());
    if (vertex_input_ && !vertex_input_->is_empty() && vertex_input_->front().is_requested != 0 &&
        vertex_input_->front().ready_at > now())
        next = std::min(next, vertex_input_->front().ready_at);
    if (cores_.size() > 1 || pixel_stage_) return std::min({next, core_next, texture_unit_.next_after(now())});
    core_next = cores_[0]->core.run(now(), core_next, next, texture_unit_, *this,
                                    [this](Time t) { return !census_.is_due(t) && go_on_at(t); });
    return std::min(next, core_next);
}

// Of several cores; those that wait for room in the texture unit are the first to ask for it, in turn.
Time Cluster::step_cores() {
    Time next = never;
    const std::uint32_t first = texture_unit_.first_turn();
    std::uint32_t number = first;
    do {
        next = std::min(next, texture_unit_.take_turn(now(), number,
                                                      [&] { return cores_[number]->core.step(now(), texture_unit_); }));
        if (++number == cores_.size()) number = 0;
    } while (number != first);
    return next;
}

// Lookups of constants, before warps look for them: what comes in this cycle lets one start in it. The core whose
// lookup the cache did not take is the first one in the next cycle, those behind it follow.
[[gnu::always_inline]] inline bool Cluster::step_constants() {
    if (cores_.size() == 1) return cores_[0]->constants.is_loading() && cores_[0]->constants.step(now());
    bool active = false;
    const std::size_t first = constant_turn_;
    bool is_passed_over = false;
    std::size_t number = first;
    do {
        ConstantLoader& constants = cores_[number]->constants;
        if (constants.is_loading()) [[unlikely]] {
            active |= constants.step(now());
            if (constants.was_passed_over() && !is_passed_over) {
                is_passed_over = true;
                constant_turn_ = number;
            }
        }
        if (++number == cores_.size()) number = 0;
    } while (number != first);
    return active;
}

// A warp leaves its slot, a quad the cluster, a warp begins. True if something happened.
[[gnu::always_inline]] inline bool Cluster::step_core(Core& core, int number) {
    const bool may_finish = core.exports_full ? core.core.warps().finish_at() <= now() : core.core.has_finished(now());
    bool active = may_finish && finish_warp(core);
    if (core.exports.is_ready() && core.colour_credits > 0) {
        hand_over(core, number);
        active = true;
    }
    if (!core.queue.empty() && core.core.has_room() && core.queue.front().ready_at <= now())
        active |= start_fragments(core);
    return active;
}

// When the warp in front can begin; returns credits for those that have.
[[gnu::always_inline]] inline Time Cluster::step_queue(Core& core, int number) {
    const Time next = core.taken.is_due(now()) ? return_credits(core, number) : core.taken.due();
    return core.queue.empty() || core.queue.front().ready_at <= now() ? next
                                                                      : std::min(next, core.queue.front().ready_at);
}

bool Cluster::finish_warp(Core& core) {
    const auto may_leave = [&](std::uint32_t name) {
        return (name & vertex_name) != 0 ? vertex_exports_.has_room_for(name & ~vertex_name)
                                         : core.exports.has_room_for(name);
    };
    std::uint32_t name = 0;
    if (!core.core.take_finished(now(), may_leave, name)) {
        core.exports_full = !vertex_input_;  // vertices leave by other exports
        return false;
    }
    if ((name & vertex_name) != 0)
        vertex_exports_.finish(name & ~vertex_name);
    else
        core.exports.finish(name);
    return true;
}

void Cluster::hand_over(Core& core, int number) {
    const Work& work = core.exports.front();
    const std::uint32_t quad = work.quads[core.handed_over];
    if (tile_renderer_)
        tile_renderer_->take_shaded(now(), quad, work.buffer, static_cast<std::uint32_t>(number));
    else if (pixel_stage_)
        pixel_stage_->take_quad(now(), quad, workload_.pass_of_tile(work.tile), static_cast<std::uint32_t>(number),
                                *this);
    else
        shaded[number].send({quad, work.buffer}, hop_);
    --core.colour_credits;
    ++core.quads_out;
    if (++core.handed_over == work.count) {
        core.handed_over = 0;
        core.exports.pop();
        core.exports_full = false;
    }
}

std::uint32_t Cluster::program_of(const Work& work) const {
    const Frame& frame = workload_.frame();
    return frame.draws[frame.primitives[frame.quads[work.quads[0]].primitive].draw].fragment_program;
}

// Of all draws whose quads are in the warp, one after the other.
bool Cluster::has_constants(Core& core, const Work& work) {
    const Frame& frame = workload_.frame();
    while (core.constants_read < work.count) {
        const std::uint32_t draw = frame.primitives[frame.quads[work.quads[core.constants_read]].primitive].draw;
        if (!core.constants.has(now(), draw, false)) {
            core.core.set_awaits_constants(true);
            forget(&constant_cache_, constant_pass_, workload_.pass_of_tile(work.tile));
            return false;
        }
        ++core.constants_read;
    }
    core.core.set_awaits_constants(false);
    return true;
}

// True if something happened.
bool Cluster::start_fragments(Core& core) {
    if (!core.core.has_room_for(program_of(core.queue.front()))) return false;
    const bool was_loading = core.constants.is_loading();
    if (!has_constants(core, core.queue.front())) return !was_loading;  // the first lookup is in the next cycle
    const Work work = core.queue.front();
    core.queue.pop();
    core.constants_read = 0;
    core.queued_quads -= work.count;
    const Frame& frame = workload_.frame();
    begin_textures_of(work.tile);
    std::array<ShaderCore::Group, ShadeWarp::most> groups;
    for (std::uint32_t i = 0; i < work.count; ++i) {
        const Quad& quad = frame.quads[work.quads[i]];
        groups[i] = {quad.path, workload_.quads().lanes(work.quads[i]), quad.first_access};
    }
    Attribution attribution;
    attribution.draw = frame.primitives[frame.quads[work.quads[0]].primitive].draw;
    attribution.tile = work.tile;
    core.core.launch(
        now(),
        {frame.draws[attribution.draw].fragment_program, false, core.exports.push(work) & ~vertex_name, attribution},
        {groups.data(), work.count});
    core.taken.add(now(), work.count);
    return true;
}

bool Cluster::start_vertices() {
    if (vertex_input_->is_empty() || !vertex_input_->front().is_ready(now())) return false;
    std::size_t i = 0;
    const std::uint32_t program = workload_.frame().draws[vertex_input_->front().draw].vertex_program;
    while (i < cores_.size() && !cores_[(vertex_turn_ + i) % cores_.size()]->core.has_room_for(program)) ++i;
    if (i == cores_.size()) return false;
    Core& core = *cores_[(vertex_turn_ + i) % cores_.size()];
    const bool was_loading = core.constants.is_loading();
    const bool has_constants = core.constants.has(now(), vertex_input_->front().draw, true);
    core.core.set_awaits_constants(!has_constants);
    if (!has_constants) {
        forget(&constant_cache_, constant_pass_, vertex_pass_);
        return !was_loading;  // the first lookup is in the next cycle
    }
    vertex_turn_ = (vertex_turn_ + i + 1) % cores_.size();
    const VertexInput::Warp& warp = vertex_input_->front();
    const Frame& frame = workload_.frame();
    std::array<ShaderCore::Group, VertexInput::most> groups;
    for (std::uint32_t v = 0; v < warp.count; ++v) {
        const Vertex& vertex = frame.vertices[warp.vertices[v]];
        groups[v] = {vertex.path, 1, vertex.first_access};
    }
    Attribution attribution;
    attribution.draw = warp.draw;
    core.core.launch(
        now(),
        {frame.draws[warp.draw].vertex_program, true, vertex_exports_.push({warp.count}) | vertex_name, attribution},
        {groups.data(), warp.count});
    vertex_input_->pop();
    return true;
}

// The vertices of one warp a cycle.
bool Cluster::return_vertices() {
    if (!vertex_exports_.is_ready()) return false;
    const std::uint32_t count = vertex_exports_.front().count;
    vertices_shaded[0].send({count}, hop_);
    vertices_out += count;
    vertex_exports_.pop();
    return true;
}

Time Cluster::return_credits(Core& core, int number) {
    const std::uint32_t credits = core.taken.take();
    if (!tile_renderer_) {
        taken[number].send({credits}, hop_);
        return never;
    }
    tile_renderer_->give_back(number, credits);
    return now() + period();
}

// Blending in memory; tells of what is blended; writes back when it is asked to.
Time Cluster::step_pixels() {
    Time next = pixel_stage_->step(now(), *this);
    if (blended_quads_.is_due(now())) quads_blended[0].send({blended_quads_.take()}, hop_);
    next = std::min(next, blended_quads_.due());
    if (flushes_ && !is_flushing_ && pixel_stage_->can_flush()) {
        pixel_stage_->begin_flush();
        is_flushing_ = true;
        next = now() + period();
    }
    if (is_flushing_ && pixel_stage_->is_clean()) {
        flushes_ = is_flushing_ = false;
        flushed[0].send({flush_pass_}, hop_);
    }
    return next;
}

// Fetches what quads will access, and tells how much it has looked for.
Time Cluster::step_snoop_port() {
    const SnoopPort::Served served = snoop_port_->step(now());
    if (served == SnoopPort::Served::own) prefetches_looked_for_.add(now(), 1);
    if (prefetches_looked_for_.is_due(now())) prefetches_taken[0].send({prefetches_looked_for_.take()}, hop_);
    const bool goes_on = served != SnoopPort::Served::nothing || snoop_port_->has_peer_requests();
    return goes_on ? now() + period() : prefetches_looked_for_.due();
}

void Cluster::quad_done(std::uint32_t core) {
    ++cores_[core]->colour_credits;
    if (pixel_stage_) blended_quads_.add(now(), 1);
}

void Cluster::texture_done(std::uint16_t core, std::uint16_t warp, std::uint16_t destination, Time time) {
    cores_[core]->core.texture_done(warp, destination, time);
}

}  // namespace models

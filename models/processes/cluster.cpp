#include "models/processes/cluster.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace models {

using engine::never;
using engine::Time;

namespace {

int entries_of(const std::vector<int>& entries, int core) {
    return entries.empty() ? 1 : entries[static_cast<std::size_t>(core)];
}

Time least_lookup(const Cluster::Shape& shape) {
    Cycles least = std::min(shape.instruction_cache.latency(), shape.constant_cache.latency());
    if (shape.texture_cache != nullptr) least = std::min(least, shape.texture_cache->latency());
    if (shape.vertex_cache != nullptr) least = std::min(least, shape.vertex_cache->latency());
    if (shape.pixel_cache != nullptr) least = std::min(least, shape.pixel_cache->latency());
    if (shape.front_end != nullptr) least = Cycles{1};
    return least.count * shape.period;
}

// Fragments come from elsewhere; their colours go elsewhere.
bool receives_warps(const Cluster::Shape& shape) {
    return !shape.fragment_entries.empty() && shape.front_end == nullptr;
}
bool sends_shaded(const Cluster::Shape& shape) {
    return receives_warps(shape) && shape.pixel_cache == nullptr;
}

std::unique_ptr<Cache> make_cache(const engine::CounterScope& scope, const CacheParameters* parameters,
                                  const Cache::Site& site, Time period) {
    return parameters == nullptr ? nullptr : std::make_unique<Cache>(scope, parameters->shape(period), site);
}

}  // namespace

Cluster::Core::Core(const engine::CounterScope& scope, int number, const Shape& shape, const Workload& workload,
                    Cache& instructions, Cache& of_constants)
    : core(scope, number, shape.core, workload, instructions, shape.period,
           shape.fragment_entries.empty()
               ? ShaderCore::Neighbours{"geometry", shape.core_kind + "_texture_unit", "geometry"}
               : ShaderCore::Neighbours{"raster", shape.core_kind + "_texture_unit", "colour"},
           shape.vertices_per_warp),
      constants(scope, number, workload, of_constants, shape.period),
      queue(static_cast<std::size_t>(entries_of(shape.fragment_entries, number))),
      exports(static_cast<std::size_t>(shape.core.warps()), static_cast<std::size_t>(shape.core.export_warps())),
      colour_credits(static_cast<std::uint32_t>(entries_of(shape.colour_entries, number))),
      taken(entries_of(shape.fragment_entries, number), shape.credit_patience),
      quads_in(scope, "quads_in", "1", "quads received"),
      quads_out(scope, "quads_out", "1", "quads handed to blending"),
      queue_quads(scope, "queue_quads", "1",
                  "quads found in the queue by arriving ones; divided by quads_in: mean occupancy") {}

Cluster::Cluster(const Shape& shape, const Workload& workload)
    : Clocked(shape.kind, shape.index, shape.period),
      workload_(workload),
      groups_per_warp_(static_cast<std::uint32_t>(shape.core.groups_per_warp())),
      has_fragments_(!shape.fragment_entries.empty()),
      hop_(shape.hop),
      colour_part_(instruction_part + shape.cores),
      blended_quads_(std::accumulate(shape.colour_entries.begin(), shape.colour_entries.end(), 0),
                     shape.credit_patience),
      quads(this, "quads", receives_warps(shape) && groups_per_warp_ == 1 ? shape.cores : 0,
            engine::handler<&Cluster::on_quad>),
      warps(this, "warps", receives_warps(shape) && groups_per_warp_ > 1 ? shape.cores : 0,
            engine::handler<&Cluster::on_warp>),
      blended(this, "blended", sends_shaded(shape) ? shape.cores : 0, engine::handler<&Cluster::on_blended>),
      vertices(this, "vertices", shape.vertex_cache != nullptr ? 1 : 0, engine::handler<&Cluster::take_vertices>),
      tiles(this, "tiles", shape.front_end != nullptr ? 1 : 0, engine::handler<&Cluster::on_tile>),
      depth_tested(this, "depth_tested", shape.pixel_cache != nullptr ? 1 : 0, engine::handler<&Cluster::on_tested>),
      flushes(this, "flushes", shape.pixel_cache != nullptr ? 1 : 0, engine::handler<&Cluster::on_flush>),
      replies(this, "replies", engine::handler<&Cluster::on_reply>),
      taken(this, "taken", receives_warps(shape) ? shape.cores : 0, hop_),
      shaded(this, "shaded", sends_shaded(shape) ? shape.cores : 0, hop_),
      vertices_shaded(this, "vertices_shaded", shape.vertex_cache != nullptr ? 1 : 0, hop_),
      rasterised(this, "rasterised", shape.front_end != nullptr ? 1 : 0, hop_),
      stored(this, "stored", shape.front_end != nullptr ? 1 : 0, hop_),
      depth_tests(this, "depth_tests", shape.pixel_cache != nullptr ? 1 : 0, hop_),
      quads_blended(this, "quads_blended", shape.pixel_cache != nullptr ? 1 : 0, hop_),
      flushed(this, "flushed", shape.pixel_cache != nullptr ? 1 : 0, hop_),
      memory(this, shape.memory, least_lookup(shape)),
      texture_cache_(make_cache({&counters(), {"texture_cache", shape.index}}, shape.texture_cache,
                                {memory, texture_part, MemoryClient::texture}, period())),
      vertex_cache_(make_cache({&counters(), {"vertex_cache", shape.index}}, shape.vertex_cache,
                               {memory, vertex_part, MemoryClient::vertex}, period())),
      constant_cache_({&counters(), {shape.core_kind + "_constant_cache", shape.index}},
                      shape.constant_cache.shape(period()), {memory, constant_part, MemoryClient::constant}),
      census_(&counters(), texture_cache_ ? memory.observed().census_every : 0),
      texture_unit_({&counters(), {shape.core_kind + "_texture_unit", shape.index}}, shape.texture_unit, textures(),
                    period(), shape.core_kind),
      vertex_exports_(static_cast<std::size_t>(shape.core.warps()) * static_cast<std::size_t>(shape.cores),
                      static_cast<std::size_t>(shape.core.export_warps())),
      vertices_out(&counters(), "vertices", "1", "vertices shaded") {
    for (int i = 0; i < shape.cores; ++i) {
        const int number = shape.index * shape.cores + i;
        instruction_caches_.push_back(make_cache({&counters(), {shape.core_kind + "_instruction_cache", number}},
                                                 &shape.instruction_cache,
                                                 {memory, instruction_part + i, MemoryClient::instruction}, period()));
        cores_.push_back(std::make_unique<Core>(engine::CounterScope(&counters(), {shape.core_kind, number}), i, shape,
                                                workload, *instruction_caches_.back(), constant_cache_));
    }
    if (vertex_cache_)
        vertex_input_ = std::make_unique<VertexInput>(&counters(), shape.vertex_warps, workload, *vertex_cache_);
    const int entries = std::accumulate(shape.fragment_entries.begin(), shape.fragment_entries.end(), 0);
    if (shape.front_end != nullptr)
        tile_renderer_ = std::make_unique<TileRenderer>(
            &counters(),
            TileRenderer::Shape{*shape.front_end,
                                *shape.colour,
                                {shape.cores, shape.core.groups_per_warp(), entries, period()},
                                shape.index,
                                colour_part_},
            workload, memory);
    if (shape.pixel_cache != nullptr)
        pixel_stage_ = std::make_unique<PixelStage>(
            engine::CounterScope(&counters(), {"colour", shape.index}),
            PixelStage::Shape{*shape.colour, *shape.pixel_cache, shape.index,
                              std::accumulate(shape.colour_entries.begin(), shape.colour_entries.end(), std::size_t{}),
                              period()},
            workload, memory, colour_part_);
}

void Cluster::begin_frame() {
    census_.begin_frame(now());
    texture_pass_ = vertex_pass_ = constant_pass_ = 0;
    tile_first_ = tile_end_ = 0;
    texture_unit_.begin_frame(workload_.frame());
    for (const auto& core : cores_) {
        core->core.begin_frame();
        core->constants.begin_frame();
    }
    if (tile_renderer_) tile_renderer_->begin_frame();
    forget_uploads(texture_cache_.get(), 0);
    forget_uploads(vertex_cache_.get(), 0);
    forget_uploads(&constant_cache_, 0);
}

void Cluster::end_frame() {
    census_.end_frame(now(), texture_cache_.get());
    forget(texture_cache_.get(), texture_pass_, workload_.passes());
    forget(vertex_cache_.get(), vertex_pass_, workload_.passes());
    forget(&constant_cache_, constant_pass_, workload_.passes());
    if (workload_.passes() > 0) {  // what comes behind the last draw
        forget_uploads(texture_cache_.get(), workload_.passes() - 1);
        forget_uploads(vertex_cache_.get(), workload_.passes() - 1);
        forget_uploads(&constant_cache_, workload_.passes() - 1);
    }
    for (const auto& core : cores_) core->core.time.settle(now());
    texture_unit_.time.settle(now());
    if (tile_renderer_) tile_renderer_->end_frame(now());
    if (pixel_stage_) pixel_stage_->time.settle(now());
}

// Work of this pass begins: forgets what earlier ones wrote, and what the driver writes until its end.
void Cluster::forget(Cache* cache, std::uint32_t& pass, std::uint32_t entered) const {
    if (cache == nullptr) return;
    for (; pass < entered; ++pass) {
        cache->invalidate([&](BlockNumber block) { return workload_.order().written_by(pass, block); });
        forget_uploads(cache, pass + 1);
    }
}

void Cluster::forget_uploads(Cache* cache, std::uint32_t pass) const {
    if (cache == nullptr || !workload_.uploads().any_in(pass)) return;
    cache->invalidate([&](BlockNumber block) { return workload_.uploads().written_in(pass, block); });
}

void Cluster::on_quad(const ShadeQuad& message, int number) {
    Work work;
    work.count = 1;
    work.buffer = message.buffer;
    work.tile = tile_of(message.quad);
    work.quads[0] = message.quad;
    receive(*cores_[static_cast<std::size_t>(number)], work);
}

void Cluster::on_warp(const ShadeWarp& message, int number) {
    Work work;
    work.count = message.count;
    work.buffer = message.buffer;
    work.tile = message.tile;
    work.quads[0] = message.first;
    for (std::uint32_t i = 1; i < work.count; ++i)
        work.quads[i] = message.first + static_cast<std::uint32_t>(std::int32_t{message.distance[i - 1]});
    receive(*cores_[static_cast<std::size_t>(number)], work);
}

// It begins when a warp leaves, where there is no room yet.
void Cluster::receive(Core& core, const Work& work) {
    if (!core.core.has_room()) needs_no_step();
    enqueue(core, work);
}

void Cluster::enqueue(Core& core, const Work& work) {
    core.queue_quads += std::uint64_t{core.queued_quads} * work.count;
    core.quads_in += work.count;
    core.queued_quads += work.count;
    core.queue.push(work);
}

// Tiles come one after the other, so the last one is mostly the right one.
std::uint32_t Cluster::tile_of(std::uint32_t quad) {
    if (quad >= tile_first_ && quad < tile_end_) return tile_;
    const std::vector<Tile>& all = workload_.frame().tiles;
    auto after = std::upper_bound(all.begin(), all.end(), quad,
                                  [](std::uint32_t q, const Tile& tile) { return q < tile.first_quad; });
    while ((after - 1)->quad_count == 0) --after;  // empty tiles begin where the next one does
    tile_ = static_cast<std::uint32_t>(after - all.begin() - 1);
    tile_first_ = all[tile_].first_quad;
    tile_end_ = tile_first_ + all[tile_].quad_count;
    return tile_;
}

void Cluster::on_blended(const QuadsBlended& message, int number) {
    Core& core = *cores_[static_cast<std::size_t>(number)];
    if (core.colour_credits > 0 || !core.exports.is_ready()) needs_no_step();
    core.colour_credits += message.count;
}

void Cluster::take_vertices(const ShadeVertices& message, int /*port*/) {
    std::uint32_t pass = vertex_pass_;
    while (pass + 1 < workload_.passes() && message.draw >= workload_.frame().passes[pass + 1].first_draw) ++pass;
    forget(vertex_cache_.get(), vertex_pass_, pass);
    vertex_input_->push(message);
}

void Cluster::on_flush(const FlushPixels& message, int /*port*/) {
    flushes_ = true;
    flush_pass_ = message.pass;
}

void Cluster::on_reply(const MemoryReply& reply) {
    census_.look(now(), texture_cache_.get());
    const bool loads =
        std::any_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->constants.is_loading(); });
    const bool others_wait = loads || texture_unit_.is_refused() || vertex_input_ || tile_renderer_ || pixel_stage_;
    const bool is_of_page = !memory.take_reply(now(), reply);
    if (!is_of_page) take_line(reply);
    texture_unit_.retry();
    if (vertex_input_) vertex_input_->retry();
    for (const auto& core : cores_) core->core.retry(now());
    if (tile_renderer_) tile_renderer_->retry();
    if (pixel_stage_) pixel_stage_->retry();
    if (others_wait || is_of_page || reply.tag.part != texture_part) return;
    needs_no_step();  // only cores can go on, and they know when
    for (const auto& core : cores_) wake_at(core->core.look(edge_from(now())));
}

void Cluster::take_line(const MemoryReply& reply) {
    if (reply.tag.part >= colour_part_) {
        if (tile_renderer_)
            tile_renderer_->on_reply(now(), reply, reply.tag.part - colour_part_);
        else
            pixel_stage_->on_reply(now(), reply);
    } else if (reply.tag.part >= instruction_part) {
        const auto core = static_cast<std::size_t>(reply.tag.part - instruction_part);
        for (const std::uint32_t waiter : instruction_caches_[core]->fill(now(), reply.tag))
            cores_[core]->core.instruction_arrived(now(), waiter & 0xffU);
    } else if (reply.tag.part == constant_part) {
        for (const std::uint32_t core : constant_cache_.fill(now(), reply.tag)) cores_[core]->constants.line_arrived();
    } else {
        Cache& cache = reply.tag.part == vertex_part ? *vertex_cache_ : *texture_cache_;
        for (const std::uint32_t waiter : cache.fill(now(), reply.tag)) {
            if ((waiter & VertexInput::waiter_bit) != 0)
                vertex_input_->fill(waiter);
            else
                texture_unit_.fill(now(), waiter, *this);
        }
    }
}

void Cluster::start_warp(int core, const FormedWarp& warp, Time ready_at) {
    Work work;
    work.ready_at = ready_at;
    work.count = warp.count;
    work.buffer = warp.buffer;
    work.tile = warp.tile;
    std::copy_n(warp.quads.begin(), warp.count, work.quads.begin());
    enqueue(*cores_[static_cast<std::size_t>(core)], work);
}

void Cluster::quad_done(std::uint32_t core) {
    ++cores_[core]->colour_credits;
    if (pixel_stage_) blended_quads_.add(now(), 1);
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

void Cluster::texture_done(std::uint16_t core, std::uint16_t warp, std::uint16_t destination, Time time) {
    cores_[core]->core.texture_done(warp, destination, time);
}

Time Cluster::step() {
    census_.look(now(), texture_cache_.get());
    bool active = false;
    int number = 0;
    for (const auto& core : cores_) active |= step_core(*core, number++);
    if (vertex_input_) {
        active |= return_vertices();
        active |= start_vertices();
        active |= vertex_input_->step(now());
    }
    texture_unit_.step(now(), *this);
    Time next = active ? now() + period() : never;
    number = 0;
    for (const auto& core : cores_) {
        next = std::min(next, core->core.step(now(), texture_unit_));
        if (has_fragments_) next = std::min(next, step_queue(*core, number++));
    }
    if (texture_unit_.wants_step()) next = now() + period();  // also for what a core has just asked of it
    if (tile_renderer_) next = std::min(next, tile_renderer_->step(now(), *this));
    if (pixel_stage_) next = std::min(next, step_pixels());
    if (vertex_input_ && !vertex_input_->is_empty() && vertex_input_->front().is_requested != 0 &&
        vertex_input_->front().ready_at > now())
        next = std::min(next, vertex_input_->front().ready_at);
    return next;
}

// A warp leaves its slot, a quad the cluster, a warp begins. True if something happened.
[[gnu::always_inline]] inline bool Cluster::step_core(Core& core, int number) {
    bool active = core.core.has_finished(now()) && finish_warp(core);
    if (core.exports.is_ready() && core.colour_credits > 0) {
        hand_over(core, number);
        active = true;
    }
    if (!core.queue.empty() && core.core.has_room() && core.queue.front().ready_at <= now()) {
        if (has_constants(core, core.queue.front())) {
            start_fragments(core);
            active = true;
        }
    }
    if (core.constants.is_loading()) active |= core.constants.step(now());
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
    if (!core.core.take_finished(now(), may_leave, name)) return false;
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
    }
}

bool Cluster::has_constants(Core& core, const Work& work) {
    const Frame& frame = workload_.frame();
    const bool has = core.constants.has(now(), frame.primitives[frame.quads[work.quads[0]].primitive].draw, false);
    core.core.set_awaits_constants(!has);
    if (!has) forget(&constant_cache_, constant_pass_, workload_.pass_of_tile(work.tile));
    return has;
}

void Cluster::start_fragments(Core& core) {
    const Work work = core.queue.front();
    core.queue.pop();
    core.queued_quads -= work.count;
    const Frame& frame = workload_.frame();
    if (texture_pass_ + 1 < workload_.passes() && work.tile >= frame.passes[texture_pass_ + 1].first_tile)
        forget(texture_cache_.get(), texture_pass_, workload_.pass_of_tile(work.tile));
    std::array<ShaderCore::Group, ShadeWarp::most> groups;
    for (std::uint32_t i = 0; i < work.count; ++i) {
        const Quad& quad = frame.quads[work.quads[i]];
        groups[i] = {quad.path, static_cast<std::uint16_t>(std::popcount(workload_.quads().lanes(work.quads[i]))),
                     quad.first_access};
    }
    Attribution attribution;
    attribution.draw = frame.primitives[frame.quads[work.quads[0]].primitive].draw;
    attribution.tile = work.tile;
    core.core.launch(
        now(),
        {frame.draws[attribution.draw].fragment_program, false, core.exports.push(work) & ~vertex_name, attribution},
        {groups.data(), work.count});
    core.taken.add(now(), work.count);
}

bool Cluster::start_vertices() {
    if (vertex_input_->is_empty() || !vertex_input_->front().is_ready(now())) return false;
    std::size_t i = 0;
    while (i < cores_.size() && !cores_[(vertex_turn_ + i) % cores_.size()]->core.has_room()) ++i;
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

void Cluster::serialize(engine::Archive& archive) {
    archive(texture_pass_, vertex_pass_, tile_, tile_first_, tile_end_, vertex_turn_, flushes_, is_flushing_,
            flush_pass_, blended_quads_, memory, texture_unit_, vertex_exports_);
    archive(constant_pass_, constant_cache_, census_);
    for (const auto& cache : instruction_caches_) archive(*cache);
    for (const auto& core : cores_) archive(*core);
    if (texture_cache_) archive(*texture_cache_);
    if (vertex_cache_) archive(*vertex_cache_);
    if (vertex_input_) archive(*vertex_input_);
    if (tile_renderer_) archive(*tile_renderer_);
    if (pixel_stage_) archive(*pixel_stage_);
}

}  // namespace models

#include "models/processes/cluster.h"

#include <algorithm>
#include <numeric>

namespace models {

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
           shape.memory.observed, shape.vertices_per_warp),
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
      prefetches_looked_for_(shape.prefetch_queue, shape.credit_patience),
      quads(this, "quads", receives_warps(shape) && groups_per_warp_ == 1 ? shape.cores : 0,
            engine::handler<&Cluster::on_quad>),
      warps(this, "warps", receives_warps(shape) && groups_per_warp_ > 1 ? shape.cores : 0,
            engine::handler<&Cluster::on_warp>),
      blended(this, "blended", sends_shaded(shape) ? shape.cores : 0, engine::handler<&Cluster::on_blended>),
      vertices(this, "vertices", shape.vertex_cache != nullptr ? 1 : 0, engine::handler<&Cluster::take_vertices>),
      tiles(this, "tiles", shape.front_end != nullptr ? 1 : 0, engine::handler<&Cluster::on_tile>),
      depth_tested(this, "depth_tested", shape.pixel_cache != nullptr ? 1 : 0, engine::handler<&Cluster::on_tested>),
      flushes(this, "flushes", shape.pixel_cache != nullptr ? 1 : 0, engine::handler<&Cluster::on_flush>),
      prefetches(this, "prefetches", shape.prefetch_queue > 0 ? 1 : 0, engine::handler<&Cluster::on_prefetch>),
      peer_requests(this, "peer_requests", shape.peer_requests > 0 ? 1 : 0, engine::handler<&Cluster::on_peer_request>),
      replies(this, "replies", engine::handler<&Cluster::on_reply>),
      home_messages(this, "home_messages", shape.home != nullptr ? 1 : 0, engine::handler<&Cluster::on_home>),
      taken(this, "taken", receives_warps(shape) ? shape.cores : 0, hop_),
      shaded(this, "shaded", sends_shaded(shape) ? shape.cores : 0, hop_),
      vertices_shaded(this, "vertices_shaded", shape.vertex_cache != nullptr ? 1 : 0, hop_),
      rasterised(this, "rasterised", shape.front_end != nullptr ? 1 : 0, hop_),
      stored(this, "stored", shape.front_end != nullptr ? 1 : 0, hop_),
      depth_tests(this, "depth_tests", shape.pixel_cache != nullptr ? 1 : 0, hop_),
      quads_blended(this, "quads_blended", shape.pixel_cache != nullptr ? 1 : 0, hop_),
      flushed(this, "flushed", shape.pixel_cache != nullptr ? 1 : 0, hop_),
      prefetches_taken(this, "prefetches_taken", shape.prefetch_queue > 0 ? 1 : 0, hop_),
      memory(this, shape.memory, least_lookup(shape)),
      home_(shape.home != nullptr ? std::make_unique<HomeExit>(this, memory, *shape.home) : nullptr),
      texture_cache_(make_cache(
          {&counters(), {"texture_cache", shape.index}}, shape.texture_cache,
          {home_ ? static_cast<MemoryExit&>(*home_) : memory, texture_part, MemoryClient::texture, home_.get()},
          period())),
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
    if (shape.prefetch_queue > 0)
        snoop_port_ = std::make_unique<SnoopPort>(
            this, engine::CounterScope(&counters(), {"snoop_port", shape.index}),
            SnoopPort::Shape{static_cast<std::size_t>(shape.prefetch_queue),
                             static_cast<std::size_t>(shape.peer_requests), period(), shape.memory.link_width},
            std::array<Cache*, SnoopPort::caches>{&textures(), pixel_stage_ ? &pixel_stage_->cache() : nullptr},
            memory);
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
    if (tile_renderer_) tile_renderer_->begin_frame(now());
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
    for (const auto& core : cores_) core->core.end_frame(now());
    texture_unit_.time.settle(now());
    if (tile_renderer_) tile_renderer_->end_frame(now());
    if (pixel_stage_) pixel_stage_->end_frame(now());
    if (home_) home_->end_frame();
    for (Cache* cache : {texture_cache_.get(), vertex_cache_.get(), &constant_cache_})
        if (cache != nullptr) cache->end_frame();
    for (const auto& cache : instruction_caches_) cache->end_frame();
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
    if (texture_cache_ && workload_.program(workload_.frame().draws[message.draw].vertex_program).has_textures())
        forget(texture_cache_.get(), texture_pass_, pass);
    vertex_input_->push(message);
}

void Cluster::on_flush(const FlushPixels& message, int /*port*/) {
    flushes_ = true;
    flush_pass_ = message.pass;
}

// What quads of a pass access before its first one begins is not what earlier passes left in the cache.
void Cluster::on_prefetch(const PrefetchBlock& message, int /*port*/) {
    census_.look(now(), texture_cache_.get());
    const Frame& frame = workload_.frame();
    SnoopPort::Request request;
    request.block = message.block;
    request.attribution.draw = frame.primitives[frame.quads[message.quad].primitive].draw;
    request.attribution.tile = tile_of(message.quad);
    if (message.cache == PrefetchBlock::textures)
        request.attribution.program_counter =
            workload_.program(frame.draws[request.attribution.draw].fragment_program).place(message.program_counter);
    request.source = message.source;
    forget(texture_cache_.get(), texture_pass_, workload_.pass_of_tile(request.attribution.tile));
    snoop_port_->push(message.cache, request);
}

// Of a cache that fetches ahead.
void Cluster::on_peer_request(const MemoryRequest& request, int /*port*/) {
    census_.look(now(), texture_cache_.get());
    begin_textures_of(request.attribution.tile);
    snoop_port_->push(request);
}

void Cluster::on_reply(const MemoryReply& reply) {
    census_.look(now(), texture_cache_.get());
    const bool loads =
        std::any_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->constants.is_loading(); });
    const bool others_wait = loads || texture_unit_.is_refused() || vertex_input_ || tile_renderer_ || pixel_stage_ ||
                             (home_ && home_->has_work()) || (snoop_port_ && !snoop_port_->is_empty());
    const bool is_of_page = !memory.take_reply(now(), reply);
    if (!is_of_page) take_line(reply);
    texture_unit_.retry();
    if (home_) home_->retry(now());
    if (vertex_input_) vertex_input_->retry();
    for (const auto& core : cores_) {
        core->core.retry(now());
        core->constants.retry();
    }
    if (tile_renderer_) tile_renderer_->retry();
    if (pixel_stage_) pixel_stage_->retry();
    if (snoop_port_) snoop_port_->retry();
    if (!others_wait && !is_of_page && reply.tag.part == texture_part) step_cores_only();
}

// What has come lets only cores go on, and they know when.
void Cluster::step_cores_only() {
    needs_no_step();
    for (const auto& core : cores_) wake_at(core->core.look(edge_from(now())));
    wake_at(std::max(texture_unit_.next(), edge_from(now())));
}

void Cluster::take_line(const MemoryReply& reply) {
    if (reply.tag.part >= colour_part_) {
        if (tile_renderer_)
            tile_renderer_->on_reply(now(), reply, reply.tag.part - colour_part_);
        else
            pixel_stage_->on_reply(now(), reply, [this](std::uint32_t waiter) { hand_on(waiter); });
    } else if (reply.tag.part >= instruction_part) {
        const auto core = static_cast<std::size_t>(reply.tag.part - instruction_part);
        for (const std::uint32_t waiter : instruction_caches_[core]->fill(now(), reply.tag))
            cores_[core]->core.instruction_arrived(now(), waiter & 0xffU);
    } else if (reply.tag.part == constant_part) {
        for (const std::uint32_t core : constant_cache_.fill(now(), reply.tag)) cores_[core]->constants.line_arrived();
    } else {
        if (reply.is_elsewhere() && !home_->wait_for_core(reply.tag.entry)) return;
        texture_line_came(reply.tag);
    }
}

void Cluster::texture_line_came(RequestTag tag) {
    Cache& cache = tag.part == vertex_part ? *vertex_cache_ : *texture_cache_;
    for (const std::uint32_t waiter : cache.fill(now(), tag))
        if ((waiter & VertexInput::waiter_bit) != 0)
            vertex_input_->fill(waiter);
        else if ((waiter & Cache::others_bit) != 0)
            hand_on(waiter);
        else
            texture_unit_.fill(now(), waiter, *this);
}

// A line that another core or cluster waits for.
void Cluster::hand_on(std::uint32_t waiter) {
    if (home_)
        home_->hand_on(now(), waiter);
    else
        snoop_port_->hand_on(now(), waiter);
}

// Of other texture caches, or of who knows which of them has a line.
void Cluster::on_home(const HomeMessage& message, int /*port*/) {
    census_.look(now(), texture_cache_.get());
    if (message.kind == HomeMessage::Kind::request) {
        begin_textures_of(message.tile);
        home_->take(now(), message, *texture_cache_);
        if (edge_from(now()) != now() || !home_->may_serve_at_once(now())) return;
        needs_no_step();  // of all else
        wake_at(home_->serve_at_once(now(), *texture_cache_));
    } else if (home_->take(now(), message, *texture_cache_)) {
        const bool others_wait = texture_unit_.is_refused() || home_->has_work() || vertex_input_;
        texture_line_came(RequestTag::of(texture_part, message.entry));
        texture_unit_.retry();
        home_->retry(now());
        if (!others_wait) step_cores_only();
    } else {
        needs_no_step();
    }
}

// Work of this tile reads textures: forgets what earlier passes wrote.
void Cluster::begin_textures_of(std::uint32_t tile) {
    const Frame& frame = workload_.frame();
    if (tile != none && texture_pass_ + 1 < workload_.passes() && tile >= frame.passes[texture_pass_ + 1].first_tile)
        forget(texture_cache_.get(), texture_pass_, workload_.pass_of_tile(tile));
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

void Cluster::serialize(engine::Archive& archive) {
    archive(texture_pass_, vertex_pass_, tile_, tile_first_, tile_end_, vertex_turn_, constant_turn_, flushes_,
            is_flushing_, flush_pass_, blended_quads_, prefetches_looked_for_, memory, texture_unit_, vertex_exports_);
    archive(constant_pass_, constant_cache_, census_);
    for (const auto& cache : instruction_caches_) archive(*cache);
    for (const auto& core : cores_) archive(*core);
    if (home_) archive(*home_);
    if (texture_cache_) archive(*texture_cache_);
    if (vertex_cache_) archive(*vertex_cache_);
    if (vertex_input_) archive(*vertex_input_);
    if (tile_renderer_) archive(*tile_renderer_);
    if (pixel_stage_) archive(*pixel_stage_);
    if (snoop_port_) archive(*snoop_port_);
}

}  // namespace models

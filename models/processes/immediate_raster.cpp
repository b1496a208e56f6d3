#include "models/processes/immediate_raster.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"
#include "models/base/unfinished.h"

namespace models {

using engine::Time;

namespace {

constexpr int depth_cache_part = 0, clear_part = 1;

}  // namespace

ImmediateRaster::ImmediateRaster(const Shape& shape, const Workload& workload)
    : Clocked("raster", -1, shape.period),
      workload_(workload),
      hop_(shape.hop),
      interpolation_(shape.raster.interpolation_latency.count() * shape.period),
      quads_per_cycle_(static_cast<std::uint32_t>(shape.raster.quads_per_cycle())),
      queue_(static_cast<std::size_t>(shape.triangle_queue)),
      taken_credits_(shape.triangle_queue, shape.credit_patience),
      taken(this, "taken", shape.dispatch.cores, engine::handler<&ImmediateRaster::on_taken>),
      blended(this, "blended", shape.clusters, engine::handler<&ImmediateRaster::on_blended>),
      tests(this, "tests", shape.clusters, engine::handler<&ImmediateRaster::on_test>),
      flushed(this, "flushed", shape.clusters, engine::handler<&ImmediateRaster::on_flushed>),
      prefetched(this, "prefetched", shape.access != nullptr ? shape.clusters : 0,
                 engine::handler<&ImmediateRaster::on_prefetched>),
      replies(this, "replies", engine::handler<&ImmediateRaster::on_reply>),
      primitives_taken(this, "primitives_taken", hop_),
      quads(this, "quads", shape.dispatch.warp_quads == 1 ? shape.dispatch.cores : 0, interpolation_),
      warps(this, "warps", shape.dispatch.warp_quads == 1 ? 0 : shape.dispatch.cores, interpolation_),
      tested(this, "tested", shape.clusters, hop_),
      flushes(this, "flushes", shape.clusters, hop_),
      prefetches(this, "prefetches", shape.access != nullptr ? shape.clusters : 0, hop_),
      stored_for_geometry(this, "stored_for_geometry", hop_),
      memory(this, shape.memory, period()),
      time(&counters(),
           {{{"idle", Activity::starved, frame_done},
             {"busy", Activity::busy},
             {"set_up", Activity::busy},
             {"waits_primitives", Activity::starved, "geometry"},
             {"waits_depths", Activity::starved, memory.answered_by()},
             {"waits_cores", Activity::blocked, "fragment_processor"},
             {"flush", Activity::blocked, memory.answered_by()},
             {"clear", Activity::busy},
             {"waits_clear", Activity::blocked, memory.answered_by()}}},
           period()),
      rasteriser_(&counters(), shape.raster, workload, period()),
      depth_(&counters(), {shape.raster, shape.depth_cache, static_cast<std::size_t>(shape.late_quads), period()},
             workload, memory, depth_cache_part),
      clearer_(&counters(), workload, memory, clear_part, period()),
      dispatch_(&counters(), shape.raster, shape.dispatch),
      access_(make_access_processor({&counters(), {"access_processor", -1}}, shape.access, workload)) {}

void ImmediateRaster::begin_frame() {
    pass_ = 0;
}

void ImmediateRaster::on_flushed([[maybe_unused]] const PixelsFlushed& message, int /*cluster*/) {
    assert(message.pass == pass_);
    --flushes_awaited_;
}

void ImmediateRaster::on_reply(const MemoryReply& reply) {
    if (memory.take_reply(now(), reply)) {
        if (reply.tag.part == clear_part)
            clearer_.on_written();
        else
            depth_.on_reply(now(), reply);
    }
    depth_.retry();
}

Time ImmediateRaster::step() {
    bool refused = false;
    bool active = hand_out(refused);
    // No further quad comes to fill a warp.
    const bool is_last = barrier_ == Barrier::drain && depth_.is_empty();
    dispatch_.send_forming(now(), is_last, *this);
    const bool emitted = rasteriser_.step(now(), [&](std::uint32_t position) {
        if (!depth_.has_room()) return false;
        depth_.test_early(now(), workload_.primitives(pass_).quads()[position], pass_);
        return true;
    });
    active |= emitted;
    if (access_) active |= access_->step(*this);
    active |= take_input();  // which may wait for all of these
    const bool cleared = clearer_.step(now());
    active |= cleared;
    const Time depth_next = depth_.step(now(), *this);
    if (taken_credits_.is_due(now())) primitives_taken.send({taken_credits_.take()}, hop_);
    time.enter(now(), state(emitted, cleared, refused));
    if (active) return now() + period();
    const Time due = taken_credits_.due();
    return std::min(
        {depth_next, rasteriser_.next_event(now()), std::max(dispatch_.next_timeout(now()), now() + period()), due});
}

// Tested quads go to the cores; those with no lanes left end here.
bool ImmediateRaster::hand_out(bool& refused) {
    bool moved = false;
    for (std::uint32_t i = 0; i < quads_per_cycle_ && depth_.is_ready(now()); ++i) {
        const std::uint32_t quad = depth_.front();
        if (workload_.quads().lanes(quad) == 0) {
            tested_quads.end(workload_, quad);
        } else if (take_quad(quad, depth_.front_pass())) {
            ++tested_quads.out;
            ++quads_in_flight_;
        } else {
            refused = true;
            return moved;
        }
        depth_.pop();
        moved = true;
    }
    return moved;
}

bool ImmediateRaster::take_quad(std::uint32_t quad, std::uint32_t number) {
    const Pass& pass = workload_.frame().passes[number];
    const Workload::Place& place = workload_.place(quad);
    const std::uint32_t tile =
        pass.first_tile + place.y / quads_across_tile * pass.tiles_x + place.x / quads_across_tile;
    const std::uint32_t square = workload_.targets(number).square_quads;
    return dispatch_.take(now(), quad, workload_.draw_of(quad).fragment_program,
                          {tile, 0, place.x / square, place.y / square}, *this);
}

void ImmediateRaster::send_warp(int core, const FormedWarp& warp) {
    if (access_) access_->take(warp, core);
    if (quads.size() > 0)
        quads[core].send({warp.quads[0], warp.buffer}, interpolation_);
    else
        warps[core].send(message_of(warp), interpolation_);
}

// The next of the input: a primitive is set up, a clear is done, a pass ends.
bool ImmediateRaster::take_input() {
    if (queue_.empty() || !rasteriser_.can_set_up()) return false;
    const StreamedPrimitive item = queue_.front();
    if (item.primitive != none) {
        const PrimitiveOrder& order = workload_.primitives(pass_);
        const std::uint32_t position = item.primitive - order.first_primitive();
        rasteriser_.set_up(now(), item.primitive, {order.first_quad(position), order.first_quad(position + 1)});
        is_dirty_ = true;
        finish(item);
        return true;
    }
    if (!rasteriser_.is_idle()) return false;  // which works on this pass
    if (needs_flush(item) || barrier_ != Barrier::absent) return pass_barrier(item);
    if (item.draw != none) {
        clearer_.begin(item.draw, pass_);
        barrier_ = Barrier::clear;
        return true;
    }
    finish(item);
    return true;
}

bool ImmediateRaster::needs_flush(const StreamedPrimitive& item) const {
    if (!is_dirty_) return false;
    return item.draw != none || workload_.order().is_awaited(pass_) || pass_ + 1 == workload_.passes();
}

// One step on the way past it. True if something happened.
bool ImmediateRaster::pass_barrier(const StreamedPrimitive& item) {
    switch (barrier_) {
        case Barrier::absent:
            barrier_ = Barrier::drain;
            return true;
        case Barrier::drain:
            if (quads_in_flight_ > 0 || !depth_.can_flush() || (access_ && !access_->is_idle())) return false;
            depth_.begin_flush();
            for (int cluster = 0; cluster < flushes.size(); ++cluster) flushes[cluster].send({pass_}, hop_);
            flushes_awaited_ = static_cast<std::uint32_t>(flushes.size());
            barrier_ = Barrier::flush;
            return true;
        case Barrier::flush:
            if (flushes_awaited_ > 0 || !depth_.is_clean()) return false;
            ++flushes_done;
            is_dirty_ = false;
            barrier_ = Barrier::absent;
            return true;
        case Barrier::clear:
            if (!clearer_.is_done()) return false;
            barrier_ = Barrier::absent;
            finish(item);
            return true;
    }
    return false;
}

void ImmediateRaster::finish(const StreamedPrimitive& item) {
    queue_.pop();
    taken_credits_.add(now(), 1);
    if (item.primitive != none || item.draw != none) return;
    stored_for_geometry.send({pass_}, hop_);
    ++pass_;
    ++passes;
}

ImmediateRaster::State ImmediateRaster::state(bool emitted, bool cleared, bool refused) const {
    if (emitted) return State::busy;
    if (barrier_ == Barrier::clear) return cleared ? State::clear : State::cleared_awaited;
    if (barrier_ == Barrier::flush) return State::flush;
    if (refused || (barrier_ == Barrier::drain && quads_in_flight_ > 0)) return State::cores;
    if (!depth_.is_empty()) return depth_.awaits_memory() ? State::depths : State::busy;
    if (rasteriser_.is_setting_up()) return State::set_up;
    return pass_ < workload_.passes() ? State::primitives_awaited : State::idle;
}

std::string ImmediateRaster::unfinished() const {
    Unfinished work;
    work.add_if(!queue_.empty(), std::to_string(queue_.size()) + " primitives wait");
    work.add_if(quads_in_flight_ > 0, std::to_string(quads_in_flight_) + " quads not blended");
    work.add_if(!depth_.is_empty(), depth_.unfinished());
    work.add_if(!dispatch_.is_complete(), "credits of cores missing");
    work.add_if(access_ && !access_->is_idle(), "blocks to be fetched ahead");
    work.add_if(memory.in_flight() > 0, std::to_string(memory.in_flight()) + " answers awaited");
    return work.text();
}

void ImmediateRaster::add_laws(Laws& laws) const {
    tested_quads.add_laws(laws, name(), rasteriser_.quads_rasterised);
    laws.equal("quads that go on to be shaded = quads handed to cores", {tested_quads.out}, {dispatch_.quads_taken});
    if (access_) access_->add_laws(laws);
    time.add_laws(laws, "raster");
    const Cache& cache = depth_.cache();
    cache.add_laws(laws, "raster's depth cache");
    Sum reads, writes, requested, answered{memory.replies};
    reads.add(memory.reads);
    writes.add(memory.writes);
    requested.add(memory.reads);
    requested.add(memory.writes);
    laws.equal("raster: requests to the L2 cache = answers", requested, answered);
    laws.equal("raster: lines requested = misses of the depth cache", reads, {cache.misses, cache.prefetches});
    laws.equal("raster: lines written = depths written back + lines cleared", writes,
               {cache.written_back, cache.passed_on, cache.written_through, clearer_.lines_cleared});
}

void ImmediateRaster::serialize(engine::Archive& archive) {
    archive(queue_, taken_credits_, pass_, quads_in_flight_, is_dirty_, barrier_, flushes_awaited_, memory, time,
            rasteriser_, depth_, clearer_, dispatch_);
    if (access_) archive(*access_);
}

}  // namespace models

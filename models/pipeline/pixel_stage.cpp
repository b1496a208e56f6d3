#include "models/pipeline/pixel_stage.h"

#include <algorithm>
#include <cassert>

#include "models/base/laws.h"

namespace models {

using engine::Time;

PixelStage::PixelStage(const engine::CounterScope& scope, const Shape& shape, const Workload& workload,
                       MemoryExit& memory, int part)
    : quads_in(scope, "quads_in", "1", "quads received"),
      quads_blended(scope, "quads_blended", "1", "quads blended"),
      quads_late_depth(scope, "quads_late_depth", "1", "of them, those whose depth was tested after shading"),
      workload_(workload),
      quads_per_cycle_(static_cast<std::uint32_t>(shape.colour.quads_per_cycle())),
      cost_(shape.colour),
      period_(shape.period),
      latency_(shape.colour.latency.count() * shape.period),
      queue_(shape.entries),
      recent_(static_cast<std::size_t>(shape.colour.latency.count()) * quads_per_cycle_ + 1),
      cache_({scope.list, {"pixel_cache", shape.index}}, shape.cache.shape(shape.period),
             {memory, part, MemoryClient::colour}),
      time(scope,
           {{{"idle", Activity::starved, "fragment_processor"},
             {"blend", Activity::busy},
             {"waits_late_depth", Activity::starved, "raster"},
             {"waits_old_colours", Activity::starved, memory.answered_by()},
             {"waits_lookups", Activity::starved, scope.kind()},
             {"waits_stores", Activity::starved, memory.answered_by()}}},
           shape.period) {}

// True if its depth has to be tested.
bool PixelStage::push(Time now, std::uint32_t quad, std::uint32_t pass, std::uint32_t source) {
    const Frame& frame = workload_.frame();
    const Draw& draw = workload_.draw_of(quad);
    Entry entry;
    entry.ready_at = now + period_;
    entry.quad = quad;
    entry.pass = pass;
    entry.source = static_cast<std::uint16_t>(source);
    entry.tested = tests_late(draw) ? 0 : 1;
    entry.cycles = static_cast<std::uint16_t>(cost_.of(draw));
    if (frame.quads[quad].written == 0 || draw.colour_mask == 0) entry.looked_up = 1;
    entry.reads = reads_old_colours(draw) ? 1 : 0;
    ++quads_in;
    is_flushing_ = false;
    queue_.push(entry);
    if (queue_.size() == 1) await_last_at_place(now);
    if (entry.tested != 0) return false;
    ++quads_late_depth;
    return true;
}

void PixelStage::late_tested(std::uint32_t count) {
    if (static_cast<std::int32_t>(next_tested_ - queue_.first_number()) < 0) next_tested_ = queue_.first_number();
    for (; count > 0; ++next_tested_) {
        assert(next_tested_ != queue_.end_number());
        Entry& entry = queue_.numbered(next_tested_);
        if (entry.tested != 0) continue;
        entry.tested = 1;
        --count;
    }
}

// One line of the oldest quad that needs one. True if something happened.
bool PixelStage::look_up(Time now) {
    if (refused_) return false;
    if (static_cast<std::int32_t>(next_ - queue_.first_number()) < 0) next_ = queue_.first_number();
    while (next_ != queue_.end_number() && queue_.numbered(next_).looked_up != 0) ++next_;
    if (next_ == queue_.end_number()) return false;
    Entry& entry = queue_.numbered(next_);
    if (entry.tested == 0) return false;
    const Frame& frame = workload_.frame();
    const std::uint32_t draw_number = frame.primitives[frame.quads[entry.quad].primitive].draw;
    const Draw& draw = frame.draws[draw_number];
    const Workload::Targets& targets = workload_.targets(entry.pass);
    const Workload::Place& place = workload_.place(entry.quad);
    const auto skip_to_written = [&] {
        while (entry.target < targets.colour.size() &&
               ((draw.colour_mask >> 4U * entry.target & 15U) == 0 || targets.colour[entry.target].count() == 0))
            ++entry.target;
        entry.looked_up = entry.target == targets.colour.size() ? 1 : 0;
    };
    skip_to_written();
    if (entry.looked_up != 0) return true;
    const SurfaceBlocks::Run run = targets.colour[entry.target].of_quad(place.x, place.y);
    const bool needs_old = ((draw.blend | draw.partial) >> entry.target & 1U) != 0;
    const bool waits = needs_old && entry.was_read == 0;
    const bool reads = waits && !cache_.fetches_for_writes();  // and writes in the next cycle
    const std::uint32_t waiter = waits ? next_ & (Cache::others_bit - 1) : posted;
    Attribution attribution;
    attribution.draw = draw_number;
    const BlockNumber block = run.block(entry.line);
    const Cache::Outcome outcome =
        reads ? cache_.read(now, block, waiter, attribution) : cache_.write(now, block, waiter, attribution);
    if (outcome == Cache::Outcome::busy) return true;
    if (outcome == Cache::Outcome::refused) {
        refused_ = true;
        return false;
    }
    if (waits)
        entry.outstanding = static_cast<decltype(entry.outstanding)>(entry.outstanding + Cache::lines_awaited(outcome));
    entry.ready_at = std::max(entry.ready_at, now + cache_.latency());
    entry.was_read = reads ? 1 : 0;
    if (reads) return true;
    if (++entry.line == run.count) {
        entry.line = 0;
        ++entry.target;
        skip_to_written();
    }
    return true;
}

std::uint32_t PixelStage::blend(Time now) {
    const Entry& entry = queue_.front();
    const std::uint32_t source = entry.source;
    if (recent_.full()) recent_.pop();
    recent_.push({now, entry.quad, entry.pass});
    queue_.pop();
    ++quads_blended;
    if (!queue_.empty()) await_last_at_place(now);
    return source;
}

// The oldest quad reads what the one before at its place has written, or writes behind it. All that are recent enough
// to matter are remembered.
void PixelStage::await_last_at_place(Time now) {
    Entry& entry = queue_.front();
    const Time wait = entry.reads != 0 ? latency_ : period_;
    while (!recent_.empty() && recent_.front().time + latency_ <= now) recent_.pop();
    const Workload::Place& place = workload_.place(entry.quad);
    for (std::uint32_t i = recent_.first_number(); i != recent_.end_number(); ++i) {
        const Recent& before = recent_.numbered(i);
        const Workload::Place& other = workload_.place(before.quad);
        if (other.x == place.x && other.y == place.y && before.pass == entry.pass)
            entry.ready_at = std::max(entry.ready_at, before.time + wait);
    }
}

void PixelStage::take_old_colours(Time now, std::uint32_t number) {
    Entry& entry = queue_.numbered(number);
    --entry.outstanding;
    entry.ready_at = std::max(entry.ready_at, now + period_);
}

Time PixelStage::next_event(Time now) const {
    if (queue_.empty()) return engine::never;
    const Entry& entry = queue_.front();
    if (entry.looked_up == 0 || entry.tested == 0 || entry.outstanding > 0) return engine::never;
    return std::max({entry.ready_at, blend_free_, now + period_});
}

// When it does not blend. A line that is there has to be read, and what was blended last at the place to be written.
PixelStage::State PixelStage::waits_for() const {
    if (queue_.empty()) return is_flushing_ && !cache_.is_clean() ? State::stores : State::idle;
    const Entry& entry = queue_.front();
    if (entry.tested == 0) return State::late_depth;
    return entry.outstanding > 0 ? State::old_colours : State::lookups;
}

std::string PixelStage::unfinished() const {
    return queue_.empty() ? "" : std::to_string(queue_.size()) + " quads to be blended";
}

void PixelStage::add_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": quads received = quads blended", {quads_in}, {quads_blended});
    cache_.add_laws(laws, name + "'s pixel cache");
    time.add_laws(laws, name);
}

void PixelStage::serialize(engine::Archive& archive) {
    archive(queue_, recent_, next_, next_tested_, refused_, is_flushing_, blend_free_, cache_, time);
}

}  // namespace models

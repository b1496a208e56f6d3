// The depth test of immediate rendering: depths and stencils lie in memory behind a cache. Tests quads before shading,
// in order, a few at a time; and after shading those of which the shading decides. A component; its sink has
//     void late_tested(source)          a quad that this source gave after shading
//
// A quad looks up its lines, one a cycle, quads after shading first (nothing after them waits for quads before it).
// Which lanes pass is what the trace says. A line is written where a lane changes it. A cache that fetches nothing for
// writes (depth_cache.write_policy) is read for the test, and written in the next cycle.
// Not modelled: stencils that a quad changes although none of its lanes passes the depth test are read, not written, as
// the trace does not tell them.
#pragma once

#include <cstdint>
#include <string>

#include "models/memory/cache.h"
#include "models/pipeline/raster_parameters.h"
#include "models/structures/ring_queue.h"
#include "models/workload/workload.h"

namespace models {

class DepthUnit {
  public:
    struct Shape {
        const RasterParameters& raster;
        const CacheParameters& cache;
        std::size_t late_quads;  // that may be under way
        engine::Time period;
    };
    // `part`: its number among those that share the memory port.
    DepthUnit(const engine::CounterScope& scope, const Shape& shape, const Workload& workload, MemoryExit& memory,
              int part);

    // Before shading.
    bool has_room() const { return !early_.full(); }
    void test_early(engine::Time now, std::uint32_t quad, std::uint32_t pass);
    bool is_empty() const { return early_.empty() && late_.empty(); }
    // The oldest test of either kind waits for memory, not for the unit's own pipeline.
    bool awaits_memory() const { return refused_ || is_awaited(early_) || is_awaited(late_); }
    bool is_ready(engine::Time now) const { return !early_.empty() && early_.front().is_ready(now); }
    std::uint32_t front() const { return early_.front().quad; }
    std::uint32_t front_pass() const { return early_.front().pass; }
    void pop() { early_.pop(); }

    // After it.
    void test_late(engine::Time now, std::uint32_t quad, std::uint32_t pass, std::uint32_t source);

    // One cycle. Returns the next cycle at which it has something to do by itself, or never.
    template <class Sink>
    engine::Time step(engine::Time now, Sink& sink) {
        bool moved = look_up(now, late_, late_next_) || look_up(now, early_, early_next_);
        if (!late_.empty() && late_.front().is_ready(now)) {
            sink.late_tested(late_.front().source);
            late_.pop();
            moved = true;
        }
        moved |= cache_.write_back(now);
        return moved ? now + period_ : next_event(now);
    }

    void on_reply(engine::Time now, const MemoryReply& reply);
    void retry() { refused_ = false; }

    // Everything is tested: what the cache holds goes to memory.
    bool can_flush() const { return is_empty() && !cache_.awaits_lines(); }
    void begin_flush() { cache_.begin_flush(); }
    bool is_clean() const { return cache_.is_clean(); }
    void end_frame() { cache_.end_frame(); }

    std::string unfinished() const;
    void serialize(engine::Archive& archive);

    engine::Counter quads_early, quads_late;
    const Cache& cache() const { return cache_; }

  private:
    struct Test {
        engine::Time ready_at = 0;
        std::uint32_t quad = 0, pass = 0, source = 0;
        SurfaceBlocks::Run lines;
        std::uint32_t next = 0;  // of the lines, to be looked up
        std::uint32_t outstanding = 0;
        std::uint32_t writes = 0;
        std::uint32_t tests = 0;     // what is there is needed
        std::uint32_t was_read = 0;  // the next line: it is to be written
        bool is_looked_up() const { return next == lines.count; }
        bool is_ready(engine::Time now) const { return is_looked_up() && outstanding == 0 && ready_at <= now; }
    };
    static constexpr std::uint32_t late_bit = 0x80000000U;  // of a waiter: | number in late_; else in early_

    Test describe(engine::Time now, std::uint32_t quad, std::uint32_t pass, bool is_late) const;
    static bool is_awaited(const RingQueue<Test>& tests) { return !tests.empty() && tests.front().outstanding > 0; }
    bool look_up(engine::Time now, RingQueue<Test>& tests, std::uint32_t& next);
    engine::Time next_event(engine::Time now) const;

    // Shape.
    const Workload& workload_;
    engine::Time period_, latency_;

    // State.
    RingQueue<Test> early_, late_;
    std::uint32_t early_next_ = 0, late_next_ = 0;  // numbers of those whose lines are looked up
    bool refused_ = false;
    Cache cache_;
};

}  // namespace models

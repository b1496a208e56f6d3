// Blending of immediate rendering: colours lie in memory behind the pixel cache of a cluster. A component; its sink has
//     void test_late(quad, pass)        depth has to be tested now; late_tested() is the answer
//     void quad_done(source)            a quad has left the source's part of the queue
//
// Quads are blended in the order in which they come. One takes as long as in a tile buffer, and looks up its lines in
// every colour target that it writes, one a cycle; it waits for them only where old colours are needed (blending,
// channels that are kept). A line that is written in part is fetched first. A cache that fetches nothing for writes
// (pixel_cache.write_policy) is read where old colours are needed, and written in the next cycle. Quads of which
// nothing is written look up nothing. One that reads the old colour waits for what was blended last at its place until
// that is there (colour.latency), one that does not writes a cycle after it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/base/time_account.h"
#include "models/memory/cache.h"
#include "models/pipeline/blend_cost.h"
#include "models/structures/ring_queue.h"
#include "models/workload/workload.h"

namespace models {

class Laws;

class PixelStage {
  public:
    struct Shape {
        const ColourParameters& colour;
        const CacheParameters& cache;
        int index;            // of the cluster
        std::size_t entries;  // of the queue, in quads
        engine::Time period;
    };
    PixelStage(const engine::CounterScope& scope, const Shape& shape, const Workload& workload, MemoryExit& memory,
               int part);

    // A shaded quad; the source has a credit for it.
    template <class Sink>
    void take_quad(engine::Time now, std::uint32_t quad, std::uint32_t pass, std::uint32_t source, Sink& sink) {
        if (push(now, quad, pass, source)) sink.test_late(quad, pass);
    }
    // The depths of so many quads, the next ones that wait for that.
    void late_tested(std::uint32_t count);

    // One cycle. Returns the next cycle at which it has something to do by itself, or never.
    template <class Sink>
    engine::Time step(engine::Time now, Sink& sink) {
        bool moved = look_up(now);
        bool blended = false;
        std::uint32_t spent = 0;  // quads that could have been blended at a cost of 1
        while (spent < quads_per_cycle_ && can_blend(now)) {
            spent += queue_.front().cycles;
            sink.quad_done(blend(now));
            blended = true;
        }
        if (spent > quads_per_cycle_) blend_free_ = now + (spent + quads_per_cycle_ - 1) / quads_per_cycle_ * period_;
        moved |= cache_.write_back(now);
        time.enter(now, State::blending, std::max(blended ? now + period_ : now, blend_free_), waits_for());
        return moved || blended ? now + period_ : next_event(now);
    }

    struct NoOthers {
        void operator()(std::uint32_t /*waiter*/) const { assert(false); }
    };
    // hand_on(waiter) for requests of others, if there may be any.
    template <class HandOn = NoOthers>
    void on_reply(engine::Time now, const MemoryReply& reply, const HandOn& hand_on = {}) {
        if (reply.operation != MemoryOperation::read) {
            cache_.on_written();
            return;
        }
        for (const std::uint32_t waiter : cache_.fill(now, reply.tag)) {
            if ((waiter & posted) != 0) continue;
            if ((waiter & Cache::others_bit) != 0)
                hand_on(waiter);
            else
                take_old_colours(now, waiter);
        }
    }
    void retry() { refused_ = false; }

    // All quads are blended: what the cache holds goes to memory.
    bool can_flush() const { return queue_.empty() && !cache_.awaits_lines(); }
    void begin_flush() {
        cache_.begin_flush();
        is_flushing_ = true;
    }
    bool is_clean() const { return cache_.is_clean(); }
    void end_frame(engine::Time now) {
        time.settle(now);
        cache_.end_frame();
    }

    std::string unfinished() const;
    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive);

    engine::Counter quads_in, quads_blended, quads_late_depth;

  private:
    enum State : std::uint8_t { idle, blending, late_depth, old_colours, lookups, stores, states };
    static constexpr std::uint32_t posted = 0x80000000U;  // waiter of a line that no quad waits for

    struct Entry {
        engine::Time ready_at = 0;
        std::uint32_t quad = 0, pass = 0;
        std::uint16_t source = 0, outstanding = 0;
        std::uint8_t tested = 0;            // or needs no test
        std::uint8_t target = 0, line = 0;  // to be looked up next
        std::uint8_t looked_up = 0;         // all of it
        std::uint16_t cycles = 1;           // that blending takes
        std::uint8_t reads = 0;             // the old colour
        std::uint8_t was_read = 0;          // the line that is looked up next: it is to be written
        std::array<std::uint8_t, 4> spare = {};
    };
    struct Recent {
        engine::Time time = 0;
        std::uint32_t quad = 0, pass = 0;
    };
    bool push(engine::Time now, std::uint32_t quad, std::uint32_t pass, std::uint32_t source);
    bool look_up(engine::Time now);
    bool can_blend(engine::Time now) const {
        if (queue_.empty() || blend_free_ > now) return false;
        const Entry& entry = queue_.front();
        return entry.looked_up != 0 && entry.tested != 0 && entry.outstanding == 0 && entry.ready_at <= now;
    }
    std::uint32_t blend(engine::Time now);  // returns its source
    void await_last_at_place(engine::Time now);
    void take_old_colours(engine::Time now, std::uint32_t number);
    engine::Time next_event(engine::Time now) const;
    State waits_for() const;

    // Shape.
    const Workload& workload_;
    std::uint32_t quads_per_cycle_;
    BlendCost cost_;
    engine::Time period_, latency_;

    // State.
    RingQueue<Entry> queue_;
    RingQueue<Recent> recent_;       // quads blended within the latency, the last one last
    std::uint32_t next_ = 0;         // number of the entry whose lines are looked up
    std::uint32_t next_tested_ = 0;  // and of the first that may wait for a depth test
    bool refused_ = false;
    bool is_flushing_ = false;  // since the last quad
    engine::Time blend_free_ = 0;
    Cache cache_;

  public:
    TimeAccount<states> time;
    const Cache& cache() const { return cache_; }
    Cache& cache() { return cache_; }
};

}  // namespace models

// The texture unit of one or several cores. An access of a quad (or a vertex) goes through four stages:
//
//     addresses   level of detail and addresses of the texels: `address_latency` cycles, one access a cycle
//     lookup      its lines, `blocks_per_cycle` a cycle, in the order of the accesses; one that the cache refuses holds
//                 up those behind it
//     lines       until all of them are there; later accesses whose lines are pass by, unless results are in order
//     filter      `samples_per_cycle` bilinear samples a cycle: one quad of them, so that a trilinear quad or one of a
//                 volume takes two cycles, an anisotropic one as many as its ellipse needs; texels of more than
//                 `texel_bytes_per_cycle` take as many passes; then `filter_latency` cycles to the register
//
// The filter takes accesses in the order in which their last line comes, so when it has done one is known at once. An
// access keeps its place (`accesses` of them) until the filter takes it. Cores that share the unit get places in turn
// (room_turns.h).
//
// Where its time goes: it is in `lookup` while an access has its lookups before it, the latency of addresses included,
// and in `filter` from the last lookup until the filter is free, the cache's latency included. So it is busy as long as
// an access is in its pipeline and none waits for lines; how much of its throughput is used say `filter_cycles` and
// `blocks`.
//
// A component: its host names the cache and calls step() at next(), and its sink gets `texture_done(core, warp,
// destination, time)` for each access.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "models/base/time_account.h"
#include "models/core/filter_cost.h"
#include "models/core/texture_unit_parameters.h"
#include "models/memory/cache.h"
#include "models/structures/ring_queue.h"
#include "models/structures/room_turns.h"

namespace models {

class TextureUnit {
  public:
    // For whom an access is.
    struct Requester {
        std::uint16_t core, warp, destination;  // register
        bool vertex;                            // its blocks are in Frame::vertex_blocks, not in Frame::blocks
    };
    // `cores`: the kind of unit that it works for.
    TextureUnit(const engine::CounterScope& scope, const TextureUnitParameters& parameters, Cache& cache,
                engine::Time period, const std::string& cores);

    // Between frames.
    void begin_frame(const Frame& frame) { frame_ = &frame; }

    // Whether there is room for so many. If not, next() tells of the time when there is more.
    bool has_room(engine::Time now, std::uint32_t count) {
        release(now);
        if (free_.size() >= count + turns_.held()) return true;
        is_room_awaited_ = true;
        turns_.refuse(count);
        return false;
    }

    // Of several cores: with which those begin that ask for room in a cycle, and what one of them asks for.
    std::uint32_t first_turn() const { return turns_.first(); }
    template <class Asks>
    auto take_turn(engine::Time now, std::uint32_t core, Asks&& asks) {
        const std::uint64_t before = accesses.value();
        turns_.begin(core);
        const auto result = asks();
        if (turns_.has_claim(core)) release(now);
        turns_.end(accesses.value() != before, free_.size());
        return result;
    }

    // Needs room.
    void push(engine::Time now, const Requester& requester, const TextureAccess& access,
              const Attribution& attribution) {
        const std::uint16_t place = free_.back();
        free_.pop_back();
        Operation& operation = operations_[place];
        operation.next_block = access.first_block;
        operation.blocks_left = access.block_count;
        operation.outstanding = 0;
        operation.core = requester.core;
        operation.warp = requester.warp;
        operation.destination = requester.destination;
        operation.vertex = requester.vertex ? 1 : 0;
        operation.cycles = filter_cost_(access);
        operation.ready_at = now + address_time_;
        operation.attribution = attribution;
        operation.is_there = 0;
        if (queue_.empty()) time.enter(now, State::lookup);
        queue_.push(place);
        if (in_order_) order_.push(place);
        ++accesses;
        samples += access.samples;
        filter_cycles += operation.cycles;
    }

    // When it has something to do by itself; in the past: in every cycle.
    engine::Time next() const {
        const engine::Time looks_up = queue_.empty() || refused_ ? engine::never : operations_[queue_.front()].ready_at;
        return !is_room_awaited_ || releases_.empty() ? looks_up : std::min(looks_up, releases_.front().at);
    }
    // After the cycle that begins now.
    engine::Time next_after(engine::Time now) const { return std::max(next(), now + period_); }

    // One cycle: places that the filter has left are free, and lines are looked up.
    template <class Sink>
    void step(engine::Time now, Sink& sink) {
        if (is_room_awaited_) release(now);
        if (queue_.empty() || refused_ || operations_[queue_.front()].ready_at > now) return;
        look_up(now, sink);
    }

    // A line that an access waited for has arrived.
    template <class Sink>
    void fill(engine::Time now, std::uint32_t place, Sink& sink) {
        Operation& operation = operations_[place];
        if (--operation.outstanding > 0 || operation.blocks_left > 0) return;
        take(now, static_cast<std::uint16_t>(place), sink);
        if (queue_.empty()) time.enter(now, State::filter, filter_free_, waiting());
    }

    // Something was answered: what was refused may go now.
    void retry() { refused_ = false; }

    bool is_refused() const { return refused_; }
    bool is_idle() const { return free_.size() + releases_.size() == operations_.size(); }

    void serialize(engine::Archive& archive) {
        archive(operations_, free_, queue_, order_, releases_, turns_, filter_free_, refused_, is_room_awaited_, time);
    }

    engine::Counter accesses, blocks_read, samples, filter_cycles;

  private:
    enum State : std::uint8_t { idle, lookup, lines, no_room, filter, states };
    struct Operation {
        engine::Time ready_at = 0;  // its addresses
        std::uint32_t next_block = 0;
        std::uint32_t cycles = 1;  // of the filter
        std::uint16_t blocks_left = 0, outstanding = 0;
        std::uint16_t core = 0, warp = 0, destination = 0;
        std::uint8_t vertex = 0;
        std::uint8_t is_there = 0;  // all of its lines; only told apart if results are in order
        Attribution attribution;
    };
    struct Release {
        engine::Time at = 0;
        std::uint64_t place = 0;
    };

    // Nobody looks at places that the filter has left before somebody asks for one.
    void release(engine::Time now) {
        for (; !releases_.empty() && releases_.front().at <= now; releases_.pop()) {
            free_.push_back(static_cast<std::uint16_t>(releases_.front().place));
            is_room_awaited_ = false;
        }
    }
    // When nothing is to be looked up and the filter has nothing.
    State waiting() const { return is_idle() ? State::idle : State::lines; }

    template <class Sink>
    void look_up(engine::Time now, Sink& sink) {
        const std::uint16_t place = queue_.front();
        Operation& operation = operations_[place];
        const BlockNumber* const blocks = operation.vertex != 0 ? frame_->vertex_blocks.data() : frame_->blocks.data();
        bool looked_up = false;
        for (int i = std::min<int>(operation.blocks_left, blocks_per_cycle_); i > 0; --i) {
            const auto outcome = cache_->read(now, blocks[operation.next_block], place, operation.attribution);
            if (outcome == Cache::Outcome::busy) {
                time.enter(now, State::lookup, now + period_, State::lookup);
                return;
            }
            if (outcome == Cache::Outcome::refused) {
                refused_ = true;
                time.enter(now, State::lookup, looked_up ? now + period_ : now, State::no_room);
                return;
            }
            looked_up = true;
            operation.outstanding = static_cast<std::uint16_t>(operation.outstanding + Cache::lines_awaited(outcome));
            ++operation.next_block;
            --operation.blocks_left;
            ++blocks_read;
        }
        if (operation.blocks_left == 0) {
            queue_.pop();
            if (operation.outstanding == 0) take(now, place, sink);
        }
        if (!queue_.empty())
            time.enter(now, State::lookup);
        else if (filter_free_ > now + period_)
            time.enter(now, State::filter, filter_free_, waiting());
        else
            time.enter(now, State::lookup, now + period_, waiting());
    }

    // All lines of an access are there.
    template <class Sink>
    void take(engine::Time now, std::uint16_t place, Sink& sink) {
        if (!in_order_) {
            begin_filter(now, place, sink);
            return;
        }
        operations_[place].is_there = 1;
        while (!order_.empty() && operations_[order_.front()].is_there != 0) {
            begin_filter(now, order_.front(), sink);
            order_.pop();
        }
    }

    template <class Sink>
    void begin_filter(engine::Time now, std::uint16_t place, Sink& sink) {
        const Operation& operation = operations_[place];
        const engine::Time read = now + read_time_, begin = std::max(read, filter_free_);
        filter_free_ = begin + operation.cycles * period_;
        releases_.push({begin, place});
        sink.texture_done(operation.core, operation.warp, operation.destination,
                          filter_free_ - period_ + filter_latency_);
    }

    Cache* cache_;
    const Frame* frame_ = nullptr;
    std::vector<Operation> operations_;
    std::vector<std::uint16_t> free_;  // places in operations_
    RingQueue<std::uint16_t> queue_;   // waiting for lookups
    RingQueue<std::uint16_t> order_;   // not yet with the filter, the oldest first; only if results are in order
    RingQueue<Release> releases_;      // with the filter, or wait for it
    RoomTurns turns_;
    engine::Time filter_free_ = 0;
    bool refused_ = false;
    bool is_room_awaited_ = false;

    // Shape.
    int blocks_per_cycle_;
    FilterCost filter_cost_;
    bool in_order_;
    engine::Time period_, address_time_, read_time_, filter_latency_;

  public:
    TimeAccount<states> time;
};

}  // namespace models

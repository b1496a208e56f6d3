// The texture unit of one or several cores: takes the texture accesses of warps in order, looks up the lines each
// touches a few per cycle, and reports when the filtered colour is in its register. Accesses whose lines are on the way
// do not hold up later ones; a lookup that the cache refuses does. A component: its host names the cache, and its sink
// gets `texture_done(core, warp, destination, time)` for each access.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "models/base/time_account.h"
#include "models/core/shader_core_parameters.h"
#include "models/memory/cache.h"
#include "models/structures/ring_queue.h"

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

    std::uint32_t room() const { return static_cast<std::uint32_t>(free_.size()); }

    // Needs room.
    void push(const Requester& requester, const TextureAccess& access, const Attribution& attribution) {
        const std::uint16_t place = free_.back();
        free_.pop_back();
        operations_[place] = {access.first_block,    access.block_count, 0,          requester.core, requester.warp,
                              requester.destination, requester.vertex,   attribution};
        queue_.push(place);
        ++accesses;
    }

    // One cycle of lookups.
    template <class Sink>
    void step(engine::Time now, Sink& sink) {
        if (!wants_step()) return;
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
            if (operation.outstanding == 0) finish(place, now + cache_->latency() + filter_latency_, sink);
        }
        time.enter(now, State::lookup, now + period_, queue_.empty() ? waiting() : State::lookup);
    }

    // A line that an access waited for has arrived.
    template <class Sink>
    void fill(engine::Time now, std::uint32_t place, Sink& sink) {
        Operation& operation = operations_[place];
        if (--operation.outstanding > 0 || operation.blocks_left > 0) return;
        finish(static_cast<std::uint16_t>(place), now + filter_latency_, sink);
        if (is_idle()) time.enter(now, State::idle);
    }

    // Something was answered: what was refused may go now.
    void retry() { refused_ = false; }

    bool is_refused() const { return refused_; }

    bool wants_step() const { return !queue_.empty() && !refused_; }
    bool is_idle() const { return free_.size() == operations_.size(); }

    void serialize(engine::Archive& archive) { archive(operations_, free_, queue_, refused_, time); }

    engine::Counter accesses, blocks_read;

  private:
    enum State : std::uint8_t { idle, lookup, lines, no_room, states };
    struct Operation {
        std::uint32_t next_block = 0;
        std::uint16_t blocks_left = 0, outstanding = 0;
        std::uint16_t core = 0, warp = 0, destination = 0;
        std::uint16_t vertex = 0;
        Attribution attribution;
    };

    // When nothing is to be looked up.
    State waiting() const { return is_idle() ? State::idle : State::lines; }

    template <class Sink>
    void finish(std::uint16_t place, engine::Time at, Sink& sink) {
        free_.push_back(place);
        const Operation& operation = operations_[place];
        sink.texture_done(operation.core, operation.warp, operation.destination, at);
    }

    Cache* cache_;
    const Frame* frame_ = nullptr;
    std::vector<Operation> operations_;
    std::vector<std::uint16_t> free_;  // places in operations_
    RingQueue<std::uint16_t> queue_;   // waiting for lookups
    int blocks_per_cycle_;
    bool refused_ = false;
    engine::Time period_, filter_latency_;

  public:
    TimeAccount<states> time;
};

}  // namespace models

// The texture unit of a processor: takes the texture accesses of warps in order, looks up the lines each touches a few
// per cycle, and reports when the filtered colour is in its register. Accesses whose lines are on the way do not hold
// up later ones; a lookup that the cache refuses does. Not a process: a member of one.
#pragma once

#include <algorithm>
#include <vector>

#include "models/line_cache.h"
#include "models/ring_queue.h"

namespace models {

class TextureUnit {
  public:
    TextureUnit(const engine::CounterScope& scope, const TextureUnitParameters& parameters, LineCache& cache,
                engine::Time period);

    // The frame's lists of blocks, for accesses pushed from now on.
    void use_blocks(const BlockNumber* blocks) { blocks_ = blocks; }

    std::uint32_t room() const { return static_cast<std::uint32_t>(free_.size()); }

    // An access for a register of a warp. Needs room.
    void push(std::uint32_t warp, std::uint16_t destination, const TextureAccess& access,
              const Attribution& attribution) {
        const std::uint32_t place = free_.back();
        free_.pop_back();
        operations_[place] = {access.first_block, access.block_count, 0, static_cast<std::uint16_t>(warp),
                              destination,        attribution};
        queue_.push(place);
        ++accesses_;
    }

    // One cycle of lookups. Calls sink.texture_done(warp, destination, time) for each access that has its data.
    template <class Sink>
    void step(engine::Time now, Sink& sink) {
        if (!wants_step()) return;
        const std::uint32_t place = queue_.front();
        Operation& operation = operations_[place];
        for (int i = std::min<int>(operation.blocks_left, blocks_per_cycle_); i > 0; --i) {
            const auto outcome = cache_->read(now, blocks_[operation.next_block], place, operation.attribution);
            if (outcome == LineCache::Outcome::refused) {
                refused_ = true;
                return;
            }
            if (outcome == LineCache::Outcome::waiting) ++operation.outstanding;
            ++operation.next_block;
            --operation.blocks_left;
            ++blocks_read_;
        }
        if (operation.blocks_left > 0) return;
        queue_.pop();
        if (operation.outstanding == 0) finish(place, now + cache_->latency() + filter_latency_, sink);
    }

    // A line that an access waited for has arrived.
    template <class Sink>
    void fill(engine::Time now, std::uint32_t place, Sink& sink) {
        Operation& operation = operations_[place];
        if (--operation.outstanding == 0 && operation.blocks_left == 0) finish(place, now + filter_latency_, sink);
    }

    // Something was answered: what was refused may go now.
    void retry() { refused_ = false; }

    bool wants_step() const { return !queue_.empty() && !refused_; }
    bool idle() const { return free_.size() == operations_.size(); }

  private:
    struct Operation {
        std::uint32_t next_block = 0;
        std::uint16_t blocks_left = 0, outstanding = 0;
        std::uint16_t warp = 0, destination = 0;
        Attribution attribution;
    };

    template <class Sink>
    void finish(std::uint32_t place, engine::Time time, Sink& sink) {
        free_.push_back(place);
        sink.texture_done(operations_[place].warp, operations_[place].destination, time);
    }

    LineCache* cache_;
    const BlockNumber* blocks_ = nullptr;
    std::vector<Operation> operations_;
    std::vector<std::uint32_t> free_;  // places in operations_
    RingQueue<std::uint32_t> queue_;   // waiting for lookups
    int blocks_per_cycle_;
    bool refused_ = false;
    engine::Time filter_latency_;
    engine::Counter accesses_, blocks_read_;
};

}  // namespace models

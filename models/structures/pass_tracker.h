// Which passes are wholly in memory: counts the tiles of the passes under way, and tells of passes in their order.
// Plain data: no time.
#pragma once

#include <cstdint>

#include "models/structures/ring_queue.h"

namespace models {

class PassTracker {
  public:
    static constexpr std::size_t most = 64;  // passes under way

    bool is_full() const { return passes_.full(); }

    // Passes begin one after the other; each gets tiles, and ends when it gets no more.
    void begin_pass(std::uint32_t pass) { passes_.push({pass, 0, 0}); }
    void begin_tile(std::uint32_t pass) { ++find(pass).tiles; }
    void end_pass(std::uint32_t pass) { find(pass).ended = 1; }
    // A tile of the pass is in memory.
    void store_tile(std::uint32_t pass) { --find(pass).tiles; }

    // The oldest pass under way is wholly in memory: takes it out.
    bool take_stored(std::uint32_t& pass) {
        if (passes_.empty() || passes_.front().ended == 0 || passes_.front().tiles > 0) return false;
        pass = passes_.front().pass;
        passes_.pop();
        return true;
    }
    bool is_empty() const { return passes_.empty(); }

    void serialize(engine::Archive& archive) { archive(passes_); }

  private:
    struct Pass {
        std::uint32_t pass = 0, tiles = 0, ended = 0;
    };
    Pass& find(std::uint32_t pass) { return passes_.numbered(passes_.first_number() + (pass - passes_.front().pass)); }

    RingQueue<Pass> passes_{most};  // consecutive
};

}  // namespace models

// Lanes: processes that a worker advances side by side, a short piece of a window of each at a time, so that the
// processor overlaps what they do. What happens in a window in two processes is independent, so the order makes no
// difference. Those of one type are advanced in one loop, where all of their code is known to the compiler.
#pragma once

#include <span>
#include <vector>

#include <oneapi/tbb/cache_aligned_allocator.h>

#include "engine/lane.h"
#include "engine/logical_process.h"

namespace engine {

class Lanes {
  public:
    void clear();
    // In the order of their numbers. `wake`: when it has something to do, but for messages.
    void add(LogicalProcess& process, Time wake);
    // All have been added: from now on they stay where they are.
    void close();

    std::span<Lane> all() { return lanes_; }
    void advance(const Piece& piece) {
        for (LaneGroup& group : groups_)
            if (group.reached != 0 || wakes(group, piece.end)) group.lanes[0].process->advance_each(group, piece);
    }
    // Of all. None wakes before t.
    Time next_wake(Time t) const;

  private:
    static bool wakes(const LaneGroup& group, Time before) {
        for (const Lane& lane : group.lanes)
            if (lane.wake < before) return true;
        return false;
    }
    template <class T>
    using Table = std::vector<T, tbb::cache_aligned_allocator<T>>;  // away from what other workers write

    Table<Lane> lanes_;
    Table<LaneGroup> groups_;
};

}  // namespace engine

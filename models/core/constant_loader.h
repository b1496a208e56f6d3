// The constants of a core: before the first warp of a draw's program starts, all that the program declares are read
// through the constant cache into the core's constant registers, a line's lookup a cycle; the warps wait for that. Of a
// warp with quads of several draws those of one draw are read after those of the other. One set of registers for vertex
// programs and one for fragment programs, so unified cores do not load again and again.
// A component: its host gives it a cache, which the cores of a cluster share, and the lines that come.
//
// Zero load, from the wish to the warp's start: lines x 1 cycle and the latency of the last one. Programs without
// constants do not wait. The first lookup is in the cycle behind that of the wish, so its host calls step() before
// has().
//
// Not modelled: loads while warps of the draw before are still at work need a second set of registers, which is there.
#pragma once

#include <array>
#include <cstdint>

#include "engine/archive.h"
#include "models/memory/cache.h"
#include "models/workload/workload.h"

namespace models {

class ConstantLoader {
  public:
    ConstantLoader(const engine::CounterScope& scope, int core, const Workload& workload, Cache& cache,
                   engine::Time period);

    void begin_frame() { loaded_ = {none, none}; }

    // True if the program's constants are there. If not, and nothing else is being loaded, they are asked for.
    bool has(engine::Time now, std::uint32_t draw, bool vertex);
    bool is_loading() const { return draw_ != none; }

    // One cycle: a lookup. Needs is_loading(). False if it can go on only after an answer from memory.
    bool step(engine::Time now);
    // The cache did not take its last lookup, which is to be tried again.
    bool was_passed_over() const { return refused_ || busy_; }
    // Something was answered: what was refused may go now.
    void retry() { refused_ = false; }
    // A line that it waited for has come.
    void line_arrived() { --awaited_; }

    void serialize(engine::Archive& archive) {
        archive(loaded_, draw_, vertex_, refused_, busy_, run_, next_, awaited_, ready_at_, began_);
    }

    engine::Counter loads, lines, cycles;

  private:
    const Workload& workload_;
    Cache* cache_;
    std::uint32_t waiter_;  // of its core, for the cache
    engine::Time period_;

    // State.
    std::array<std::uint32_t, 2> loaded_ = {none, none};  // draws whose constants are there: fragment, vertex
    std::uint32_t draw_ = none;                           // that is being loaded
    bool vertex_ = false;
    bool refused_ = false;       // its lookup, until an answer comes
    bool busy_ = false;          // the cache, for its lookup
    std::uint32_t run_ = 0;      // of DrawConstants
    BlockNumber next_ = 0;       // from the run's first
    std::uint32_t awaited_ = 0;  // lines
    engine::Time ready_at_ = 0;  // those that were hit
    engine::Time began_ = 0;
};

}  // namespace models

// Many-thread-aware prefetching (Lee et al., MICRO 2010): warps that execute one program go through memory alike, so
// what some have done is known of the others. Three tables:
//
//     warp strides       by program counter and warp: the last block and the distance from the one before, trained when
//                        it was the same twice
//     global strides     by program counter: what `promotion` warps have been trained to alike; their entries are freed
//     neighbour strides  by program counter: the distance from one warp's block to the next one's, trained when three
//                        different warps had it twice
//
// The global stride answers first, then that of neighbours if it is trained; only if there is neither the warp's own is
// looked at, and learns. A prediction is for the block `distance` strides away, and the `degree` - 1 after it; a
// throttle drops some.
//
// Readings where the paper is silent: warps are numbered as they begin on a core, so those that have a slot one after
// the other are different ones, as the threads of a grid are, and a core with one warp at a time has neighbours, too.
// Another access to the same block says nothing about a stride. A warp that comes again before another one did is no
// neighbour of itself. A global stride is not checked, as its entry has no block (64 bits in paper 000): it goes when
// it has not been used for longest. Units without warps are one warp. The lines are brought into the cache, not into a
// prefetch cache beside it, as in paper 000.
#pragma once

#include <string_view>

#include "engine/archive.h"
#include "models/prefetch/prefetch_queue.h"
#include "models/prefetch/prefetch_shape.h"
#include "models/prefetch/prefetch_throttle.h"
#include "models/prefetch/recency_table.h"

namespace models {

class ThreadAware {
  public:
    static constexpr std::string_view name = "thread_aware";
    using Counter = std::uint16_t;  // program counter
    struct WarpStride {
        BlockNumber last = 0, stride = 0;  // modulo 2^32, as blocks are
        std::uint32_t trained = 0;
        friend bool operator==(const WarpStride&, const WarpStride&) = default;
    };
    struct NeighbourStride {
        BlockNumber last = 0, stride = 0;
        std::uint32_t trained = 0;
        std::uint32_t warp = none, warp_before = none;  // whose the last block was, and the one before
        friend bool operator==(const NeighbourStride&, const NeighbourStride&) = default;
    };

    explicit ThreadAware(const PrefetchShape& shape)
        : warps_(shape.warp_entries),
          globals_(shape.global_entries),
          neighbours_(shape.neighbour_entries),
          throttle_(shape.throttle),
          promotion_(shape.thread_aware_promotion),
          distance_(shape.thread_aware_distance),
          degree_(shape.thread_aware_degree) {}

    void observe(const CacheObservation& access, PrefetchQueue& requests) {
        throttle_.observe(access);
        const BlockNumber stride = look_up(access);
        for (std::uint32_t i = 0; stride != 0 && i < degree_; ++i)
            if (throttle_.lets_pass()) requests.want(access.block + (distance_ + i) * stride, access.attribution);
    }

    const WarpStride* warp_stride(Counter counter, std::uint32_t warp) const {
        return warps_.find(warp_key(counter, warp));
    }
    const BlockNumber* global_stride(Counter counter) const { return globals_.find(counter); }
    const NeighbourStride* neighbour_stride(Counter counter) const { return neighbours_.find(counter); }
    const PrefetchThrottle& throttle() const { return throttle_; }

    void serialize(engine::Archive& archive) { archive(warps_, globals_, neighbours_, throttle_); }

  private:
    using WarpKey = std::uint32_t;
    static WarpKey warp_key(Counter counter, std::uint32_t warp) { return warp << 16U | counter; }
    static Counter counter_of(WarpKey key) { return static_cast<Counter>(key); }

    // The stride by which to go on, or 0.
    BlockNumber look_up(const CacheObservation& access) {
        const Counter counter = access.attribution.program_counter;
        const BlockNumber* const global = globals_.use(counter);
        const BlockNumber neighbour = learn_neighbour(counter, access);
        if (global != nullptr) return *global;
        return neighbour != 0 ? neighbour : learn_warp(counter, access);
    }
    BlockNumber learn_neighbour(Counter counter, const CacheObservation& access);
    BlockNumber learn_warp(Counter counter, const CacheObservation& access);
    void promote(Counter counter, BlockNumber stride);

    RecencyTable<WarpKey, WarpStride> warps_;
    RecencyTable<Counter, BlockNumber> globals_;
    RecencyTable<Counter, NeighbourStride> neighbours_;
    PrefetchThrottle throttle_;
    std::uint32_t promotion_, distance_, degree_;
};

}  // namespace models

// The input of a processor of vertex programs: warps of vertices that wait for their attributes, which are read through
// the vertex cache, one line a cycle, for the oldest warp that still needs some. A component.
#pragma once

#include <array>

#include "models/memory/cache.h"
#include "models/structures/ring_queue.h"
#include "models/workload/messages.h"
#include "models/workload/workload.h"

namespace models {

class VertexInput {
  public:
    static constexpr std::size_t most = 16;  // vertices of a warp
    struct Warp {
        std::uint32_t draw = 0;
        std::uint32_t count = 0;
        std::array<std::uint32_t, most> vertices = {};  // in Frame::vertices
        std::uint32_t vertex = 0, attribute = 0;        // to be fetched next
        BlockNumber next = 0;                           // of its blocks
        std::uint32_t spare = 0;
        Address first = 0, last = 0;  // byte of the attribute
        std::uint32_t outstanding = 0;
        std::uint32_t is_requested = 0;  // all of it
        engine::Time ready_at = 0;
        bool is_ready(engine::Time now) const { return is_requested != 0 && outstanding == 0 && ready_at <= now; }
    };
    // Waiters of the cache that are this one's have this bit.
    static constexpr std::uint32_t waiter_bit = 0x80000000U;

    // `warps`: that may wait.
    VertexInput(const engine::CounterScope& scope, std::size_t warps, const Workload& workload, Cache& cache);

    void push(const ShadeVertices& message);
    bool is_empty() const { return input_.empty(); }
    const Warp& front() const { return input_.front(); }
    void pop();

    // One cycle. True if a block was looked up, or can be in the next cycle.
    bool step(engine::Time now);
    void fill(std::uint32_t waiter) { --input_.numbered(waiter & ~waiter_bit).outstanding; }
    void retry() { refused_ = false; }

    void serialize(engine::Archive& archive) { archive(input_, fetching_, refused_); }

    engine::Counter attribute_lines;

  private:
    void next_attribute(Warp& warp) const;

    const Workload& workload_;
    Cache* cache_;
    RingQueue<Warp> input_;
    std::uint32_t fetching_ = 0;  // number of the warp whose attributes are fetched
    bool refused_ = false;
};

}  // namespace models

// The access half of decoupled access/execute (paper 000, section 3.3): computes what quads will access while they wait
// in the queue of their core, and sends it ahead to the caches there. A component beside the dispatch, which has chosen
// the core; its sink has
//     void send_prefetch(cluster, message)
//
// Quads are taken in the order in which they are dispatched. Of each come the blocks of its textures, in the order of
// its path, then the lines of its pixels in every colour target that its draw writes. All of them go into the prefetch
// queue as soon as there is room (access_queue.h), from which one leaves a cycle; an entry is free when the cache that
// it is for has looked for it. Where a texture decides where another one is sampled the address is not known ahead:
// those accesses are left out, and counted as loss of decoupling.
//
// With a block goes the number of the other cache that is likely to hold it, too (its Source, access_queue.h).
//
// A quad whose turn has not come when as many others wait behind it as the queues of the cores hold is about to be
// shaded: what it accesses is dropped.
//
// Not modelled: what the computation of an address takes; the paper does not say.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/counter.h"
#include "models/pipeline/dispatch.h"
#include "models/prefetch/access_queue.h"
#include "models/structures/ring_queue.h"
#include "models/workload/messages.h"
#include "models/workload/texture_cursor.h"
#include "models/workload/workload.h"

namespace models {

class Laws;

class AccessProcessor {
  public:
    struct Shape {
        AccessQueue::Shape queue;
        std::size_t quads;  // that the queues of all cores hold
        int cluster_cores;
        bool has_pixels;  // clusters have caches of them
    };
    AccessProcessor(const engine::CounterScope& scope, const Shape& shape, const Workload& workload);

    // A warp has got its core.
    void take(const FormedWarp& warp, int core);
    // One cycle. True if there is more to do in the next one.
    template <class Sink>
    bool step(Sink& sink) {
        while (!waiting_.empty() && !queue_.full()) compute_next();
        if (!queue_.has_next()) return false;
        const AccessQueue::Entry& entry = queue_.send();
        PrefetchBlock message;
        message.quad = entry.quad;
        message.block = entry.block;
        message.program_counter = entry.program_counter;
        message.cache = static_cast<std::uint8_t>(entry.cache % PrefetchBlock::caches_of_cluster);
        message.source = entry.source;
        ++addresses_sent;
        sink.send_prefetch(entry.cache / PrefetchBlock::caches_of_cluster, message);
        return has_work();
    }
    // There is something to do without an answer from a cache.
    bool has_work() const { return queue_.has_next() || (!waiting_.empty() && !queue_.full()); }
    // Caches have looked for so many more.
    void looked_for(std::uint32_t count) { queue_.looked_for(count); }
    bool is_idle() const { return waiting_.empty() && queue_.is_idle(); }

    void add_laws(Laws& laws) const;
    void serialize(engine::Archive& archive) { archive(waiting_, queue_); }

    engine::Counter quads, accesses, accesses_dependent, addresses, addresses_dropped, addresses_sent, sources_named;

  private:
    struct Waiting {  // a quad some of whose addresses are still to be computed
        std::uint32_t quad = 0, pass = 0, cluster = 0;
        TextureCursor textures;
        std::uint32_t access = 0;            // in Frame::accesses, of the cursor's instruction
        std::uint32_t block = 0;             // of that access, the next one
        std::uint32_t target = 0, line = 0;  // the next of its pixels
    };
    const DecodedProgram& program_of(std::uint32_t quad) const;
    void compute_next();
    bool next_address(Waiting& quad, AccessQueue::Entry& entry) const;
    bool next_texture_block(Waiting& quad, AccessQueue::Entry& entry) const;
    bool next_pixel_line(Waiting& quad, AccessQueue::Entry& entry) const;
    std::uint64_t addresses_left(Waiting quad) const;

    const Workload& workload_;
    std::uint32_t cluster_cores_;
    bool has_pixels_;
    RingQueue<Waiting> waiting_;
    AccessQueue queue_;
};

// None without a shape.
inline std::unique_ptr<AccessProcessor> make_access_processor(const engine::CounterScope& scope,
                                                              const AccessProcessor::Shape* shape,
                                                              const Workload& workload) {
    return shape == nullptr ? nullptr : std::make_unique<AccessProcessor>(scope, *shape, workload);
}

}  // namespace models

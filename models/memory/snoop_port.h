// Where the requests of decoupled access/execute come to the caches of a cluster (paper 000, section 3.3): a port of
// its own looks at the tags, one lookup a cycle, and what is not there is fetched into the cache. A component.
//
// A request that its cache cannot fetch now (no MSHR but one, no credit) waits for the next answer, and those for the
// same cache behind it; those for the other cache pass.
//
// Remote L1 (paper 000, section 3.4; if Shape::peer_requests is not 0): what another cache is likely to hold (its
// Source, prefetch/access_queue.h) is asked of that cache, by the networks that lead to the L2 cache and back. The port
// of the other cluster looks for it before its own requests:
//
//     there                     a bank reads the line, and it is sent
//     on its way from the L2    the request waits in the MSHR, if there is room
//     neither                   the request is passed on to the L2 cache, which answers who asked
//
// The paper does not say what becomes of a wrong prediction, nor of lines on their way: passing on costs one crossing
// of the network, telling who asked would cost two.
//
// Who asks another cache holds the credit for the L2 cache all the while, so passing on never waits; a request of
// another cluster waits for a bank, or for a line that the L2 cache will send, and for nothing else: no circle.
// Lookahead: answers depart a lookup of the cache after now or later.
#pragma once

#include <array>
#include <cstdint>

#include "engine/block.h"
#include "models/memory/cache.h"
#include "models/memory/memory_port.h"
#include "models/structures/ring_queue.h"
#include "models/structures/slot_pool.h"
#include "models/workload/messages.h"

namespace models {

class SnoopPort {
  public:
    static constexpr std::size_t caches = PrefetchBlock::caches_of_cluster;
    struct Request {
        BlockNumber block = 0;
        Attribution attribution;
        std::uint16_t source = PrefetchBlock::no_source;  // cache that is likely to hold it, too
        std::uint16_t spare = 0;
    };
    struct Shape {
        std::size_t entries;        // requests that may wait
        std::size_t peer_requests;  // that may come from other caches: all their MSHRs; 0: no remote L1
        engine::Time period;        // ticks
        std::uint32_t link_width;   // bytes of a line that depart in a period
    };
    // Null: there is no such cache.
    SnoopPort(engine::LogicalProcess* process, const engine::CounterScope& scope, const Shape& shape,
              const std::array<Cache*, caches>& of, MemoryPort& memory);

    void push(std::size_t cache, const Request& request) { waiting_[cache].push(request); }
    // Of another cluster.
    void push(const MemoryRequest& request) { of_peers_.push(request); }
    // Nothing waits to be looked for.
    bool is_empty() const {
        for (const RingQueue<Request>& requests : waiting_)
            if (!requests.empty()) return false;
        return of_peers_.empty();
    }
    // No request of another cluster waits for a line.
    bool awaits_no_line() const { return peers_.used() == 0; }

    enum class Served : std::uint8_t { nothing, own, of_peer };
    // One cycle: the oldest request of another cluster, or the oldest one of the first cache that can serve one.
    Served step(engine::Time now);
    bool has_peer_requests() const { return !of_peers_.empty(); }
    // There was an answer.
    void retry() { refused_ = {}; }
    // A line came for a request of another cluster.
    void hand_on(engine::Time now, std::uint32_t waiter) { answer(now, peers_.take(waiter & ~Cache::others_bit)); }

    void add_laws(Laws& laws, const std::string& name) const;
    void serialize(engine::Archive& archive) {
        for (RingQueue<Request>& requests : waiting_) archive(requests);
        archive(refused_, of_peers_, peers_, free_at_);
    }

    engine::Row<engine::Out<MemoryReply>> answers;  // to other clusters: one with remote L1, or none
    engine::Counter lookups, hits, fetched, fetched_with_source, redirected, put_off, peer_requests, peer_hits,
        peer_merged, peer_passed_on;

  private:
    bool serve_peer(engine::Time now);
    void answer(engine::Time now, const MemoryRequest& request);

    std::array<Cache*, caches> caches_;
    MemoryPort& memory_;
    std::array<RingQueue<Request>, caches> waiting_;
    std::array<std::uint8_t, caches> refused_ = {};
    RingQueue<MemoryRequest> of_peers_;
    SlotPool<MemoryRequest> peers_;  // for lines on their way
    engine::Time free_at_ = 0;       // the way of answers

    // Shape.
    bool has_peers_;
    engine::Time period_;
    Divisor link_width_;
};

}  // namespace models

#include "models/memory/snoop_port.h"

#include "models/base/laws.h"

namespace models {
namespace {

engine::Time least_latency(const std::array<Cache*, SnoopPort::caches>& of) {
    engine::Time least = engine::never;
    for (const Cache* cache : of)
        if (cache != nullptr) least = std::min(least, cache->latency());
    return least;
}

}  // namespace

SnoopPort::SnoopPort(engine::LogicalProcess* process, const engine::CounterScope& scope, const Shape& shape,
                     const std::array<Cache*, caches>& of, MemoryPort& memory)
    : answers(process, "peer_answers", shape.peer_requests > 0 ? 1 : 0, least_latency(of)),
      lookups(scope, "lookups", "1", "requests of the access processor that were looked for"),
      hits(scope, "hits", "1", "of them, those for blocks that were there or on their way"),
      fetched(scope, "fetched", "1", "of them, those for blocks that were fetched"),
      fetched_with_source(scope, "fetched_with_source", "1",
                          "of these, those for blocks that another cache is likely to hold"),
      redirected(scope, "redirected", "1", "of these, those that were asked of that cache"),
      put_off(scope, "put_off", "1", "times that a cache had no room for the block"),
      peer_requests(scope, "peer_requests", "1", "requests of other caches that were looked for"),
      peer_hits(scope, "peer_hits", "1", "of them, those for blocks that were there"),
      peer_merged(scope, "peer_merged", "1", "of them, those that waited for a block on its way"),
      peer_passed_on(scope, "peer_passed_on", "1", "of them, those that were passed on to the L2 cache"),
      caches_(of),
      memory_(memory),
      waiting_{RingQueue<Request>(shape.entries), RingQueue<Request>(shape.entries)},
      of_peers_(shape.peer_requests),
      has_peers_(shape.peer_requests > 0),
      period_(shape.period),
      link_width_(shape.link_width) {}

SnoopPort::Served SnoopPort::step(engine::Time now) {
    if (!of_peers_.empty()) return serve_peer(now) ? Served::of_peer : Served::nothing;
    for (std::size_t i = 0; i < caches; ++i) {
        if (waiting_[i].empty() || refused_[i] != 0) continue;
        const Request& request = waiting_[i].front();
        const bool has_source = request.source != PrefetchBlock::no_source;
        const bool asks_peer = has_peers_ && has_source;
        const Cache::Prefetched outcome = caches_[i]->prefetch(now, request.block, request.attribution,
                                                               asks_peer ? request.source : MemoryRequest::no_peer);
        if (outcome == Cache::Prefetched::put_off) {
            refused_[i] = 1;
            ++put_off;
            continue;
        }
        ++lookups;
        if (outcome == Cache::Prefetched::requested) {
            ++fetched;
            fetched_with_source += has_source ? 1 : 0;
            redirected += asks_peer ? 1 : 0;
        } else {
            ++hits;
        }
        waiting_[i].pop();
        return Served::own;
    }
    return Served::nothing;
}

// Of the oldest; false if its bank is busy.
bool SnoopPort::serve_peer(engine::Time now) {
    const MemoryRequest request = of_peers_.front();
    const std::uint32_t name = peers_.put(request);
    const Cache::Shared outcome = caches_[request.peer % caches]->share(now, request.block, name | Cache::others_bit);
    if (outcome != Cache::Shared::waiting) peers_.take(name);
    if (outcome == Cache::Shared::busy) return false;
    of_peers_.pop();
    ++peer_requests;
    switch (outcome) {
        case Cache::Shared::there:
            ++peer_hits;
            answer(now, request);
            break;
        case Cache::Shared::waiting:
            ++peer_merged;
            break;
        default:
            ++peer_passed_on;
            memory_.pass_on(now, request);
    }
    return true;
}

// As the L2 cache would: of the block's place in memory, which gives back the credit for it.
void SnoopPort::answer(engine::Time now, const MemoryRequest& request) {
    const MemoryReply reply = MemoryReply::to(request, memory_.physical(request.block));
    const engine::Time departure = std::max(now + caches_[request.peer % caches]->latency(), free_at_);
    free_at_ = departure + period_ * link_width_.quotient_up(bytes_of(request.sectors));
    answers[0].send(reply, departure - now);
}

void SnoopPort::add_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": lookups = hits + blocks fetched", {lookups}, {hits, fetched});
    laws.equal(name + ": requests of other caches = hits + merged + passed on", {peer_requests},
               {peer_hits, peer_merged, peer_passed_on});
}

}  // namespace models

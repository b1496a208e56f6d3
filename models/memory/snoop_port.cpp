#include "models/memory/snoop_port.h"

#include "models/base/laws.h"

namespace models {

SnoopPort::SnoopPort(const engine::CounterScope& scope, const std::array<Cache*, caches>& of, std::size_t entries)
    : lookups(scope, "lookups", "1", "requests of the access processor that were looked for"),
      hits(scope, "hits", "1", "of them, those for blocks that were there or on their way"),
      fetched(scope, "fetched", "1", "of them, those for blocks that were fetched"),
      fetched_with_source(scope, "fetched_with_source", "1",
                          "of these, those for blocks that another cache is likely to hold"),
      put_off(scope, "put_off", "1", "times that a cache had no room for the block"),
      caches_(of),
      waiting_{RingQueue<Request>(entries), RingQueue<Request>(entries)} {}

bool SnoopPort::step(engine::Time now) {
    for (std::size_t i = 0; i < caches; ++i) {
        if (waiting_[i].empty() || refused_[i] != 0) continue;
        const Request& request = waiting_[i].front();
        const Cache::Prefetched outcome = caches_[i]->prefetch(now, request.block, request.attribution);
        if (outcome == Cache::Prefetched::put_off) {
            refused_[i] = 1;
            ++put_off;
            continue;
        }
        ++lookups;
        ++(outcome == Cache::Prefetched::there ? hits : fetched);
        if (outcome == Cache::Prefetched::requested && request.has_source != 0) ++fetched_with_source;
        waiting_[i].pop();
        return true;
    }
    return false;
}

void SnoopPort::add_laws(Laws& laws, const std::string& name) const {
    laws.equal(name + ": lookups = hits + blocks fetched", {lookups}, {hits, fetched});
}

}  // namespace models

#include "models/line_cache.h"

namespace models {

LineCache::LineCache(const engine::CounterScope& scope, const CacheParameters& parameters, MemoryPort& memory,
                     int client, engine::Time period)
    : array_(static_cast<std::uint32_t>(parameters.capacity.count() / (std::int64_t{block_bytes} * parameters.ways())),
             static_cast<std::uint32_t>(parameters.ways())),
      mshrs_(static_cast<std::uint32_t>(parameters.mshrs()), static_cast<std::uint32_t>(parameters.merges())),
      memory_(&memory),
      tag_(RequestTag::of(client)),
      latency_(parameters.latency.count() * period),
      accesses_(scope, "accesses", "1", "lookups that were served"),
      hits_(scope, "hits", "1", "lookups that found their line"),
      merged_(scope, "merged", "1", "lookups that joined a line in flight"),
      misses_(scope, "misses", "1", "lookups that requested a line"),
      fills_(scope, "fills", "1", "lines received"),
      refusals_(scope, "refusals", "1", "lookups put off for lack of an MSHR, of room to wait or of a credit"),
      invalidations_(scope, "invalidations", "1", "lines forgotten because their memory was written") {}

LineCache::Outcome LineCache::miss(engine::Time now, BlockNumber block, std::uint32_t waiter,
                                   const Attribution& attribution) {
    int entry = mshrs_.find(block);
    if (entry >= 0 && mshrs_.add_waiter(entry, waiter)) {
        ++accesses_;
        ++merged_;
        return Outcome::waiting;
    }
    if (entry >= 0 || mshrs_.full() || !memory_->can_send(block)) {
        ++refusals_;
        return Outcome::refused;
    }
    entry = mshrs_.allocate(block);
    mshrs_.add_waiter(entry, waiter);
    ++accesses_;
    ++misses_;
    const RequestTag tag = RequestTag::of(tag_.client, static_cast<std::size_t>(entry));
    memory_->send(now, {block, tag, MemoryOperation::read, attribution}, latency_);
    return Outcome::waiting;
}

}  // namespace models

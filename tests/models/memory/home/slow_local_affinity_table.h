// A core's own affinity table written in the most obvious way: with each claim that it makes or hears it sorts what it
// knows of the bucket anew.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "models/memory/home/local_affinity_table.h"
#include "tests/models/memory/home/slow_affinity_table.h"

namespace models::slow {

class LocalTable {
  public:
    LocalTable(const AffinityShape& shape, int core) : table(shape, core), shape_(shape), core_(core) {}

    std::vector<OwnershipClaim> begin_epoch(std::uint32_t epoch) {
        std::vector<OwnershipClaim> claims;
        for (int bucket = 0; bucket < static_cast<int>(shape_.buckets); ++bucket) {
            table.recompute(bucket);
            if (table.owner(bucket) != core_) continue;
            const int accesses = table.counter(bucket, core_);
            claims.push_back({epoch, static_cast<std::uint16_t>(bucket), static_cast<CoreNumber>(core_),
                              static_cast<std::uint16_t>(accesses)});
            known_[bucket].emplace_back(epoch, accesses, -core_);
        }
        table.reset();
        return claims;
    }
    void hear(const OwnershipClaim& claim) {
        std::vector<Known>& known = known_[claim.bucket];
        known.emplace_back(claim.epoch, claim.accesses, -claim.core);
        const Known heard = known.back();
        std::sort(known.begin(), known.end());  // best last: later, more, lower
        if (known.back() == heard) table.set_owner(claim.bucket, claim.core);
        known = {known.back()};
    }

    Table table;

  private:
    using Known = std::tuple<std::uint32_t, int, int>;
    AffinityShape shape_;
    int core_;
    std::map<int, std::vector<Known>> known_;
};

}  // namespace models::slow

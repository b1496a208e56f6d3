// An affinity table written in the most obvious way, with maps, sentence by sentence after paper 004: what the fast one
// is compared with.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "models/memory/home/home_shape.h"

namespace models::slow {

class Table {
  public:
    Table(const AffinityShape& shape, int first_owner) : shape_(shape), first_owner_(first_owner) {}

    int owner(int bucket) const { return owners_.count(bucket) != 0 ? owners_.at(bucket) : first_owner_; }
    int counter(int bucket, int core) const {
        const auto found = counters_.find({bucket, core});
        return found == counters_.end() ? 0 : found->second;
    }
    void set_owner(int bucket, int core) { owners_[bucket] = core; }

    // Who owned the bucket before, or whoever comes first.
    int access(int core, int bucket) {
        if (owner(bucket) == nobody) owners_[bucket] = core;
        const int asked = owner(bucket);
        if (++counters_[{bucket, core}] < (1 << shape_.counter_bits) - 1) return asked;
        const bool more_before = is_more(counter(bucket, core), counter(bucket, asked));
        for (auto& [place, count] : counters_)
            if (place.first == bucket || shape_.halve_all) count /= 2;
        const bool more_after = is_more(counter(bucket, core), counter(bucket, asked));
        if (shape_.compare_halved ? more_after : more_before) owners_[bucket] = core;
        return asked;
    }

    void recompute(int bucket) {
        if (shape_.epoch_owner == EpochOwner::first_touch) owners_[bucket] = first_owner_;
        if (shape_.epoch_owner != EpochOwner::most_accesses || owner(bucket) == nobody) return;
        const int before = counter(bucket, owner(bucket));
        int most = before;
        for (int core = 0; core < static_cast<int>(shape_.cores); ++core) most = std::max(most, counter(bucket, core));
        if (most == before) return;
        int core = 0;
        while (counter(bucket, core) != most) ++core;
        owners_[bucket] = core;
    }
    void reset() {
        if (shape_.epoch_counters == EpochCounters::zero) counters_.clear();
        for (auto& [place, count] : counters_) count /= 2;
    }
    void end_epoch() {
        for (int bucket = 0; bucket < static_cast<int>(shape_.buckets); ++bucket) recompute(bucket);
        reset();
    }
    int bucket_of(std::uint32_t block) const {
        const std::uint32_t page = block / shape_.page_blocks;
        return static_cast<int>(page % shape_.buckets);
    }

    static constexpr int nobody = no_core;

  private:
    bool is_more(int saturated, int owners) const {
        return (saturated - owners) * 100 > owners * static_cast<int>(shape_.change_percent);
    }
    AffinityShape shape_;
    int first_owner_;
    std::map<int, int> owners_;                    // by bucket
    std::map<std::pair<int, int>, int> counters_;  // by bucket and core
};

}  // namespace models::slow

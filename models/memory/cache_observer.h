// What is observed of one cache, if anything is: a member of it.
//
//     fill_latency    cycles from the lookup that missed until the line came; of a prefetch that a lookup joined, from
//                     that prefetch
//     mshrs_used      MSHRs in use whenever a lookup was served, its own included
//     reuse_distance  of lookups: how many other lines were looked up since the last lookup of this one. Exact if all
//                     lines are looked at. Else one of every n is, chosen by a hash of its number, and n times the
//                     sampled lines in between are what is counted: the expected value is the distance (SHARDS,
//                     Waldspurger et al., FAST 2015), its error shrinks with the distance: below n it says little.
//                     Lines of 32 bytes count in pairs
//     reuse_first     lookups of sampled lines that had not been looked up before: they have no distance
//
// Lookups are those that the cache served; what a prefetcher does is none.
#pragma once

#include <optional>

#include "engine/histogram.h"
#include "models/memory/observed.h"
#include "models/structures/reuse_distance.h"

namespace models {

class CacheObserver {
  public:
    CacheObserver(const engine::CounterScope& scope, const Observed& observed, std::uint32_t mshrs)
        : period_(observed.period),
          sampling_(observed.reuse_sampling) {
        if (observed.latency)
            latency_.emplace(scope, "fill_latency", "cycle",
                             "from the lookup that missed, or the prefetch that it joined, until the line came",
                             latency_scale());
        if (observed.occupancy)
            occupancy_.emplace(scope, "mshrs_used", "1", "MSHRs in use whenever a lookup was served",
                               engine::BinScale::linear("mshrs_bin", mshrs));
        if (!observed.reuse) return;
        reuse_.emplace(scope, "reuse_distance", "1",
                       "other lines looked up since the last lookup of a line, of sampled lines",
                       engine::BinScale::logarithmic("reuse_bin", 2, 1 << 24));
        first_.emplace(scope, "reuse_first", "1", "lookups of sampled lines that had not been looked up before");
    }
    static bool is_wanted(const Observed& observed) {
        return observed.latency || observed.occupancy || observed.reuse || observed.census_every > 0;
    }

    void looked_up(LineNumber line, std::uint32_t mshrs) {
        last_ = line;
        if (occupancy_) occupancy_->add(mshrs);
        if (reuse_ && is_sampled(line)) note_reuse(line);
    }
    void filled(engine::Time waited) {
        if (latency_) latency_->add(static_cast<std::uint64_t>(waited / period_));
    }
    LineNumber last() const { return last_; }  // looked up; none: nothing yet

    void serialize(engine::Archive& archive) { archive(distances_, last_); }

  private:
    // Multiplication by 2^32 over the golden ratio spreads neighbours over the upper bits (Knuth).
    bool is_sampled(LineNumber line) const {
        return sampling_ == 1 || (std::uint64_t{line * 0x9e3779b9U} * sampling_) >> 32 == 0;
    }
    void note_reuse(LineNumber line) {
        const std::uint32_t distance = distances_.access(line);
        if (distance == ReuseDistance::never)
            ++*first_;
        else
            reuse_->add(std::uint64_t{distance} * sampling_);
    }

    engine::Time period_;
    std::uint32_t sampling_;
    ReuseDistance distances_;
    LineNumber last_ = none;
    std::optional<engine::Histogram> latency_, occupancy_, reuse_;
    std::optional<engine::Counter> first_;
};

}  // namespace models

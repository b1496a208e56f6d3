// The affinity table of DTM-NUCA (paper 004, III and IV-A): who owns each bucket of blocks, and how often each core has
// accessed it. Plain data: no time, no ports.
//
//     access       the owner before it is whom the requester asks; then the requester's counter goes up by one
//     first touch  a bucket without an owner belongs to whoever accesses it first
//     saturation   a counter that reaches 2^bits - 1 halves all counters of its bucket, its own as well (1-bit shift);
//                  its core becomes the owner if its counter exceeds the owner's by change_percent: 100 x saturated >
//                  (100 + percent) x owner's
//     epoch        owners are found anew, as the one with the greatest counter, and counters begin at 0
//
// Where the paper is silent or can be read in two ways, these are options of AffinityShape:
//   * "halving all the counters" are those of the bucket, since only they are compared with each other; halve_all takes
//     those of the table.
//   * The two counters are compared as they were before they were halved, which loses no bit; compare_halved takes them
//     after it, as the order of the paper's sentences has it. With counters of one bit nobody then exceeds anybody.
//   * The percentage, of which the paper gives no value, does not hold when an epoch ends: owners are "recomputed". A
//     tie leaves the owner as it is; if several exceed the owner alike, the lowest number is taken, as in IV-B.
//   * "A reset of all the counters" when an epoch ends is to 0; epoch_counters = halve takes it for the halving, which
//     the paper calls a reset event, too. epoch_owner leaves owners alone, or makes them those of first touch again.
//
// A counter never rests at its greatest value, so with percent = 0 whoever saturates becomes the owner. Bits of
// storage: AffinityShape::table_bits(), 4256 with the paper's numbers.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "engine/archive.h"
#include "models/memory/home/bucket_map.h"
#include "models/memory/home/home_shape.h"

namespace models {

class AffinityTable {
  public:
    // `first_owner`: of all buckets at the beginning; no_core: whoever touches them first.
    explicit AffinityTable(const AffinityShape& shape, CoreNumber first_owner = no_core)
        : shape_(shape),
          map_(shape.page_blocks, shape.buckets),
          greatest_(static_cast<std::uint8_t>((1U << shape.counter_bits) - 1)),
          first_owner_(first_owner),
          counters_(std::size_t{shape.buckets} * shape.cores, 0),
          owners_(shape.buckets, first_owner) {
        assert(shape.counter_bits >= 1 && shape.counter_bits <= 8 && shape.cores <= most_homes);
    }

    std::uint32_t bucket(BlockNumber block) const { return map_.bucket(block); }
    std::uint32_t buckets() const { return shape_.buckets; }
    CoreNumber owner(std::uint32_t bucket) const { return owners_[bucket]; }  // no_core: nobody yet
    std::uint32_t counter(std::uint32_t bucket, CoreNumber core) const {
        return counters_[std::size_t{bucket} * shape_.cores + core];
    }
    std::uint64_t changes() const { return changes_; }  // of an owner into another

    struct Access {
        CoreNumber before, after;  // owners
        // Who is to have the block.
        CoreNumber asked() const { return before == no_core ? after : before; }
    };
    // So many accesses of a core to a bucket, as if one came after the other.
    Access access(CoreNumber core, std::uint32_t bucket, std::uint32_t accesses = 1) {
        assert(core < shape_.cores && bucket < shape_.buckets);
        const CoreNumber before = owners_[bucket];
        if (before == no_core) owners_[bucket] = core;
        std::uint8_t& counter = *row(bucket, core);
        for (; accesses > 0; --accesses)
            if (++counter == greatest_) saturate(bucket, core);
        return {before, owners_[bucket]};
    }

    // changed(bucket, before, after) for every bucket whose owner is another one from now on.
    template <class Changed>
    void end_epoch(Changed&& changed) {
        for (std::uint32_t bucket = 0; bucket < shape_.buckets; ++bucket) {
            const CoreNumber before = owners_[bucket];
            recompute(bucket);
            if (owners_[bucket] != before) changed(bucket, before, owners_[bucket]);
        }
        reset_counters();
    }
    void end_epoch() {
        end_epoch([](std::uint32_t /*bucket*/, CoreNumber /*before*/, CoreNumber /*after*/) {});
    }

    // The two halves of end_epoch(), for a table that has something to say between them.
    void recompute(std::uint32_t bucket) {
        if (shape_.epoch_owner == EpochOwner::keep) return;
        set_owner(bucket, shape_.epoch_owner == EpochOwner::first_touch ? first_owner_ : most_frequent(bucket));
    }
    void reset_counters() {
        if (shape_.epoch_counters == EpochCounters::zero)
            std::fill(counters_.begin(), counters_.end(), std::uint8_t{0});
        else
            halve(counters_.data(), counters_.size());
    }
    void set_owner(std::uint32_t bucket, CoreNumber core) {
        CoreNumber& owner = owners_[bucket];
        if (owner != no_core && core != no_core && owner != core) ++changes_;
        owner = core;
    }

    void serialize(engine::Archive& archive) { archive(counters_, owners_, changes_); }

  private:
    std::uint8_t* row(std::uint32_t bucket, CoreNumber core = 0) {
        return &counters_[std::size_t{bucket} * shape_.cores + core];
    }
    static void halve(std::uint8_t* counters, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) counters[i] = static_cast<std::uint8_t>(counters[i] >> 1U);
    }
    void saturate(std::uint32_t bucket, CoreNumber core) {
        const auto exceeds = [&] {
            return 100 * counter(bucket, core) > (100 + shape_.change_percent) * counter(bucket, owners_[bucket]);
        };
        const bool before = exceeds();
        if (shape_.halve_all)
            halve(counters_.data(), counters_.size());
        else
            halve(row(bucket), shape_.cores);
        if (owners_[bucket] != core && (shape_.compare_halved ? exceeds() : before)) set_owner(bucket, core);
    }
    CoreNumber most_frequent(std::uint32_t bucket) {
        const CoreNumber owner = owners_[bucket];
        if (owner == no_core) return no_core;
        const std::uint8_t* const counters = row(bucket);
        const std::uint8_t* const most = std::max_element(counters, counters + shape_.cores);  // the first of equals
        return *most > counters[owner] ? static_cast<CoreNumber>(most - counters) : owner;
    }

    AffinityShape shape_;
    BucketMap map_;
    std::uint8_t greatest_;
    CoreNumber first_owner_;

    std::vector<std::uint8_t> counters_;  // [bucket][core]
    std::vector<CoreNumber> owners_;      // by bucket
    std::uint64_t changes_ = 0;
};

}  // namespace models

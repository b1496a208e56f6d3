// A core's own affinity table, where every core has one (paper 004, IV-B). It knows what its core accesses and what
// others ask of it; of ownership elsewhere it learns when an epoch begins, from what is broadcast. Plain data: no time,
// no ports; who hosts it carries the claims.
//
// At the beginning every core owns all buckets. Within an epoch the table is one like any other: its core becomes the
// owner of a bucket when its counter saturates, though another core may still own it by other tables. So a bucket can
// have several owners until the next epoch, which is the replication that the paper reports (section VI).
//
// When an epoch begins, owners are recomputed from what the table has counted, the core claims the buckets that it then
// owns, each with the counter that it has for itself, and counters are reset. A claim that arrives is compared with the
// best one known of its bucket:
//
//     "most up-to-date"  one of a later epoch is better than any of an earlier one
//     in one epoch       the greater counter is better; of equal ones that of the lowest core
//
// This is a total order, and the best claim is kept. So the order in which claims arrive, and how late, means nothing:
// once those of an epoch have arrived everywhere, all tables have the same owner of every bucket that somebody claimed,
// but for what has saturated since. Until a claim arrives the owner is the one of before. No access waits.
//
// Readings where the paper is silent:
//   * The counter that decides is the claimant's own. Claims change owners, and no counters.
//   * Buckets that its core owns but has not accessed are claimed, too ("all the owned buckets"): one that nobody has
//     accessed falls to the lowest core that owned it.
//   * A claim that arrives late is better than an owner that has saturated since: it is what all others will have.
//   * A bucket that nobody claims keeps the owner that each table has.
//   * Requests that the core serves for others are counted for them in its table, as "a request arrives in the Affinity
//     Table" (III-A) (HomeShape::count_served, which the host looks at). Without this an owner never learns that others
//     access a bucket more than itself but by their claims.
//
// Not modelled: epoch numbers of few bits, which wrap around.
#pragma once

#include <vector>

#include "models/memory/home/affinity_table.h"

namespace models {

// What a broadcast says of a bucket.
struct OwnershipClaim {
    std::uint32_t epoch = 0;
    std::uint16_t bucket = 0;
    CoreNumber core = no_core;
    std::uint16_t accesses = 0;  // the core's counter when the epoch began
    std::uint16_t spare = 0;
};

class LocalAffinityTable {
  public:
    LocalAffinityTable(const AffinityShape& shape, CoreNumber core)
        : table_(shape, core),
          best_(shape.buckets, Best{0, 0, no_core}),
          core_(core) {}

    std::uint32_t bucket(BlockNumber block) const { return table_.bucket(block); }
    CoreNumber owner(std::uint32_t bucket) const { return table_.owner(bucket); }
    bool owns(BlockNumber block) const { return owner(bucket(block)) == core_; }
    std::uint32_t epoch() const { return epoch_; }
    const AffinityTable& table() const { return table_; }

    // By its core, or by another one that asks it. Who is to have the block by this table.
    CoreNumber access(CoreNumber by, BlockNumber block) { return table_.access(by, bucket(block)).asked(); }

    // claim(OwnershipClaim) for each bucket that its core owns now, in ascending order: to be told all others.
    template <class Claim>
    void begin_epoch(std::uint32_t epoch, Claim&& claim) {
        assert(epoch > epoch_);
        epoch_ = epoch;
        for (std::uint32_t bucket = 0; bucket < table_.buckets(); ++bucket) {
            table_.recompute(bucket);
            if (owner(bucket) != core_) continue;
            const auto accesses = static_cast<std::uint16_t>(table_.counter(bucket, core_));
            best_[bucket] = {epoch, accesses, core_};
            claim(OwnershipClaim{epoch, static_cast<std::uint16_t>(bucket), core_, accesses});
        }
        table_.reset_counters();
    }

    // What another core claims. If it is of an epoch that has not begun here, the host calls begin_epoch() first.
    void hear(const OwnershipClaim& claim) {
        assert(claim.epoch <= epoch_ && claim.core != core_);
        Best& best = best_[claim.bucket];
        const Best heard{claim.epoch, claim.accesses, claim.core};
        if (!heard.is_better_than(best)) return;
        best = heard;
        table_.set_owner(claim.bucket, claim.core);
    }

    void serialize(engine::Archive& archive) { archive(table_, best_, epoch_); }

  private:
    struct Best {  // claim of a bucket
        std::uint32_t epoch;
        std::uint16_t accesses;
        CoreNumber core;
        bool is_better_than(const Best& other) const {
            if (epoch != other.epoch) return epoch > other.epoch;
            if (accesses != other.accesses) return accesses > other.accesses;
            return core < other.core;
        }
    };

    AffinityTable table_;
    std::vector<Best> best_;  // by bucket
    CoreNumber core_;
    std::uint32_t epoch_ = 0;
};

}  // namespace models

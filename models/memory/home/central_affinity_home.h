// DTM-NUCA with one affinity table for all cores (paper 004, IV-A), at the router in the middle of the mesh, whose port
// it shares with the core there. What misses in a core's own cache asks the table who owns it.
//
// A core keeps two things for each bucket:
//
//     owned    whether it owns the bucket, one bit. The paper has hits in the cache of an old owner served without
//              touching recency (III-B), and does not say how that core knows. Here the table tells a core what it has
//              got and lost, off the path of any access
//     pending  hits that the table has not been told of. The paper counts "every time a Fragment Processor accesses a
//              texture block" (III-B), yet what hits asks no table: of 32 cores with a hit a cycle each, a table that
//              serves one lookup a cycle could not hear of every one. So hits are told in lumps, of note_accesses for
//              a bucket, or more (up to 255) while the table cannot be told, and with the next miss in it. With
//              count_hits = false only misses are counted ("when a request arrives in the Affinity Table", III-A), and
//              buckets leave owners that hit for cores that miss
#pragma once

#include <string_view>
#include <vector>

#include "engine/archive.h"
#include "models/memory/home/bucket_map.h"
#include "models/memory/home/route.h"

namespace models {

class CentralAffinityHome {
  public:
    static constexpr std::string_view name = "dtm_nuca";
    static constexpr HomeNeeds needs{.tables = HomeNeeds::Tables::central};

    CentralAffinityHome(const HomeShape& shape, CoreNumber /*core*/)
        : map_(shape.affinity.page_blocks, shape.affinity.buckets),
          note_accesses_(shape.count_hits ? static_cast<std::uint8_t>(shape.note_accesses) : std::uint8_t{0}),
          always_recent_(shape.recent_without_owning),
          owned_(shape.affinity.buckets, 0),
          pending_(shape.affinity.buckets, 0) {}

    std::uint32_t bucket(BlockNumber block) const { return map_.bucket(block); }
    bool owns(std::uint32_t bucket) const { return owned_[bucket] != 0; }

    // may_tell: the table can be told now.
    HomeHit hit(BlockNumber block, bool may_tell = true) {
        const std::uint32_t place = bucket(block);
        const bool recent = always_recent_ || owns(place);
        if (note_accesses_ == 0) return {recent, 0};
        if (pending_[place] < most_pending) ++pending_[place];
        if (pending_[place] < note_accesses_ || !may_tell) return {recent, 0};
        return {recent, take_pending(place)};
    }
    Route miss(BlockNumber block) {
        return {Route::To::table, no_core, static_cast<std::uint16_t>(take_pending(bucket(block)) + 1U)};
    }
    bool serve(CoreNumber /*requester*/, BlockNumber block) { return always_recent_ || owns(bucket(block)); }

    // The table says that the core owns a bucket from now on, or no longer.
    void tell(std::uint32_t bucket, bool owned) { owned_[bucket] = owned ? 1 : 0; }

    void serialize(engine::Archive& archive) { archive(owned_, pending_); }

  private:
    static constexpr std::uint8_t most_pending = 0xff;
    std::uint16_t take_pending(std::uint32_t bucket) {
        const std::uint16_t pending = pending_[bucket];
        pending_[bucket] = 0;
        return pending;
    }

    BucketMap map_;
    std::uint8_t note_accesses_;  // 0: hits are not counted
    bool always_recent_;
    std::vector<std::uint8_t> owned_, pending_;  // by bucket
};

}  // namespace models

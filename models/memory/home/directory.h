// The directory of D-NUCA as paper 004 compares it (section VI): beside each slice of the L2 cache, which texture cache
// has a line, one at most. So nothing is replicated. A line moves to another cache only by way of its eviction: its
// owner evicts it, and whoever misses it next becomes its owner. Plain data: no time, no ports.
//
// "A directory whose size depends on the L2 cache size": it has a number of entries, in sets, and replaces the one that
// was looked up longest ago. The line of an entry that goes has to be recalled from its owner, or else it could be in
// two caches; take() says which. With entries for all lines of all texture caches and ways enough nothing is recalled.
#pragma once

#include <cassert>
#include <vector>

#include "engine/archive.h"
#include "engine/units.h"
#include "models/memory/home/home_shape.h"
#include "models/structures/cache_array.h"
#include "models/structures/divisor.h"
#include "models/structures/replacement/least_recently_used.h"

namespace models {

class Directory {
  public:
    struct Entry {
        LineNumber line = none;  // none: nothing
        CoreNumber owner = no_core;
        std::uint16_t spare = 0;
        engine::Time since = 0;  // when it was last given to the owner
    };

    explicit Directory(const DirectoryShape& shape)
        : entries_(std::size_t{shape.sets} * shape.ways),
          recency_(shape.sets, shape.ways),
          ways_(shape.ways),
          set_mask_(shape.sets - 1),
          stride_(shape.stride),
          line_(shape.line_blocks) {
        assert((shape.sets & set_mask_) == 0 && shape.sets > 0 && ways_ > 0 && ways_ <= 64);
    }

    // Of a line that has been asked for; no_core: nobody has it.
    CoreNumber look_up(LineNumber line) {
        const std::uint32_t set = set_of(line), way = way_of(set, line);
        if (way == ways_) return no_core;
        recency_.hit(set, way);
        return at(set, way).owner;
    }

    // A line that nobody has is on its way to a core, which owns it from now on. What has to be recalled for that.
    Entry take(CoreNumber core, LineNumber line, engine::Time now) {
        const std::uint32_t set = set_of(line);
        assert(way_of(set, line) == ways_ && core != no_core);
        std::uint32_t way = way_of(set, none);
        if (way == ways_) way = recency_.victim(set);
        recency_.fill(set, way);
        const Entry old = at(set, way);
        at(set, way) = {line, core, 0, now};
        return old;
    }
    // Its owner, which had it no longer, gets it again.
    void renew(LineNumber line, engine::Time now) {
        const std::uint32_t set = set_of(line), way = way_of(set, line);
        assert(way != ways_);
        at(set, way).since = now;
    }

    // A core has it no longer, since `time`. False if it was not, or no longer, the owner by this directory: it had
    // been recalled; or if it has been given the line again since.
    bool evicted(CoreNumber core, LineNumber line, engine::Time time) {
        const std::uint32_t set = set_of(line), way = way_of(set, line);
        if (way == ways_ || at(set, way).owner != core || at(set, way).since > time) return false;
        at(set, way) = {};
        return true;
    }

    // visit(entry) for lines that somebody has, in the order of sets and ways.
    template <class Visitor>
    void for_each(Visitor&& visit) const {
        for (const Entry& entry : entries_)
            if (entry.line != none) visit(entry);
    }

    void serialize(engine::Archive& archive) { archive(entries_, recency_); }

  private:
    // By its number among those of the slice.
    std::uint32_t set_of(LineNumber line) const {
        const std::uint32_t of_l2 = line_.quotient(line), own = stride_.quotient(of_l2);
        return (own * line_.value() + (line - of_l2 * line_.value())) & set_mask_;
    }
    Entry& at(std::uint32_t set, std::uint32_t way) { return entries_[std::size_t{set} * ways_ + way]; }
    // ways_: in none.
    std::uint32_t way_of(std::uint32_t set, LineNumber line) const {
        const Entry* const first = &entries_[std::size_t{set} * ways_];
        std::uint32_t way = 0;
        while (way < ways_ && first[way].line != line) ++way;
        return way;
    }

    std::vector<Entry> entries_;  // [set][way]
    LeastRecentlyUsed recency_;
    std::uint32_t ways_, set_mask_;
    Divisor stride_, line_;
};

}  // namespace models

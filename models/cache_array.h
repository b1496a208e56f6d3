// The tags of a set-associative cache with least-recently-used replacement. Plain data: no time, no ports, no counters,
// so that a prefetcher, a snoop port or another organisation can be put around it.
//
// The lines of a set are kept in order of recency, most recent first: a hit moves a few words, and the victim is known
// without counters. A reference to a line is valid until the next call that changes the set.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "models/frame_trace/frame_trace.h"

namespace models {

class CacheArray {
  public:
    struct Line {
        BlockNumber block = none;  // none: invalid
        bool dirty = false;
        bool pending = false;  // reserved for data on the way: not to be evicted
    };

    // `stride`: neighbouring blocks of this cache are so many blocks apart (slices interleaved by block). Sets are a
    // power of two.
    CacheArray(std::uint32_t sets, std::uint32_t ways, std::uint32_t stride = 1)
        : lines_(std::size_t{sets} * ways),
          ways_(ways),
          set_mask_(sets - 1),
          stride_(stride) {
        assert((sets & (sets - 1)) == 0 && sets > 0 && ways > 0 && stride > 0);
    }

    // The line of a block, or null. Leaves recency alone, as a snoop does.
    Line* find(BlockNumber block) {
        Line* const set = set_of(block);
        for (std::uint32_t way = 0; way < ways_; ++way)
            if (set[way].block == block) return set + way;
        return nullptr;
    }

    // The same, and makes it the most recently used of its set.
    Line* access(BlockNumber block) {
        Line* const line = find(block);
        return line == nullptr ? nullptr : promote(line, set_of(block));
    }

    // What insert() would evict: an invalid line first, else the least recently used that is not pending; null if all
    // are pending.
    const Line* victim(BlockNumber block) const { return const_cast<CacheArray*>(this)->choose(block); }

    // Puts a block that is absent in the place of its victim, which must exist, as the most recently used line.
    // Returns the line as it was before.
    Line insert(BlockNumber block, bool dirty = false, bool pending = false) {
        Line* const place = choose(block);
        assert(place != nullptr);
        const Line old = *place;
        *promote(place, set_of(block)) = {block, dirty, pending};
        return old;
    }

    // Makes lines invalid for which predicate(line) holds; returns how many.
    template <class Predicate>
    std::uint32_t invalidate(Predicate&& predicate) {
        std::uint32_t count = 0;
        for (Line& line : lines_) {
            if (line.block == none || !predicate(line)) continue;
            line = Line{};
            ++count;
        }
        return count;
    }

    template <class Predicate>
    std::uint32_t count(Predicate&& predicate) const {
        std::uint32_t count = 0;
        for (const Line& line : lines_) count += line.block != none && predicate(line) ? 1 : 0;
        return count;
    }

    std::uint32_t ways() const { return ways_; }
    std::uint32_t sets() const { return set_mask_ + 1; }

  private:
    Line* set_of(BlockNumber block) { return &lines_[std::size_t{(block / stride_) & set_mask_} * ways_]; }

    Line* choose(BlockNumber block) {
        Line* const set = set_of(block);
        Line* chosen = nullptr;
        for (Line* line = set + ways_; line-- != set;) {
            if (line->block == none) return line;
            if (chosen == nullptr && !line->pending) chosen = line;
        }
        return chosen;
    }

    static Line* promote(Line* line, Line* set) {
        std::rotate(set, line, line + 1);
        return set;
    }

    std::vector<Line> lines_;  // [set][recency]
    std::uint32_t ways_, set_mask_, stride_;
};

}  // namespace models

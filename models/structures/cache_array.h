// The tags of a set-associative cache. Plain data: no time, no ports, no counters. A line is known by its number, its
// address divided by its size; which of its sectors are there and which have been written is kept with it. Lines stay
// in their ways; the replacement policy keeps what it needs beside them.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "models/structures/divisor.h"
#include "models/structures/replacement/replacement.h"
#include "models/structures/sectors.h"

namespace models {

using LineNumber = std::uint32_t;

// Which set a line is in: the lowest bits of its number, or these combined (exclusive or) with as many above them, so
// that lines at distances of many sets are not all in one.
enum class SetIndex : std::uint8_t { lowest_bits, folded };

struct CacheArrayShape {
    std::uint32_t sets;           // a power of two
    std::uint32_t ways;           // at most 64
    std::uint32_t stride = 1;     // neighbouring lines of this cache are so many lines apart: slices take turns
    std::size_t replacement = 0;  // member of Replacement
    SetIndex index = SetIndex::lowest_bits;

    // The set that a line is in.
    std::uint32_t set_of(LineNumber line) const {
        const std::uint32_t own = line / stride;
        const std::uint32_t above = index == SetIndex::folded ? own >> std::bit_width(sets - 1) : 0;
        return (own ^ above) & (sets - 1);
    }
};

class CacheArray {
  public:
    struct Line {
        LineNumber number = none;  // none: invalid
        SectorMask valid = 0;      // not 0 in a line that is there
        SectorMask dirty = 0;
        std::uint8_t client = 0;      // who made it dirty
        std::uint8_t prefetched = 0;  // and not accessed since
    };

    explicit CacheArray(const CacheArrayShape& shape)
        : lines_(std::size_t{shape.sets} * shape.ways),
          replacement_(shape.replacement, shape.sets, shape.ways),
          ways_(shape.ways),
          set_mask_(shape.sets - 1),
          set_bits_(static_cast<std::uint32_t>(std::bit_width(set_mask_))),
          fold_mask_(shape.index == SetIndex::folded ? set_mask_ : 0),
          stride_(shape.stride) {
        assert((shape.sets & set_mask_) == 0 && shape.sets > 0 && ways_ > 0 && ways_ <= 64);
    }

    // The line, or null. Leaves recency alone, as a snoop does.
    Line* find(LineNumber number) {
        Line* const set = &lines_[std::size_t{set_of(number)} * ways_];
        for (std::uint32_t way = 0; way < ways_; ++way)
            if (set[way].number == number) return set + way;
        return nullptr;
    }
    const Line* find(LineNumber number) const { return const_cast<CacheArray*>(this)->find(number); }

    // A line that find() gave counts as accessed.
    void touch(const Line* line) {
        const auto place = static_cast<std::uint32_t>(line - lines_.data());
        replacement_.visit([&](auto& policy) { policy.hit(place / ways_, place % ways_); });
    }
    // The line, or null; tells the replacement policy.
    Line* access(LineNumber number) {
        const std::uint32_t set = set_of(number);
        Line* const lines = &lines_[std::size_t{set} * ways_];
        for (std::uint32_t way = 0; way < ways_; ++way) {
            if (lines[way].number != number) continue;
            replacement_.visit([&](auto& policy) { policy.hit(set, way); });
            return lines + way;
        }
        return nullptr;
    }

    struct Placed {
        Line* line;  // without sectors yet, if it is new
        Line old;    // what was in its place; its number is none if nothing was
        bool was_there;
    };
    // The line; one that is absent is put in the first invalid place, or else in that of the line which the policy
    // chooses.
    Placed place(LineNumber number) {
        const std::uint32_t set = set_of(number);
        Line* const lines = &lines_[std::size_t{set} * ways_];
        std::uint32_t way = ways_;
        for (std::uint32_t i = ways_; i-- > 0;) {
            if (lines[i].number == number) return {lines + i, {}, true};
            if (lines[i].number == none) way = i;
        }
        replacement_.visit([&](auto& policy) {
            if (way == ways_) way = policy.victim(set);
            policy.fill(set, way);
        });
        const Placed placed{lines + way, lines[way], false};
        lines[way] = Line{};
        lines[way].number = number;
        return placed;
    }

    // Makes lines invalid for which predicate(line) holds; returns how many.
    template <class Predicate>
    std::uint32_t invalidate(Predicate&& predicate) {
        std::uint32_t count = 0;
        for (Line& line : lines_) {
            if (line.number == none || !predicate(line)) continue;
            line = Line{};
            ++count;
        }
        return count;
    }

    // visit(line) for every line that is there, in the order of sets and ways.
    template <class Visitor>
    void for_each(Visitor&& visit) const {
        for (const Line& line : lines_)
            if (line.number != none) visit(line);
    }

    // Of the line that is so many among those of this cache: its lowest bits are those of its set, and above them those
    // of its number.
    std::uint32_t folded(LineNumber own) const { return own ^ (own >> set_bits_ & fold_mask_); }

    std::uint32_t ways() const { return ways_; }
    std::uint32_t sets() const { return set_mask_ + 1; }

    void serialize(engine::Archive& archive) { archive(lines_, replacement_); }

  private:
    std::uint32_t set_of(LineNumber number) const { return folded(stride_.quotient(number)) & set_mask_; }

    std::vector<Line> lines_;  // [set][way]
    Replacement replacement_;
    std::uint32_t ways_, set_mask_, set_bits_, fold_mask_;
    Divisor stride_;
};

}  // namespace models

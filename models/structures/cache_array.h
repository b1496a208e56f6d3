// The tags of a set-associative cache. Plain data: no time, no ports, no counters. Lines stay in their ways; the
// replacement policy keeps what it needs beside them.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "models/frame_trace/frame_trace.h"
#include "models/structures/replacement/replacement.h"

namespace models {

struct CacheArrayShape {
    std::uint32_t sets;           // a power of two
    std::uint32_t ways;           // at most 64
    std::uint32_t stride = 1;     // neighbouring blocks of this cache are so many blocks apart: slices take turns
    std::size_t replacement = 0;  // member of Replacement
};

class CacheArray {
  public:
    struct Line {
        BlockNumber block = none;  // none: invalid
        std::uint8_t dirty = 0;
        std::uint8_t pending = 0;  // reserved for data on the way: not to be evicted
        std::uint8_t client = 0;   // who made it dirty
        std::uint8_t spare = 0;
    };

    explicit CacheArray(const CacheArrayShape& shape)
        : lines_(std::size_t{shape.sets} * shape.ways),
          replacement_(shape.replacement, shape.sets, shape.ways),
          ways_(shape.ways),
          set_mask_(shape.sets - 1),
          stride_(shape.stride) {
        assert((shape.sets & set_mask_) == 0 && shape.sets > 0 && ways_ > 0 && ways_ <= 64 && stride_ > 0);
    }

    // The line of a block, or null. Leaves recency alone, as a snoop does. Lines stay where they are.
    Line* find(BlockNumber block) {
        Line* const set = &lines_[std::size_t{set_of(block)} * ways_];
        for (std::uint32_t way = 0; way < ways_; ++way)
            if (set[way].block == block) return set + way;
        return nullptr;
    }

    // The same, and tells the replacement policy.
    Line* access(BlockNumber block) {
        const std::uint32_t set = set_of(block);
        Line* const lines = &lines_[std::size_t{set} * ways_];
        for (std::uint32_t way = 0; way < ways_; ++way) {
            if (lines[way].block != block) continue;
            touch(set, way);
            return lines + way;
        }
        return nullptr;
    }

    // What insert() would evict: an invalid line first, else what the policy chooses of those that are not pending;
    // null if all are pending.
    Line* victim(BlockNumber block) {
        const std::uint32_t set = set_of(block);
        Line* const lines = &lines_[std::size_t{set} * ways_];
        std::uint64_t eligible = 0;
        for (std::uint32_t way = 0; way < ways_; ++way) {
            if (lines[way].block == none) return lines + way;
            if (lines[way].pending == 0) eligible |= std::uint64_t{1} << way;
        }
        if (eligible == 0) return nullptr;
        return lines + replacement_.visit([&](const auto& policy) { return policy.victim(set, eligible); });
    }

    // Puts a block that is absent in the place of its victim, which must exist. Returns the line as it was before; its
    // place is that of find(block).
    Line insert(BlockNumber block) {
        Line* const place = victim(block);
        assert(place != nullptr);
        const Line old = *place;
        *place = Line{};
        place->block = block;
        const std::uint32_t set = set_of(block);
        touch(set, static_cast<std::uint32_t>(place - &lines_[std::size_t{set} * ways_]));
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

    void serialize(engine::Archive& archive) { archive(lines_, replacement_); }

  private:
    std::uint32_t set_of(BlockNumber block) const { return (stride_ == 1 ? block : block / stride_) & set_mask_; }
    void touch(std::uint32_t set, std::uint32_t way) {
        replacement_.visit([&](auto& policy) { policy.touch(set, way); });
    }

    std::vector<Line> lines_;  // [set][way]
    Replacement replacement_;
    std::uint32_t ways_, set_mask_, stride_;
};

}  // namespace models

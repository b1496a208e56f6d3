// Miss status holding registers: the lines, or sectors of lines, on their way to a cache, and who waits for each. An
// entry whose data have come holds them until there is room for them in the cache. Plain data: no time. Tables are
// small, so a search is a scan over an array of line numbers.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/archive.h"
#include "engine/units.h"
#include "models/structures/cache_array.h"

namespace models {

class MshrTable {
  public:
    struct Entry {
        engine::Time since = 0;   // when it was allocated
        SectorMask sectors = 0;   // that are fetched
        SectorMask written = 0;   // by those who wait
        std::uint8_t client = 0;  // who writes, or else who missed
        bool prefetch = false;    // nobody has asked for it yet
        bool arrived = false;
        bool asks_peer = false;  // the cache of another cluster, not what lies behind this one
        std::uint8_t spare[2] = {};
    };

    // `targets`: how many may wait for one entry, the one that missed included.
    MshrTable(std::uint32_t entries, std::uint32_t targets)
        : lines_(entries, none),
          entries_(entries),
          counts_(entries, 0),
          waiters_(std::size_t{entries} * targets),
          targets_(targets) {}

    bool full() const { return used_ == lines_.size(); }
    bool empty() const { return used_ == 0; }
    std::uint32_t used() const { return used_; }
    std::uint32_t capacity() const { return static_cast<std::uint32_t>(lines_.size()); }
    std::uint32_t room() const { return capacity() - used_; }

    // The first entry of a line that brings all these sectors, or -1.
    int find(LineNumber line, SectorMask sectors) const {
        for (std::uint32_t i = 0; i < end_; ++i)
            if (lines_[i] == line && (entries_[i].sectors & sectors) == sectors) return static_cast<int>(i);
        return -1;
    }

    // A new entry in a table that is not full.
    int allocate(LineNumber line, const Entry& entry) {
        assert(!full() && line != none);
        std::size_t place = 0;
        while (lines_[place] != none) ++place;
        lines_[place] = line;
        entries_[place] = entry;
        ++used_;
        end_ = std::max(end_, static_cast<std::uint32_t>(place) + 1);
        return static_cast<int>(place);
    }

    // False if the entry has no room for another waiter.
    bool add_waiter(int entry, std::uint32_t waiter) {
        std::uint32_t& count = counts_[static_cast<std::size_t>(entry)];
        if (count == targets_) return false;
        waiters_[static_cast<std::size_t>(entry) * targets_ + count++] = waiter;
        return true;
    }
    bool has_room_to_wait(int entry, std::uint32_t waiters = 1) const {
        return counts_[static_cast<std::size_t>(entry)] + waiters <= targets_;
    }

    // One past the last entry in use.
    std::uint32_t end() const { return end_; }
    LineNumber line(int entry) const { return lines_[static_cast<std::size_t>(entry)]; }
    Entry& operator[](int entry) { return entries_[static_cast<std::size_t>(entry)]; }
    const Entry& operator[](int entry) const { return entries_[static_cast<std::size_t>(entry)]; }

    // The data are there: nobody waits any longer. Those who did, in the order in which they came, stay readable until
    // the entry is allocated again.
    std::span<const std::uint32_t> arrive(int entry) {
        const auto i = static_cast<std::size_t>(entry);
        assert(lines_[i] != none && !entries_[i].arrived);
        entries_[i].arrived = true;
        const std::uint32_t count = counts_[i];
        counts_[i] = 0;
        return {&waiters_[i * targets_], count};
    }

    // Frees an entry whose data have come.
    void release(int entry) {
        const auto i = static_cast<std::size_t>(entry);
        assert(lines_[i] != none && entries_[i].arrived && counts_[i] == 0);
        lines_[i] = none;
        --used_;
        while (end_ > 0 && lines_[end_ - 1] == none) --end_;
    }

    void serialize(engine::Archive& archive) { archive(lines_, entries_, counts_, waiters_, used_, end_); }

  private:
    std::vector<LineNumber> lines_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> waiters_;  // [entry][order of arrival]
    std::uint32_t targets_;
    std::uint32_t used_ = 0;
    std::uint32_t end_ = 0;  // one past the last entry in use: the first free one is allocated, so it is mostly small
};

}  // namespace models

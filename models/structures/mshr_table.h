// Miss status holding registers: the lines on their way to a cache, and who waits for each. Plain data: no time.
// Tables are small, so a search is a scan over an array of block numbers.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/archive.h"
#include "models/frame_trace/frame_trace.h"

namespace models {

class MshrTable {
  public:
    // `waiters`: how many may wait for one line, the one that missed included.
    MshrTable(std::uint32_t entries, std::uint32_t waiters)
        : blocks_(entries, none),
          counts_(entries, 0),
          waiters_(std::size_t{entries} * waiters),
          capacity_(waiters) {}

    bool full() const { return used_ == blocks_.size(); }
    bool empty() const { return used_ == 0; }
    std::uint32_t used() const { return used_; }
    std::uint32_t room() const { return static_cast<std::uint32_t>(blocks_.size()) - used_; }

    // The entry of a block, or -1.
    int find(BlockNumber block) const {
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (blocks_[i] == block) return static_cast<int>(i);
        return -1;
    }

    // A new entry for a block that has none, in a table that is not full.
    int allocate(BlockNumber block) {
        const int entry = find(none);
        assert(entry >= 0 && block != none);
        blocks_[static_cast<std::size_t>(entry)] = block;
        ++used_;
        return entry;
    }

    // False if the entry has no room for another waiter.
    bool add_waiter(int entry, std::uint32_t waiter) {
        std::uint32_t& count = counts_[static_cast<std::size_t>(entry)];
        if (count == capacity_) return false;
        waiters_[static_cast<std::size_t>(entry) * capacity_ + count++] = waiter;
        return true;
    }

    BlockNumber block(int entry) const { return blocks_[static_cast<std::size_t>(entry)]; }

    // Frees the entry. The waiters, in the order in which they came, stay readable until the entry is allocated again.
    std::span<const std::uint32_t> release(int entry) {
        const auto i = static_cast<std::size_t>(entry);
        assert(blocks_[i] != none);
        blocks_[i] = none;
        --used_;
        const std::uint32_t count = counts_[i];
        counts_[i] = 0;
        return {&waiters_[i * capacity_], count};
    }

    void serialize(engine::Archive& archive) { archive(blocks_, counts_, waiters_, used_); }

  private:
    std::vector<BlockNumber> blocks_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> waiters_;  // [entry][order of arrival]
    std::uint32_t capacity_;
    std::uint32_t used_ = 0;
};

}  // namespace models

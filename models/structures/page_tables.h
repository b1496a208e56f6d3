// Page tables of three levels, as Arm's long descriptors with pages of 4 KiB: each table is a page of 512 entries of 8
// bytes, and translates 9 bits of the address. They lie one behind the other, the last level first, so the address of
// an entry is a function of the page; what is in it is not modelled.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "models/frame_trace/memory.h"

namespace models {

inline constexpr std::uint32_t page_bytes = 4096;
inline constexpr std::uint32_t page_blocks = page_bytes / block_bytes;

using PageNumber = std::uint32_t;  // address / page_bytes

constexpr PageNumber page_of(BlockNumber block) {
    return block / page_blocks;
}

class PageTables {
  public:
    static constexpr int levels = 3;
    static constexpr std::uint32_t entries_per_table = 512, entry_bytes = 8;

    // `base`: where they lie, the start of a page. `memory`: bytes of what they translate.
    PageTables(Address base, Address memory) : starts_{} {
        Address start = base, tables = tables_for(memory / page_bytes);
        for (int level = levels; level-- > 0; tables = tables_for(tables)) {
            starts_[static_cast<std::size_t>(level)] = start;
            start += tables * page_bytes;
        }
    }
    static Address bytes(Address memory) {
        Address all = 0;
        for (Address tables = tables_for(memory / page_bytes), level = 0; level < levels;
             ++level, tables = tables_for(tables))
            all += tables * page_bytes;
        return all;
    }
    // Of the entry that a walk for the page reads at a level, 0 first.
    Address entry(PageNumber page, int level) const {
        assert(level >= 0 && level < levels);
        const auto of = static_cast<std::size_t>(level);
        const std::uint32_t index = entry_index(page, level);
        const Address address = starts_[of] + Address{index} * entry_bytes;
        assert(level == 0 ? index < entries_per_table : address < starts_[of - 1]);  // the page is one of the memory
        return address;
    }
    // Pages with the same number share the table of the last level.
    static std::uint32_t last_table(PageNumber page) { return page / entries_per_table; }

  private:
    static Address tables_for(Address entries) { return (entries + entries_per_table - 1) / entries_per_table; }
    // Of an entry among all of its level.
    static std::uint32_t entry_index(PageNumber page, int level) {
        for (; level < levels - 1; ++level) page /= entries_per_table;
        return page;
    }
    std::array<Address, levels> starts_;
};

}  // namespace models

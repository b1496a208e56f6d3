// Where a line of memory lies. Channels take turns every `interleave` bytes; of the lines of a channel, in order, an
// address mapping chooses bank and row. Mappings are named most significant first, as data sheets and simulators do;
// `bank` is the bank in its group above the group, where there are groups.
//
// Lines are what a channel is asked for at most, 64 or 128 bytes: a line is never in two rows.
//
// To add one, write it like those below and name it in the list: it is constructed with a DramShape and gives place()
// of a line of the channel. Everything is a power of two.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "models/frame_trace/memory.h"
#include "models/structures/divisor.h"
#include "models/structures/family.h"

namespace models {

// Of a channel.
struct DramShape {
    std::uint32_t banks = 0, groups = 0;
    std::uint32_t row_lines = 0;  // lines in a row
};

struct DramPlace {
    std::uint32_t row = 0;
    std::uint32_t bank = 0;  // in group bank % groups

    friend bool operator==(const DramPlace&, const DramPlace&) = default;
};

inline std::uint32_t log2_of(std::uint32_t power) {
    assert(std::has_single_bit(power));
    return static_cast<std::uint32_t>(std::countr_zero(power));
}

// A row is filled, then that of the next bank: what follows one another is in one row.
class RowBankColumn {
  public:
    static constexpr std::string_view name = "row_bank_column";
    explicit RowBankColumn(const DramShape& shape) : column_(log2_of(shape.row_lines)), bank_(log2_of(shape.banks)) {}
    DramPlace place(std::uint32_t line) const {
        const std::uint32_t row_and_bank = line >> column_;
        return {row_and_bank >> bank_, row_and_bank & ((1U << bank_) - 1)};
    }
    void serialize(engine::Archive& /*archive*/) {}

  private:
    std::uint32_t column_, bank_;
};

// The same, but neighbours are in different bank groups, so that a stream uses all of them.
class RowBankColumnGroup {
  public:
    static constexpr std::string_view name = "row_bank_column_group";
    explicit RowBankColumnGroup(const DramShape& shape)
        : column_(log2_of(shape.row_lines)),
          bank_(log2_of(shape.banks / shape.groups)),
          group_(log2_of(shape.groups)) {}
    DramPlace place(std::uint32_t line) const {
        const std::uint32_t group = line & ((1U << group_) - 1);
        const std::uint32_t row_and_bank = line >> (group_ + column_);
        const std::uint32_t bank = row_and_bank & ((1U << bank_) - 1);
        return {row_and_bank >> bank_, bank << group_ | group};
    }
    void serialize(engine::Archive& /*archive*/) {}

  private:
    std::uint32_t column_, bank_, group_;
};

// Neighbours are in different banks.
class RowColumnBank {
  public:
    static constexpr std::string_view name = "row_column_bank";
    explicit RowColumnBank(const DramShape& shape) : column_(log2_of(shape.row_lines)), bank_(log2_of(shape.banks)) {}
    DramPlace place(std::uint32_t line) const { return {line >> (bank_ + column_), line & ((1U << bank_) - 1)}; }
    void serialize(engine::Archive& /*archive*/) {}

  private:
    std::uint32_t column_, bank_;
};

// As row_bank_column_group, with the bank's number XOR the low bits of the row: lines a power of two apart do not all
// meet in one bank (Zhang, Zhu and Zhang, "A permutation-based page interleaving scheme", MICRO 2000).
class RowXorBank {
  public:
    static constexpr std::string_view name = "row_xor_bank";
    explicit RowXorBank(const DramShape& shape) : plain_(shape), banks_(shape.banks) {}
    DramPlace place(std::uint32_t line) const {
        DramPlace place = plain_.place(line);
        place.bank ^= place.row & (banks_ - 1);
        return place;
    }
    void serialize(engine::Archive& /*archive*/) {}

  private:
    RowBankColumnGroup plain_;
    std::uint32_t banks_;
};

using AddressMapping = Family<RowBankColumnGroup, RowBankColumn, RowColumnBank, RowXorBank>;

// The channel of a block of 64 bytes, and its number among the blocks of the channel.
class ChannelInterleave {
  public:
    ChannelInterleave(std::uint32_t interleave_blocks, int channels)
        : blocks_(interleave_blocks),
          channels_(static_cast<std::uint32_t>(channels)) {}
    std::uint32_t channel(BlockNumber block) const { return channels_.remainder(blocks_.quotient(block)); }
    BlockNumber local(BlockNumber block) const {
        return channels_.quotient(blocks_.quotient(block)) * blocks_.value() + blocks_.remainder(block);
    }

  private:
    Divisor blocks_, channels_;
};

}  // namespace models

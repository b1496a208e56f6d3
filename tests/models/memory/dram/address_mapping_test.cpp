#include "models/memory/dram/address_mapping.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace models {
namespace {

std::size_t number_of(std::string_view name) {
    return static_cast<std::size_t>(std::find(AddressMapping::names.begin(), AddressMapping::names.end(), name) -
                                    AddressMapping::names.begin());
}
DramPlace place(std::string_view name, const DramShape& shape, BlockNumber line) {
    return AddressMapping(number_of(name), shape).visit([&](const auto& mapping) { return mapping.place(line); });
}

constexpr DramShape plain{8, 1, 64};     // LPDDR3: rows of 4 KiB
constexpr DramShape grouped{16, 4, 32};  // LPDDR5: rows of 2 KiB

TEST(AddressMapping, PutsEveryLineIntoAPlaceOfItsOwnRow) {
    for (const std::string_view name : AddressMapping::names)
        for (const DramShape& shape : {plain, grouped}) {
            const BlockNumber lines = 4 * shape.banks * shape.row_lines;  // four rows of all banks
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> filled;
            for (BlockNumber line = 0; line < lines; ++line) {
                const DramPlace at = place(name, shape, line);
                ASSERT_LT(at.bank, shape.banks);
                ASSERT_LT(at.row, 4U);
                ++filled[{at.row, at.bank}];
            }
            EXPECT_EQ(filled.size(), 4 * shape.banks) << name;
            for (const auto& [row, count] : filled) EXPECT_EQ(count, shape.row_lines) << name;
        }
}

TEST(AddressMapping, HasTheBitsInTheOrderOfItsName) {
    EXPECT_EQ(place("row_bank_column", plain, 63), (DramPlace{0, 0}));
    EXPECT_EQ(place("row_bank_column", plain, 64), (DramPlace{0, 1}));
    EXPECT_EQ(place("row_bank_column", plain, 512), (DramPlace{1, 0}));
    EXPECT_EQ(place("row_bank_column", grouped, 32), (DramPlace{0, 1}));
    EXPECT_EQ(place("row_column_bank", plain, 1), (DramPlace{0, 1}));
    EXPECT_EQ(place("row_column_bank", plain, 8), (DramPlace{0, 0}));
    EXPECT_EQ(place("row_column_bank", plain, 512), (DramPlace{1, 0}));
    EXPECT_EQ(place("row_bank_column_group", plain, 64), (DramPlace{0, 1}));
    EXPECT_EQ(place("row_bank_column_group", grouped, 1), (DramPlace{0, 1}));    // the next group
    EXPECT_EQ(place("row_bank_column_group", grouped, 4), (DramPlace{0, 0}));    // the first again
    EXPECT_EQ(place("row_bank_column_group", grouped, 128), (DramPlace{0, 4}));  // its next bank
    EXPECT_EQ(place("row_xor_bank", plain, 512), (DramPlace{1, 1}));
    EXPECT_EQ(place("row_xor_bank", plain, 512 + 64), (DramPlace{1, 0}));
}

TEST(AddressMapping, SpreadsPowersOfTwoOverTheBanksByXor) {
    std::set<std::uint32_t> plain_banks, xor_banks;
    for (BlockNumber i = 0; i < 8; ++i) {
        plain_banks.insert(place("row_bank_column", plain, i * 512).bank);
        xor_banks.insert(place("row_xor_bank", plain, i * 512).bank);
    }
    EXPECT_EQ(plain_banks.size(), 1U);
    EXPECT_EQ(xor_banks.size(), 8U);
}

TEST(ChannelInterleave, GivesEveryChannelConsecutiveLinesOfItsOwn) {
    for (const int channels : {1, 2, 3})
        for (const std::uint32_t blocks : {1U, 3U, 4U}) {
            const ChannelInterleave map(blocks, channels);
            std::vector<BlockNumber> next(static_cast<std::size_t>(channels));
            for (BlockNumber line = 0; line < 48; ++line) {
                EXPECT_EQ(map.channel(line), line / blocks % static_cast<unsigned>(channels));
                EXPECT_EQ(map.local(line), next[map.channel(line)]++);
            }
        }
}

}  // namespace
}  // namespace models

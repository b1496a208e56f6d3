#include "models/structures/page_tables.h"

#include <set>

#include <gtest/gtest.h>

namespace models {
namespace {

// 1 GiB: 2^18 pages, 512 tables of the last level, one of each level above.
TEST(PageTables, HaveAnEntryOfEightBytesForEveryPage) {
    const Address memory = Address{1} << 30, base = 0x30000000;
    EXPECT_EQ(PageTables::bytes(memory), (512 + 1 + 1) * 4096U);
    const PageTables tables(base, memory);
    EXPECT_EQ(tables.entry(0, 2), base);
    EXPECT_EQ(tables.entry(1, 2), base + 8);
    EXPECT_EQ(tables.entry(262143, 2), base + 512 * 4096 - 8);
    EXPECT_EQ(tables.entry(0, 1), base + 512 * 4096);
    EXPECT_EQ(tables.entry(511, 1), base + 512 * 4096);
    EXPECT_EQ(tables.entry(512, 1), base + 512 * 4096 + 8);
    EXPECT_EQ(tables.entry(262143, 0), base + 513 * 4096);
}

TEST(PageTables, EntriesOfDifferentTablesLieApart) {
    for (const Address memory : {Address{1} << 20, (Address{3} << 30) + 4096, Address{1} << 37}) {
        const PageTables tables(0, memory);
        const Address last = memory / page_bytes - 1;
        std::set<Address> seen;
        for (int level = 0; level < PageTables::levels; ++level)
            for (const Address page : {Address{0}, last}) {
                const Address entry = tables.entry(static_cast<PageNumber>(page), level);
                EXPECT_LT(entry, PageTables::bytes(memory));
                EXPECT_EQ(entry % 8, 0U);
                seen.insert(entry / page_bytes);
            }
        EXPECT_GE(seen.size(), 3U);
    }
}

}  // namespace
}  // namespace models

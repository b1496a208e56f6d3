#include "models/memory/home/home_parameters.h"

#include <gtest/gtest.h>

namespace models {
namespace {

struct Homes : ParameterGroup {
    HomeParameters home{this, "home", "of a test"};
};

constexpr HomeParameters::Site bifrost32{32, 16, 64, 8};

std::string refusal(const HomeParameters& home, const HomeParameters::Site& site) {
    try {
        home.check_site(site);
    } catch (const engine::ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(HomeParameters, AreThoseOfThePaper) {
    Homes homes;
    const HomeShape shape = homes.home.shape(32);
    EXPECT_EQ(homes.home.policy.value_text(), "private");
    EXPECT_EQ(shape.affinity.table_bits(), 4256U);
    EXPECT_EQ(shape.affinity.page_blocks, 8U);
    EXPECT_EQ(homes.home.epoch_accesses(), 20'000);
    const DirectoryShape directory = homes.home.directory_shape(8);
    EXPECT_EQ(directory.sets, 256U);
    EXPECT_EQ(directory.ways, 8U);
    EXPECT_EQ(directory.stride, 8U);
    for (const std::string_view policy : {"private", "s_nuca", "d_nuca", "dtm_nuca", "dtm_nuca_distributed"}) {
        homes.home.policy.set(policy);
        EXPECT_EQ(refusal(homes.home, bifrost32), "");
    }
}

TEST(HomeParameters, RefuseMoreCoresThanAnOwnersNumberIsWide) {
    Homes homes;
    homes.home.policy.set("dtm_nuca");
    EXPECT_EQ(refusal(homes.home, {33, 16, 64, 8}), "home.owner_bits: expected at least 6 for 33 cores, found 5");
    homes.home.policy.set("d_nuca");
    EXPECT_EQ(refusal(homes.home, {33, 16, 64, 8}), "");
    EXPECT_EQ(refusal(homes.home, {1025, 16, 64, 8}),
              "home: expected at most 1024 cores with texture caches, found 1025");
}

TEST(HomeParameters, RefuseATableThatIsTooLarge) {
    Homes homes;
    homes.home.policy.set("dtm_nuca_distributed");
    homes.home.table_limit.set("532 B");
    EXPECT_EQ(refusal(homes.home, bifrost32), "");
    homes.home.buckets.set("33");
    EXPECT_EQ(refusal(homes.home, bifrost32),
              "home.table_limit: expected at least the 549 B of an affinity table of 33 buckets and 32 cores, "
              "found 532 B");
}

TEST(HomeParameters, RefuseToReserveAllMshrs) {
    Homes homes;
    homes.home.reserved_mshrs.set("16");
    EXPECT_EQ(refusal(homes.home, bifrost32), "");  // private
    homes.home.policy.set("s_nuca");
    EXPECT_EQ(refusal(homes.home, bifrost32),
              "home.reserved_mshrs: expected less than the 16 MSHRs of a texture cache, found 16");
}

TEST(HomeParameters, RefuseHomesThatSplitALine) {
    Homes homes;
    const HomeParameters::Site wide{32, 16, 128, 8}, narrow{32, 16, 32, 8};
    homes.home.policy.set("s_nuca");
    EXPECT_EQ(refusal(homes.home, wide), "home.interleave: expected a multiple of the 2 blocks of a line, found 1");
    EXPECT_EQ(refusal(homes.home, narrow), "");
    homes.home.policy.set("dtm_nuca");
    EXPECT_EQ(refusal(homes.home, wide), "");
    homes.home.page_blocks.set("7");
    EXPECT_EQ(refusal(homes.home, wide), "home.page_blocks: expected a multiple of the 2 blocks of a line, found 7");
}

TEST(HomeParameters, RefuseADirectoryWithoutAPowerOfTwoOfSets) {
    Homes homes;
    homes.home.policy.set("d_nuca");
    homes.home.directory_entries.set("10000");
    EXPECT_EQ(refusal(homes.home, bifrost32),
              "home.directory_entries: expected entries / (ways x slices) to be a power of two (the number of sets), "
              "found 10000 entries, 8 ways and 8 slices");
    homes.home.directory_entries.set("1");
    EXPECT_NE(refusal(homes.home, bifrost32), "");  // less than a set
}

}  // namespace
}  // namespace models

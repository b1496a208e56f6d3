#include "models/memory/home/home_parameters.h"

#include <gtest/gtest.h>

namespace models {
namespace {

struct Homes : ParameterGroup {
    HomeParameters home{this, "home", "of a test"};
};

constexpr HomeParameters::Site site(int cores, std::uint32_t line = 64, std::uint32_t sector = 64) {
    return {cores, 16, line, sector, 8, false, false, true};
}
constexpr HomeParameters::Site bifrost32 = site(32);

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
    const DirectoryShape directory = homes.home.directory_shape(8, 1);
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
    EXPECT_EQ(refusal(homes.home, site(33)), "home.owner_bits: expected at least 6 for 33 cores, found 5");
    homes.home.policy.set("d_nuca");
    EXPECT_EQ(refusal(homes.home, site(33)), "");
    EXPECT_EQ(refusal(homes.home, site(1025)), "home: expected at most 1024 cores with texture caches, found 1025");
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

TEST(HomeParameters, RefuseTextureCachesThatCannotBeOne) {
    Homes homes;
    EXPECT_EQ(refusal(homes.home, site(32, 128, 128)), "");  // private
    homes.home.policy.set("s_nuca");
    EXPECT_EQ(
        refusal(homes.home, site(32, 128, 128)),
        "texture_cache.line: expected lines of 64 B, fetched whole, with home.policy = \"s_nuca\", found lines of "
        "128 B and sectors of 128 B");
    EXPECT_NE(refusal(homes.home, site(32, 64, 32)), "");
    HomeParameters::Site other = bifrost32;
    other.has_prefetcher = true;
    EXPECT_EQ(refusal(homes.home, other),
              "texture_cache.prefetcher: expected \"none\" with home.policy = \"s_nuca\", as lines of other cores' "
              "caches are not put in a core's own");
    other = bifrost32;
    other.is_perfect = true;
    EXPECT_EQ(
        refusal(homes.home, other),
        "texture_cache.perfect: expected false with home.policy = \"s_nuca\", as nothing is asked of others where "
        "every access hits");
    other = bifrost32;
    other.is_contiguous = false;
    EXPECT_EQ(refusal(homes.home, other), "");
    homes.home.policy.set("d_nuca");
    EXPECT_EQ(refusal(homes.home, other),
              "address_space.placement: expected \"contiguous\" with home.policy = \"d_nuca\", whose directory knows "
              "lines by physical addresses");
}

TEST(HomeParameters, SayWhatHasNoEffect) {
    Homes homes;
    const auto lines = [&](int cores) {
        WithoutEffect found;
        homes.home.add_without_effect(found, cores);
        return found.lines();
    };
    homes.home.buckets.set("16");
    EXPECT_EQ(lines(32), (std::vector<std::string>{"home.buckets = 16 has no effect: home.policy is private"}));
    homes.home.policy.set("dtm_nuca");
    EXPECT_TRUE(lines(32).empty());
    EXPECT_EQ(lines(1), (std::vector<std::string>{"home.buckets = 16 has no effect: there is one texture cache"}));
    homes.home.interleave.set("2");
    EXPECT_EQ(lines(32), (std::vector<std::string>{"home.interleave = 2 has no effect: home.policy is dtm_nuca"}));
}

// The node in the middle of the mesh is the central table, or counts the accesses of an epoch.
TEST(HomeParameters, SayThatTheTableHasNoEffectOnlyWhereThereIsNoNodeInTheMiddle) {
    Homes homes;
    const auto lines = [&](const char* policy) {
        homes.home.policy.set(policy);
        WithoutEffect found;
        homes.home.add_without_effect(found, 32);
        return found.lines();
    };
    homes.home.table_latency.set("7");
    homes.home.table_interval.set("2");
    EXPECT_TRUE(lines("dtm_nuca").empty());
    EXPECT_TRUE(lines("dtm_nuca_distributed").empty());
    EXPECT_EQ(lines("s_nuca").size(), 2U);
}

TEST(HomeParameters, SayThatHitsAreNotNotedWhereOnlyMissesCount) {
    Homes homes;
    homes.home.policy.set("dtm_nuca");
    homes.home.note_accesses.set("64");
    homes.home.count_hits.set("false");
    WithoutEffect found;
    homes.home.add_without_effect(found, 32);
    EXPECT_EQ(found.lines(),
              (std::vector<std::string>{"home.note_accesses = 64 has no effect: home.count_hits is false"}));
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

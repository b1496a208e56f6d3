// Home policies as a whole: what they do to hits and to the L2 cache.
#include "tests/models/memory/home/nuca_study.h"

#include <map>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/counter_rng.h"

namespace models {
namespace {

std::size_t member(std::string_view name) {
    std::size_t number = 0;
    while (HomePolicy::names[number] != name) ++number;
    return number;
}

NucaShape study_of(std::string_view policy, std::uint32_t cores) {
    NucaShape shape;
    shape.home.policy = member(policy);
    shape.home.cores = cores;
    AffinityShape& affinity = shape.home.affinity;
    affinity.cores = cores;
    affinity.buckets = 32;
    affinity.page_blocks = 8;
    affinity.counter_bits = 4;
    affinity.change_percent = 25;
    shape.home.note_accesses = 8;
    return shape;
}

struct Access {
    CoreNumber core;
    BlockNumber block;
};

NucaFigures play(const NucaShape& shape, const std::vector<Access>& accesses) {
    NucaStudy study(shape);
    for (const Access& access : accesses) study.access(access.core, access.block);
    return study.figures();
}

std::vector<Access> random_accesses(std::uint32_t cores, std::uint32_t blocks, int count) {
    std::vector<Access> accesses;
    accesses.reserve(static_cast<std::size_t>(count));
    engine::CounterRng random(5, cores);
    for (int i = 0; i < count; ++i)
        accesses.push_back({static_cast<CoreNumber>(random.below(cores)), random.below(random.below(blocks) + 1)});
    return accesses;
}

TEST(NucaStudy, WithOneCoreAllPoliciesArePrivate) {
    const std::vector<Access> accesses = random_accesses(1, 2000, 200'000);
    const NucaFigures expected = play(study_of("private", 1), accesses);
    EXPECT_GT(expected.l2_accesses, 1000U);
    EXPECT_EQ(expected.local_hits + expected.l2_accesses, expected.accesses);
    for (const std::string_view policy : HomePolicy::names)
        EXPECT_EQ(play(study_of(policy, 1), accesses), expected) << policy;
}

// Every core uses buckets that no other one does, and all of its own in every epoch.
TEST(NucaStudy, WhereNothingIsSharedAffinityIsPrivate) {
    constexpr std::uint32_t cores = 4;
    std::vector<Access> accesses;
    engine::CounterRng random(6, 0);
    for (int i = 0; i < 400'000; ++i) {
        const std::uint32_t core = random.below(cores), page = core + cores * random.below(64);
        accesses.push_back({static_cast<CoreNumber>(core), page * 8 + random.below(8)});
    }
    const NucaFigures expected = play(study_of("private", cores), accesses);
    EXPECT_GT(expected.l2_accesses, 1000U);
    for (const std::string_view policy : {"dtm_nuca", "dtm_nuca_distributed"})
        EXPECT_EQ(play(study_of(policy, cores), accesses), expected) << policy;
}

TEST(NucaStudy, EveryBlockIsWhereItsPolicyPutsIt) {
    constexpr std::uint32_t cores = 8;
    const std::vector<Access> accesses = random_accesses(cores, 6000, 200'000);
    for (const std::string_view policy : HomePolicy::names) {
        NucaShape shape = study_of(policy, cores);
        shape.directory = {128, 8};  // fewer than there are lines in the caches
        shape.claim_delay = 100;
        NucaStudy study(shape);
        for (const Access& access : accesses) {
            const bool was_local = study.holds(access.core, access.block);
            study.access(access.core, access.block);
            ASSERT_TRUE(study.holds(was_local ? access.core : study.last_asked(), access.block)) << policy;
            const bool is_static = policy == "s_nuca", is_single = is_static || policy == "d_nuca";
            ASSERT_TRUE(policy != "private" || study.holds(access.core, access.block));
            ASSERT_TRUE(!is_single || study.copies(access.block) == 1) << policy;
            ASSERT_TRUE(!is_static || study.holds(static_cast<CoreNumber>(access.block % cores), access.block));
        }
        const NucaFigures& figures = study.figures();
        EXPECT_EQ(figures.local_hits + figures.remote_hits + figures.l2_accesses, figures.accesses) << policy;
        EXPECT_EQ(figures.recalled > 0, policy == "d_nuca") << policy;
    }
}

TEST(NucaStudy, TheDirectoryKnowsAllThatIsInCaches) {
    constexpr std::uint32_t cores = 8;
    NucaShape shape = study_of("d_nuca", cores);
    shape.directory = {128, 4};
    NucaStudy study(shape);
    for (const Access& access : random_accesses(cores, 6000, 50'000)) study.access(access.core, access.block);
    std::size_t entries = 0;
    study.directory().for_each([&](const Directory::Entry& entry) {
        ++entries;
        EXPECT_TRUE(study.holds(entry.owner, entry.line));
    });
    EXPECT_EQ(entries, study.distinct_blocks());
}

// Paper 004, III-B: an old owner serves hits without touching recency, so that its line goes "in a natural way".
TEST(NucaStudy, AnOldOwnersLineGoesThoughItIsUsed) {
    for (const bool recent : {false, true}) {
        NucaShape shape = study_of("dtm_nuca", 2);
        shape.cache = {1, 2};
        shape.home.recent_without_owning = recent;
        NucaStudy study(shape);
        study.access(0, 0);  // core 0 owns buckets 0 and 1
        study.access(0, 8);
        for (int i = 0; i < 15; ++i) study.access(1, 0);  // core 1 takes bucket 0
        EXPECT_EQ(study.figures().remote_hits, 15U);
        EXPECT_EQ(study.table().owner(0), 1);
        study.access(1, 0);
        EXPECT_EQ(study.copies(0), 2U);
        study.access(0, 8);
        study.access(0, 0);
        EXPECT_EQ(study.figures().local_hits, 2U);
        study.access(0, 16);  // takes the place of 0, or of 8 if the hit before made 0 recent
        EXPECT_EQ(study.holds(0, 0), recent);
        EXPECT_EQ(study.holds(0, 8), !recent);
    }
}

// A frame in tiles of 32 x 32 pixels, each of which is dealt to the cores in squares of 8 x 8. Texture blocks are 4 x 4
// texels, seen one to one. A background that is repeated all over the screen, and sprites from an atlas anywhere, over
// the borders of squares and tiles: neighbouring cores share blocks, and each block is used at several places.
std::vector<Access> tile_shared_frame(std::uint32_t cores) {
    constexpr std::uint32_t columns = 20, rows = 12, tile = 32, square = 8, atlas = 128, sprites = 6;
    std::vector<Access> accesses;
    engine::CounterRng random(7, 0);
    const auto sample = [&](std::uint32_t core, std::uint32_t first, std::uint32_t x, std::uint32_t y) {
        accesses.push_back({static_cast<CoreNumber>(core), first + y / 4 % atlas * atlas + x / 4 % atlas});
    };
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
            for (std::uint32_t layer = 0; layer <= sprites; ++layer) {
                const std::uint32_t first = layer == 0 ? 0 : atlas * atlas;
                const std::uint32_t at_x = layer == 0 ? column * tile % 128 : random.below(atlas) * 4;
                const std::uint32_t at_y = layer == 0 ? row * tile % 128 : random.below(atlas / 4) * 4;
                for (std::uint32_t y = 0; y < tile; y += 2)
                    for (std::uint32_t x = 0; x < tile; x += 2) {
                        const std::uint32_t core = (y / square * (tile / square) + x / square + column * 3) % cores;
                        sample(core, first, at_x + x, at_y + y);
                        sample(core, first, at_x + x + 2, at_y + y + 2);  // what filtering needs beside it
                    }
            }
    return accesses;
}

// Fewer copies, fewer accesses to the L2 cache: paper 004, figure 6, has 100 %, 66.7 %, 58.2 % and 53.8 % of them. Here
// squares of a tile share more of their pages than there: owners change more often.
TEST(NucaStudy, TheMoreACoreKnowsOfOthersTheLessItAsksTheL2Cache) {
    for (const bool folds : {false, true})
        for (const std::uint32_t cores : {8U, 16U, 32U}) {
            const std::vector<Access> frame = tile_shared_frame(cores);
            const auto asked = [&](std::string_view policy) {
                NucaShape shape = study_of(policy, cores);
                shape.folds = folds;
                return play(shape, frame).l2_accesses;
            };
            const std::uint64_t central = asked("dtm_nuca"), distributed = asked("dtm_nuca_distributed");
            EXPECT_GT(asked("private"), distributed) << cores;
            EXPECT_GT(distributed, central) << cores;
            EXPECT_GE(central, asked("d_nuca")) << cores;
        }
}

// And the more it has in its own cache.
TEST(NucaStudy, TheLessACoreKnowsOfOthersTheMoreItHitsInItsOwnCache) {
    for (const std::uint32_t cores : {8U, 16U, 32U}) {
        const std::vector<Access> frame = tile_shared_frame(cores);
        const auto local = [&](std::string_view policy) { return play(study_of(policy, cores), frame).local_hits; };
        const std::uint64_t central = local("dtm_nuca"), distributed = local("dtm_nuca_distributed");
        EXPECT_GT(local("private"), distributed) << cores;
        EXPECT_GT(distributed, central) << cores;
    }
}

}  // namespace
}  // namespace models

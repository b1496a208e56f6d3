#include "models/workload/uploads.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models {
namespace {

constexpr Address ring = 1 << 26;

// Three passes of two draws each.
Frame three_passes() {
    Frame frame;
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
        frame.passes.emplace_back().first_draw = 2 * pass;
        frame.passes.back().draw_count = 2;
    }
    return frame;
}

Upload upload(std::uint32_t before_draw, Address address, std::uint64_t bytes) {
    Upload made;
    made.before_draw = before_draw;
    made.address = address;
    made.bytes = bytes;
    return made;
}

Uploads loaded(const Frame& frame) {
    Uploads uploads;
    uploads.load(frame, ring);
    return uploads;
}

TEST(Uploads, AreAllLinesOfWhichTheyWriteSomethingInTheOrderOfCommands) {
    Frame frame = three_passes();
    frame.uploads = {upload(0, 0x4000, 64), upload(0, 0x2030, 32), upload(1, 0x2000, 129)};
    const Uploads uploads = loaded(frame);
    std::vector<std::pair<BlockNumber, BlockNumber>> runs;
    for (const BlockRun& run : uploads.runs()) runs.emplace_back(run.first, run.count);
    EXPECT_THAT(runs, testing::ElementsAre(std::pair{0x100, 1}, std::pair{0x80, 2}, std::pair{0x80, 3}));
}

TEST(Uploads, OfNoBytesWriteNothing) {
    Frame frame = three_passes();
    frame.uploads = {upload(0, 0x4000, 0), upload(0, 0x4010, 0)};
    const Uploads uploads = loaded(frame);
    EXPECT_TRUE(uploads.runs().empty());
    EXPECT_FALSE(uploads.any_in(0));
}

TEST(Uploads, BelongToThePassOfTheDrawThatTheyComeBeforeAndBehindAllDrawsToTheLast) {
    Frame frame = three_passes();
    for (const std::uint32_t draw : {0U, 1U, 2U, 3U, 5U, 6U}) frame.uploads.push_back(upload(draw, draw * 64, 64));
    const Uploads uploads = loaded(frame);
    const std::vector<std::vector<BlockNumber>> expected = {{0, 1}, {2, 3}, {5, 6}};
    for (std::uint32_t pass = 0; pass < 3; ++pass)
        for (BlockNumber block = 0; block < 8; ++block) {
            const auto& own = expected[pass];
            EXPECT_EQ(uploads.written_in(pass, block), std::count(own.begin(), own.end(), block) > 0)
                << pass << ", " << block;
        }
    EXPECT_FALSE(uploads.any_in(3));
}

TEST(Uploads, SkipPassesWithoutDraws) {
    Frame frame = three_passes();
    frame.passes[1].draw_count = 0;
    frame.passes[2].first_draw = 2;
    frame.uploads = {upload(2, 0x1000, 64)};
    const Uploads uploads = loaded(frame);
    EXPECT_FALSE(uploads.any_in(1));
    EXPECT_TRUE(uploads.written_in(2, 0x1000 / 64));
}

TEST(Uploads, AreFoundAlsoWhereTheyMeetAndLieInOneAnother) {
    Frame frame = three_passes();
    frame.uploads = {upload(0, 40 * 64, 64),     upload(0, 10 * 64, 10 * 64), upload(0, 12 * 64, 64),
                     upload(0, 20 * 64, 2 * 64), upload(0, 30 * 64, 64),      upload(0, 18 * 64, 3 * 64)};
    const Uploads uploads = loaded(frame);
    for (BlockNumber block = 0; block < 50; ++block)
        EXPECT_EQ(uploads.written_in(0, block), (block >= 10 && block < 22) || block == 30 || block == 40) << block;
}

TEST(Uploads, OfConstantsGoWhereTheMachineHasTheRing) {
    Frame frame = three_passes();
    frame.uploads = {upload(0, constant_ring + 128, 64), upload(0, constant_ring + constant_ring_bytes - 64, 64)};
    const Uploads uploads = loaded(frame);
    EXPECT_EQ(uploads.runs().at(0).first, (ring + 128) / 64);
    EXPECT_EQ(uploads.runs().at(1).first, (ring + constant_ring_bytes) / 64 - 1);
    EXPECT_EQ(uploads.runs().at(1).count, 1U);
}

TEST(Uploads, LieWhereTheirPagesAre) {
    Frame frame = three_passes();
    frame.uploads = {upload(0, 3 * page_bytes - 64, 128), upload(3, 7 * page_bytes, 64)};
    const Uploads uploads = loaded(frame);
    const PagePlacement placement(1024, 5);
    const BlockRuns placed = uploads.placed(placement);
    ASSERT_NE(placement.physical(3 * page_blocks - 1) + 1, placement.physical(3 * page_blocks));
    for (const BlockNumber block : {3 * page_blocks - 1, 3 * page_blocks, 7 * page_blocks}) {
        EXPECT_TRUE(placed.holds(placement.physical(block))) << block;
        EXPECT_FALSE(placed.holds(placement.physical(block + 1)) && block % page_blocks != page_blocks - 1) << block;
    }
    EXPECT_FALSE(placed.holds(placement.physical(3 * page_blocks - 1) + 1));
}

TEST(Uploads, OfAFrameWithoutPassesBelongToItsBeginning) {
    Frame frame;
    frame.uploads = {upload(0, 0x1000, 64)};
    const Uploads uploads = loaded(frame);
    ASSERT_TRUE(uploads.any_in(0));
    EXPECT_TRUE(uploads.written_in(0, 0x1000 / 64));
    EXPECT_FALSE(uploads.written_in(0, 0x1000 / 64 + 1));
}

}  // namespace
}  // namespace models

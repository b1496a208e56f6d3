#include "models/workload/draw_constants.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(DrawConstants, AreTheBlocksOfEachProgramOfEachDraw) {
    constexpr Address ring = 1 << 26;
    Frame frame;
    frame.constants = {{ShaderStage::vertex, 0, 100, 28},
                       {ShaderStage::vertex, 1, 4096, 65},
                       {ShaderStage::fragment, 0, 640, 0},
                       {ShaderStage::fragment, 2, constant_ring + 64, 64},
                       {ShaderStage::vertex, 0, 1 << 20, 1 << 16}};
    frame.draws.resize(3);
    frame.draws[0].constant_count = 4;
    frame.draws[2].first_constant = 4;
    frame.draws[2].constant_count = 1;
    DrawConstants constants;
    constants.load(frame, ring);

    const auto vertex = constants.runs(0, true);
    ASSERT_EQ(vertex.size(), 2U);
    EXPECT_EQ(vertex[0].first, 1U);
    EXPECT_EQ(vertex[0].count, 1U);
    EXPECT_EQ(vertex[1].first, 64U);
    EXPECT_EQ(vertex[1].count, 2U);
    const auto fragment = constants.runs(0, false);
    ASSERT_EQ(fragment.size(), 1U);  // nothing is declared of the first buffer
    EXPECT_EQ(fragment[0].first, ring / 64 + 1);
    EXPECT_EQ(fragment[0].count, 1U);
    EXPECT_TRUE(constants.runs(1, true).empty());
    EXPECT_TRUE(constants.runs(1, false).empty());
    EXPECT_EQ(constants.runs(2, true)[0].count, 1024U);

    frame.draws.clear();
    constants.load(frame, ring);
    frame.draws.resize(1);
    constants.load(frame, ring);
    EXPECT_TRUE(constants.runs(0, true).empty());
}

}  // namespace
}  // namespace models

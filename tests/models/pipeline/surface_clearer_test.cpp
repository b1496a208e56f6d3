#include "models/pipeline/surface_clearer.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/component_fixture.h"

namespace models {
namespace {

using engine::Time;

// A clear of a pass with two colour targets of 64 lines and depths of 32, before a memory that answers after 40 cycles.
class SurfaceClearerTest : public ComponentTest {
  protected:
    static constexpr BlockNumber first = (1U << 20U) / block_bytes, second = (2U << 20U) / block_bytes,
                                 depths = (8U << 20U) / block_bytes;

    SurfaceClearerTest() {
        Pass& pass = scene.pass();
        pass.colour.push_back({2U << 20U, 32, 32, 4});
        pass.depth = {8U << 20U, 32, 32, 2};
        scene.draw(DrawKind::clear).colour_mask = 0;
    }
    // Clears at cycle 10.
    void run(int credits = 512) {
        attach(credits);
        clearer = std::make_unique<SurfaceClearer>(&host->counters(), workload, host->memory, 0, 1);
        host->on_answer = [this](Time now, const MemoryReply&) {
            EXPECT_FALSE(clearer->is_done());
            clearer->on_written();
            if (clearer->is_done()) done = now;
        };
        host->cycle = [this](Time now) { return clearer->step(now) ? now + 1 : engine::never; };
        host->at(10, [this](Time now) {
            clearer->begin(0, 0);
            if (clearer->is_done()) done = now;
        });
        simulation.run({});
        EXPECT_TRUE(clearer->is_done());
        EXPECT_EQ(clearer->lines_cleared.value(), memory->seen.size());
    }
    // Of the requests from one on, that they are lines of a surface, one after the other.
    void expect_lines(std::size_t from, BlockNumber line, std::size_t count, MemoryClient client,
                      MemoryOperation operation) {
        ASSERT_GE(memory->seen.size(), from + count);
        for (std::size_t i = 0; i < count; ++i) {
            const MemoryRequest& request = memory->seen[from + i].second;
            EXPECT_EQ(request.block, line + i);
            EXPECT_EQ(request.client, client);
            EXPECT_EQ(request.operation, operation);
        }
    }

    std::unique_ptr<SurfaceClearer> clearer;
    Time done = -1;
};

TEST_F(SurfaceClearerTest, WritesEveryLineOfATargetWholeOneACycleAndWaitsForTheAnswers) {
    scene.frame.draws[0].colour_mask = 0x0f;
    run();
    ASSERT_EQ(memory->seen.size(), 64U);
    expect_lines(0, first, 64, MemoryClient::colour, MemoryOperation::write_line);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(memory->seen[i].first, 10 + static_cast<Time>(i) + 2);
    EXPECT_EQ(done, 10 + 63 + 2 + 40 + 1);
}

TEST_F(SurfaceClearerTest, WritesNoPadding) {
    scene.frame.passes[0].colour[0] = {1U << 20U, 100, 52, 4};
    scene.frame.draws[0].colour_mask = 0x0f;
    run();
    EXPECT_EQ(memory->seen.size(), 25U * 13);  // blocks of 4x4 texels
}

TEST_F(SurfaceClearerTest, ClearsWhatTheDrawNamesOnly) {
    scene.frame.draws[0].colour_mask = 0xf0;
    run();
    ASSERT_EQ(memory->seen.size(), 64U);
    expect_lines(0, second, 64, MemoryClient::colour, MemoryOperation::write_line);
}

TEST_F(SurfaceClearerTest, ClearsColoursAndDepthsTogether) {
    scene.frame.draws[0].colour_mask = 0xff;
    scene.frame.draws[0].depth_write = scene.frame.draws[0].stencil_write = true;
    run();
    ASSERT_EQ(memory->seen.size(), 64U + 64 + 32);
    expect_lines(0, second, 64, MemoryClient::colour, MemoryOperation::write_line);
    expect_lines(64, first, 64, MemoryClient::colour, MemoryOperation::write_line);
    expect_lines(128, depths, 32, MemoryClient::depth, MemoryOperation::write_line);
}

TEST_F(SurfaceClearerTest, KeepsTheDepthsBesideStencils) {
    scene.frame.draws[0].stencil_write = true;
    run();
    ASSERT_EQ(memory->seen.size(), 32U);
    expect_lines(0, depths, 32, MemoryClient::depth, MemoryOperation::write_part);
}

TEST_F(SurfaceClearerTest, WaitsForCredits) {
    scene.frame.draws[0].colour_mask = 0x0f;
    run(3);
    ASSERT_EQ(memory->seen.size(), 64U);
    expect_lines(0, first, 64, MemoryClient::colour, MemoryOperation::write_line);
    EXPECT_EQ(memory->seen[2].first, 14);
    EXPECT_EQ(memory->seen[3].first, 12 + 40 + 1 + 2);
}

TEST_F(SurfaceClearerTest, IsDoneAtOnceWithWhatIsNotThere) {
    scene.frame.passes[0].depth = {};
    scene.frame.draws[0].depth_write = true;
    run();
    EXPECT_EQ(done, 10);
    EXPECT_TRUE(memory->seen.empty());
}

}  // namespace
}  // namespace models

#include "models/pipeline/command_reader.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/hosted_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

constexpr std::uint32_t bytes = 96;  // of a draw: one and a half lines

// A frame of draws that begins in cycle 10, before a memory that answers after 40 cycles; a draw takes so many cycles.
class CommandReaderTest : public HostedTest {
  protected:
    CommandReaderTest() : HostedTest(Rendering::tiled, bytes) { parameters.geometry.command_bytes.set("96 B"); }

    void run(std::uint32_t draws, Time draw_time, int frames = 1) {
        scene.pass();
        for (std::uint32_t d = 0; d < draws; ++d) scene.draw();
        build_host(40);
        reader = std::make_unique<CommandReader>(&host->counters(), parameters.geometry, workload, host->memory, 5, 1);
        host->cycle = [this, draws, draw_time](Time now) {
            bool active = reader->step(now);
            if (next < draws && now >= free_at && reader->has_draw()) {
                reader->take_draw();
                ++next;
                taken.push_back(now);
                free_at = now + draw_time;
                active = true;
            }
            return active ? now + 1 : now < free_at ? free_at : engine::never;
        };
        host->on_answer = [this](Time, const MemoryReply& reply) {
            EXPECT_EQ(reply.tag.part, 5);
            reader->on_line(reply.tag);
        };
        next = draws;
        for (int frame = 0; frame < frames; ++frame)
            host->at(10 + 1000 * frame, [this](Time) {
                reader->begin_frame();
                next = 0;
            });
        simulation.run({});
        EXPECT_EQ(taken.size(), std::size_t{draws} * static_cast<std::size_t>(frames));
        EXPECT_EQ(reader->command_lines.value(), memory->seen.size());
    }
    std::vector<std::uint32_t> lines() const {
        std::vector<std::uint32_t> all;
        for (const auto& [time, request] : memory->seen) {
            EXPECT_EQ(request.client, MemoryClient::command);
            EXPECT_EQ(request.operation, MemoryOperation::read);
            all.push_back(request.block - workload.commands().block(0));
        }
        return all;
    }

    std::unique_ptr<CommandReader> reader;
    std::uint32_t next = 0;
    Time free_at = 0;
    std::vector<Time> taken;
};

TEST_F(CommandReaderTest, ReadsEveryLineOnceInTheirOrder) {
    run(5, 1);
    EXPECT_THAT(lines(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_EQ(memory->seen[2].second.attribution.draw, 1U);
}

TEST_F(CommandReaderTest, ADrawWaitsForAllItsLines) {
    run(2, 1);
    ASSERT_EQ(memory->seen.size(), 3U);
    // Lines leave a cycle apart; two of them are the first draw's, and the third completes the second one's.
    EXPECT_EQ(taken[0] - memory->seen[1].first, taken[1] - memory->seen[2].first);
    EXPECT_GE(taken[0] - memory->seen[1].first, 40);
}

TEST_F(CommandReaderTest, LinesComeWhileEarlierDrawsAreExecuted) {
    run(4, 100);
    for (std::size_t d = 1; d < taken.size(); ++d) EXPECT_EQ(taken[d] - taken[d - 1], 100);
}

TEST_F(CommandReaderTest, ReadsOnlySoFarAhead) {
    parameters.geometry.command_lines.set("1");
    run(6, 1000);
    std::size_t early = 0;
    for (const auto& [time, request] : memory->seen) early += time < taken[0] ? 1 : 0;
    EXPECT_EQ(early, 3U);  // a line ahead, one for the draw's own part of a line and the one that it begins in
}

TEST_F(CommandReaderTest, BeginsAnewWithEveryFrame) {
    run(2, 1, 2);
    EXPECT_THAT(lines(), ElementsAre(0, 1, 2, 0, 1, 2));
}

}  // namespace
}  // namespace models

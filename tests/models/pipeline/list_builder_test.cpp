#include "models/pipeline/list_builder.h"

#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "tests/models/hosted_fixture.h"

namespace models {
namespace {

using engine::Time;

// The list builder is given all primitives of a pass as fast as it takes them, then drained.
class ListBuilderTest : public HostedTest {
  protected:
    // A pass with primitives of 4 + 48 x varyings bytes in so many tiles each.
    void primitives(std::uint32_t count, std::uint32_t varyings, std::uint32_t tiles) {
        scene.pass(64);
        scene.draw().varying_count = varyings;
        for (std::uint32_t i = 0; i < count; ++i) scene.primitive(tiles);
    }
    void run(int credits = 256) {
        build_host(60, credits);
        builder = std::make_unique<ListBuilder>(&host->counters(), parameters.tiling, 4, workload, host->memory, 0, 1);
        builder->begin_pass(0);
        host->on_answer = [this](Time, const MemoryReply&) { builder->on_written(); };
        const auto all = static_cast<std::uint32_t>(workload.lists(0).primitives.size());
        host->cycle = [this, all](Time now) {
            builder->step(now, next == all);
            while (next < all && builder->has_room()) builder->push(next++);
            if (builder->drained()) drained_at = now;
            return drained_at == 0 ? now + 1 : engine::never;
        };
        host->wake_at(0);
        simulation.run({});
        for (const auto& [time, request] : memory->seen)
            ++(request.operation == MemoryOperation::write_line ? whole : parts)[request.block];
    }

    std::unique_ptr<ListBuilder> builder;
    std::uint32_t next = 0;
    Time drained_at = 0;
    std::map<BlockNumber, int> whole, parts;  // how often each line was written
};

TEST_F(ListBuilderTest, WritesFullLinesOncePerLine) {
    primitives(64, 2, 3);  // 6400 bytes; three lists of four chunks, all full
    run();
    EXPECT_EQ(whole.size(), 100U + 12U);
    EXPECT_TRUE(parts.empty());
    for (const auto& [block, times] : whole) EXPECT_EQ(times, 1) << block;
    EXPECT_EQ((whole.rbegin()->first + 1 - whole.begin()->first) * block_bytes, workload.lists(0).bytes);
    EXPECT_EQ(builder->list_entries.value(), 192U);
    EXPECT_EQ(builder->primitives.value(), 64U);
    EXPECT_EQ(builder->whole_lines.value(), 112U);
}

TEST_F(ListBuilderTest, WritesALineOrAnEntryACycle) {
    primitives(64, 8, 3);  // 388 bytes: 24832 in 388 lines; 64 x 3 entries
    run();
    // A primitive of six lines and a bit takes six or seven cycles, then three for its entries.
    const Time last = drained_at - 63;  // the last line is answered after 1 + 1 + 60 + 1 cycles
    EXPECT_GE(last, 388 + 192);
    EXPECT_LE(last, 388 + 192 + 8);
}

TEST_F(ListBuilderTest, WritesLinesThatAreNotFullInPartAtTheEnd) {
    primitives(5, 2, 2);  // 500 bytes: seven lines and a part; two lists of five entries
    run();
    EXPECT_EQ(whole.size(), 7U);
    EXPECT_EQ(parts.size(), 3U);
    EXPECT_EQ((whole.size() + parts.size()) * block_bytes, workload.lists(0).bytes);
}

TEST_F(ListBuilderTest, PushesCollectedLinesOutWhenItHasNoRoomForMore) {
    parameters.tiling.write_buffer.set("2");
    primitives(16, 2, 3);  // the three lists take turns in two places
    run();
    EXPECT_EQ(builder->list_entries.value(), 48U);
    EXPECT_GT(builder->part_lines.value(), 16U);
    for (const auto& [block, times] : whole) EXPECT_EQ(times, 1) << block;
}

TEST_F(ListBuilderTest, WritesAnEntryThatFillsALineAtOnce) {
    parameters.tiling.list_entry.set("64 B");
    parameters.tiling.write_buffer.set("1");
    primitives(16, 1, 3);
    run();
    EXPECT_EQ(builder->part_lines.value(), 0U);  // 52 bytes x 16 are 13 lines
    EXPECT_EQ(whole.size(), 13U + 48U);
}

TEST_F(ListBuilderTest, IsDrainedOnlyWhenAllIsInMemory) {
    primitives(5, 2, 2);
    run(1);  // one write at a time
    ASSERT_EQ(memory->seen.size(), 10U);
    EXPECT_EQ(drained_at, memory->seen.back().first + 60 + 1);
    for (std::size_t i = 1; i < 10; ++i) EXPECT_GE(memory->seen[i].first - memory->seen[i - 1].first, 62);
}

}  // namespace
}  // namespace models

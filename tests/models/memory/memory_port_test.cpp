#include "models/memory/memory_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// Two slices with room for two requests each; 5 cycles of injection, 4 for a line of data.
class MemoryPortTest : public testing::Test {
  protected:
    static MemoryRequest request(BlockNumber block, MemoryOperation operation = MemoryOperation::read) {
        MemoryRequest made;
        made.block = block;
        made.operation = operation;
        return made;
    }
    std::vector<Time> departures(std::uint32_t slice) const {
        std::vector<Time> times;
        for (const auto& [time, message] : memory.seen)
            if (SliceMap(1, 2).slice(message.block) == slice) times.push_back(time - 1);
        return times;
    }
    engine::Simulation simulation;
    bench::Host& host = simulation.add<bench::Host>(MemoryPortShape{2, 2, 1, 5, 16});
    bench::Memory& memory = host.attach_memory(simulation, 50);
};

TEST_F(MemoryPortTest, SendsAfterTheLookupAndTheInjection) {
    host.at(10, [this](Time now) { host.memory.send(now, request(6), 3); });
    host.at(20, [this](Time now) { host.memory.send(now, request(7), 1); });
    simulation.run({});
    EXPECT_THAT(departures(0), ElementsAre(10 + 3 + 5));
    EXPECT_THAT(departures(1), ElementsAre(20 + 1 + 5));
    EXPECT_EQ(host.memory.reads[static_cast<std::size_t>(MemoryClient::texture)].value(), 2U);
}

TEST_F(MemoryPortTest, InjectsOneMessageAtATimeAndDataForLonger) {
    host.at(10, [this](Time now) {
        host.memory.send(now, request(0), 1);
        host.memory.send(now, request(1, MemoryOperation::write_line), 1);
        host.memory.send(now, request(2), 1);
    });
    simulation.run({});
    EXPECT_THAT(departures(0), ElementsAre(16, 21));
    EXPECT_THAT(departures(1), ElementsAre(17));
}

TEST_F(MemoryPortTest, HasACreditForEachRequestThatASliceHasRoomFor) {
    host.at(10, [this](Time now) {
        host.memory.send(now, request(0), 1);
        EXPECT_TRUE(host.memory.can_send(2));
        host.memory.send(now, request(2), 1);
        EXPECT_FALSE(host.memory.can_send(4));
        EXPECT_TRUE(host.memory.can_send(1));  // to the other slice
        EXPECT_EQ(host.memory.in_flight(), 2);
    });
    host.at(10 + 6 + 1 + 50, [this](Time) { EXPECT_FALSE(host.memory.can_send(4)); });
    host.at(10 + 6 + 1 + 50 + 1, [this](Time) { EXPECT_TRUE(host.memory.can_send(4)); });
    simulation.run({});
    EXPECT_EQ(host.memory.in_flight(), 0);
    EXPECT_EQ(host.memory.replies.value(), 2U);
}

// The place of the page of blocks 0 to 63 has to be asked for; of two requests for it none passes the other.
class MemoryPortWithTlbTest : public MemoryPortTest {
  protected:
    static MemoryPortShape with_tlb() {
        MemoryPortShape shape{2, 8, 1, 5, 16};
        shape.tlb = Tlb::Shape{2, 2, 3};
        return shape;
    }
    std::vector<std::pair<Time, BlockNumber>> seen(bool pages) const {
        std::vector<std::pair<Time, BlockNumber>> found;
        for (const auto& [time, message] : translating.seen)
            if (message.asks_for_page() == pages) found.emplace_back(time - 1, message.block);
        return found;
    }
    engine::Simulation other;
    bench::Host& port = other.add<bench::Host>(with_tlb());
    bench::Memory& translating = port.attach_memory(other, 50);
};

TEST_F(MemoryPortWithTlbTest, RequestsWaitForTheirPageInOrderAndOthersPass) {
    port.at(10, [this](Time now) { port.memory.send(now, request(0), 1); });
    port.at(11, [this](Time now) { port.memory.send(now, request(1), 1); });
    port.at(100, [this](Time now) {
        port.memory.send(now, request(64), 1);  // another page
        port.memory.send(now, request(2), 1);
    });
    other.run({});
    // The answer comes 16 + 1 + 50 + 1 ticks from the start; then a lookup and the injection.
    EXPECT_THAT(seen(true), ElementsAre(std::pair(Time{16}, 0U), std::pair(Time{106}, 64U)));
    EXPECT_THAT(seen(false), ElementsAre(std::pair(Time{68 + 6}, 0U), std::pair(Time{68 + 7}, 1U),
                                         std::pair(Time{107}, 2U), std::pair(Time{106 + 52 + 6}, 64U)));
    EXPECT_EQ(bench::counter(port, "tlb_hits"), 1U);
    EXPECT_EQ(bench::counter(port, "tlb_misses"), 2U);
    EXPECT_EQ(bench::counter(port, "tlb_joined"), 1U);
    EXPECT_EQ(bench::counter(port, "tlb_answers"), 2U);
}

TEST_F(MemoryPortWithTlbTest, HasRoomForSoManyThatWait) {
    port.at(10, [this](Time now) {
        for (BlockNumber block = 0; block < 3; ++block) {
            EXPECT_TRUE(port.memory.can_send(block));
            port.memory.send(now, request(block), 1);
        }
        EXPECT_FALSE(port.memory.can_send(3));
    });
    port.at(68, [this](Time) { EXPECT_TRUE(port.memory.can_send(3)); });
    other.run({});
    EXPECT_EQ(port.memory.in_flight(), 0);
}

TEST_F(MemoryPortWithTlbTest, ForgetsThePageThatWasUsedLongestAgo) {
    for (Time i = 0; i < 3; ++i)
        port.at(1000 * i, [this, i](Time now) { port.memory.send(now, request(static_cast<BlockNumber>(64 * i)), 1); });
    port.at(3000, [this](Time now) { port.memory.send(now, request(128), 1); });
    port.at(4000, [this](Time now) { port.memory.send(now, request(0), 1); });
    other.run({});
    EXPECT_EQ(bench::counter(port, "tlb_hits"), 1U);
    EXPECT_EQ(bench::counter(port, "tlb_misses"), 4U);
}

// Credits belong to the slice of the physical line.
TEST_F(MemoryPortTest, SendsToThePlaceOfThePage) {
    MemoryPortShape shape{2, 1, 1, 5, 16};
    shape.placement = PagePlacement(1 << 18, 7);
    engine::Simulation other;
    bench::Host& port = other.add<bench::Host>(shape);
    bench::Memory& placed = port.attach_memory(other, 50);
    port.at(10, [&](Time now) {
        const BlockNumber block = 1000;
        port.memory.send(now, request(block), 1);
        EXPECT_FALSE(port.memory.can_send(block));
        EXPECT_TRUE(port.memory.can_send(block ^ 1U));
    });
    other.run({});
    ASSERT_EQ(placed.seen.size(), 1U);
    EXPECT_EQ(placed.seen[0].second.block, shape.placement.physical(1000));
    EXPECT_EQ(placed.seen[0].second.block % 64, 1000U % 64);
    EXPECT_EQ(port.memory.in_flight(), 0);
}

}  // namespace
}  // namespace models

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
            if (slice_of(message.block, 1, 2) == slice) times.push_back(time - 1);
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

}  // namespace
}  // namespace models

#include "models/dram_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;

// One channel of a machine with one channel: 4 bytes a cycle, 16 cycles a line; rows of 64 lines, 8 banks.
class DramChannelTest : public testing::Test {
  protected:
    DramChannelTest() { parameters.dram.channels.set("1"); }
    void build() {
        channel = &simulation.add<DramChannel>(0, parameters, 1);
        source = &simulation.add<bench::Source<DramRequest>>("source");
        sink = &simulation.add<bench::Sink<DramReply>>("sink");
        simulation.connect(source->out, channel->requests[0], 1);
        simulation.connect(channel->replies[0], sink->in, 1);
        period = Clocks(parameters).dram;
    }
    void request(Time cycle, BlockNumber block, bool write = false, std::uint16_t tag = 0) {
        source->send_at(cycle * period - 1, {block, tag, write});
    }
    // DRAM cycles from the start at which the last byte had passed.
    std::vector<Time> done() const {
        std::vector<Time> cycles;
        for (const Time time : sink->times()) cycles.push_back((time - 1) / period);
        return cycles;
    }
    std::uint64_t counter(const std::string& name) const {
        for (const auto& info : channel->counters().all())
            if (info.name == name) return *info.value;
        ADD_FAILURE() << name;
        return 0;
    }

    static constexpr Time burst = 16;
    static constexpr BlockNumber row_lines = 64, banks = 8;
    MachineParameters parameters;
    engine::Simulation simulation;
    DramChannel* channel = nullptr;
    bench::Source<DramRequest>* source = nullptr;
    bench::Sink<DramReply>* sink = nullptr;
    Time period = 0;
};

TEST_F(DramChannelTest, TakesItsLatencyForAnOpenRowAndForAnother) {
    build();
    request(10, 0);
    request(1000, 1);
    request(2000, row_lines * banks);  // the same bank, the next row
    simulation.run({});
    EXPECT_THAT(done(), testing::ElementsAre(10 + 100, 1000 + 50, 2000 + 100));
    EXPECT_EQ(counter("row_hits"), 1U);
    EXPECT_EQ(counter("row_misses"), 2U);
}

TEST_F(DramChannelTest, StreamsOpenRowsAtTheBandwidthOfTheBus) {
    build();
    for (BlockNumber block = 0; block < row_lines; ++block) request(10, block);
    simulation.run({});
    EXPECT_EQ(done().back(), 10 + 100 + (row_lines - 1) * burst);
    EXPECT_EQ(counter("bytes"), row_lines * 64);
    EXPECT_EQ(counter("busy_cycles"), row_lines * burst);
}

TEST_F(DramChannelTest, OverlapsTheOpeningOfRowsInDifferentBanks) {
    build();
    for (BlockNumber bank = 0; bank < banks; ++bank) request(10, bank * row_lines);
    simulation.run({});
    EXPECT_EQ(done().back(), 10 + 100 + (banks - 1) * burst);
}

TEST_F(DramChannelTest, OpensRowsOfOneBankOneAfterTheOther) {
    build();
    for (BlockNumber row = 0; row < 4; ++row) request(10, row * banks * row_lines);
    simulation.run({});
    EXPECT_THAT(done(), testing::ElementsAre(110, 210, 310, 410));
}

TEST_F(DramChannelTest, LetsAnOpenRowGoFirstButNotForEver) {
    parameters.dram.row_hit_cap.set("2");
    build();
    request(10, 0, false, 0);
    request(11, banks * row_lines, false, 1);  // another row of the bank
    for (std::uint16_t i = 0; i < 4; ++i) request(12 + i, 1U + i, false, static_cast<std::uint16_t>(2 + i));
    simulation.run({});
    std::vector<int> order;
    for (const auto& arrival : sink->arrivals) order.push_back(arrival.message.tag);
    EXPECT_THAT(order, testing::ElementsAre(0, 2, 3, 1, 4, 5));
}

TEST_F(DramChannelTest, AcknowledgesWrites) {
    build();
    request(10, 0, true, 7);
    simulation.run({});
    ASSERT_EQ(sink->arrivals.size(), 1U);
    EXPECT_TRUE(sink->arrivals[0].message.write);
    EXPECT_EQ(sink->arrivals[0].message.tag, 7U);
    EXPECT_EQ(counter("writes"), 1U);
}

TEST_F(DramChannelTest, SharesTheBandwidthAmongChannels) {
    parameters.dram.channels.set("2");  // 2 bytes a cycle each: 32 cycles a line
    build();
    request(10, 0);
    request(10, 2);  // the next line of channel 0
    simulation.run({});
    EXPECT_THAT(done(), testing::ElementsAre(110, 142));
}

}  // namespace
}  // namespace models

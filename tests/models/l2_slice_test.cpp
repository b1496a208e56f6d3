#include "models/l2_slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// One slice of a machine with one slice and one DRAM channel; two ports; wires of one tick.
class L2SliceTest : public testing::Test {
  protected:
    static constexpr Time dram_time = 500;

    L2SliceTest() {
        parameters.l2.slices.set("1");
        parameters.dram.channels.set("1");
    }
    void build() {
        slice = &simulation.add<L2Slice>(0, parameters, 2);
        for (int port = 0; port < 2; ++port) {
            sources.push_back(&simulation.add<bench::Source<MemoryRequest>>("source" + std::to_string(port)));
            sinks.push_back(&simulation.add<bench::Sink<MemoryReply>>("sink" + std::to_string(port)));
            simulation.connect(sources.back()->out, slice->requests[port], 1);
            simulation.connect(slice->replies[port], sinks.back()->in, 1);
        }
        dram = &simulation.add<bench::Dram>("dram", -1, dram_time);
        simulation.connect(slice->dram_requests[0], dram->in, 1);
        simulation.connect(dram->out, slice->dram_replies[0], 1);
        period = Clocks(parameters).gpu;
    }
    // Arrives at the slice at a clock edge, `cycle` cycles from the start.
    void request(Time cycle, BlockNumber block, MemoryOperation operation = MemoryOperation::read, int port = 0,
                 std::uint16_t tag = 0) {
        MemoryRequest message;
        message.block = block;
        message.operation = operation;
        message.tag = RequestTag::of(0, tag);
        sources[static_cast<std::size_t>(port)]->send_at(cycle * period - 1, message);
    }
    // Cycles from the start at which answers left the slice.
    std::vector<Time> answers(int port = 0) const {
        std::vector<Time> cycles;
        for (const Time time : sinks[static_cast<std::size_t>(port)]->times()) cycles.push_back((time - 1) / period);
        return cycles;
    }
    std::uint64_t counter(const std::string& name) const {
        for (const auto& info : slice->counters().all())
            if (info.name == name) return *info.value;
        ADD_FAILURE() << name;
        return 0;
    }

    MachineParameters parameters;
    engine::Simulation simulation;
    L2Slice* slice = nullptr;
    std::vector<bench::Source<MemoryRequest>*> sources;
    std::vector<bench::Sink<MemoryReply>*> sinks;
    bench::Dram* dram = nullptr;
    Time period = 0;
};

TEST_F(L2SliceTest, AnswersAHitAfterItsLatency) {
    build();
    request(10, 5);
    request(1000, 5);
    simulation.run({});
    EXPECT_EQ(answers()[1], 1018);
    EXPECT_EQ(counter("hits"), 1U);
    EXPECT_EQ(counter("misses"), 1U);
}

TEST_F(L2SliceTest, AnswersAMissAfterItsLatencyPlusTheTimeOfDram) {
    build();
    request(10, 5);
    simulation.run({});
    // 6 cycles of tags, a tick there, 500 ticks, a tick back, 12 cycles of data: 18 cycles and 502 ticks.
    EXPECT_THAT(sinks[0]->times(), ElementsAre((10 + 18) * period + 502 + 1));
    ASSERT_EQ(dram->seen.size(), 1U);
    EXPECT_EQ(dram->seen[0].first, (10 + 6) * period + 1);
    EXPECT_EQ(dram->seen[0].second.block, 5U);
}

TEST_F(L2SliceTest, ServesOneRequestACycleInOrder) {
    build();
    for (BlockNumber block = 0; block < 4; ++block) request(10, block);
    simulation.run({});
    for (BlockNumber block = 0; block < 4; ++block)
        request(1000, block, MemoryOperation::read, 0, static_cast<std::uint16_t>(block));
    simulation.run({});
    std::vector<Time> hits = answers();
    hits.erase(hits.begin(), hits.begin() + 4);
    EXPECT_THAT(hits, ElementsAre(1018, 1019, 1020, 1021));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sinks[0]->arrivals[4 + i].message.tag.entry, i);
}

TEST_F(L2SliceTest, FetchesALineOnceForRequestsOfSeveralPorts) {
    build();
    request(10, 5, MemoryOperation::read, 0, 1);
    request(12, 5, MemoryOperation::read, 1, 2);
    simulation.run({});
    EXPECT_EQ(dram->seen.size(), 1U);
    EXPECT_EQ(counter("merged"), 1U);
    ASSERT_EQ(sinks[1]->arrivals.size(), 1U);
    EXPECT_EQ(sinks[1]->arrivals[0].message.tag.entry, 2U);
    EXPECT_EQ(answers(1)[0], answers(0)[0] + 1);
}

TEST_F(L2SliceTest, DoesNotFetchALineThatIsWrittenWhole) {
    build();
    request(10, 5, MemoryOperation::write_line);
    simulation.run({});
    EXPECT_TRUE(dram->seen.empty());
    EXPECT_THAT(answers(), ElementsAre(28));
    EXPECT_EQ(slice->dirty_lines(), 1U);
    EXPECT_EQ(counter("allocations"), 1U);
}

TEST_F(L2SliceTest, FetchesALineThatIsWrittenInPart) {
    build();
    request(10, 5, MemoryOperation::write_part);
    simulation.run({});
    EXPECT_EQ(dram->seen.size(), 1U);
    EXPECT_FALSE(dram->seen[0].second.write);
    EXPECT_EQ(slice->dirty_lines(), 1U);
}

TEST_F(L2SliceTest, WritesADirtyLineBackBeforeItFetchesItsSuccessor) {
    parameters.l2.capacity.set("4 KiB");  // 8 sets of 8 ways
    build();
    for (BlockNumber way = 0; way < 8; ++way) request(10 + 100 * way, way * 8, MemoryOperation::write_line);
    request(1000, 64);
    request(2000, 128, MemoryOperation::write_line);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 3U);
    EXPECT_TRUE(dram->seen[0].second.write);
    EXPECT_EQ(dram->seen[0].second.block, 0U);
    EXPECT_FALSE(dram->seen[1].second.write);
    EXPECT_EQ(dram->seen[1].second.block, 64U);
    EXPECT_TRUE(dram->seen[2].second.write);
    EXPECT_EQ(dram->seen[2].second.block, 8U);
    EXPECT_EQ(counter("write_backs"), 2U);
    EXPECT_EQ(counter("write_acknowledgements"), 2U);
}

TEST_F(L2SliceTest, WaitsForAnMshrAndThenGoesOn) {
    parameters.l2.mshrs.set("1");
    build();
    request(10, 1);
    request(10, 2);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 2U);
    EXPECT_GE(dram->seen[1].first, dram->seen[0].first + dram_time);
    EXPECT_EQ(answers().size(), 2U);
    EXPECT_GE(counter("blocked"), 1U);
}

TEST_F(L2SliceTest, NeverHasMoreThanItsShareOfTheDramQueueInFlight) {
    parameters.dram.queue.set("2");
    build();
    for (BlockNumber block = 0; block < 6; ++block) request(10 + block, block);
    simulation.run({});
    ASSERT_EQ(dram->seen.size(), 6U);
    for (std::size_t i = 2; i < 6; ++i) EXPECT_GE(dram->seen[i].first, dram->seen[i - 2].first + dram_time);
}

TEST_F(L2SliceTest, SendsALineThroughANarrowLinkInSeveralCycles) {
    parameters.network.link_width.set("16 B");
    build();
    for (const BlockNumber block : {1U, 2U}) request(10 + block, block);
    for (const BlockNumber block : {1U, 2U}) request(1000, block);
    simulation.run({});
    EXPECT_EQ(answers()[2], 1018);
    EXPECT_EQ(answers()[3], 1022);
}

}  // namespace
}  // namespace models

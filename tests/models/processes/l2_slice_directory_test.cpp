// An L2 slice that knows which core has a line, and sends requests on to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/processes/l2_slice_fixture.h"

namespace models {
namespace {

using testing::ElementsAre;

// A directory of one set of one way; two cores ask for lines and hear of each other's.
class L2DirectoryTest : public L2SliceTest {
  protected:
    L2DirectoryTest() {
        const DirectoryShape directory{1, 1, 1};
        slice = &simulation.add<L2Slice>(
            L2Slice::Shape{parameters.l2, 0, 2, {32}, 1, period, 64, {}, most_memory_blocks, &directory});
        simulation.connect(source.out, slice->requests, 1);
        simulation.connect(slice->replies, sink.in, 1);
        dram = &simulation.add<bench::Dram>("dram", -1, dram_time);
        simulation.connect(slice->dram_requests[0], dram->in, 1);
        simulation.connect(dram->out, slice->dram_replies[0], 1);
        simulation.connect(gone.out, slice->evicted[0], 1);
        simulation.connect(slice->to_cores[0], to_cores.in, 1);
    }
    void ask(Time cycle, BlockNumber block, std::uint16_t core) {
        MemoryRequest message;
        message.block = block;
        message.tag = RequestTag::of(0, 3);
        message.requester = core;
        message.attribution.tile = 8;
        message.asks_directory = 1;
        source.send_at(cycle * period - 1, message);
    }
    void say_gone(Time cycle, BlockNumber block, CoreNumber core) {
        HomeMessage message;
        message.kind = HomeMessage::Kind::evicted;
        message.from = core;
        message.number = block;
        message.at = cycle * period - 1;
        gone.send_at(message.at, message);
    }
    bench::Source<HomeMessage>& gone = simulation.add<bench::Source<HomeMessage>>("gone");
    bench::Sink<HomeMessage>& to_cores = simulation.add<bench::Sink<HomeMessage>>("to_cores");
};

TEST_F(L2DirectoryTest, SendsARequestOnToTheCoreThatHasTheLine) {
    ask(10, 5, 0);
    ask(1000, 5, 1);
    simulation.run({});
    ASSERT_EQ(to_cores.arrivals.size(), 1U);
    const auto& [time, message] = to_cores.arrivals[0];
    EXPECT_EQ(time, (1000 + 6) * period + 1);
    EXPECT_EQ(message.kind, HomeMessage::Kind::request);
    EXPECT_EQ(message.number, 5U);
    EXPECT_EQ(message.tile, 8U);
    EXPECT_EQ(message.from, 1);
    EXPECT_EQ(message.to, 0);
    EXPECT_EQ(message.entry, 3);
    ASSERT_EQ(sink.arrivals.size(), 2U);
    EXPECT_FALSE(sink.arrivals[0].message.is_elsewhere());
    EXPECT_TRUE(sink.arrivals[1].message.is_elsewhere());
    EXPECT_EQ(answers(1)[0], 1012);  // 18 cycles less those of the tags, in which the data are not read
    EXPECT_EQ(counter("reads"), 1U);
    expect_laws();
}

TEST_F(L2DirectoryTest, GivesALineThatHasGoneToWhoAsksNext) {
    ask(10, 5, 0);
    say_gone(900, 5, 0);
    ask(1000, 5, 1);
    simulation.run({});
    EXPECT_TRUE(to_cores.arrivals.empty());
    EXPECT_EQ(counter("directory_taken"), 2U);
    expect_laws();
}

// What a core said before it was given the line again is old.
TEST_F(L2DirectoryTest, HeedsNoEvictionOfBeforeTheLineWasGivenAgain) {
    ask(10, 5, 0);
    ask(800, 5, 0);
    HomeMessage late;
    late.kind = HomeMessage::Kind::evicted;
    late.from = 0;
    late.number = 5;
    late.at = 700 * period;
    gone.send_at(900 * period, late);
    ask(1000, 5, 1);
    simulation.run({});
    EXPECT_EQ(counter("directory_renewed"), 1U);
    EXPECT_EQ(counter("directory_sent_on"), 1U);
    expect_laws();
}

TEST_F(L2DirectoryTest, CallsALineBackForWhichThereIsNoEntry) {
    ask(10, 5, 0);
    ask(1000, 6, 1);
    simulation.run({});
    ASSERT_EQ(to_cores.arrivals.size(), 1U);
    EXPECT_EQ(to_cores.arrivals[0].message.kind, HomeMessage::Kind::recall);
    EXPECT_EQ(to_cores.arrivals[0].message.number, 5U);
    EXPECT_EQ(to_cores.arrivals[0].message.to, 0);
    EXPECT_EQ(counter("directory_recalls"), 1U);
    expect_laws();
}

}  // namespace
}  // namespace models

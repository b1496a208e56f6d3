#include "models/processes/dram_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/laws.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;

// One channel of a machine with one channel; a cycle is three ticks.
class DramChannelTest : public testing::Test {
  protected:
    DramChannelTest() { dram.channels.set("1"); }
    void build() {
        channel = &simulation.add<DramChannel>(
            DramChannel::Shape{dram, 0, {{64}, period, block_bytes, true}, bandwidth_every});
        source = &simulation.add<bench::Source<DramRequest>>("source");
        sink = &simulation.add<bench::Sink<DramReply>>("sink");
        simulation.connect(source->out, channel->requests[0], 1);
        simulation.connect(channel->replies[0], sink->in, 1);
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
    std::uint64_t counter(const std::string& name) const { return bench::counter(*channel, name); }

    void expect_lawful() {
        Laws laws;
        channel->add_laws(laws);
        const Ledger ledger(simulation.processes(), simulation.collect_counters());
        for (const Violation& violation : ledger.violations(laws)) ADD_FAILURE() << violation.text();
        for (const Violation& violation : ledger.violations(laws, 0, channel->now())) ADD_FAILURE() << violation.text();
    }

    // Of reads with this latency in DRAM cycles.
    std::uint64_t with_latency(std::uint64_t cycles) const {
        for (const engine::CounterInfo& info : channel->counters().all())
            if (info.name == "read_latency_texture" && info.bins->bin_of(cycles) == info.bin) return *info.value;
        return 0;
    }

    static constexpr Time period = 3;
    Time bandwidth_every = 0;
    static constexpr BlockNumber row_lines = 64, banks = 8;
    ParameterGroup root;
    DramParameters dram{&root, "dram", "of a test"};
    engine::Simulation simulation;
    DramChannel* channel = nullptr;
    bench::Source<DramRequest>* source = nullptr;
    bench::Sink<DramReply>* sink = nullptr;
};

// The flat model: 4 bytes a cycle, 16 cycles a line; rows of 64 lines, 8 banks.
class FlatDramChannel : public DramChannelTest {
  protected:
    FlatDramChannel() {
        dram.model.set("flat");
        dram.flat.data_edges.set("one");
    }
    static constexpr Time burst = 16;
};

TEST_F(FlatDramChannel, TakesItsLatencyForAnOpenRowAndForAnother) {
    build();
    request(10, 0);
    request(1000, 1);
    request(2000, row_lines * banks);  // the same bank, the next row
    simulation.run({});
    EXPECT_THAT(done(), testing::ElementsAre(10 + 100, 1000 + 50, 2000 + 100));
    EXPECT_EQ(counter("read_latency_texture"), 3U);
    EXPECT_EQ(with_latency(100), 2U);
    EXPECT_EQ(with_latency(50), 1U);
    EXPECT_EQ(counter("row_hits"), 1U);
    EXPECT_EQ(counter("row_misses"), 2U);
}

TEST_F(FlatDramChannel, NotesItsTrafficOverTime) {
    bandwidth_every = 1000;  // ticks
    build();
    channel->begin_frame();
    request(10, 0);
    request(20, 1, true);
    request(1000, 2);  // at tick 3000; nothing in the interval before
    simulation.run({});
    channel->end_frame();
    const auto end = static_cast<std::uint64_t>(simulation.now());
    EXPECT_GT(end, 3000U);
    EXPECT_THAT(channel->bandwidth().values(), testing::ElementsAre(0, 1000, 64, 64,   //
                                                                    1000, 2000, 0, 0,  //
                                                                    2000, 3000, 0, 0,  //
                                                                    3000, end, 64, 0));
    const TimeSeries series = bandwidth_of({channel->bandwidth().values(), channel->bandwidth().values()});
    EXPECT_THAT(series.edges, testing::ElementsAre(0, 1000, 2000, 3000, simulation.now()));
    EXPECT_THAT(series.columns.at(0).values, testing::ElementsAre(64, 64, 0, 0, 0, 0, 64, 64));
    EXPECT_THAT(series.indices, testing::ElementsAre(0, 1));
    expect_lawful();
}

TEST_F(FlatDramChannel, StreamsOpenRowsAtTheBandwidthOfTheBus) {
    build();
    for (BlockNumber block = 0; block < row_lines; ++block) request(10, block);
    simulation.run({});
    EXPECT_EQ(done().back(), 10 + 100 + (row_lines - 1) * burst);
    EXPECT_EQ(counter("bytes"), row_lines * 64);
    channel->end_frame();
    EXPECT_EQ(counter("cycles_transfer"), row_lines * burst);
}

TEST_F(FlatDramChannel, OverlapsTheOpeningOfRowsInDifferentBanks) {
    build();
    for (BlockNumber bank = 0; bank < banks; ++bank) request(10, bank * row_lines);
    simulation.run({});
    EXPECT_EQ(done().back(), 10 + 100 + (banks - 1) * burst);
}

TEST_F(FlatDramChannel, OpensRowsOfOneBankOneAfterTheOther) {
    build();
    for (BlockNumber row = 0; row < 4; ++row) request(10, row * banks * row_lines);
    simulation.run({});
    EXPECT_THAT(done(), testing::ElementsAre(110, 210, 310, 410));
}

TEST_F(FlatDramChannel, LetsAnOpenRowGoFirstButNotForEver) {
    dram.row_hit_cap.set("2");
    build();
    request(10, 0, false, 0);
    request(11, banks * row_lines, false, 1);  // another row of the bank
    for (std::uint16_t i = 0; i < 4; ++i) request(12 + i, 1U + i, false, static_cast<std::uint16_t>(2 + i));
    simulation.run({});
    std::vector<int> order;
    for (const auto& arrival : sink->arrivals) order.push_back(arrival.message.tag);
    EXPECT_THAT(order, testing::ElementsAre(0, 2, 3, 1, 4, 5));
}

TEST_F(FlatDramChannel, AcknowledgesWrites) {
    build();
    request(10, 0, true, 7);
    simulation.run({});
    ASSERT_EQ(sink->arrivals.size(), 1U);
    EXPECT_EQ(sink->arrivals[0].message.outcome, DramOutcome::written);
    EXPECT_EQ(sink->arrivals[0].message.credits, 1);
    EXPECT_EQ(sink->arrivals[0].message.tag, 7U);
    EXPECT_EQ(counter("writes"), 1U);
}

// Two channels with 4 bytes a cycle, read in four ways: cycles between two lines of a channel.
TEST_F(FlatDramChannel, MovesLinesAtTheBandwidthThatIsMeant) {
    struct Reading {
        const char *of, *edges;
        Time cycles;
    };
    for (const Reading& reading : {Reading{"each_channel", "both", 8},
                                   {"each_channel", "one", 16},
                                   {"all_channels", "both", 16},
                                   {"all_channels", "one", 32}}) {
        ParameterGroup group;
        DramParameters read(&group, "dram", "of a test");
        read.model.set("flat");
        read.flat.bandwidth_of.set(reading.of);
        read.flat.data_edges.set(reading.edges);
        engine::Simulation other;
        auto& of_two = other.add<DramChannel>(DramChannel::Shape{read, 0, {{64}, period}});
        auto& from = other.add<bench::Source<DramRequest>>("source");
        auto& to = other.add<bench::Sink<DramReply>>("sink");
        other.connect(from.out, of_two.requests[0], 1);
        other.connect(of_two.replies[0], to.in, 1);
        for (BlockNumber i = 0; i < 8; ++i) from.send_at(10 * period - 1, {2 * i, 0, false});  // every other line
        other.run({});
        ASSERT_EQ(to.arrivals.size(), 8U);
        EXPECT_EQ((to.times()[0] - 1) / period, 10 + 100);
        for (std::size_t i = 1; i < 8; ++i)
            EXPECT_EQ(to.times()[i] - to.times()[i - 1], reading.cycles * period) << reading.of << reading.edges;
    }
}

TEST_F(FlatDramChannel, CountsBytesByClient) {
    build();
    source->send_at(10 * period - 1, {0, 0, true, MemoryClient::colour});
    source->send_at(20 * period - 1, {1, 0, false, MemoryClient::vertex});
    simulation.run({});
    EXPECT_EQ(counter("bytes_colour"), 64U);
    EXPECT_EQ(counter("bytes_vertex"), 64U);
    channel->end_frame();
    expect_lawful();
}

TEST_F(FlatDramChannel, SaysWhereItsTimeGoes) {
    build();
    request(10, 0);  // a row is opened, then a line passes
    request(10, 1);
    request(1000, 2);  // it is open
    simulation.run({});
    channel->end_frame();
    EXPECT_EQ(counter("cycles_waits_banks"), (100 - burst) + (50 - burst));
    EXPECT_EQ(counter("cycles_transfer"), 3 * burst);
    EXPECT_EQ(counter("cycles_idle") + counter("cycles_waits_banks") + counter("cycles_transfer"),
              static_cast<std::uint64_t>(channel->now() / period));
}

// The timed model: LPDDR3-800, two bursts of four cycles a line, rows of 64 lines.
class TimedDramChannel : public DramChannelTest {
  protected:
    // DRAM cycles at which the data of reads had passed.
    std::vector<Time> read() const {
        std::vector<Time> cycles;
        for (const auto& arrival : sink->arrivals)
            if (arrival.message.outcome == DramOutcome::data) cycles.push_back((arrival.time - 1) / period);
        return cycles;
    }
    static constexpr Time queue = 1, activate = 8, latency = 6, data = 8;
};

TEST_F(TimedDramChannel, AnswersWhenTheLastByteHasPassed) {
    build();
    request(10, 0);
    request(100, 1);
    simulation.run({});
    EXPECT_THAT(read(), testing::ElementsAre(10 + queue + activate + latency + data, 100 + queue + latency + data));
    EXPECT_EQ(with_latency(queue + activate + latency + data), 1U);
    EXPECT_EQ(with_latency(queue + latency + data), 1U);
    EXPECT_EQ(counter("row_misses"), 1U);
    EXPECT_EQ(counter("row_hits"), 3U);  // of bursts
}

TEST_F(TimedDramChannel, TakesARequestAtTheNextEdgeOfItsClock) {
    build();
    source->send_at(10 * period - 3, {0, 0, false});  // comes two ticks before the edge
    simulation.run({});
    EXPECT_THAT(read(), testing::ElementsAre(10 + queue + activate + latency + data));
}

TEST_F(TimedDramChannel, GivesTheEntryBackBeforeTheDataAndOnlyOnce) {
    build();
    request(10, 0, false, 5);
    request(11, 100, true, 6);
    simulation.run({});
    std::vector<std::pair<int, DramOutcome>> answers;
    int credits = 0;
    for (const auto& arrival : sink->arrivals) {
        answers.emplace_back(arrival.message.tag, arrival.message.outcome);
        credits += arrival.message.credits;
    }
    EXPECT_THAT(answers, testing::ElementsAre(std::pair(5, DramOutcome::accepted), std::pair(6, DramOutcome::written),
                                              std::pair(5, DramOutcome::data)));
    EXPECT_EQ(credits, 2);
    EXPECT_EQ(channel->reads().value(), 1U);
    EXPECT_EQ(channel->writes().value(), 1U);
}

TEST_F(TimedDramChannel, TakesTheLinesOfItsTurn) {
    dram.channels.set("2");
    build();
    request(10, 0);
    request(100, 126);   // the last of the row, as every other line is the other channel's
    request(200, 1024);  // eight rows further: the same bank
    simulation.run({});
    EXPECT_EQ(counter("row_misses"), 1U);
    EXPECT_EQ(counter("row_conflicts"), 1U);
}

TEST_F(TimedDramChannel, ObeysItsLawsAtTheEndOfAFrame) {
    build();
    for (std::uint16_t i = 0; i < 60; ++i)
        source->send_at(50 * i + 7, {BlockNumber{i} * 37, i, i % 3 == 0, MemoryClient::colour});
    source->send_at(1'000'000, {0, 60, false, MemoryClient::vertex});
    simulation.run({});
    channel->end_frame();
    expect_lawful();
    EXPECT_EQ(counter("bytes_colour") + counter("bytes_vertex"), counter("bytes"));
    EXPECT_EQ(counter("commands_refresh"), static_cast<std::uint64_t>(channel->now() / period / 1560));
}

}  // namespace
}  // namespace models

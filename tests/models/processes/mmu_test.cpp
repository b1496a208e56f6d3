#include "models/processes/mmu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/machine_parameters.h"
#include "tests/models/bench.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;

// Cycles are ticks. A read of a table takes 2 cycles of lookup and injection, 1 there, 50, and 1 back: 54.
class MmuTest : public testing::Test {
  protected:
    static constexpr Time latency = 10, read = 54;
    static constexpr Address tables = 1 << 20;
    void build() {
        mmu = &simulation.add<Mmu>(
            Mmu::Shape{parameters.mmu, 64, 1, {1, 8, 1, 1, block_bytes}, {tables, Address{1} << 30}});
        simulation.connect(source.out, mmu->requests, 1);
        simulation.connect(mmu->answers, sink.in, 1);
        simulation.connect(mmu->memory.requests, memory.in, 1);
        simulation.connect(memory.out, mmu->replies, 1);
    }
    // Arrives at `cycle`.
    void ask(Time cycle, PageNumber page, std::uint16_t requester = 0) {
        MemoryRequest question;
        question.block = page * page_blocks + 3;
        question.sectors = 0;
        question.requester = requester;
        source.send_at(cycle - 1, question);
    }
    std::vector<Time> answers() const {
        std::vector<Time> times;
        for (const auto& [time, reply] : sink.arrivals) times.push_back(time - 1);
        return times;
    }
    std::vector<Address> entries() const {
        std::vector<Address> blocks;
        for (const auto& [time, request] : memory.seen) blocks.push_back(Address{request.block} * block_bytes);
        return blocks;
    }
    std::uint64_t counter(const std::string& name) const { return bench::counter(*mmu, name); }
    void expect_laws() {
        Laws laws;
        mmu->add_laws(laws);
        bench::expect_obeyed(laws, simulation);
        EXPECT_EQ(mmu->unfinished(), "");
    }

    MachineParameters parameters;
    engine::Simulation simulation;
    Mmu* mmu = nullptr;
    bench::Source<MemoryRequest>& source = simulation.add<bench::Source<MemoryRequest>>("source");
    bench::Sink<MemoryReply>& sink = simulation.add<bench::Sink<MemoryReply>>("sink");
    bench::Memory& memory = simulation.add<bench::Memory>("memory", -1, 50);
};

TEST_F(MmuTest, WalksThreeLevelsThenKnowsThePageAndItsTable) {
    build();
    ask(10, 1);
    ask(1000, 1);
    ask(2000, 2);    // of the same last table
    ask(3000, 512);  // of another one
    simulation.run({});
    EXPECT_THAT(answers(),
                ElementsAre(10 + 3 * read + latency, 1000 + latency, 2000 + read + latency, 3000 + 3 * read + latency));
    const Address last = tables, middle = tables + 512 * 4096, first = middle + 4096;
    EXPECT_THAT(entries(), ElementsAre(first, middle, last, last, first, middle, last + 4096));
    for (const auto& [time, request] : memory.seen) {
        EXPECT_EQ(request.client, MemoryClient::page_table);
        EXPECT_EQ(bytes_of(request.sectors), 32U);
    }
    EXPECT_EQ(counter("hits"), 1U);
    EXPECT_EQ(counter("walks"), 3U);
    EXPECT_EQ(counter("short_walks"), 1U);
    expect_laws();
}

TEST_F(MmuTest, QuestionsForOnePageShareAWalk) {
    build();
    for (std::uint16_t i = 0; i < 5; ++i) ask(10 + i, 7, i);
    simulation.run({});
    EXPECT_EQ(counter("walks"), 1U);
    EXPECT_EQ(counter("joined"), 4U);
    // One answer a cycle, in the order of the questions.
    const Time first = 10 + 3 * read + latency;
    EXPECT_THAT(answers(), ElementsAre(first, first + 1, first + 2, first + 3, first + 4));
    for (std::uint16_t i = 0; i < 5; ++i) EXPECT_EQ(sink.arrivals[i].message.requester, i);
    expect_laws();
}

TEST_F(MmuTest, HasSoManyWalkersAndTheOldestQuestionWaitsForOne) {
    parameters.mmu.walkers.set("1");
    build();
    ask(10, 0);
    ask(11, 1);
    ask(12, 0);  // behind it
    simulation.run({});
    const Time first = 10 + 3 * read + latency;
    EXPECT_THAT(answers(), ElementsAre(first, first + 1, first + read));
    EXPECT_EQ(sink.arrivals[2].message.block / page_blocks, 1U);
    EXPECT_GT(counter("refusals"), 0U);
    expect_laws();
}

TEST_F(MmuTest, ForgetsWhatWasUsedLongestAgo) {
    parameters.mmu.entries.set("2");
    parameters.mmu.ways.set("2");
    build();
    ask(1000, 0);
    ask(2000, 1);
    ask(3000, 2);
    ask(4000, 1);
    ask(5000, 0);
    simulation.run({});
    EXPECT_EQ(counter("hits"), 1U);
    EXPECT_EQ(counter("walks"), 4U);
    expect_laws();
}

}  // namespace
}  // namespace models

#include "models/memory/dram/dram_controller.h"

#include <algorithm>
#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/counter_rng.h"
#include "models/base/laws.h"
#include "tests/models/memory/dram/command_checker.h"
#include "tests/models/memory/dram/dram_fixture.h"

namespace models {
namespace {

using engine::Time;
using testing::ElementsAre;
using Op = DramOperation;

// LPDDR3-1600 with 64 bits, where a line is a burst of four cycles; rows of 128 lines, eight banks; no refresh unless a
// test wants it.
class DramControllerTest : public testing::Test {
  protected:
    static constexpr BlockNumber row = 128, next_row = 8 * row;
    DramControllerTest() : memory("lpddr3-1600", 1, 64) { memory.set("refresh", "off"); }

    void build(std::vector<int> slices = {16, 16}) {
        memory.dram.check();
        counters = std::make_unique<engine::CounterList>(engine::CounterOwner{"dram_channel", 0});
        controller = std::make_unique<DramController>(engine::CounterScope(counters.get()), memory.dram,
                                                      DramHost{slices, 1, line_bytes});
        controller->log_commands(&log);
    }
    void push(Time cycle, std::uint32_t line, std::uint16_t tag, bool write = false, int slice = 0,
              SectorMask sectors = block_sectors) {
        step_until(cycle);
        controller->push(cycle, slice, {line, tag, sectors, write, MemoryClient::texture, {}});
        next = std::min(next, cycle);
    }
    // All steps before the cycle.
    void step_until(Time cycle) {
        while (next < cycle) {
            const Time now = next;
            next = controller->step(now);
            ++steps;
            for (const DramAnswerTo& answer : controller->answers()) {
                credits += answer.reply.credits;
                if (answer.reply.outcome != DramOutcome::accepted) order.push_back(answer.reply.tag);
                if (answer.reply.outcome == DramOutcome::data) done[answer.reply.tag] = now + answer.delay;
            }
        }
    }
    void finish() { step_until(engine::never); }
    std::vector<Op> operations() const {
        std::vector<Op> all;
        for (const DramCommand& command : log) all.push_back(command.operation);
        return all;
    }
    std::vector<std::byte> saved() const {
        std::vector<std::byte> bytes;
        engine::Archive archive(&bytes);
        archive(*controller, *counters);
        return bytes;
    }

    TestDram memory;
    std::int64_t line_bytes = 64;
    std::unique_ptr<engine::CounterList> counters;
    std::unique_ptr<DramController> controller;
    std::vector<DramCommand> log;
    std::vector<std::uint16_t> order;  // of answers
    std::map<std::uint16_t, Time> done;
    Time next = engine::never;
    int steps = 0, credits = 0;
};

TEST_F(DramControllerTest, ReadsAfterOpeningTheRow) {
    build();
    push(10, 0, 1);
    finish();
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::read));
    EXPECT_EQ(log[0].cycle, 11);
    EXPECT_EQ(log[1].cycle, 11 + 15);
    EXPECT_EQ(done[1], 11 + 15 + 12 + 4);
    EXPECT_EQ(controller->latency_cycles.value(), 32U);
    EXPECT_EQ(credits, 1);
}

TEST_F(DramControllerTest, TellsHitsMissesAndConflicts) {
    build();
    push(10, 0, 1);
    push(100, 1, 2);
    push(200, next_row, 3);
    finish();
    EXPECT_EQ(controller->row_misses.value(), 1U);
    EXPECT_EQ(controller->row_hits.value(), 1U);
    EXPECT_EQ(controller->row_conflicts.value(), 1U);
}

TEST_F(DramControllerTest, LetsOpenRowsGoFirstButNotForEver) {
    memory.set("row_hit_cap", "2");
    build();
    push(10, 0, 0);
    push(11, next_row, 1);
    for (std::uint16_t i = 0; i < 4; ++i) push(12 + i, 1U + i, static_cast<std::uint16_t>(2 + i));
    finish();
    EXPECT_THAT(order, ElementsAre(0, 2, 3, 1, 4, 5));
}

TEST_F(DramControllerTest, OpensRowsOfOtherBanksMeanwhile) {
    build();
    push(10, 0, 0);
    push(10, row, 1);
    finish();
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::activate, Op::read, Op::read));
    EXPECT_EQ(log[1].cycle - log[0].cycle, 8);  // tRRD
}

TEST_F(DramControllerTest, CollectsWritesWhileThereAreReads) {
    memory.set("write_high", "4");
    memory.set("write_low", "2");
    build({32, 32});
    for (std::uint16_t i = 0; i < 3; ++i) push(10, i, static_cast<std::uint16_t>(100 + i), true);
    for (std::uint16_t i = 0; i < 8; ++i) push(10, 64U + i, i, false, 1);
    finish();
    const auto is_write_operation = [](const DramCommand& command) { return is_write(command.operation); };
    EXPECT_EQ(std::count_if(log.begin(), log.end(), is_write_operation), 3);
    const auto first_write = std::find_if(log.begin(), log.end(), is_write_operation);
    EXPECT_TRUE(std::none_of(first_write, log.end(), [](const DramCommand& each) { return is_read(each.operation); }));
}

TEST_F(DramControllerTest, WritesWhenTooManyWaitAndTurnsBackWhenFewAreLeft) {
    memory.set("write_high", "4");
    memory.set("write_low", "2");
    build({32, 32});
    for (std::uint16_t i = 0; i < 5; ++i) push(10, i, static_cast<std::uint16_t>(100 + i), true);
    for (std::uint16_t i = 0; i < 24; ++i) push(10, 64U + i, i, false, 1);
    finish();
    std::string pattern;  // of writes and reads, runs as one letter
    for (const DramCommand& command : log) {
        const char kind = is_write(command.operation) ? 'w' : is_read(command.operation) ? 'r' : ' ';
        if (kind != ' ' && (pattern.empty() || pattern.back() != kind)) pattern += kind;
    }
    EXPECT_THAT(pattern, testing::AnyOf("rwrw", "wrw", "wrwrw"));
}

// Lines are written as fast as there is room for them, and others are read as fast: neither waits for a pause.
TEST_F(DramControllerTest, NeitherReadsNorWritesKeepTheOtherFromGoingOn) {
    memory.set("write_high", "8");
    memory.set("write_low", "4");
    build();
    std::map<std::uint16_t, Time> asked;
    std::uint16_t tag = 0;
    for (Time cycle = 10; cycle < 20'000; ++cycle) {
        step_until(cycle);
        if (controller->has_room(0)) push(cycle, static_cast<std::uint32_t>(cycle), 0xffff, true);
        if (cycle % 500 != 0) continue;
        push(cycle, static_cast<std::uint32_t>(100'000 + cycle), tag, false, 1);
        asked[tag++] = cycle;
    }
    const std::uint64_t written = controller->writes.value();
    finish();
    for (const auto& [read, time] : asked) EXPECT_LT(done.at(read) - time, 200) << read;
    EXPECT_GT(written, 3000U);  // of 5000 that the bus could carry
    for (Time cycle = 30'000; cycle < 50'000; ++cycle) {
        step_until(cycle);
        if (controller->has_room(1)) push(cycle, static_cast<std::uint32_t>(cycle), 0xfffe, false, 1);
        if (cycle % 50 == 0) push(cycle, static_cast<std::uint32_t>(100'000 + cycle), 0xfffd, true);
    }
    EXPECT_GT(controller->writes.value() - written, 380U);  // of 400
}

TEST_F(DramControllerTest, AnswersReadsOfLinesThatWaitToBeWritten) {
    build();
    push(10, 5, 1, true);
    push(11, 5, 2);
    finish();
    EXPECT_EQ(controller->forwarded.value(), 1U);
    EXPECT_EQ(done[2], 11 + 12 + 4);
    EXPECT_EQ(controller->reads.value(), 1U);
    EXPECT_EQ(controller->writes.value(), 1U);
    EXPECT_EQ(controller->bytes.value(), 64U);
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::write));
}

// Two writes wait, so a row is opened, not written yet; the third is of a line that waits to be read.
TEST_F(DramControllerTest, HoldsWritesOfLinesThatWaitToBeRead) {
    build();
    push(10, 5, 1);
    push(10, 5, 2, true, 1);
    push(10, 6, 3, false, 1);
    finish();
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::read, Op::read, Op::write));
    EXPECT_EQ(log[1].row, 0U);
    EXPECT_EQ(controller->forwarded.value(), 0U);
    EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST_F(DramControllerTest, MovesTheBurstsOfTheSectorsThatAreAskedFor) {
    memory.set("bus_bits", "32");
    build();
    push(10, 0, 1, false, 0, 0b10);
    push(10, 1, 2, true, 0, 0b01);
    finish();
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::read, Op::write));
    EXPECT_EQ(controller->bytes.value(), 64U);
    EXPECT_EQ(controller->bursts.value(), 2U);
}

TEST_F(DramControllerTest, MovesAllOfABurst) {
    build();
    push(10, 0, 1, false, 0, 0b10);
    finish();
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::read));
    EXPECT_EQ(controller->bytes.value(), 64U);
}

// Each line is in one row, and has as many bursts as its sectors touch.
TEST_F(DramControllerTest, ServesLinesOf128Bytes) {
    line_bytes = 128;
    build();
    push(10, 0, 1, false, 0, 0b1111);
    push(10, 63, 2, false, 0, 0b1000);
    push(10, 64, 3, false, 0, 0b0110);
    finish();
    EXPECT_THAT(operations(),
                ElementsAre(Op::activate, Op::activate, Op::read, Op::read, Op::read, Op::read, Op::read));
    EXPECT_THAT(log[0].bank, 0);
    EXPECT_THAT(log[1].bank, 1);
    EXPECT_EQ(controller->bytes.value(), 5 * 64U);
}

// One sector waits to be written: a read of it is answered, one of the other goes to the bank, one of both waits.
TEST_F(DramControllerTest, AnswersNoReadWithSectorsThatDoNotWaitToBeWritten) {
    build();
    push(10, 5, 1, true, 0, 0b01);
    push(11, 5, 2, false, 0, 0b01);
    push(12, 5, 3, false, 0, 0b10);
    push(13, 5, 4, false, 0, 0b11);
    finish();
    EXPECT_EQ(controller->forwarded.value(), 1U);
    EXPECT_EQ(done[2], 11 + 12 + 4);
    EXPECT_THAT(operations(),
                ElementsAre(Op::activate, Op::write, Op::read, Op::read));  // the one that waits hastens it
    EXPECT_EQ(order.back(), 4);
}

// Reads of the other slice do not keep the write for ever that a read waits for.
TEST_F(DramControllerTest, WritesSoonWhatAReadWaitsFor) {
    build({16, 1024});
    push(10, 5, 1, true, 0, 0b01);
    push(10, 5, 2, false, 0, 0b11);
    for (std::uint16_t i = 0; i < 1000; ++i) push(10, 64U + i % 64, 100U + i, false, 1);
    finish();
    EXPECT_LT(done[2], 400);
    EXPECT_GT(done[1099], 4000);
}

TEST_F(DramControllerTest, TakesTheSlicesInTurn) {
    memory.set("read_queue", "1");
    build({4, 4, 4});
    for (std::uint16_t i = 0; i < 3; ++i)
        for (int slice = 0; slice < 3; ++slice) push(10, i, static_cast<std::uint16_t>(10 * slice + i), false, slice);
    finish();
    EXPECT_THAT(order, ElementsAre(0, 10, 20, 1, 11, 21, 2, 12, 22));
    EXPECT_EQ(credits, 9);
}

TEST_F(DramControllerTest, ClosesPagesWithTheLastReadThatWaits) {
    memory.set("page", "closed");
    build();
    for (std::uint16_t i = 0; i < 3; ++i) push(10, i, i);
    finish();
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::read, Op::read, Op::read_precharge));
    EXPECT_EQ(controller->open_rows(), 0U);
}

// From the activate until a precharge would be allowed: tRAS here.
TEST_F(DramControllerTest, CountsARowThatClosesByItselfAsOpenUntilThen) {
    memory.set("page", "closed");
    build();
    push(10, 0, 1);
    finish();
    controller->settle(1000);
    ASSERT_THAT(operations(), ElementsAre(Op::activate, Op::read_precharge));
    EXPECT_EQ(controller->active_standby.value(), 34U);
    EXPECT_EQ(controller->precharge_standby.value(), 1000U - 34);
}

TEST_F(DramControllerTest, SplitsALineIntoTheBurstsThatItTakes) {
    memory.set("bus_bits", "32");
    build();
    push(10, 0, 1);
    finish();
    EXPECT_THAT(operations(), ElementsAre(Op::activate, Op::read, Op::read));
    EXPECT_EQ(log[2].cycle - log[1].cycle, 4);
    EXPECT_EQ(done[1], log[2].cycle + 16);
    EXPECT_EQ(controller->row_hits.value(), 1U);
    EXPECT_EQ(controller->bytes.value(), 64U);
}

TEST_F(DramControllerTest, ClosesAllRowsForARefresh) {
    memory.set("refresh", "all_banks");
    build();
    push(3000, 0, 1);
    push(3115, 1, 2);
    push(3119, 2, 3);
    finish();
    EXPECT_THAT(operations(),
                ElementsAre(Op::activate, Op::read, Op::read, Op::precharge_all, Op::refresh, Op::activate, Op::read));
    EXPECT_EQ(log[3].cycle, 3122);  // tRTP after the read at 3116
    EXPECT_EQ(log[4].cycle, 3122 + 17);
    EXPECT_EQ(log[5].cycle, 3122 + 17 + 168);
}

// Idle for a long time, it is not stepped; refreshes are made up for, as if it had been.
TEST_F(DramControllerTest, RefreshesWhileItIsIdleWithoutAStep) {
    for (const char* refresh : {"all_banks", "per_bank"}) {
        memory.set("refresh", refresh);
        log.clear();
        build();
        push(100, 0, 1);
        step_until(engine::never);
        const int before = steps;
        controller->settle(1'000'000);
        EXPECT_EQ(steps, before);
        const bool all = std::string(refresh) == "all_banks";
        const auto refreshes = static_cast<std::uint64_t>(std::count_if(
            log.begin(), log.end(), [](const DramCommand& each) { return each.operation >= Op::refresh; }));
        EXPECT_EQ(refreshes, 1'000'000U / (all ? 3120 : 390));
        EXPECT_EQ(controller->active_standby.value() + controller->precharge_standby.value() +
                      controller->refresh_time.value(),
                  1'000'000U);
        if (all) {
            EXPECT_EQ(controller->refresh_time.value(), refreshes * 168);
        }
        const std::vector<DramCommand> at_once = log;
        log.clear();
        build();
        next = engine::never;
        push(100, 0, 1);
        step_until(engine::never);
        for (Time cycle = 200; cycle <= 1'000'000; cycle += 777) controller->settle(cycle);
        controller->settle(1'000'000);
        EXPECT_EQ(log, at_once);
        next = engine::never;
    }
}

TEST_F(DramControllerTest, ObeysItsLaws) {
    memory.set("refresh", "all_banks");
    memory.set("bus_bits", "32");
    for (line_bytes = 64; line_bytes <= 128; line_bytes *= 2) {
        build();
        next = engine::never;
        credits = 0;
        log.clear();
        engine::CounterRng draws(5, 0);
        const std::uint32_t most = line_bytes == 64 ? 0b11 : 0b1111;
        Time cycle = 0;
        std::uint64_t sectors = 0;
        for (std::uint16_t i = 0; i < 2000; ++i) {
            const int slice = static_cast<int>(draws.below(2));
            while (!controller->has_room(slice)) step_until(++cycle);
            const auto mask = static_cast<SectorMask>(1 + draws.below(most));
            sectors += static_cast<std::uint64_t>(std::popcount(mask));
            const bool writes = draws.below(3) == 0;
            push(cycle, 2 * draws.below(300) + static_cast<std::uint32_t>(slice), i, writes, slice, mask);
            cycle += draws.below(60);
        }
        finish();
        EXPECT_EQ(controller->unfinished(), "");
        EXPECT_EQ(credits, 2000);
        EXPECT_EQ(controller->reads.value() + controller->writes.value(), 2000U);
        EXPECT_EQ(controller->activity().activates,
                  controller->row_misses.value() + controller->row_conflicts.value() + controller->rows_unused.value());
        EXPECT_EQ(controller->bursts.value(), sectors);
        EXPECT_GT(controller->bursts_forwarded.value(), 0U);
        EXPECT_EQ(controller->bytes.value(), 32 * (sectors - controller->bursts_forwarded.value()));
        CommandChecker checker(memory.dram.channel());
        checker.check(log);
        EXPECT_THAT(checker.violations(), testing::IsEmpty());
    }
}

// Saved in the middle and read by another one, which goes on in the same way.
TEST_F(DramControllerTest, GoesOnFromWhatWasSaved) {
    for (const char* refresh : {"all_banks", "per_bank"}) {
        memory.set("refresh", refresh);
        const auto feed = [&](std::uint16_t from, std::uint16_t to) {
            for (std::uint16_t i = from; i < to; ++i)
                if (const Time cycle = 20 * i; controller->has_room(0)) {
                    engine::CounterRng draws(9, i);
                    push(cycle, draws.below(5000), i, draws.below(2) == 0);
                } else {
                    step_until(cycle);
                }
        };
        log.clear();
        build();
        next = engine::never;
        feed(0, 400);
        const std::vector<std::byte> bytes = saved();
        const Time resumed = next;
        const std::size_t issued = log.size();
        feed(400, 800);
        finish();
        const std::vector<DramCommand> rest(log.begin() + static_cast<std::ptrdiff_t>(issued), log.end());
        const std::vector<std::byte> end = saved();
        log.clear();
        build();
        engine::Archive reader{std::span<const std::byte>(bytes)};
        reader(*controller, *counters);
        EXPECT_TRUE(reader.is_at_end());
        next = resumed;
        feed(400, 800);
        finish();
        EXPECT_FALSE(rest.empty());
        EXPECT_EQ(log, rest);
        EXPECT_EQ(saved(), end);
        next = engine::never;
    }
}

}  // namespace
}  // namespace models

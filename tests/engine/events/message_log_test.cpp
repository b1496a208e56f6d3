#include "engine/events/message_log.h"

#include <cstring>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

struct Number {
    std::int64_t value;
};
struct Nothing {};

// Gets a Number at 10, 20, 30... over a channel, and Nothing at 15 from two senders of a bundle.
class Giver : public Clocked<Giver> {
  public:
    explicit Giver(int index) : Clocked("giver", index, 10) { wake_at(0); }
    Time step() {
        if (now() == 0) nothings.send(0, {}, 10);
        numbers.send({now() / 10 + 100 * index()}, 5);
        return now() < 1000 ? now() + period() : never;
    }
    Out<Number> numbers{this, "numbers"};
    FanOut<Nothing> nothings{this, "nothings"};
};
class Taker : public EventDriven<Taker> {
  public:
    Taker() : EventDriven("taker", -1), numbers(this, "numbers", 2, handler<&Taker::on_number>) {}
    void on_number(const Number& number) { numbers_seen.push_back(number.value); }
    void on_nothing(const Nothing& /*nothing*/) {}
    std::vector<std::int64_t> numbers_seen;
    Row<In<Number>> numbers;
    FanIn<Nothing> nothings{this, "nothings", handler<&Taker::on_nothing>};
};

struct Gifts {
    explicit Gifts(std::uint64_t tie_seed = 0) {
        Taker& taker = simulation.add<Taker>();
        std::vector<FanOut<Nothing>*> from;
        for (int i = 0; i < 2; ++i) {
            auto& giver = simulation.add<Giver>(i);
            simulation.connect(giver.numbers, taker.numbers[i], 5);
            from.push_back(&giver.nothings);
        }
        simulation.connect_all(from, {&taker.nothings}, 5);
        simulation.permute_ties(tie_seed);
    }
    MessageLog log(Time from, Time to, std::size_t limit = 1000) {
        simulation.log_messages(from, to, limit);
        simulation.run({});
        return simulation.collect_message_log();
    }
    Simulation simulation;
};

std::vector<std::string> lines(const MessageLog& log) {
    std::vector<std::string> lines;
    for (const MessageLog::Message& message : log.messages) {
        std::int64_t value = 0;
        std::memcpy(&value, message.payload.data(), sizeof value);
        lines.push_back(std::to_string(message.time) + " " + log.ports.at(static_cast<std::size_t>(message.from)) +
                        " -> " + log.ports.at(static_cast<std::size_t>(message.to)) + " " +
                        std::to_string(message.sender) + " " + std::to_string(message.position) + " " +
                        std::to_string(message.size) + " " + std::to_string(value));
    }
    return lines;
}

TEST(MessageLog, HoldsWhatIsConsumedInItsRangeAndWhereItCameFrom) {
    const std::vector<std::string> expected{
        "15 giver[0].nothings -> taker.nothings 0 0 0 0",   "15 giver[1].nothings -> taker.nothings 1 0 0 0",
        "20 giver[0].numbers -> taker.numbers[0] -1 1 8 1", "20 giver[1].numbers -> taker.numbers[1] -1 1 8 101",
        "30 giver[0].numbers -> taker.numbers[0] -1 2 8 2", "30 giver[1].numbers -> taker.numbers[1] -1 2 8 102"};
    const MessageLog log = Gifts().log(11, 31);
    EXPECT_EQ(lines(log), expected);
    EXPECT_TRUE(log.complete);
    for (const std::uint64_t tie_seed : {1U, 2U, 3U})  // the same messages of the same senders
        EXPECT_THAT(lines(Gifts(tie_seed).log(11, 31)), testing::UnorderedElementsAreArray(expected));
}

TEST(MessageLog, EndsBeforeItsLastTimeAndIsEmptyWithoutARange) {
    EXPECT_EQ(Gifts().log(20, 30).messages.size(), 2U);
    Gifts gifts;
    gifts.simulation.run({});
    EXPECT_TRUE(gifts.simulation.collect_message_log().messages.empty());
}

TEST(MessageLog, KeepsTheFirstOnesUpToItsLimit) {
    const MessageLog all = Gifts().log(0, never), first = Gifts().log(0, never, 7);
    EXPECT_EQ(all.messages.size(), 2U * 101 + 2);
    const std::vector<std::string> whole = lines(all);
    EXPECT_EQ(lines(first), std::vector<std::string>(whole.begin(), whole.begin() + 7));
    EXPECT_FALSE(first.complete);
    EXPECT_TRUE(Gifts().log(0, never, whole.size()).complete);
}

Plan dealt(const Simulation& simulation, int threads, int stride) {
    Plan plan{1, threads, {}};
    for (int i = 0; i < static_cast<int>(simulation.processes().size()); ++i)
        plan.worker.push_back(i / stride % threads);
    return plan;
}

MessageLog busy_log(int threads, int stride, std::size_t limit, double trial_seconds = 2e-3) {
    busy::Machine machine({});
    machine.simulation.log_messages(100, never, limit);
    RunOptions options;
    options.trial_seconds = trial_seconds;
    machine.simulation.run(dealt(machine.simulation, threads, stride), options);
    for (busy::Core* core : machine.cores) core->wake_at(core->index());
    machine.simulation.run(dealt(machine.simulation, threads, stride), options);
    return machine.simulation.collect_message_log();
}

TEST(MessageLog, IsTheSameForAllPlansCutOrNot) {
    for (const std::size_t limit : {500U, 100000U}) {
        const MessageLog expected = busy_log(1, 1, limit);
        EXPECT_EQ(expected.complete, limit > 1000);
        EXPECT_GT(expected.messages.size(), 499U);
        for (const int threads : {2, 3, 8})
            for (const double trial_seconds : {0.0, 2e-3}) {
                const MessageLog log = busy_log(threads, 1, limit, trial_seconds);
                EXPECT_EQ(lines(log), lines(expected)) << threads << " " << trial_seconds;
                EXPECT_EQ(log.complete, expected.complete);
            }
    }
}

TEST(MessageLog, CoversEverythingThatIsConsumed) {
    busy::Machine machine({});
    machine.simulation.log_messages(0, never, 1'000'000);
    const RunReport report = machine.simulation.run({});
    EXPECT_EQ(machine.simulation.collect_message_log().messages.size(), report.messages);
}

}  // namespace
}  // namespace engine

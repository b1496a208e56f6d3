#include "engine/instruments/causes.h"

#include <gtest/gtest.h>

#include "engine/simulation.h"
#include "tests/engine/busy_machine.h"

namespace engine {
namespace {

struct Ball {
    std::int64_t throws_left;
};

// Hands a ball on: to its neighbour, or to somebody in a bundle, `delay` ticks after it has come. Works in every
// window.
class Player : public Clocked<Player> {
  public:
    Player(int index, Time delay) : Clocked("player", index, 10), delay_(delay) {}
    Time step() {
        if (now() == 0 && throws > 0) take({throws});
        return now() < 500 ? now() + 10 : never;
    }
    std::int64_t throws = 0;  // of the ball that it begins with

  private:
    void take(const Ball& ball) {
        if (ball.throws_left == 0) return;
        if (ball.throws_left % 2 == 0)
            neighbour.send({ball.throws_left - 1}, delay_);
        else
            anybody.send(static_cast<int>(ball.throws_left / 2 % 3), {ball.throws_left - 1}, delay_);
    }
    Time delay_;

  public:
    In<Ball> from_neighbour{this, "from_neighbour", handler<&Player::take>};
    FanIn<Ball> from_anybody{this, "from_anybody", handler<&Player::take>};
    Out<Ball> neighbour{this, "neighbour"};
    FanOut<Ball> anybody{this, "anybody"};
};

WorkLog log_of_balls(std::uint64_t tie_seed, Time delay) {
    Simulation simulation;
    std::vector<Player*> players;
    for (int i = 0; i < 3; ++i) players.push_back(&simulation.add<Player>(i, delay));
    std::vector<FanOut<Ball>*> from;
    std::vector<FanIn<Ball>*> to;
    for (int i = 0; i < 3; ++i) {
        simulation.connect(players[static_cast<std::size_t>(i)]->neighbour,
                           players[static_cast<std::size_t>((i + 1) % 3)]->from_neighbour, 10);
        from.push_back(&players[static_cast<std::size_t>(i)]->anybody);
        to.push_back(&players[static_cast<std::size_t>(i)]->from_anybody);
    }
    simulation.connect_all(from, to, 10);
    simulation.permute_ties(tie_seed);
    for (Player* player : players) player->wake_at(0);
    players[0]->throws = 12;
    WorkLog log;
    log.with_causes = true;
    simulation.run({}, {.measure_every = 1, .work_log = &log});
    return log;
}

// One ball: whoever gets it, gets it from who had it before, in the window of then.
TEST(Causes, AreTheWorkThatSentWhatIsConsumed) {
    for (const std::uint64_t seed : {0U, 7U})
        for (const Time delay : {0, 5, 27}) {
            const WorkLog log = log_of_balls(seed, delay);
            std::vector<Time> window_of;
            for (const WorkLog::Window& window : log.windows)
                window_of.resize(window.first + window.count, window.number);
            std::vector<std::uint32_t> caught{0};  // entries; at first of who begins
            for (std::uint32_t i = 0; i < log.entries.size(); ++i)
                if (log.entries[i].messages > 0) caught.push_back(i);
            ASSERT_EQ(caught.size(), 1U + 12);
            ASSERT_EQ(log.causes.size(), 12U);
            for (std::size_t i = 0; i < log.causes.size(); ++i) {
                EXPECT_EQ(log.causes[i].from, caught[i]);
                EXPECT_EQ(log.causes[i].to, caught[i + 1]);
                EXPECT_EQ(window_of[log.causes[i].to] - window_of[log.causes[i].from],
                          (10 + delay) * static_cast<Time>(i + 1) / 10 - (10 + delay) * static_cast<Time>(i) / 10);
            }
        }
}

TEST(Causes, AreFoundOfEveryEntryThatConsumesInABusyMachine) {
    busy::Machine machine({});
    WorkLog log;
    log.with_causes = true;
    const RunReport report = machine.simulation.run({}, {.measure_every = 1, .work_log = &log});
    std::vector<bool> has_cause(log.entries.size());
    std::uint32_t last = 0;
    for (const WorkLog::Cause& cause : log.causes) {
        EXPECT_LT(cause.from, cause.to);
        EXPECT_LE(last, cause.to);
        last = cause.to;
        has_cause.at(cause.to) = true;
    }
    for (std::size_t i = 0; i < log.entries.size(); ++i) EXPECT_EQ(has_cause[i], log.entries[i].messages > 0) << i;
    EXPECT_LE(log.causes.size(), report.messages);
}

TEST(Causes, ChangeNothingAndAreNotFoundWhereNobodyAsks) {
    const auto digest = [](bool with_causes) {
        busy::Machine machine({});
        WorkLog log;
        log.with_causes = with_causes;
        const RunReport report = machine.simulation.run({}, {.measure_every = 1, .work_log = &log});
        EXPECT_EQ(log.causes.empty(), !with_causes);
        return machine.digest(report);
    };
    EXPECT_EQ(digest(true), digest(false));
}

}  // namespace
}  // namespace engine

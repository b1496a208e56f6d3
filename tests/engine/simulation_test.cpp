#include "engine/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine {
namespace {

struct Ball {
    std::int64_t bounces;
};

class Player : public Clocked<Player> {
  public:
    Player(int index, Time period) : Clocked("player", index, period) {}
    Time step() {
        ++steps;
        if (ball_ > 0 && ball_ < 10) to.send({ball_ + 1}, 2);
        ball_ = 0;
        return never;
    }
    void on_ball(const Ball& ball) { ball_ = ball.bounces; }
    void serve() {
        ball_ = 1;
        wake_at(0);
    }

    In<Ball> from{this, "from", handler<&Player::on_ball>};
    Out<Ball> to{this, "to", 2};
    Counter steps{&counters(), "steps", "cycle", "clock cycles stepped"};

  private:
    std::int64_t ball_ = 0;
};

TEST(Simulation, RunsUntilNothingIsLeftToDo) {
    Simulation simulation;
    auto& a = simulation.add<Player>(0, 4);
    auto& b = simulation.add<Player>(1, 4);
    simulation.connect(a.to, b.from, 1);
    simulation.connect(b.to, a.from, 1);
    a.serve();
    const RunReport report = simulation.run({});
    EXPECT_EQ(report.end, 36);  // 9 flights of 3 ticks, each struck at the next edge
    EXPECT_EQ(report.messages, 9U);
    EXPECT_THAT(simulation.collect_counters(), testing::ElementsAre(5, 5));
}

}  // namespace
}  // namespace engine

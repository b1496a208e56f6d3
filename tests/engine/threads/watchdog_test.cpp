#include "engine/threads/watchdog.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "engine/simulation.h"

namespace engine {
namespace {

using std::chrono::milliseconds;

void wait_while(const std::function<std::uint64_t()>& progress, const std::function<bool()>& innocent, int times) {
    const Watchdog watchdog(0.08, progress, innocent, [] { return std::string("everybody waits"); });
    for (int i = 0; i < times; ++i) std::this_thread::sleep_for(milliseconds(20));
}

TEST(WatchdogDeathTest, EndsTheProgramWithItsReportWhenNothingMoves) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(wait_while([] { return 7; }, [] { return false; }, 1000), testing::ExitedWithCode(1),
                "error: no progress for 0.08 s of wall time: everybody waits");
}

TEST(Watchdog, IsSilentWhileThereIsProgress) {
    std::atomic<std::uint64_t> count = 0;
    wait_while([&] { return ++count; }, [] { return false; }, 15);
    EXPECT_GT(count, 1U);
}

TEST(Watchdog, GivesOthersTimeToReportThemselves) {
    wait_while([] { return 7; }, [] { return true; }, 20);
}

TEST(Watchdog, IsOffAtZeroSeconds) {
    const Watchdog watchdog(
        0, []() -> std::uint64_t { std::abort(); }, [] { return false; }, [] { return std::string(); });
}

// Long beside what it takes to start two threads on a machine that does much else: nothing moves meanwhile.
constexpr double stall_seconds = 1, very_long = 60;

struct Nothing {
    std::int32_t zero;
};

class Sleeper : public Clocked<Sleeper> {
  public:
    explicit Sleeper(int index) : Clocked("sleeper", index, 2) {}
    Time step() {
        to.send({});
        if (index() == 1 && now() == 4)
            for (;;) std::this_thread::sleep_for(milliseconds(10));
        return now() + period();
    }
    void on_nothing(const Nothing& /*nothing*/) {}
    In<Nothing> from{this, "from", handler<&Sleeper::on_nothing>};
    Out<Nothing> to{this, "to"};
};

void run_into_standstill(int threads) {
    Simulation simulation;
    auto& a = simulation.add<Sleeper>(0);
    auto& b = simulation.add<Sleeper>(1);
    simulation.connect(a.to, b.from, 3);
    simulation.connect(b.to, a.from, 3);
    a.wake_at(0);
    b.wake_at(0);
    simulation.run({1, threads, {0, threads - 1}},
                   {.stall_seconds = stall_seconds, .progress = {}, .trial_seconds = -1});
}

TEST(WatchdogDeathTest, NamesTheProcessThatDoesNotReturnAndWhatTheOthersWaitFor) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(run_into_standstill(1), testing::ExitedWithCode(1), "worker 0 is busy with sleeper\\[1\\]");
    EXPECT_EXIT(run_into_standstill(2), testing::ExitedWithCode(1),
                "worker 0 waits for worker 1, which has come to time 3 \\(lookahead 3\\)\n"
                "    sleeper\\[0\\]: clock [0-9]+, next step at [0-9]+\n"
                "  worker 1 is busy with sleeper\\[1\\]");
}

class Walker : public Clocked<Walker> {
  public:
    explicit Walker(int index) : Clocked("walker", index, 2) { wake_at(0); }
    Time step() {
        if (now() > 1000) return never;
        to.send({});
        return now() + period();
    }
    void on_nothing(const Nothing& /*nothing*/) {}
    In<Nothing> from{this, "from", handler<&Walker::on_nothing>};
    Out<Nothing> to{this, "to"};
};

void lose_clocks_from(Time time) {
    Simulation simulation;
    auto& a = simulation.add<Walker>(0);
    auto& b = simulation.add<Walker>(1);
    simulation.connect(a.to, b.from, 3);
    simulation.connect(b.to, a.from, 5);
    RunOptions options{.stall_seconds = time == never ? very_long : stall_seconds, .progress = {}, .trial_seconds = -1};
    options.lost_null_messages = {.from = 1, .to = 0, .time = time};
    simulation.run({1, 2, {0, 1}}, options);
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): the run has ended its threads
}

TEST(WatchdogDeathTest, NamesTheWorkerWhoseNullMessagesWereLostAndTheClocks) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(lose_clocks_from(never), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(lose_clocks_from(100), testing::ExitedWithCode(1),
                "worker 0 waits for worker 1, which has come to time 9[0-9] \\(lookahead 5\\)\n"
                "    walker\\[0\\]: clock (9[0-9]|10[0-9]), next step at (9[0-9]|10[0-9])\n"
                "  worker 1 waits for worker 0, which has come to time (9[0-9]|10[0-9]) \\(lookahead 3\\)\n"
                "    walker\\[1\\]: clock 10[0-9], next step at 1[01][0-9]");
}

}  // namespace
}  // namespace engine

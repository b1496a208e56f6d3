#include "models/core/core_time.h"

#include <gtest/gtest.h>

namespace models {
namespace {

class CoreTimeTest : public testing::Test {
  protected:
    static constexpr engine::Time period = 2;

    CoreTimeTest() { programs.begin_frame(3); }
    std::uint64_t cycles(std::uint32_t program, CoreState state) {
        time.tell_programs(now);
        return programs[program].cycles[static_cast<std::size_t>(state)];
    }

    engine::CounterList list;
    ProgramProfile programs{&list};
    CoreTime time{&list, {"raster", "texture_unit", "colour"}, "response_bus", programs, period};
    engine::Time now = 0;
};

// Program 1 is the oldest from cycle 5 on; 2 issues for two cycles at 8, 1 for one at 12; then 2 is the oldest.
TEST_F(CoreTimeTest, ChargesIssueToTheProgramThatIssuedAndTheRestToTheOldest) {
    time.enter(5 * period, CoreState::empty);
    programs.set_oldest(1);
    time.enter(5 * period, CoreState::fetching);
    programs.set_issuing(2, 0, 0);
    time.enter(8 * period, CoreState::issue, 10 * period, CoreState::texture_data);
    programs.set_issuing(1, 0, 0);
    time.enter(12 * period, CoreState::issue, 13 * period, CoreState::dependency);
    programs.set_oldest(2);
    time.enter(15 * period, CoreState::finishing);
    now = 20 * period;
    EXPECT_EQ(cycles(1, CoreState::fetching), 3U);
    EXPECT_EQ(cycles(2, CoreState::issue), 2U);
    EXPECT_EQ(cycles(1, CoreState::texture_data), 2U);
    EXPECT_EQ(cycles(1, CoreState::issue), 1U);
    EXPECT_EQ(cycles(1, CoreState::dependency), 2U);
    EXPECT_EQ(cycles(2, CoreState::finishing), 5U);
    EXPECT_EQ(cycles(2, CoreState::texture_data) + cycles(2, CoreState::dependency), 0U);
}

// Whatever changes when, also between the edges of the clock.
TEST_F(CoreTimeTest, CyclesOfAllProgramsInAStateAreThoseOfTheCore) {
    std::uint32_t random = 1;
    const auto next = [&](std::uint32_t below) { return (random = random * 1664525 + 1013904223) / 65536 % below; };
    for (int i = 0; i < 1000; ++i) {
        now += next(6);
        if (next(3) == 0) programs.set_oldest(next(3));
        if (next(3) == 0) {
            programs.set_issuing(next(3), 0, 0);
            time.enter(now, CoreState::issue, now + 2 * next(4), CoreState::texture_data);
        } else if (next(4) == 0) {
            time.settle(now);
        } else {
            time.enter(now, static_cast<CoreState>(2 + next(7)));
        }
    }
    time.tell_programs(now);
    std::uint64_t all = 0;
    for (std::size_t state = 0; state < core_states; ++state) {
        std::uint64_t sum = 0;
        for (std::uint32_t program = 0; program < 3; ++program) sum += programs[program].cycles[state];
        EXPECT_EQ(sum, time.cycles[state].value()) << core_state_names[state];
        all += sum;
    }
    EXPECT_EQ(all, static_cast<std::uint64_t>(now / period));
}

TEST_F(CoreTimeTest, GoesOnAfterItWasSaved) {
    programs.set_oldest(1);
    time.enter(0, CoreState::dependency);
    programs.set_oldest(2);
    std::vector<std::byte> bytes;
    engine::Archive out(&bytes);
    out(list, programs, time);
    engine::CounterList other_list;
    ProgramProfile other_programs(&other_list);
    CoreTime other(&other_list, {"raster", "texture_unit", "colour"}, "response_bus", other_programs, period);
    engine::Archive in(bytes);
    in(other_list, other_programs, other);
    for (CoreTime* each : {&time, &other}) {
        each->enter(4 * period, CoreState::pipeline);
        each->tell_programs(7 * period);
    }
    for (std::uint32_t program = 0; program < 3; ++program) EXPECT_EQ(other_programs[program], programs[program]);
    EXPECT_EQ(other_programs[1].cycles[static_cast<std::size_t>(CoreState::dependency)], 4U);
    EXPECT_EQ(other_programs[2].cycles[static_cast<std::size_t>(CoreState::pipeline)], 3U);
}

}  // namespace
}  // namespace models

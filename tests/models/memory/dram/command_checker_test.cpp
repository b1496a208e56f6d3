#include "tests/models/memory/dram/command_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/memory/dram/devices.h"
#include "tests/models/memory/dram/dram_fixture.h"

namespace models {
namespace {

using Op = DramOperation;

DramCommand command(std::int64_t cycle, Op operation, std::uint16_t bank = 0, std::uint32_t row = 0) {
    return {cycle, row, bank, operation, 0};
}

std::vector<std::string> violations(const DramDevice& device, const std::vector<DramCommand>& log) {
    CommandChecker checker(device);
    checker.check(log);
    return checker.violations();
}

TEST(CommandChecker, LetsALegalAccessPass) {
    EXPECT_THAT(violations(lpddr3_1600, {command(0, Op::activate, 0, 7), command(15, Op::read, 0, 7),
                                         command(34, Op::precharge), command(49, Op::activate, 0, 8)}),
                testing::IsEmpty());
}

TEST(CommandChecker, SeesWrongStates) {
    EXPECT_THAT(violations(lpddr3_1600, {command(0, Op::read)}), testing::SizeIs(1));
    EXPECT_THAT(violations(lpddr3_1600, {command(0, Op::activate, 0, 7), command(15, Op::read, 0, 6)}),
                testing::SizeIs(1));
    EXPECT_THAT(violations(lpddr3_1600, {command(0, Op::activate), command(100, Op::refresh)}), testing::SizeIs(1));
    EXPECT_THAT(violations(lpddr3_1600, {command(0, Op::activate), command(100, Op::activate)}), testing::SizeIs(1));
    EXPECT_THAT(violations(lpddr3_1600, {command(0, Op::precharge)}), testing::SizeIs(1));
    EXPECT_THAT(violations(lpddr3_1600, {command(0, Op::activate, 0, 32768)}), testing::SizeIs(1));
}

TEST(CommandChecker, SeesRefreshesMissing) {
    EXPECT_THAT(violations(lpddr3_1600, {command(9 * 3120, Op::refresh)}), testing::IsEmpty());
    EXPECT_THAT(violations(lpddr3_1600, {command(9 * 3120 + 1, Op::refresh)}), testing::SizeIs(2));
    EXPECT_THAT(violations(lpddr3_1600, {command(390, Op::refresh_bank, 1)}), testing::SizeIs(1));
}

// Were a timing a cycle longer, the controller would break it: it uses all of them to the full, and the checker looks
// at every one.
struct Timing {
    const char* name;
    int DramTiming::* value;
};
void PrintTo(const Timing& timing, std::ostream* out) {
    *out << timing.name;
}

class LongerTiming : public testing::TestWithParam<Timing> {
  protected:
    static std::vector<DramCommand> commands(const TestDram& memory, double writes) {
        DramDriver driver(memory.dram);
        std::vector<DramCommand> log;
        driver.controller(0).log_commands(&log);
        DramPattern pattern = memory.pattern(DramOrder::random, 2000);
        pattern.footprint = 8 << 20;
        pattern.write_fraction = writes;
        driver.play(make_load(pattern, memory.dram));
        return log;
    }
};

TEST_P(LongerTiming, IsNoticed) {
    for (const char* device : {"lpddr5-6400", "lpddr4-3200", "lpddr3-1600"})
        for (const char* refresh : {"all_banks", "per_bank"})
            for (const char* mapping : {"row_bank_column", "row_column_bank"})
                for (const double writes : {0.0, 0.5}) {
                    TestDram memory(device);
                    memory.set("refresh", refresh);
                    memory.set("mapping", mapping);
                    const std::vector<DramCommand> log = commands(memory, writes);
                    DramDevice longer = memory.dram.channel();
                    ++(longer.timing.*GetParam().value);
                    if (!violations(longer, log).empty()) return;
                }
    ADD_FAILURE();
}

// Not `rl`, which is no distance of commands, and `pb_pb`, which is shorter than the interval of refreshes.
constexpr Timing timings[] = {
    {"wl", &DramTiming::wl},        {"burst", &DramTiming::burst}, {"ccd_s", &DramTiming::ccd_s},
    {"ccd_l", &DramTiming::ccd_l},  {"rcd", &DramTiming::rcd},     {"rp", &DramTiming::rp},
    {"rp_ab", &DramTiming::rp_ab},  {"ras", &DramTiming::ras},     {"rc", &DramTiming::rc},
    {"rrd_s", &DramTiming::rrd_s},  {"rrd_l", &DramTiming::rrd_l}, {"faw", &DramTiming::faw},
    {"rtp", &DramTiming::rtp},      {"wr", &DramTiming::wr},       {"wtr_s", &DramTiming::wtr_s},
    {"wtr_l", &DramTiming::wtr_l},  {"rtw", &DramTiming::rtw},     {"dqss", &DramTiming::dqss},
    {"ppd", &DramTiming::ppd},      {"rfc", &DramTiming::rfc},     {"rfc_pb", &DramTiming::rfc_pb},
    {"pb_act", &DramTiming::pb_act}};
INSTANTIATE_TEST_SUITE_P(All, LongerTiming, testing::ValuesIn(timings),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace models

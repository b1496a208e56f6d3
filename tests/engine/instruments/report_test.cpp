#include "engine/instruments/report.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

RunReport some_report(double unit) {
    RunReport report;
    report.end = static_cast<Time>(100 * unit);
    report.messages = report.steps = report.windows = static_cast<std::uint64_t>(10 * unit);
    report.window_length = 4;
    report.seconds = unit;
    report.workers.resize(static_cast<std::size_t>(unit));
    report.workers[0] = {unit, unit, unit, static_cast<std::uint64_t>(7 / unit), static_cast<std::uint64_t>(7 * unit)};
    report.profile.processes = {{unit, 3}};
    report.profile.channels = {5};
    return report;
}

TEST(RunReport, OfARunInTwoPartsIsTheirSum) {
    RunReport report = some_report(1);
    report.stopped_at = 50;
    report.stopped_by = 15;
    report.append(some_report(2));
    EXPECT_EQ(report.end, 200);
    EXPECT_EQ(report.messages, 30U);
    EXPECT_EQ(report.steps, 30U);
    EXPECT_EQ(report.windows, 30U);
    EXPECT_EQ(report.window_length, 4);
    EXPECT_EQ(report.stopped_at, never);
    EXPECT_EQ(report.stopped_by, 0);
    EXPECT_EQ(report.seconds, 3);
    ASSERT_EQ(report.workers.size(), 2U);
    EXPECT_EQ(report.workers[0].work, 3);
    EXPECT_EQ(report.workers[0].calendar_mark, 7U);
    EXPECT_EQ(report.workers[0].backlog_mark, 14U);
    EXPECT_EQ(report.profile.processes.at(0).messages, 6U);
    EXPECT_EQ(report.profile.channels.at(0), 10U);
}

TEST(RunReport, GoesThroughAnArchive) {
    RunReport report = some_report(2), copy;
    std::vector<std::byte> bytes, again;
    Archive out(&bytes);
    out(report);
    Archive in(bytes);
    in(copy);
    EXPECT_TRUE(in.is_at_end());
    Archive copied(&again);
    copied(copy);
    EXPECT_EQ(bytes, again);
    EXPECT_EQ(copy.workers.at(0).backlog_mark, 14U);
    EXPECT_EQ(copy.profile.processes.at(0).seconds, 2);
}

}  // namespace
}  // namespace engine

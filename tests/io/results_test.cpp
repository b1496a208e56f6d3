#include "io/results.h"

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/sample_results.h"

namespace {

using tests::sample_results;

TEST(Results, CountersAreThoseOfTheFrameNotOfTheRunSoFar) {
    const io::Results results = sample_results();
    const io::KindResults* core = results.find_kind("core");
    ASSERT_NE(core, nullptr);
    EXPECT_EQ(core->indices, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(core->value(0, 0, 3), (std::uint64_t{1} << 60) + 3);
    EXPECT_EQ(core->value(0, 2, 1), (std::uint64_t{1} << 60) + 201);
    EXPECT_EQ(results.total("core", "bytes_read"), 4 * (64 + 128));
    EXPECT_EQ(results.total("memory", "reads"), 7u + 8 + 9);
    EXPECT_TRUE(results.find_kind("memory")->single);
    EXPECT_EQ(results.total("memory", "reads", 1), 8u);
    EXPECT_EQ(results.total("core", "bytes_read", 1), 4 * 64u);
    EXPECT_THROW((void)results.total("memory", "absent"), engine::InternalError);
    EXPECT_THROW((void)results.total("absent", "reads"), engine::InternalError);
}

TEST(Results, PartsOfAProcessThatOwnTheirCountersAreAKindOfTheirOwn) {
    const io::Results results = sample_results();
    const io::KindResults* bank = results.find_kind("bank");
    ASSERT_NE(bank, nullptr);
    EXPECT_EQ(bank->indices, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(bank->counters[0].name, "row_hits");
    EXPECT_EQ(bank->value(0, 2, 0), 0u);
    EXPECT_EQ(bank->value(0, 2, 1), 5u);
    EXPECT_EQ(results.find_kind("memory")->counters.size(), 1u);
}

TEST(Results, TheDigestDoesNotDependOnTheOrderOfProcesses) {
    const std::string digest = io::results_digest(sample_results("0123m"));
    EXPECT_EQ(io::results_digest(sample_results("m3120")), digest);
    EXPECT_EQ(io::results_digest(sample_results("21m03")), digest);
}

TEST(Results, TheDigestIsNotOfWallTimesPathsAndProvenance) {
    io::Results results = sample_results();
    const std::string digest = io::results_digest(results);
    results.performance[0].seconds = 99;
    results.provenance.clear();
    results.totals.clear();
    results.workloads[0].path = "elsewhere.h5";
    EXPECT_EQ(io::results_digest(results), digest);
}

TEST(Results, TheDigestIsOfEveryNumberAndName) {
    const std::string digest = io::results_digest(sample_results());
    const auto changed = [&](auto&& change) {
        io::Results results = sample_results();
        change(results);
        return io::results_digest(results) != digest;
    };
    EXPECT_TRUE(changed([](io::Results& r) { r.kinds[0].counters[0].values[5] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.kinds[0].counters[1].name = "bytes_written"; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.kinds[1].kind = "dram"; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.frames[1].end += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.frames[1].number += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.workloads[0].digest = "other"; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.ticks_per_second = 1; }));
}

TEST(Results, TwoProcessesOfOneNameAreRefused) {
    EXPECT_THROW(io::ResultsCollector(tests::sample_processes("11")), engine::InternalError);
}

}  // namespace

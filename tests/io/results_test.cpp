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
    EXPECT_EQ(results.find_kind("memory")->counters.size(), 2u);
}

TEST(Results, HaveTheBinsOfHistogramsOfEveryFrameAndUnit) {
    const io::Results results = sample_results();
    const io::KindResults* core = results.find_kind("core");
    const io::KindResults::Column& latency = core->counters.at(3);
    EXPECT_EQ(latency.name, "latency");
    EXPECT_EQ(latency.unit, "cycle");
    EXPECT_EQ(latency.axis, "latency_bin");
    EXPECT_EQ(latency.edges, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 6, 8, 12, 16}));
    ASSERT_EQ(latency.values.size(), 3U * 4 * 9);
    const std::vector<std::uint64_t> last(latency.values.end() - 9, latency.values.end());
    EXPECT_EQ(last, (std::vector<std::uint64_t>{1, 0, 0, 0, 1, 0, 1, 0, 0}));  // 0, 5 and 10
    EXPECT_EQ(results.total("core", "latency"), 4U * (1 + 2 + 3));
    EXPECT_EQ(results.total("core", "latency", 1), 4U * 2);
    EXPECT_EQ(results.total("core", "write_latency"), 0U);
    EXPECT_EQ(results.total("memory", "queue", 2), 1U);
    EXPECT_TRUE(core->counters.at(0).axis.empty());
}

TEST(Results, HaveSeriesWithTheirFramesAndTimes) {
    const io::Results results = sample_results();
    const io::SeriesResults* traffic = results.find_series("traffic");
    ASSERT_NE(traffic, nullptr);
    EXPECT_EQ(results.find_series("absent"), nullptr);
    EXPECT_EQ(traffic->frames, (std::vector<std::uint32_t>{1, 2, 2}));
    EXPECT_EQ(traffic->starts, (std::vector<engine::Time>{1000, 2000, 2400}));
    EXPECT_EQ(traffic->ends, (std::vector<engine::Time>{1400, 2400, 2800}));
    EXPECT_EQ(traffic->columns.at(0).values, (std::vector<std::uint64_t>{1, 1, 2, 2, 2, 2}));
}

TEST(Results, HaveRecordsWithTheirFrames) {
    const io::Results results = sample_results();
    const io::RecordsResults* stops = results.find_records("stops");
    ASSERT_NE(stops, nullptr);
    EXPECT_EQ(results.find_records("absent"), nullptr);
    EXPECT_EQ(stops->frames, (std::vector<std::uint32_t>{1, 2, 2}));
    EXPECT_EQ(stops->find("absent"), nullptr);
    EXPECT_EQ(stops->find("place")->values, (std::vector<std::uint64_t>{0, 0, 1}));
    EXPECT_EQ(stops->find("place")->meanings, (std::vector<std::string>{"here", "there"}));
    EXPECT_EQ(stops->find("cycle")->values, (std::vector<std::uint64_t>{1, 2, models::Records::missing}));
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
    EXPECT_TRUE(changed([](io::Results& r) { r.kinds[0].counters[3].values[5] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.kinds[0].counters[3].edges[5] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.series[0].starts[1] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.series[0].frames[1] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.series[0].columns[0].values[1] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.series.clear(); }));
    EXPECT_TRUE(changed([](io::Results& r) { r.records[0].frames[1] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.records[0].columns[1].values[1] += 1; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.records[0].columns[0].meanings[1] = "elsewhere"; }));
    EXPECT_TRUE(changed([](io::Results& r) { r.records.clear(); }));
}

TEST(Results, TwoProcessesOfOneNameAreRefused) {
    EXPECT_THROW(io::ResultsCollector(tests::sample_processes("11")), engine::InternalError);
}

TEST(Results, OfARunThatGoesOnCountFromWhereItWas) {
    const auto processes = tests::sample_processes("0m");
    io::ResultsCollector collector(processes);
    std::vector<std::uint64_t> counters(tests::counter_values(processes).size(), 10);
    std::vector<io::KindResults> kinds = collector.empty_kinds();
    collector.go_on_from(counters);
    for (std::uint64_t& counter : counters) counter += 3;
    collector.add_frame(counters, kinds);
    for (const io::KindResults& kind : kinds)
        for (const auto& column : kind.counters)
            for (const std::uint64_t value : column.values) EXPECT_EQ(value, 3U);
}

TEST(Results, ComeBackFromAnArchive) {
    io::Results results = tests::sample_results(), copy;
    std::vector<std::byte> bytes;
    engine::Archive out(&bytes);
    out(results);
    engine::Archive in(bytes);
    in(copy);
    EXPECT_TRUE(in.is_at_end());
    EXPECT_EQ(io::results_digest(copy), io::results_digest(results));
    EXPECT_EQ(copy.kinds, results.kinds);
    EXPECT_EQ(copy.provenance.at(1).text, results.provenance.at(1).text);
    EXPECT_EQ(copy.frames.at(2).image, results.frames.at(2).image);
    EXPECT_EQ(copy.performance.at(1).workers.at(1).backlog_mark, 9U);
    EXPECT_EQ(copy.profile.bundles, results.profile.bundles);
}

}  // namespace

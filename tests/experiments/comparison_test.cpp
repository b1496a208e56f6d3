#include "experiments/tessera/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/io/sample_results.h"

namespace experiments {
namespace {

using io::Determinism;
using testing::ElementsAre;
using testing::IsEmpty;

MATCHER_P3(IsDifference, name, first, second, "") {
    return arg.name == name && arg.first == first && arg.second == second;
}

io::Results results_of(const std::string& resolved, std::uint64_t tie_seed = 0) {
    io::Results results = tests::sample_results();
    results.provenance.push_back({"resolved_toml", resolved});
    results.determinism.tie_seed = tie_seed;
    return results;
}

TEST(Comparison, NamesParametersWorkloadsAndTieSeedsThatDiffer) {
    const io::Results a = results_of("[l2]\nways = 4\nslices = 8\n");
    EXPECT_THAT(find_configuration_differences(a, a), IsEmpty());
    io::Results b = results_of("[l2]\nways = 8\nslices = 8\nnew = 1\n", 5);
    b.workloads[0].digest = "ff";
    EXPECT_THAT(find_configuration_differences(a, b),
                ElementsAre(IsDifference("tie seed", "0", "5"),
                            IsDifference("workload 0", "game.h5 (frames 0123456789abcdef0123456789abcdef)",
                                         "game.h5 (frames ff)"),
                            IsDifference("l2.new", "-", "1"), IsDifference("l2.ways", "4", "8")));
    EXPECT_THROW(find_configuration_differences(a, results_of("[l2")), engine::InputError);
}

TEST(Comparison, SumsCountersThatDifferOverCommonFrames) {
    const io::Results a = results_of("");
    io::Results b = a;
    EXPECT_THAT(find_counter_differences(a, b), IsEmpty());
    b.frames[1].cycles += 50;
    b.kinds[0].counters[1].values[11] += 64;                                        // core[3] in frame 2
    std::swap(b.kinds[1].counters[0].values[0], b.kinds[1].counters[0].values[1]);  // same sum
    std::vector<CounterDifference> found = find_counter_differences(a, b);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].name, "frames.cycles");
    EXPECT_EQ(found[0].second - found[0].first, 50U);
    EXPECT_EQ(found[1].name, "core.bytes_read");
    EXPECT_EQ(found[1].second - found[1].first, 64U);
    EXPECT_NEAR(found[1].relative(), 64.0 / static_cast<double>(found[1].second), 1e-12);
    EXPECT_EQ(found[2].name, "memory.reads");
    EXPECT_EQ(found[2].relative(), 0);
    b.frames.pop_back();
    EXPECT_EQ(find_counter_differences(a, b).size(), 2U);  // the bytes were in the last frame
}

// Samples at multiples of `epoch`, `count` of them; process p of them parts in the sample `from[p]`.
Determinism hashes(engine::Time epoch, int count, const std::vector<int>& from) {
    Determinism determinism;
    engine::MessageHashes hashes{epoch, epoch, {}};
    for (std::size_t p = 0; p < from.size(); ++p) {
        determinism.processes.push_back("p" + std::to_string(p));
        auto& process = hashes.processes.emplace_back();
        for (int i = 0; i < count; ++i)
            process.samples.push_back(static_cast<std::uint64_t>((i + 1) * epoch) * 10 + p + (i >= from[p] ? 5 : 0));
    }
    determinism.set_hashes(0, 0, hashes);
    return determinism;
}

TEST(Comparison, FindsTheFirstSamplesInWhichRunsPart) {
    const Determinism a = hashes(10, 8, {99, 99, 99});
    EXPECT_FALSE(find_parting(a, a));
    const auto parting = find_parting(a, hashes(10, 8, {7, 3, 3}));
    ASSERT_TRUE(parting);
    EXPECT_EQ(parting->from, 30);
    EXPECT_EQ(parting->to, 40);
    EXPECT_THAT(parting->processes, ElementsAre("p1", "p2"));
}

TEST(Comparison, ComparesSamplesOfTheSameTimeOnly) {
    const auto parting = find_parting(hashes(10, 8, {99}), hashes(20, 4, {2}));
    ASSERT_TRUE(parting);
    EXPECT_EQ(parting->from, 40);
    EXPECT_EQ(parting->to, 60);
}

TEST(Comparison, ARunThatEndsEarlierPartsWhereTheOtherGoesOn) {
    const auto parting = find_parting(hashes(10, 3, {99}), hashes(10, 8, {99}));
    ASSERT_TRUE(parting);
    EXPECT_EQ(parting->from, 30);
    EXPECT_EQ(parting->to, 40);
}

TEST(Comparison, ARunOfFewerFramesIsComparedToItsEnd) {
    io::Results a, b;
    a.determinism = hashes(10, 3, {99});
    b.determinism = hashes(10, 8, {99});
    a.frames.resize(1);
    a.frames[0].end = 25;
    b.frames = {a.frames[0], a.frames[0]};
    b.frames[1].end = 75;
    EXPECT_THAT(experiments::common_ends(a, b), ElementsAre(25));
    EXPECT_THAT(experiments::common_ends(b, a), ElementsAre(25));
    EXPECT_THAT(experiments::common_ends(b, b), ElementsAre(engine::never));
    EXPECT_FALSE(find_parting(a.determinism, b.determinism, {25}));
    EXPECT_EQ(experiments::last_common_sample(a.determinism, b.determinism, 0, 25), 20);
    EXPECT_EQ(experiments::last_common_sample(a.determinism, b.determinism, 0, 5), std::nullopt);
    EXPECT_TRUE(find_parting(a.determinism, hashes(10, 8, {1}), {25}));
}

TEST(Comparison, MatchesProcessesByNameAndWorkloadsByNumber) {
    Determinism a = hashes(10, 4, {99, 99}), b = hashes(10, 4, {99, 1});
    b.processes[1] = "new";
    EXPECT_FALSE(find_parting(a, b));
    b.processes[1] = "p1";
    b.set_hashes(0, 0, {10, 10, {{0, {100, 200}}, {0, {101, 201}}}});
    a.set_hashes(0, 0, {10, 10, {{0, {100, 200}}, {0, {101, 201}}}});
    a.set_hashes(1, 13, {10, 10, {{0, {1, 2}}, {0, {3, 4}}}});
    b.set_hashes(1, 13, {10, 10, {{0, {1, 2}}, {0, {3, 5}}}});
    const auto parting = find_parting(a, b);
    ASSERT_TRUE(parting);
    EXPECT_EQ(parting->workload, 1U);
    EXPECT_EQ(parting->from, 23);
    EXPECT_THAT(parting->processes, ElementsAre("p1"));
}

// {time, receiver, first byte of the payload}
Determinism log_of(const std::vector<std::tuple<engine::Time, int, int>>& messages) {
    Determinism determinism;
    determinism.processes = {"p0", "p1", "p2"};
    determinism.log_from = 0;
    determinism.log_to = 100;
    determinism.log.ports = {"p0.in", "p1.in", "p2.in"};
    for (const auto& [time, receiver, byte] : messages)
        determinism.log.messages.push_back({time, 0, receiver, -1, 0, 1, {static_cast<std::byte>(byte)}});
    return determinism;
}

TEST(Comparison, FindsTheFirstMessageAndTheOthersOfItsWindow) {
    const Determinism a = log_of({{1, 0, 1}, {2, 1, 1}, {33, 2, 1}, {37, 1, 4}, {55, 0, 7}});
    const Determinism b = log_of({{1, 0, 1}, {2, 1, 1}, {34, 2, 1}, {37, 1, 5}, {55, 0, 8}});
    const auto range = common_log(a, b);
    EXPECT_FALSE(find_message_parting(a, a, range, {0, 10}));
    const auto found = find_message_parting(a, b, range, {0, 10});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->process, "p2");
    EXPECT_EQ(found->from, 30);
    EXPECT_EQ(found->to, 40);
    EXPECT_EQ(found->first->time, 33);
    EXPECT_EQ(found->second->time, 34);
    EXPECT_THAT(found->others, ElementsAre("p1"));
    EXPECT_EQ(find_message_parting(a, b, range, {3, 10})->from, 33);  // where the workload's windows lie
}

TEST(Comparison, AMessageThatOnlyOneRunHasIsADifference) {
    const Determinism a = log_of({{1, 0, 1}, {12, 0, 2}}), b = log_of({{1, 0, 1}});
    const auto found = find_message_parting(a, b, common_log(a, b), {0, 10});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first->time, 12);
    EXPECT_EQ(found->second, nullptr);
}

TEST(Comparison, LogsAreComparedWhereBothAreWhole) {
    Determinism a = log_of({{1, 0, 1}, {12, 0, 2}}), b = log_of({{1, 0, 1}});
    b.log.complete = false;  // there may be more at 1
    EXPECT_EQ(common_log(a, b).to, 1);
    EXPECT_FALSE(find_message_parting(a, b, common_log(a, b), {0, 10}));
    b.log_from = b.log_to = 0;
    EXPECT_TRUE(common_log(a, b).empty());
    b = a;
    b.log_from = 5;
    EXPECT_EQ(common_log(a, b).from, 5);
}

}  // namespace
}  // namespace experiments

#include "io/determinism_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/results_file.h"
#include "tests/io/sample_results.h"
#include "tests/io/temporary_folder.h"

namespace {

using io::Determinism;

engine::MessageHashes hashes_of(std::uint64_t seed, int epochs, engine::Time epoch) {
    engine::MessageHashes hashes{5, epoch, {}};
    for (std::uint64_t process = 0; process < 2; ++process) {
        auto& samples = hashes.processes.emplace_back().samples;
        for (int i = 0; i < epochs; ++i) samples.push_back((seed << 40U) + process * 1000 + static_cast<unsigned>(i));
        hashes.processes.back().last = samples.back();
    }
    return hashes;
}

engine::MessageLog log_of(engine::Time time) {
    engine::MessageLog log;
    log.ports = {"core[0].reads", "memory.reads"};
    log.messages.push_back({time, 0, 1, -1, 7, 2, {std::byte{0xab}, std::byte{0xcd}}});
    return log;
}

Determinism sample() {
    Determinism determinism;
    determinism.tie_seed = ~std::uint64_t{0};
    determinism.processes = {"core[0]", "memory"};
    determinism.set_hashes(0, 0, hashes_of(1, 3, 10));
    determinism.set_hashes(0, 0, hashes_of(2, 3, 20));  // a frame later
    determinism.set_hashes(1, 55, hashes_of(3, 2, 10));
    determinism.log_from = 10;
    determinism.log_to = 90;
    determinism.add_log(0, log_of(20));
    determinism.add_log(55, log_of(20));
    return determinism;
}

io::Results results_with(const Determinism& determinism) {
    io::Results results = tests::sample_results();
    results.workloads.push_back(results.workloads[0]);
    results.determinism = determinism;
    return results;
}

Determinism written_and_read(const Determinism& determinism) {
    const tests::TemporaryFolder folder;
    io::write_results(folder / "results.h5", results_with(determinism));
    return io::read_results(folder / "results.h5").determinism;
}

TEST(Determinism, KeepsTheSamplesOfEveryWorkloadAtItsOwnTime) {
    const Determinism determinism = sample();
    ASSERT_EQ(determinism.epochs.size(), 5U);
    EXPECT_EQ(determinism.epochs[0].end, 20);
    EXPECT_EQ(determinism.epochs[2].end, 60);
    EXPECT_EQ(determinism.epochs[3].end, 65);
    EXPECT_EQ(determinism.epochs[3].workload, 1U);
    EXPECT_EQ(determinism.last_epoch(0), 2U);
    EXPECT_EQ(determinism.row(2)[1], (std::uint64_t{2} << 40U) + 1002);
    EXPECT_EQ(determinism.row(4)[0], (std::uint64_t{3} << 40U) + 1);
}

TEST(Determinism, PutsLogsOfSeveralWorkloadsBehindEachOther) {
    const Determinism determinism = sample();
    ASSERT_EQ(determinism.log.messages.size(), 2U);
    EXPECT_EQ(determinism.log.messages[1].time, 75);
    EXPECT_EQ(determinism.log.ports.size(), 2U);
}

TEST(DeterminismFile, EverythingComesBack) {
    const Determinism written = sample(), read = written_and_read(written);
    EXPECT_EQ(read.tie_seed, written.tie_seed);
    EXPECT_EQ(read.processes, written.processes);
    EXPECT_EQ(read.samples, written.samples);
    ASSERT_EQ(read.workloads.size(), 2U);
    EXPECT_EQ(read.workloads[1].start, 55);
    EXPECT_EQ(read.workloads[1].window, 5);
    ASSERT_EQ(read.epochs.size(), written.epochs.size());
    for (std::size_t i = 0; i < read.epochs.size(); ++i) {
        EXPECT_EQ(read.epochs[i].end, written.epochs[i].end);
        EXPECT_EQ(read.epochs[i].workload, written.epochs[i].workload);
    }
    EXPECT_EQ(read.log_from, 10);
    EXPECT_EQ(read.log_to, 90);
    EXPECT_EQ(read.log.ports, written.log.ports);
    EXPECT_TRUE(read.log.complete);
    ASSERT_EQ(read.log.messages.size(), 2U);
    const engine::MessageLog::Message& message = read.log.messages[1];
    EXPECT_EQ(message.time, 75);
    EXPECT_EQ(message.from, 0);
    EXPECT_EQ(message.to, 1);
    EXPECT_EQ(message.sender, -1);
    EXPECT_EQ(message.position, 7U);
    EXPECT_EQ(message.size, 2U);
    EXPECT_EQ(message.payload, written.log.messages[1].payload);
}

TEST(DeterminismFile, ALogThatWasCutSaysSo) {
    Determinism determinism = sample();
    determinism.log.complete = false;
    EXPECT_FALSE(written_and_read(determinism).log.complete);
}

TEST(DeterminismFile, TheLogOfARunThatDidNotEndIsNotComplete) {
    const tests::TemporaryFolder folder;
    io::Results results = results_with(sample());
    results.complete = false;
    io::write_results(folder / "results.h5", results);
    EXPECT_FALSE(io::read_results(folder / "results.h5").determinism.log.complete);
}

TEST(DeterminismFile, NothingIsWrittenOfNothingAndAnEmptyLogIsALog) {
    EXPECT_TRUE(written_and_read({}).processes.empty());
    Determinism determinism = sample();
    determinism.log = {};
    EXPECT_TRUE(written_and_read(determinism).has_log());
    EXPECT_TRUE(written_and_read(determinism).log.messages.empty());
}

TEST(DeterminismFile, IsNoPartOfTheDigest) {
    EXPECT_EQ(io::results_digest(results_with(sample())), io::results_digest(results_with({})));
}

// With a sound label, but of parts that do not fit together: already the check behind writing finds it.
TEST(DeterminismFile, RefusesPartsThatDoNotFitTogether) {
    Determinism determinism = sample();
    const auto expect_refusal = [&determinism](const char* reason) {
        EXPECT_THAT([&] { written_and_read(determinism); },
                    testing::ThrowsMessage<engine::IoError>(testing::HasSubstr(reason)));
    };
    determinism.log.messages[1].to = 2;
    expect_refusal("message 1 has no such port, or is too long");
    determinism = sample();
    determinism.workloads[0].window = 0;
    expect_refusal("the windows of workload 0 have no length");
    determinism = sample();
    determinism.set_hashes(2, 99, hashes_of(3, 2, 10));
    expect_refusal("/determinism has more workloads than /workloads");
}

}  // namespace

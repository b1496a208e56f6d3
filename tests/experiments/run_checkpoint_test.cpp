#include "experiments/tessera/run_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "experiments/tessera/version.h"
#include "tests/io/sample_results.h"

namespace experiments {
namespace {

using testing::HasSubstr;

RunCheckpoint some_checkpoint() {
    RunCheckpoint some;
    some.identity = {version_text(), "# machine\n", {{"game.h5", "game", "/tmp/game.h5", "0123"}}, {2, 5}, 7, {10, 20}};
    some.progress.workload = 3;
    some.progress.frame = 4;
    some.progress.time = 5;
    some.progress.machine = {std::byte{1}, std::byte{2}};
    some.progress.counters = {6, 7};
    some.progress.under_way = true;
    some.progress.start = 8;
    some.progress.report.messages = 9;
    some.progress.results = tests::sample_results();
    some.progress.results.complete = false;
    some.progress.results.determinism.log.messages.push_back({1, 2, 3, 4, 5, 6, {}});
    some.progress.segments.push_back({"now", "here", "block", 2, 3, 4, 5});
    return some;
}

template <class E>
std::string refusal(const std::vector<std::byte>& bytes) {
    try {
        (void)to_checkpoint(bytes, "out/checkpoint");
    } catch (const E& error) {
        return error.what();
    }
    return "";
}

TEST(RunCheckpoint, HoldsAllThatItWasGiven) {
    RunCheckpoint some = some_checkpoint();
    const std::vector<std::byte> bytes = to_bytes(some.identity, some.progress);
    RunCheckpoint copy = to_checkpoint(bytes, "out/checkpoint");
    EXPECT_EQ(to_bytes(copy.identity, copy.progress), bytes);
    EXPECT_EQ(copy.identity.workloads.at(0).digest, "0123");
    EXPECT_EQ(copy.identity.frames.text(), "2-5");
    EXPECT_EQ(copy.identity.log.text(), "10:20");
    EXPECT_EQ(copy.progress.report.messages, 9U);
    EXPECT_EQ(copy.progress.segments.at(0).host, "here");
    EXPECT_EQ(copy.progress.results.frames.size(), 3U);
    EXPECT_EQ(copy.progress.results.frames[1].image, some.progress.results.frames[1].image);
    EXPECT_EQ(copy.progress.results.performance.at(2).workers.size(), 2U);
    EXPECT_EQ(io::results_digest(copy.progress.results), io::results_digest(some.progress.results));
}

TEST(RunCheckpoint, OfAnotherVersionOfTheProgramIsRefusedByName) {
    RunCheckpoint some = some_checkpoint();
    some.identity.program = "tessera 0.0.1 git:abc";
    const std::string said = refusal<engine::ConfigError>(to_bytes(some.identity, some.progress));
    EXPECT_THAT(said, HasSubstr("out/checkpoint was written by tessera 0.0.1 git:abc, and this is " + version_text()));
}

TEST(RunCheckpoint, IsRefusedWhereItEndsTooEarlyOrTooLate) {
    RunCheckpoint some = some_checkpoint();
    std::vector<std::byte> bytes = to_bytes(some.identity, some.progress);
    bytes.push_back(std::byte{0});
    EXPECT_THAT(refusal<engine::InputError>(bytes), HasSubstr("out/checkpoint: no checkpoint of a run: byte"));
    for (std::size_t size = 0; size + 1 < bytes.size(); size += 1 + bytes.size() / 97) {
        const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_THAT(refusal<engine::InputError>(part), HasSubstr("byte")) << size;
    }
}

}  // namespace
}  // namespace experiments

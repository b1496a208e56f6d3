#include "io/results_performance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "io/results_file.h"
#include "tests/io/sample_results.h"
#include "tests/io/temporary_folder.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ResultsPerformance : public testing::Test {
  protected:
    ResultsPerformance() { io::write_results(path_, results_); }
    std::string error_with(const engine::Graph& graph) const {
        try {
            io::read_profile(path_, graph);
        } catch (const engine::ConfigError& error) {
            return error.what();
        }
        return "none";
    }
    const tests::TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_ / "results.h5";
    const io::Results results_ = tests::sample_results();
};

TEST_F(ResultsPerformance, TheProfileComesBack) {
    const engine::Profile profile = io::read_profile(path_, results_.graph);
    ASSERT_EQ(profile.processes.size(), results_.profile.processes.size());
    EXPECT_EQ(profile.processes[3].seconds, results_.profile.processes[3].seconds);
    EXPECT_EQ(profile.processes[3].messages, 10U);
    EXPECT_EQ(profile.channels, results_.profile.channels);
    EXPECT_EQ(profile.bundles, results_.profile.bundles);
}

TEST_F(ResultsPerformance, TheProfileOfAnotherMachineIsRefused) {
    engine::Graph graph = results_.graph;
    graph.processes[1].name = "cores[1]";
    EXPECT_THAT(error_with(graph), HasSubstr("is of a machine with other processes than this one"));
    graph = results_.graph;
    graph.channels[1].to = 3;
    EXPECT_THAT(error_with(graph), HasSubstr("other channels"));
    graph = results_.graph;
    graph.bundles[0].from.pop_back();
    EXPECT_THAT(error_with(graph), HasSubstr("other bundles"));
    EXPECT_EQ(error_with(results_.graph), "none");
}

TEST_F(ResultsPerformance, ResultsWithoutFramesHaveNoProfile) {
    io::write_results(path_, {});
    EXPECT_THAT(error_with(results_.graph), HasSubstr("holds no profile"));
}

TEST_F(ResultsPerformance, WhatIsNoResultsFileIsRefused) {
    EXPECT_THROW(io::read_profile(folder_ / "absent.h5", results_.graph), engine::IoError);
}

TEST_F(ResultsPerformance, TimesAreNoPartOfTheDigest) {
    io::Results other = results_;
    other.profile.processes[0].seconds *= 2;
    other.performance[0].workers[0].work += 1;
    EXPECT_EQ(io::results_digest(other), io::results_digest(results_));
}

}  // namespace

#include "engine/instruments/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Graph two() {
    Graph graph;
    graph.processes = {{"a", "a", 3}, {"b", "b", 4}};
    graph.channels = {{0, 1, 5, 1}, {1, 0, 5, 1}};
    graph.bundles = {{{0, 1}, {1}, 6, {}}};
    return graph;
}
Profile profile() {
    return {{{0.5, 10}, {0.25, 20}}, {7, 8}, {{1, 2}}};
}

TEST(Profile, AddsUp) {
    Profile sum;
    for (int i = 0; i < 3; ++i) sum.add(profile());
    EXPECT_EQ(sum.processes[0].seconds, 1.5);
    EXPECT_EQ(sum.processes[1].messages, 60U);
    EXPECT_THAT(sum.channels, ElementsAre(21, 24));
    EXPECT_THAT(sum.bundles[0], ElementsAre(3, 6));
}

TEST(Profile, TakesThePlaceOfCostHints) {
    Graph graph = two();
    weigh(graph, profile());
    EXPECT_EQ(graph.processes[0].cost, 0.5);
    EXPECT_EQ(graph.processes[1].cost, 0.25);
    EXPECT_EQ(graph.channels[1].messages, 8);
    EXPECT_THAT(graph.bundles[0].messages, ElementsAre(1, 2));
}

TEST(Profile, WithoutMeasurementsLeavesCostHintsAndEqualTraffic) {
    Graph graph = two();
    weigh(graph, {{{0, 0}, {0, 0}}, {0, 0}, {{0, 0}}});
    EXPECT_EQ(graph.processes[1].cost, 4);
    EXPECT_EQ(graph.channels[0].messages, 1);
    EXPECT_TRUE(graph.bundles[0].messages.empty());
}

TEST(Profile, OfAnotherMachineIsRefused) {
    const auto error_of = [](const Profile& wrong) -> std::string {
        Graph graph = two();
        try {
            weigh(graph, wrong);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "none";
    };
    Profile wrong = profile();
    wrong.processes.push_back({});
    EXPECT_THAT(error_of(wrong), HasSubstr("expected 2 processes, found 3"));
    wrong = profile();
    wrong.channels.pop_back();
    EXPECT_THAT(error_of(wrong), HasSubstr("expected 2 channels, found 1"));
    wrong = profile();
    wrong.bundles[0].push_back(1);
    EXPECT_THAT(error_of(wrong), HasSubstr("expected 2 senders in a bundle, found 3"));
    EXPECT_EQ(error_of(profile()), "none");
}

}  // namespace
}  // namespace engine

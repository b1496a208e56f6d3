#include "experiments/tessera/plan_report.h"

#include <gtest/gtest.h>

namespace {

engine::Graph graph() {
    engine::Graph graph;
    const auto add = [&](const std::string& kind, int count) {
        for (int i = 0; i < count; ++i) graph.processes.push_back({kind + "[" + std::to_string(i) + "]", kind, 1});
    };
    graph.processes.push_back({"geometry", "geometry", 1});
    add("core", 6);
    graph.processes.push_back({"colour", "colour", 1});
    add("slice", 3);
    return graph;
}

TEST(PlanReport, ProcessesOfAKindAreListedTogether) {
    const auto list = [](const std::vector<int>& processes) { return experiments::short_list(graph(), processes); };
    EXPECT_EQ(list({}), "");
    EXPECT_EQ(list({0}), "geometry");
    EXPECT_EQ(list({3}), "core[2]");
    EXPECT_EQ(list({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), "geometry, core[0-5], colour, slice[0-2]");
    EXPECT_EQ(list({1, 2, 4, 6, 8, 10}), "core[0,1,3,5], slice[0,2]");
    EXPECT_EQ(list({0, 2, 3, 4, 6, 7}), "geometry, core[1-3,5], colour");
}

}  // namespace

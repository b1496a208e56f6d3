// What a plan cuts: the links between its workers and the traffic over them.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "engine/plan.h"

namespace partitions {

struct Cut {
    std::map<std::pair<int, int>, engine::Time> links;  // (from, to): the least lookahead
    engine::Time lookahead = engine::never;             // the least of all
    double messages = 0, all_messages = 0;              // over links, and in all; as in the graph
    std::vector<double> crossing;                       // of what a process receives, the share that comes over links
};

Cut cut_of(const engine::Graph& graph, const engine::Plan& plan);

}  // namespace partitions

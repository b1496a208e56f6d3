// The partition `balanced`: cuts the graph of the channels with METIS, first into ranks, then those into threads.
//
// Every part is to have the same cost, as far as processes allow (the heaviest part is improved until it is within 3 %
// of the mean or no exchange of processes makes it lighter). Among such partitions, the sum of the weights of the
// channels that are cut is to be small. The weight of a channel is
//
//     (messages / messages of the busiest channel + 1/50) * least lookahead of the machine / lookahead
//
// since every message that crosses costs, every link between workers must be looked at even if it is silent, and a
// channel with k times the lookahead makes its receiver wait k times more rarely.
#pragma once

#include <vector>

#include "engine/plan.h"

namespace partitions {

// The worker (rank * threads + thread) of every process; the same for equal arguments, whoever asks. A bundle counts as
// channels between all its pairs, with evenly divided traffic; a large one as 16 channels from every sender, spread
// evenly over the receivers: as good, since its traffic has no structure. With no more processes than workers each has
// a worker of its own.
std::vector<int> balance(const engine::Graph& graph, int ranks, int threads);

// A channel between two processes in both directions, with its weight; for tests and reports.
struct Edge {
    int a, b;  // a < b
    double weight;
};
std::vector<Edge> edges_of(const engine::Graph& graph);

}  // namespace partitions

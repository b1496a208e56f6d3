// The partition `balanced`: deals processes out by cost. From the most costly to the least, each goes to the worker
// that has the least to do so far (the rule of the longest processing time; the heaviest worker has at most 4/3 of the
// work that the best of all deals leaves it, and far less where processes are many).
//
// Processes of equal cost, which are those of one kind, so come to all workers evenly. That matters more than where
// messages cross. Workers wait for each other in every window, and in one window it is the raster that has much to do,
// in another one the DRAM, or all cores: a worker with cores alone, as a cut between few messages leaves it, idles
// while there are none to shade. OpenArena at 2160x1080 on `bifrost32`, as `tessera plan` predicts it for 2, 4 and 8
// workers: 1.6, 2.5 and 3.7 times one worker with a least cut (METIS), 1.75, 2.9 and 4.3 times with this.
#pragma once

#include <vector>

#include "engine/plan.h"

namespace partitions {

// The worker of every process; the same for equal arguments, whoever asks. With no more processes than workers each
// has a worker of its own.
std::vector<int> balance(const engine::Graph& graph, int workers);

// The cost of the worker with the most to do / that of all.
double heaviest_share(const engine::Graph& graph, const std::vector<int>& worker, int workers);

}  // namespace partitions

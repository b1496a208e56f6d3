// Plan: which worker runs which process. It changes the speed of a run, never its result.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/units.h"

namespace engine {

// The number of a process or worker, as the position in a list of them.
constexpr std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

// ranks x threads workers; worker[i] = rank * threads + thread runs process i (in the order of Simulation::add()).
// An empty list puts everything on worker 0. A worker, and a rank, may own no process.
struct Plan {
    int ranks = 1;
    int threads = 1;
    std::vector<int> worker;

    bool operator==(const Plan&) const = default;
};

// What partitions see of a machine: processes with their weights, and the channels between them.
struct Graph {
    struct Process {
        std::string name;
        std::string kind;
        double cost;  // in comparison to the others: LogicalProcess::cost_hint(), or as measured
                      // (engine/instruments/profile.h)
    };
    struct Channel {
        int from, to;         // numbers of processes
        Time lookahead;       // latency plus least delay
        double messages = 1;  // in comparison to other channels
    };
    struct Bundle {  // of channels from each of these to each of those
        std::vector<int> from, to;
        Time lookahead;
        std::vector<double> messages = {};  // of each sender, to all; empty: one for each receiver
    };
    std::vector<Process> processes;
    std::vector<Channel> channels;
    std::vector<Bundle> bundles;
};

// A channel by its ports, and what its lookahead is made of. Of a bundle: one for each sender, to the first receiver.
struct NamedChannel {
    std::string from, to;  // "l2_slice[3].replies[7]"
    Time latency, least_delay;
    Time lookahead() const { return latency + least_delay; }
};

}  // namespace engine

// Profile: what the processes of a machine cost and what they say to each other, as a run has measured it. Partitions
// use it in place of cost hints. Costs are wall times: no result.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/archive.h"
#include "engine/plan.h"

namespace engine {

struct Profile {
    struct Process {
        double seconds = 0;          // of wall time; estimated from the windows that were measured
        std::uint64_t messages = 0;  // consumed

        void serialize(Archive& archive) { archive(seconds, messages); }
    };
    std::vector<Process> processes;                   // in the order of the graph, as are
    std::vector<std::uint64_t> channels;              // messages sent
    std::vector<std::vector<std::uint64_t>> bundles;  // messages sent by each sender

    // Of another run, or rank, of the same machine; into an empty one, of any.
    void add(const Profile& other);

    void serialize(Archive& archive) { archive(processes, channels, bundles); }
};

// Puts what was measured in place of the cost hints and of equal traffic. A profile in which no process has a cost, as
// no window was measured, leaves the cost hints; one without messages leaves equal traffic. Throws ConfigError if it is
// that of another machine.
void weigh(Graph& graph, const Profile& profile);

}  // namespace engine

// Evens out a partition by moving and exchanging processes between its parts, where METIS, which works with many light
// processes in mind, leaves the heaviest part too heavy.
#pragma once

#include <vector>

namespace partitions {

struct Neighbour {
    int number;
    double weight;  // of the channels between them
};
struct Part {  // of a machine
    std::vector<double> costs;
    std::vector<std::vector<Neighbour>> neighbours;
};

// Takes from the heaviest part that can be made lighter, and again, until all are within 3 % of the mean or none can
// be made lighter by moving a process or exchanging it for a lighter one. Of the steps that bring both parts within
// these bounds the one that cuts least, otherwise the one that evens out most. Ends: the sum of the squares of the
// loads sinks.
void exchange(const Part& part, int parts, std::vector<int>& where);

}  // namespace partitions

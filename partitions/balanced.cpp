#include "partitions/balanced.h"

#include <algorithm>
#include <numeric>

namespace partitions {

using engine::at;
using engine::Graph;

std::vector<int> balance(const Graph& graph, int workers) {
    std::vector<double> costs;
    for (const Graph::Process& process : graph.processes) costs.push_back(std::max(0.0, process.cost));
    if (std::accumulate(costs.begin(), costs.end(), 0.0) <= 0) std::fill(costs.begin(), costs.end(), 1);
    std::vector<int> order(costs.size()), worker(costs.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return costs[at(a)] > costs[at(b)]; });

    struct Load {
        double cost = 0;
        int processes = 0;
        auto operator<=>(const Load&) const = default;
    };
    std::vector<Load> loads(at(workers));
    for (const int process : order) {
        const auto least = std::min_element(loads.begin(), loads.end());
        worker[at(process)] = static_cast<int>(least - loads.begin());
        least->cost += costs[at(process)];
        ++least->processes;
    }
    return worker;
}

double heaviest_share(const Graph& graph, const std::vector<int>& worker, int workers) {
    std::vector<double> loads(at(workers));
    for (std::size_t i = 0; i < worker.size(); ++i) loads[at(worker[i])] += std::max(0.0, graph.processes[i].cost);
    const double total = std::accumulate(loads.begin(), loads.end(), 0.0);
    return total > 0 ? *std::max_element(loads.begin(), loads.end()) / total : 0;
}

}  // namespace partitions

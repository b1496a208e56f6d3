#include "partitions/balanced.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <metis.h>

#include "engine/error.h"
#include "partitions/exchange.h"

namespace partitions {

using engine::Graph;
using engine::Time;

namespace {

constexpr std::size_t many_pairs = 65536;  // of a bundle
constexpr std::size_t spread = 16;         // channels of every sender that stand for those of a large bundle
constexpr double silent = 1.0 / 50;        // weight of a channel without messages, against the busiest one
constexpr double all_costs = 1e7;          // integers for METIS, whose sums must fit in 32 bits
constexpr double all_weights = 1e9, most_weight = 1e5;

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

// Calls f(from, to, lookahead, messages) for every channel, and what stands for those of bundles.
template <class F>
void for_each_channel(const Graph& graph, F f) {
    for (const Graph::Channel& channel : graph.channels)
        f(channel.from, channel.to, channel.lookahead, channel.messages);
    for (const Graph::Bundle& bundle : graph.bundles) {
        const std::size_t receivers = bundle.to.size();
        const bool all = bundle.from.size() * receivers <= many_pairs;
        const std::size_t count = all ? receivers : std::min(spread, receivers);
        for (std::size_t s = 0; s < bundle.from.size(); ++s) {
            const double sent = bundle.messages.empty() ? static_cast<double>(receivers) : bundle.messages[s];
            for (std::size_t i = 0; i < count; ++i)
                f(bundle.from[s], bundle.to[(s + i * receivers / count) % receivers], bundle.lookahead,
                  sent / static_cast<double>(count));
        }
    }
}

Part whole(const Graph& graph) {
    Part part;
    for (const Graph::Process& process : graph.processes) part.costs.push_back(std::max(0.0, process.cost));
    if (std::accumulate(part.costs.begin(), part.costs.end(), 0.0) <= 0)
        std::fill(part.costs.begin(), part.costs.end(), 1);
    part.neighbours.resize(part.costs.size());
    for (const Edge& edge : edges_of(graph)) {
        part.neighbours[at(edge.a)].push_back({edge.b, edge.weight});
        part.neighbours[at(edge.b)].push_back({edge.a, edge.weight});
    }
    return part;
}

// Some of its processes, numbered by their place in the list.
Part subset(const Part& part, const std::vector<int>& members) {
    Part subset;
    std::vector<int> place(part.costs.size(), -1);
    for (const int member : members) {
        place[at(member)] = static_cast<int>(subset.costs.size());
        subset.costs.push_back(part.costs[at(member)]);
    }
    for (const int member : members) {
        auto& list = subset.neighbours.emplace_back();
        for (const Neighbour& neighbour : part.neighbours[at(member)])
            if (place[at(neighbour.number)] >= 0) list.push_back({place[at(neighbour.number)], neighbour.weight});
    }
    return subset;
}

// As METIS wants it.
struct Csr {
    std::vector<idx_t> first{0}, neighbours, weights, costs;
    explicit Csr(const Part& part) {
        const double total = std::accumulate(part.costs.begin(), part.costs.end(), 0.0);
        const double unit_cost = total > 0 ? all_costs / total : 0;
        for (const double cost : part.costs)
            costs.push_back(std::max<idx_t>(1, static_cast<idx_t>(std::lround(unit_cost * cost))));
        double heaviest = 0;
        std::size_t count = 0;
        for (const auto& list : part.neighbours) {
            count += list.size();
            for (const Neighbour& neighbour : list) heaviest = std::max(heaviest, neighbour.weight);
        }
        const double unit = std::min(most_weight, all_weights / static_cast<double>(count + 1)) / heaviest;
        for (const auto& list : part.neighbours) {
            for (const Neighbour& neighbour : list) {
                neighbours.push_back(neighbour.number);
                weights.push_back(std::max<idx_t>(1, static_cast<idx_t>(std::lround(unit * neighbour.weight))));
            }
            first.push_back(static_cast<idx_t>(neighbours.size()));
        }
        if (neighbours.empty()) {  // METIS refuses null
            neighbours.push_back(0);
            weights.push_back(1);
        }
    }
};

// In two, of which the first gets this share of the cost: 0 or 1 for every process.
std::vector<idx_t> halve(const Part& part, double share) {
    Csr csr(part);
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NCUTS] = 4;  // tries, of which the best counts
    auto vertices = static_cast<idx_t>(part.costs.size()), constraints = idx_t{1}, pieces = idx_t{2}, weight = idx_t{0};
    real_t shares[] = {static_cast<real_t>(share), static_cast<real_t>(1 - share)};
    std::vector<idx_t> side(part.costs.size());
    const int code =
        METIS_PartGraphRecursive(&vertices, &constraints, csr.first.data(), csr.neighbours.data(), csr.costs.data(),
                                 nullptr, csr.weights.data(), &pieces, shares, nullptr, options, &weight, side.data());
    if (code != METIS_OK)
        throw engine::InternalError("METIS cannot partition a graph of " + std::to_string(side.size()) +
                                    " processes (" + std::to_string(code) + ")");
    return side;
}

// Parts are numbered from `first`. METIS itself would make several at a time, but not where processes are few.
void divide(const Part& part, const std::vector<int>& members, int first, int parts, std::vector<int>& where) {
    if (parts == 1 || members.size() <= at(parts)) {
        int next = 0;
        for (const int member : members) where[at(member)] = first + (parts == 1 ? 0 : next++);
        return;
    }
    const int left_parts = parts / 2;
    const std::vector<idx_t> side = halve(subset(part, members), static_cast<double>(left_parts) / parts);
    std::vector<int> left, right;
    for (std::size_t i = 0; i < members.size(); ++i) (side[i] == 0 ? left : right).push_back(members[i]);
    divide(part, left, first, left_parts, where);
    divide(part, right, first + left_parts, parts - left_parts, where);
}

std::vector<int> cut(const Part& part, int parts) {
    std::vector<int> all(part.costs.size()), where(part.costs.size());
    std::iota(all.begin(), all.end(), 0);
    divide(part, all, 0, parts, where);
    exchange(part, parts, where);
    return where;
}

}  // namespace

std::vector<Edge> edges_of(const Graph& graph) {
    Time least = engine::never;
    double busiest = 0;
    for_each_channel(graph, [&](int, int, Time lookahead, double messages) {
        least = std::min(least, lookahead);
        busiest = std::max(busiest, messages);
    });
    std::map<std::pair<int, int>, double> weights;
    for_each_channel(graph, [&](int from, int to, Time lookahead, double messages) {
        if (from == to) return;
        const double traffic = busiest > 0 ? messages / busiest : 0;
        weights[std::minmax(from, to)] +=
            (traffic + silent) * static_cast<double>(least) / static_cast<double>(lookahead);
    });
    std::vector<Edge> edges;
    edges.reserve(weights.size());
    for (const auto& [ends, weight] : weights) edges.push_back({ends.first, ends.second, weight});
    return edges;
}

std::vector<int> balance(const Graph& graph, int ranks, int threads) {
    const auto count = static_cast<int>(graph.processes.size());
    std::vector<int> worker(graph.processes.size());
    if (count <= ranks * threads) {
        std::iota(worker.begin(), worker.end(), 0);
        return worker;
    }
    const Part part = whole(graph);
    const std::vector<int> rank_of = cut(part, ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<int> members;
        for (int process = 0; process < count; ++process)
            if (rank_of[at(process)] == rank) members.push_back(process);
        const std::vector<int> thread_of = cut(subset(part, members), threads);
        for (std::size_t i = 0; i < members.size(); ++i) worker[at(members[i])] = rank * threads + thread_of[i];
    }
    return worker;
}

}  // namespace partitions

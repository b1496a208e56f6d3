#include "experiments/tessera/cores.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <thread>

#include <sched.h>

#include "io/log.h"

namespace experiments {

namespace {

using Cores = std::vector<std::uint64_t>;

// Empty where the kernel does not say.
Cores own_cores() {
    cpu_set_t mask;
    if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return {};
    Cores cores(sizeof mask / sizeof(std::uint64_t));
    std::memcpy(cores.data(), &mask, sizeof mask);
    return cores;
}

int count(const Cores& cores) {
    return std::transform_reduce(cores.begin(), cores.end(), 0, std::plus<>(),
                                 [](std::uint64_t word) { return std::popcount(word); });
}

void warn(const std::string& text) {
    if (!text.empty()) io::log_warning(text);
}

}  // namespace

int available_cores() {
    const int cores = count(own_cores());
    return std::max(1, cores > 0 ? cores : static_cast<int>(std::thread::hardware_concurrency()));
}

int choose_threads(int asked) {
    const int threads = asked > 0 ? asked : available_cores();
    warn(crowding({{0, threads, own_cores()}}));
    return threads;
}

int choose_threads(int asked, const engine::Ranks& ranks) {
    if (ranks.size() == 1) return choose_threads(asked);
    const int threads = std::max(asked, 1);
    const std::vector<int> nodes = ranks.nodes();
    std::vector<RankShare> shares;
    for (const Cores& cores : ranks.gather(std::span<const std::uint64_t>(own_cores())))
        shares.push_back({nodes[shares.size()], threads, cores});
    warn(crowding(shares));
    return threads;
}

std::string crowding(const std::vector<RankShare>& ranks) {
    struct Node {
        int ranks = 0, threads = 0;
        Cores cores;
    };
    std::map<int, Node> nodes;
    for (const RankShare& rank : ranks) {
        const int own = count(rank.cores);
        if (ranks.size() > 1 && own > 0 && rank.threads > own)
            return std::to_string(rank.threads) + " threads on " + std::to_string(own) +
                   " cores of a rank; mpirun --bind-to none, or --map-by slot:PE=N, gives it more";
        Node& node = nodes[rank.node];
        ++node.ranks;
        node.threads += rank.threads;
        node.cores.resize(std::max(node.cores.size(), rank.cores.size()));
        for (std::size_t i = 0; i < rank.cores.size(); ++i) node.cores[i] |= rank.cores[i];
    }
    for (const auto& [first, node] : nodes) {
        const int cores = count(node.cores);
        if (cores == 0 || node.threads <= cores) continue;
        std::string text = std::to_string(node.threads) + " threads";
        if (ranks.size() > 1) text += " of " + std::to_string(node.ranks) + " ranks";
        return text + " on " + std::to_string(cores) + " available cores";
    }
    return {};
}

}  // namespace experiments

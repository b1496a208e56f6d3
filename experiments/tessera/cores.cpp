#include "experiments/tessera/cores.h"

#include <algorithm>
#include <map>
#include <span>

#include "engine/threads/allowed_cpus.h"
#include "engine/threads/run_on_threads.h"
#include "io/log.h"

namespace experiments {

namespace {

using engine::cpu_count;
using engine::CpuSet;

// By `tessera plan` 8 threads make a frame of OpenArena (51 processes) 4.1 times as fast as one, 16 5.4 times, 32 6.2
// and 64 6.6 times, if going on from 63 others costs each no more than going on from one, which is all that was
// measured. Twice the cores for 15 % at best are better left to another run.
constexpr std::size_t processes_of_a_thread = 3;

void warn(const std::string& text) {
    if (!text.empty()) io::log_warning(text);
}

}  // namespace

int available_cores() {
    return engine::usable_cpus(engine::allowed_cpus());
}

int default_threads() {
    return std::min(available_cores(), engine::most_threads);
}

int worthwhile_threads(int threads, std::size_t processes) {
    return std::clamp(static_cast<int>(processes / processes_of_a_thread), 1, threads);
}

int choose_threads(int asked) {
    const int threads = asked > 0 ? asked : default_threads();
    warn(crowding({{0, threads, engine::allowed_cpus()}}));
    return threads;
}

int choose_threads(int asked, const engine::Ranks& ranks) {
    if (ranks.size() == 1) return choose_threads(asked);
    const int threads = std::max(asked, 1);
    const std::vector<int> nodes = ranks.nodes();
    std::vector<RankShare> shares;
    for (const CpuSet& cores : ranks.gather(std::span<const std::uint64_t>(engine::allowed_cpus())))
        shares.push_back({nodes[shares.size()], threads, cores});
    warn(crowding(shares));
    return threads;
}

std::string crowding(const std::vector<RankShare>& ranks) {
    struct Node {
        int ranks = 0, threads = 0;
        CpuSet cores;
    };
    std::map<int, Node> nodes;
    for (const RankShare& rank : ranks) {
        const int own = cpu_count(rank.cores);
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
        const int cores = cpu_count(node.cores);
        if (cores == 0 || node.threads <= cores) continue;
        std::string text = std::to_string(node.threads) + " threads";
        if (ranks.size() > 1) text += " of " + std::to_string(node.ranks) + " ranks";
        return text + " on " + std::to_string(cores) + " available cores";
    }
    return {};
}

}  // namespace experiments

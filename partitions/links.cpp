#include "partitions/links.h"

#include <algorithm>

namespace partitions {

using engine::Graph;

namespace {

int worker_of(const engine::Plan& plan, int process) {
    return plan.worker.empty() ? 0 : plan.worker[static_cast<std::size_t>(process)];
}

}  // namespace

Cut cut_of(const Graph& graph, const engine::Plan& plan) {
    Cut cut;
    std::vector<double> received(graph.processes.size());
    cut.crossing.resize(graph.processes.size());
    const auto worker = [&](int process) { return worker_of(plan, process); };
    const auto add_link = [&](int from, int to, engine::Time lookahead) {
        const auto [link, added] = cut.links.try_emplace({from, to}, lookahead);
        link->second = std::min(link->second, lookahead);
        cut.lookahead = std::min(cut.lookahead, lookahead);
    };
    const auto add_messages = [&](int from_worker, int to, double messages) {
        received[static_cast<std::size_t>(to)] += messages;
        cut.all_messages += messages;
        if (from_worker == worker(to)) return;
        cut.crossing[static_cast<std::size_t>(to)] += messages;
        cut.messages += messages;
    };
    for (const Graph::Channel& channel : graph.channels) {
        if (worker(channel.from) != worker(channel.to))
            add_link(worker(channel.from), worker(channel.to), channel.lookahead);
        add_messages(worker(channel.from), channel.to, channel.messages);
    }
    for (const Graph::Bundle& bundle : graph.bundles) {
        std::map<int, double> senders;  // by worker: messages to each receiver
        for (std::size_t s = 0; s < bundle.from.size(); ++s)
            senders[worker(bundle.from[s])] +=
                bundle.messages.empty() ? 1 : bundle.messages[s] / static_cast<double>(bundle.to.size());
        for (const int to : bundle.to)
            for (const auto& [from, messages] : senders) {
                if (from != worker(to)) add_link(from, worker(to), bundle.lookahead);
                add_messages(from, to, messages);
            }
    }
    for (std::size_t i = 0; i < received.size(); ++i)
        if (received[i] > 0) cut.crossing[i] /= received[i];
    return cut;
}

}  // namespace partitions

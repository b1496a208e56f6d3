// The links between the workers of a run.

#include <algorithm>
#include <set>
#include <utility>

#include "engine/scheduling/run.h"

namespace engine {

Run::Links Run::find_links() const {
    Links links;
    const auto add = [&](const OutPort& port, int to) {
        const int from = worker_of(port.process());
        if (from == to) return;
        Time& lookahead = links.try_emplace({from, to}, never).first->second;
        lookahead = std::min(lookahead, port.lookahead());
    };
    for (const Simulation::Channel& channel : simulation_.channels_)
        add(*channel.from, worker_of(channel.to->process()));
    for (const Simulation::Bundle& bundle : simulation_.bundles_) {
        std::set<int> receivers;
        for (const InPort* port : bundle.to) receivers.insert(worker_of(port->process()));
        for (const FanOutPort* port : bundle.from)
            for (const int receiver : receivers) add(*port, receiver);
    }
    return links;
}

// The processes that can go two windows at a time (Scheduler), by number; empty if they are too few to be worth it.
// Of the two ends of a channel that is too short for that the one with more of such channels is left out.
std::vector<bool> Run::find_wide() const {
    const auto is_short = [&](const OutPort& port) { return port.lookahead() < 2 * windows_.length(); };
    const std::size_t processes = simulation_.processes_.size();
    std::vector<bool> wide(processes, true);
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    std::vector<std::size_t> count(processes);
    for (const Simulation::Channel& channel : simulation_.channels_) {
        if (!is_short(*channel.from)) continue;
        ends.emplace_back(at(channel.from->process().number()), at(channel.to->process().number()));
        ++count[ends.back().first];
        ++count[ends.back().second];
    }
    for (const Simulation::Bundle& bundle : simulation_.bundles_)
        for (const FanOutPort* port : bundle.from)
            if (is_short(*port)) wide[at(port->process().number())] = false;
    for (const auto& [from, to] : ends)
        if (wide[from] && wide[to]) wide[count[from] > count[to] ? from : to] = false;
    const auto some = static_cast<std::size_t>(std::count(wide.begin(), wide.end(), true));
    return 2 * some < processes ? std::vector<bool>() : wide;
}

std::vector<Interconnect::Link> Run::ends_of_links() const {
    std::vector<Interconnect::Link> ends;
    for (const auto& [workers, lookahead] : links_)
        ends.push_back({workers.first / plan_.threads, workers.second / plan_.threads});
    return ends;
}

// One link for each pair of workers, however many channels lead from the one to the other.
void Run::connect() {
    const LostNullMessages& lost = options_.lost_null_messages;
    std::map<std::pair<int, int>, transport::Outgoing*> outgoing;  // from the workers of this rank
    std::size_t number = 0;
    for (const auto& [ends, lookahead] : links_) {
        const auto [from, to] = ends;
        transport::LinkMemory* const memory = interconnect_.link(number++);
        if (is_here(from)) {
            outgoing[ends] = &local(from).send_to(*memory);
            if (from == lost.from && to == lost.to) outgoing[ends]->lose_clocks_from(lost.time);
        }
        if (is_here(to)) local(to).receive_from(*memory, from, lookahead);
    }
    if (participants_.size() > 1) route(outgoing);
}

// Gives every port that sends from here to another worker the link to it.
void Run::route(const std::map<std::pair<int, int>, transport::Outgoing*>& links) {
    const auto link = [&](int from, const LogicalProcess& to) {
        const auto found = links.find({from, worker_of(to)});
        return found == links.end() ? nullptr : found->second;
    };
    for (const Simulation::Channel& channel : simulation_.channels_)
        channel.from->outgoing_ = link(worker_of(channel.from->process()), channel.to->process());
    if (simulation_.bundles_.empty()) return;
    routes_.resize(workers_.size());
    for (std::size_t thread = 0; thread < workers_.size(); ++thread)
        for (const auto& process : simulation_.processes_)
            routes_[thread].push_back(link(rank_ * plan_.threads + static_cast<int>(thread), *process));
    for (const Simulation::Bundle& bundle : simulation_.bundles_)
        for (FanOutPort* port : bundle.from)
            if (const int from = worker_of(port->process()); is_here(from))
                port->routes_ = &routes_[at(from % plan_.threads)];
}

}  // namespace engine

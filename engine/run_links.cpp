// Who of the workers of a run sends to whom.

#include <set>
#include <utility>

#include "engine/run.h"

namespace engine {

namespace {

std::size_t at(int number) {
    return static_cast<std::size_t>(number);
}

}  // namespace

Run::Links Run::find_links() const {
    Links links;
    const auto add = [&](const OutPort& port, int to) {
        const int from = owner(port.process());
        if (from == to) return;
        Lead& lead = links.try_emplace({from, to}, Lead{never, {}}).first->second;
        lead.lookahead = std::min(lead.lookahead, port.lookahead());
        Time& its = lead.senders.try_emplace(port.process().number_, never).first->second;
        its = std::min(its, port.lookahead());
    };
    for (const Simulation::Channel& channel : simulation_.channels_) add(*channel.from, owner(channel.to->process()));
    for (const Simulation::Bundle& bundle : simulation_.bundles_) {
        std::set<int> receivers;
        for (const InPort* port : bundle.to) receivers.insert(owner(port->process()));
        for (const FanOutPort* port : bundle.from)
            for (const int receiver : receivers) add(*port, receiver);
    }
    return links;
}

std::vector<Fabric::Link> Run::ends_of_links() const {
    std::vector<Fabric::Link> ends;
    for (const auto& [workers, lead] : links_)
        ends.push_back({workers.first / plan_.threads, workers.second / plan_.threads});
    return ends;
}

// One link for each pair of workers, however many channels lead from the one to the other.
void Run::connect() {
    const LostPromises& lost = options_.lost_promises;
    ways_.clear();
    for (const auto& [ends, lead] : links_) {
        const auto [from, to] = ends;
        transport::LinkMemory* const memory = fabric_.link(link_numbers_.at(ends));
        const auto worker = [&](int number) -> Worker& { return *workers_[at(number % plan_.threads)]; };
        if (is_here(from)) {
            std::vector<Worker::Sender> senders;
            for (const auto& [sender, lookahead] : lead.senders)
                senders.push_back(
                    {simulation_.processes_[at(sender)].get(), windows_.is_urgent(lookahead, lead.lookahead)});
            ways_[ends] = &worker(from).send_to(*memory, std::move(senders));
            if (from == lost.from && to == lost.to) ways_[ends]->lose_promises_from(lost.time);
        }
        if (is_here(to)) worker(to).receive_from(*memory, from, lead.lookahead);
    }
    if (!simulation_.bundles_.empty()) {
        routes_.assign(workers_.size(), {});
        for (std::size_t thread = 0; thread < workers_.size(); ++thread)
            for (const auto& process : simulation_.processes_)
                routes_[thread].push_back(way(rank_ * plan_.threads + static_cast<int>(thread), owner(*process)));
    }
    route(false);
}

transport::Outgoing* Run::way(int from, int to) const {
    const auto found = ways_.find({from, to});
    return found == ways_.end() ? nullptr : found->second;
}

// Gives every port that sends from here to another worker the way to it, unless one worker does everything.
void Run::route(bool alone) {
    if (participants_.size() < 2) return;
    for (const Simulation::Channel& channel : simulation_.channels_)
        channel.from->outgoing_ = alone ? nullptr : way(owner(channel.from->process()), owner(channel.to->process()));
    for (const Simulation::Bundle& bundle : simulation_.bundles_)
        for (FanOutPort* port : bundle.from)
            if (const int from = owner(port->process()); is_here(from))
                port->routes_ = alone ? nullptr : &routes_[at(from % plan_.threads)];
}

}  // namespace engine
